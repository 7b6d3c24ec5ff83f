"""What is said after a compaction: worked out beside PreCompact, said at SessionStart."""

import json
import subprocess
import sys
import time

import pytest

from ace_reflect.hooks.pre_compact import NOTE
from ace_reflect.state import cache
from support.assessed import ask_cli_at, asked, say
from support.stops import PASSED, Session, python_project

MIDDLE = "The conversation was compacted in the middle of the task."
KEY = "ghp_" + "a1B2" * 9


@pytest.fixture
def session(host):
    """A session in the middle of a turn."""
    asks = f"Fix the parser so that empty lines are kept; {KEY} opens it"
    session = Session(python_project(host)).ask(asks).code()
    session.write()
    return session


def compact(host, trigger="auto"):
    """PreCompact, time for the summary, SessionStart: what the model gets."""
    before = host.hook("PreCompact", trigger=trigger, custom_instructions=None)
    assert (before.code, before.stdout, before.stderr) == (0, "", "")
    host.wait_for_workers()
    return host.hook("SessionStart", source="compact").context


def process(host, raw):
    code = "import sys; from ace_reflect.hooks.compaction_note import main; sys.exit(main())"
    done = subprocess.run(
        [sys.executable, "-I", "-c", code], input=raw, env=host.environment(), check=False, timeout=60,
        capture_output=True,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, b"")


@pytest.mark.parametrize("mode", ["block", "off"])
def test_by_rule_the_task_and_what_is_open_are_named_without_secrets(mode, session):
    """What the project switched off is not open."""
    configuration = session.host.project / ".claude" / "reflection.yaml"
    configuration.write_text(f"gates: {{tests: {mode}}}\n")

    text = compact(session.host)

    assert text.startswith(MIDDLE)
    assert "The task: “Fix the parser so that empty lines are kept; " in text
    assert ("no test has been run since the code was edited" in text) is (mode == "block")
    assert KEY not in text


def test_a_finished_task_says_nothing_to_the_model_and_one_line_to_the_person(session):
    session.bash("pytest -q", PASSED).say("Done, the parser is fixed; 3 passed.").write()
    session.host.hook("PreCompact", trigger="manual")
    session.host.wait_for_workers()

    answered = session.host.hook("SessionStart", source="compact")

    assert answered.context == ""
    assert "The task was finished before the compaction." in answered.json["systemMessage"]


def test_a_models_word_is_used_where_it_is_there_in_time(session, api):
    ask_cli_at(session.host, api, ACE_REFLECT_LEARNING_ON="session_end")
    work = "src/app.py is edited; the lexer comes next"
    say(api, {"action": "continue_task", "confidence": 0.9, "current_work": work})

    assert f"Where it stood: “{work}”." in compact(session.host)
    (prompt,) = asked(api)
    assert prompt.startswith("ACE-REFLECT ASSESSMENT of a compaction")
    assert "Fix the parser so that empty lines are kept" in prompt
    (row,) = [row for row in session.host.log() if row["event"] == "compaction"]
    assert (row["decision"], row["by"]) == ("continue_task", "model")


def test_a_model_that_is_late_leaves_the_word_to_the_rules(session, api):
    ask_cli_at(session.host, api, ACE_REFLECT_LEARNING_ON="session_end")
    say(api, {"action": "needs_clarification", "confidence": 0.9}, delay_s=4)
    session.host.hook("PreCompact", trigger="auto")
    give_up = time.monotonic() + 20
    while not api.requests and time.monotonic() < give_up:
        time.sleep(0.05)

    assert session.host.hook("SessionStart", source="compact").context.startswith(MIDDLE)
    session.host.wait_for_workers()


def test_without_any_word_in_time_the_plain_rule_holds(session):
    with session.host.state() as state:
        cache.put(state, NOTE, session.host.session_id, "", b'{"begun": "auto 17.0"}')

    said = session.host.hook("SessionStart", source="compact").context
    assert "Go on with it from where it stood" in said


def test_a_note_of_the_last_compaction_is_not_said_after_the_next(session):
    host = session.host
    compact(host)
    late = {
        "session": host.session_id,
        "transcript": str(host.transcript()),
        "project": str(host.project),
        "begun": "auto 17.0",
    }
    begun = b'{"begun": "auto 18.0"}'
    with host.state() as state:
        cache.put(state, NOTE, host.session_id, "", begun)

    process(host, json.dumps(late).encode())

    with host.state() as state:
        assert cache.get(state, NOTE, host.session_id, "") == begun
    assert host.log()[-1]["decision"] == "superseded"


@pytest.mark.parametrize("raw", [b"", b"[]", b"\xff"])
def test_the_process_stands_any_input(host, raw):
    process(host, raw)
