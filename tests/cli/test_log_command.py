"""`ace-reflect log`."""

import json

from ace_reflect import log
from ace_reflect.state import usage
from support.cli import Ace


def test_nothing_yet(ace: Ace) -> None:
    assert ace("log").err == "Nothing was logged yet.\n"
    assert ace("log", "--cost").out == "No model was asked yet: nothing was sent anywhere.\n"
    assert ace("log", "--json").json == {"schema": "ace-reflect/log/1", "lines": []}


def test_decisions_are_shown_a_line_each_oldest_first_for_one_session_too(ace: Ace) -> None:
    home = str(ace.host.home)
    log.write(home, "Stop", session="aaaa1111", decision="block", gate="tests", ms=12)
    log.write(home, "SessionEnd", session="bbbb2222", decision="queued")
    said = ace("log").out.splitlines()
    assert len(said) == 2
    assert "Stop" in said[0]
    assert "block 12 ms gate=tests" in said[0]
    assert ace("log", "--session", "bbbb").out.count("\n") == 1
    assert ace("log", "-n", "1").out.count("\n") == 1
    assert [line["event"] for line in ace("log", "--json").json["lines"]] == ["Stop", "SessionEnd"]


def test_a_line_that_was_cut_off_and_control_characters_do_no_harm(ace: Ace) -> None:
    log.write(str(ace.host.home), "Stop", decision="\x1b[31mred")
    with (ace.host.home / "log.jsonl").open("a") as file:
        file.write('{"at": "2026')
    said = ace("log")
    assert said.code == 0
    assert "\x1b" not in said.out


def test_cost_adds_up_by_role_and_model_and_an_unknown_price_is_not_zero(ace: Ace) -> None:
    with ace.host.state() as state:
        usage.add(state, "reflector", "anthropic/claude-sonnet-4-5", 1_000, 200, cost_usd=0.006, session_id="s1")
        usage.add(state, "reflector", "anthropic/claude-sonnet-4-5", 1_000, 200, cost_usd=0.006, session_id="s2")
        usage.add(state, "curator", "ollama/qwen", 10, 5, session_id="s1")
    said = ace("log", "--cost").out
    assert "0.0120" in said
    assert "?" in said
    assert all(len(line) <= 80 for line in said.splitlines())
    assert [row["calls"] for row in ace("log", "--cost", "--session", "s1", "--json").json["usage"]] == [1, 1]


def test_a_line_names_what_there_is_and_nothing_that_is_empty(ace: Ace) -> None:
    rows = [
        {"at": "2026-11-22T14:16:20Z", "event": "Stop", "session": "s", "decision": "block", "gates": ["tests:x", "ci:y"]},
        {"at": "2026-11-22T14:16:21Z", "event": "Stop", "session": "s", "decision": "allow", "gates": [], "why": "", "attempt": 0},
    ]  # fmt: skip
    ace.host.home.mkdir(parents=True, exist_ok=True)
    (ace.host.home / "log.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in rows))

    first, second = ace("log").out.splitlines()

    assert first.endswith("block gates=tests:x,ci:y")
    assert second.endswith("allow attempt=0")
