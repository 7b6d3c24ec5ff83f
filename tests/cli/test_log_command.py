"""`ace-reflect log`, and the person's own clock on every page."""

import json
import time

import pytest

from ace_reflect import log
from ace_reflect.cli.output import local
from ace_reflect.state import record, sessions
from support.cli import Ace


def test_nothing_yet(ace: Ace) -> None:
    assert ace("log").out == "Nothing has been logged yet.\n"
    assert ace("log", "--cost").out == "No model was asked: nothing was sent anywhere.\n"
    assert ace("log", "--json").json == {"schema": "ace-reflect/log/1", "lines": []}


def test_decisions_are_shown_a_line_each_oldest_first_with_their_project(ace: Ace) -> None:
    home, gates = str(ace.host.home), ["tests:disproven"]
    log.write(home, "Stop", session="aaaa1111", decision="block", gates=gates, attempt=1, ms=12)
    log.write(home, "SessionEnd", session="bbbb2222", decision="queued")
    with ace.host.state() as state:
        sessions.touch(state, "bbbb2222", project="/code/shop")

    said = ace("log").out.splitlines()

    assert len(said) == 2
    assert said[0].endswith("stop: sent back to Claude (message 1): tests disproven (12 ms)")
    assert said[1].endswith("bbbb2222  shop  session ended: queued for learning")
    assert ace("log", "-n", "1").out.count("\n") == 1
    assert [line["event"] for line in ace("log", "--json").json["lines"]] == ["Stop", "SessionEnd"]


def test_a_time_is_the_persons_own(ace: Ace, monkeypatch: pytest.MonkeyPatch) -> None:
    rows = {"2026-11-22T14:22:08Z": "2026-11-22 09:22:08", "2026-07-01T02:00:00+00:00": "2026-06-30 22:00:00", "": "", "no time": "no time"}  # fmt: skip
    ace.host.home.mkdir(parents=True, exist_ok=True)
    lines = [json.dumps({"at": at, "event": "SessionStart"}) + "\n" for at in rows]
    (ace.host.home / "log.jsonl").write_text("".join(lines))
    monkeypatch.setenv("TZ", "America/New_York")
    time.tzset()

    said = ace("log").out
    monkeypatch.undo()
    time.tzset()

    assert [line.partition("  ")[0] for line in said.splitlines()] == list(rows.values())


def test_cost_adds_up_by_role_and_model_and_an_unknown_price_is_not_zero(ace: Ace) -> None:
    with ace.host.state() as state:
        for session in ("s1-a", "s2-b"):
            record.spend(state, "reflector", "anthropic/x", session, input_tokens=1_000, output_tokens=200, cost_usd=0.006)  # fmt: skip
        record.spend(state, "curator", "ollama/qwen", "s1-a", input_tokens=10, output_tokens=5)

    said = ace("log", "--cost").out

    assert "0.0120" in said
    assert "?" in said
    assert all(len(line) <= 80 for line in said.splitlines())
    rows = ace("log", "--cost", "--json").json["usage"]
    assert [row["calls"] for row in rows] == [2, 1]


@pytest.mark.parametrize(
    ("row", "words"),
    [
        ({"event": "Stop", "decision": "block", "gates": ["tests:unknown", "pr:disproven"], "attempt": 2}, "stop: sent back to Claude (message 2): tests unknown; pr disproven"),
        ({"event": "Stop", "decision": "allow", "end_state": "waiting_for_user", "why": "a question"}, "stop: stands, ? up to you: a question"),
        ({"event": "Stop", "decision": "allow", "end_state": "complete", "gates": ["pr:not_applicable"]}, "stop: stands, ✓ proven; still open: pr not applicable"),
        ({"event": "UserPromptSubmit", "decision": "injected", "characters": 812}, "prompt: key points given to Claude (812 characters)"),
        ({"event": "UserPromptSubmit", "decision": "injected"}, "prompt: key points given to Claude (? characters)"),
        ({"event": "SessionStart", "decision": "resume"}, "session started (resume)"),
        ({"event": "learn", "decision": "2 turns, 1 vote, 0 changes (offline)"}, "learned: 2 turns, 1 vote, 0 changes (offline)"),
        ({"event": "PreCompact", "decision": "unreadable-payload", "size_bytes": 0}, "PreCompact hook: what Claude Code sent cannot be read (0 bytes); nothing was done"),
        ({"event": "Stop", "error": "OSError", "message": "no room", "where": "edge.py:12"}, "error in the Stop hook: no room (OSError, edge.py:12)"),
        ({"event": "learn", "error": "KeyError", "where": "worker.py:3"}, "error in learn (KeyError, worker.py:3)"),
        ({"event": "state-set-aside", "corrupt": "state.db.broken-1"}, "state.db was broken: set aside as state.db.broken-1, a new one was started"),
        ({"event": "Later", "decision": "new", "why": "so"}, "Later: new: so"),
    ],
)  # fmt: skip
def test_a_line_says_in_plain_words_what_was_decided(ace: Ace, row: dict, words: str) -> None:
    ace.host.home.mkdir(parents=True, exist_ok=True)
    whole = {"at": "2026-11-22T14:16:20Z", "session": "ab", **row}
    (ace.host.home / "log.jsonl").write_text(json.dumps(whole) + "\n")

    assert ace("log").out == f"{local(whole['at'], '%Y-%m-%d %H:%M:%S')}  ab        {words}\n"
    assert ace("log", "--json").json["lines"] == [whole]
