"""Routing: a model names the kind of work while the turn runs; a message names the agent that is installed for it."""

import json
import time
from pathlib import Path
from typing import Any

import pytest

from ace_reflect.assess.routing import RoutingAnswer, route
from ace_reflect.gates.message import MAX_CHARS, OFF, handed_over
from ace_reflect.hooks import routes
from ace_reflect.hooks.edge import Event
from ace_reflect.settings import Settings
from ace_reflect.state import cache, prompts
from support.assessed import ask_cli_at, record_of
from support.hooks import Host
from support.messages_api import MessagesApi
from support.stops import Session, python_project

BACKEND = {"category": "backend", "confidence": 0.95, "why": "a parser"}
ORDER = "Hand this fix to the agent `ace-backend`"


@pytest.fixture
def routed(host: Host, api: MessagesApi) -> Host:
    """Routing on, with an agent for backend work in the person's own folder."""
    ask_cli_at(host, api)
    host.environ |= {
        "CLAUDE_CONFIG_DIR": str(host.root / "claude"),
        "ACE_REFLECT_ROUTING_ENABLED": "true",
        "ACE_REFLECT_ROUTING_MODELS_BACKEND": "anthropic/claude-opus-5",
        "ACE_REFLECT_ROUTING_MODELS_FRONTEND": "anthropic/claude-sonnet-5",
    }
    folder = host.root / "claude" / "agents"
    folder.mkdir(parents=True)
    (folder / "ace-backend.md").write_text("---\nname: ace-backend\n---\n")
    return python_project(host)


def says(api: MessagesApi, answer: Any, **turn: Any) -> None:
    api.enqueue({"text": answer if isinstance(answer, str) else json.dumps(answer), **turn})


def asked(api: MessagesApi) -> list[str]:
    return [str(one.body["messages"][0]["content"]) for one in api.requests if one.method == "POST"]


def untested(host: Host) -> str:
    """The message of a stop with an edit that nothing proves."""
    return str(Session(host).ask("Fix the parser").code().stop_hook().json["reason"])


def settled(host: Host) -> None:
    host.wait_for_workers(30)


def test_a_fix_is_handed_to_the_agent_of_its_kind(routed: Host, api: MessagesApi) -> None:
    says(api, BACKEND)
    session = Session(routed).ask("Fix the parser")
    settled(routed)

    reason = session.code().stop_hook().json["reason"]

    assert ORDER in reason
    assert reason.endswith(OFF)
    (question,) = asked(api)
    assert "Fix the parser" in question
    assert record_of(routed)["routing"] == {
        "category": "backend",
        "model": "anthropic/claude-opus-5",
        "agent": "ace-backend",
    }
    with routed.state() as state:
        assert state.all("SELECT role FROM usage") == [("routing",)]


def test_nobody_waits_for_the_answer(routed: Host, api: MessagesApi) -> None:
    says(api, BACKEND, delay_s=20)
    started = time.monotonic()

    reason = untested(routed)

    assert time.monotonic() - started < 10
    assert "Hand this fix" not in reason
    assert record_of(routed)["routing"] == {"category": "default", "model": None, "agent": None}


@pytest.mark.parametrize(
    "answer",
    [
        {"category": "default", "confidence": 0.9},
        {"category": "frontend", "confidence": 0.9},  # a model, and no agent installed
        {"category": "architecture", "confidence": 0.9},  # no model
        {"category": "backend", "confidence": 0.2},  # a guess
        "I would say that it is hard to tell.",
    ],
)
def test_without_an_agent_for_it_the_fix_stays_where_it_is(
    answer: Any, routed: Host, api: MessagesApi
) -> None:
    says(api, answer)
    says(api, answer)
    session = Session(routed).ask("Fix the parser")
    settled(routed)

    assert "Hand this fix" not in session.code().stop_hook().json["reason"]


@pytest.mark.parametrize(
    "environ",
    [
        {"ACE_REFLECT_ROUTING_ENABLED": "false"},
        {"ACE_REFLECT_MODELS": ""},
        {"ACE_REFLECT_MODELS": "offline"},
        {"ACE_REFLECT_ROUTING_MODELS_BACKEND": "", "ACE_REFLECT_ROUTING_MODELS_FRONTEND": ""},
    ],
)
def test_where_it_is_off_nobody_is_asked(
    environ: dict[str, str], routed: Host, api: MessagesApi
) -> None:
    routed.environ |= environ

    untested(routed)
    settled(routed)

    assert api.requests == []


def test_a_notification_is_no_task(routed: Host, api: MessagesApi) -> None:
    routed.prompt("<task-notification>\n<task-id>b1</task-id>\n</task-notification>")
    settled(routed)

    assert api.requests == []


def test_a_checkouts_own_agents_count_too(routed: Host, api: MessagesApi) -> None:
    (routed.root / "claude" / "agents" / "ace-backend.md").unlink()
    folder = routed.project / ".claude" / "agents"
    folder.mkdir(parents=True)
    (folder / "ace-backend.md").write_text("---\nname: ace-backend\n---\n")
    says(api, BACKEND)
    session = Session(routed).ask("Fix the parser")
    settled(routed)

    assert ORDER in session.code().stop_hook().json["reason"]


def test_the_answer_about_an_earlier_task_says_nothing_of_this_one(
    routed: Host, api: MessagesApi
) -> None:
    says(api, BACKEND)
    session = Session(routed).ask("Fix the parser")
    settled(routed)
    says(api, "no idea")
    says(api, "no idea")
    session.say("Fixed.").ask("Now center the button")
    settled(routed)

    assert "Hand this fix" not in session.code().stop_hook().json["reason"]
    assert "Fix the parser" in asked(api)[1]


def test_an_answer_that_comes_after_the_next_prompt_is_dropped(
    routed: Host, api: MessagesApi, tmp_path: Path
) -> None:
    says(api, BACKEND)
    with routed.state() as state:
        old = prompts.note(state, "s", "p1", "Fix the parser")
        prompts.note(state, "s", "p2", "Center the button")
        given = {
            "session": "s",
            "project": str(routed.project),
            "row": old,
            "prompt": "Fix the parser",
        }

        assert route(state, given, routed.environment()) == ""
        assert cache.get(state, "route", "s", str(old)) is None


def test_a_long_prompt_and_odd_characters_reach_the_model(routed: Host, api: MessagesApi) -> None:
    says(api, BACKEND)
    routed.prompt("Fix ünïcode \ud800 " + "and more " * 20_000)
    settled(routed)

    (question,) = asked(api)
    assert "ünïcode" in question
    assert len(question) < 12_000


def test_no_secret_of_the_prompt_leaves(routed: Host, api: MessagesApi) -> None:
    says(api, BACKEND)
    key = "ghp_" + "a1B2" * 9
    routed.prompt(f"Fix the parser, the token is {key}")
    settled(routed)

    assert key not in asked(api)[0]


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("backend", "backend"),
        ("Frontend/UI", "frontend"),
        ("ARCHITECTURE", "architecture"),
        ("docs", "default"),
        (None, "default"),
    ],
)
def test_a_category_is_read_as_models_write_it(said: Any, meant: str) -> None:
    assert RoutingAnswer(category=said).category == meant


def test_the_order_stands_before_the_last_line_and_goes_first_where_there_is_no_room() -> None:
    text = f"Tests never ran.\nRun `pytest`.\n{OFF}"

    assert handed_over(text, "ace-backend").split("\n")[2].startswith(ORDER)
    full = "x" * (MAX_CHARS - len(OFF) - 1) + "\n" + OFF
    assert handed_over(full, "ace-backend") == full


@pytest.mark.parametrize(
    ("models", "routing_models", "asked"),
    [
        (("anthropic/m",), ("backend=anthropic/m",), True),
        (("anthropic/m", "offline"), ("backend=anthropic/m",), True),
        ((), ("backend=anthropic/m",), False),
        (("offline", "anthropic/m"), ("backend=anthropic/m",), False),
        (("anthropic/m",), (), False),
    ],
)
def test_nobody_is_asked_where_there_is_no_model_or_nothing_to_route_to(
    models: tuple[str, ...], routing_models: tuple[str, ...], asked: bool
) -> None:
    event = Event("UserPromptSubmit", "/nowhere", b"{}", {}, {})
    event._settings = Settings(routing_enabled=True, models=models, routing_models=routing_models)

    assert routes.wanted(event) is asked
