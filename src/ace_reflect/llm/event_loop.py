"""Runs what asks models, so that a process that is told to end leaves no `claude` running behind it."""

import asyncio
import signal
from collections.abc import Coroutine
from contextlib import suppress
from typing import Any, TypeVar

T = TypeVar("T")


def run(work: Coroutine[Any, Any, T]) -> T:
    """What `work` returns. On SIGTERM it is cancelled and awaited, and then the signal takes its usual course."""
    told = False

    async def until_told() -> T:
        task = asyncio.ensure_future(work)

        # An exception from an ordinary handler could surface in the middle of the loop's own work.
        def end() -> None:
            nonlocal told
            told = True
            task.cancel()

        with suppress(ValueError, RuntimeError, NotImplementedError):  # another thread
            asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, end)
        return await task

    before = signal.getsignal(signal.SIGTERM)
    try:
        return asyncio.run(until_told())
    finally:
        with suppress(ValueError, TypeError):  # another thread, or not a handler of Python's
            signal.signal(signal.SIGTERM, before)
        if told:
            signal.raise_signal(signal.SIGTERM)
