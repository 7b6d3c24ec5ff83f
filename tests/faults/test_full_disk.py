"""
A disk that is full, at every amount of room that is left: the session goes on, what was there stands, and when there is
room again nothing is lost and nothing was doubled.

The disk is a small tmpfs in a mount namespace of the nursery's own, so nothing stays mounted. Where the system allows
neither root nor user namespaces, `RLIMIT_FSIZE` stands in for it.
"""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from support import figures
from support.faults import POINT, session_of
from support.hooks import Host
from support.nursery import Nursery

ROOMS = (0, 1, 2, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128)  # in 4 kB pages
BALLAST = "import os; os.path.exists({path!r}) and os.unlink({path!r})"

#: Fill the disk but for so many pages.
FILL = """
import os
room = {room} * 4096
free = os.statvfs({folder!r}).f_bavail * 4096
with open({path!r}, "wb", buffering=0) as file:
    try:
        file.write(b"x" * max(free - room, 0))
    except OSError:
        pass
"""


def _namespace() -> list[str] | None:
    """A command that runs another in a mount namespace of its own, or None where the system does not allow it."""
    unshare = shutil.which("unshare")
    for options in (["--mount"], ["--user", "--map-root-user", "--mount"]):
        if unshare is None:
            break
        tried = [unshare, *options, "mount", "-t", "tmpfs", "-o", "size=64k", "none", "/mnt"]
        if subprocess.run(tried, capture_output=True, check=False).returncode == 0:
            return [unshare, *options]
    return None


class Disk:
    """A host whose home and project lie on a disk of 4 MB."""

    def __init__(self, host: Host, nursery: Nursery) -> None:
        self.host = host
        self.nursery = nursery
        self._ballast = str(host.root / "ballast")

    def inside(self, code: str) -> str:
        done = self.nursery.python(code)
        assert done.code == 0, done.err
        return done.out

    def fill(self, room: int) -> None:
        self.inside(FILL.format(folder=str(self.host.root), path=self._ballast, room=room))

    def empty(self) -> None:
        self.inside(BALLAST.format(path=self._ballast))

    def value(self, code: str) -> Any:
        """What `found` is inside of the namespace."""
        return json.loads(self.inside(f"import json, os\n{code}\nprint(json.dumps(found))"))

    def write(self, path: Path, text: str) -> None:
        self.inside(f"open({str(path)!r}, 'w').write({text!r})")

    def session(self, tmp: Path, number: int) -> str:
        """A session's transcript on the full disk's other half: the host's own disk had room for it."""
        session = session_of(Host(tmp), 1, number)
        text = session.data().decode().replace(str(tmp / "project"), str(self.host.project))
        self.write(self.host.transcript(session.session_id), text)
        return session.session_id

    def counted(self) -> dict[str, Any]:
        home = self.host.home
        places = {"playbook": str(self.host.playbook), "database": str(home / "state.db")}
        found = self.value(COUNT.format(home=str(home), **places))
        assert (found["ok"], found["intents"], found["aside"]) == ("ok", 0, [])
        return found


COUNT = """
import sqlite3
book = json.load(open({playbook!r}))
points = [p for rows in book["sections"].values() for p in rows]
db = sqlite3.connect({database!r})
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


@pytest.fixture
def disk(host: Host) -> Iterator[Disk]:
    namespace = _namespace()
    if namespace is None:
        pytest.skip("neither root nor user namespaces here; RLIMIT_FSIZE stands in for it below")
    mount = (
        "import subprocess\n"
        f"subprocess.run(['mount', '-t', 'tmpfs', '-o', 'size=4m,mode=0700', 'none', {str(host.root)!r}], check=True)\n"
        f"import os\nfor folder in {[str(host.project / '.claude'), str(host.transcripts)]!r}: os.makedirs(folder)\n"
    )
    with Nursery(host.environment(), host.project, wrapper=namespace, setup=mount) as nursery:
        made = Disk(host, nursery)
        book = {"version": "1.0", "sections": {"PATTERNS & APPROACHES": [POINT]}}
        made.write(host.playbook, json.dumps(book))
        yield made


def test_hooks_on_a_full_disk_say_nothing_wrong_and_what_they_had_to_note_is_found_later(
    disk, tmp_path_factory
) -> None:
    outside = tmp_path_factory.mktemp("outside")
    host = disk.host
    events = (
        ("SessionStart", {"source": "startup"}), ("UserPromptSubmit", {"prompt": "Fix it"}),
        ("Stop", {"last_assistant_message": "Done."}), ("PreCompact", {"trigger": "auto"}),
        ("SessionEnd", {"reason": "other"}),
    )  # fmt: skip
    for number, room in enumerate(ROOMS):
        session_id = disk.session(outside, number)
        disk.fill(room)
        for event, fields in events:
            fields = {**fields, "session_id": session_id, "prompt_id": f"p{number}"}
            done = disk.nursery.hook(event, host.payload(event, **fields))
            assert (done.code, done.err) == (0, ""), f"{event} with {room} pages left"
            assert isinstance(done.json, dict)
            figures.add("hooks on a full disk")
        disk.empty()
        # What could not be noted then is said again by the next event of the session.
        payload = host.payload("SessionEnd", session_id=session_id, reason="later")
        assert disk.nursery.hook("SessionEnd", payload).code == 0
    assert disk.nursery.worker().code == 0
    found = disk.counted()
    assert (found["helpful"], found["votes"], found["turns"]) == (len(ROOMS),) * 3
    broken = disk.value(
        f"found = []\nos.chdir({str(host.project / '.reflection')!r})\nfor name in os.listdir():\n"
        "    if name.endswith('.tmp'): found.append(name)\n    if name.endswith('.json'):\n"
        "        try: json.load(open(name))\n        except ValueError: found.append(name)\n"
    )
    assert broken == [], "whole or not at all"


RETRY = """
import ace_reflect.state.jobs as jobs
from ace_reflect.state.db import open_state
with open_state({home!r}) as state:
    [jobs.retry(state, job.id) for job in jobs.listed(state) if job.state != 'done']
"""


def test_a_worker_on_a_full_disk_learns_when_there_is_room_again(disk, tmp_path_factory) -> None:
    outside = tmp_path_factory.mktemp("outside")
    for number, room in enumerate(ROOMS):
        session_id = disk.session(outside, number)
        payload = disk.host.payload("SessionEnd", session_id=session_id, reason="other")
        assert disk.nursery.hook("SessionEnd", payload).code == 0
        disk.fill(room)
        done = disk.nursery.worker()
        assert (done.code, done.err) == (0, ""), f"{room} pages left"
        disk.empty()
        assert disk.nursery.worker().code == 0
        disk.inside(RETRY.format(home=str(disk.host.home)))
        assert disk.nursery.worker().code == 0
        figures.add("writers on a full disk")
        found = disk.counted()
        counts = (found["helpful"], found["votes"], found["turns"])
        assert counts == (number + 1,) * 3, f"{room} pages left"


def test_a_command_on_a_full_disk_says_so_and_changes_nothing_or_all(disk) -> None:
    expected = ["Run the tests."]
    for number, room in enumerate(ROOMS):
        text = f"Rule number {number}."
        disk.fill(room)
        done = disk.nursery.command("playbook", "add", text)
        assert done.code in {0, 1, 2}, f"{room} pages left: {done.err}"
        assert "Traceback" not in done.err
        assert "bug of ours" not in done.err, f"{room} pages left: {done.err}"
        disk.empty()
        assert disk.nursery.worker().code == 0
        figures.add("writers on a full disk")
        found = disk.counted()["texts"]
        assert found == [*expected, text] or (found == expected and done.code), "as it said"
        expected = found
    assert len(expected) > 1


def test_an_install_on_a_full_disk_leaves_the_old_settings(disk) -> None:
    settings = disk.host.root / ".claude" / "settings.json"
    disk.inside(f"import os; os.makedirs({str(settings.parent)!r}, exist_ok=True)")
    for room in ROOMS[:8]:
        disk.write(settings, json.dumps({"model": "opus", "filler": "x" * 6000}))
        disk.fill(room)
        done = disk.nursery.command("install", "--yes", "--workflow", "local")
        assert done.code in {0, 2}, done.err
        assert "bug of ours" not in done.err
        disk.empty()
        found = disk.value(f"found = json.load(open({str(settings)!r}))")
        assert (found["model"], len(found["filler"])) == ("opus", 6000)
        assert ("hooks" in found) or done.code == 2, "what it said it did, it did"
        names = disk.value(f"found = os.listdir({str(settings.parent)!r})")
        assert [name for name in names if name.startswith(".ace")] == []
        figures.add("writers on a full disk")


LIMITED = """
import resource, signal, sys
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, ({size}, {size}))
from ace_reflect.cli.main import main
sys.exit(main(["playbook", "add", "A rule."]))
"""


@pytest.mark.parametrize("size", [1, 100, 4096, 40_000])
def test_with_a_limit_on_the_size_of_files_a_command_says_so_and_the_playbook_stands(
    size, host
) -> None:
    host.write_playbook({"PATTERNS & APPROACHES": [POINT]})
    before = host.playbook.read_bytes()
    done = subprocess.run(
        [
            sys.executable,
            "-IB",
            "-c",
            LIMITED.format(size=size),
        ],  # a `.pyc` cut short would stay so
        env=host.environment(),
        cwd=host.project,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2, done.stderr
    assert "Traceback" not in done.stderr
    assert host.playbook.read_bytes() == before
    assert os.listdir(host.playbook.parent) == ["playbook.json"]
