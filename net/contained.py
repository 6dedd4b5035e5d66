"""Ends a failure where it happens: what serves one connection, guest, table or line ends nothing but that.

Whoever starts a task, a callback or a loop owns it. `Tasks` are the tasks of one owner, each of which fails alone;
`contained` is for what is done in between: one step of a loop, one of many who are told, one callback of the event
loop that has to set the next timer whatever happens. Both log the failure. What is not contained anywhere ends the
process: the opening of a host, and its main task.
"""

import asyncio
import contextlib
import logging
from collections import deque
from collections.abc import Awaitable, Callable, Coroutine, Iterable
from types import TracebackType
from typing import Any, Self, TypeVar

from net.limits import BREAKDOWNS, BREAKDOWNS_WITHIN
from net.logs import fields

LOST = 2.0
"""Seconds after which a call that is still due never comes."""
REST = 1.0
"""Seconds until what failed is done again."""
T = TypeVar("T")
log = logging.getLogger(__name__)


def run(main: Coroutine[Any, Any, T]) -> T:
    """Do what `asyncio.run` does. What Ctrl-C has kept from beginning is closed, so that nobody is told of it."""
    try:
        return asyncio.run(main)
    finally:
        main.close()


def is_fault(error: BaseException | None) -> bool:
    """Whether something has failed: not if the process is to end, nor if the running task was asked to stop.

    A cancellation that nobody asked this task for is a fault, such as that of a future that it waits for.
    """
    if isinstance(error, asyncio.CancelledError):
        with contextlib.suppress(RuntimeError):  # in a thread, and after the loop
            task = asyncio.current_task()
            return task is None or not task.cancelling()
        return False
    return isinstance(error, Exception)


def log_fault(event: str, error: BaseException, **about: object) -> None:
    """Log a failure with its traceback, and release the frames that it holds: they may hold a whole screen.

    It never raises, since what fails may be the log.
    """
    with contextlib.suppress(Exception):
        log.error(event, extra=fields(**about), exc_info=error)
    release_frames(error)


def release_frames(error: BaseException) -> None:
    """Release the frames that an error holds, with those of its causes."""
    error.__traceback__ = None
    for other in (*getattr(error, "exceptions", ()), error.__cause__, error.__context__):
        if other is not None and other.__traceback__ is not None:
            release_frames(other)


class contained:  # noqa: N801 - it reads like `contextlib.suppress`
    """Logs a failure of the block as an event, and lets the code after the block go on.

    `failed` tells that code afterwards whether there was one.
    """

    __slots__ = ("_about", "_but", "_event", "failed")

    def __init__(self, event: str, *, but: tuple[type[Exception], ...] = (), **about: object) -> None:
        """`about` are fields of the log line; errors of the types `but` are no failures, and are raised."""
        self._event = event
        self._but = but
        self._about = about
        self.failed = False

    def __enter__(self) -> Self:
        """Begin the block."""
        return self

    def __exit__(
        self, _kind: type[BaseException] | None, error: BaseException | None, _trace: TracebackType | None
    ) -> bool:
        """End it, and the failure with it."""
        if error is None or isinstance(error, self._but) or not is_fault(error):
            return False
        self.failed = True
        log_fault(self._event, error, **self._about)
        return True


async def for_ever(
    step: Callable[[], Awaitable[None]], event: str, *, but: tuple[type[Exception], ...] = (), **about: object
) -> None:
    """Do a step, which waits for what is due, again and again until this task is cancelled.

    A step that fails is logged, and the next comes after a rest. Errors `but` these, which are raised.
    """
    while True:
        with contained(event, but=but, **about):  # what fails between two steps ends no loop either
            while True:
                with contained(event, but=but, **about) as doing:
                    await step()
                if doing.failed:
                    await asyncio.sleep(REST)


class Due:
    """The next call of a function, of which at most one is due.

    If the function fails, that is logged, and whoever asks for another call gets one. So does whoever asks when a
    call is `LOST` seconds late: some fault has kept it from being made.
    """

    def __init__(self, call: Callable[[], None], event: str) -> None:
        self._call = call
        self._event = event
        self._handle: asyncio.Handle | None = None
        self._when = 0.0

    def __bool__(self) -> bool:
        """Whether a call is due."""
        return self._handle is not None and self._when + LOST > asyncio.get_running_loop().time()

    def after(self, seconds: float) -> None:
        """Make the call in so many seconds, 0 for the next turn of the loop, and not when it was due before."""
        self.cancel()
        loop = asyncio.get_running_loop()
        self._when = loop.time() + seconds
        self._handle = loop.call_later(seconds, self._go) if seconds > 0 else loop.call_soon(self._go)

    def cancel(self) -> None:
        """Make no call."""
        if self._handle is not None:
            self._handle.cancel()
        self._handle = None

    def _go(self) -> None:
        self._handle = None
        with contained(self._event):
            self._call()


class Breakdowns:
    """Counts how often something broke that was begun anew each time, to see when to give it up."""

    def __init__(self) -> None:
        self._at: deque[float] = deque(maxlen=BREAKDOWNS)

    def too_many(self) -> bool:
        """Count one more; return whether there were BREAKDOWNS within BREAKDOWNS_WITHIN seconds."""
        self._at.append(asyncio.get_running_loop().time())
        return len(self._at) == BREAKDOWNS and self._at[-1] - self._at[0] < BREAKDOWNS_WITHIN


class Tasks:
    """The tasks of one owner. Each fails alone; `aclose` ends all that are left."""

    def __init__(self) -> None:
        self._running: set[asyncio.Task[Any]] = set()

    def __len__(self) -> int:
        """How many run."""
        return len(self._left)

    @property
    def _left(self) -> set[asyncio.Task[Any]]:
        return {task for task in self._running if not task.done()}

    def start(
        self,
        work: Coroutine[Any, Any, T],
        event: str,
        *,
        failed: Callable[[], object] | None = None,
        **about: object,
    ) -> asyncio.Task[T]:
        """Start a task. If it fails, the `event` is logged with the fields `about`, then `failed` is called."""
        task = asyncio.get_running_loop().create_task(work)
        self._running.add(task)

        def done(task: asyncio.Task[T]) -> None:
            self._running.discard(task)
            if task.cancelled() or (error := task.exception()) is None:
                return
            log_fault(event, error, **about)
            if failed:
                failed()

        task.add_done_callback(done)
        return task

    def adopt(self, tasks: Iterable[asyncio.Task[Any] | None]) -> None:
        """Own tasks that others have started, and left."""
        self._running |= {task for task in tasks if task is not None}

    async def wait(self, seconds: float | None = None) -> None:
        """Wait for those that run now, at most for so many seconds."""
        if left := self._left:
            await asyncio.wait(left, timeout=seconds)

    def cancel(self) -> None:
        """Ask all to stop."""
        for task in self._left:
            task.cancel()

    async def aclose(self) -> None:
        """Stop all, and wait until they have ended."""
        while self._left:  # one that waits for something on its way out is told again
            self.cancel()
            await self.wait(REST)

    async def __aenter__(self) -> Self:
        """Begin; `aclose` follows."""
        return self

    async def __aexit__(self, *_error: object) -> None:
        """End all."""
        await self.aclose()
