"""Worker processes, in which what takes long is done, so that neither the event loop nor a screen waits for it."""

import asyncio
import contextlib
import importlib
import logging
import os
import signal
from collections.abc import Callable
from functools import partial
from typing import Any, TypeVar

NICE = 5
"""By how much workers let other processes go first, those that serve people above all."""
T = TypeVar("T")


class WorkerLostError(Exception):
    """The worker died before it was done."""


class Workers:
    """The worker processes of one event loop: each starts when all others are busy, and stays for what comes next."""

    def __init__(self) -> None:
        self._tasks: set[asyncio.Task[Any]] = set()
        self._alive = 0

    def start(self, do: Callable[[], T]) -> "asyncio.Task[T]":
        """Do something in a worker; it and what it returns must be something that can be pickled.

        To cancel the task kills the worker. It raises WorkerLostError if the worker dies, and whatever `do` raises.
        """
        task = asyncio.create_task(self._run(do))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    async def _run(self, do: Callable[[], T]) -> T:
        await asyncio.to_thread(importlib.import_module, "anyio.to_process")  # this takes a while the first time
        from anyio import BrokenWorkerProcess, CapacityLimiter, to_process  # noqa: PLC0415

        self._alive = max(self._alive, len(self._tasks))
        try:
            return await to_process.run_sync(partial(_politely, do), cancellable=True, limiter=CapacityLimiter(1))
        except BrokenWorkerProcess as error:
            self._alive -= 1
            raise WorkerLostError from error
        except asyncio.CancelledError:
            self._alive -= 1
            raise

    async def aclose(self) -> None:
        """Stop what is being done, and end the workers."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        # A worker that is gone is killed once more by anyio, and asyncio wonders who has waited for it.
        asyncios = logging.getLogger("asyncio")
        level = asyncios.level
        asyncios.setLevel(logging.ERROR)
        while self._alive > 0:
            with contextlib.suppress(WorkerLostError):
                await self.start(partial(signal.raise_signal, signal.SIGKILL))
        asyncios.setLevel(level)


def _politely(do: Callable[[], T]) -> T:
    """Let other processes go first, and do something; this runs in a worker."""
    with contextlib.suppress(OSError):  # where the system does not let us, workers go on like all others
        if os.nice(0) < NICE:
            os.nice(NICE)
    return do()
