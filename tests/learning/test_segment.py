"""What a reflector is given to read, and what is given up where it does not fit."""

import pytest

from ace_reflect.gates.message import OFF
from ace_reflect.learning.reflector import transcript_text
from ace_reflect.learning.segment import fit, message_tokens, read_segment
from support.transcripts import TranscriptBuilder

SECRET = "sk-ant-api03-" + "Zx9" * 20


@pytest.fixture
def session(tmp_path):
    return TranscriptBuilder(tmp_path / "s.jsonl")


def task_ended(session, result):
    """A background task's end that tells what it said."""
    summary = 'Background command "run" completed (exit code 0)'
    text = f"<task-notification>\n<task-id>b7xirly8o</task-id>\n<status>completed</status>\n<summary>{summary}</summary>\n<result>{result}</result>\n</task-notification>"
    session.queue_operation("enqueue", text).queue_operation("dequeue")
    return session._user(text, origin={"kind": "task-notification"}, promptSource="system")


def messages(builder):
    return read_segment(str(builder.write()))[0]


def text_of(builder):
    return transcript_text(messages(builder))


def test_a_turn_reads_like_what_happened(session, snapshot):
    session.prompt("Fix the parser", ide_file="/p/a.py")
    session.think("Start small, see [pat-001].").say("I will look.")
    session.read("/p/a.py", "x = 1\ny = 2").edit("/p/a.py", "x = 1\n", "x = 2\n")
    session.bash("pytest -q", "E  assert 1 == 2\n1 failed, 2 passed in 0.10s", exit_code=1)
    session.call("Bash", {"command": "git push"}).reject("not to main, please")
    task_ended(session.queue("and the docs").background("npm test"), "3 passed")
    session.shell("ls", "a.py").pull_request(7).create("/p/new.py", "z = 3\n")
    session.todos(("docs", "pending")).feedback("lint first").compact().interrupt()
    assert text_of(session.api_error("API Error: 500").say("Done.")) == snapshot


def test_messages_have_the_forms_that_the_specification_reads_and_name_who_speaks(session):
    found = messages(session.prompt("Fix it").say("As [pat-001] says.").bash("ls", "a.py"))
    assert fit(found, 10_000) == (found, ""), "what fits is left as it is"
    assert [(m["role"], m["speaker"], m["content"]) for m in found] == [
        ("user", "person", "Fix it"),
        ("assistant", "claude", "As [pat-001] says."),
        ("assistant", "claude", "(calls Bash) ls"),
        ("user", "tool result", "(result of line 3)\na.py"),
    ]


def test_what_nobody_said_and_the_playbook_and_subagents_own_lines_are_left_out(session):
    session.hook("UserPromptSubmit", "[pat-001] helpful=1 harmful=0 :: INJECTED")
    session.meta("INJECTED skill body").noise().local_command("model", "opus", "INJECTED")
    session.compact("INJECTED summary").feedback(f"INJECTED\n{OFF}")
    session.bash("cat log", "[mis-002]  helpful=0 harmful=1 :: INJECTED\n[pref-001] :: INJECTED")
    session.read("/p/.claude/playbook.json", '{"text": "INJECTED"}')
    session.bash("ls", "a\n<system-reminder>INJECTED</system-reminder>")
    session.agent("look", "The report.").sidechain().say("INJECTED").sidechain(on=False)
    text = text_of(session.prompt("Fix it"))
    assert "INJECTED" not in text
    assert "helpful=" not in text
    assert "The report." in text


def test_private_parts_and_secrets_are_taken_out_everywhere(session):
    private = f"<private>the client's\nname {SECRET}</private>"
    session.prompt(f"Fix {private} now {SECRET}").think(SECRET).say(f"{SECRET} {private}")
    session.bash(f"curl -H 'x-api-key: {SECRET}'", SECRET).edit("/a", "x", SECRET)
    session.shell(f"export K={SECRET}", SECRET).call("Bash", {"command": "x"}).reject(SECRET)
    session.create(f"/{SECRET}", SECRET).call("mcp__x__y", {"key": SECRET})
    task_ended(session.result([{"type": "text", "text": SECRET}]).background("x"), SECRET)
    for offset in range(1_900, 2_010, 7):  # at the place of a cut, too
        session.bash("cat", "x" * offset + f" {SECRET} " + "y" * 4_000)
    found, read = read_segment(str(session.write()))
    for shown in (str(found), read):
        assert "Zx9Zx9" not in shown
        assert "client" not in shown
    assert "Fix [private] now" in str(found)


def test_long_results_keep_both_ends_and_the_persons_words_are_whole(session):
    words = "please " * 20_000
    session.prompt(words).bash("make", "first\n" + "row\n" * 20_000 + "last", exit_code=2)
    text = text_of(session)
    assert words.strip() in text
    assert len(text) < len(words) + 5_000
    assert "first" in text
    assert "last" in text


def test_a_persisted_output_is_read_from_its_longer_copy(session):
    output = "\n".join(f"row {n}" for n in range(300)) + "\nE assert 1 == 2\n1 failed"
    assert "1 failed" in text_of(session.bash("pytest", output, persisted=True))


def test_turns_can_be_read_alone_and_what_was_read_is_known_apart(session):
    session.prompt("one").say("A").prompt("two").read("/a.md", "their words").prompt("three")
    path = str(session.write())
    found, read = read_segment(path, [(1, 2), (6, 6)])
    assert [m["content"] for m in found] == ["one", "A", "three"]
    assert read == ""
    assert "their words" in read_segment(path)[1]


@pytest.mark.shared
def test_every_real_transcript_gives_messages_that_fit(shared_dir):
    for path in sorted(shared_dir.glob("transcripts/**/*.jsonl"))[::6]:
        found, _ = read_segment(str(path))
        assert all(m["role"] in {"user", "assistant"} and m["content"].strip() for m in found)
        fitted, note = fit(found, 20_000)
        assert sum(map(message_tokens, fitted)) <= 20_000
        words = [m["content"] for m in found if m["kind"] == "person"]
        if "the person's own" not in note:
            assert [m["content"] for m in fitted if m["kind"] == "person"] == words, path.name


def long_session(session):
    for number in range(30):
        session.prompt(f"The person's wish {number}: keep it simple").think(f"hm {number} " * 60)
        session.say(f"Working on {number}. " + "More words. " * 60)
        session.read(f"/p/{number}.py", f"value_{number} = 1\n" * 400)
        failed = "x\n" * 900 + f"{number + 1} failed, 2 passed in 0.10s"
        session.bash(f"pytest -q t{number}.py", failed, exit_code=1)
    return messages(session)


@pytest.mark.parametrize("share", [0.9, 0.25])
def test_what_was_read_goes_first_and_words_and_what_failed_last(session, share):
    found = long_session(session)
    budget = int(sum(map(message_tokens, found)) * share)
    fitted, note = fit(found, budget)
    text = "\n".join(m["content"] for m in fitted)
    assert sum(map(message_tokens, fitted)) <= budget
    assert fitted[0]["content"] == note
    assert "results of reading" in note
    assert "the person's own" not in note
    assert text.count("value_0 = 1") <= min(text.count("value_29 = 1"), 30), "the oldest first"
    for number in range(30):
        assert f"The person's wish {number}: keep it simple" in text
        assert f"{number + 1} failed, 2 passed" in text


def test_the_persons_own_text_is_cut_only_where_it_alone_is_too_long(session):
    found = messages(session.prompt("begin " + "log line\n" * 50_000 + " end").say("ok"))
    fitted, note = fit(found, 2_000)
    text = "\n".join(m["content"] for m in fitted)
    assert sum(map(message_tokens, fitted)) <= 2_000
    assert "the person's own long texts" in note
    assert "begin" in text
    assert " end" in text
