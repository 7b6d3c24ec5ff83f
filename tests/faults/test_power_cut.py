"""
The power goes at any instant of a writer: what is found afterwards is what a kill at some instant leaves (`test_kills.py`,
`tests/learning/test_worker.py`), for nothing takes another file's place before all that was written so far is on the disk.
"""

import os
import re
import shutil
import subprocess
import sys
from functools import partial

import pytest

from support.faults import POINT, counted, enqueue, session_of

CLI = ("-c", "import sys; from ace_reflect.cli.main import main; sys.exit(main())")
WRITERS = {
    "worker": ("-m", "ace_reflect.learning.worker"),
    "add": (*CLI, "playbook", "add", "A rule."),
    "edit": (*CLI, "playbook", "edit", "pat-001", "A rule."),
    "undo": (*CLI, "playbook", "undo"),
    "install": (*CLI, "install", "--yes", "--workflow", "local"),
}
STRACE = "strace -f -y -s 0 -e trace=write,pwrite64,writev,pwritev,ftruncate,fsync,fdatasync,rename,renameat,renameat2 -o"
CALL = re.compile(r'\d+ +(\w+)\((?:\d+<([^>]*)>|"([^"]*)", "([^"]*)").* = \d+')
NOT_SYNCED = (
    "log.jsonl", ".lock", ".pyc", "-shm",
)  # nothing is read from them after a cut, or it may be cut short  # fmt: skip

pytestmark = pytest.mark.skipif(
    shutil.which("strace") is None and not os.environ.get("CI"),
    reason="the order of writes is recorded by strace",
)


@pytest.mark.parametrize("writer", WRITERS)
def test_what_was_written_is_on_the_disk_before_a_file_takes_anothers_place(writer, host, tmp_path):
    host.write_playbook({"PATTERNS & APPROACHES": [POINT]})
    settings = host.root / ".claude" / "settings.json"
    settings.parent.mkdir()
    settings.write_text('{"model": "opus"}\n')
    run = partial(subprocess.run, env=host.environment(), cwd="/", check=True, capture_output=True)
    if writer == "undo":
        run([sys.executable, "-I", *WRITERS["add"]])
    enqueue(host, session_of(host, 2))
    told = tmp_path / "calls"

    run([*STRACE.split(), told, sys.executable, "-I", *WRITERS[writer]])

    unsynced, unnamed, replaced = set(), set(), []
    for line in told.read_text().splitlines():
        found = CALL.match(line)
        if found is None or not (found[2] or found[4]).startswith(str(host.root)):
            continue
        call, path, _, target = found.groups()
        if call.startswith("rename"):
            assert not unsynced, f"{target} was replaced before they were on the disk"
            replaced.append(os.path.basename(target))
            unnamed.add(os.path.dirname(target))
        elif "sync" in call:
            unsynced.discard(path)
            unnamed.discard(path)
        elif not path.endswith(NOT_SYNCED):
            assert not unnamed or "state.db" not in path, "a file counts as replaced too early"
            unsynced.add(path)
    assert ("settings.json" if writer == "install" else "playbook.json") in replaced
    assert unnamed == set()
    assert counted(host)[1:] == ((2, 2) if writer == "worker" else (0, 0))
