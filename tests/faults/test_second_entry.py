"""The second Stop entry, killed or ended in its work: what it had to say is said once or not at all, and nothing is left."""

import json
import signal
import time

import pytest

from support.assessed import OPEN, ask_cli_at
from support.faults import HostNursery, begun, kill_rounds, sound
from support.stops import Session

ASSESS = """
import os, sys, time
from ace_reflect.hooks.assess import main
from ace_reflect.state import processes
processes.began = lambda _: time.time() - 1
code = main(sys.stdin.buffer, sys.stdout, os.environ)
sys.stdout.flush(); sys.stderr.flush()
os._exit(code)
"""


@pytest.fixture
def session(host, api):
    """Work in a project with nothing to prove it by, which is asked about."""
    ask_cli_at(host, api)
    (host.project / "notes.txt").write_text("x")
    return Session(host).ask("Fix the parser").code()


def attempts(host):
    with host.state() as state:
        return state.value("SELECT attempts FROM prompts ORDER BY id DESC LIMIT 1")


@kill_rounds(3, 60)
@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM], ids=["kill", "term"])
def test_an_assessment_that_was_killed_has_woken_the_session_and_counted_it_or_neither(
    number, rounds, host, api, session, killer
):
    """Killed at random instants; whatever was cut off, the next prompt's assessment is right and counts from nothing."""
    killer.codes, killer.usual_s = {0, 2}, 0.25
    api.enqueue({"text": json.dumps(OPEN), "repeat": rounds + 1})
    with HostNursery(host) as nursery:

        def stopped(text):
            """The first entry's part of a stop; the payload for the second."""
            session.say(text).write()
            fields = {"last_assistant_message": text, "stop_hook_active": False}
            assert nursery.event("Stop", **fields).json.get("decision") is None
            return json.dumps(host.payload("Stop", **fields)).encode()

        for round_ in range(rounds):
            raw = stopped(f"Done, round {round_} is fixed.")
            child = killer(nursery.python, ASSESS, stdin=raw, signal=number)
            assert attempts(host) in {0, 1}
            if child.code == 2:
                assert attempts(host) == 1
                assert "Wire the parser into cli.py" in child.err
            sound(host)
            session.ask(f"And now part {round_ + 1}").code(f"src/{round_}.py")
        last = nursery.python(ASSESS, stdin=stopped("Done, all of it is fixed."))
    assert (last.code, attempts(host)) == (2, 1)
    assert "Wire the parser into cli.py" in last.err


def test_an_assessment_that_the_host_ends_takes_the_command_that_asks_with_it(host, api, session):
    api.enqueue({"hang": True})
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
    assert second.communicate(timeout=30) == (b"", b"")
    host.wait_for_workers(5)
    sound(host)
