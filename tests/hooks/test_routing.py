"""Routing: a model names the kind of work while the turn runs; a message names the agent that is installed for it."""

import time

import pytest

from ace_reflect.assess.routing import route
from ace_reflect.gates.message import OFF
from ace_reflect.state import cache, sessions
from support.assessed import ask_cli_at, asked, record_of, say
from support.stops import Session, python_project

BACKEND = {"category": "backend", "confidence": 0.95, "why": "a parser"}
ORDER = "Hand this fix to the agent `ace-backend`"
KEY = "ghp_" + "a1B2" * 9


@pytest.fixture(params=["claude"])
def routed(host, api, request):
    """Routing on, with an agent for backend work in the person's own folder (or the checkout's)."""
    ask_cli_at(host, api)
    host.environ |= {
        "CLAUDE_CONFIG_DIR": str(host.root / "claude"),
        "ACE_REFLECT_ROUTING_ENABLED": "true",
        "ACE_REFLECT_ROUTING_MODELS_BACKEND": "anthropic/claude-opus-5",
        "ACE_REFLECT_ROUTING_MODELS_FRONTEND": "anthropic/claude-sonnet-5",
    }
    folder = host.root / request.param / "agents"
    folder.mkdir(parents=True)
    (folder / "ace-backend.md").write_text("---\nname: ace-backend\n---\n")
    return python_project(host)


def asks(host, text):
    """A prompt whose kind of work is known."""
    session = Session(host).ask(text)
    host.wait_for_workers(30)
    return session


@pytest.mark.parametrize("routed", ["claude", "project/.claude"], indirect=True)
def test_a_fix_is_handed_to_the_agent_of_its_kind(routed, api):
    say(api, BACKEND)
    session = asks(routed, f"Fix ünïcode, the token is {KEY} " + "and more " * 20_000)

    reason = session.code().stop_hook().json["reason"]

    assert ORDER in reason
    assert reason.endswith(OFF)
    (question,) = asked(api)
    assert "Fix ünïcode" in question
    assert KEY not in question
    assert len(question) < 12_000
    model = "anthropic/claude-opus-5"
    expected = {"category": "backend", "model": model, "agent": "ace-backend"}
    assert record_of(routed)["routing"] == expected


def test_nobody_waits_for_the_answer(routed, api):
    say(api, BACKEND, delay_s=20)
    started = time.monotonic()

    reason = Session(routed).ask("Fix the parser").code().stop_hook().json["reason"]

    assert time.monotonic() - started < 10
    assert "Hand this fix" not in reason
    expected = {"category": "default", "model": None, "agent": None}
    assert record_of(routed)["routing"] == expected


@pytest.mark.parametrize(
    "answer",
    [
        {"category": "frontend", "confidence": 0.9},  # a model, and no agent installed
        {"category": "backend", "confidence": 0.2},  # a guess
    ],
)
def test_without_an_agent_for_it_the_fix_stays_where_it_is(answer, routed, api):
    say(api, answer, answer)

    assert "Hand this fix" not in asks(routed, "Fix it").code().stop_hook().json["reason"]


@pytest.mark.parametrize(
    "environ",
    [
        {"ACE_REFLECT_ROUTING_ENABLED": "false"},
        {"ACE_REFLECT_MODELS": ""},
        {"ACE_REFLECT_MODELS": "offline"},
        {"ACE_REFLECT_ROUTING_MODELS_BACKEND": "", "ACE_REFLECT_ROUTING_MODELS_FRONTEND": ""},
    ],
)
def test_where_it_is_off_nobody_is_asked(environ, routed, api):
    routed.environ |= environ
    asks(routed, "Fix the parser")
    assert api.requests == []


def test_the_answer_about_an_earlier_task_says_nothing_of_this_one(routed, api):
    say(api, BACKEND, "no idea", "no idea")
    asks(routed, "Fix the parser")

    session = asks(routed, "Now center the button")

    assert "Hand this fix" not in session.code().stop_hook().json["reason"]
    assert "Fix the parser" in asked(api)[1]


def test_an_answer_that_comes_after_the_next_prompt_is_dropped(routed, api):
    say(api, BACKEND)
    with routed.state() as state:
        old = sessions.note_prompt(state, "s", "p1", "Fix the parser")
        sessions.note_prompt(state, "s", "p2", "Center the button")
        given = {"session": "s", "project": str(routed.project), "row": old, "prompt": "Fix it"}

        assert route(state, given, routed.environment()) == ""
        assert cache.get(state, cache.ROUTE, "s", str(old)) is None
