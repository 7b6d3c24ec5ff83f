"""Files that are replaced whole or not at all: temporary file, sync, rename."""

import errno
import fcntl
import os
from contextlib import suppress


def write(target: str, data: bytes, *, mode: int = 0o600, sync: bool = True) -> None:
    """Write a file whole or, with OSError, not at all. Without `sync` nobody waits for the disk: a power cut may take it."""
    # Root could put a file in the place of /dev/null.
    if os.path.exists(target) and not os.path.isfile(target):
        raise OSError(errno.EPERM, "it is no plain file", target)
    folder, name = os.path.split(target)
    temporary = os.path.join(folder, f".{name}.{os.getpid()}.{os.urandom(4).hex()}.tmp")
    # Made anew, so that no link is followed and no pipe waited for.
    handle = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
    try:
        with open(handle, "wb") as file:
            os.chmod(temporary, mode)
            file.write(data)
        if sync:
            _sync(temporary)
        os.replace(temporary, target)
    except BaseException:
        with suppress(OSError):
            os.unlink(temporary)
        raise
    if sync:
        with suppress(OSError):  # some file systems cannot sync a folder
            _sync(folder)


def remove_stale(folder: str, name: str = "") -> None:
    """Remove the temporary files that killed writers of `name`, or of any file in the folder, left. Raises OSError."""
    start = f".{name}." if name else "."
    for entry in os.listdir(folder):
        if entry.startswith(start) and entry.endswith(".tmp"):
            with suppress(IndexError, ValueError, OSError, OverflowError):
                try:
                    os.kill(int(entry.split(".")[-3]), 0)  # its name tells whose it is
                except ProcessLookupError:
                    os.unlink(os.path.join(folder, entry))


def mode_of(path: str) -> int:
    """The permissions of a file to be replaced; 0600 for a new one. Raises OSError."""
    try:
        return os.stat(path).st_mode & 0o777
    except FileNotFoundError:
        return 0o600


def _sync(path: str) -> None:
    """To the disk itself: macOS' own fsync leaves it in the disk's cache. Raises OSError."""
    handle = os.open(path, os.O_RDONLY)
    try:
        fcntl.fcntl(handle, fcntl.F_FULLFSYNC)  # type: ignore[attr-defined,unused-ignore]
    except (AttributeError, OSError):  # another system, or a network file system
        os.fsync(handle)
    finally:
        os.close(handle)
