"""Worker processes, in which what takes long is done, so that neither the event loop nor a screen waits for it."""

import asyncio
import contextlib
import importlib
import logging
import os
import select
import signal
from collections.abc import Callable, Iterator
from functools import cache, partial
from threading import Thread
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from concurrent.futures import ProcessPoolExecutor

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
    _end_with(0)  # by which its parent speaks to it
    with contextlib.suppress(OSError):  # where the system does not let us, workers go on like all others
        if os.nice(0) < NICE:
            os.nice(NICE)
    return do()


@contextlib.contextmanager
def worker_pool(processes: int) -> Iterator["ProcessPoolExecutor"]:
    """Several workers for a command that does nothing but wait for them. Whoever leaves by an exception ends them."""
    import multiprocessing  # noqa: PLC0415 - most need none
    from concurrent.futures import ProcessPoolExecutor  # noqa: PLC0415

    pool = ProcessPoolExecutor(processes, initializer=_begin)
    try:
        yield pool
    except BaseException:
        for worker in multiprocessing.active_children():
            worker.kill()
        raise
    finally:
        pool.shutdown(cancel_futures=True)


def _begin() -> None:
    """Begin as a worker of a pool."""
    import multiprocessing  # noqa: PLC0415

    # Ctrl-C reaches every process of a terminal, but only the one that shows something is to answer.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = multiprocessing.parent_process()
    if parent is not None:
        _end_with(parent.sentinel)


@cache
def _end_with(line: int) -> None:
    """End this process, whatever it does, when the other end of a line is closed, for its parent has gone then."""

    def watch() -> None:
        poll = select.poll()
        poll.register(line, 0)
        poll.poll()
        os._exit(0)

    Thread(target=watch, daemon=True, name="parent-watch").start()
