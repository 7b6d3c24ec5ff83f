"""The wheel, with the oldest and the newest packages it allows and none of our tools; and without one that it needs."""

import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from conftest import ROOT
from support.programs import ran

UV = shutil.which("uv") or str(Path(sys.executable).with_name("uv"))


def run(*command: object, home: Path, code: int = 0) -> str:
    environ = {"PATH": os.environ["PATH"], "HOME": str(home), "ACE_REFLECT_HOME": str(home / "ace")}
    environ |= {"LANG": "C.UTF-8", "NO_COLOR": "1"}
    done = ran(*command, timeout=300, cwd=home, env=environ)
    assert done.returncode == code, done.stdout + done.stderr
    return done.stdout + done.stderr


def environment(place: Path, resolution: str) -> Path:
    """
    A fresh environment with the wheel in it; its interpreter.

    What it needs is resolved from pyproject.toml: only there the packages are direct ones, which `lowest-direct` lowers.
    """
    python, resolved = place / "venv" / "bin" / "python", place / "requirements.txt"

    def uv(*words: object) -> None:
        environ = {**os.environ, "UV_LINK_MODE": "copy", "UV_COMPILE_BYTECODE": "1"}
        subprocess.run([UV, *map(str, words)], check=True, env=environ, timeout=300)

    uv("build", "--wheel", "--quiet", "--out-dir", place / "dist", ROOT)
    uv("venv", "--quiet", "--python", sys.executable, place / "venv")
    needs = ("--resolution", resolution, "--extra", "openai", "--output-file", resolved)
    pip = ("--quiet", "--python", python)
    uv("pip", "compile", *pip, *needs, ROOT / "pyproject.toml")
    uv("pip", "install", *pip, "--requirements", resolved)
    uv("pip", "install", *pip, "--no-deps", *(place / "dist").glob("*.whl"))
    if resolution == "lowest-direct":
        lines = (line.split()[0] for line in resolved.read_text().splitlines() if "==" in line)
        assert lowest() <= {re.sub(r"(\.0)+$", "", line) for line in lines}
    return python


def lowest() -> set[str]:
    """The versions from which on pyproject.toml says that the packages will do, a `.0` at the end left out."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    named = [*project["dependencies"], *project["optional-dependencies"]["openai"]]
    found = {re.match(r"([\w-]+)>=([\d.]+)", line) for line in named}
    return {f"{match[1]}=={match[2].removesuffix('.0')}" for match in found if match is not None}


@pytest.mark.long
@pytest.mark.timeout(1200)
@pytest.mark.parametrize("resolution", ["lowest-direct", "highest"])
def test_the_wheel_does_its_work_with_what_it_names_alone(tmp_path: Path, resolution: str) -> None:
    python = environment(tmp_path, resolution)
    program = python.with_name("ace-reflect")
    shutil.copy(ROOT / "examples" / "playbook.json", tmp_path / "playbook.json")
    example = ROOT / "examples" / "session.jsonl"
    assert "dev" not in run(UV, "pip", "list", "--python", python, home=tmp_path).split()

    book = ("--playbook", tmp_path / "playbook.json")
    assert json.loads(run(program, "run", example, "--offline", "--json", *book, home=tmp_path))
    assert "Verdict" in run(program, "check", example, home=tmp_path)
    for command in ("playbook list", "playbook stats", "status", "config show", "queue", "--help"):
        run(program, *command.split(), home=tmp_path)
    where = "from ace_reflect.paths import data_dir; print(data_dir('hooks'))"
    hooks = run(python, "-c", where, home=tmp_path).strip()
    payload = {"session_id": "s", "transcript_path": str(example), "cwd": str(tmp_path), "hook_event_name": "Stop", "last_assistant_message": "Done."}  # fmt: skip
    given = {"input": json.dumps(payload), "env": {"HOME": str(tmp_path)}}
    stopped = ran(python, "-I", f"{hooks}/stop.py", **given)
    assert (stopped.returncode, stopped.stderr) == (0, "")

    tools = ("pytest>=9", "pytest-timeout", "syrupy", "hypothesis", "pytest-httpserver")
    subprocess.run(
        [UV, "pip", "install", "--quiet", "--python", python, *tools], check=True, timeout=300
    )
    parts = ("llm", "playbook", "cli", "install", "test_config.py", "test_redact.py")
    tests = [ROOT / "tests" / part for part in parts]
    suite = [python, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", *tests]
    done = ran(*suite, timeout=800, cwd=ROOT)
    assert done.returncode == 0, done.stdout[-4000:]


@pytest.mark.parametrize("package", ["click", "pydantic", "yaml"])
def test_a_lost_package_is_named_with_the_way_out(tmp_path: Path, package: str) -> None:
    """As if it had been uninstalled: an import of it fails."""
    lost = f"import sys; sys.modules[{package!r}] = None"
    code = f"{lost}; from ace_reflect.cli.main import main; sys.exit(main(['config']))"
    said = run(sys.executable, "-c", code, home=tmp_path, code=2)
    assert f"import of {package} halted" in said
    assert "install it again" in said
    assert "Traceback" not in said
