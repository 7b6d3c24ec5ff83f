"""state.db is made, migrated, refused or set aside; whatever happens to it, nobody's data is overwritten."""

import os
import sqlite3
import stat
import subprocess
import sys
import time

import pytest

from ace_reflect.errors import StateError
from ace_reflect.state import cache
from ace_reflect.state.db import VERSION, open_state


def test_a_new_state_is_the_persons_alone_also_in_a_folder_with_a_space_and_an_umlaut(tmp_path):
    home = tmp_path / "mein höme" / "ace"
    with open_state(str(home)) as state:
        state.run("INSERT INTO numbers VALUES ('/p', 'x', 0)")
        modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in home.iterdir()}
    assert stat.S_IMODE(home.stat().st_mode) == 0o700
    assert set(modes.values()) == {0o600}
    assert {"state.db", "state.db-wal", "state.db-shm"} <= modes.keys()


def test_a_state_of_an_older_version_is_migrated_with_all_its_rows(tmp_path):
    connection = sqlite3.connect(tmp_path / "state.db")
    columns = "id TEXT PRIMARY KEY, project TEXT, transcript TEXT, started_at REAL, seen_at REAL"
    connection.executescript(
        f"CREATE TABLE sessions ({columns}); INSERT INTO sessions VALUES ('s', '/p', '/t', 1, 2); PRAGMA user_version=1"
    )
    connection.close()

    for _ in ("migrated", "opened again"):
        with open_state(str(tmp_path)) as state:
            assert state.one("PRAGMA user_version") == (VERSION,)
            assert state.all("SELECT id, seen_at FROM sessions") == [("s", 2.0)]
            assert state.all("SELECT * FROM notes") == []


@pytest.mark.parametrize("name", ["home", "other/state.db"])
def test_a_file_or_folder_in_the_wrong_place_is_an_error_of_one_line(tmp_path, name):
    (tmp_path / "other" / "state.db" / "x").mkdir(parents=True)
    (tmp_path / "home").write_text("")
    with pytest.raises(StateError) as caught:
        open_state(str(tmp_path / name.partition("/")[0]))
    assert "\n" not in str(caught.value)


def test_a_transaction_is_taken_back_by_an_exception_and_nests(tmp_path):
    with open_state(str(tmp_path)) as state:
        with pytest.raises(sqlite3.OperationalError), state.transaction():  # noqa: PT012 - the block is what is tested
            with state.transaction():
                state.run("INSERT INTO numbers VALUES ('/p', 'x', 0)")
            state.run("INSERT INTO no_such_table VALUES (1)")
        assert state.all("SELECT * FROM numbers") == []


def test_text_with_lone_surrogates_can_be_read_back(tmp_path):
    with open_state(str(tmp_path)) as state:
        state.run("INSERT INTO numbers VALUES (json_extract('\"\\ud800\"', '$'), 'x', 0)")
        assert "�" in state.all("SELECT playbook FROM numbers")[0][0]


_CLAIM = (
    "import sys; from ace_reflect.state.db import open_state; from ace_reflect.state import cache\n"
    "if len(sys.argv) > 3: sys.stdin.read()\n"
    "s = open_state(sys.argv[1], wait_s=30.0); print(int(cache.claim(s, 'Stop', b'{}', sys.argv[2])))"
)


def claiming(home, transcript, *more):
    command = [sys.executable, "-I", "-c", _CLAIM, str(home), str(transcript), *more]
    return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)


def claimed(process):
    return process.communicate(timeout=60)[0].strip() == b"1"


def test_many_processes_that_open_a_new_home_at_once_make_one_state(tmp_path):
    started = [claiming(tmp_path / "home", tmp_path / "t.jsonl") for _ in range(6)]

    assert [claimed(process) for process in started].count(True) == 1
    assert sorted(os.listdir(tmp_path / "home"))[:2] == ["state.db", "state.lock"]


def test_a_twin_is_known_though_the_host_still_writes_to_the_transcript(tmp_path):
    """Both were started at once; one looks at the transcript before the host's last lines are in it, one after."""
    transcript = tmp_path / "t.jsonl"
    twin = claiming(tmp_path, transcript, "wait")
    time.sleep(0.3)
    assert claimed(claiming(tmp_path, transcript))
    transcript.write_text("{}\n")
    with open_state(str(tmp_path)) as state:
        cache.blocked(state, b"{}")
    assert not claimed(twin)
    assert claimed(claiming(tmp_path, transcript)), "the host calls again after a block"


def test_who_starts_after_a_block_and_waits_for_the_state_is_no_twin(tmp_path):
    """A busy machine lies between a process's clock and its turn; the wait does not make it older than the block."""
    with open_state(str(tmp_path)) as state:
        assert cache.claim(state, "Stop", b"{}", "")
        cache.blocked(state, b"{}")
        with state.transaction():
            later = claiming(tmp_path, tmp_path / "t.jsonl")
            time.sleep(0.5)
    assert claimed(later)


def test_a_claim_from_before_or_after_its_window_is_no_claim_whichever_way_the_clock_went(tmp_path):
    with open_state(str(tmp_path)) as state:
        assert cache.claim(state, "Stop", b"{}", "")
        for moved in (-3600.0, 3600.0):
            state.run("UPDATE cache SET at = at + ?", (moved,))
            assert cache.claim(state, "Stop", b"{}", "")
