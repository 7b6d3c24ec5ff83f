"""A process that is told to end while a model is asked."""

import subprocess
import sys
import time
from pathlib import Path

import pytest

from support.programs import alive

SOURCE = Path(__file__).resolve().parents[2] / "src"
#: Asks a program that never answers; its handler, where there is one, says that it was reached.
ASKS = """
import os, signal, sys
sys.path.insert(0, sys.argv[1])
from ace_reflect.llm import claude_code, event_loop
if sys.argv[2] == "own":
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("in order"))
child = [sys.executable, "-c", "import os, time; print(os.getpid(), flush=True); open(%r, 'w').write(str(os.getpid())); time.sleep(60)" % sys.argv[3]]
event_loop.run(claude_code.run(child, b"", os.environ))
"""


@pytest.mark.parametrize(
    ("handler", "code", "said"), [("default", -15, ""), ("own", 1, "in order\n")]
)
def test_a_signal_ends_what_it_started_and_takes_its_course(handler, code, said, tmp_path):
    noted = tmp_path / "child"
    arguments = (sys.executable, "-c", ASKS, str(SOURCE), handler, str(noted))
    process = subprocess.Popen(arguments, stderr=subprocess.PIPE, text=True)
    end = time.monotonic() + 20
    while not (noted.exists() and noted.read_text()) and time.monotonic() < end:
        time.sleep(0.02)
    child = int(noted.read_text())
    assert alive(child)

    process.terminate()
    _, err = process.communicate(timeout=20)

    assert (process.returncode, err) == (code, said)
    assert not alive(child)
