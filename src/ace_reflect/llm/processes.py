"""
A child process with an end: its input is given, its output is bounded, and nothing of it is left behind.

A program may start helpers in sessions of their own. Each call is marked in the environment, which every descendant
inherits, so that on Linux all of them are found; elsewhere the process group is what can be ended.
"""

import asyncio
import os
import signal
import uuid
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass

_MARK = "ACE_CALL_ID"
_CHUNK = 65_536
_TICK_S = 0.02
_DRAIN_S = 0.5


@dataclass(frozen=True, slots=True)
class Finished:
    """What a program came to. `overflow`: it wrote more than it may, and was ended for it."""

    returncode: int
    stdout: bytes
    stderr: bytes
    overflow: bool


async def run(
    argv: Sequence[str], stdin: bytes, environ: Mapping[str, str], cwd: str, *, max_bytes: int
) -> Finished:
    """
    Run a program to its end. Whoever cancels (a deadline does) gets it ended first, with all it started.

    Raises OSError where it cannot be started.
    """
    mark = uuid.uuid4().hex
    starting = asyncio.ensure_future(
        asyncio.create_subprocess_exec(
            *argv,
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
            env={**environ, _MARK: mark},
            cwd=cwd,
            start_new_session=True,
        )
    )
    try:
        # A start takes a moment and is not interrupted: asyncio would wait, for ever, until all that holds the pipes is gone.
        process = await asyncio.shield(starting)
    except asyncio.CancelledError:
        with suppress(OSError):
            await _ended_wholly(await starting, mark)
        raise
    try:
        return await _talk(process, stdin, max_bytes)
    finally:
        await _ended_wholly(process, mark)


async def _ended_wholly(process: asyncio.subprocess.Process, mark: str) -> None:
    _end(process, mark)
    await _gone(process)
    await _closed(process)


async def _talk(process: asyncio.subprocess.Process, stdin: bytes, max_bytes: int) -> Finished:
    if process.stdin is None or process.stdout is None or process.stderr is None:
        raise AssertionError("unreachable: all three were asked for")
    feeding = asyncio.ensure_future(_feed(process.stdin, stdin))
    stdout, stderr = bytearray(), bytearray()
    reading = [
        asyncio.ensure_future(_read(stream, into, max_bytes))
        for stream, into in ((process.stdout, stdout), (process.stderr, stderr))
    ]
    try:
        await _ended(process, reading)
    finally:
        for task in (feeding, *reading):
            task.cancel()
        await asyncio.gather(feeding, *reading, return_exceptions=True)
    overflow = len(stdout) > max_bytes
    return Finished(
        process.returncode if process.returncode is not None else -1,
        bytes(stdout),
        bytes(stderr),
        overflow,
    )


async def _ended(
    process: asyncio.subprocess.Process, reading: Sequence[asyncio.Future[bool]]
) -> None:
    """
    Until all is read, or the program has ended and its pipes had a moment to drain.

    `process.wait()` and the end of a pipe both wait, in some versions, for helpers that hold the pipe open.
    """
    while process.returncode is None:
        done, _ = await asyncio.wait(reading, timeout=_TICK_S)
        if any(task.result() for task in done):  # more than it may write
            return
        if len(done) == len(reading):
            break
    else:
        await asyncio.wait(reading, timeout=_DRAIN_S)
    await _gone(process, _DRAIN_S)


async def _gone(process: asyncio.subprocess.Process, patience_s: float = 5.0) -> None:
    for _ in range(round(patience_s / _TICK_S)):
        if process.returncode is not None:
            return
        await asyncio.sleep(_TICK_S)


async def _closed(process: asyncio.subprocess.Process) -> None:
    """
    Let go of the pipes now: one that was not read to its end is otherwise closed when the loop is gone, and Python then
    prints a traceback of it on the stderr of whoever asked. The transport has no public name.
    """
    transport = getattr(process, "_transport", None)
    if transport is not None:
        transport.close()
        await asyncio.sleep(0)


async def _feed(stream: asyncio.StreamWriter, data: bytes) -> None:
    with suppress(BrokenPipeError, ConnectionResetError):
        stream.write(data)
        await stream.drain()
    stream.close()


async def _read(stream: asyncio.StreamReader, into: bytearray, max_bytes: int) -> bool:
    """Read to the end, or until there is more than is wanted: then True."""
    while len(into) <= max_bytes and (chunk := await stream.read(_CHUNK)):
        into += chunk
    return len(into) > max_bytes


def _end(process: asyncio.subprocess.Process, mark: str) -> None:
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
    for _ in range(5):  # a helper may have forked while it was looked for
        found = marked(mark)
        for pid in found:
            with suppress(ProcessLookupError, PermissionError):
                os.kill(pid, signal.SIGKILL)
        if not found:
            return


def marked(mark: str) -> list[int]:
    """The processes that carry this call's mark; none where there is no /proc."""
    wanted = f"{_MARK}={mark}".encode()
    pids = os.listdir("/proc") if os.path.isdir("/proc/self") else []
    return [int(pid) for pid in pids if pid.isdigit() and wanted in _environment(pid)]


def _environment(pid: str) -> list[bytes]:
    try:
        with open(f"/proc/{pid}/environ", "rb") as file:
            return file.read(1_000_000).split(b"\0")
    except OSError:  # ended meanwhile, or somebody else's
        return []
