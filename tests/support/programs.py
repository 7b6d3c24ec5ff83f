"""Programs that tests run, and commands for them to put on a PATH."""

import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

GIT = "git -c user.name=dev -c user.email=dev@example.com -c init.defaultBranch=main -c core.fsmonitor=false".split()


def ran(*command: object, text: bool = True, **more: Any) -> "subprocess.CompletedProcess[Any]":
    """A program at its end, whatever its exit status, with what it printed."""
    words = [str(word) for word in command]
    options = {"capture_output": True, "timeout": 60, "text": text, **more}
    return subprocess.run(words, check=False, **options)


def git(folder: Path, *words: str) -> str:
    """What git prints; its failure is the test's."""
    return subprocess.check_output([*GIT, *words], cwd=folder, text=True).strip()


def commit_all(folder: Path) -> None:
    """The folder as a git repository, with all that stands in it committed."""
    for words in ("init -q", "add -A", "commit -qm start"):
        git(folder, *words.split())


def put_python(place: Path, source: str) -> None:
    """
    Make `place` a command that runs this Python source.

    By way of a shell, for a first line that names the interpreter allows no blank in its path.
    """
    code = place.with_name(place.name + ".py")
    code.write_text(source, encoding="utf-8")
    place.write_text(
        f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -I {shlex.quote(str(code))} "$@"\n',
        encoding="utf-8",
    )
    place.chmod(0o755)


def alive(pid: int) -> bool:
    """Whether the process runs; one that ended and was not waited for does not."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False
