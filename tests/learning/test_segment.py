"""What a reflector is given to read."""

from pathlib import Path

import pytest

from ace_reflect.gates.message import OFF
from ace_reflect.learning.messages import transcript_text
from ace_reflect.learning.segment import read_segment, segment
from support.transcripts import TranscriptBuilder

SECRET = "sk-ant-api03-" + "Zx9" * 20


@pytest.fixture
def session(tmp_path: Path) -> TranscriptBuilder:
    return TranscriptBuilder(tmp_path / "s.jsonl")


def text_of(builder: TranscriptBuilder) -> str:
    return transcript_text(segment(builder.records(whole=True), environ={}).messages)


def test_a_turn_reads_like_what_happened(session: TranscriptBuilder, snapshot: object) -> None:
    session.prompt("Fix the parser", ide_file="/p/a.py").think("Start small, see [pat-001].").say(
        "I will look."
    )
    session.read("/p/a.py", "x = 1\ny = 2").edit("/p/a.py", "x = 1\n", "x = 2\n")
    session.bash("pytest -q", "E  assert 1 == 2\n1 failed, 2 passed in 0.10s", exit_code=1)
    session.call("Bash", {"command": "git push"}).reject("not to main, please")
    session.queue("and the docs").background("npm test").task_notification(
        exit_code=0, result="3 passed"
    )
    session.shell("ls", "a.py").pull_request(7).create("/p/new.py", "z = 3\n").todos(
        ("docs", "pending")
    )
    session.compact().interrupt().api_error("API Error: 500").say("Done.")
    assert text_of(session) == snapshot


def test_messages_have_the_forms_that_the_specification_reads(session: TranscriptBuilder) -> None:
    found = segment(session.prompt("Fix it").say("As [pat-001] says.").records()).messages
    assert [(m["role"], m["content"]) for m in found] == [
        ("user", "Fix it"),
        ("assistant", "As [pat-001] says."),
    ]


def test_what_nobody_said_is_left_out(session: TranscriptBuilder) -> None:
    session.hook("UserPromptSubmit", "[pat-001] helpful=1 harmful=0 :: use hints").meta(
        "INJECTED skill body"
    ).noise()
    session.local_command("model", "opus", "INJECTED").compact("INJECTED summary").feedback(
        f"INJECTED\n{OFF}"
    )
    assert "INJECTED" not in text_of(session.prompt("Fix it"))
    assert "helpful=" not in text_of(session)


def test_another_hooks_feedback_is_kept(session: TranscriptBuilder) -> None:
    assert "lint first" in text_of(session.feedback("lint first"))


def test_the_playbook_is_taken_out_where_it_is_quoted(session: TranscriptBuilder) -> None:
    lines = "## PATTERNS\n[pat-001] helpful=3 harmful=0 :: use type hints\n   [mis-002]  helpful=0 harmful=1 :: never mock"
    session.bash("cat prompt.log", lines).read(
        "/p/.claude/playbook.json", '{"text": "use type hints"}'
    )
    text = text_of(session.say(f"> {lines}"))
    assert "use type hints" not in text
    assert "never mock" not in text


def test_private_parts_are_taken_out_everywhere(session: TranscriptBuilder) -> None:
    session.prompt("Fix <private>the client's\nname</private> now").bash(
        "echo", "a <PRIVATE>b</private> c"
    ).say("<private>to the end")
    text = text_of(session)
    for word in ("client", "name", "b <", "to the end"):
        assert word not in text
    assert "Fix [private] now" in text


def test_secrets_are_taken_out_everywhere(session: TranscriptBuilder) -> None:
    session.prompt(f"use {SECRET}").think(SECRET).say(SECRET).bash(
        f"curl -H 'x-api-key: {SECRET}'", SECRET
    ).edit("/a", "x", SECRET)
    session.shell(f"export K={SECRET}", SECRET).call("Bash", {"command": "x"}).reject(
        SECRET
    ).create(f"/{SECRET}", SECRET)
    session.call("mcp__x__y", {"key": SECRET}).result(
        [{"type": "text", "text": SECRET}]
    ).background("x").task_notification(result=SECRET)
    found = segment(session.records(whole=True), environ={})
    assert SECRET not in str(found.messages)
    assert SECRET not in found.read_text


def test_a_secret_at_the_place_of_a_cut_is_taken_out_too(session: TranscriptBuilder) -> None:
    for offset in range(1_900, 2_010, 7):
        session.bash("cat", "x" * offset + f" {SECRET} " + "y" * 4_000)
    text = text_of(session)
    assert SECRET[:30] not in text
    assert "Zx9Zx9" not in text


def test_long_results_are_cut_in_the_middle(session: TranscriptBuilder) -> None:
    text = text_of(session.bash("cat", "first\n" + "row\n" * 20_000 + "last"))
    assert len(text) < 5_000
    assert "first" in text
    assert "last" in text
    assert "characters cut" in text


def test_the_persons_words_are_never_cut(session: TranscriptBuilder) -> None:
    words = "please " * 20_000
    assert words.strip() in text_of(session.prompt(words))


def test_citations_in_what_is_cut_are_kept(session: TranscriptBuilder) -> None:
    session.say("a " * 10_000 + "as [pat-007] says " + "b " * 10_000)
    found = segment(session.records()).messages[0]
    assert "[pat-007]" in found["content"]
    assert "[pat-007]" in found["core"]


@pytest.mark.parametrize(
    ("tool", "kept"), [("Grep", False), ("ToolSearch", False), ("mcp__tracker__close_issue", True)]
)
def test_only_a_call_that_did_something_survives_when_room_is_made(
    session: TranscriptBuilder, tool: str, kept: bool
) -> None:
    session.call(tool, {"query": "slugs"}).result("3 found")
    call, output = segment(session.records()).messages
    assert (bool(call["core"]), bool(output["core"])) == (kept, kept)


def test_a_persisted_output_is_read_from_its_longer_copy(session: TranscriptBuilder) -> None:
    output = "\n".join(f"row {n}" for n in range(300)) + "\nE assert 1 == 2\n1 failed"
    assert "1 failed" in text_of(session.bash("pytest", output, persisted=True))


def test_a_subagents_lines_are_its_report_alone(session: TranscriptBuilder) -> None:
    session.agent("look", "The report.").sidechain().say("INNER").bash("ls", "INNER").sidechain(
        on=False
    )
    text = text_of(session)
    assert "The report." in text
    assert "INNER" not in text


def test_turns_can_be_read_alone(session: TranscriptBuilder) -> None:
    path = session.prompt("one").say("A").prompt("two").say("B").prompt("three").say("C").write()
    text = transcript_text(read_segment(str(path), [(1, 2), (5, 6)], environ={}).messages)
    assert "two" not in text
    assert text.index("one") < text.index("three")


def test_what_was_read_is_known_apart(session: TranscriptBuilder) -> None:
    found = segment(session.prompt("my words").read("/a.md", "their words").records(whole=True))
    assert "their words" in found.read_text
    assert "my words" not in found.read_text


@pytest.mark.shared
def test_every_real_transcript_gives_messages(shared_dir: Path) -> None:
    for path in sorted(shared_dir.glob("transcripts/**/*.jsonl"))[::6]:
        found = read_segment(str(path), environ={}).messages
        assert all(m["role"] in {"user", "assistant"} and m["content"].strip() for m in found), (
            path.name
        )
