"""A judgement as plain JSON: the stable contract of `check --json`, and the analysis part of the artifacts."""

from typing import Any

from ace_reflect.assess.when import task_type
from ace_reflect.evidence.facts import STATIC_KINDS, CommandKind, Done, Ledger, Outcome, Run
from ace_reflect.gates.answer import find_loops
from ace_reflect.gates.model import Finding, Judgement, Severity, Verdict
from ace_reflect.text import seen_from, shortened

Json = dict[str, Any]


def report(ledger: Ledger, judgement: Judgement, most: int | None = None) -> Json:
    """What `check --json` prints for a session; with `most`, only so many last facts of each kind, and how many are `left_out`."""
    shown, (task, source) = facts(ledger, most), task_type(ledger)
    over = shown.pop("left_out", {})
    return {
        "schema": "ace-reflect/check/1",
        **_picked(ledger, "session_id lines bad_lines"),
        "task": {"type": task, "prompt": ledger.now.prompt[:200], "source": source},
        "facts": shown,
        **({"left_out": over} if over else {}),
        "gates": [gate(finding) for finding in judgement.findings],
        "verdict": verdict(judgement.verdict),
    }


def facts(ledger: Ledger, most: int | None = None) -> Json:
    """What the session shows, each with its lines; `tests_after_last_edit`: None if no code was edited. With `most`, only so many
    last facts of each kind, and how many are `left_out`.
    """
    statics = [run for run in ledger.runs if run.kind in STATIC_KINDS]
    made = [pr for pr in ledger.pull_requests if pr.outcome is Outcome.PASSED and not pr.existing]
    pr = _picked(made[-1], "url line") if made else {"url": None, "line": None}
    looks = ledger.ci_looks[-1:]
    edits = [edit for edit in ledger.edits if not edit.trivial]
    code = [edit.sequence for edit in edits if edit.kind == "code" and edit.is_work]
    tests = [run for run in ledger.runs if run.kind is CommandKind.TEST]
    ran = [run.sequence for run in tests if run.executed]
    pushed, todos = [*ledger.pushes], [todo for todo in ledger.todos if todo.open]
    lists: dict[str, list[Any]] = {"edits": edits, "tests": tests, "builds": statics}
    lists |= {"pushes": pushed, "todos_open": todos}
    over = {name: len(rows) - most for name, rows in lists.items() if most and len(rows) > most}
    for rows in lists.values():
        del rows[: -most if most else 0]
    shown = "line result_line branch to_default outcome by file"
    return {
        "edits": [_picked(edit, "line path tool kind by file") for edit in edits],
        "tests": [_run(run) for run in tests],
        "tests_after_last_edit": max(ran, default=0) > code[-1] if code else None,
        "builds": [{**_run(run), "kind": run.kind.value} for run in statics],
        "pushes": [_picked(push, shown) for push in pushed],
        "pr": {"created": bool(made), **pr},
        "ci": {"checked": bool(looks), "outcome": looks[0].outcome if looks else "unknown"},
        "todos_open": [_picked(todo, "line text status") for todo in todos],
        "interrupted": ledger.now.interrupted,
        "plan_mode": ledger.planned,
        "compactions": len(ledger.compactions),
        "subagents": ledger.subagents,
        "loops": _picked(find_loops(ledger), "planning action"),
        **({"left_out": over} if over else {}),
    }


def timeline(ledger: Ledger) -> list[Json]:
    """Edits, runs, commits, pushes, pull requests and looks at CI in their order; edits of one file in a row are one."""
    found: list[tuple[Done, str, str, str]] = []
    for edit in ledger.edits:
        why_none = edit.trivial or ("undone" if edit.undone else "scratch" if edit.scratch else "")
        found.append((edit, "edit", seen_from(ledger.cwd, edit.path), why_none))
    for run in ledger.runs:
        told = f"{run.outcome}: {shortened(run.quote or run.why)}"
        found.append((run, run.kind.replace("typecheck", "types"), run.command, told))
    found += [(one, "commit", "--no-verify" * one.no_verify, one.outcome) for one in ledger.commits]
    for push in ledger.pushes:
        where = (push.branch or push.tag or "") + " (default branch)" * push.to_default
        found.append((push, "push", where, push.outcome))
    found += [(one, "PR", one.url or one.command, one.outcome) for one in ledger.pull_requests]
    found += [(one, "CI", one.command, one.outcome) for one in ledger.ci_looks]
    found.sort(key=lambda row: (row[0].sequence, row[0].line))
    rows: list[Json] = []
    for fact, kind, what, outcome in found:
        by = "" if fact.by == "agent" else f" ({fact.by})"  # a subagent's line is in its own file
        row: Json = {"kind": kind, "what": what + by, "outcome": outcome, "times": 1}
        row |= _picked(fact, "line at command")
        last = rows[-1] if rows else row
        if rows and kind == last["kind"] == "edit" and row["what"] == last["what"]:
            last["times"] += 1
            last["outcome"] = outcome if outcome == last["outcome"] else ""
        else:
            rows.append(row)
    return rows


def _picked(fact: Any, names: str) -> Json:
    """Some fields of a record; `by` and `file` only where it was not the agent in the session's own file."""
    fields = {name: getattr(fact, name) for name in names.split()}
    usual = {("by", "agent"), ("file", None)}
    return {n: getattr(v, "value", v) for n, v in fields.items() if (n, v) not in usual}


def _run(run: Run) -> Json:
    named = _picked(run, "line result_line command runner outcome why status_visible file")
    counts = run.counts and _picked(run.counts, "passed failed skipped")
    return {**named, "by": run.by, "counts": counts}


def gate(finding: Finding) -> Json:
    """One gate's answer."""
    optional = _picked(finding, "scope silent")
    return {
        **_picked(finding, "gate state mode reason settle"),
        "severity": finding.severity.name,
        "evidence": [_picked(item, "line quote file") for item in finding.evidence],
        **{name: value for name, value in optional.items() if value},
    }


def verdict(given: Verdict) -> Json:
    """What was decided, in the words of the JSON form."""
    optional = {"why": shortened(given.why_silent, 200), "system_message": given.system_message}
    return {
        **_picked(given, "decision end_state stop_kind requires_human_action feedback"),
        "complete": given.complete and given.severity is not Severity.BLOCKER,
        "severity": given.severity.name,
        "missing": list(given.missing),
        "next_actions": list(given.next_actions),
        **{name: value for name, value in optional.items() if value},
    }
