"""One version in three places, and a wheel that carries what the program reads at run time."""

import json
import re
import subprocess
import sys
import tomllib
import zipfile

import pytest

import ace_reflect
from conftest import ROOT


def test_the_version_is_the_same_everywhere():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]
    plugin = json.loads((ROOT / ".claude-plugin" / "plugin.json").read_text())["version"]

    assert {project, plugin, ace_reflect.__version__} == {project}


def test_every_public_name_resolves():
    for name in ace_reflect.__all__:
        assert getattr(ace_reflect, name) is not None


def test_every_runtime_dependency_says_why_it_is_there():
    text = (ROOT / "pyproject.toml").read_text().split("dependencies = [")[1].split("]\n")[0]

    assert [line for line in text.strip().splitlines() if line.strip() and "#" not in line] == []


def test_no_file_of_ours_names_a_machine_path():
    tracked = (
        subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True).stdout.decode().split("\0")
    )
    found = [
        name
        for name in filter(None, tracked)
        if (ROOT / name).is_file() and re.search(rb"/(?:wor" rb"k|far" rb"m|roo" rb"t)/", (ROOT / name).read_bytes())
    ]

    assert found == []


@pytest.mark.timeout(240)
def test_the_wheel_carries_prompts_hooks_and_playbook(tmp_path):
    """Built by uv, which the tests' environment has; pip is missing where uv made it."""
    done = subprocess.run(
        [sys.executable, "-m", "uv", "build", "--quiet", "--wheel", "--out-dir", str(tmp_path), str(ROOT)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    names = set(zipfile.ZipFile(next(tmp_path.glob("*.whl"))).namelist())

    for folder, endings in {
        "prompts": (".txt",),
        "hooks": (".py", ".sh"),
        "playbook": (".json",),
        "agents": (".md",),
        "commands": (".md",),
    }.items():
        for path in (ROOT / folder).iterdir():
            if path.suffix in endings:
                assert f"ace_reflect/_data/{folder}/{path.name}" in names
