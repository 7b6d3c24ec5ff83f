"""`ace-reflect check`: the JSON contract, the page for people, folders, exit codes, bad input."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from syrupy.assertion import SnapshotAssertion

from ace_reflect.cli.main import group, main
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
    return (
        TranscriptBuilder(path, cwd=CWD)
        .prompt("Fix the parser")
        .bash("pytest -q", PASSED)
        .edit(f"{CWD}/src/a.py")
        .edit(f"{CWD}/src/a.py", "b", "c")
        .bash("cd app && pytest -q", FAILED, exit_code=1)
        .bash("git push", "To github.com:acme/app.git\n   a1b2c3d..d4e5f6a  main -> main")
        .say("All tests pass.")
    )


def good(path: Path) -> TranscriptBuilder:
    return (
        TranscriptBuilder(path, cwd=CWD)
        .prompt("Fix it")
        .edit(f"{CWD}/a.py")
        .bash("pytest -q", PASSED)
        .say("Done.")
    )


def test_the_json_contract(check: Check, tmp_path: Path) -> None:
    code, out, _ = check("--json", session(tmp_path / "s.jsonl").write())
    body: dict[str, Any] = json.loads(out)

    assert code == 1
    assert body["schema"] == "ace-reflect/check/1"
    assert list(body) == [
        "schema",
        "session_id",
        "lines",
        "bad_lines",
        "task",
        "facts",
        "gates",
        "verdict",
    ]
    assert body["task"] == {"type": "coding", "prompt": "Fix the parser", "source": "edits"}
    assert list(body["facts"]) == [
        "edits", "tests", "tests_after_last_edit", "builds", "pushes", "pr", "ci", "todos_open", "interrupted",
        "plan_mode", "compactions", "subagents", "loops",
    ]  # fmt: skip
    assert body["facts"]["edits"][0] == {
        "line": 4,
        "path": f"{CWD}/src/a.py",
        "tool": "Edit",
        "kind": "code",
    }
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
    assert (
        verdict["complete"],
        verdict["decision"],
        verdict["end_state"],
        verdict["severity"],
    ) == (
        False,
        "block",
        "incomplete",
        "HIGH",
    )
    assert "All tests pass" in verdict["feedback"]


def test_what_a_subagent_did_in_the_sessions_own_file_says_so(check: Check, tmp_path: Path) -> None:
    built = (
        TranscriptBuilder(tmp_path / "s.jsonl", cwd=CWD, version="2.1.40")
        .prompt("Fix it")
        .edit(f"{CWD}/a.py")
    )
    built.agent_progress(
        "Bash", {"command": "git push"}, "To x:o/r.git\n   a1b2c3d..d4e5f6a  topic -> topic"
    )
    built.sidechain().edit(f"{CWD}/b.py").sidechain(on=False).say("Done.")

    facts = json.loads(check("--json", built.write())[1])["facts"]

    assert [edit.get("by", "agent") for edit in facts["edits"]] == ["agent", "subagent"]
    assert [push.get("by", "agent") for push in facts["pushes"]] == ["subagent"]


@pytest.mark.parametrize(
    ("through", "used"),
    [
        (
            lambda t: t.enter_plan_mode().exit_plan_mode("1. Do it").edit("src/a.py").say("Done."),
            True,
        ),
        (lambda t: t.enter_plan_mode().say("Here is what I would do."), True),
        (lambda t: t.edit("src/a.py").say("I kept to the plan."), False),
    ],
)
def test_plan_mode_is_told_of_the_whole_session(
    check: Check,
    tmp_path: Path,
    through: "Callable[[TranscriptBuilder], TranscriptBuilder]",
    used: bool,
) -> None:
    built = through(TranscriptBuilder(tmp_path / "p.jsonl").prompt("Plan the move, then do it"))

    _, out, _ = check("--json", built.write())

    assert json.loads(out)["facts"]["plan_mode"] is used


def test_the_page_for_people(check: Check, tmp_path: Path, snapshot: SnapshotAssertion) -> None:
    code, out, err = check(session(tmp_path / "s.jsonl").write())

    assert (code, err) == (1, "")
    assert out == snapshot
    assert max(map(len, out.splitlines())) <= 170


def test_what_is_told_of_some_edits_only_is_not_told_of_all(check: Check, tmp_path: Path) -> None:
    built = TranscriptBuilder(tmp_path / "s.jsonl", cwd=CWD).prompt("Fix it")
    built.edit(f"{CWD}/a.py", "# one\n", "# two\n").edit(f"{CWD}/a.py", "# two\n", "# three\n").say(
        "Noted."
    )
    built.prompt("Now the parser").edit(f"{CWD}/b.py", "# one\n", "# two\n").edit(
        f"{CWD}/b.py"
    ).say("Done.")

    page = check(built.write())[1].split("Gates")[0]

    assert "a.py ×2\n                   comments" in page
    assert "b.py ×2" in page
    assert page.count("comments") == 1


def test_a_finished_session_exits_with_0(
    check: Check, tmp_path: Path, snapshot: SnapshotAssertion
) -> None:
    code, out, _ = check(good(tmp_path / "s.jsonl").write())

    assert code == 0
    assert out == snapshot


def test_every_stop_with_what_the_person_said_next(
    check: Check, tmp_path: Path, snapshot: SnapshotAssertion
) -> None:
    path = (
        good(tmp_path / "s.jsonl")
        .prompt("and b")
        .edit(f"{CWD}/b.py")
        .say("Done too.")
        .prompt("it fails!")
        .edit(f"{CWD}/b.py")
    ).write()

    code, out, _ = check("--every-stop", path)
    _, as_json, _ = check("--every-stop", "--json", path)
    stops = json.loads(as_json)["stops"]

    assert code == 1
    assert out == snapshot
    assert [stop["verdict"]["decision"] for stop in stops] == ["allow", "block", "allow"]
    assert [stop["next_words"] for stop in stops] == ["and b", "it fails!", ""]
    assert [stop["in_mid_turn"] for stop in stops] == [False, False, True]


def test_what_was_blocked_once_is_not_blocked_again_in_a_replay(
    check: Check, tmp_path: Path
) -> None:
    path = (
        good(tmp_path / "s.jsonl")
        .prompt("and b")
        .edit(f"{CWD}/b.py")
        .say("Done.")
        .prompt("commit")
        .bash("git commit -m b", "[main a1b2c3d] b")
        .say("Committed.")
    ).write()

    _, out, _ = check("--every-stop", "--json", path)

    assert [stop["verdict"]["decision"] for stop in json.loads(out)["stops"]] == [
        "allow",
        "block",
        "allow",
    ]


def test_a_folder_takes_all_transcripts_and_sums_up(
    check: Check, tmp_path: Path, snapshot: SnapshotAssertion
) -> None:
    session(tmp_path / "one.jsonl").write()
    good(tmp_path / "deep" / "two.jsonl").write()
    (tmp_path / "notes.txt").write_text("no transcript")

    code, out, err = check(tmp_path)
    _, as_json, _ = check("--json", tmp_path)
    body = json.loads(as_json)

    assert (code, err) == (1, "")
    assert out == snapshot
    assert body["schema"] == "ace-reflect/check-many/1"
    assert body["summary"] == {
        "transcripts": 2, "skipped": 0, "would_block": 1, "end_states": {"complete": 1, "incomplete": 1},
    }  # fmt: skip


def test_a_checkout_given_by_hand_is_used_wherever_it_is_now(check: Check, tmp_path: Path) -> None:
    project = tmp_path / "moved"
    (project / "tests").mkdir(parents=True)
    (project / "pyproject.toml").write_text("[tool.pytest.ini_options]\n")
    (project / "tests" / "test_a.py").write_text("def test_a(): pass\n")
    path = (
        TranscriptBuilder(tmp_path / "s.jsonl", cwd=CWD)
        .prompt("Fix it")
        .edit(f"{CWD}/a.py")
        .say("Done.")
        .write()
    )

    without, _, _ = check(path)
    with_it, out, _ = check("--json", "--project", project, path)

    assert (without, with_it) == (0, 1)
    assert "pytest" in json.loads(out)["verdict"]["next_actions"][0]


def test_a_checkout_given_by_a_link_is_the_sessions_own(check: Check, tmp_path: Path) -> None:
    project, link = tmp_path / "app", tmp_path / "link"
    project.mkdir()
    (project / "test_a.py").write_text("def test_a(): pass\n")
    (project / "pyproject.toml").write_text("[tool.pytest.ini_options]\n")
    link.symlink_to(project)
    built = (
        TranscriptBuilder(tmp_path / "s.jsonl", cwd=str(project))
        .prompt("Fix it")
        .edit(f"{project}/a.py")
    )
    path = built.say("Done.").write()

    assert [check("--project", place, path)[0] for place in (project, link)] == [1, 1]


# -- bad input


@pytest.mark.parametrize(
    "content", [b"", b"hello\n", b"[1, 2]\n", b"\x00\xff" * 100, b'{"a": 1}\n']
)
def test_a_file_that_is_no_transcript_is_a_clear_error(
    check: Check, tmp_path: Path, content: bytes
) -> None:
    path = tmp_path / "s.jsonl"
    path.write_bytes(content)

    code, out, err = check(path)
    json_code, as_json, _ = check("--json", path)

    assert (code, out, json_code) == (1, "", 1)
    assert "no Claude Code transcript" in err
    assert "no Claude Code transcript" in json.loads(as_json)["error"]


def test_a_path_that_is_not_there(check: Check, tmp_path: Path) -> None:
    code, out, err = check(tmp_path / "nowhere.jsonl")

    assert (code, out) == (1, "")
    assert "no such file" in err


def test_an_empty_folder(check: Check, tmp_path: Path) -> None:
    code, _, err = check(tmp_path)

    assert code == 1
    assert "no transcript" in err


def test_broken_lines_are_counted_and_the_rest_is_judged(check: Check, tmp_path: Path) -> None:
    path = session(tmp_path / "s.jsonl").raw("broken {").raw('{"type": "user"').write()

    code, out, _ = check("--json", path)
    _, page, _ = check(path)

    assert code == 1
    assert json.loads(out)["bad_lines"] == 2
    assert "2 of them damaged (lines 13, 14)" in page


def test_a_line_of_two_objects_is_damaged_and_nothing_says_that_it_was_skipped(
    check: Check, tmp_path: Path
) -> None:
    path = good(tmp_path / "s.jsonl").write()
    lines = path.read_text().splitlines()
    path.write_text("\n".join([*lines[:-2], lines[-2] + lines[-1]]) + "\n")

    _, whole, _ = check("--json", good(tmp_path / "t.jsonl").write())
    _, glued, _ = check("--json", path)
    _, page, _ = check(path)

    assert f"1 of them damaged (line {len(lines) - 1})" in page
    assert "skipped" not in page
    assert json.loads(glued)["verdict"] == json.loads(whole)["verdict"]


def test_one_bad_file_among_good_ones_is_skipped_and_said(check: Check, tmp_path: Path) -> None:
    good(tmp_path / "a.jsonl").write()
    (tmp_path / "b.jsonl").write_text("nothing\n")

    code, out, err = check(tmp_path)

    assert code == 0
    assert "1 skipped" in out
    assert "b.jsonl is no Claude Code transcript: no line of it is a session's" in err


def test_no_transcript_can_move_the_terminals_cursor(check: Check, tmp_path: Path) -> None:
    path = (
        TranscriptBuilder(tmp_path / "s.jsonl", cwd=CWD)
        .prompt("Fix \x1b[2J\x07 it")
        .edit(f"{CWD}/\x1b[31m.py")
        .say("Done\x1b[0m.")
        .write()
    )

    assert "\x1b" not in check(path)[1]


def test_no_secret_reaches_the_screen(check: Check, tmp_path: Path) -> None:
    secret = "sk-ant-" + "a1B2" * 12
    path = (
        good(tmp_path / "s.jsonl").prompt(f"use {secret}").edit(f"{CWD}/b.py").say("Done.").write()
    )

    assert secret not in check(path)[1]
    assert secret not in check("--json", path)[1]


def test_no_words_at_all_is_a_usage_error() -> None:
    from ace_reflect.cli.check import check as command

    result: Result = CliRunner().invoke(command, [])

    assert result.exit_code == 2


def test_an_empty_turn_and_a_session_without_a_prompt(check: Check, tmp_path: Path) -> None:
    path = TranscriptBuilder(tmp_path / "s.jsonl", cwd=CWD).say("Hello.").write()

    code, out, _ = check("--json", path)

    assert code == 0
    assert json.loads(out)["verdict"]["end_state"] == "not_applicable"


def test_this_session_is_found_by_the_hosts_variable(tmp_path, monkeypatch):
    folder = tmp_path / ".claude" / "projects" / "-home-me-app"
    folder.mkdir(parents=True)
    (folder / "abc.jsonl").write_bytes(
        (Path(__file__).parents[2] / "examples" / "session.jsonl").read_bytes()
    )
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("CLAUDE_CODE_SESSION_ID", "abc")
    found = CliRunner().invoke(group, ["check", "--this-session"], standalone_mode=False)
    monkeypatch.setenv("CLAUDE_CODE_SESSION_ID", "../abc")
    outside = CliRunner().invoke(group, ["check", "--this-session"], standalone_mode=False)
    nothing = CliRunner().invoke(group, ["check"])

    assert "python -m pytest -q" in found.output
    assert "no Claude Code session" in str(outside.exception)
    assert nothing.exit_code == 2


@pytest.mark.parametrize("width", [None, "60", "140"])
@pytest.mark.parametrize("arguments", [(), ("--every-stop",)])
def test_the_page_is_as_wide_as_the_terminal(
    check: Check,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    arguments: tuple[str, ...],
    width: str | None,
) -> None:
    made = TranscriptBuilder(tmp_path / "s.jsonl", cwd=CWD).prompt(
        "Fix the parser, and all that hangs on it. " * 20
    )
    made.edit(f"{CWD}/src/a.py").bash(
        f"pytest -q {' '.join(f'tests/test_{n}.py' for n in range(30))}", FAILED, exit_code=1
    )
    made.bash("git push", "To github.com:acme/app.git\n   a1b2c3d..d4e5f6a  main -> main")
    made.say("All tests pass, the parser is fixed, and I pushed it. " * 20).prompt(
        "And now? " * 40
    ).write()
    if width:
        monkeypatch.setenv("COLUMNS", width)

    _, out, _ = check(made.path, *arguments)
    _, table, _ = check(tmp_path)

    assert max(map(len, (out + table).splitlines())) <= int(width or 80)


def test_a_path_or_an_address_is_never_broken(check: Check, tmp_path: Path) -> None:
    url = f"https://example.com/{'a/' * 60}"
    made = (
        TranscriptBuilder(tmp_path / "s.jsonl", cwd=CWD)
        .prompt(f"See {url} and fix it")
        .edit(f"{CWD}/a.py")
        .say("Ok.")
    )

    assert url in check(made.write())[1]


def test_what_a_subagent_edited_is_told_apart_for_its_line_is_one_of_its_own_file(
    check: Check, tmp_path: Path
) -> None:
    path = (
        TranscriptBuilder(tmp_path / "s.jsonl", cwd=CWD)
        .prompt("Let an agent add a test")
        .edit(f"{CWD}/a.py")
        .agent("add a test", "Added.", agent_id="a1b2")
        .bash("pytest -q", PASSED)
        .say("Done.")
        .write()
    )
    agent = TranscriptBuilder(tmp_path / "a.jsonl", cwd=CWD, agent_id="a1b2")
    agent.prompt("add a test").edit(f"{CWD}/tests/test_a.py").say("Added.").write_subagent(path)

    lines = [" ".join(line.split()) for line in check(path)[1].splitlines()]

    assert any(line.endswith("edit tests/test_a.py (subagent)") for line in lines)
    assert any(line.endswith("edit a.py") for line in lines)
