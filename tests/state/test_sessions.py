"""Sessions, prompts, injections: what one hook leaves for the next."""

import time

from ace_reflect.state import prompts, sessions


def test_touching_a_session_keeps_what_is_not_given_and_wakes_one_that_had_ended(state):
    sessions.touch(state, "s", project="/p", transcript="/t.jsonl", process="1:2")
    sessions.end(state, "s")
    sessions.touch(state, "s")
    found = sessions.get(state, "s")
    assert found is not None
    assert (found.project, found.transcript) == ("/p", "/t.jsonl")
    assert (found.process, found.ended_at, found.skipped) == ("1:2", None, False)


def test_what_was_compacted_away_may_come_again_and_could_still_have_been_cited(state):
    prompts.add_injected(state, "s", "/b", ["pat-001", "pat-002"])
    prompts.forget_injected(state, "s")
    prompts.add_injected(state, "s", "/b", ["pat-002"])
    assert prompts.injected(state, "s") == {("/b", "pat-002")}
    assert prompts.ever_injected(state, "s") == {"pat-001", "pat-002"}
    assert prompts.injected(state, "another session") == frozenset()


def test_a_fork_has_its_parents_key_points(state):
    sessions.touch(state, "parent", project="/p")
    sessions.touch(state, "fork", project="/p")
    prompts.add_injected(state, "parent", "/b", ["pat-001"])
    assert sessions.likely_parent(state, "fork", "/p", time.time()) == "parent"
    prompts.inherit_injected(state, "parent", "fork")
    assert prompts.injected(state, "fork") == {("/b", "pat-001")}
    assert sessions.likely_parent(state, "fork", "/p", time.time() - 100) is None
    sessions.touch(state, "other", project="/p")
    assert sessions.likely_parent(state, "fork", "/p", time.time()) is None, "two fit"
