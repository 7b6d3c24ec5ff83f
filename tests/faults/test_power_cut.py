"""The power goes at any instant of a writer: what is found afterwards is whole, and the next process finishes the rest."""

import json
import os
import shutil
import sys
from pathlib import Path

import pytest

from ace_reflect.cli.main import main
from ace_reflect.learning import worker
from ace_reflect.playbook.read import parse_playbook
from ace_reflect.state import intents
from ace_reflect.state.db import open_state
from support import figures
from support.faults import POINT, add_turn, counted, enqueue, known, session_of, sound, texts
from support.hooks import Host
from support.power import State, Tape, record

SCRIPTS = Path(__file__).parents[2] / "hooks"
CLI = "import sys; from ace_reflect.cli.main import main; sys.exit(main())"

pytestmark = pytest.mark.skipif(
    shutil.which("strace") is None and not os.environ.get("CI"),
    reason="the order of writes is recorded by strace",
)


def how_often(short: int) -> pytest.MarkDecorator:
    """All instants in the long run; in the short one each rename and removal, and every so-many-th of the rest."""
    return pytest.mark.parametrize(
        "every", [short, pytest.param(1, marks=[pytest.mark.long, pytest.mark.timeout(1800)])]
    )


@pytest.fixture
def ready(host: Host, monkeypatch: pytest.MonkeyPatch) -> Host:
    host.write_playbook({"PATTERNS & APPROACHES": [POINT]})
    for name, value in host.environment().items():
        monkeypatch.setenv(name, value)
    monkeypatch.chdir("/")
    return host


def recorded(
    host: Host, *arguments: str, stdin: bytes = b"", environ: dict[str, str] | None = None
) -> Tape:
    command = [sys.executable, "-I", *arguments]
    return record(command, host.environment(**(environ or {})), host.root, stdin=stdin)


def whole(state: State, host: Host, allowed: "list[list[str]]") -> None:
    """Every file that others read is as it was or as it was to be."""
    figures.add("power cuts")
    if host.playbook.exists():
        parse_playbook(host.playbook.read_bytes())
    assert texts(host) in allowed, f"{state.way} after {state.call}"
    with open_state(str(host.home)) as opened:
        assert opened.one("PRAGMA integrity_check") == ("ok",)
    assert not list(host.home.glob("*corrupt*")), f"{state.way} after {state.call}"


@how_often(16)
def test_a_worker_that_loses_power_counts_each_turn_once(every: int, ready: Host) -> None:
    enqueue(ready, session_of(ready, 2))
    tape = recorded(ready, "-m", "ace_reflect.learning.worker")
    assert counted(ready) == (2, 2, 2)
    for state in tape.states(every):
        state.restore()
        whole(state, ready, [["Run the tests."]])
        worker.run(str(ready.home), os.environ)
        assert counted(ready) == (2, 2, 2), f"{state.way} after {state.call}"
        sound(ready, log=state.way != "torn")


@how_often(16)
@pytest.mark.parametrize("what", ["add", pytest.param("edit", marks=pytest.mark.long), "undo"])
def test_a_change_by_hand_is_made_or_not_made(what: str, every: int, ready: Host) -> None:
    assert main(["playbook", "add", "The first."]) == 0
    before = texts(ready)
    arguments = {
        "add": ("add", "The second."),
        "edit": ("edit", "pref-001", "The second."),
        "undo": ("undo",),
    }[what]
    tape = recorded(ready, "-c", CLI, "playbook", *arguments)
    after = texts(ready)
    assert after != before
    for state in tape.states(every):
        state.restore()
        whole(state, ready, [before, after])
        worker.run(str(ready.home), os.environ)
        with ready.state() as opened:
            assert intents.pending(opened) == []
        whole(state, ready, [before, after])
        sound(ready, log=state.way != "torn")


@how_often(16)
def test_an_install_leaves_the_settings_as_they_were_or_as_they_are_to_be(every, ready) -> None:
    settings = ready.root / ".claude" / "settings.json"
    settings.parent.mkdir(parents=True, exist_ok=True)
    settings.write_text('{"model": "opus"}\n')
    tape = recorded(ready, "-c", CLI, "install", "--yes", "--workflow", "local")
    after = settings.read_text()
    for state in tape.states(every):
        state.restore()
        figures.add("power cuts")
        assert settings.read_text() in {'{"model": "opus"}\n', after}, (
            f"{state.way} after {state.call}"
        )
        if settings.read_text() == after:
            assert (
                settings.parent / "settings.json.before-ace-reflect"
            ).read_text() == '{"model": "opus"}\n'
        own = ready.home / "reflection.yaml"
        assert not own.exists() or own.read_text() == "workflow: local\n", (
            f"{state.way} after {state.call}"
        )


@how_often(10)
def test_a_session_that_ended_just_before_the_power_did_is_learned_from(every, ready) -> None:
    """The hook does not wait for the disk: its job may be gone. The sweep finds what is known of the session."""
    session = session_of(ready, 1)
    with open_state(str(ready.home), durable=True) as state:
        known(state, ready, session)
    payload = ready.payload("SessionEnd", session_id=session.session_id, reason="other")
    hook = str(SCRIPTS / "session_end.py")
    script = f"import sys; sys.executable = '/bin/true'\nexec(open({hook!r}).read(), {{'__name__': '__main__', '__file__': {hook!r}}})"
    raw, on = json.dumps(payload).encode(), {"ACE_REFLECT_LEARNING_ON": "session_end"}
    tape = recorded(ready, "-c", script, stdin=raw, environ=on)
    for state in tape.states(every):
        state.restore()
        whole(state, ready, [["Run the tests."]])
        worker.run(str(ready.home), os.environ)
        assert counted(ready) == (1, 1, 1), f"{state.way} after {state.call}"


@how_often(10)
def test_a_stop_that_loses_power_leaves_a_ledger_to_go_on_from(every: int, ready: Host) -> None:
    """A hook does not wait for the disk: its last rows may be gone. The next stop reads what they held again."""
    session = session_of(ready, 2)
    with ready.state() as state:
        known(state, ready, session)
    payload = ready.payload("Stop", session_id=session.session_id, last_assistant_message="Done.")
    raw = json.dumps(payload).encode()
    tape = recorded(ready, str(SCRIPTS / "stop.py"), stdin=raw)
    add_turn(session).edit(f"{session.cwd}/src/b.py").say("And this.")
    for number, state in enumerate(tape.states(every)):
        state.restore()
        whole(state, ready, [["Run the tests."]])
        session.write()
        if number % 3 == 0:
            answered = ready.hook(
                "Stop", session_id=session.session_id, last_assistant_message="And this."
            )
            assert (answered.code, answered.stderr) == (0, "")
            assert answered.json.get("decision") == "block", "an edit that no test covers"
        if state.way == "in order":
            sound(ready)
