"""Sessions, prompts, injections: what one hook leaves for the next."""

from ace_reflect.state import sessions


def test_touching_a_session_keeps_what_is_not_given_and_wakes_one_that_had_ended(state):
    sessions.touch(state, "s", project="/p", transcript="/t.jsonl", process="1:2")
    sessions.end(state, "s")
    sessions.touch(state, "s")
    found = sessions.get(state, "s")
    assert found is not None
    assert (found.project, found.transcript) == ("/p", "/t.jsonl")
    assert (found.process, found.ended_at, found.skipped_at) == ("1:2", None, None)


def test_what_was_compacted_away_may_come_again_and_could_still_have_been_cited(state):
    sessions.add_injected(state, "s", "/b", ["pat-001", "pat-002"])
    sessions.forget_injected(state, "s")
    sessions.add_injected(state, "s", "/b", ["pat-002"])
    assert sessions.injected(state, "s") == {("/b", "pat-002")}
    assert sessions.injected(state, "s", ever=True) == {("/b", "pat-001"), ("/b", "pat-002")}
    assert sessions.injected(state, "another session") == frozenset()
