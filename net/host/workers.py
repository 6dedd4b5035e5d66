"""Worker processes for long computations, so that neither the event loop nor a screen waits for them."""

import asyncio
import contextlib
import os
import pickle
import select
import signal
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from itertools import chain
from threading import Thread
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from concurrent.futures import ProcessPoolExecutor

NICE = 5
"""Niceness of workers, so that processes that serve guests go first."""
_COMMAND = "import sys; sys.path[:] = sys.argv[1:]; from net.host.workers import work; work()"
_LENGTH_BYTES = 8
"""Bytes of the length before each request and answer."""
S = TypeVar("S")
T = TypeVar("T")


class WorkerLostError(Exception):
    """The worker died before it was done."""


class Workers:
    """The worker processes of one event loop: another starts when all are busy, and stays for later requests.

    The owner must await `aclose`.
    """

    def __init__(self) -> None:
        self._tasks: set[asyncio.Task[Any]] = set()
        self._idle: list[Process] = []

    def start(self, function: Callable[[], T]) -> "asyncio.Task[T]":
        """Call `function` in a worker; it and its result must be picklable.

        Cancelling the task kills the worker. The task raises WorkerLostError if the worker dies, and any exception of
        `function`.
        """
        task = asyncio.create_task(self._run(function))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    async def _run(self, function: Callable[[], T]) -> T:
        request = pickle.dumps(function)
        worker = self._idle.pop() if self._idle else await _start_worker()
        try:
            result, error = await _ask(worker, request)
        except (EOFError, OSError) as lost:
            await _kill(worker)
            raise WorkerLostError from lost
        except BaseException:
            await _kill(worker)
            raise
        self._idle.append(worker)
        if error is not None:
            raise error
        return result  # type: ignore[no-any-return]

    async def aclose(self) -> None:
        """Cancel all calls, and end the workers."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        while self._idle:
            await _kill(self._idle.pop())


async def _start_worker() -> Process:
    """Start a worker, in a process group of its own, so that Ctrl-C in a terminal does not reach it."""
    command = (sys.executable, "-c", _COMMAND, *sys.path)
    starting = asyncio.ensure_future(
        asyncio.create_subprocess_exec(*command, stdin=PIPE, stdout=PIPE, process_group=0)
    )
    try:
        return await asyncio.shield(starting)
    except asyncio.CancelledError:
        await _kill(await starting)
        raise


async def _ask(worker: Process, request: bytes) -> tuple[Any, Exception | None]:
    """Send a request to a worker; return the result or the exception. Raises EOFError or OSError if it dies."""
    assert worker.stdin is not None and worker.stdout is not None  # noqa: S101, PT018 - pipes were asked for
    worker.stdin.write(len(request).to_bytes(_LENGTH_BYTES) + request)
    await worker.stdin.drain()
    length = int.from_bytes(await worker.stdout.readexactly(_LENGTH_BYTES))
    answer: tuple[Any, Exception | None] = pickle.loads(await worker.stdout.readexactly(length))  # noqa: S301 - our own
    return answer


async def _kill(worker: Process) -> None:
    with contextlib.suppress(ProcessLookupError):
        worker.kill()
    await worker.wait()


def work() -> None:
    """Main loop of a worker: execute requests from standard input one by one, and answer on standard output."""
    _exit_when_closed(0)  # standard input comes from its parent
    with contextlib.suppress(OSError):  # not permitted everywhere: then workers run at normal priority
        os.nice(NICE)
    requests, answers = sys.stdin.buffer, os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # printed text is no answer
    while length := requests.read(_LENGTH_BYTES):
        request = requests.read(int.from_bytes(length))
        try:
            answer = pickle.dumps((pickle.loads(request)(), None))  # noqa: S301 - our parent's
        except Exception as error:
            answer = pickle.dumps((None, error))
        try:
            answers.write(len(answer).to_bytes(_LENGTH_BYTES) + answer)
            answers.flush()
        except BrokenPipeError:  # the parent was killed
            os._exit(0)


@contextlib.contextmanager
def worker_pool(processes: int) -> Iterator["ProcessPoolExecutor"]:
    """Create workers for a command that only waits for them. An exception in the block kills them."""
    import multiprocessing  # noqa: PLC0415 - most commands need none
    from concurrent.futures import ProcessPoolExecutor  # noqa: PLC0415

    pool = ProcessPoolExecutor(processes, initializer=_ignore_interrupts)
    try:
        yield pool
    except BaseException:
        for worker in multiprocessing.active_children():
            worker.kill()
        raise
    finally:
        with contextlib.suppress(RuntimeError):  # Ctrl-C came while the pool was starting its thread
            pool.shutdown(cancel_futures=True)


def map_in_pool(
    pool: "ProcessPoolExecutor", function: Callable[[S], T], values: Sequence[S], *, batch_size: int = 1
) -> Iterator[T]:
    """Call `function` with each value, `batch_size` values in one message, and yield the results in order.

    The pool's own `map`, if abandoned early, cancels futures that the pool may just be failing because its workers
    have died, and then prints a traceback.
    """
    batches = [values[first : first + batch_size] for first in range(0, len(values), batch_size)]
    with _block_interrupts():
        futures = [pool.submit(_call_with_each, function, batch) for batch in batches]
    return chain.from_iterable(future.result() for future in futures)


@contextlib.contextmanager
def _block_interrupts() -> Iterator[None]:
    """Block Ctrl-C while the pool forks: raised in a fork hook, it would be printed there and lost."""
    former_mask = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, former_mask)


def _call_with_each(function: Callable[[S], T], values: Sequence[S]) -> list[T]:
    return [function(value) for value in values]


def _ignore_interrupts() -> None:
    import multiprocessing  # noqa: PLC0415

    # Ctrl-C reaches every process of a terminal, but only the one with the screen must handle it.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = multiprocessing.parent_process()
    if parent is not None:
        _exit_when_closed(parent.sentinel)


@cache
def _exit_when_closed(pipe: int) -> None:
    """End this process, whatever it does, when the other end of `pipe` is closed: its parent is gone."""

    def watch() -> None:
        poll = select.poll()
        poll.register(pipe, 0)
        poll.poll()
        os._exit(0)

    Thread(target=watch, daemon=True, name="parent-watch").start()
