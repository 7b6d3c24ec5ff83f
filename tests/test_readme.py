"""What the README shows is what the program prints."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

from conftest import ROOT

ACE = str(Path(sys.executable).parent / "ace-reflect")
README = (ROOT / "README.md").read_text()


def printed(*arguments: str, home: Path, folder: Path = ROOT) -> str:
    environ = {**os.environ, "ACE_REFLECT_HOME": str(home), "NO_COLOR": "1", "COLUMNS": "80"}
    done = subprocess.run(
        [ACE, *arguments], cwd=folder, env=environ, capture_output=True, text=True, timeout=60, check=False
    )
    return done.stdout.rstrip()


def test_the_demo_prints_what_the_readme_shows(tmp_path):
    folder = tmp_path / "checkout"
    shutil.copytree(ROOT / "examples", folder / "examples")
    shutil.copytree(ROOT / "examples", folder / ".cache" / "demo")
    command = ("run", "examples/session.jsonl", "--offline", "--playbook", ".cache/demo/playbook.json")

    assert printed(*command, home=tmp_path / "home", folder=folder) in README


def test_check_prints_what_the_readme_shows(tmp_path):
    assert printed("check", "examples/session.jsonl", home=tmp_path) in README


def test_every_command_that_the_readme_names_exists():
    from ace_reflect.cli.main import COMMANDS

    named = {line.split()[1] for line in README.splitlines() if line.strip().startswith("ace-reflect ")}

    assert named <= set(COMMANDS)
