"""Tool results: how a call went, in the form of every host."""

from pathlib import Path

import pytest

from ace_reflect.transcript.records import Prompt, ToolResult
from support.transcripts import TranscriptBuilder


def result(builder: TranscriptBuilder, **options: bool) -> ToolResult:
    return [r for r in builder.records(**options) if isinstance(r, ToolResult)][-1]


@pytest.fixture(params=[False, True], ids=["quick", "whole"])
def whole(request: pytest.FixtureRequest) -> bool:
    """Both ways of reading; the quick one needs a line before, by which it knows the envelope."""
    return bool(request.param)


def test_a_success_has_no_exit_code(session: TranscriptBuilder, whole: bool) -> None:
    found = result(session.bash("true").bash("pytest -q", "3 passed"), whole=whole)
    assert (found.text, found.is_error, found.exit_code, found.stdout) == ("3 passed", False, None, None)


def test_a_failure_has_its_exit_code_where_the_host_gave_one(session: TranscriptBuilder, whole: bool) -> None:
    found = result(session.bash("true").bash("pytest -q", "2 failed", exit_code=2), whole=whole)
    old = session.version == "1.0.51"
    assert (found.is_error, found.exit_code) == (True, None if old else 2)
    assert found.text == ("2 failed" if old else "Exit code 2\n2 failed")
    assert not found.not_run
    assert not found.denied


def test_a_harmless_non_zero_is_a_success_with_its_reading(newest: TranscriptBuilder) -> None:
    found = result(newest.bash("grep x", "", exit_code=1, interpretation="No matches found"))
    assert (found.is_error, (found.details or {})["returnCodeInterpretation"]) == (False, "No matches found")


def test_a_timeout_is_one(session: TranscriptBuilder) -> None:
    found = result(session.bash("pytest", "collecting", timed_out=True))
    assert (found.is_error, found.timed_out) == (True, True)


def test_text_that_speaks_of_exit_codes_is_not_one(newest: TranscriptBuilder) -> None:
    found = result(newest.bash("cat log", "Exit code 1\nis what it said"))
    assert (found.is_error, found.exit_code) == (False, None)


def test_a_persisted_output_comes_with_its_longer_copy(newest: TranscriptBuilder, whole: bool) -> None:
    output = "\n".join(f"line {n}" for n in range(9_000)) + "\n3 passed"
    found = result(newest.bash("true").bash("pytest", output, persisted=True), whole=whole)
    assert found.truncated
    assert found.text.startswith("<persisted-output>")
    assert found.stdout == output[:30_000]


@pytest.mark.parametrize(("answer", "longer"), [({"stdout": "x\n" * 20_000}, True), ({"stdout": "x\nx"}, False)])
def test_a_persisted_output_has_its_copy_where_the_host_names_no_file(
    newest: TranscriptBuilder, answer: dict[str, str], longer: bool
) -> None:
    text = "<persisted-output>\nOutput too large (40KB).\n\nPreview (first 2KB):\nx\nx\n...\n</persisted-output>"
    beside = {"stderr": "", "interrupted": False, "isImage": False}
    found = result(newest.call("Bash", {"command": "pytest"}).result(text, answer=answer | beside))
    assert (found.truncated, bool(found.stdout)) == (True, longer)


def test_a_background_command_has_its_id(newest: TranscriptBuilder) -> None:
    assert result(newest.background("npm run dev", "b42")).background_id == "b42"


@pytest.mark.parametrize(
    ("tool", "text", "task"),
    [
        ("Bash", "Command running in background with ID: b42. Output is being written to: /tmp/b42.output", "b42"),
        ("Bash", "Command was manually backgrounded by user with ID: b42", "b42"),
        ("PowerShell", "Command running in background with ID: b42", "b42"),
        ("Bash", "Created a user in the background with ID: 7", None),
        ("Read", "Command running in background with ID: b42", None),
    ],
)
@pytest.mark.parametrize("answer", ["", "in words"])
def test_a_background_command_is_told_by_its_text_where_nothing_else_tells_it(
    newest: TranscriptBuilder, tool: str, text: str, task: str | None, answer: str
) -> None:
    found = result(newest.call(tool, {"command": "npm test"}).result(text, answer=answer))
    assert found.background_id == task


def test_an_edit_keeps_its_patch_and_not_the_file(session: TranscriptBuilder, whole: bool) -> None:
    original = "def test_a():\n    assert 'x, \"structuredPatch\": [] {' \\\n\n" * 200
    found = result(session.bash("true").edit("/p/a.py", "assert x\n", "pass\n", original=original), whole=whole)
    assert [hunk["lines"] for hunk in found.patch] == [["-assert x", "+pass"]]
    assert found.details == {"filePath": "/p/a.py", "userModified": False, "replaceAll": False}


def test_a_written_file_keeps_its_kind_and_path(session: TranscriptBuilder, whole: bool) -> None:
    found = result(
        session.bash("true").create("/p/a.py", "x = '\"structuredPatch\":'\n" * 900, overwrite=True), whole=whole
    )
    assert found.details == {"type": "update", "filePath": "/p/a.py", "userModified": False}
    assert found.patch


def test_several_edits_in_one_call(session: TranscriptBuilder, whole: bool) -> None:
    found = result(session.bash("true").multi_edit("/p/a.py", ("a", "b"), ("c", "d")), whole=whole)
    assert (found.details or {})["filePath"] == "/p/a.py"
    assert found.patch


def test_a_failed_edit_never_ran(session: TranscriptBuilder) -> None:
    found = result(session.edit("/a.py", error="String to replace not found in file.\nString: x"))
    assert (found.is_error, found.not_run, found.denied) == (True, True, False)


@pytest.mark.parametrize(
    "text",
    ["Sibling tool call errored", "Cancelled", "<tool_use_error>Error: No such tool available: X</tool_use_error>"],
)
def test_calls_that_never_started_say_so(newest: TranscriptBuilder, text: str) -> None:
    found = result(newest.call("Bash", {"command": "pytest"}).result(text, is_error=True))
    assert (found.not_run, found.denied) == (True, False)


@pytest.mark.parametrize(
    "text",
    [
        "Claude requested permissions to write to /p/a.py, but you haven't granted it yet.",
        "Permission to use Bash with command pytest has been denied.",
        "This command requires approval",
        "PreToolUse:Bash hook error: [guard]: not here",
        "[Request interrupted by user for tool use]",
        "claude-opus-4-8[1m] is temporarily unavailable, so auto mode cannot determine the safety of Bash right now. Wait.",
        "claude-haiku-5 is unavailable, so auto mode cannot determine the safety of Edit right now.",
    ],
)
def test_calls_that_a_rule_refused_say_so(newest: TranscriptBuilder, text: str) -> None:
    found = result(newest.call("Bash", {"command": "pytest"}).result(text, is_error=True))
    assert (found.denied, found.not_run, found.user_words) == (True, True, "")


def test_a_commands_own_words_on_safety_refuse_nothing(newest: TranscriptBuilder) -> None:
    said = "Exit code 1\nlint: server unavailable\nlint: cannot determine the safety of eval()"
    found = result(newest.call("Bash", {"command": "make lint"}).result(said, is_error=True))
    assert (found.denied, found.not_run) == (False, False)


def test_a_refusal_without_words(session: TranscriptBuilder) -> None:
    found = result(session.call("Edit", {"file_path": "/a"}).reject())
    assert (found.denied, found.not_run, found.user_words) == (True, True, "")


def test_a_refusal_with_the_persons_words(session: TranscriptBuilder) -> None:
    found = result(session.call("Edit", {"file_path": "/a"}).reject("let's cut a branch first"))
    assert (found.denied, found.user_words) == (True, "let's cut a branch first")


@pytest.mark.parametrize("tool", ["Bash", "Edit", "ExitPlanMode"])
def test_a_refusal_in_vs_code_is_the_persons_words_alone(tmp_path: Path, tool: str) -> None:
    builder = (
        TranscriptBuilder(tmp_path / "s.jsonl", entrypoint="claude-vscode")
        .call(tool, {})
        .reject("use pnpm", vscode=True)
    )
    found = result(builder)
    assert (found.denied, found.user_words) == (True, "use pnpm")


def test_a_failure_in_vs_code_is_not_taken_for_words(tmp_path: Path) -> None:
    builder = TranscriptBuilder(tmp_path / "s.jsonl", entrypoint="claude-vscode").bash(
        "pytest", "1 failed", exit_code=1
    )
    assert not result(builder).denied
    assert not result(builder.edit("/a", error="File has not been read yet.")).denied


def test_the_note_behind_a_refusal_is_not_the_persons(newest: TranscriptBuilder) -> None:
    words = "no, use pnpm\n\nNote: The user's next message may contain a correction or preference."
    assert result(newest.call("Bash", {}).reject(words)).user_words == "no, use pnpm"


def test_the_form_that_declines_a_question_is_not_the_persons_words(newest: TranscriptBuilder) -> None:
    form = (
        "The user wants to clarify these questions.\n    This means they may have additional information.\n\n"
        '    Questions asked:\n- "Which one?"\n  (No answer provided)\n- "Where?"\n  Answer: in src'
    )
    assert result(newest.call("AskUserQuestion", {}).reject(form)).user_words == "in src"


def test_words_beside_a_result_are_the_persons(newest: TranscriptBuilder, whole: bool) -> None:
    newest.bash("true").call("Bash", {"command": "gh pr list"}).result(
        "[]", answer={"stdout": "[]"}, words="we are #169"
    )
    found = [r for r in newest.records(whole=whole) if isinstance(r, Prompt)]
    assert [(r.text, r.queued) for r in found] == [("we are #169", True)]


def test_pictures_and_lists_are_read_as_text(newest: TranscriptBuilder) -> None:
    picture = {"type": "image", "source": {"type": "base64", "data": "iVBORw0KGgo" * 3_000}}
    newest.call("mcp__x__shot", {}).result(
        [{"type": "text", "text": "shot"}, picture], answer=[{"type": "text", "text": "shot"}]
    )
    assert result(newest).text == "shot\n[image]"


def test_an_old_success_may_be_a_bare_string(tmp_path: Path) -> None:
    builder = TranscriptBuilder(tmp_path / "s.jsonl", version="1.0.17").call("Write", {"file_path": "/a"})
    found = result(builder.result("File created successfully at: /a", answer="File created successfully at: /a"))
    assert (found.is_error, found.details) == (False, None)


def test_huge_texts_are_cut_in_the_middle(newest: TranscriptBuilder) -> None:
    found = result(newest.bash("true").bash("cat", f"first\n{'x' * 300_000}\nlast", stderr=""))
    assert found.text.startswith("first\n")
    assert found.text.endswith("\nlast")
    assert "characters cut" in found.text
    assert len(found.text) < 101_000


def test_an_answered_question_keeps_its_answer(newest: TranscriptBuilder) -> None:
    found = result(newest.ask("Which db?", "sqlite"))
    assert (found.details or {})["answers"] == {"Which db?": "sqlite"}


def test_a_lists_items_keep_their_numbers(newest: TranscriptBuilder) -> None:
    assert (result(newest.task_create("Write tests")).details or {})["task"] == {"id": "1", "subject": "Write tests"}
    assert (result(newest.task_update(1, "completed")).details or {})["statusChange"] == {
        "from": "pending",
        "to": "completed",
    }
