"""The page that `check` prints for people: what was asked, what happened, what each gate says, what Claude would get."""

import os
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import jinja2

from ace_reflect.cli.terminal import hanging
from ace_reflect.evidence.facts import CommandKind, Commit, Edit, Ledger, Push, Run
from ace_reflect.gates.model import Finding, Judgement, State
from ace_reflect.playbook.neutral import neutral_lines, neutralise
from ace_reflect.text import seen_from, shortened

_SIGNS = {
    State.PROVEN: "✓",
    State.DISPROVEN: "✗",
    State.UNKNOWN: "?",
    State.NOT_APPLICABLE: "·",
    State.WAIVED: "–",
}
_KINDS = {
    CommandKind.TEST: "test",
    CommandKind.BUILD: "build",
    CommandKind.LINT: "lint",
    CommandKind.TYPECHECK: "types",
}
MAX_ROWS = 60


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the timeline."""

    sequence: int
    line: int
    kind: str
    what: str
    outcome: str = ""
    times: int = 1


def render(
    ledger: Ledger,
    judgement: Judgement,
    *,
    source: str = "",
    width: int = 80,
    bad_at: Sequence[int] = (),
) -> str:
    """
    The page as plain text, at most `width` columns where words allow it. `bad_at`: numbers of lines that could not be
    read, as many as are known.
    """
    environment = jinja2.Environment(  # noqa: S701 - plain text for a terminal, no markup to escape
        loader=jinja2.FileSystemLoader(os.path.dirname(__file__)),
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=jinja2.StrictUndefined,
    )
    environment.filters["fit"] = lambda text, room: shortened(neutralise(str(text)), room)
    rows = timeline(ledger)
    page = environment.get_template("check_page.txt.j2").render(
        bad_at=", ".join(map(str, bad_at)),
        ledger=ledger,
        task=judgement.task,
        verdict=judgement.verdict,
        rows=rows[-MAX_ROWS:],
        left_out=max(0, len(rows) - MAX_ROWS),
        findings=[_shown(finding) for finding in judgement.findings],
        feedback=neutral_lines(judgement.verdict.feedback).splitlines(),
        source=source,
        width=width,
        asked=shortened(neutralise(judgement.task.prompt), 4 * width)
        or "(nobody asked for anything)",
    )
    return hanging(page, width)


def _shown(finding: Finding) -> dict[str, Any]:
    return {
        "sign": _SIGNS[finding.state],
        "name": finding.gate,
        "state": finding.state.value.replace("_", " "),
        "mode": finding.mode.value,
        "reason": finding.reason,
        "scope": finding.scope,
        "evidence": finding.evidence[:3] if finding.state is not State.NOT_APPLICABLE else (),
        "settle": finding.settle if finding.state in {State.DISPROVEN, State.UNKNOWN} else "",
        "silent": finding.silent,
    }


def timeline(ledger: Ledger) -> list[Row]:
    """Edits, runs, commits, pushes, pull requests and looks at CI in their order; edits of one file in a row are one."""
    rows = [_edit(edit, ledger) for edit in ledger.edits]
    rows += [_run(run) for run in ledger.runs]
    rows += [
        Row(
            commit.sequence,
            commit.line,
            "commit",
            ("--no-verify" if commit.no_verify else "") + _by(commit),
            commit.outcome.value,
        )
        for commit in ledger.commits
    ]
    for push in ledger.pushes:
        where = (push.branch or push.tag or "") + (" (default branch)" if push.to_default else "")
        rows.append(Row(push.sequence, push.line, "push", where + _by(push), push.outcome.value))
    rows += [
        Row(pr.sequence, pr.line, "PR", pr.url or pr.command, pr.outcome.value)
        for pr in ledger.pull_requests
    ]
    rows += [
        Row(look.sequence, look.line, "CI", look.command, look.outcome) for look in ledger.ci_looks
    ]
    return _collapsed(sorted(rows, key=lambda row: (row.sequence, row.line)))


def _edit(edit: Edit, ledger: Ledger) -> Row:
    """What was taken back, or is no work for another reason, says so."""
    path = seen_from(ledger.cwd, edit.path)
    told = edit.trivial or ("undone" if edit.undone else "scratch" if edit.scratch else "")
    return Row(edit.sequence, edit.line, "edit", path + _by(edit), told)


def _run(run: Run) -> Row:
    outcome = f"{run.outcome}: {shortened(run.quote or run.why)}"
    return Row(run.sequence, run.line, _KINDS.get(run.kind, "run"), run.command + _by(run), outcome)


def _by(fact: Edit | Run | Commit | Push) -> str:
    """Who did it, if not the agent itself; the line of a subagent's is one of its own file."""
    return "" if fact.by == "agent" else f" ({fact.by})"


def _collapsed(rows: list[Row]) -> list[Row]:
    found: list[Row] = []
    for row in rows:
        last = found[-1] if found else None
        if last is not None and row.kind == last.kind == "edit" and row.what == last.what:
            told = (
                last.outcome if last.outcome == row.outcome else ""
            )  # "imports" only where all of them are
            found[-1] = Row(last.sequence, last.line, last.kind, last.what, told, last.times + 1)
        else:
            found.append(row)
    return found
