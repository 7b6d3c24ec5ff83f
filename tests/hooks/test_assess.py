"""The second Stop entry as Claude Code runs it: beside the first, on the same event."""

import json
import subprocess
import sys
import threading
import time

import pytest

from support.assessed import (
    COMPLETE,
    OPEN,
    ask_at,
    ask_cli_at,
    asked,
    record_of,
    run,
    say,
    stop,
    verdict_of,
)
from support.stops import PASSED, Session, python_project

KEY = "sk-" + "ant-" + "a1B2" * 8


@pytest.fixture
def host_with_model(host, api):
    ask_at(host, api)
    return host


def untested(host, **options):
    """Work in a project with nothing to prove it by."""
    (host.project / "notes.txt").write_text("x")
    return Session(host, **options).ask("Fix the parser").code()


@pytest.fixture
def session(host_with_model):
    return untested(host_with_model)


def ended(host):
    found = verdict_of(host)
    return found["complete"], found["endState"]


def test_without_a_model_nothing_happens(host):
    first, second = stop(untested(host))

    assert (first.code, second.code, second.stdout, second.stderr) == (0, 0, "", "")
    assert [row["event"] for row in host.log()] == ["UserPromptSubmit", "Stop"]


def test_open_work_wakes_the_session(session, api):
    say(api, OPEN)

    first, second = stop(session.say("The lexer is older."), process=True)

    assert first.json.get("decision") is None
    assert (second.code, second.stdout) == (2, "")
    assert second.stderr.startswith(
        "Not finished yet: Wire the parser into cli.py.\nNext: Edit cli.py to call parse()."
    )
    assert "skip gates" in second.stderr
    (prompt,) = asked(api)
    for shown in ("Fix the parser", "The lexer is older.", "no tests of this code are known"):
        assert shown in prompt
    assert ended(session.host) == (False, "incomplete")


def test_complete_work_leaves_the_session_in_peace(session, api):
    say(api, COMPLETE)

    _, second = stop(session)

    assert (second.code, second.stdout, second.stderr) == (0, "", "")
    record = record_of(session.host)
    assert record["assessment"]["answer"]["status"] == "complete"
    assert record["assessment"]["source"] == "assessment"
    assert record["usage"]["calls"] == 1
    assert record["endState"] == "complete"


@pytest.mark.parametrize(("kind", "asks"), [("subagent", 0), ("workflow", 0), (None, 1)])
def test_nobody_is_asked_while_something_runs_that_brings_a_stop_of_its_own(
    session, api, kind, asks
):
    say(api, COMPLETE)
    task = {"id": "b1", "type": kind, "status": "running", "description": "look again"}

    stop(session, background_tasks=[task] if kind else [])

    assert len(asked(api)) == asks


def test_rules_that_decide_ask_nobody(host_with_model, api):
    session = Session(python_project(host_with_model)).ask("Fix the parser").code()
    blocked, silent = stop(session)
    session.bash("pytest -q", PASSED)
    proven, quiet = stop(session)

    assert (blocked.json["decision"], proven.json.get("decision")) == ("block", None)
    assert (silent.code, quiet.code, api.requests) == (0, 0, [])


def test_where_every_model_fails_the_record_says_so_and_the_stop_stands(session, api):
    api.enqueue({"status": 500, "repeat": 9})

    _, second = stop(session)

    assert (second.code, second.stdout, second.stderr) == (0, "", "")
    assert ended(session.host) == (False, "error")
    assert "anthropic/claude-sonnet-4-5" in record_of(session.host)["assessment"]["error"]


def test_messages_count_in_the_gates_budget(session, api):
    codes = []
    for number in range(4):
        say(api, {**OPEN, "remaining_work": [f"Wire part {number} into cli.py"]})
        codes.append(stop(session, f"Done, round {number}.")[1].code)
        session.code(f"src/{number}.py")

    assert codes == [2, 2, 2, 0]
    assert len(asked(api)) == 3
    assert "The next message would be the last one" in asked(api)[2]


def test_nothing_done_since_the_message_is_given_up(session, api):
    say(api, OPEN)

    _, woken = stop(session)
    _, again = stop(session, "It is all done, really.", stop_hook_active=True)

    assert (woken.code, again.code, len(asked(api))) == (2, 0, 1)
    assert ended(session.host) == (False, "gave_up")
    missing = record_of(session.host)["analysis"]["verdict"]["missing"]
    assert missing == ["Wire the parser into cli.py"]


@pytest.mark.parametrize("how", ["a newer prompt", "a newer turn", "the session has ended"])
def test_who_went_on_while_the_model_thought_is_left_in_peace(how, session, api):
    say(api, OPEN, delay_s=2)

    def go_on():
        give_up = time.monotonic() + 20
        while not api.requests and time.monotonic() < give_up:
            time.sleep(0.05)
        if how == "a newer prompt":
            session.host.prompt("thanks, and now the lexer")
        elif how == "a newer turn":
            session.interrupt().write()
        else:
            session.host.hook("SessionEnd", reason="other")

    person = threading.Thread(target=go_on)
    person.start()
    _, second = stop(session)
    person.join()

    assert (second.code, second.stdout, second.stderr) == (0, "", "")
    gone = [row for row in session.host.log() if row.get("decision") == "gone-on"]
    assert [row["why"] for row in gone] == [how]


@pytest.mark.parametrize(("command", "waits"), [("npm install", False), ("pytest -q", True)])
def test_a_background_command_defers_the_question_only_where_it_bears_on_a_gate(
    command, waits, session, api
):
    """A host that lists no background work: the transcript says what runs."""
    ask_cli_at(session.host, api)
    say(api, OPEN)
    data = session.background(command).stopping("It is done.")
    del data["background_tasks"]
    host = session.host
    raw = json.dumps(host.payload("Stop", **data)).encode()
    host.hook("Stop", raw=raw)

    assert run(host, "assess", raw).code == (0 if waits else 2)
    assert bool(asked(api)) is not waits


def test_print_mode_gets_the_message_as_a_block(host_with_model, api):
    say(api, OPEN)

    _, second = stop(untested(host_with_model, entrypoint="sdk-cli"))

    assert second.code == 2
    assert second.json["decision"] == "block"
    assert second.json["reason"] + "\n" == second.stderr


def test_a_host_that_waits_gets_a_block_and_no_half_minute_of_waiting(host_with_model, api):
    ask_cli_at(host_with_model, api)
    say(api, {"kind": "genuinely_stuck", "confidence": 0.9, "why": "it names a next step"})
    session = Session(host_with_model).ask("Fix the parser")
    session.read(f"{host_with_model.project}/src/app.py")
    started = time.monotonic()

    _, second = stop(session, "The slugs, then.", arguments=("--wait",), process=True)

    assert second.json["decision"] == "block"
    assert "the answer stops before the work is done" in second.stderr
    assert time.monotonic() - started < 29


def test_a_doubled_registration_asks_once(session, api):
    ask_cli_at(session.host, api)
    say(api, OPEN, OPEN)
    session.say("Done, it is fixed.").write()
    host, codes = session.host, []
    data = json.dumps(host.payload("Stop", last_assistant_message="Done, it is fixed.")).encode()
    twins = [
        threading.Thread(target=lambda: codes.append(run(host, "assess", data).code))
        for _ in range(2)
    ]
    for twin in twins:
        twin.start()
    host.hook("Stop", raw=data)
    for twin in twins:
        twin.join()

    assert sorted(codes) == [0, 2]
    assert len(asked(api)) == 1


def test_the_persons_command_hears_the_verdict_that_a_model_changed(session, api, tmp_path):
    told = tmp_path / "told.jsonl"
    session.host.environ["ACE_REFLECT_NOTIFY_COMMAND"] = f"cat >> {told}"
    say(api, OPEN)

    stop(session)
    session.host.wait_for_workers()

    heard = [json.loads(line) for line in told.read_text().splitlines()]  # by two processes
    assert {row["sessionId"] for row in heard} == {session.host.session_id}
    assert sorted(row["end_state"] for row in heard) == ["incomplete", "waiting_for_user"]


def test_nothing_heavy_is_loaded_where_no_model_is_needed(host_with_model):
    Session(python_project(host_with_model)).ask("Fix the parser").code().stop_hook()
    probe = (
        "import sys, os\nbefore = set(sys.modules)\n"
        "from ace_reflect.hooks import assess\nassess.DECISION_S = 0.1\n"
        "assess.main(sys.stdin.buffer, sys.stdout, os.environ)\n"
        "heavy = {'pydantic', 'yaml', 'anthropic', 'dataclasses', 'asyncio', 'subprocess', 'tree_sitter'}\n"
        "sys.exit(','.join(sorted(heavy & (set(sys.modules) - before))))"
    )
    data = json.dumps(host_with_model.payload("Stop", last_assistant_message="x")).encode()

    done = subprocess.run(
        [sys.executable, "-I", "-c", probe], input=data, env=host_with_model.environment(),
        check=False, capture_output=True, timeout=60,
    )  # fmt: skip

    assert done.stderr.decode().strip() == ""
