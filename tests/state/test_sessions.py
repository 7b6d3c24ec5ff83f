"""Sessions, prompts, injections: what one hook leaves for the next."""

import os
import time
from pathlib import Path

import pytest

from ace_reflect.install.settings_file import read_settings, write_settings
from ace_reflect.state import cache, injections, processes, prompts, sessions, stops, trust, usage
from ace_reflect.state.db import State, open_state


@pytest.fixture
def state(tmp_path: Path) -> State:
    return open_state(str(tmp_path / "home"))


def test_touching_a_session_keeps_what_is_not_given_and_wakes_one_that_had_ended(
    state: State,
) -> None:
    sessions.touch(state, "s", project="/p", transcript="/t.jsonl", source="startup", process="1:2")
    sessions.end(state, "s")
    sessions.touch(state, "s", source="resume")
    found = sessions.get(state, "s")
    assert found is not None
    assert (found.project, found.transcript, found.source, found.process, found.ended_at) == (
        "/p",
        "/t.jsonl",
        "resume",
        "1:2",
        None,
    )


def test_a_session_id_of_any_length_is_cut_the_same_way_everywhere(state: State) -> None:
    long = "x" * 5000
    sessions.touch(state, long)
    assert sessions.skip(state, long)
    assert sessions.get(state, long) is not None


def test_skips_and_what_stops_came_to_are_remembered(state: State) -> None:
    sessions.touch(state, "s", project="/p")
    sessions.skip(state, "s")
    assert sessions.history(state, "s") == ""
    sessions.save_history(state, "s", '{"attempts": 1}')
    found = sessions.get(state, "s")
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
    prompts.update(state, first, attempts=2, verdict="{}")
    assert prompts.current(state, "s") is not None
    prompts.note(state, "s", None, "two")
    prompts.note(state, "s", None, "three")
    row = prompts.current(state, "s")
    assert row is not None
    assert (row.text, row.attempts, row.verdict) == ("three", 0, None)
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


def test_what_was_compacted_away_may_come_again_and_could_still_have_been_cited(
    state: State,
) -> None:
    injections.add(state, "s", "/b", ["pat-001", "pat-002"])
    injections.forget(state, "s")
    injections.add(state, "s", "/b", ["pat-002"])
    assert injections.known(state, "s") == {("/b", "pat-002")}
    assert injections.ever(state, "s") == {"pat-001", "pat-002"}
    assert injections.known(state, "another session") == frozenset()


def test_a_fork_has_its_parents_key_points(state: State) -> None:
    sessions.touch(state, "parent", project="/p")
    sessions.touch(state, "fork", project="/p")
    injections.add(state, "parent", "/b", ["pat-001"])
    assert sessions.likely_parent(state, "fork", "/p", time.time()) == "parent"
    injections.inherit(state, "parent", "fork")
    assert injections.known(state, "fork") == {("/b", "pat-001")}


def test_two_sessions_that_could_be_the_parent_mean_none(state: State) -> None:
    for name in ("one", "two", "fork"):
        sessions.touch(state, name, project="/p")
    assert sessions.likely_parent(state, "fork", "/p", time.time()) is None
    assert sessions.likely_parent(state, "fork", "/p", time.time() - 100) is None


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


def test_a_process_is_known_by_its_start_not_by_its_number_alone() -> None:
    assert processes.alive(processes.name())
    assert not processes.alive(f"{os.getpid()}:1")
    assert not processes.alive("")
    assert not processes.alive("nonsense")
    assert not processes.alive("99999999999999999999:1")
    assert processes.name(2**31 - 1) == ""


def test_where_there_is_no_proc_a_process_is_known_by_its_start_as_well(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(processes, "_PROC", "/nowhere")
    me, parent = processes.name(), processes.name(os.getppid())
    assert me.startswith(f"{os.getpid()}:")
    assert me.endswith(time.strftime("%Y", time.gmtime()))
    assert parent.startswith(f"{os.getppid()}:")
    assert processes.alive(parent)
    assert not processes.alive(f"{os.getpid()}:MonJan100:00:002001"), (
        "the number was given to another process"
    )
    assert processes.name(2**31 - 1) == ""


def test_a_file_of_a_process_that_runs_stays_where_there_is_no_proc(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(processes, "_PROC", "/nowhere")
    mine, other = processes.name().replace(":", "-"), f"{os.getpid()}-MonJan100-00-002001"
    for owner in (mine, other):
        (tmp_path / f".ace-reflect-{owner}.x.tmp").touch()

    write_settings(read_settings(str(tmp_path / "settings.json")), {"a": 1})

    assert {path.name for path in tmp_path.iterdir()} == {
        "settings.json",
        f".ace-reflect-{mine}.x.tmp",
    }


def test_small_tables_give_back_what_they_got(state: State) -> None:
    stops.put(state, "k", "s", "block", needs_model=True, data="{}")
    assert stops.get(state, "k") == ("block", True, "{}")
    assert stops.get(state, "other") is None
    cache.put(state, "kind", "key", "identity", b"x")
    assert cache.get(state, "kind", "key", "identity") == b"x"
    assert cache.get(state, "kind", "key", "other") is None
    cache.drop(state, "kind", "key")
    assert cache.get(state, "kind", "key", "identity") is None
    trust.trust(state, "/f", "h")
    assert trust.trusted_hash(state, "/f") == "h"
    assert trust.revoke(state, "/f")
    assert trust.trusted_hash(state, "/f") is None
    usage.add(state, "judge", "anthropic/x", 100, 20, cost_usd=0.5, session_id="s")
    usage.add(state, "judge", "ollama/y", 7, 3)
    assert usage.tokens_today(state) == 130
    assert usage.by_model(state, "s") == [("judge", "anthropic/x", 1, 100, 20, 0.5)]
    assert len(usage.by_model(state)) == 2
