"""Sessions, prompts, injections: what one hook leaves for the next."""

import time
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ace_reflect.evidence.facts import Edit, Ledger, Turn
from ace_reflect.state import cache, claims, processes, prompts, sessions, usage
from ace_reflect.state.db import State


def test_touching_a_session_keeps_what_is_not_given_and_wakes_one_that_had_ended(
    state: State,
) -> None:
    sessions.touch(state, "s", project="/p", transcript="/t.jsonl", process="1:2")
    sessions.end(state, "s")
    sessions.touch(state, "s")
    found = sessions.get(state, "s")
    assert found is not None
    assert (found.project, found.transcript) == ("/p", "/t.jsonl")
    assert (found.process, found.ended_at, found.skipped) == ("1:2", None, False)


def test_a_session_is_found_by_the_beginning_of_its_id_where_that_names_one(state: State) -> None:
    for name in ("abc", "abcd", "b"):
        sessions.touch(state, name, project="/p")
    found = {said: sessions.starting_with(state, said) for said in ("", "ab", "abc", "b", "x")}
    assert found == {"": [], "ab": ["abc", "abcd"], "abc": ["abc"], "b": ["b"], "x": []}


def test_skips_and_what_stops_came_to_are_remembered(state: State) -> None:
    sessions.touch(state, "s", project="/p")
    assert sessions.skip(state, "s")
    sessions.save_history(state, "s", '{"attempts": 1}')
    found = sessions.newest(state, "/p")
    assert found is not None
    assert found.skipped
    assert sessions.history(state, "s") == '{"attempts": 1}'
    assert sessions.history(state, "unknown") == ""
    assert not sessions.skip(state, "unknown")


def test_the_histories_of_a_projects_earlier_sessions_come_newest_first(state: State) -> None:
    for name in ("a", "b", "c", "d"):
        sessions.touch(state, name, project="/other" if name == "c" else "/p")
        sessions.save_history(state, name, "" if name == "b" else name)
    sessions.touch(state, "e", project="/p")
    assert sessions.earlier_histories(state, "/p", "e", 2) == ["d", "a"]
    assert sessions.earlier_histories(state, "/p", "d", 2) == ["a"]


def test_a_gate_that_became_a_note_is_told_once(state: State) -> None:
    sessions.note_gate(state, "/p", "tests")
    sessions.note_gate(state, "/p", "tests")
    assert sessions.noted_gates(state, "/p") == ("tests",)
    assert sessions.noted_gates(state, "/other") == ()
    assert sessions.untold_notes(state, "/p") == ("tests",)
    assert sessions.untold_notes(state, "/p") == ()


def test_a_prompt_is_noted_once_for_each_id_and_the_latest_is_current(state: State) -> None:
    first = prompts.note(state, "s", "p1", "one")
    assert prompts.note(state, "s", "p1", "again") == first
    prompts.update(state, first, attempts=2, end_state="incomplete")
    assert prompts.current(state, "s") is not None
    prompts.note(state, "s", None, "two")
    prompts.note(state, "s", None, "three")
    row = prompts.current(state, "s")
    assert row is not None
    assert (row.text, row.attempts, row.end_state) == ("three", 0, "")
    assert prompts.ensure(state, "other").text == ""


def test_a_ledger_is_kept_as_bytes_and_unchanged_compares_the_file_alone(state: State) -> None:
    stored = sessions.StoredLedger(
        device=1, inode=2, size=3, mtime_ns=4, cursor="{}", ledger=b"\x00l", builder=b"b"
    )
    sessions.save_ledger(state, "s", stored)
    assert sessions.load_ledger(state, "s") == stored
    assert sessions.unchanged(state, "s", (1, 2, 3, 4))
    assert not sessions.unchanged(state, "s", (1, 2, 3, 5))
    assert sessions.load_ledger(state, "other") is None


_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=40),
    lambda inner: (
        st.lists(inner, max_size=5) | st.dictionaries(st.text(max_size=8), inner, max_size=5)
    ),
    max_leaves=20,
)


@given(st.dictionaries(st.text(max_size=8), _values, max_size=8))
def test_what_is_packed_comes_back(data: dict[str, Any]) -> None:
    assert sessions.unpacked(sessions.packed(data)) == data


def test_much_is_compressed() -> None:
    much = {"a": ["x" * 1_000_001]}
    assert len(sessions.packed(much)) < 6_000
    assert sessions.unpacked(sessions.packed(much)) == much


def test_a_ledger_comes_back_with_its_records() -> None:
    edits = tuple(
        Edit(line=number, turn=1, path=f"src/m{number}.py", tool="Edit", kind="code")
        for number in range(3)
    )
    turns = (Turn(number=1, line=1, last_line=3, prompt="a\ud800b"),)
    ledger = Ledger(session_id="s", turns=turns, edits=edits, subagents=2)
    assert Ledger.from_json(sessions.unpacked(sessions.packed(ledger.__dict__))) == ledger


@pytest.mark.parametrize("raw", [b"", b"{", b"[1]x", b"x\x9c\x00"])
def test_what_was_not_packed_is_an_error_that_the_caller_knows(raw: bytes) -> None:
    with pytest.raises(ValueError, match=r"."):
        sessions.unpacked(raw)


def test_what_was_compacted_away_may_come_again_and_could_still_have_been_cited(
    state: State,
) -> None:
    prompts.add_injected(state, "s", "/b", ["pat-001", "pat-002"])
    prompts.forget_injected(state, "s")
    prompts.add_injected(state, "s", "/b", ["pat-002"])
    assert prompts.injected(state, "s") == {("/b", "pat-002")}
    assert prompts.ever_injected(state, "s") == {"pat-001", "pat-002"}
    assert prompts.injected(state, "another session") == frozenset()


def test_a_fork_has_its_parents_key_points(state: State) -> None:
    sessions.touch(state, "parent", project="/p")
    sessions.touch(state, "fork", project="/p")
    prompts.add_injected(state, "parent", "/b", ["pat-001"])
    assert sessions.likely_parent(state, "fork", "/p", time.time()) == "parent"
    prompts.inherit_injected(state, "parent", "fork")
    assert prompts.injected(state, "fork") == {("/b", "pat-001")}
    assert sessions.likely_parent(state, "fork", "/p", time.time() - 100) is None
    sessions.touch(state, "other", project="/p")
    assert sessions.likely_parent(state, "fork", "/p", time.time()) is None, "two fit"


def test_only_sessions_without_a_job_that_stands_are_swept(state: State) -> None:
    from ace_reflect.state import jobs

    for name in ("quiet", "queued", "done"):
        sessions.touch(state, name, project="/p", transcript=f"/{name}.jsonl")
    jobs.enqueue(state, "done", "/done.jsonl", project="/p", reason="pre_compact", final=False)
    job = jobs.take(state, processes.name())
    assert job is not None
    jobs.finish(state, job, "")
    jobs.enqueue(state, "queued", "/queued.jsonl", project="/p", reason="session_end", final=True)
    assert {session.id for session in sessions.maybe_dead(state, time.time() + 1)} == {
        "quiet",
        "done",
    }


def test_small_tables_give_back_what_they_got(state: State) -> None:
    claims.put_decision(state, "k", "s", "block", needs_model=True)
    assert claims.decision(state, "k") == ("block", True)
    assert claims.decision(state, "other") is None
    cache.put(state, "kind", "key", "identity", b"x")
    assert cache.get(state, "kind", "key", "identity") == b"x"
    assert cache.get(state, "kind", "key", "other") is None
    cache.drop(state, "kind", "key")
    assert cache.get(state, "kind", "key", "identity") is None
    cache.trust(state, "/f", "h")
    assert cache.trusted_hash(state, "/f") == "h"
    assert cache.revoke_trust(state, "/f")
    assert cache.trusted_hash(state, "/f") is None
    usage.add(state, "judge", "anthropic/x", 100, 20, cost_usd=0.5, session_id="s")
    usage.add(state, "judge", "ollama/y", 7, 3)
    assert usage.tokens_today(state) == 130
    assert usage.by_model(state, "s") == [("judge", "anthropic/x", 1, 100, 20, 0.5)]
    assert len(usage.by_model(state)) == 2
