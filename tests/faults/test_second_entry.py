"""The second Stop entry, killed or ended in its work: what it had to say is said once or not at all, and nothing is left."""

import json
import signal
import time
from functools import partial

import pytest

from support.assessed import OPEN, ask_cli_at
from support.faults import begun, kill_rounds, sound
from support.hooks import Host
from support.messages_api import MessagesApi
from support.nursery import Nursery
from support.stops import Session

ASSESS = """
import os, sys
from ace_reflect.hooks.assess import main
from ace_reflect.hooks.edge import Pace
code = main(sys.stdin.buffer, sys.stdout, os.environ, pace=Pace(age_s=1.0, poll_s=0.05))
sys.stdout.flush(); sys.stderr.flush()
os._exit(code)
"""


def open_work(host: Host) -> Session:
    """Work in a project with nothing to prove it by, which is asked about."""
    (host.project / "notes.txt").write_text("x")
    return Session(host).ask("Fix the parser").code()


def stopped(session: Session, nursery: Nursery, text: str) -> bytes:
    """The first entry's part of a stop; the payload for the second."""
    session.say(text).write()
    payload = session.host.payload("Stop", last_assistant_message=text, stop_hook_active=False)
    first = nursery.hook("Stop", payload)
    assert (first.code, first.err, first.json.get("decision")) == (0, "", None)
    return json.dumps(payload).encode()


@kill_rounds(4, 60)
@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM], ids=["kill", "term"])
def test_an_assessment_that_was_killed_has_woken_the_session_and_counted_it_or_neither(
    number, rounds, host, killer
) -> None:
    """Killed at random instants; whatever was cut off, the next prompt's assessment is right and counts from nothing."""
    killer.codes, killer.usual_s = {0, 2}, 0.25
    with MessagesApi({"default": {"text": json.dumps(OPEN)}}) as api:
        ask_cli_at(host, api)
        nursery = Nursery(host.environment(), host.project)
        session = open_work(host)
        for round_ in range(rounds):
            raw = stopped(session, nursery, f"Done, round {round_} is fixed.")
            child = killer(partial(nursery.python, ASSESS, stdin=raw, signal=number))
            with host.state() as state:
                row = state.one("SELECT attempts FROM prompts ORDER BY id DESC LIMIT 1")
            assert row in {(0,), (1,)}
            if child.code == 2:
                assert row == (1,)
                assert "Wire the parser into cli.py" in child.err
            sound(host)
            session.ask(f"And now part {round_ + 1}").code(f"src/{round_}.py")
        last = nursery.python(ASSESS, stdin=stopped(session, nursery, "Done, all of it is fixed."))
        nursery.close()
    assert last.code == 2
    assert "Wire the parser into cli.py" in last.err
    with host.state() as state:
        assert state.one("SELECT attempts FROM prompts ORDER BY id DESC LIMIT 1") == (1,)
    sound(host)
    killer.enough(0.25 if rounds > 10 else 0.0)  # a few rounds may all come too late


def test_an_assessment_that_the_host_ends_takes_the_command_that_asks_with_it(
    host, api, nursery
) -> None:
    ask_cli_at(host, api)
    api.enqueue({"hang": True})
    session = open_work(host)
    session.say("Done.").write()
    payload = host.payload("Stop", last_assistant_message="Done.", stop_hook_active=False)
    second = begun(host, "assess.py", payload, "ace-reflect")
    assert host.hook("Stop", raw=json.dumps(payload).encode()).code == 0
    end = time.monotonic() + 40
    while not api.requests and second.poll() is None:
        assert time.monotonic() < end
        time.sleep(0.05)
    assert len(host.processes()) == 2, "the entry, and the command that it asks by"
    second.terminate()
    out, err = second.communicate(timeout=30)
    assert (out, err) == (b"", b"")
    host.wait_for_workers(5)
    assert (
        not (host.project / ".reflection" / f"verdict_{host.session_id}.json").exists()
        or sound(host) is None
    )
