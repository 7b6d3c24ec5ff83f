"""Homes and projects that cannot be written or have odd names; transcripts that vanish or are rewritten; a host in a hurry."""

import json
import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from ace_reflect.state import jobs
from support import faults
from support.faults import COMMANDS, EVENTS, POINT, HostNursery, counted, session_of
from support.hooks import HOOKS, SCRIPTS, Host
from support.programs import ran

ODD = (
    "with spaces  and 'quotes' \"both\" $HOME `id` ; & | * ? [x] {y} %s \\n",
    "-rf --help\na\nline\tbreak Größe – naïve 日本語 🎉",
)


@pytest.mark.parametrize("name", ODD, ids=["shell", "control and non-ascii"])
def test_a_home_and_a_project_of_any_name_work_from_prompt_to_learned_turn(name, tmp_path):
    host = Host(tmp_path / name)
    host.write_playbook({"PATTERNS & APPROACHES": [POINT]})
    session = session_of(host, 1)
    for event, fields in EVENTS.items():
        answered = host.hook(event, session_id=session.session_id, **fields)
        assert (answered.code, answered.stderr) == (0, "")
        assert ("pat-001" in answered.context) is (event == "UserPromptSubmit")
    host.wait_for_workers()
    assert counted(host) == (1, 1, 1)
    assert (host.project / ".reflection").is_dir()
    faults.sound(host)
    with HostNursery(host) as nursery:
        for words in (*COMMANDS, ("run", session.path, "--offline"), ("check", session.path)):
            done = nursery.command(*words)
            assert done.code in {0, 1, 2}, (words, done.err)
            assert "bug of ours" not in done.err
        for words in (("install", "--yes"), ("playbook", "add", "Another rule.")):
            assert nursery.command(*words).code == 0
    settings = json.loads((host.root / ".claude" / "settings.json").read_text())
    (hook,) = settings["hooks"]["SessionStart"][0]["hooks"]
    payload = json.dumps(host.payload("SessionStart", source="startup", session_id="another"))
    done = ran("bash", "-c", hook["command"], input=payload, env=host.environment())
    assert (done.returncode, done.stderr) == (0, "")
    assert host.log()[-1]["event"] == "SessionStart"
    host.wait_for_workers()


def script(host, event, command=(), **fields):
    """The real script at the end of a command; what it said."""
    raw = json.dumps(host.payload(event, **fields), ensure_ascii=False)
    given = {"input": raw.encode("utf-8", "surrogateescape"), "env": host.environment(), "cwd": "/"}
    done = ran(*command, sys.executable, "-I", HOOKS / SCRIPTS[event], text=False, **given)
    assert (done.returncode, done.stderr) == (0, b""), event
    return json.loads(done.stdout or b"{}")


def test_a_name_that_is_no_utf8_is_a_name_as_well(tmp_path):
    """The environment gives bytes, not text: the project's folder may be named in Latin-1."""
    host = Host(Path(os.fsdecode(os.fsencode(str(tmp_path)) + b"/caf\xe9")))
    host.write_playbook({"PATTERNS & APPROACHES": [POINT]})
    session = session_of(host, 1)
    for event, fields in EVENTS.items():
        said = script(host, event, session_id=session.session_id, **fields)
        assert event != "UserPromptSubmit" or "pat-001" in str(said)
    host.wait_for_workers()
    # The transcript's path reaches a hook as JSON, which has no such bytes: the host's own limit.
    assert [row for row in host.log() if "Unicode" in str(row.get("error"))] == []


@pytest.mark.parametrize("made", [True, False], ids=["used before", "new"])
def test_a_home_of_another_user_that_can_only_be_read_stops_nobody(made, host):
    """As another user where we are root, who writes through modes; else as we are."""
    somebody = []
    if os.geteuid() == 0:
        somebody = [shutil.which("setpriv"), "--reuid=65534", "--regid=65534", "--clear-groups"]
        tried = [*somebody, sys.executable, "-I", "-c", "import ace_reflect"]
        if ran(*tried).returncode:
            pytest.skip("the interpreter lies where no other user may look")
    host.write_playbook({"PATTERNS & APPROACHES": [POINT]})
    session = session_of(host, 1)
    if made:
        host.hook("UserPromptSubmit", session_id="other", **EVENTS["UserPromptSubmit"])
    for folder in host.root.parents[: len(host.root.parents) - 2]:  # /tmp is everybody's
        folder.chmod(0o755)
    for path in (host.root, *host.root.rglob("*")):
        path.chmod(0o555 if path.is_dir() else 0o444)

    def content():
        return {path: path.read_bytes() for path in host.root.rglob("*") if path.is_file()}

    before = content()
    for event, fields in EVENTS.items():
        script(host, event, somebody, session_id=session.session_id, **fields)
    code = f"from ace_reflect.cli.main import main\nfor arguments in {COMMANDS!r}: assert main(list(arguments)) in (0, 1, 2)"
    command = [*somebody, sys.executable, "-I", "-c", code]
    done = ran(*command, env=host.environment(), cwd=host.project)
    assert done.returncode == 0, done.stderr
    assert "bug of ours" not in done.stderr, done.stderr
    assert content() == before


@pytest.mark.parametrize("event", list(EVENTS))
def test_a_hook_ended_at_its_timeout_goes_at_once_and_leaves_nothing_behind(event, host, nursery):
    """state.db is held by another: the hook waits, the host's time is over. What it had to note is noted next time."""
    session = session_of(host, 1)
    fields = {"session_id": session.session_id, **EVENTS[event]}
    with host.state() as state:
        faults.known(state, session)
        state.connection.execute("BEGIN IMMEDIATE")
        ended = nursery.event(event, kill_after_s=0.35, signal=signal.SIGTERM, **fields)
        state.connection.execute("ROLLBACK")
    assert ended.took_s < 0.35 + 1.5, "the host kills soon after"
    assert (ended.out, ended.err) == ("", "")
    assert ended.code in {-signal.SIGTERM, 0}, "0 where it had given up waiting by itself"
    assert host.processes() == []
    faults.sound(host)
    faults.settled(host, nursery)
    assert counted(host) == (1, 1, 1), "the session that could not be noted is swept"


def test_a_transcript_that_vanishes_at_any_stage_costs_nothing_else(host, nursery):
    gone = session_of(host, 1, 1)
    for session in (gone, session_of(host, 1, 2)):
        faults.enqueue(host, session)
    Path(str(gone.path)).unlink()
    for event, fields in EVENTS.items():
        nursery.event(event, session_id=gone.session_id, **fields)
    assert nursery.worker().code == 0
    assert counted(host) == (1, 1, 1)
    with host.state() as state:
        assert {job.state for job in jobs.listed(state)} <= {"done", "set-aside"}
    for arguments in (("run", gone.path, "--offline"), ("check", gone.path)):
        done = nursery.command(*arguments)
        assert done.code == 2
        assert "Traceback" not in done.err


@pytest.mark.parametrize("how", ["shorter", "as long", "another file", "emptied", "longer"])
def test_a_transcript_that_is_rewritten_between_two_stops_is_read_anew(how, host, nursery):
    path = host.transcript()
    data = session_of(host, 3, 7).data()
    other = session_of(host, 2, 8, cited="[mis-001]").data()
    path.write_bytes(data)
    nursery.event("Stop", last_assistant_message="Done.")
    written = {
        "shorter": b"".join(data.splitlines(keepends=True)[:5]),
        "as long": (other + b" " * len(data))[: len(data) - 1] + b"\n",
        "emptied": b"",
    }.get(how, other + data)
    new = path.with_name("new") if how == "another file" else path
    new.write_bytes(written)
    new.replace(path)
    nursery.event("Stop", round=2)
    faults.same_ledger(host, host.session_id)


CHURN = """
import os, random, select, sys, time
path, data = sys.argv[1], open(sys.argv[1], "rb").read()
chance = random.Random(5)
while not select.select([0], [], [], 0)[0]:  # until the other end is closed
    what = chance.randrange(5) if os.path.exists(path) else 2
    if what == 0:
        os.truncate(path, chance.randrange(len(data)))
    elif what == 1:
        with open(path, "r+b") as file:
            file.seek(chance.randrange(len(data)))
            file.write(os.urandom(200))
    elif what == 2:
        open(path + ".new", "wb").write(data)
        os.replace(path + ".new", path)
    elif what == 3:
        open(path, "ab").write(data[: chance.randrange(len(data))])
    else:
        os.unlink(path)
    time.sleep(0.001)
open(path, "wb").write(data)
"""


@pytest.mark.parametrize("stops", [8, pytest.param(300, marks=pytest.mark.long)])
def test_a_transcript_that_is_rewritten_under_the_reader_breaks_nothing(stops, host, nursery):
    session = session_of(host, 60)
    name = {"session_id": session.session_id}
    churn = [sys.executable, "-I", "-c", CHURN, str(session.path)]
    with subprocess.Popen(churn, stdin=subprocess.PIPE) as process:
        for number in range(stops):
            said = nursery.event("Stop", last_assistant_message="Done.", round=number, **name)
            assert isinstance(said.json, dict)
    assert process.returncode == 0
    errors = {row.get("error") for row in host.log() if row["event"] == "Stop"}
    assert errors <= {None, "TranscriptError"}
    faults.add_turn(session).write()
    nursery.event("SessionEnd", reason="other", **name)
    assert nursery.worker().code == 0
    assert counted(host) == (61, 61, 61)
    faults.sound(host)
