"""kill -9 at random instants of every writer: what was asked for is there once, and nothing is half there."""

import json
import os

import pytest

from ace_reflect.state import record
from support import faults
from support.faults import PASSED, counted, kill_rounds, session_of, settled, texts
from support.playbooks import point
from support.stops import python_project


@kill_rounds(8, 150)
def test_a_prompt_is_noted_once_and_gets_its_key_points_once(rounds, host, nursery, killer):
    """What the kill took along, the same event does again; what was committed is not answered twice."""
    for number in range(rounds):
        name = f"s{number}"
        fields = {"prompt": "Fix it", "prompt_id": f"p{number}", "session_id": name}
        killer(nursery.event, "UserPromptSubmit", **fields)
        with host.state() as state:
            noted = state.one("SELECT count(*) FROM prompts WHERE session = ?", (name,))
            injected = state.one("SELECT count(*) FROM injected WHERE session = ?", (name,))
        assert noted == injected, "noted and injected together, or neither"
        again = nursery.event("UserPromptSubmit", **fields)
        assert ("pat-001" in again.out) == (noted == (0,))
    with host.state() as state:
        for table in ("prompts", "injected"):
            counts = state.one(f"SELECT count(*), count(DISTINCT session) FROM {table}")
            assert counts == (rounds, rounds)


@kill_rounds(5, 100)
@pytest.mark.parametrize("signal", [9, 15])
def test_the_stop_after_a_killed_one_is_judged_by_all_facts(signal, rounds, host, nursery, killer):
    """An edit without a test is blocked the next time, a proven one stands; no fact is lost or doubled."""
    python_project(host)
    session = session_of(host, 0)
    name = {"session_id": session.session_id}
    for number in range(rounds):
        nursery.event("UserPromptSubmit", prompt="Fix it", prompt_id=f"p{number}", **name)
        session.prompt("Fix it").edit(f"{session.cwd}/src/a{number}.py")
        for proven in (False, True):
            if proven:
                session.bash("pytest -q", PASSED)
            session.say(f"Done, part {number}.").write()
            fields = {"last_assistant_message": f"Done, part {number}.", "proven": proven, **name}
            ended = killer(nursery.event, "Stop", signal=signal, **fields)
            assert ended.out == "" or isinstance(ended.json, dict), "whole or nothing"
            last = ended
            with host.state() as state:  # where it had decided, only its words are lost
                end = state.value("SELECT end_state FROM prompts ORDER BY id DESC LIMIT 1")
            if ended.killed and (proven or end != "incomplete"):
                last = nursery.event("Stop", stop_hook_active=True, **fields)
            said = ended.killed and last is ended
            assert said or (last.json.get("decision") == "block") is not proven, host.log()[-4:]
            faults.same_ledger(host, session.session_id)
        faults.sound(host)
    with host.state() as state:
        assert state.value("SELECT max(attempts) FROM prompts") <= 3


@kill_rounds(8, 100)
@pytest.mark.parametrize("event", ["PreCompact", "SessionEnd"])
def test_a_session_whose_end_was_killed_is_learned_from_once(event, rounds, host, nursery, killer):
    """A job stands or it does not. Where it does not, the sweep finds the session, whose process is gone."""
    for number in range(rounds):
        session = session_of(host, 2, number)
        with host.state() as state:
            faults.known(state, session)
        name = session.session_id
        killer(nursery.event, event, session_id=name, reason="other", trigger="auto")
        with host.state() as state:
            queued = state.one("SELECT count(*) FROM jobs WHERE session = ?", (name,))
        assert queued in {(0,), (1,)}
        killer(nursery.worker)
    settled(host, nursery)
    settled(host, nursery)
    assert counted(host) == (2 * rounds,) * 3


@kill_rounds(8, 80)
def test_after_a_killed_compact_start_key_points_come_with_the_next(rounds, host, nursery, killer):
    nursery.event("UserPromptSubmit", prompt="Fix it", prompt_id="p")
    for number in range(rounds):
        killer(nursery.event, "SessionStart", source="compact", round=number)
        again = nursery.event("SessionStart", source="compact", round=-number - 1)
        assert "pat-001" in again.out, "a compacted conversation holds none of them"
        with host.state() as state:
            assert state.all("SELECT key_point, gone FROM injected") == [("pat-001", 0)]


# ------------------------------------------------------------------ commands: the words, what comes of them, what is left


def running(host, number):
    return ("run", session_of(host, 2, number).path, "--offline"), [], lambda: True


def importing(host, number):
    wanted = [(host.playbook, f"Rule {number}-{n}.", n, 0) for n in range(3)]
    rows = [point(f"oth-{n:03d}", text, n) for n, (_, text, _, _) in enumerate(wanted)]
    source = host.write_playbook({"OTHERS": rows}, host.root / "other.json")
    return ("playbook", "import", source), wanted, lambda: True


def promoting(host, number):
    name, text, own = f"oth-{number + 1:03d}", f"Rule {number}.", host.home / "playbook.json"
    data = json.loads(host.playbook.read_text())
    data["sections"]["OTHERS"] = [point(name, text, 3, 1)]
    host.playbook.write_text(json.dumps(data))

    def left():
        assert text in [*texts(host), *texts(host, own)], "in both, but never in neither"
        return text in texts(host)

    return ("playbook", "promote", name), [(own, text, 3, 1)], left


def accepting(host, number):
    waiting = record.Waiting(section="OTHERS", text=f"Rule {number}.", source="read")
    with host.state() as state:
        record.write(state, str(host.playbook), record.Rows(waiting=(waiting,)))
        (item,) = record.waiting(state)

    def left():
        with host.state() as state:
            return record.waiting(state) != []

    return ("review", "accept", item["id"]), [(host.playbook, waiting.text, 0, 0)], left


@kill_rounds(6, 100)
@pytest.mark.parametrize("asked", [running, importing, promoting, accepting])
def test_what_a_killed_command_was_to_do_is_there_once_again(asked, rounds, host, nursery, killer):
    wanted = []
    for number in range(rounds):
        words, rows, left = asked(host, number)
        wanted += rows
        killer(nursery.command, *words)
        if asked is not running:
            settled(host, nursery)
        if left():
            again = nursery.command(*words)
            assert again.code == 0, again.err
        assert not left() or asked in {running, importing}
    found = []
    for path in (host.playbook, host.home / "playbook.json"):
        data = json.loads(path.read_text()) if path.exists() else {"sections": {}}
        for row in (row for rows in data["sections"].values() for row in rows):
            if row["name"] != "pat-001":
                found.append((path, row["text"], row["helpful"], row["harmful"]))
    assert found == wanted
    assert counted(host) == (2 * rounds if asked is running else 0,) * 3


@kill_rounds(6, 120)
def test_a_killed_install_leaves_settings_that_the_host_can_read(rounds, host, nursery, killer):
    settings = host.root / ".claude" / "settings.json"
    settings.parent.mkdir(parents=True)
    copy = settings.parent / "settings.json.before-ace-reflect"
    install = ("install", "--yes", "--workflow", "local")
    theirs = {"permissions": {"allow": ["Bash(ls:*)"]}}
    theirs["hooks"] = {"Stop": [{"hooks": [{"type": "command", "command": "true"}]}]}
    for number in range(rounds):
        original = json.dumps({**theirs, "round": number}, indent=2) + "\n"
        settings.write_text(original)
        killer(nursery.command, *install)
        found = json.loads(settings.read_text())
        assert (found["permissions"], found["round"]) == (theirs["permissions"], number)
        assert nursery.command(*install).code == 0
        found = json.loads(settings.read_text())
        assert [len(found["hooks"][event]) for event in ("Stop", "SessionEnd")] == [2, 1]
        assert (host.home / "reflection.yaml").read_text() == "workflow: local\n"
        assert copy.read_text() == original
        if number % 2:
            killer(nursery.command, "uninstall")
        assert nursery.command("uninstall").code == 0
        assert json.loads(settings.read_text()) == json.loads(original)
        (host.home / "reflection.yaml").unlink()
    left = set(os.listdir(settings.parent)) - {settings.name, copy.name}
    assert not left, "nothing of ours is left beside the person's settings"
