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

    assert list(given) == [
        "schema",
        "session_id",
        "lines",
        "bad_lines",
        "task",
        "facts",
        "gates",
        "verdict",
    ]
    assert given["schema"] == "ace-reflect/check/1"
    assert given["task"] == {
        "type": "coding",
        "prompt": "Fix the parser and open a PR",
        "source": "edits",
    }
    facts = given["facts"]
    assert facts["edits"] == [
        {"line": 2, "path": f"{ROOT}/src/app.py", "tool": "Edit", "kind": "code"},
        {
            "line": 3,
            "path": f"{ROOT}/docs/a.md",
            "tool": "Edit",
            "kind": "docs",
            "by": "subagent",
            "file": "agent-1.jsonl",
        },
    ]
    assert facts["tests"] == [
        {
            "line": 4,
            "result_line": 5,
            "by": "agent",
            "command": "cd app && pytest -q",
            "runner": "cd",
            "outcome": "failed",
            "why": "1 failed, 2 passed",
            "status_visible": True,
            "counts": {"passed": 2, "failed": 1, "skipped": None},
        }
    ]
    assert facts["builds"][0]["kind"] == "build"
    assert facts["pushes"] == [
        {"line": 6, "result_line": None, "branch": "main", "to_default": True, "outcome": "passed"}
    ]
    assert facts["tests_after_last_edit"] is True
    assert facts["pr"] == {"created": True, "url": "https://x/pull/1", "line": 7}
    assert facts["ci"] == {"checked": True, "outcome": "passed"}
    assert facts["todos_open"] == [{"line": 10, "text": "Write docs", "status": "pending"}]
    assert facts["loops"] == {"planning": False, "action": False}
    assert (facts["interrupted"], facts["plan_mode"]) == (False, False)
    assert (facts["compactions"], facts["subagents"]) == (0, 0)
    assert json.loads(json.dumps(given)) == given


def test_a_gate_and_a_verdict() -> None:
    judgement = Work().run("pytest -q").edit().say("Done.").judge(checkout())
    tests = gate(judgement.findings[0])
    given = verdict(judgement.verdict)

    assert tests == {
        "gate": "tests",
        "state": "disproven",
        "mode": "block",
        "severity": "HIGH",
        "reason": "the tests have not been run since the last edit",
        "evidence": [
            {"line": 3, "quote": f"edited {ROOT}/src/app.py"},
            {"line": 3, "quote": "pytest -q → 3 passed"},
        ],
        "settle": "pytest",
    }
    assert given == {
        "complete": False,
        "decision": "block",
        "end_state": "incomplete",
        "stop_kind": "complete",
        "severity": "HIGH",
        "missing": ["the tests have not been run since the last edit"],
        "next_actions": ["pytest"],
        "requires_human_action": False,
        "feedback": judgement.verdict.feedback,
    }


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
