"""Whatever the machine is like: the session goes on. (What state.db may be like: `tests/faults/test_state.py`.)"""

import json
import subprocess
import sys

import pytest

from support.hooks import HOOKS
from support.stops import Session, python_project

POINT = {"name": "oth-001", "text": "Größe → 😀", "helpful": 1, "harmful": 0}


@pytest.mark.parametrize("kept", [b"\xff", b"[]", b'{"scopes": [{}], "gone": 1}'])
def test_project_facts_that_cannot_be_read_are_read_anew(kept, host):
    session = Session(python_project(host)).ask("Fix the parser").code()
    session.stop_hook()
    with host.state() as state:
        assert state.run("UPDATE cache SET value = ? WHERE kind = 'project'", (kept,)) == 1

    assert session.ask("Fix the lexer").code().stop_hook().json["decision"] == "block"


def test_a_reader_that_is_gone_is_no_failure(host):
    host.write_playbook({"OTHERS": [POINT]})
    process = subprocess.Popen(
        [sys.executable, "-I", str(HOOKS / "user_prompt_submit.py")],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=host.environment(),
    )  # fmt: skip
    process.stdout.close()
    process.stdout = None
    data = json.dumps(host.payload("UserPromptSubmit", prompt="Fix it")).encode()
    assert process.communicate(data, timeout=30)[1] == b""
    assert process.returncode == 0


CLOSED = "import os, sys\nfor n in map(int, sys.argv[3]): os.close(n)\nos.execv(sys.executable, [sys.executable, '-I', *sys.argv[1:3]])"


@pytest.mark.parametrize(("script", "streams"), [
    *(("stop.py", streams) for streams in ("0", "1", "2", "012")), ("user_prompt_submit.py", "012"),
    ("assess.py", "012"), ("session_end.py", "012"),
])  # fmt: skip
def test_streams_that_the_host_has_closed_are_no_failure(script, streams, host):
    done = subprocess.run(
        [sys.executable, "-c", CLOSED, str(HOOKS / script), "ace-reflect", streams], check=False, timeout=60,
        input=json.dumps(host.payload("Stop", prompt="Fix it")).encode(), capture_output=True, env=host.environment(),
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, b"")


def test_a_relative_home_below_a_folder_that_is_gone_stops_nobody(host, tmp_path):
    gone = tmp_path / "gone"
    gone.mkdir()
    done = subprocess.run(
        ["sh", "-c", 'rmdir "$0" && exec "$1" -I "$2"', str(gone), sys.executable, str(HOOKS / "stop.py")],
        input=json.dumps(host.payload("Stop")), capture_output=True, text=True, cwd=gone, check=False, timeout=60,
        env=host.environment(ACE_REFLECT_HOME="relative/home"),
    )  # fmt: skip
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_a_locale_without_unicode_still_gets_its_key_points_whole(host):
    host.write_playbook({"OTHERS": [POINT]})
    plain = {"LANG": "C", "LC_ALL": "C", "PYTHONIOENCODING": "ascii"}
    assert POINT["text"] in host.prompt("Fix it", env=plain).context
