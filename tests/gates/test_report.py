"""`check --json`: the contract that other tools build on."""

import json

from ace_reflect.evidence.facts import Counts
from ace_reflect.gates import report as form
from ace_reflect.gates.report import gate, report, verdict
from support.work import ROOT, Work, checkout


def whole() -> Work:
    work = (
        Work("Fix the parser and open a PR")
        .edit()
        .edit("docs/a.md", by="subagent", file="agent-1.jsonl")
    )
    work.run("cd app && pytest -q", "failed", counts=Counts(passed=2, failed=1))
    work.run("npm run build", kind="build").push(branch="main", to_default=True).pr(
        url="https://x/pull/1"
    )
    return work.ci("passed").todo("Write docs").say("All tests pass.")


def test_the_whole_object() -> None:
    work = whole()
    given = report(work.ledger(), work.judge(checkout()))
    facts, task = given["facts"], given["task"]
    parts = ["schema", "session_id", "lines", "bad_lines", "task", "facts", "gates", "verdict"]

    assert list(given) == parts
    assert given["schema"] == "ace-reflect/check/1"
    assert list(task.values()) == ["coding", "Fix the parser and open a PR", "edits"]
    by = {"by": "subagent", "file": "agent-1.jsonl"}
    assert facts["edits"] == [
        {"line": 2, "path": f"{ROOT}/src/app.py", "tool": "Edit", "kind": "code"},
        {"line": 3, "path": f"{ROOT}/docs/a.md", "tool": "Edit", "kind": "docs", **by},
    ]
    assert facts["tests"] == [
        {"line": 4, "result_line": 5, "by": "agent", "command": "cd app && pytest -q", "runner": "cd",
         "outcome": "failed", "why": "1 failed, 2 passed", "status_visible": True,
         "counts": {"passed": 2, "failed": 1, "skipped": None}}
    ]  # fmt: skip
    assert facts["builds"][0]["kind"] == "build"
    assert facts["pushes"] == [
        {"line": 6, "result_line": None, "branch": "main", "to_default": True, "outcome": "passed"}
    ]
    assert facts["tests_after_last_edit"] is True
    assert facts["pr"] == {"created": True, "url": "https://x/pull/1", "line": 7}
    assert facts["ci"] == {"checked": True, "outcome": "passed"}
    assert facts["todos_open"] == [{"line": 10, "text": "Write docs", "status": "pending"}]
    assert facts["loops"] == {"planning": False, "action": False}
    assert [facts[name] for name in ("interrupted", "plan_mode")] == [False, False]
    assert [facts[name] for name in ("compactions", "subagents")] == [0, 0]
    assert json.loads(json.dumps(given)) == given


def test_a_gate_and_a_verdict() -> None:
    judgement = Work().run("pytest -q").edit().say("Done.").judge(checkout())
    why = "the tests have not been run since the last edit"
    shown = [
        {"line": 3, "quote": f"edited {ROOT}/src/app.py"},
        {"line": 3, "quote": "pytest -q → 3 passed"},
    ]

    assert gate(judgement.findings[0]) == {
        "gate": "tests", "state": "disproven", "mode": "block", "severity": "HIGH",
        "reason": why, "evidence": shown, "settle": "pytest",
    }  # fmt: skip
    assert verdict(judgement.verdict) == {
        "complete": False, "decision": "block", "end_state": "incomplete", "stop_kind": "complete",
        "severity": "HIGH", "missing": [why], "next_actions": ["pytest"],
        "requires_human_action": False, "feedback": judgement.verdict.feedback,
    }  # fmt: skip


def test_what_is_many_is_cut_to_the_last_ones_and_counted() -> None:
    work = Work().edit("src/a.py").edit("src/b.py").edit("src/c.py").say("Done.")
    given = report(work.ledger(), work.judge(checkout()), most=1)

    assert [edit["path"] for edit in given["facts"]["edits"]] == [f"{ROOT}/src/c.py"]
    assert given["left_out"] == {"edits": 2}


def test_whether_a_run_came_after_the_last_edit_of_code() -> None:
    assert form.tests_after_last_edit(Work().edit("README.md").ledger()) is None
    assert form.tests_after_last_edit(Work().run().edit().ledger()) is False
    assert form.tests_after_last_edit(Work().edit().run("pytest", "unknown").ledger()) is True
    assert form.tests_after_last_edit(Work().edit().run("pytest", "not-run").ledger()) is False
