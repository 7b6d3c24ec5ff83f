"""A clock that jumps: back by an hour, a year, or forth into a far future and home again."""

import json
import os
import time

import pytest

from ace_reflect.playbook import history, store
from ace_reflect.playbook.store import Place
from ace_reflect.state import jobs
from support.faults import DEAD, add_turn, counted, enqueue, session_of, settled, sound, texts
from support.faults import known as note
from support.hooks import Host
from support.nursery import Nursery

HOUR, YEAR = 3600, 365 * 86400

#: The clock of one child, `shift` seconds from the machine's: `time` and what `datetime` makes of it.
SHIFTED = """
import datetime, time
real, real_ns = time.time, time.time_ns
time.time = lambda: real() + {shift}
time.time_ns = lambda: real_ns() + {shift} * 10**9
gmtime, strftime = time.gmtime, time.strftime
time.gmtime = lambda at=None: gmtime(time.time() if at is None else at)
time.strftime = lambda form, at=None: strftime(form, time.localtime(time.time()) if at is None else at)
class Shifted(datetime.datetime):
    @classmethod
    def now(cls, zone=None):
        return datetime.datetime.fromtimestamp(time.time(), zone)
import ace_reflect.playbook.store as store
store.datetime = Shifted
"""


def at(shift: int) -> dict[str, str]:
    return {"before": SHIFTED.format(shift=shift)}


@pytest.mark.parametrize("jump", [-HOUR, -YEAR, 5 * YEAR])
def test_a_session_over_a_jump_of_the_clock_is_learned_from_once(jump, host, nursery) -> None:
    session = session_of(host, 1)
    payload = {"session_id": session.session_id}
    nursery.hook("SessionStart", host.payload("SessionStart", source="startup", **payload))
    nursery.hook("SessionEnd", host.payload("SessionEnd", reason="other", **payload))
    assert nursery.worker().code == 0
    assert counted(host) == (1, 1, 1)
    for number in range(3):  # there, and home again, over and over
        add_turn(session).write()
        shift = at(jump) if number % 2 == 0 else at(0)
        end = host.payload("SessionEnd", reason="other", round=number, **payload)
        assert nursery.hook("SessionEnd", end, **shift).code == 0
        assert nursery.worker(**shift).code == 0
        assert counted(host) == (number + 2,) * 3
    assert nursery.worker(**at(0)).code == 0
    nursery.hook("SessionEnd", host.payload("SessionEnd", reason="other", round="last", **payload))
    assert nursery.worker().code == 0
    assert counted(host) == (4, 4, 4), (
        "what a worker of the future tidied away is not learned again"
    )
    sound(host)


@pytest.mark.parametrize("jump", [-HOUR, -YEAR])
def test_a_job_of_the_future_waits_no_longer_than_its_try(jump, host, nursery) -> None:
    """A job whose next try was set by a clock that was ahead must not wait for that clock."""
    session = session_of(host, 1)
    enqueue(host, session)
    host.playbook.write_text("{broken")
    assert nursery.worker(**at(-jump)).code == 0
    with host.state() as state:
        (job,) = jobs.listed(state)
        assert (job.state, job.tries) == ("queued", 1)
    host.playbook.unlink()
    assert nursery.worker().code == 0
    with host.state() as state:
        (job,) = jobs.listed(state)
        assert job.state == "done", "its time has come, or lies further off than any wait"


def test_a_lease_and_a_claim_of_the_future_hold_nobody_up(host: Host, nursery: Nursery) -> None:
    enqueue(host, session_of(host, 1))
    with host.state() as state:
        assert jobs.take(state, DEAD, now=time.time() + YEAR) is not None
    prompt = host.payload("UserPromptSubmit", prompt="hello", prompt_id="p")
    assert "pat-001" in nursery.hook("UserPromptSubmit", prompt, **at(YEAR)).out
    again = nursery.hook(
        "UserPromptSubmit",
        host.payload("UserPromptSubmit", prompt="hello", prompt_id="q", session_id="b"),
    )
    assert "pat-001" in again.out
    assert nursery.worker().code == 0
    assert counted(host) == (1, 1, 1)


@pytest.mark.parametrize("known", [True, False])
def test_a_dead_session_that_was_seen_in_the_future_is_swept(known, host, nursery) -> None:
    session = session_of(host, 1)
    with host.state() as state:
        note(state, host, session, DEAD if known else "")
        state.run("UPDATE sessions SET seen_at = seen_at + ?", (YEAR,))
    os.utime(str(session.path), (time.time() + YEAR,) * 2)
    settled(host, nursery)
    assert counted(host) == (1, 1, 1)


def test_the_last_change_is_the_last_whatever_the_clock_said(host: Host, nursery: Nursery) -> None:
    """Versions are in the order in which they were made: undo takes back the newest, and history keeps it."""
    assert nursery.command("playbook", "add", "Of the future.", **at(YEAR)).code == 0
    assert nursery.command("playbook", "add", "Of today.").code == 0
    listed = json.loads(nursery.command("playbook", "history", "--json").out)
    assert len(listed["versions" if "versions" in listed else "history"]) == 2
    assert nursery.command("playbook", "undo").code == 0
    assert texts(host) == ["Run the tests.", "Of the future."]
    assert nursery.command("playbook", "undo").code == 0
    assert texts(host) == ["Run the tests."]


def test_what_was_replaced_after_a_jump_back_is_kept_beside_a_hundred_versions_of_the_future(
    host,
) -> None:
    from datetime import UTC, timedelta

    place = Place(str(host.playbook), str(host.home))
    host.write_playbook({"OTHERS": []})
    real = store.datetime

    class Ahead(real):  # type: ignore[misc, valid-type]
        @classmethod
        def now(cls, zone=UTC):
            return real.now(zone) + timedelta(days=400)

    store.datetime = Ahead  # type: ignore[misc]
    try:
        for number in range(history.KEPT_VERSIONS + 3):
            store.change(place, lambda book, n=number: {**book, "n": n}, why=f"ahead {number}")
    finally:
        store.datetime = real  # type: ignore[misc]
    made = store.change(place, lambda book: {**book, "n": -1}, why="today")
    kept = history.versions(place.history_dir)
    assert kept[0].why == "today"
    assert kept[0].after_digest == made.after_digest
    with open(f"{place.history_dir}/{kept[0].id}.json", encoding="utf-8") as copy:
        assert json.load(copy)["n"] == history.KEPT_VERSIONS + 2


def test_a_record_after_a_jump_back_is_kept_beside_fifty_of_the_future(host, nursery) -> None:
    session = session_of(host, 0)
    for number in range(55):
        session.prompt("Fix it").edit(f"{session.cwd}/src/a{number}.py").bash(
            "pytest -q", "1 passed in 0.1s"
        )
        session.say(f"Done, number {number}.").write()
        payload = host.payload(
            "Stop", session_id=session.session_id, last_assistant_message=f"Done, number {number}."
        )
        assert nursery.hook("Stop", payload, **at(YEAR if number < 54 else 0)).code == 0
    names = [name.name for name in (host.project / ".reflection").glob("5e*.json")]
    stamps = sorted(int(name.removesuffix(".json").rpartition("_")[2]) for name in names)
    assert len(stamps) == 50
    assert stamps[0] < (time.time() + 60) * 1000
