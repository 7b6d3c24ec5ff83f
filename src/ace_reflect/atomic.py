"""Files that are replaced whole or not at all: written beside, synced, renamed over. Not for hooks: `tempfile` is heavy."""

import fcntl
import os
import tempfile
import time
from contextlib import suppress

_STALE_S = 600


def write(target: str, data: bytes, *, mode: int = 0o600) -> None:
    """Write a file whole or not at all. Raises OSError; what was there stands then."""
    folder, name = os.path.split(target)
    mine = f".{name}.{os.getpid()}."
    handle, temporary = tempfile.mkstemp(prefix=mine, suffix=".tmp", dir=folder)
    try:
        with os.fdopen(handle, "wb") as file:
            os.chmod(temporary, mode)
            file.write(data)
            file.flush()
            _sync(file.fileno())
        os.replace(temporary, target)
    except BaseException:
        with suppress(OSError):
            os.unlink(temporary)
        raise
    with suppress(OSError):  # some file systems cannot sync a folder; the file is whole either way
        handle = os.open(folder, os.O_RDONLY)
        try:
            _sync(handle)
        finally:
            os.close(handle)


def remove_stale(folder: str, name: str = "") -> None:
    """Remove what killed processes left of their writing to `name`, or to any file of the folder. Raises OSError."""
    start = f".{name}." if name else "."
    for entry in os.listdir(folder):
        if entry.startswith(start) and entry.endswith(".tmp"):
            path = os.path.join(folder, entry)
            with suppress(OSError):
                if time.time() - os.lstat(path).st_mtime > _STALE_S or _is_orphan(entry):
                    os.unlink(path)


def _is_orphan(entry: str) -> bool:
    """Whether the process that a temporary file's name tells is gone."""
    try:
        os.kill(int(entry.split(".")[-3]), 0)
    except ProcessLookupError:
        return True
    except (IndexError, ValueError, OSError, OverflowError):
        return False
    return False


def mode_of(path: str) -> int:
    """The permissions of a file that is to be replaced; 0600, the person's alone, for a new one. Raises OSError."""
    try:
        return os.stat(path).st_mode & 0o777
    except FileNotFoundError:
        return 0o600


def _sync(handle: int) -> None:
    """To the disk itself: macOS' own fsync leaves it in the disk's cache. Raises OSError."""
    try:
        fcntl.fcntl(handle, fcntl.F_FULLFSYNC)  # type: ignore[attr-defined,unused-ignore]
    except (AttributeError, OSError):  # another system, or a network's file system
        os.fsync(handle)
