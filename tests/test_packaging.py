"""One version in three places, and a wheel that carries what the program reads at run time."""

import json
import os
import re
import subprocess
import sys
import sysconfig
import tomllib
import venv
import zipfile
from pathlib import Path

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
        subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True)
        .stdout.decode()
        .split("\0")
    )
    found = [
        name
        for name in filter(None, tracked)
        if (ROOT / name).is_file()
        and re.search(rb"/(?:wor" rb"k|far" rb"m|roo" rb"t)/", (ROOT / name).read_bytes())
    ]

    assert found == []


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Built by uv, which the tests' environment has; pip is missing where uv made it."""
    folder = tmp_path_factory.mktemp("wheel")
    done = subprocess.run(
        [
            sys.executable,
            "-m",
            "uv",
            "build",
            "--quiet",
            "--wheel",
            "--out-dir",
            str(folder),
            str(ROOT),
        ],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return next(folder.glob("*.whl"))


@pytest.mark.timeout(240)
def test_the_wheel_carries_prompts_hooks_and_playbook(wheel):
    names = set(zipfile.ZipFile(wheel).namelist())

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


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An environment into which the wheel is unpacked, beside the packages that it needs, as pip leaves them."""
    folder = tmp_path_factory.mktemp("installed")
    venv.create(folder, with_pip=False, symlinks=True)
    site = Path(
        sysconfig.get_path("purelib", "venv", vars={"base": str(folder), "platbase": str(folder)})
    )
    zipfile.ZipFile(wheel).extractall(site)
    for place in Path(sysconfig.get_path("purelib")).iterdir():
        if place.suffix != ".pth" and "ace_reflect" not in place.name:
            (site / place.name).symlink_to(place)
    return site


def hook_lines(site: Path, home: Path, hook: str, event: str, cwd: Path) -> list[dict[str, object]]:
    """Run an installed hook as the host does; returns what it logged."""
    payload = {
        "session_id": "s", "transcript_path": str(home / "t.jsonl"), "cwd": str(cwd), "hook_event_name": event,
        "prompt": "fix it", "prompt_id": "p", "source": "startup", "reason": "other",
    }  # fmt: skip
    python = site.parents[2] / "bin" / "python"
    subprocess.run(
        [python, "-I", site / "ace_reflect" / "_data" / "hooks" / f"{hook}.py", "ace-reflect"],
        input=json.dumps(payload).encode(), capture_output=True, check=True, timeout=60,
        env={"PATH": os.environ["PATH"], "HOME": str(home), "ACE_REFLECT_HOME": str(home)},
    )  # fmt: skip
    return [json.loads(line) for line in (home / "log.jsonl").read_text().splitlines()]


@pytest.mark.timeout(240)
@pytest.mark.parametrize("of", ["the person", "the project", "nobody"])
def test_an_installed_hook_finds_what_reads_a_configuration(installed, tmp_path, of):
    """The packages that read YAML stand beside ours there, which a checkout's do not."""
    home, project = tmp_path / "home", tmp_path / "project"
    (project / ".claude").mkdir(parents=True)
    home.mkdir()
    place = {"the person": home, "the project": project / ".claude", "nobody": tmp_path}[of]
    (place / "reflection.yaml").write_text("max_attempts: 2\n")

    hook_lines(installed, home, "session_start", "SessionStart", project)
    lines = hook_lines(installed, home, "user_prompt_submit", "UserPromptSubmit", project)

    assert [(line["event"], line.get("error")) for line in lines] == [
        ("SessionStart", None),
        ("UserPromptSubmit", None),
    ]
