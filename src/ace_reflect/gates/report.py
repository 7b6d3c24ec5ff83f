"""A judgement as plain JSON: the stable contract of `check --json`, and the analysis part of the artifacts."""

from ace_reflect.evidence.facts import STATIC_KINDS, CommandKind, Outcome
from ace_reflect.gates import prose
from ace_reflect.gates.debt import follows
from ace_reflect.gates.loops import find_loops
from ace_reflect.gates.model import Severity

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from ace_reflect.evidence.facts import Edit, Ledger, Run
    from ace_reflect.gates.model import Finding, Judgement, Verdict

    Json = dict[str, Any]

SCHEMA = "ace-reflect/check/1"
MAX_PROMPT = 200


def report(ledger: "Ledger", judgement: "Judgement", most: int | None = None) -> "Json":
    """
    The whole object that `check --json` prints for one session. With `most`, only so many of each kind of fact, the last
    ones, and under `left_out` how many there are besides.
    """
    task = judgement.task
    listed = _listed(ledger)
    left_out = {} if most is None else {name: len(those) - most for name, those in listed.items() if len(those) > most}
    if most is not None:
        listed = {name: those[-most:] for name, those in listed.items()}
    return {
        "schema": SCHEMA,
        "session_id": ledger.session_id,
        "lines": ledger.lines,
        "bad_lines": ledger.bad_lines,
        "task": {"type": task.type, "prompt": task.prompt[:MAX_PROMPT], "source": task.source},
        "facts": facts(ledger, judgement, listed),
        **({"left_out": left_out} if left_out else {}),
        "gates": [gate(finding) for finding in judgement.findings],
        "verdict": verdict(judgement.verdict),
    }


def _listed(ledger: "Ledger") -> "dict[str, Sequence[Any]]":
    return {
        "edits": ledger.edits,
        "tests": [run for run in ledger.runs if run.kind is CommandKind.TEST],
        "builds": [run for run in ledger.runs if run.kind in STATIC_KINDS],
        "pushes": ledger.pushes,
        "todos_open": [todo for todo in ledger.todos if todo.open],
    }


def facts(ledger: "Ledger", judgement: "Judgement", listed: "Mapping[str, Sequence[Any]] | None" = None) -> "Json":
    """What the session shows, each with its lines; of what it has many of, those that are `listed`."""
    listed = listed or _listed(ledger)
    turn = ledger.turns[-1] if ledger.turns else None
    loops = find_loops(ledger, turn, asks_for_change=judgement.task.asks_for_change) if turn is not None else None
    return {
        "edits": [_edit(edit) for edit in listed["edits"]],
        "tests": [_run(run) for run in listed["tests"]],
        "tests_after_last_edit": tests_after_last_edit(ledger),
        "builds": [{**_run(run), "kind": run.kind.value} for run in listed["builds"]],
        "pushes": [_push(push) for push in listed["pushes"]],
        "pr": _pr(ledger),
        "ci": _ci(ledger),
        "todos_open": [{"line": todo.line, "text": todo.text, "status": todo.status} for todo in listed["todos_open"]],
        "interrupted": bool(turn and turn.interrupted),
        "plan_mode": bool(ledger.plan_exits or (turn and (turn.plan_mode or ledger.plan_mode))),
        "compactions": len(ledger.compactions),
        "subagents": ledger.subagents,
        "loops": {"planning": bool(loops and loops.planning), "action": bool(loops and loops.action)},
    }


def tests_after_last_edit(ledger: "Ledger") -> bool | None:
    """Whether any run with an outcome came after the last edit of code; None where no code was edited."""
    edits = [edit for edit in ledger.edits if edit.kind in {"code", "test"} and not edit.formatter]
    if not edits:
        return None
    ran = (run for run in ledger.runs if run.kind is CommandKind.TEST and run.executed)
    return any(follows(run, edits[-1]) for run in ran)


def _file(fact: "Any") -> "Json":
    return {"file": fact.file} if fact.file else {}


def _whose(fact: "Any") -> "Json":
    """Who else did it, and where that stands: a subagent's lines may be in the session's own file."""
    return {**({} if fact.by == "agent" else {"by": fact.by}), **_file(fact)}


def _edit(edit: "Edit") -> "Json":
    return {"line": edit.line, "path": edit.path, "tool": edit.tool, "kind": edit.kind, **_whose(edit)}


def _run(run: "Run") -> "Json":
    counts = run.counts
    return {
        "line": run.line,
        "result_line": run.result_line,
        "by": run.by,
        "command": run.command,
        "runner": run.runner,
        "outcome": run.outcome.value,
        "why": run.why,
        "status_visible": run.status_visible,
        "counts": None
        if counts is None
        else {"passed": counts.passed, "failed": counts.failed, "skipped": counts.skipped},
        **_file(run),
    }


def _push(push: "Any") -> "Json":
    return {
        "line": push.line,
        "result_line": push.result_line,
        "branch": push.branch,
        "to_default": push.to_default,
        "outcome": push.outcome.value,
        **_whose(push),
    }


def _pr(ledger: "Ledger") -> "Json":
    made = [pr for pr in ledger.pull_requests if pr.outcome is Outcome.PASSED and not pr.existing]
    last = made[-1] if made else None
    return {"created": last is not None, "url": last.url if last else None, "line": last.line if last else None}


def _ci(ledger: "Ledger") -> "Json":
    last = ledger.ci_looks[-1] if ledger.ci_looks else None
    return {"checked": last is not None, "outcome": last.outcome if last else "unknown"}


def gate(finding: "Finding") -> "Json":
    """One gate's answer."""
    return {
        "gate": finding.gate,
        "state": finding.state.value,
        "mode": finding.mode.value,
        "severity": finding.severity.name,
        "reason": finding.reason,
        "evidence": [{"line": item.line, "quote": item.quote, **_file(item)} for item in finding.evidence],
        "settle": finding.settle,
        **({"waived_by": finding.waived_by} if finding.waived_by else {}),
        **({"scope": finding.scope} if finding.scope else {}),
        **({"silent": finding.silent} if finding.silent else {}),
    }


def verdict(given: "Verdict") -> "Json":
    """What was decided, in the words of the JSON form."""
    return {
        "complete": given.complete and given.severity is not Severity.BLOCKER,
        "decision": given.decision,
        "end_state": given.end_state.value,
        "stop_kind": given.stop_kind.value,
        "severity": given.severity.name,
        "missing": list(given.missing),
        "next_actions": list(given.next_actions),
        "requires_human_action": given.requires_human_action,
        "feedback": given.feedback,
        **({"why": prose.shortened(given.why_silent, 200)} if given.why_silent else {}),
        **({"system_message": given.system_message} if given.system_message else {}),
    }
