"""
Runs what asks models. A process that is told to end meanwhile (SIGTERM) ends in order: the command that it asks with
(`claude`) is not left behind.

An exception out of a signal's handler does not do for that: it may come up in the middle of the loop's own work, or in a
finalizer, where Python drops it.
"""

import asyncio
import signal
from collections.abc import Coroutine
from contextlib import suppress
from typing import Any, TypeVar

T = TypeVar("T")


def run(work: Coroutine[Any, Any, T]) -> T:
    """What `work` returns. On SIGTERM it is cancelled and waited for, and then the signal takes its usual course."""
    told = False

    async def until_told() -> T:
        task = asyncio.ensure_future(work)

        def end() -> None:
            nonlocal told
            told = True
            task.cancel()

        with suppress(
            ValueError, RuntimeError, NotImplementedError
        ):  # not the main thread, or not POSIX
            asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, end)
        return await task

    before = signal.getsignal(signal.SIGTERM)
    try:
        return asyncio.run(until_told())
    finally:
        if before is not None:
            with suppress(ValueError):  # not the main thread
                signal.signal(signal.SIGTERM, before)
        if told:
            signal.raise_signal(signal.SIGTERM)
