"""
The word of a model against the ledger: each claim of an assessment that the transcript contradicts, with both sides.

By itself a contradiction never makes a stop worse. Where the check is not called for, or was waived, it only goes on
record; where it is called for, what the ledger shows of it is named as missing. And the other way round: work that a
model calls missing is struck out where the ledger has it, or nobody called for it.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass

from ace_reflect.assess.answers import Assessment
from ace_reflect.evidence.commands import classify
from ace_reflect.evidence.facts import STATIC_KINDS, CommandKind, Ledger, Outcome, Run
from ace_reflect.gates.model import Finding, Judgement, Mode, State
from ace_reflect.gates.report import tests_after_last_edit
from ace_reflect.text import shortened


@dataclass(frozen=True, slots=True)
class Contradiction:
    """`claim` is the model's side, `shows` the ledger's, with its line. `gate`: whose business it is."""

    gate: str
    claim: str
    shows: str
    line: int | None = None
    file: str | None = None

    def as_json(self) -> dict[str, object]:
        place = {"line": self.line} | ({"file": self.file} if self.file else {})
        return {"gate": self.gate, "claim": self.claim, "shows": self.shows, **place}


def audit(
    assessment: Assessment, ledger: Ledger, judgement: Judgement
) -> tuple[Contradiction, ...]:
    """Every claim that the ledger contradicts. What the ledger is silent about is no contradiction."""
    return (
        *_tests(assessment, ledger, judgement),
        *_build(assessment, ledger),
        *_pull_request(assessment, ledger),
        *_ci(assessment, ledger),
        *_status(assessment, judgement),
    )


# ------------------------------------------------------------------ tests


def _tests(assessment: Assessment, ledger: Ledger, judgement: Judgement) -> list[Contradiction]:
    claimed = assessment.tests
    runs = [run for run in ledger.runs if run.kind is CommandKind.TEST and run.executed]
    if not claimed.ran:
        return []
    if not runs:
        return [
            Contradiction(
                "tests",
                _quoted("tests.ran", "true", claimed.commands),
                "no test was run in this session",
            )
        ]
    return [
        *_failed(runs, judgement) * (claimed.results == "pass"),
        *_stale(runs, ledger) * claimed.ran_after_changes,
        *_commands(claimed.commands, ledger, runs),
    ]


def _quoted(name: str, value: str, commands: Iterable[str] = ()) -> str:
    named = ", ".join(f"`{shortened(command, 80)}`" for command in commands)
    return f"{name}: {value}" + (f" ({named})" if named else "")


def _failed(runs: list[Run], judgement: Judgement) -> list[Contradiction]:
    last = next(
        (run for run in reversed(runs) if run.outcome in {Outcome.PASSED, Outcome.FAILED}), None
    )
    if last is None or last.outcome is Outcome.PASSED or _tests_proven(judgement):
        return []
    return [_by_run("tests", "tests.results: pass", last)]


def _tests_proven(judgement: Judgement) -> bool:
    """Whether the rules have looked at all runs of tests and found them proven, failures in between or not."""
    mine = [finding for finding in judgement.findings if finding.gate == "tests"]
    return bool(mine) and all(finding.state is State.PROVEN for finding in mine)


def _stale(runs: list[Run], ledger: Ledger) -> list[Contradiction]:
    if tests_after_last_edit(ledger) is not False:
        return []
    edit = next(e for e in reversed(ledger.edits) if e.kind == "code" and e.is_work)
    last = runs[-1]
    shows = f"the last edit of code ({edit.path.rpartition('/')[2]}, line {edit.line}) came after the last run (line {last.line})"
    return [Contradiction("tests", "tests.ran_after_changes: true", shows, edit.line, edit.file)]


def _commands(named: list[str], ledger: Ledger, runs: list[Run]) -> list[Contradiction]:
    if not named:
        return []
    tests = {meaning for run in runs for meaning in _meanings(run.command)}
    if any(_meanings(command) & tests for command in named):
        return []
    everything = {
        meaning for call in ledger.calls if call.bash for meaning in _meanings(call.key)
    } | tests
    found = []
    for command in named[:3]:
        ran = bool(_meanings(command) & everything)
        shows = "it ran, and is no test command" if ran else "this turn never ran it"
        found.append(Contradiction("tests", f"tests.commands: `{shortened(command, 120)}`", shows))
    return found


def _meanings(command: str) -> set[str]:
    """
    Each simple command of a line, seen through wrappers and without what only shapes its output: `npm test` is found in
    `cd app && npm test 2>&1 | tail -5`.
    """
    found = {" ".join(item.argv) for item in classify(command.strip().strip("`$ ")) if item.argv}
    found |= {
        re.sub(
            r"(?<!\s)\s+(?:-q|-v|-vv|-x|-s|--quiet|--verbose|--silent|--color\S*)(?=\s|$)", "", text
        )
        for text in found
    }
    return {text for text in found if text}


# ------------------------------------------------------------------ build, pull request, CI


def _build(assessment: Assessment, ledger: Ledger) -> list[Contradiction]:
    claimed = assessment.build
    runs = [run for run in ledger.runs if run.kind in STATIC_KINDS and run.executed]
    tested = any(run.kind is CommandKind.TEST for run in ledger.runs)  # `cargo test` builds as well
    if not claimed.ran:
        return []
    if not runs:
        return (
            []
            if tested
            else [Contradiction("build", "build.ran: true", "nothing was built in this session")]
        )
    last = next(
        (run for run in reversed(runs) if run.outcome in {Outcome.PASSED, Outcome.FAILED}), None
    )
    if claimed.results == "pass" and last is not None and last.outcome is Outcome.FAILED:
        return [_by_run("build", "build.results: pass", last)]
    return []


def _pull_request(assessment: Assessment, ledger: Ledger) -> list[Contradiction]:
    claimed = assessment.pr
    made = [pr for pr in ledger.pull_requests if pr.outcome is Outcome.PASSED]
    known = [pr.url for pr in made if pr.url]
    found = []
    if claimed.created and not made and not known:
        tried = ledger.pull_requests[-1] if ledger.pull_requests else None
        shows = (
            f"the one that was tried came to nothing: {shortened(tried.quote, 120)}"
            if tried
            else "none was created in this session"
        )
        found.append(
            Contradiction(
                "pr",
                "pr.created: true",
                shows,
                tried.line if tried else None,
                tried.file if tried else None,
            )
        )
    if (
        claimed.url.startswith("http")
        and known
        and not any(_same_pr(claimed.url, url) for url in known)
    ):
        found.append(
            Contradiction(
                "pr", f"pr.url: {shortened(claimed.url, 120)}", f"the session shows {known[-1]}"
            )
        )
    return found


def _same_pr(one: str, other: str) -> bool:
    return one.rstrip("/").lower().removesuffix(".git") == other.rstrip("/").lower()


def _ci(assessment: Assessment, ledger: Ledger) -> list[Contradiction]:
    claimed = assessment.pr
    last = ledger.ci_looks[-1] if ledger.ci_looks else None
    if last is None:
        wrong = claimed.checked or claimed.ci_status == "pass"
        claim = "pr.ci_status: pass" if claimed.ci_status == "pass" else "pr.checked: true"
        return [Contradiction("ci", claim, "nobody looked at CI in this session")] if wrong else []
    if claimed.ci_status == "pass" and last.outcome in {"failed", "pending"}:
        shows = f"CI was {last.outcome} when it was looked at last: {shortened(last.quote, 120)}"
        return [Contradiction("ci", "pr.ci_status: pass", shows, last.line, last.file)]
    return []


def _status(assessment: Assessment, judgement: Judgement) -> list[Contradiction]:
    """`complete`, over a check that is called for and disproven."""
    if assessment.status != "complete":
        return []
    return [_called_complete(finding) for finding in pressing(judgement)]


def _called_complete(finding: Finding) -> Contradiction:
    seen = finding.evidence[-1] if finding.evidence else None
    shows = finding.reason + (f" (“{shortened(seen.quote, 120)}”)" if seen else "")
    place = (seen.line, seen.file) if seen else (None, None)
    return Contradiction(finding.gate, "status: complete", shows, *place)


# ------------------------------------------------------------------ what gates have settled


def pressing(judgement: Judgement) -> list[Finding]:
    """The disproven checks that bear on this stop; no opinion overrides them."""
    return [
        f
        for f in judgement.findings
        if f.state is State.DISPROVEN and f.mode is Mode.BLOCK and not f.silent
    ]


_ABOUT = {
    "tests": re.compile(r"(?i)\b(?:(?:re-?)?run|execute|verify with|pass)\b.{0,40}\b(?:tests?|test suite|specs|pytest|jest|vitest)\b|\b(?:npm|yarn|pnpm|bun|go|cargo) (?:run )?test\b|^\W*pytest\b"),
    "build": re.compile(r"(?i)\b(?:(?:re-?)?run|execute|verify)\b.{0,30}\bbuild\b|\b(?:npm|yarn|pnpm|bun) run build\b|\bcargo build\b"),
    "pr": re.compile(r"(?i)\b(?:open|create|submit|raise|make)\b.{0,30}\b(?:pull request|merge request|prs?|mrs?)\b|\bgh pr create\b|\bprovide\b.{0,20}\bpr (?:link|url)\b"),
    "ci": re.compile(r"(?i)\b(?:verify|check|confirm|watch|wait for)\b.{0,30}\b(?:ci|checks|pipeline|workflow run)\b|\bgh pr checks\b"),
    "direct_push": re.compile(r"(?i)\bpush\b.{0,40}\b(?:branch|remote|origin|changes|commits?)\b|\bgit push\b"),
}  # fmt: skip


def struck_out(item: str, judgement: Judgement) -> str:
    """
    Why an item that a model calls open is not: the ledger has it, nobody called for it, or the person waived it. "" where
    it stands.
    """
    for gate, about in _ABOUT.items():
        if about.search(item):
            return _why_not(gate, judgement)
    return ""


def _why_not(gate: str, judgement: Judgement) -> str:
    mine = [
        finding
        for finding in judgement.findings
        if finding.gate == ("pr" if gate == "direct_push" else gate)
    ]
    if not mine or any(f.state in {State.DISPROVEN, State.UNKNOWN} and not f.silent for f in mine):
        return ""
    if gate == "tests" and all(f.state is State.NOT_APPLICABLE for f in mine):
        # Nothing is known of tests here: a model that has seen the work may know better.
        return "" if judgement.task.type == "coding" else mine[0].reason
    return f"{mine[0].gate}: {mine[0].state.value}, {mine[0].reason}"


def _by_run(gate: str, claim: str, run: Run) -> Contradiction:
    shows = f"`{shortened(run.command, 100)}` {run.outcome.value}: {shortened(run.quote or run.why, 160)}"
    return Contradiction(gate, claim, shows, run.result_line or run.line, run.file)
