"""kill -9 at random instants of every writer: what was asked for is there once, and nothing is half there."""

import json
import os
from functools import partial

import pytest

from ace_reflect.evidence.facts import Ledger
from ace_reflect.evidence.ledger import read_ledger
from ace_reflect.state import inbox, jobs, record, sessions
from ace_reflect.state.db import open_state
from ace_reflect.state.sessions import unpacked
from support.faults import (
    PASSED,
    add_turn,
    counted,
    enqueue,
    kill_rounds,
    known,
    session_of,
    settled,
    sound,
    texts,
)
from support.stops import python_project


@kill_rounds(12, 150)
def test_a_prompt_is_noted_once_and_gets_its_key_points_once(rounds, host, nursery, killer) -> None:
    """What the kill took along, the same event does again; what was committed is not answered twice."""
    for number in range(rounds):
        payload = host.payload(
            "UserPromptSubmit", prompt="hello", prompt_id=f"p{number}", session_id=f"s{number}"
        )
        killer(partial(nursery.hook, "UserPromptSubmit", payload))
        with host.state() as state:
            noted = state.one("SELECT count(*) FROM prompts WHERE session = ?", (f"s{number}",))
            injected = state.one("SELECT count(*) FROM injected WHERE session = ?", (f"s{number}",))
        assert noted == injected, "noted and injected together, or neither"
        again = nursery.hook("UserPromptSubmit", payload)
        assert ("pat-001" in again.out) == (noted == (0,))
    with host.state() as state:
        assert state.one("SELECT count(*), count(DISTINCT session) FROM prompts") == (
            rounds,
            rounds,
        )
        assert state.one("SELECT count(*) FROM injected") == (rounds,)
    sound(host)
    killer.enough()


@kill_rounds(14, 150)
def test_a_killed_stop_costs_no_fact_and_doubles_none(rounds, host, nursery, killer) -> None:
    """Whatever was killed in between: the ledger that the last stop judges by is that of the whole transcript."""
    session = session_of(host, 0)
    nursery.hook(
        "UserPromptSubmit", host.payload("UserPromptSubmit", prompt="Fix it", prompt_id="p")
    )
    for number in range(rounds):
        add_turn(session).bash("make lint", f"line {number}", exit_code=number % 2).write()
        payload = host.payload(
            "Stop", session_id=session.session_id, last_assistant_message=f"Done {number}."
        )
        killer(partial(nursery.hook, "Stop", payload))
        sound(host)
    session.say("All of it.").write()
    last = nursery.hook(
        "Stop", host.payload("Stop", session_id=session.session_id, last_assistant_message="All.")
    )
    assert (last.code, last.err) == (0, "")
    with host.state() as state:
        stored = sessions.load_ledger(state, session.session_id)
        attempts = state.one("SELECT max(attempts) FROM prompts")
    assert stored is not None
    kept = Ledger.from_json(unpacked(stored.ledger)).to_json()
    whole = Ledger.from_json(read_ledger(str(session.path), final=False).to_json()).to_json()
    assert kept == whole
    assert attempts is not None
    assert attempts[0] <= 3
    killer.enough()


@kill_rounds(8, 100)
def test_the_stop_after_one_that_the_host_ended_at_its_timeout_is_judged_right(
    rounds, host, nursery, killer
) -> None:
    """SIGTERM in the middle of a Stop: an edit without a test is blocked the next time, a proven one stands."""
    python_project(host)
    session = session_of(host, 0)
    fields = {"session_id": session.session_id}
    for number in range(rounds):
        prompt = host.payload("UserPromptSubmit", prompt="Fix it", prompt_id=f"p{number}", **fields)
        assert nursery.hook("UserPromptSubmit", prompt).code == 0
        session.prompt("Fix it").edit(f"{session.cwd}/src/a{number}.py")
        for run in (False, True):
            if run:
                session.bash("pytest -q", PASSED)
            session.say(f"Done, part {number}.").write()
            payload = host.payload(
                "Stop", last_assistant_message=f"Done, part {number}.", proven=run, **fields
            )
            ended = killer(partial(nursery.hook, "Stop", payload, signal=15))
            assert ended.out == "" or isinstance(ended.json, dict), "whole or nothing"
            payload["stop_hook_active"] = True
            last = nursery.hook("Stop", payload)
            assert (last.code, last.err) == (0, "")
            assert (last.json.get("decision") == "block") is not run, (number, run, host.log()[-4:])
        sound(host)
    killer.enough()


@kill_rounds(10, 100)
@pytest.mark.parametrize("event", ["PreCompact", "SessionEnd"])
def test_a_killed_end_of_a_session_is_learned_from_once(
    event, rounds, host, nursery, killer
) -> None:
    """A job stands or it does not. Where it does not, the sweep finds the session, whose process is gone."""
    for number in range(rounds):
        session = session_of(host, 2, number)
        with host.state() as state:
            known(state, host, session)
        payload = host.payload(event, session_id=session.session_id, reason="other", trigger="auto")
        killer(partial(nursery.hook, event, payload))
        with host.state() as state:
            queued = state.one("SELECT count(*) FROM jobs WHERE session = ?", (session.session_id,))
        assert queued in {(0,), (1,)}
    settled(host, nursery)
    settled(host, nursery)
    assert counted(host) == (2 * rounds,) * 3
    sound(host)
    killer.enough()


@kill_rounds(10, 80)
def test_after_a_killed_start_of_a_compacted_session_the_key_points_come_with_the_next(
    rounds, host, nursery, killer
) -> None:
    nursery.hook(
        "UserPromptSubmit", host.payload("UserPromptSubmit", prompt="hello", prompt_id="p")
    )
    for number in range(rounds):
        payload = host.payload("SessionStart", source="compact", round=number)
        killer(partial(nursery.hook, "SessionStart", payload))
        again = nursery.hook(
            "SessionStart", host.payload("SessionStart", source="compact", round=-number - 1)
        )
        assert "pat-001" in again.out, "a compacted conversation holds none of them"
        with host.state() as state:
            assert state.all("SELECT key_point, gone FROM injected") == [("pat-001", 0)]
    sound(host)
    killer.enough()


@kill_rounds(12, 150)
def test_a_killed_worker_loses_and_doubles_nothing(rounds, host, nursery, killer) -> None:
    for number in range(rounds):
        enqueue(host, session_of(host, 2, number))
        killer(nursery.worker)
    settled(host, nursery)
    assert counted(host) == (2 * rounds,) * 3
    sound(host)
    killer.enough()


@kill_rounds(12, 150)
def test_a_killed_run_loses_and_doubles_nothing(rounds, host, nursery, killer) -> None:
    for number in range(rounds):
        session = session_of(host, 2, number)
        killer(partial(nursery.command, "run", session.path, "--offline"))
        again = nursery.command("run", session.path, "--offline", "--json")
        assert again.code == 0, again.err + again.out
    assert counted(host) == (2 * rounds,) * 3
    sound(host)
    killer.enough()


@kill_rounds(8, 80)
def test_a_killed_import_is_whole_when_it_is_done_again(rounds, host, nursery, killer) -> None:
    wanted = ["Run the tests."]
    for number in range(rounds):
        source = host.root / "other.json"
        rows = [
            {
                "name": f"oth-{n:03d}",
                "text": f"Imported rule {number}-{n}.",
                "helpful": n,
                "harmful": 0,
            }
            for n in range(1, 4)
        ]
        host.write_playbook({"OTHERS": rows}, source)
        killer(partial(nursery.command, "playbook", "import", source))
        assert nursery.command("playbook", "import", source).code == 0
        wanted += [row["text"] for row in rows]
        assert sorted(texts(host)) == sorted(wanted)
    data = json.loads(host.playbook.read_text())
    assert [row["helpful"] for row in data["sections"]["OTHERS"]] == [1, 2, 3] * rounds
    sound(host)
    killer.enough()


@kill_rounds(10, 100)
def test_a_killed_promotion_leaves_the_key_point_somewhere_and_its_votes_once(
    rounds, host, nursery, killer
) -> None:
    own = host.home / "playbook.json"
    for number in range(rounds):
        text = f"For every project, number {number}."
        data = json.loads(host.playbook.read_text())
        data["sections"]["OTHERS"] = [
            {"name": f"oth-{number + 1:03d}", "text": text, "helpful": 3, "harmful": 1}
        ]
        host.playbook.write_text(json.dumps(data))
        name = f"oth-{number + 1:03d}"
        killer(partial(nursery.command, "playbook", "promote", name))
        settled(host, nursery)
        assert (text in texts(host)) or (text in texts(host, own)), "in both, but never in neither"
        if text in texts(host):
            assert nursery.command("playbook", "promote", name).code == 0
        assert text not in texts(host)
    data = json.loads(own.read_text())
    rows = [row for section in data["sections"].values() for row in section]
    assert [row["text"] for row in rows] == [
        f"For every project, number {number}." for number in range(rounds)
    ]
    assert {(row["helpful"], row["harmful"]) for row in rows} == {(3, 1)}, (
        "its votes went with it once"
    )
    sound(host)
    killer.enough()


@kill_rounds(10, 100)
def test_a_killed_acceptance_is_done_again_and_taken_in_once(rounds, host, nursery, killer) -> None:
    for number in range(rounds):
        text = f"Waiting rule, number {number}."
        with open_state(str(host.home)) as state:
            record.write(
                state,
                str(host.playbook),
                record.Rows(waiting=(record.Waiting(section="OTHERS", text=text, source="read"),)),
            )
            (waiting,) = inbox.waiting(state)
        killer(partial(nursery.command, "review", "accept", waiting["id"]))
        settled(host, nursery)
        with host.state() as state:
            still = inbox.waiting(state)
        if still:
            again = nursery.command("review", "accept", waiting["id"])
            assert again.code == 0, again.err
        with host.state() as state:
            assert inbox.waiting(state) == []
        assert texts(host).count(text) == 1
    sound(host)
    killer.enough()


@kill_rounds(12, 120)
def test_a_killed_install_leaves_settings_that_the_host_can_read(
    rounds, host, nursery, killer
) -> None:
    settings = host.root / ".claude" / "settings.json"
    settings.parent.mkdir(parents=True, exist_ok=True)
    theirs = {
        "permissions": {"allow": ["Bash(ls:*)"]},
        "hooks": {"Stop": [{"hooks": [{"type": "command", "command": "true"}]}]},
    }
    for number in range(rounds):
        original = json.dumps({**theirs, "round": number}, indent=2) + "\n"
        settings.write_text(original)
        killer(partial(nursery.command, "install", "--yes", "--workflow", "local"))
        found = json.loads(settings.read_text())
        assert {key: found[key] for key in ("permissions", "round")} == {
            "permissions": theirs["permissions"],
            "round": number,
        }
        assert nursery.command("install", "--yes", "--workflow", "local").code == 0
        found = json.loads(settings.read_text())
        assert [len(found["hooks"][event]) for event in ("Stop", "SessionEnd")] == [2, 1]
        assert (host.home / "reflection.yaml").read_text() == "workflow: local\n"
        assert (settings.parent / "settings.json.before-ace-reflect").read_text() == original
        if number % 2:
            killer(partial(nursery.command, "uninstall"))
        assert nursery.command("uninstall").code == 0
        assert json.loads(settings.read_text()) == json.loads(original)
        (host.home / "reflection.yaml").unlink()
    left = [
        name
        for name in os.listdir(settings.parent)
        if name not in {"settings.json", "settings.json.before-ace-reflect"}
    ]
    assert left == [], "nothing of ours is left beside the person's settings"
    killer.enough()


def test_a_session_that_grows_while_it_is_killed_over_and_over_counts_each_turn_once(
    host, nursery, killer
) -> None:
    """PreCompact, Stop, SessionEnd and the worker in turn, each of them killed, on one growing transcript."""
    session = session_of(host, 0)
    with host.state() as state:
        known(state, host, session)
    for number in range(8):
        add_turn(session).write()
        for event in ("Stop", "PreCompact", "SessionEnd"):
            payload = host.payload(
                event, session_id=session.session_id, trigger="auto", reason="other", round=number
            )
            killer(partial(nursery.hook, event, payload))
        killer(nursery.worker)
    nursery.hook(
        "SessionEnd",
        host.payload("SessionEnd", session_id=session.session_id, reason="other", round="last"),
    )
    settled(host, nursery)
    assert counted(host) == (8, 8, 8)
    with host.state() as state:
        assert jobs.counts(state).keys() <= {"done"}
    sound(host)
