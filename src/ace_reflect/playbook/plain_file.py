"""The bytes of a file that a person or a repository put there: it may be a pipe, a device or a link to nowhere."""

import os
import stat

from ace_reflect.errors import PlaybookError

MAX_BYTES = 64 * 1024 * 1024  # no person's playbook; /dev/zero behind a link is


def read_bytes(path: str) -> bytes | None:
    """The file's bytes, None where there is none. Raises PlaybookError for what is no plain file or cannot be opened."""
    try:
        status = os.stat(path)  # before opening: a pipe would block, a device would never end
        if not stat.S_ISREG(status.st_mode):
            raise PlaybookError(f"{path} is no file but a {_kind(status.st_mode)}")
        if status.st_size > MAX_BYTES:
            raise PlaybookError(
                f"{path} is {status.st_size:,} bytes long, which no playbook is; it was left alone"
            )
        with open(path, "rb") as file:
            return file.read()
    except FileNotFoundError:
        if os.path.islink(path):
            raise PlaybookError(
                f"{path} is a link to {os.readlink(path)}, which does not exist"
            ) from None
        return None
    except OSError as fault:
        raise PlaybookError(f"cannot read {path}: {reason_of(fault)}") from fault


def reason_of(fault: BaseException) -> str:
    return (
        fault.strerror or type(fault).__name__
        if isinstance(fault, OSError)
        else str(fault) or type(fault).__name__
    )


def _kind(mode: int) -> str:
    kinds = ((stat.S_ISDIR, "folder"), (stat.S_ISFIFO, "pipe"), (stat.S_ISSOCK, "socket"))
    return next((name for test, name in kinds if test(mode)), "device")
