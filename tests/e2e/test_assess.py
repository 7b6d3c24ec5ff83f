"""The second Stop entry on the real host: who is woken, who is left in peace, and who waits in print mode."""

import json
import time

import pytest

from support.api_script import _Turns
from support.claude_code import RUN_TESTS, ClaudeCode, bash, edit, eventually

ASSESS = r"ACE-REFLECT ASSESSMENT\\n\\nA coding agent has ended"
STOP_KIND = "ACE-REFLECT ASSESSMENT of a stop"
OPEN = {
    "status": "in_progress",
    "confidence": 0.95,
    "tests": {"ran": False},
    "remaining_work": ["Run `python slugs.py` once and read what it prints"],
    "next_steps": ["python slugs.py"],
}
FIRST = "Done: slugs fold case now."
THEN = "Done: it runs, and prints nothing, as before."
DONE = {"status": "complete", "confidence": 0.95, "tests": {"ran": False}, "remaining_work": []}


@pytest.fixture
def host(tmp_path):
    """A project with nothing to prove work by: there the rules leave a question open."""
    found = ClaudeCode(tmp_path, with_tests=False)
    yield found
    found.close()


def models_say(host: ClaudeCode, *answers: dict | str, match: str = ASSESS, **turn) -> None:
    """What our own questions are answered with; the session's turns are enqueued apart."""
    texts = [said if isinstance(said, str) else json.dumps(said) for said in answers]
    turns = [{"text": text, **turn} for text in texts]
    host.api.script._rules.insert(0, ({"body": match}, _Turns({"turns": turns})))


def questions(host: ClaudeCode) -> list[str]:
    """Our own questions, as they reached the model."""
    posted = [one.body for one in host.api.requests if one.method == "POST" and one.body]
    asked = [json.dumps(body.get("messages")) for body in posted]
    return [text for text in asked if "ACE-REFLECT" in text]


def decisions(host: ClaudeCode) -> list[str]:
    return [entry.get("decision", "") for entry in host.log() if entry["event"] == "Assess"]


def test_a_session_is_woken_and_finishes_the_work(host):
    host.install("--models", "anthropic/claude-sonnet-4-5")
    models_say(host, OPEN, DONE)
    host.api.enqueue(*edit(host), FIRST, bash("python slugs.py"), THEN)

    with host.terminal() as screen:
        screen.say("make slugs fold case")
        screen.wait_for(FIRST)
        screen.wait_for("Done: it runs")
        eventually(lambda: host.verdict()[0], within_s=30, says=str(host.log()))
        shown = screen.screen()
        screen.leave()

    woken = next(text for text in host.asked() if "Not finished yet" in text)
    assert "Run `python slugs.py` once and read what it prints" in woken
    assert "SYSTEM NOTIFICATION - NOT USER INPUT" in woken
    assert str(host.home) not in woken
    assert "python -I" not in shown
    assert len(questions(host)) == 2  # a script that ran is no proof: the model is asked once more
    assert host.verdict() == (True, "complete")


def test_who_has_gone_on_is_not_spoken_to(host):
    host.install("--models", "anthropic/claude-sonnet-4-5")
    models_say(host, OPEN, delay_s=6)
    host.api.enqueue(*edit(host), FIRST, "Two.", "Never said.")

    with host.terminal() as screen:
        screen.say("make slugs fold case")
        screen.wait_for(FIRST)
        eventually(lambda: questions(host), within_s=20)
        screen.say("thanks. how many files are here?")
        screen.wait_for("Two.")
        eventually(lambda: "gone-on" in decisions(host), within_s=20, says=str(host.log()))
        time.sleep(2)
        shown = screen.screen()
        screen.leave()

    assert "Not finished yet" not in "\n".join(host.asked())
    assert "Never said." not in shown
    assert "wake" not in decisions(host)


def test_a_stop_that_was_sent_back_by_rules_asks_nobody(tmp_path):
    host = ClaudeCode(tmp_path)  # this one has tests
    try:
        host.install("--models", "anthropic/claude-sonnet-4-5")
        host.api.enqueue(*edit(host), FIRST, RUN_TESTS, "Done: slugs fold case now; 1 passed.")

        host.prompt("make slugs fold case")

        assert len(host.blocks()) == 1
        assert questions(host) == []
    finally:
        host.close()


def test_an_aborted_turn_asks_nobody(host):
    host.install("--models", "anthropic/claude-sonnet-4-5")
    models_say(host, OPEN)
    host.api.enqueue(
        *edit(host), {"text": "I will now explain at length " * 60, "chunk_delay_s": 0.3}, "Four."
    )

    with host.terminal() as screen:
        screen.say("make slugs fold case")
        screen.wait_for("I will now explain")
        screen.keys("Escape")
        screen.wait_for("Interrupted")
        time.sleep(3)
        screen.keys("C-u")
        screen.say("what is two and two?")
        screen.wait_for("Four.")
        time.sleep(3)
        screen.leave()

    assert questions(host) == []


def test_print_mode_waits_for_the_assessment(host):
    host.install("--models", "anthropic/claude-sonnet-4-5")
    models_say(host, OPEN, DONE, delay_s=1)
    host.api.enqueue(*edit(host), FIRST, bash("cat slugs.py"), THEN)

    done = host.prompt("make slugs fold case")

    assert "Done: it runs" in done.stdout
    (message,) = host.blocks()
    assert message.startswith("Not finished yet: Run `python slugs.py` once")
    assert "assess.py" not in message
    assert str(host.home) not in message
    assert decisions(host) == ["wake", "stands"]
    assert host.verdict() == (True, "complete")
    record = json.loads(max((host.project / ".reflection").glob("*-*_*.json")).read_text())
    assert record["assessment"]["answer"]["status"] == "complete"
    assert record["usage"]["calls"] == 1
    assert "assess" in host.ace("log", "--cost").stdout


def test_a_host_that_is_told_to_wait_goes_on_in_the_same_turn(host):
    host.ace_home.mkdir(parents=True)
    (host.ace_home / "reflection.yaml").write_text("assess: {mode: foreground}\n")
    host.install("--models", "anthropic/claude-sonnet-4-5")
    models_say(host, OPEN, DONE, delay_s=1)
    host.api.enqueue(*edit(host), FIRST, bash("cat slugs.py"), THEN)

    with host.terminal() as screen:
        screen.say("make slugs fold case")
        screen.wait_for("Done: it runs")
        eventually(lambda: decisions(host)[-1:] == ["stands"], within_s=30)
        shown = screen.screen()
        screen.leave()

    (message,) = host.blocks()
    assert message.startswith("Not finished yet: Run `python slugs.py` once")
    assert "SYSTEM NOTIFICATION" not in "\n".join(host.asked())
    assert "python -I" not in shown


def test_a_model_that_fails_lets_the_stop_stand(host):
    host.install("--models", "anthropic/claude-sonnet-4-5")
    models_say(host, "", status=529, repeat=9)
    host.api.enqueue(*edit(host), FIRST)

    done = host.prompt("make slugs fold case")

    assert FIRST in done.stdout
    assert host.blocks() == []
    assert host.verdict() == (False, "error")


def test_an_unclear_stop_is_asked_about_when_it_is_old_enough(host):
    host.install("--models", "anthropic/claude-sonnet-4-5")
    stuck = {"kind": "genuinely_stuck", "confidence": 0.9, "why": "its next step is left hanging"}
    models_say(host, stuck, match=STOP_KIND)
    models_say(host, DONE)
    only_read, _ = edit(host)
    host.api.enqueue(
        only_read, "The slugs, then.", "Done: slugs fold case now, and that is all of it."
    )

    with host.terminal() as screen:
        screen.say("make slugs fold case")
        screen.wait_for("The slugs, then.")
        begun = time.monotonic()
        eventually(lambda: questions(host), within_s=60)
        waited_s = time.monotonic() - begun
        screen.wait_for("that is all of it")
        screen.leave()

    assert 24 < waited_s < 45
    assert any("the answer stops before the work is done" in text for text in host.asked())
    bodies = [one.body for one in host.api.requests if one.body]
    (asked,) = [body["model"] for body in bodies if STOP_KIND in json.dumps(body)]
    assert asked.startswith("claude-haiku-")


SUMMARY = "<analysis>x</analysis><summary>Slugs are being changed.</summary>"


def test_a_compaction_in_mid_task_says_how_to_go_on(host):
    host.install("--models", "anthropic/claude-sonnet-4-5")
    work = "slugs.py is edited; running it comes next"
    action = {"action": "continue_task", "confidence": 0.9, "current_work": work}
    models_say(host, action, match="of a compaction")
    host.answers({"kind": "compact"}, {"text": SUMMARY, "delay_s": 15, "repeat": 9})
    read, change = edit(host)
    host.api.enqueue(read, {**change, "usage": {"input_tokens": 990_000}}, FIRST)

    host.prompt("make slugs fold case")

    after = next(text for text in host.asked() if "compacted in the middle of the task" in text)
    assert work in after
    assert "make slugs fold case" in after
    assert [entry["by"] for entry in host.log() if entry["event"] == "compaction"] == ["model"]
