"""Commands for tests to put on a PATH."""

import shlex
import sys
from pathlib import Path


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
