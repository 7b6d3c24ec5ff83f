"""One version in three places, and a wheel that carries what the program reads at run time."""

import json
import re
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest

import ace_reflect
from conftest import ROOT
from support.programs import ran


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
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True)
    place = re.compile(rb"/(?:wor" rb"k|far" rb"m|roo" rb"t)/")
    files = (ROOT / name for name in listed.stdout.decode().split("\0") if name)
    found = [path for path in files if path.is_file() and place.search(path.read_bytes())]

    assert found == []


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Built by uv, which the tests' environment has; pip is missing where uv made it."""
    folder = tmp_path_factory.mktemp("wheel")
    build = [sys.executable, "-m", "uv", "build", "--quiet", "--wheel", "--out-dir"]
    done = ran(*build, folder, ROOT, timeout=240)
    assert done.returncode == 0, done.stderr
    return next(folder.glob("*.whl"))


@pytest.mark.timeout(240)
def test_the_wheel_carries_prompts_hooks_and_playbook(wheel):
    names = set(zipfile.ZipFile(wheel).namelist())

    for folder, endings in {
        "prompts": (".txt",),
        "hooks": (".py", ".sh"),
        "playbook": (".json",),
        "prompts/agents": (".md",),
        "commands": (".md",),
    }.items():
        for path in (ROOT / folder).iterdir():
            if path.suffix in endings:
                assert f"ace_reflect/_data/{folder}/{path.name}" in names
