"""A session written as steps becomes the transcript that the host would have written."""

import json
from pathlib import Path
from typing import Any

import pytest

from ace_reflect.errors import AceReflectError
from ace_reflect.evals.session import Session
from ace_reflect.evidence.facts import Ledger
from ace_reflect.evidence.ledger import read_ledger
from support.transcripts import TranscriptBuilder

CWD = "/home/dev/project"


def ledger(tmp_path: Path, steps: list[dict[str, Any]]) -> Ledger:
    path = tmp_path / "session.jsonl"
    path.write_text(Session(steps, cwd=CWD).text())
    return read_ledger(str(path))


def test_it_says_the_same_as_the_tests_own_builder(tmp_path: Path) -> None:
    """Two writers of one form: where they differ, the evals would not be of what the product meets."""
    red = "FAILED tests/test_a.py::test_b\n1 failed, 2 passed in 0.10s"
    steps = [
        {"user": "Fix the parser"},
        {"read": "src/app.py"},
        {"edit": "src/app.py"},
        {"bash": "pytest -q", "out": red, "exit": 1},
        {"write": "src/new.py"},
        {"todos": {"one": "completed", "two": "pending"}},
        {"bash": "pytest -q", "out": "3 passed in 0.10s"},
        {
            "bash": "git push origin main",
            "err": "To github.com:a/b.git\n   1f2e3d4..5a6b7c8  main -> main",
        },
        {"say": "Done."},
    ]
    built = TranscriptBuilder(tmp_path / "built.jsonl", cwd=CWD)
    built.prompt("Fix the parser").read(f"{CWD}/src/app.py").edit(f"{CWD}/src/app.py").bash(
        "pytest -q", red, exit_code=1
    )
    built.create(f"{CWD}/src/new.py").task_create("one").task_update(1, "completed").task_create(
        "two"
    )
    built.bash("pytest -q", "3 passed in 0.10s")
    built.bash(
        "git push origin main", stderr="To github.com:a/b.git\n   1f2e3d4..5a6b7c8  main -> main"
    ).say("Done.").write()

    mine, theirs = ledger(tmp_path, steps), read_ledger(str(tmp_path / "built.jsonl"))

    def facts(found: Ledger) -> Any:
        return (
            [(edit.path, edit.kind, edit.created) for edit in found.edits],
            [(run.command, run.outcome, run.why) for run in found.runs],
            [(push.branch, push.outcome) for push in found.pushes],
            [(todo.text, todo.status) for todo in found.todos],
            [
                (turn.prompt, turn.final_text, turn.tool_calls, turn.print_mode)
                for turn in found.turns
            ],
            found.bad_lines,
        )

    assert facts(mine) == facts(theirs)


STEPS: dict[str, dict[str, Any]] = {
    "user": {"user": "again", "mode": "plan"},
    "print": {"print": "and this"},
    "shell": {"shell": "ls", "out": "a"},
    "interrupt": {"interrupt": ""},
    "reject": {"reject": "no, use tabs"},
    "say": {"say": "So."},
    "think": {"think": "Hm."},
    "bash": {"bash": "sleep 1", "background": "b1"},
    "edit": {"edit": "a.py", "error": "String to replace not found in file."},
    "write": {"write": "/abs/b.py"},
    "read": {"read": "a.py"},
    "grep": {"grep": "x", "out": "a.py"},
    "glob": {"glob": "*.py"},
    "tool": {"tool": "WebFetch", "input": {"url": "https://example.org"}, "out": "text"},
    "todos": {"todos": {"one": "in_progress"}},
    "ask": {"ask": "Which?", "answer": "This"},
    "plan": {"plan": "1. do it"},
    "agent": {"agent": "look", "report": "looked", "session": [{"read": "c.py"}]},
    "compact": {"compact": "So far.", "trigger": "manual"},
    "notify": {"notify": "b1", "exit": 1},
    "api_error": {"api_error": ""},
    "feedback": {"feedback": "Tests never ran."},
}


@pytest.mark.parametrize("verb", Session.VERBS)
def test_every_step_is_a_line_that_the_reader_takes(verb: str, tmp_path: Path) -> None:
    before: list[dict[str, Any]] = [{"user": "Go"}, {"bash": "true", "refused": verb == "reject"}]

    found = ledger(tmp_path, [*before, STEPS[verb]])

    assert found.bad_lines == 0
    assert found.turns
    assert all(json.loads(line) for line in Session([*before, STEPS[verb]], cwd=CWD).lines)


def test_what_the_steps_say_is_what_is_read(tmp_path: Path) -> None:
    assert ledger(tmp_path, [{"print": "Go"}]).turns[-1].print_mode
    assert (
        ledger(tmp_path, [{"user": "Go"}, {"bash": "x", "pending": True}]).turns[-1].pending_calls
        == 1
    )
    assert ledger(tmp_path, [{"user": "Go"}, {"say": "I"}, {"interrupt": ""}]).turns[-1].interrupted
    assert ledger(tmp_path, [{"user": "Go"}, {"api_error": ""}]).turns[-1].api_error
    assert ledger(tmp_path, [{"user": "Go"}, {"compact": "s"}]).compactions
    assert (
        ledger(tmp_path, [{"user": "Go"}, {"bash": "pytest", "background": "b"}])
        .background[0]
        .running
    )
    refused = [{"user": "Go"}, {"bash": "rm -r x", "refused": True}, {"reject": "keep it"}]
    assert "keep it" in str(ledger(tmp_path, refused).turns[-1].limits)


@pytest.mark.parametrize(
    ("step", "said"),
    [
        ({"sya": "x"}, "did you mean `say`?"),
        ({}, "names none of"),
        ({"say": "x", "loud": True}, "step 1 (`say`): got an unexpected keyword argument 'loud'"),
    ],
)
def test_a_step_that_nobody_knows_is_named(step: dict[str, Any], said: str) -> None:
    with pytest.raises(AceReflectError) as caught:
        Session([step], cwd=CWD)

    assert said in str(caught.value)
