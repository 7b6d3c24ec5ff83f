"""A session written as steps becomes the transcript that the host would have written."""

from pathlib import Path
from typing import Any

from ace_reflect.evals.session import Session
from ace_reflect.evidence.facts import Ledger
from ace_reflect.evidence.ledger import read_ledger
from support.transcripts import TranscriptBuilder

CWD = "/home/dev/project"


def ledger(tmp_path: Path, steps: list[dict[str, Any]]) -> Ledger:
    path = tmp_path / "session.jsonl"
    path.write_text("\n".join(Session(steps, CWD).lines))
    return read_ledger(str(path))


def test_it_says_the_same_as_the_tests_own_builder(tmp_path: Path) -> None:
    """Two writers of one form: where they differ, the evals would not be of what the product meets."""
    red = "FAILED tests/test_a.py::test_b\n1 failed, 2 passed in 0.10s"
    pushed = "To github.com:a/b.git\n   1f2e3d4..5a6b7c8  main -> main"
    steps = [
        {"user": "Fix the parser"}, {"read": "src/app.py"}, {"edit": "src/app.py"},
        {"bash": "pytest -q", "out": red, "status": 1}, {"write": "src/new.py"},
        {"todos": {"one": "completed", "two": "pending"}}, {"bash": "pytest -q", "out": "3 passed in 0.10s"},
        {"bash": "git push origin main", "out": pushed}, {"say": "Done."},
    ]  # fmt: skip
    built = TranscriptBuilder(tmp_path / "built.jsonl", cwd=CWD)
    built.prompt("Fix the parser").read(f"{CWD}/src/app.py").edit(f"{CWD}/src/app.py")
    built.bash("pytest -q", red, exit_code=1).create(f"{CWD}/src/new.py")
    built.task_create("one").task_update(1, "completed").task_create("two")
    built.bash("pytest -q", "3 passed in 0.10s")
    built.bash("git push origin main", stderr=pushed).say("Done.").write()

    mine, theirs = ledger(tmp_path, steps), read_ledger(str(tmp_path / "built.jsonl"))

    def facts(found: Ledger) -> Any:
        turns = [(t.prompt, t.final_text, t.tool_calls, t.print_mode) for t in found.turns]
        edits = [(edit.path, edit.kind, edit.created) for edit in found.edits]
        runs = [(run.command, run.outcome, run.why) for run in found.runs]
        pushes = [(push.branch, push.outcome) for push in found.pushes]
        todos = [(todo.text, todo.status) for todo in found.todos]
        return turns, edits, runs, pushes, todos, found.bad_lines

    assert facts(mine) == facts(theirs)
