"""Homes and projects that cannot be written, have odd names, or come and go; what is open afterwards, and what is left."""

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from ace_reflect.learning import worker
from ace_reflect.state import jobs, sessions
from support.faults import (
    POINT,
    add_turn,
    begun,
    counted,
    enqueue,
    known,
    session_of,
    settled,
    sound,
)
from support.hooks import MAINS, SCRIPTS, Host
from support.nursery import Nursery

FIELDS = {
    "UserPromptSubmit": {"prompt": "hello", "prompt_id": "p"},
    "Stop": {"last_assistant_message": "Done."},
    "PreCompact": {"trigger": "auto"},
    "SessionStart": {"source": "startup"},
    "SessionEnd": {"reason": "other"},
}
HOOKS = Path(__file__).parents[2] / "hooks"
COMMANDS = (
    ("playbook", "add", "A rule."), ("playbook", "list"), ("playbook", "history"), ("status",),
    ("queue", "list"), ("queue", "run"), ("review", "list"), ("log",), ("config", "show"),
    ("skip",),
)  # fmt: skip


ODD = [
    "with spaces  and 'quotes' \"both\"", "Größe – naïve 日本語 🎉",
    "$HOME `id` ; & | * ? [x] {y} %s \\n", "-rf --help", "a\nline\tbreak",
]  # fmt: skip


@pytest.mark.parametrize("name", ODD, ids=["spaces", "non-ascii", "shell", "dashes", "control"])
def test_a_home_and_a_project_of_any_name_work_from_the_first_prompt_to_the_learned_turn(
    name, tmp_path
) -> None:
    host = Host(tmp_path / name)
    host.write_playbook({"PATTERNS & APPROACHES": [POINT]})
    session = session_of(host, 1)
    answers = {
        event: host.hook(event, session_id=session.session_id, **fields)
        for event, fields in FIELDS.items()
        if event != "SessionEnd"
    }
    assert {answer.code for answer in answers.values()} == {0}
    assert {answer.stderr for answer in answers.values()} == {""}
    assert "pat-001" in answers["UserPromptSubmit"].context
    assert host.hook("SessionEnd", session_id=session.session_id, reason="other").code == 0
    host.wait_for_workers()
    assert counted(host) == (1, 1, 1)
    assert (host.project / ".reflection").is_dir()
    sound(host)
    with Nursery(host.environment(), host.project) as nursery:
        for arguments in (
            *COMMANDS,
            ("install", "--yes"),
            ("run", session.path, "--offline"),
            ("check", session.path),
        ):
            done = nursery.command(*arguments)
            assert done.code in {0, 1, 2}, (arguments, done.err)
            assert "bug of ours" not in done.err
        assert nursery.command("playbook", "add", "Another rule.").code == 0
    settings = json.loads((host.root / ".claude" / "settings.json").read_text())
    (entry,) = settings["hooks"]["SessionStart"]
    assert Path(entry["hooks"][0]["args"][-2]).is_file()


def test_a_name_that_is_no_utf8_is_a_name_as_well(tmp_path: Path) -> None:
    """The environment gives bytes, not text: the project's folder may be named in Latin-1."""
    root = os.fsdecode(os.fsencode(str(tmp_path)) + b"/caf\xe9")
    host = Host(Path(root))
    host.write_playbook({"PATTERNS & APPROACHES": [POINT]})
    session = session_of(host, 1)
    for event, fields in FIELDS.items():
        payload = host.payload(event, session_id=session.session_id, **fields)
        raw = json.dumps(payload, ensure_ascii=False).encode("utf-8", "surrogateescape")
        done = subprocess.run(
            [sys.executable, "-I", str(HOOKS / SCRIPTS[event])],
            input=raw, capture_output=True, env=host.environment(), cwd=root, timeout=60, check=False,
        )  # fmt: skip
        assert (done.returncode, done.stderr) == (0, b"")
        if event == "UserPromptSubmit":
            assert b"pat-001" in done.stdout
    host.wait_for_workers()
    # The transcript's path reaches a hook as JSON, which has no such bytes: the host's own limit.
    assert [row for row in host.log() if "Unicode" in str(row.get("error"))] == [], (
        "nothing failed inside"
    )


def _as_nobody(command: list[str], **more: object) -> "subprocess.CompletedProcess[bytes]":
    """As another user where we are root, who writes through modes; else as we are."""
    setpriv = shutil.which("setpriv")
    if os.geteuid() == 0:
        assert setpriv is not None
        command = [setpriv, "--reuid=65534", "--regid=65534", "--clear-groups", *command]
    return subprocess.run(command, capture_output=True, timeout=60, check=False, **more)  # type: ignore[call-overload, no-any-return]


def _open_to_read(host: Host) -> None:
    """Everything readable to all and writable to nobody but its owner, folders above included."""
    for folder in (host.root, *host.root.parents):
        if folder == Path("/tmp"):
            break
        folder.chmod(0o755)
    for path in host.root.rglob("*"):
        path.chmod(0o555 if path.is_dir() else 0o444)


@pytest.fixture
def interpreter() -> str:
    """One that another user can start."""
    if os.geteuid() == 0:
        tried = _as_nobody([sys.executable, "-I", "-c", "import ace_reflect"])
        if tried.returncode != 0:
            pytest.skip("the interpreter lies where no other user may look")
    return sys.executable


@pytest.mark.parametrize("made", [True, False], ids=["used before", "new"])
def test_a_home_of_another_user_that_can_only_be_read_stops_nobody(made, host, interpreter) -> None:
    host.write_playbook({"PATTERNS & APPROACHES": [POINT]})
    session = session_of(host, 1)
    if made:
        host.hook("UserPromptSubmit", session_id="other", **FIELDS["UserPromptSubmit"])
    before = {path: path.read_bytes() for path in host.root.rglob("*") if path.is_file()}
    _open_to_read(host)
    for event, fields in FIELDS.items():
        payload = host.payload(event, session_id=session.session_id, **fields)
        done = _as_nobody(
            [interpreter, "-I", str(HOOKS / SCRIPTS[event])],
            input=json.dumps(payload).encode(),
            env=host.environment(),
            cwd="/",
        )
        assert (done.returncode, done.stderr) == (0, b""), event
        assert isinstance(json.loads(done.stdout or b"{}"), dict)
    code = f"from ace_reflect.cli.main import main\nfor arguments in {COMMANDS!r}: assert main(list(arguments)) in (0, 1, 2)"
    done = _as_nobody(
        [interpreter, "-I", "-c", code], env=host.environment(), cwd=str(host.project)
    )
    assert done.returncode == 0, done.stderr
    assert b"bug of ours" not in done.stderr, done.stderr
    after = {path: path.read_bytes() for path in host.root.rglob("*") if path.is_file()}
    assert after == before


def test_a_project_that_can_only_be_read_is_judged_and_not_written_to(host, nursery) -> None:
    unshare = shutil.which("unshare")
    mount = 'mount --bind "$2" "$2" && mount -o remount,ro,bind "$2"'
    options = ["--mount"] if os.geteuid() == 0 else ["--user", "--map-root-user", "--mount"]
    tried = unshare and subprocess.run(
        [unshare, *options, "true"], capture_output=True, check=False
    )
    if not tried or tried.returncode:
        pytest.skip("no mount namespaces here")
    session = session_of(host, 1)
    session.prompt("And more").edit(f"{host.project}/src/b.py").say("Done.").write()
    payload = host.payload("Stop", session_id=session.session_id, last_assistant_message="Done.")
    start = [unshare, *options, "sh", "-c", f'{mount} && exec "$0" -I "$1"']
    done = subprocess.run(
        [*start, sys.executable, HOOKS / "stop.py", host.project],
        input=json.dumps(payload).encode(), env=host.environment(), capture_output=True, timeout=60, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, b"")
    assert json.loads(done.stdout)["decision"] == "block", "the evidence is the transcript's"
    assert not (host.project / ".reflection").exists()


@pytest.mark.parametrize("event", list(SCRIPTS))
def test_a_hook_that_the_host_ends_at_its_timeout_goes_at_once_and_leaves_nothing_behind(
    event, host, nursery
) -> None:
    """state.db is held by another: the hook waits, the host's time is over. What it had to note is noted next time."""
    session = session_of(host, 1)
    with host.state() as state:
        known(state, host, session)
        state.connection.execute("BEGIN IMMEDIATE")
        payload = host.payload(event, session_id=session.session_id, **FIELDS[event])
        process = begun(host, SCRIPTS[event], payload)
        time.sleep(0.35)
        started = time.monotonic()
        process.terminate()
        out, err = process.communicate(timeout=10)
        assert time.monotonic() - started < 1.5, "the host kills soon after"
        state.connection.execute("ROLLBACK")
    assert (out, err) == (b"", b"")
    assert process.returncode in {-signal.SIGTERM, 0}, "0 where it had given up waiting by itself"
    assert host.processes() == []
    sound(host)
    settled(host, nursery)
    assert counted(host) == (1, 1, 1), "the session that could not be noted is swept"


def _descriptors() -> dict[str, str]:
    found = {}
    for name in os.listdir("/proc/self/fd"):
        try:
            found[name] = os.readlink(f"/proc/self/fd/{name}")
        except OSError:
            continue
    return {name: target for name, target in found.items() if "/fd" not in target}


def test_neither_hooks_nor_the_worker_leave_a_descriptor_or_a_process_behind(host: Host) -> None:
    """Counted over sessions good and bad."""
    import io

    host.write_playbook({"PATTERNS & APPROACHES": [POINT]})

    def one(number: int) -> None:
        session = session_of(host, 1, number)
        if number % 4 == 3:
            Path(str(session.path)).write_bytes(b"\xff\x00 no transcript \n" * 100)
        for event, fields in FIELDS.items():
            payload = host.payload(event, session_id=session.session_id, **fields)
            raw = json.dumps(payload).encode() if number % 5 else b"\xff{"
            assert MAINS[event](io.BytesIO(raw), io.StringIO(), host.environment()) == 0
        if number % 3 == 0:
            enqueue(host, session)
        host.wait_for_workers()
        worker.run(str(host.home), host.environment())

    one(1)
    before = _descriptors()
    for number in range(2, 6):
        one(number)
    assert _descriptors().keys() == before.keys(), set(_descriptors().values()) - set(
        before.values()
    )
    assert host.processes() == []
    try:
        os.waitpid(-1, os.WNOHANG)
        children = True
    except ChildProcessError:
        children = False
    assert not children or not _own_zombies(), "no child is left unreaped"


def _own_zombies() -> list[str]:
    """Zombies of this process. What a hook starts is a child of the hook, and is init's when the hook is gone."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdecimal():
            try:
                state, parent = (entry / "stat").read_text().rpartition(")")[2].split()[:2]
            except OSError:
                continue
            if parent == str(os.getpid()) and state == "Z":
                os.waitpid(
                    int(entry.name), os.WNOHANG
                )  # spawned by hooks in this very process, for the test's sake
    return found


def test_a_transcript_that_vanishes_at_any_stage_costs_nothing_else(host, nursery) -> None:
    first, second = session_of(host, 1, 1), session_of(host, 1, 2)
    for session in (first, second):
        enqueue(host, session)
    Path(str(first.path)).unlink()
    for event, fields in FIELDS.items():
        done = nursery.hook(event, host.payload(event, session_id=first.session_id, **fields))
        assert (done.code, done.err) == (0, "")
    assert nursery.worker().code == 0
    assert counted(host) == (1, 1, 1)
    with host.state() as state:
        assert {job.state for job in jobs.listed(state)} <= {"done", "set-aside"}
    for arguments in (("run", first.path, "--offline"), ("check", first.path)):
        done = nursery.command(*arguments)
        assert done.code == 2
        assert "Traceback" not in done.err


REWRITES = [
    "shorter", "other bytes of the same length", "another file in its place", "emptied",
    "longer and different",
]  # fmt: skip


@pytest.mark.parametrize("how", REWRITES)
def test_a_transcript_that_is_rewritten_between_two_stops_is_read_anew(how, host, nursery) -> None:
    from ace_reflect.evidence.facts import Ledger
    from ace_reflect.evidence.ledger import read_ledger
    from ace_reflect.state.sessions import unpacked

    path = host.transcript()
    session = session_of(host, 3, 7)
    shutil.copy(str(session.path), path)
    payload = {"session_id": host.session_id, "last_assistant_message": "Done."}
    nursery.hook("Stop", host.payload("Stop", **payload))
    other = session_of(host, 2, 8, cited="[mis-001]").data()
    data = path.read_bytes()
    written = {
        "shorter": b"".join(data.splitlines(keepends=True)[:5]),
        "other bytes of the same length": (other + b" " * len(data))[: len(data) - 1] + b"\n",
        "emptied": b"",
    }.get(how, other + data)
    new = path.with_name("new") if how == "another file in its place" else path
    new.write_bytes(written)
    new.replace(path)
    done = nursery.hook("Stop", host.payload("Stop", round=2, session_id=host.session_id))
    assert (done.code, done.err) == (0, "")
    with host.state() as state:
        stored = sessions.load_ledger(state, host.session_id)
    assert stored is not None
    whole = Ledger.from_json(read_ledger(str(path), final=False).to_json()).to_json()
    assert Ledger.from_json(unpacked(stored.ledger)).to_json() == whole


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


@pytest.mark.parametrize("stops", [12, pytest.param(300, marks=pytest.mark.long)])
def test_a_transcript_that_is_rewritten_under_the_reader_breaks_nothing(
    stops, host, nursery
) -> None:
    session = session_of(host, 60)
    churn = subprocess.Popen(
        [sys.executable, "-I", "-c", CHURN, str(session.path)], stdin=subprocess.PIPE
    )
    for number in range(stops):
        payload = host.payload(
            "Stop", session_id=session.session_id, last_assistant_message="Done.", round=number
        )
        done = nursery.hook("Stop", payload)
        assert (done.code, done.err) == (0, "")
        assert isinstance(done.json, dict)
    churn.communicate(timeout=60)
    assert churn.returncode == 0
    assert [
        row
        for row in host.log()
        if row["event"] == "Stop" and row.get("error") not in {None, "TranscriptError"}
    ] == []
    add_turn(session).write()
    nursery.hook(
        "SessionEnd", host.payload("SessionEnd", session_id=session.session_id, reason="other")
    )
    assert nursery.worker().code == 0
    assert counted(host) == (61, 61, 61)
    sound(host)
