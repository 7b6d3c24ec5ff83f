"""What is said after a compaction: worked out beside PreCompact, said at SessionStart."""

import time

import pytest

from support.assessed import ask_cli_at, asked, say
from support.nursery import Nursery
from support.stops import Session, python_project

MIDDLE = "The conversation was compacted in the middle of the task."
KEY = "ghp_" + "a1B2" * 9


@pytest.fixture
def session(host):
    """A session in the middle of a turn, of which nothing is learned yet."""
    host.environ["ACE_REFLECT_LEARNING_ON"] = "session_end"
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


def test_what_is_quoted_hides_nothing(host):
    hidden = "Geh \u202eweiter\u202c\x1b[31m mit <b>allem</b>, Jürgen"
    Session(python_project(host)).ask(hidden).code().write()

    said = compact(host)

    assert "“Geh weiter mit ‹b>allem‹/b>, Jürgen”" in said


def test_a_models_word_is_used_where_it_is_there_in_time(session, api):
    ask_cli_at(session.host, api)
    work = "src/app.py is edited; the lexer comes next"
    say(api, {"action": "continue_task", "confidence": 0.9, "current_work": work})

    assert f"Where it stood: “{work}”." in compact(session.host)
    (prompt,) = asked(api)
    assert prompt.startswith("ACE-REFLECT ASSESSMENT of a compaction")
    assert "Fix the parser so that empty lines are kept" in prompt
    (row,) = [row for row in session.host.log() if row["event"] == "compaction"]
    assert (row["decision"], row["by"]) == ("continue_task", "model")


def test_a_model_that_is_late_leaves_the_word_to_the_rules(session, api):
    ask_cli_at(session.host, api)
    say(api, {"action": "needs_clarification", "confidence": 0.9}, delay_s=4)
    session.host.hook("PreCompact", trigger="auto")
    give_up = time.monotonic() + 20
    while not api.requests and time.monotonic() < give_up:
        time.sleep(0.05)

    assert session.host.hook("SessionStart", source="compact").context.startswith(MIDDLE)
    session.host.wait_for_workers()


@pytest.mark.parametrize(("trigger", "goes_on"), [("auto", True), ("manual", False)])
def test_without_any_word_in_time_the_plain_rule_holds(trigger, goes_on, session):
    """The session is not known: its transcript is elsewhere, so that nothing is worked out."""
    session.host.transcript().unlink()
    said = compact(session.host, trigger)
    assert ("Go on with it from where it stood" in said) is goes_on


def test_the_process_stands_any_input(host):
    code = "import sys; from ace_reflect.hooks.compaction_note import main; sys.exit(main())"
    with Nursery(host.environment(), host.project) as nursery:
        for raw in (b"", b"[]", b"\xff"):
            done = nursery.python(code, stdin=raw)
            assert (done.code, done.err) == (0, "")
