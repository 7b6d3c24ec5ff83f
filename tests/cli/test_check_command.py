"""`ace-reflect check`: the JSON contract, the page for people, folders, exit codes, bad input."""

import json
import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from syrupy.assertion import SnapshotAssertion

from ace_reflect.cli.main import main
from support.transcripts import TranscriptBuilder

CWD = "/home/dev/project"
PASSED = "===== 3 passed in 0.10s ====="
FAILED = "FAILED tests/test_a.py::test_b\n===== 2 failed, 10 passed in 0.10s ====="
Check = Callable[..., tuple[int, str, str]]


@pytest.fixture
def check(capsys: pytest.CaptureFixture[str]) -> Check:
    """Run the command as the entry point does: (exit code, stdout, stderr)."""

    def run(*arguments: str | Path) -> tuple[int, str, str]:
        capsys.readouterr()
        code = main(["check", *map(str, arguments)])
        return code, *capsys.readouterr()

    return run


def session(path: Path) -> TranscriptBuilder:
    """A test run, an edit, a failing run, a push, and an answer that claims too much."""
    made = TranscriptBuilder(path, cwd=CWD).prompt("Fix the parser").bash("pytest -q", PASSED)
    made.edit(f"{CWD}/src/a.py").edit(f"{CWD}/src/a.py", "b", "c")
    made.bash("cd app && pytest -q", FAILED, exit_code=1)
    made.bash("git push", "To github.com:acme/app.git\n   a1b2c3d..d4e5f6a  main -> main")
    return made.say("All tests pass.")


def good(path: Path) -> TranscriptBuilder:
    made = TranscriptBuilder(path, cwd=CWD).prompt("Fix it").edit(f"{CWD}/a.py")
    return made.bash("pytest -q", PASSED).say("Done.")


def test_the_json_contract(check: Check, tmp_path: Path) -> None:
    code, out, _ = check("--json", session(tmp_path / "s.jsonl").write())
    body: dict[str, Any] = json.loads(out)

    assert (code, body["schema"]) == (1, "ace-reflect/check/1")
    assert " ".join(body) == "schema session_id lines bad_lines task facts gates verdict"
    assert body["task"] == {"type": "coding", "prompt": "Fix the parser", "source": "edits"}
    assert list(body["facts"]) == [
        "edits", "tests", "tests_after_last_edit", "builds", "pushes", "pr", "ci", "todos_open", "interrupted",
        "plan_mode", "compactions", "subagents", "loops",
    ]  # fmt: skip
    path = f"{CWD}/src/a.py"
    assert body["facts"]["edits"][0] == {"line": 4, "path": path, "tool": "Edit", "kind": "code"}
    run = body["facts"]["tests"][1]
    assert run | {"why": ""} == {
        "line": 8, "result_line": 9, "by": "agent", "command": "cd app && pytest -q", "runner": "pytest", "outcome": "failed",
        "why": "", "status_visible": True, "counts": {"passed": 10, "failed": 2, "skipped": run["counts"]["skipped"]},
    }  # fmt: skip
    assert body["facts"]["tests_after_last_edit"] is True
    assert body["facts"]["pushes"] == [
        {"line": 10, "result_line": 11, "branch": "main", "to_default": True, "outcome": "passed"}
    ]
    assert body["facts"]["pr"] == {"created": False, "url": None, "line": None}
    assert body["facts"]["ci"] == {"checked": False, "outcome": "unknown"}
    tests = next(gate for gate in body["gates"] if gate["gate"] == "tests")
    assert {"gate", "state", "mode", "severity", "reason", "evidence", "settle"} <= set(tests)
    assert (tests["state"], tests["mode"], tests["severity"]) == ("disproven", "block", "HIGH")
    verdict = body["verdict"]
    assert {
        "complete", "decision", "end_state", "stop_kind", "severity", "missing", "next_actions", "requires_human_action", "feedback",
    } <= set(verdict)  # fmt: skip
    decided = [verdict[name] for name in ("complete", "decision", "end_state", "severity")]
    assert decided == [False, "block", "incomplete", "HIGH"]
    assert "All tests pass" in verdict["feedback"]


def test_the_page_for_people(check: Check, tmp_path: Path, snapshot: SnapshotAssertion) -> None:
    code, out, err = check(session(tmp_path / "s.jsonl").write())

    assert (code, err) == (1, "")
    assert out == snapshot
    assert max(map(len, out.splitlines())) <= 170


def test_every_stop_with_what_the_person_said_next(
    check: Check, tmp_path: Path, snapshot: SnapshotAssertion
) -> None:
    built = good(tmp_path / "s.jsonl").prompt("and b").edit(f"{CWD}/b.py").say("Done too.")
    path = built.prompt("it fails!").edit(f"{CWD}/b.py").write()

    code, out, _ = check("--every-stop", path)
    _, as_json, _ = check("--every-stop", "--json", path)
    stops = json.loads(as_json)["stops"]

    assert code == 1
    assert out == snapshot
    assert [stop["verdict"]["decision"] for stop in stops] == ["allow", "block", "allow"]
    assert [stop["said_next"] for stop in stops] == ["and b", "it fails!", None]
    assert [stop["in_mid_turn"] for stop in stops] == [False, False, True]


def test_no_secret_and_nothing_that_moves_the_cursor_reaches_the_screen(
    check: Check, tmp_path: Path
) -> None:
    secret = "sk-ant-" + "a1B2" * 12
    built = good(tmp_path / "s.jsonl").prompt(f"use \x1b[2J {secret}").edit(f"{CWD}/\x1b[31m.py")
    path = built.say("Done\x1b[0m.").write()

    assert secret not in check("--json", path)[1]
    for arguments in ((), ("--every-stop",)):
        page = check(*arguments, path)[1]
        assert secret not in page
        assert "\x1b" not in page


@pytest.mark.parametrize("width", ["", "60", "140"])
def test_the_page_is_as_wide_as_the_terminal(
    check: Check, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, width: str
) -> None:
    made = TranscriptBuilder(tmp_path / "s.jsonl", cwd=CWD).prompt("Fix all of the parser. " * 20)
    command = f"pytest -q {' '.join(f'tests/test_{n}.py' for n in range(30))}"
    made.edit(f"{CWD}/src/a.py").bash(command, FAILED, exit_code=1)
    made.bash("git push", "To github.com:acme/app.git\n   a1b2c3d..d4e5f6a  main -> main")
    made.say("All tests pass, the parser is fixed. " * 20).prompt("And now? " * 40).write()
    monkeypatch.setenv("COLUMNS", width)

    pages = [check(made.path)[1], check(made.path, "--every-stop")[1], check(tmp_path)[1]]

    assert max(len(line) for page in pages for line in page.splitlines()) <= int(width or 80)


def test_a_folder_gives_a_table_by_project_and_sums_up(
    check: Check, tmp_path: Path, snapshot: SnapshotAssertion
) -> None:
    session(tmp_path / "one.jsonl").write()
    good(tmp_path / "deep" / "two.jsonl").write()
    (tmp_path / "notes.txt").write_text("no transcript")
    (tmp_path / "bad.jsonl").write_text("nothing\n")

    code, out, err = check(tmp_path)
    body = json.loads(check("--json", tmp_path)[1])

    assert code == 1
    assert "bad.jsonl is no Claude Code transcript" in err
    assert out == snapshot
    assert body["schema"] == "ace-reflect/check-many/1"
    assert body["summary"] == {
        "transcripts": 3, "skipped": 1, "would_block": 1, "end_states": {"complete": 1, "incomplete": 1},
    }  # fmt: skip
    assert "no Claude Code transcript" in body["sessions"][-1]["error"]


@pytest.mark.parametrize(
    ("names", "code"), [(["good"], 0), (["good", "bad"], 0), (["bad"], 2), (["block", "bad"], 1)]
)
def test_a_folder_exits_with_1_if_any_would_be_blocked_and_with_2_if_none_can_be_judged(
    check: Check, tmp_path: Path, names: list[str], code: int
) -> None:
    for name in names:
        path = tmp_path / f"{name}.jsonl"
        (good if name == "good" else session)(path).write()
        if name == "bad":
            path.write_text("nothing\n")

    assert check(tmp_path)[0] == code


@pytest.mark.parametrize(("inside", "expected"), [("", "new"), ("old", "old"), ("none", "")])
def test_without_words_it_is_the_session_that_we_run_in_or_the_newest_here(
    check: Check, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, inside: str, expected: str
) -> None:
    (tmp_path / "my app").mkdir()
    monkeypatch.chdir(tmp_path / "my app")
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(tmp_path / "claude"))
    monkeypatch.setenv("CLAUDE_CODE_SESSION_ID", inside)
    folder = tmp_path / "claude" / "projects" / re.sub(r"[^A-Za-z0-9]", "-", os.getcwd())
    for age, name in enumerate(("new", "old")):
        path = TranscriptBuilder(folder / f"{name}.jsonl", session_id=name).prompt("hi").say("Hi.")
        os.utime(path.write(), (1e9 - age, 1e9 - age))

    code, out, _ = check("--json")

    if expected:
        assert (code, json.loads(out)["session_id"]) == (0, expected)
    else:
        assert (code, "no transcript" in json.loads(out)["error"]) == (2, True)


def test_broken_lines_are_counted_and_the_rest_is_judged(check: Check, tmp_path: Path) -> None:
    path = session(tmp_path / "s.jsonl").raw("broken {").raw('{"type": "user"').write()

    code, out, _ = check("--json", path)

    assert (code, json.loads(out)["bad_lines"]) == (1, 2)
    assert "2 of them damaged" in check(path)[1]


def test_the_page_tells_how_often_a_file_was_edited_and_what_was_no_work(
    check: Check, tmp_path: Path
) -> None:
    url = f"https://example.com/{'a/' * 60}"
    built = TranscriptBuilder(tmp_path / "s.jsonl", cwd=CWD).prompt(f"See {url} and fix it")
    built.edit(f"{CWD}/a.py", "# one\n", "# two\n").edit(f"{CWD}/a.py", "# two\n", "# three\n")
    built.edit(f"{CWD}/b.py", "# one\n", "# two\n").edit(f"{CWD}/b.py").say("Done.")

    page = check(built.write())[1]

    assert url in page, "what is to be copied is never broken"
    assert "a.py ×2\n                   comments" in page
    assert "b.py ×2" in page
    assert page.count("comments") == 1


def test_what_a_subagent_edited_is_told_apart_for_its_line_is_one_of_its_own_file(
    check: Check, tmp_path: Path
) -> None:
    built = TranscriptBuilder(tmp_path / "s.jsonl", cwd=CWD).prompt("Let an agent add a test")
    path = built.edit(f"{CWD}/a.py").agent("add a test", "Added.", agent_id="a1b2").write()
    agent = TranscriptBuilder(tmp_path / "a.jsonl", cwd=CWD, agent_id="a1b2").prompt("add a test")
    agent.edit(f"{CWD}/tests/test_a.py").say("Added.").write_subagent(path)

    lines = [" ".join(line.split()) for line in check(path)[1].splitlines()]

    assert any(line.endswith("edit tests/test_a.py (subagent)") for line in lines)
    assert any(line.endswith("edit a.py") for line in lines)
