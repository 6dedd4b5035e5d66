"""asyncio as a host uses it: tasks whose failure ends nothing else, their turns, and a loop in which some work waits.

Whoever starts a task, a callback or a loop owns it. `Tasks` are the tasks of one owner, each of which fails alone;
`log_failures` is for what is done in between: one step of a loop, one of many who are told, one callback of the event
loop that has to set the next timer whatever happens. Both log the failure. What is not contained anywhere ends the
process: the opening of a host, and its main task.

To open a screen takes 10 to 20 ms in many steps. Textual starts tasks for them that ask for no turn, so a context
variable says that they are patient; otherwise every key would wait for one or several of these steps.
"""

import asyncio
import contextlib
import logging
import selectors
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Iterable
from contextlib import asynccontextmanager
from contextvars import Context, ContextVar, copy_context
from functools import partial
from math import inf
from time import monotonic, perf_counter, thread_time
from types import TracebackType
from typing import Any, Generic, Self, TypeVar, TypeVarTuple

from net.limits import BREAKDOWNS_WITHIN, MAX_CRASHES, Seconds
from net.logs import fields
from net.scheduler import Bucket, FullError, Outcome, Piece, Scheduler, Work

CALL_OVERDUE = 2.0
"""Seconds after which a call that is still due never comes."""
RETRY_DELAY = 1.0
"""Seconds until what failed is done again."""
T = TypeVar("T")
Ts = TypeVarTuple("Ts")
log = logging.getLogger("net.contained")
"""Operators look for faults by this name (`docs/hosting.md`)."""


def run(main: Coroutine[Any, Any, T]) -> T:
    """Do what `asyncio.run` does. What Ctrl-C has kept from beginning is closed, so that nobody is told of it."""
    try:
        return asyncio.run(main)
    finally:
        main.close()


def is_failure(error: BaseException | None) -> bool:
    """Whether something has failed: not if the process is to end, nor if the running task was asked to stop.

    A cancellation that nobody asked this task for is a fault, such as that of a future that it waits for.
    """
    if isinstance(error, asyncio.CancelledError):
        with contextlib.suppress(RuntimeError):  # in a thread, and after the loop
            task = asyncio.current_task()
            return task is None or not task.cancelling()
        return False
    return isinstance(error, Exception)


def log_failure(event: str, error: BaseException, **about: object) -> None:
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


class log_failures:  # noqa: N801 - it reads like `contextlib.suppress`
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
        return self

    def __exit__(
        self, _kind: type[BaseException] | None, error: BaseException | None, _trace: TracebackType | None
    ) -> bool:
        if error is None or isinstance(error, self._but) or not is_failure(error):
            return False
        self.failed = True
        log_failure(self._event, error, **self._about)
        return True


async def run_forever(
    step: Callable[[], Awaitable[None]], event: str, *, but: tuple[type[Exception], ...] = (), **about: object
) -> None:
    """Do a step, which waits for what is due, again and again until this task is cancelled.

    A step that fails is logged, and the next comes after a rest. Errors `but` these, which are raised.
    """
    while True:
        with log_failures(event, but=but, **about):  # what fails between two steps ends no loop either
            while True:
                with log_failures(event, but=but, **about) as doing:
                    await step()
                if doing.failed:
                    await asyncio.sleep(RETRY_DELAY)


async def wait_at_most(seconds: Seconds, work: Awaitable[object]) -> None:
    """Wait for something, but no longer than so many seconds."""
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(seconds):
            await work


class DeferredCall:
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
        return self._handle is not None and self._when + CALL_OVERDUE > asyncio.get_running_loop().time()

    def schedule(self, seconds: float) -> None:
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
        with log_failures(self._event):
            self._call()


class Listeners(Generic[*Ts]):
    """Who is told of something. Each fails alone, which is logged as an event."""

    def __init__(self, event: str) -> None:
        self._event = event
        self._all: list[Callable[[*Ts], object]] = []

    def __bool__(self) -> bool:
        """Whether there is anybody to tell."""
        return bool(self._all)

    def add(self, listener: Callable[[*Ts], object]) -> Callable[[], None]:
        """Tell a listener from now on; call what is returned to stop."""
        self._all.append(listener)
        return lambda: self._all.remove(listener)

    def notify(self, *what: *Ts) -> None:
        """Tell all of them."""
        for listener in tuple(self._all):
            with log_failures(self._event):
                listener(*what)


class CrashCounter:
    """Counts how often something broke that was begun anew each time, to see when to give it up."""

    def __init__(self) -> None:
        self._at: deque[float] = deque(maxlen=MAX_CRASHES)

    def record_crash(self) -> bool:
        """Count one more; return whether there were BREAKDOWNS within BREAKDOWNS_WITHIN seconds."""
        self._at.append(asyncio.get_running_loop().time())
        return len(self._at) == MAX_CRASHES and self._at[-1] - self._at[0] < BREAKDOWNS_WITHIN


class Tasks:
    """The tasks of one owner. Each fails alone; `aclose` ends all that are left."""

    def __init__(self) -> None:
        self._running: set[asyncio.Task[Any]] = set()

    def __len__(self) -> int:
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
            log_failure(event, error, **about)
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
            await self.wait(RETRY_DELAY)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_error: object) -> None:
        await self.aclose()


_WAITED: Seconds = 0.0001
"""A look at the sockets that takes longer has waited for something to come."""
BACKGROUND_MAX_WAIT: Seconds = 0.03
"""After so long, patient work does a step although there is other work, so that it always gets done."""


class _LoopWaker:
    """Calls a scheduler from the loop. Whoever asks when a call is `LOST` seconds late gets another one."""

    def __init__(self, call: Callable[[], None]) -> None:
        self._call = call
        self._soon_since = self._timer_at = -inf
        self._timer: asyncio.TimerHandle | None = None
        self._nobody = copy_context()
        """Turns are nobody's: in the context of somebody patient they would keep all others waiting."""

    @property
    def soon(self) -> bool:
        return self._soon_since + CALL_OVERDUE > monotonic()

    @property
    def turn(self) -> int | None:
        """The number of this turn of the loop, if it is a `BackgroundLoop`."""
        loop = asyncio.get_running_loop()
        return loop.selector.turn if isinstance(loop, BackgroundLoop) else None

    def schedule(self, seconds: Seconds) -> None:
        loop, now = asyncio.get_running_loop(), monotonic()
        if seconds <= 0:
            self._soon_since = now
            loop.call_soon(self._go, context=self._nobody)
        elif not now - CALL_OVERDUE < self._timer_at <= now + seconds:
            if self._timer is not None:
                self._timer.cancel()
            self._timer_at = now + seconds
            self._timer = loop.call_later(seconds, self._ring, context=self._nobody)

    def _ring(self) -> None:
        self._timer_at = -inf
        if not self.soon:
            self._go()

    def _go(self) -> None:
        self._soon_since = -inf
        with log_failures("turns-not-given"):
            self._call()


class LoopScheduler(Scheduler):
    """A scheduler for the tasks of a loop."""

    def __init__(self) -> None:
        super().__init__(monotonic, _LoopWaker(self.run_turn), partial(log_failure, "turn-failed"))

    @asynccontextmanager
    async def turn(self, work: Work, owner: Bucket) -> AsyncIterator[None]:
        """Wait for one's turn, and have it for the length of the block. Raises FullError."""
        piece, coming = self._coming(work, owner)
        try:
            self.submit(piece)
            await coming
            yield
        finally:
            coming.cancel()  # whoever is cancelled while they wait takes nobody's turn
            self.cancel(piece)

    async def come(self, work: Work, owner: Bucket) -> None:
        """Return when it is one's turn. Raises FullError."""
        piece, coming = self._coming(work, owner)
        try:
            self.submit(piece)
            await coming
        finally:
            self.cancel(piece)

    @staticmethod
    def _coming(work: Work, owner: Bucket) -> tuple[Piece, "asyncio.Future[None]"]:
        """A piece that asks for a turn, and what is set when it comes."""
        coming: asyncio.Future[None] = asyncio.get_running_loop().create_future()

        def come() -> Outcome:
            if coming.done():
                return Outcome.GONE
            coming.set_result(None)
            return Outcome.DONE

        def refuse() -> None:
            if not coming.done():
                coming.set_exception(FullError())

        return Piece(work, owner, come, refuse=refuse), coming


class BackgroundWork:
    """Whether a task, and all that it has started, still waits for all others."""

    def __init__(self) -> None:
        self.active = True
        self.waiting: deque[Callable[[], None]] = deque()
        """What does the next steps."""
        self.cpu_seconds = 0.0
        """Seconds of CPU for its steps."""

    def end(self) -> None:
        """Let it wait no more."""
        self.active = False


_patience: ContextVar[BackgroundWork | None] = ContextVar("patience", default=None)


def enter_background() -> BackgroundWork:
    """Let the running task, and all that it starts from now on, wait for all other work until the patience ends.

    On any other loop than a `BackgroundLoop` nothing waits.
    """
    patience = BackgroundWork()
    _patience.set(patience)
    return patience


class _TimingSelector(selectors.DefaultSelector):
    """Notes since when what has come may have waited to be read."""

    def __init__(self) -> None:
        super().__init__()
        self.since = self._looked = perf_counter()
        self.turn = 0
        """How often the loop has looked."""

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        """Wait until something comes. What comes while this waits is found at once."""
        self.turn += 1
        try:
            return self._noted(timeout)
        except Exception as error:  # it would end the loop; if it is not only the noting, looking again raises it
            log_failure("look-not-noted", error)
            return super().select(0)

    def _noted(self, timeout: float | None) -> list[tuple[selectors.SelectorKey, int]]:
        begun = perf_counter()
        found = super().select(timeout)
        before, self._looked = self._looked, perf_counter()
        self.since = before if self._looked - begun < _WAITED else self._looked
        return found


def input_delay() -> Seconds:
    """Upper bound of the seconds that input may have waited; 0 on any loop but a `BackgroundLoop`."""
    loop = asyncio.get_running_loop()
    return perf_counter() - loop.selector.since if isinstance(loop, BackgroundLoop) else 0.0


class BackgroundLoop(asyncio.SelectorEventLoop):
    """asyncio's own loop, but patient work goes on only in turns in which nothing else did."""

    def __init__(self) -> None:
        self.selector = _TimingSelector()
        super().__init__(self.selector)
        self._next: deque[BackgroundWork] = deque()
        """Whose step is next; somebody is here as often as they wait for a step."""
        self._others = False
        """Whether anything else was scheduled since the last look."""
        self._went = 0.0
        """When patient work did its last step."""
        self._looks = False
        self._impatient = copy_context()

    def call_soon(
        self, callback: Callable[[*Ts], object], *args: *Ts, context: Context | None = None
    ) -> asyncio.Handle:
        """Schedule a callback, after everything else if its context is patient."""
        try:
            patience = _patience.get() if context is None else context.get(_patience)
            if patience is not None and patience.active:
                return self._call_later_than_others(patience, callback, args, context or copy_context())
            if patience is not None:
                while patience.waiting:  # what one task schedules is done in that order
                    patience.waiting.popleft()()
            self._others = True
        except Exception as error:  # whoever waits for this call would wait for ever
            log_failure("not-patient", error)
        return super().call_soon(callback, *args, context=context)

    def _call_later_than_others(
        self, patience: BackgroundWork, callback: Callable[..., object], args: tuple[Any, ...], context: Context
    ) -> asyncio.Handle:
        handle = asyncio.Handle(callback, args, self, context)

        call_now = super().call_soon

        def step() -> None:
            if not handle.cancelled():
                begun = thread_time()
                callback(*args)
                patience.cpu_seconds += thread_time() - begun

        def go_on() -> None:
            call_now(step, context=context)

        patience.waiting.append(go_on)
        self._next.append(patience)
        if not self._looks:
            self._look_soon()
        return handle

    def _look_soon(self) -> None:
        """Look at the end of the next turn: timers come after what has arrived and after what was scheduled."""
        self._looks = True
        self.call_later(0, self._look, context=self._impatient)

    def _look(self) -> None:
        """Let one step be done, if nothing else was to do, or if that has been so for long."""
        try:
            now = self.time()
            if not self._others or now - self._went > BACKGROUND_MAX_WAIT:
                self._went = now
                while self._next:
                    if waiting := self._next.popleft().waiting:
                        waiting.popleft()()
                        break
        finally:
            self._looks = self._others = False
            if self._next:
                self._look_soon()


def run_on_background_loop(main: Coroutine[Any, Any, T]) -> T:
    """Like `asyncio.run`, on a `BackgroundLoop`; a task that ignores its cancellation is cancelled again."""

    async def whole() -> T:
        async with Tasks() as tasks:
            try:
                return await main
            finally:
                tasks.adopt(asyncio.all_tasks() - {asyncio.current_task()})

    running = whole()
    try:
        with asyncio.Runner(loop_factory=BackgroundLoop) as runner:
            return runner.run(running)
    finally:  # what Ctrl-C has kept from beginning is closed
        running.close()
        main.close()
