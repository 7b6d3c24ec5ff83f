"""`ace-reflect log`."""

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from ace_reflect import log
from ace_reflect.cli.log_page import in_words
from ace_reflect.cli.times import local
from ace_reflect.state import sessions, usage
from conftest import ROOT
from support.cli import Ace


def test_nothing_yet(ace: Ace) -> None:
    assert ace("log").err == "Nothing was logged yet.\n"
    assert ace("log", "--cost").out == "No model was asked yet: nothing was sent anywhere.\n"
    assert ace("log", "--json").json == {"schema": "ace-reflect/log/1", "lines": []}


def test_decisions_are_shown_a_line_each_oldest_first_for_one_session_too(ace: Ace) -> None:
    home = str(ace.host.home)
    log.write(
        home,
        "Stop",
        session="aaaa1111",
        decision="block",
        gates=["tests:disproven"],
        attempt=1,
        ms=12,
    )
    log.write(home, "SessionEnd", session="bbbb2222", decision="queued")
    said = ace("log").out.splitlines()
    assert len(said) == 2
    assert said[0].endswith(
        "aaaa1111  stop: sent back to Claude (message 1): tests disproven (12 ms)"
    )
    assert said[1].endswith("bbbb2222  session ended: queued to be learned from")
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
        usage.add(
            state,
            "reflector",
            "anthropic/claude-sonnet-4-5",
            1_000,
            200,
            cost_usd=0.006,
            session_id="s1",
        )
        usage.add(
            state,
            "reflector",
            "anthropic/claude-sonnet-4-5",
            1_000,
            200,
            cost_usd=0.006,
            session_id="s2",
        )
        usage.add(state, "curator", "ollama/qwen", 10, 5, session_id="s1")
    said = ace("log", "--cost").out
    assert "0.0120" in said
    assert "?" in said
    assert all(len(line) <= 80 for line in said.splitlines())
    assert [
        row["calls"] for row in ace("log", "--cost", "--session", "s1", "--json").json["usage"]
    ] == [1, 1]


def test_a_session_that_nobody_knows_is_an_error_in_both_pages(ace: Ace) -> None:
    log.write(str(ace.host.home), "Stop", session="aaaa1111", decision="allow")
    with ace.host.state() as state:
        usage.add(state, "judge", "anthropic/x", 1, 1, session_id="aaaa1111")
    for wanted in ("ffff", ""):
        for page in ((), ("--cost",)):
            said = ace("log", *page, "--session", wanted)
            assert (said.code, said.out) == (1, "")
            assert f"no session is known whose id begins with {wanted!r}" in said.err
            assert "error" in ace("log", *page, "--session", wanted, "--json").json


def test_a_known_session_of_which_nothing_is_left_is_no_error(ace: Ace) -> None:
    """The log's size is capped, and most sessions ask no model."""
    with ace.host.state() as state:
        sessions.touch(state, "cccc3333")
    said = ace("log", "--session", "cccc")
    assert (said.code, said.err) == (0, "Nothing was logged for a session cccc.\n")
    said = ace("log", "--cost", "--session", "cccc")
    assert (said.code, said.out) == (0, "No model was asked for this session.\n")


def test_the_beginning_of_an_id_is_enough_for_the_cost_too(ace: Ace) -> None:
    with ace.host.state() as state:
        usage.add(state, "judge", "anthropic/x", 7, 1, session_id="aaaa1111-2222")
        usage.add(state, "judge", "anthropic/x", 9, 1, session_id="bbbb1111-2222")
    assert [
        row["input_tokens"]
        for row in ace("log", "--cost", "--session", "aaaa", "--json").json["usage"]
    ] == [7]
    assert [row["input_tokens"] for row in ace("log", "--cost", "--json").json["usage"]] == [16]


def test_a_number_of_lines_means_nothing_to_the_cost_and_is_refused(ace: Ace) -> None:
    said = ace("log", "--cost", "-n", "2")
    assert said.code == 2
    assert "--cost adds up all calls" in said.err


def test_a_long_decision_goes_on_below_in_a_terminal_and_is_one_line_in_a_pipe(
    ace: Ace, monkeypatch: pytest.MonkeyPatch
) -> None:
    log.write(
        str(ace.host.home),
        "Stop",
        session="aaaa1111",
        decision="allow",
        end_state="not_applicable",
        why="a question, or a turn that only read",
    )
    monkeypatch.setenv("COLUMNS", "80")
    whole = ace("log").out
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    folded = ace("log").out
    assert whole.count("\n") == 1
    assert folded.count("\n") == 2
    assert all(len(line) <= 80 for line in folded.splitlines())
    assert folded.split() == whole.split()


@pytest.mark.parametrize(
    ("row", "words"),
    [
        (
            {"event": "Stop", "decision": "block", "end_state": "incomplete", "gates": ["tests:unknown", "pr:disproven"], "attempt": 2},
            "stop: sent back to Claude (message 2): tests unknown; pr disproven",
        ),
        (
            {"event": "Stop", "decision": "allow", "end_state": "waiting_for_user", "gates": [], "why": "a question", "attempt": 0},
            "stop: stands, Claude waits for you: a question",
        ),
        ({"event": "Stop", "decision": "allow", "end_state": "complete", "gates": [], "why": ""}, "stop: stands, done"),
        (
            {"event": "Stop", "decision": "allow", "end_state": "complete", "gates": ["wiring:disproven"], "why": ""},
            "stop: stands, done; still open: wiring disproven",
        ),
        (
            {"event": "Stop", "decision": "allow", "end_state": "not_applicable", "gates": ["tests:disproven", "pr:unknown"], "why": "a question"},
            "stop: stands, nothing to check: a question; still open: tests disproven, pr unknown",
        ),
        ({"event": "Stop", "decision": "defer", "end_state": "working", "why": "a test run is on"}, "stop: not judged yet: a test run is on"),
        ({"event": "Assess", "decision": "stands", "end_state": "gave_up"}, "model check: the stop stands, enough messages were given"),
        ({"event": "UserPromptSubmit", "decision": "injected", "characters": 812}, "prompt: key points put in front of Claude (812 characters)"),
        ({"event": "UserPromptSubmit", "decision": "injected"}, "prompt: key points put in front of Claude (? characters)"),
        ({"event": "SessionStart", "decision": "resume", "waiting": True}, "session started (resumed); you were told what waits"),
        ({"event": "SessionStart", "decision": "startup", "waiting": False}, "session started (new)"),
        ({"event": "learn", "decision": "2 turns, 1 vote, 0 changes (offline)", "job": 7}, "learned: 2 turns, 1 vote, 0 changes (offline)"),
        ({"event": "learn", "decision": "failed", "error": "no file /x", "job": 7}, "learning: failed: no file /x"),
        ({"event": "PreCompact", "decision": "unreadable-payload", "size_bytes": 0}, "PreCompact hook: what Claude Code sent cannot be read (0 bytes); nothing was done"),
        ({"event": "Stop", "error": "OSError", "message": "no room", "where": "edge.py:12"}, "error in the Stop hook: no room (OSError, edge.py:12)"),
        ({"event": "learn", "error": "KeyError", "message": "", "where": "worker.py:3", "job": 1}, "error in learning (KeyError, worker.py:3)"),
        ({"event": "state-set-aside", "corrupt": "state.db.broken-1"}, "state.db was broken: set aside as state.db.broken-1, a new one was begun"),
        ({"event": "judge", "decision": "asking", "level": "debug", "models": "a/b"}, "judge: asking: a/b"),
        ({"event": "Later", "decision": "new", "facts": ["a", "b"], "none": "", "zero": 0}, "Later new facts=a, b zero=0"),
        ({}, ""),
    ],
)  # fmt: skip
def test_a_line_says_in_plain_words_what_was_decided(ace: Ace, row: dict, words: str) -> None:
    ace.host.home.mkdir(parents=True, exist_ok=True)
    whole = {"at": "2026-11-22T14:16:20Z", "session": "ab", **row}
    (ace.host.home / "log.jsonl").write_text(json.dumps(whole) + "\n")

    assert (
        ace("log").out
        == f"{local(whole['at'], to_the_second=True)}  ab        {words}".rstrip() + "\n"
    )
    assert ace("log", "--json").json["lines"] == [whole]


def test_every_decision_that_is_written_has_its_words() -> None:
    """A line that a person reads is no event's name with fields: whoever writes a new one says it in `log_page` too."""
    written = {
        (event or of_hook, decision)
        for path in (ROOT / "src" / "ace_reflect").rglob("*.py")
        for of_hook, event, decision in _decisions(path)
    }

    assert len(written) > 20
    assert [
        pair
        for pair in written
        if in_words({"event": pair[0], "decision": pair[1]}) == " ".join(pair).strip()
    ] == []


#: The module of each hook; what several of them log stands under any one.
_HOOKS = {
    "user_prompt_submit": "UserPromptSubmit", "inject": "UserPromptSubmit", "stop": "Stop", "stop_judge": "Stop", "edge": "Stop",
    "session_start": "SessionStart", "session_end": "SessionEnd", "pre_compact": "PreCompact", "assess": "Assess", "assess_stop": "Assess",
}  # fmt: skip


def _decisions(path: Path) -> Iterator[tuple[str, str, str]]:
    """(the hook whose module it is, the event that is named, the decision) of each call that logs, as far as they are literal."""
    text = path.read_text()
    hook = _HOOKS.get(path.stem, "")
    for first, other, silence in re.findall(
        r'event\.log\("([\w-]+)"(?: if \w+ else "([\w-]+)")?|_note_silence\(event, "([\w-]+)"', text
    ):
        yield from ((hook, "", decision) for decision in (first, other, silence) if decision)
    for event, decision in re.findall(
        r'log\.write\(\s*[\w.]+,\s*(?:"([\w-]+)"|name),.*?decision="([\w-]+)"', text
    ):
        yield hook, event, decision
