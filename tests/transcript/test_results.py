"""Tool results: how a call went, in the form of every host."""

from pathlib import Path

import pytest

from ace_reflect.transcript.records import Prompt, ToolResult
from support.transcripts import TranscriptBuilder


def result(builder: TranscriptBuilder, **options: bool) -> ToolResult:
    return [r for r in builder.records(**options) if isinstance(r, ToolResult)][-1]


def test_a_success_has_no_exit_code(session: TranscriptBuilder) -> None:
    found = result(session.bash("pytest -q", "3 passed"))
    assert (found.text, found.is_error, found.exit_code) == ("3 passed", False, None)
    assert found.stdout is None


def test_a_failure_has_its_exit_code_where_the_host_gave_one(session: TranscriptBuilder) -> None:
    found = result(session.bash("pytest -q", "2 failed", exit_code=2))
    old = session.version == "1.0.51"
    assert (found.is_error, found.exit_code) == (True, None if old else 2)
    assert found.text == ("2 failed" if old else "Exit code 2\n2 failed")
    assert (found.not_run, found.denied) == (False, False)
    late = result(session.bash("pytest", "collecting", timed_out=True))
    assert (late.is_error, late.timed_out) == (True, True)


def test_a_harmless_non_zero_is_a_success_with_its_reading(newest: TranscriptBuilder) -> None:
    found = result(newest.bash("grep x", "", exit_code=1, interpretation="No matches found"))
    assert not found.is_error
    assert (found.details or {})["returnCodeInterpretation"] == "No matches found"


def test_a_persisted_output_comes_with_its_longer_copy(newest: TranscriptBuilder) -> None:
    output = "\n".join(f"line {n}" for n in range(9_000)) + "\n3 passed"
    found = result(newest.bash("pytest", output, persisted=True))
    assert found.truncated
    assert found.text.startswith("<persisted-output>")
    assert found.stdout == output[:30_000]
    for beside, longer in ((output, output), ("x", None)):  # the host names no file
        newest.call("Bash", {"command": "pytest"}).result(found.text, answer={"stdout": beside})
        again = result(newest)
        assert (again.truncated, again.stdout) == (True, longer)


@pytest.mark.parametrize(("tool", "text", "task"), [
    ("Bash", "Command running in background with ID: b42. Output is in /tmp/b42.output", "b42"),
    ("Bash", "Command was manually backgrounded by user with ID: b42", "b42"),
    ("PowerShell", "Command running in background with ID: b42", "b42"),
    ("Bash", "Created a user in the background with ID: 7", None),
])  # fmt: skip
@pytest.mark.parametrize("answer", ["", "in words"])  # newer hosts tell the id there
def test_a_command_in_the_background_has_its_id(newest, tool, text, task, answer) -> None:
    found = result(newest.call(tool, {"command": "npm test"}).result(text, answer=answer))
    assert found.background_id == task


def test_an_edit_keeps_its_patch_and_not_the_file(session: TranscriptBuilder) -> None:
    original = "def test_a():\n    assert 'x, \"structuredPatch\": [] {' \\\n\n" * 200
    found = result(session.edit("/p/a.py", "assert x\n", "pass\n", original=original))
    assert found.patch == (("-assert x", "+pass"),)
    assert found.details == {"filePath": "/p/a.py", "userModified": False, "replaceAll": False}


def test_a_written_file_keeps_its_kind_and_path(session: TranscriptBuilder) -> None:
    text = "x = '\"structuredPatch\":'\n" * 900
    found = result(session.create("/p/a.py", text, overwrite=True))
    assert found.details == {"type": "update", "filePath": "/p/a.py", "userModified": False}
    assert found.patch


def test_a_failed_edit_never_ran(newest: TranscriptBuilder) -> None:
    found = result(newest.edit("/a.py", error="String to replace not found in file.\nString: x"))
    assert (found.is_error, found.not_run, found.denied) == (True, True, False)


@pytest.mark.parametrize(("denied", "not_run", "text"), [
    (False, True, "Sibling tool call errored"), (False, True, "Cancelled"),
    (False, True, "<tool_use_error>Error: No such tool available: X</tool_use_error>"),
    (True, True, "Claude requested permissions to write to /p/a.py, but you haven't granted it yet."),
    (True, True, "Permission to use Bash with command pytest has been denied."),
    (True, True, "This command requires approval"), (True, True, "PreToolUse:Bash hook error: [guard]: not here"),
    (True, True, "[Request interrupted by user for tool use]"),
    (False, False, "Exit code 1\nlint: server unavailable\nlint: cannot determine the safety of eval()"),
])  # fmt: skip
def test_a_call_that_never_started_or_was_refused_says_so(newest, denied, not_run, text) -> None:
    found = result(newest.call("Bash", {"command": "pytest"}).result(text, is_error=True))
    assert (found.denied, found.not_run, found.user_words) == (denied, not_run, "")


def test_a_call_that_auto_mode_could_not_judge_says_so(newest: TranscriptBuilder) -> None:
    text = "claude-opus-4-8[1m] is temporarily unavailable, so auto mode cannot determine the safety of Bash right now."
    newest.call("Bash", {"command": "pytest"})
    found = result(newest.result(text, is_error=True, toolDenialKind="automode-unavailable"))
    assert (found.denied, found.not_run) == (True, True)


def test_a_refusal_comes_with_the_persons_words(session: TranscriptBuilder) -> None:
    """A declined question quotes the agent, and no person."""
    form = 'The user wants to clarify these questions.\n\n    Questions asked:\n- "Skip the tests?"'
    for said, words in (("", ""), ("let's cut a branch first",) * 2, (form, "")):
        found = result(session.call("Edit", {"file_path": "/a"}).reject(said))
        assert (found.denied, found.not_run, found.user_words) == (True, True, words)


@pytest.mark.parametrize("tool", ["Bash", "Edit", "ExitPlanMode"])
def test_a_refusal_in_vs_code_is_the_persons_words_alone(tmp_path: Path, tool: str) -> None:
    builder = TranscriptBuilder(tmp_path / "s.jsonl", entrypoint="claude-vscode").call(tool, {})
    found = result(builder.reject("use pnpm", vscode=True))
    assert (found.denied, found.user_words) == (True, "use pnpm")
    assert not result(builder.bash("pytest", "1 failed", exit_code=1)).denied
    assert not result(builder.edit("/a", error="File has not been read yet.")).denied


def test_words_beside_a_result_are_the_persons(newest: TranscriptBuilder) -> None:
    newest.call("Bash", {"command": "gh pr list"})
    newest.result("[]", answer={"stdout": "[]"}, words="we are #169")
    found = [r for r in newest.records() if isinstance(r, Prompt)]
    assert [(r.text, r.queued) for r in found] == [("we are #169", True)]


def test_pictures_and_lists_are_read_as_text(newest: TranscriptBuilder) -> None:
    shot = {"type": "text", "text": "shot"}
    picture = {"type": "image", "source": {"type": "base64", "data": "iVBORw0KGgo" * 300_000}}
    newest.call("mcp__x__shot", {}).result([shot, picture], answer=[shot, picture])
    found = result(newest)
    assert (found.text, found.line) == ("shot\n", 2)
