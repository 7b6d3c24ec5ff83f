"""`ace-reflect check`: the JSON contract, the page for people, folders, exit codes, bad input."""

import json
import os
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from ace_reflect.cli.main import main
from support.transcripts import TranscriptBuilder

CWD = "/home/dev/project"
PASSED = "===== 3 passed in 0.10s ====="
FAILED = "FAILED tests/test_a.py::test_b\n===== 2 failed, 10 passed in 0.10s ====="
SECRET = "sk-ant-" + "a1B2" * 12
URL = f"https://example.com/{'a/' * 60}"
Check = Callable[..., tuple[int, str, str]]


@pytest.fixture
def check(capsys: pytest.CaptureFixture[str]) -> Check:
    """Run the command as the entry point does: (exit code, stdout, stderr)."""

    return lambda *words: (main(["check", *map(str, words)]), *capsys.readouterr())


def session(path: Path, prompt: str = "Fix the parser") -> TranscriptBuilder:
    """A test run, edits of several kinds, a failing run, a push, and an answer that claims too much."""
    made = TranscriptBuilder(path, cwd=CWD).prompt(prompt).bash("pytest -q", PASSED)
    made.edit(f"{CWD}/src/b.py", "# one\n", "# two\n")
    made.edit(f"{CWD}/src/a.py").edit(f"{CWD}/src/a.py", "b", "c")
    made.bash("cd app && pytest -q", FAILED, exit_code=1)
    made.bash("git push", "To github.com:acme/app.git\n   a1b2c3d..d4e5f6a  main -> main")
    return made.say("All tests pass.")


def good(path: Path) -> TranscriptBuilder:
    made = TranscriptBuilder(path, cwd=CWD).prompt("Fix it").edit(f"{CWD}/a.py")
    return made.bash("pytest -q", PASSED).say("Done.")


def test_the_page_for_people_and_the_json_contract(check, tmp_path, snapshot):
    made = session(tmp_path / "s.jsonl", f"Fix the parser {SECRET} as in {URL}")
    made.agent("add a test", "Added.", agent_id="a1b2").say("All tests pass.")
    path = made.raw("broken {").raw('{"type": "user"').write()
    agent = TranscriptBuilder(tmp_path / "a.jsonl", cwd=CWD, agent_id="a1b2").prompt("add a test")
    agent.edit(f"{CWD}/tests/test_a.py").say("Added.").write_subagent(path)

    page, body = check(path), check("--json", path)

    assert (page[0], page[2], body[0]) == (1, "", 1)
    assert page[1] == snapshot(name="page")
    assert body[1] == snapshot(name="json")


def test_every_stop_with_what_the_person_said_next(check, tmp_path, snapshot):
    built = good(tmp_path / "s.jsonl").prompt("and b").edit(f"{CWD}/b.py").say("Done too.")
    path = built.prompt(f"it fails! {SECRET}").edit(f"{CWD}/b.py").write()

    code, out, _ = check("--every-stop", path)
    stops = json.loads(check("--every-stop", "--json", path)[1])["stops"]

    assert code == 1
    assert out == snapshot
    said_next = [(stop["said_next"] or "").partition(" [")[0] for stop in stops]
    assert said_next == ["and b", "it fails!", ""]
    assert [stop["in_mid_turn"] for stop in stops] == [False, False, True]


@pytest.mark.parametrize("width", ["", "60", "140"])
def test_the_page_is_as_wide_as_the_terminal(check, tmp_path, monkeypatch, width):
    made = TranscriptBuilder(tmp_path / "s.jsonl", cwd=CWD).prompt("Fix all of the parser. " * 20)
    command = f"pytest -q {' '.join(f'tests/test_{n}.py' for n in range(30))}"
    made.edit(f"{CWD}/src/a.py").bash(command, FAILED, exit_code=1)
    made.bash("git push", "To github.com:acme/app.git\n   a1b2c3d..d4e5f6a  main -> main")
    made.say("All tests pass, the parser is fixed. " * 20).prompt("And now? " * 40).write()
    monkeypatch.setenv("COLUMNS", width)

    pages = [check(made.path)[1], check(made.path, "--every-stop")[1], check(tmp_path)[1]]

    assert max(len(line) for page in pages for line in page.splitlines()) <= int(width or 80)


def test_a_folder_gives_a_table_by_project_and_sums_up(check, tmp_path, snapshot):
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
    ends = {"complete": 1, "incomplete": 1}
    counts = {"transcripts": 3, "skipped": 1, "would_block": 1}
    assert body["summary"] == {**counts, "end_states": ends}
    assert "no Claude Code transcript" in body["sessions"][-1]["error"]
    TranscriptBuilder(tmp_path / "5e55105e-0000.jsonl", cwd="/a").prompt("Hi").say("Hi.").write()
    assert "5e55105e-0000" not in check(tmp_path)[1]
    assert "5e55105e-0000" in check("--ids", tmp_path)[1].partition("/home/dev/project")[0]


def test_a_key_that_a_column_breaks_is_taken_out_whole(check, tmp_path):
    TranscriptBuilder(tmp_path / "s.jsonl").prompt(f"Fix the parser {SECRET}").say("Hi.").write()
    _, out, _ = check(tmp_path)
    assert "REDACTED" in out
    assert "a1B2" not in out


@pytest.mark.parametrize(
    ("names", "code"), [("good", 0), ("good bad", 0), ("bad", 2), ("block bad", 1)]
)
def test_a_folder_exits_with_1_if_any_is_blocked_2_if_none_is_judged(check, tmp_path, names, code):
    for name in names.split():
        path = tmp_path / f"{name}.jsonl"
        (good if name == "good" else session)(path).write()
        if name == "bad":
            path.write_text("nothing\n")

    assert check(tmp_path)[0] == code


@pytest.mark.parametrize(("inside", "expected"), [("", "new"), ("old", "old"), ("none", "")])
def test_without_words_it_is_ones_own_or_the_newest(check, tmp_path, monkeypatch, inside, expected):
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
        assert check("--json", expected[:2])[1] == out, "by the beginning of its id"
    else:
        assert (code, "no transcript" in json.loads(out)["error"]) == (2, True)
