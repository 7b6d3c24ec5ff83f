"""
A disk that is full, at every amount of room that is left: the session goes on, what was there stands, and when there is
room again nothing is lost and nothing was doubled.

The disk is a small tmpfs in a mount namespace of the nursery's own, so nothing stays mounted. Where the system allows
neither root nor user namespaces, `RLIMIT_FSIZE` stands in for it.
"""

import json
import os
import shutil
import sys

import pytest

from support import figures
from support.faults import EVENTS, POINT, session_of
from support.hooks import Host
from support.nursery import Nursery
from support.programs import ran

ALL = (0, 1, 2, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128)  # in 4 kB pages
rooms = pytest.mark.parametrize(
    "rooms", [(0, 1, 4, 12, 32, 128), pytest.param(ALL, marks=pytest.mark.long)], ids=["", "all"]
)

#: Fill the disk but for so many pages.
FILL = """
room = {room} * 4096
free = os.statvfs({folder!r}).f_bavail * 4096
with open({path!r}, "wb", buffering=0) as file:
    try:
        file.write(b"x" * max(free - room, 0))
    except OSError:
        pass
"""
COUNT = """
import glob, sqlite3
book = json.load(open({playbook!r}))
points = [p for rows in book["sections"].values() for p in rows]
db = sqlite3.connect({home!r} + "/state.db")
found = {{
    "helpful": sum(p["helpful"] for p in points if p["name"] == "pat-001"),
    "votes": db.execute("SELECT count(*) FROM votes WHERE key_point = 'pat-001'").fetchone()[0],
    "turns": db.execute("SELECT count(*) FROM turns").fetchone()[0],
    "intents": db.execute("SELECT count(*) FROM intents").fetchone()[0],
    "ok": db.execute("PRAGMA integrity_check").fetchone()[0],
    "texts": [p["text"] for p in points],
    "aside": [n for n in os.listdir({home!r}) if "corrupt" in n],
}}
"""
#: Half-written files for other tools.
HALF = """
found = []
for path in glob.glob({folder!r} + "/.reflection/*"):
    try: path.endswith(".json") and json.load(open(path))
    except ValueError: found.append(path)
    if path.endswith(".tmp"): found.append(path)
"""
RETRY = """
import ace_reflect.state.jobs as jobs
from ace_reflect.state.db import open_state
with open_state({home!r}) as state:
    [jobs.retry(state, job.id) for job in jobs.listed(state) if job.state != 'done']
"""


def namespace():
    """A command that runs another in a mount namespace of its own, or None where the system does not allow it."""
    unshare = shutil.which("unshare")
    for options in (["--mount"], ["--user", "--map-root-user", "--mount"]):
        tried = [unshare, *options, "mount", "-t", "tmpfs", "-o", "size=64k", "none", "/mnt"]
        if unshare and ran(*tried).returncode == 0:
            return [unshare, *options]
    return None


class Disk:
    """A host whose home and project lie on a disk of 4 MB."""

    def __init__(self, host, nursery, outside):
        self.host = host
        self.nursery = nursery
        self._outside = Host(outside)
        self._ballast = str(host.root / "ballast")

    def value(self, code, **given):
        """What `found` is inside of the namespace."""
        code = f"import glob, json, os\nfound = None\n{code.format(**given)}"
        done = self.nursery.python(f"{code}\nprint(json.dumps(found))")
        assert done.code == 0, done.err
        return json.loads(done.out)

    def fill(self, room):
        self.value(FILL, folder=str(self.host.root), path=self._ballast, room=room)

    def empty(self):
        self.value("os.path.exists({path!r}) and os.unlink({path!r})", path=self._ballast)

    def write(self, path, text):
        self.value("open({path!r}, 'w').write({text!r})", path=str(path), text=text)

    def session(self, number):
        """A session's transcript on the full disk's other half: the host's own disk had room for it."""
        session = session_of(self._outside, 1, number)
        text = session.data().decode()
        text = text.replace(str(self._outside.project), str(self.host.project))
        self.write(self.host.transcript(session.session_id), text)
        return session.session_id

    def counted(self):
        given = {"home": str(self.host.home), "playbook": str(self.host.playbook)}
        found = self.value(COUNT, **given)
        assert (found["ok"], found["intents"], found["aside"]) == ("ok", 0, [])
        return found


@pytest.fixture
def disk(host, tmp_path_factory):
    wrapper = namespace()
    if wrapper is None:
        pytest.skip("neither root nor user namespaces here; RLIMIT_FSIZE stands in for it below")
    mount = (
        "import os, subprocess\n"
        f"subprocess.run(['mount', '-t', 'tmpfs', '-o', 'size=4m,mode=0700', 'none', {str(host.root)!r}], check=True)\n"
        f"for folder in {[str(host.project / '.claude'), str(host.transcripts)]!r}: os.makedirs(folder)\n"
    )
    with Nursery(host.environment(), host.project, wrapper=wrapper, setup=mount) as nursery:
        made = Disk(host, nursery, tmp_path_factory.mktemp("outside"))
        book = {"version": "1.0", "sections": {"PATTERNS & APPROACHES": [POINT]}}
        made.write(host.playbook, json.dumps(book))
        yield made


@rooms
@pytest.mark.parametrize("writer", ["hooks", "worker"])
def test_a_session_on_a_full_disk_goes_on_and_is_learned_when_there_is_room(writer, rooms, disk):
    host, nursery = disk.host, disk.nursery

    def end(name, reason):
        payload = host.payload("SessionEnd", session_id=name, reason=reason)
        assert nursery.hook("SessionEnd", payload).code == 0

    for number, room in enumerate(rooms, start=1):
        name = disk.session(number)
        if writer == "worker":
            end(name, "other")
        disk.fill(room)
        if writer == "worker":
            done = nursery.worker()
            assert (done.code, done.err) == (0, ""), f"{room} pages left"
        for event, fields in EVENTS.items() if writer == "hooks" else ():
            payload = host.payload(event, **{**fields, "session_id": name, "prompt_id": name})
            done = nursery.hook(event, payload)
            assert (done.code, done.err) == (0, ""), f"{event} with {room} pages left"
            assert isinstance(done.json, dict)
        figures.add(f"{writer} on a full disk")
        disk.empty()
        if writer == "hooks":  # what could not be noted then is said again by the next event
            end(name, "later")
        assert nursery.worker().code == 0
        disk.value(RETRY, home=str(host.home))
        assert nursery.worker().code == 0
        found = disk.counted()
        assert (found["helpful"], found["votes"], found["turns"]) == (number,) * 3, room
    assert disk.value(HALF, folder=str(host.project)) == [], "whole or not at all"


@rooms
def test_a_command_on_a_full_disk_says_so_and_changes_nothing_or_all(rooms, disk):
    settings = disk.host.root / ".claude" / "settings.json"
    disk.value("os.makedirs({folder!r})", folder=str(settings.parent))
    expected = ["Run the tests."]
    for number, room in enumerate(rooms):
        disk.write(settings, json.dumps({"model": "opus", "filler": "x" * 6000}))
        text = f"Rule number {number}."
        disk.fill(room)
        added = disk.nursery.command("playbook", "add", text)
        installed = disk.nursery.command("install", "--yes", "--workflow", "local")
        for done in (added, installed):
            assert done.code in {0, 1, 2}, f"{room} pages left: {done.err}"
            assert "Traceback" not in done.err
            assert "bug of ours" not in done.err, f"{room} pages left: {done.err}"
        disk.empty()
        assert disk.nursery.worker().code == 0
        found = disk.counted()["texts"]
        assert found == [*expected, text] or (found == expected and added.code), "as it said"
        expected = found
        left = disk.value("found = json.load(open({path!r}))", path=str(settings))
        assert (left["model"], len(left["filler"])) == ("opus", 6000)
        assert ("hooks" in left) or installed.code == 2, "what it said it did, it did"
        names = disk.value("found = os.listdir({folder!r})", folder=str(settings.parent))
        assert [name for name in names if name.startswith(".ace")] == []
        figures.add("commands on a full disk", 2)
    assert len(expected) > 1


LIMITED = """
import resource, signal, sys
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, ({size}, {size}))
from ace_reflect.cli.main import main
sys.exit(main(["playbook", "add", "A rule."]))
"""


@pytest.mark.parametrize("size", [1, 4096, 40_000])
def test_with_a_limit_on_the_size_of_files_a_command_says_so_and_the_playbook_stands(size, host):
    host.write_playbook({"PATTERNS & APPROACHES": [POINT]})
    before = host.playbook.read_bytes()
    command = [sys.executable, "-IB", "-c", LIMITED.format(size=size)]  # a cut `.pyc` would stay so
    done = ran(*command, env=host.environment(), cwd=host.project)
    assert done.returncode == 2, done.stderr
    assert "Traceback" not in done.stderr
    assert host.playbook.read_bytes() == before
    assert os.listdir(host.playbook.parent) == ["playbook.json"]
