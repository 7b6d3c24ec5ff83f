"""What the plugin's hooks.json starts, on machines with more and with fewer programs."""

import os
import shutil
import subprocess
import time
from pathlib import Path

import pytest

from conftest import ROOT

NEEDED = ("sh", "cat", "cksum", "touch")


@pytest.mark.parametrize("more", [("setsid",), ()], ids=["Linux", "macOS"])
def test_a_first_session_begins_to_make_the_environment(
    tmp_path: Path, more: tuple[str, ...]
) -> None:
    root, data, programs = tmp_path / "the plugin", tmp_path / "its data", tmp_path / "bin"
    for folder in (root / "hooks", data, programs):
        folder.mkdir(parents=True)
    shutil.copy(ROOT / "hooks" / "plugin.sh", root / "hooks")
    (root / "hooks" / "plugin_environment.sh").write_text(
        'kill -HUP $$  # the terminal is closed\ntouch "$CLAUDE_PLUGIN_DATA/begun"\n'
    )
    (root / "pyproject.toml").write_text("")
    for name in (*NEEDED, *more):
        found = shutil.which(name)
        assert found is not None, f"{name} is needed for this test"
        (programs / name).symlink_to(found)

    done = subprocess.run(
        [programs / "sh", root / "hooks" / "plugin.sh", "session_start"],
        env={
            "PATH": str(programs),
            "CLAUDE_PLUGIN_ROOT": str(root),
            "CLAUDE_PLUGIN_DATA": str(data),
        },
        capture_output=True,
        check=False,
    )

    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    until = time.monotonic() + 10
    while not os.path.exists(data / "begun") and time.monotonic() < until:
        time.sleep(0.02)
    assert (data / "begun").exists()
