"""install.sh finds a Python that lasts, wherever a Mac's installers put theirs; the packages' installer is a stand-in."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from conftest import ROOT
from support.programs import ran

TOOLS = "bash dirname cat cksum rm mkdir mv touch find sort readlink rmdir".split()
VERSION = f"python{sys.version_info[0]}.{sys.version_info[1]}"
BASE = Path(sys.base_prefix) / "bin" / VERSION
#: Makes what `uv venv` makes, as far as install.sh looks at it, and knows no Python of its own.
UV = """#!/bin/sh
case $1 in
    python) [ -n "${MANAGED:-}" ] && echo "$MANAGED" || exit 2 ;;
    venv) mkdir -p "$6/bin" && echo "$5" >"$6/made-by" && touch "$6/bin/python" ;;
    pip) [ -z "${REFUSED:-}" ] || exit 1; [ -z "${KILLED:-}" ] || kill -9 $PPID ;;
esac
"""
OLD = "#!/bin/sh\nexit 1\n"  # as a Python 3.9 answers the question for its version


class Machine:
    """A PATH with nothing on it but what is put there, and a home."""

    def __init__(self, folder: Path) -> None:
        self.home, self.programs, self.made = folder / "home", folder / "bin", folder / "made"
        for place in (self.home, self.programs):
            place.mkdir()
        for name in TOOLS:
            (self.programs / name).symlink_to(shutil.which(name) or "")
        self.put("uname", "#!/bin/sh\necho Darwin\n")
        self.put("uv", UV)

    def put(self, name: str, text: str) -> None:
        place = self.programs / name
        place.write_text(text)
        place.chmod(0o755)

    def run(self, *arguments: str | Path, **environ: str) -> "subprocess.CompletedProcess[str]":
        environ = {"PATH": str(self.programs), "HOME": str(self.home), **environ}
        return ran(self.programs / "bash", ROOT / "install.sh", *arguments, env=environ)

    def chosen(self, **environ: str) -> str:
        """The Python that the environment was made by, or what install.sh said."""
        done = self.run("environment", self.made, **environ)
        return (self.made / "made-by").read_text().strip() if done.returncode == 0 else done.stderr

    def left(self) -> set[str]:
        return {place.name for place in self.made.iterdir()}


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    return Machine(tmp_path)


def test_an_environment_stands_on_the_link_that_an_upgrade_of_python_moves(machine, tmp_path):
    """A tree of this Python at a place of its own, as Homebrew leaves one."""
    cellar, stable = tmp_path / "Cellar" / "3.x.7", tmp_path / "opt"
    (cellar / "bin").mkdir(parents=True)
    shutil.copy(os.path.realpath(sys.executable), cellar / "bin" / VERSION)
    (cellar / "lib").symlink_to(Path(sys.base_prefix) / "lib")
    stable.symlink_to("Cellar/3.x.7")
    machine.put("python3", f'#!/bin/sh\nexec "{stable}/bin/{VERSION}" "$@"\n')

    assert machine.chosen() == str(stable / "bin" / VERSION)


def test_the_python_behind_an_environment_and_one_that_no_path_knows_is_found(machine):
    machine.put("python3", OLD)
    assert "needs Python 3.11 or newer" in machine.chosen()
    assert machine.chosen(PYTHON=sys.executable) == str(BASE)
    assert machine.chosen(MANAGED=sys.executable) == str(BASE)

    (machine.home / ".local" / "bin").mkdir(parents=True)
    (machine.home / ".local" / "bin" / VERSION).symlink_to(BASE)
    assert machine.chosen() == str(BASE)


@pytest.mark.parametrize("system", ["Darwin", "Linux"])
def test_the_python_of_macos_is_not_even_asked_and_that_of_linux_is(machine, system):
    machine.put("uname", f"#!/bin/sh\necho {system}\n")
    recent = ["/usr/bin/python3", "-c", "import sys; sys.exit(sys.version_info < (3, 11))"]
    if not os.access(recent[0], os.X_OK) or subprocess.run(recent, check=False).returncode:
        pytest.skip("there is no /usr/bin/python3 here that would do")

    said = machine.chosen(PATH=f"{machine.programs}:/usr/bin", PYTHON="/usr/bin/python3")

    assert said.startswith("/usr/bin/python3") is (system == "Linux"), said


@pytest.mark.parametrize("before", [False, True])
def test_an_environment_whose_making_was_killed_is_made_anew(machine, *, before):
    """Class: a killed upgrade. The old stamp would pass for what was there before, and pip leaves halves of both in place."""
    if before:
        machine.chosen(PYTHON=sys.executable)
    machine.chosen(PYTHON=sys.executable, KILLED="1")
    assert ".ace-reflect-stamp" not in machine.left(), "an older install.sh would take it for whole"
    (machine.made / "half").touch()

    machine.chosen(PYTHON=sys.executable)

    assert machine.left() == {".ace-reflect-stamp", "bin", "made-by"}


def test_an_environment_whose_making_was_refused_stays_as_it_was(machine: Machine) -> None:
    """Without a network the installer changes nothing: what stands there goes on working, and keeps its stamp."""
    machine.chosen(PYTHON=sys.executable)
    (machine.made / "theirs").touch()
    stamp = machine.made / ".ace-reflect-stamp"
    stamp.write_text("an older version's")

    for _ in range(2):
        assert "could not be installed" in machine.chosen(PYTHON=sys.executable, REFUSED="1")

    assert stamp.read_text() == "an older version's"
    assert machine.left() == {".ace-reflect-stamp", "bin", "made-by", "theirs"}


@pytest.mark.parametrize("interpreter", ["/nowhere/python", "/bin/sh"])
def test_an_uninstall_works_also_where_the_programs_python_is_gone(machine, interpreter, tmp_path):
    """Class: an upgrade of Python removed the one that the environment stood on."""
    program = machine.home / ".local" / "share" / "ace-reflect" / "venv" / "bin" / "ace-reflect"
    does = f'echo "$@" >>"{tmp_path}/asked"\n'
    program.parent.mkdir(parents=True)
    program.write_text(f"#!{interpreter}\n{does}")
    program.chmod(0o755)
    remade = f"printf '#!/bin/sh\\n%s' '{does}' >\"$6/bin/ace-reflect\""
    machine.put("uv", UV.replace('touch "$6/bin/python"', remade))

    done = machine.run("uninstall", "--yes", PYTHON=sys.executable)

    assert done.returncode == 0, done.stderr
    assert "uninstall --yes" in (tmp_path / "asked").read_text().splitlines()
    assert ("Setting up" in done.stderr) is (interpreter == "/nowhere/python")
    assert not program.exists()
