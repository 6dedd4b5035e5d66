"""asyncio helpers for a host: isolated tasks, scheduled turns, and an event loop with background work.

`Tasks` holds the tasks of one owner; `log_failures` guards one step: an iteration of a loop, a listener, a timer
callback. Both log an exception and let everything else go on. An exception outside both ends the process: while a
host opens, and in its main task.

Opening a screen takes 10 to 20 ms, in many steps that Textual starts without asking the scheduler. A context variable
marks them as background work; otherwise every key press would wait for some of them.
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
"""Seconds after which an overdue call counts as lost, so that another may be scheduled."""
RETRY_DELAY = 1.0
"""Seconds between a failure and the next try."""
T = TypeVar("T")
Ts = TypeVarTuple("Ts")
log = logging.getLogger("net.contained")
"""Logger of all contained failures; operators search for this name (`docs/hosting.md`)."""


def run(main: Coroutine[Any, Any, T]) -> T:
    """Like `asyncio.run`, but also close a coroutine that Ctrl-C kept from starting, or Python warns that it was
    never awaited.
    """
    try:
        return asyncio.run(main)
    finally:
        main.close()


def is_failure(error: BaseException | None) -> bool:
    """Return True for a failure: an `Exception`, or a cancellation that nobody requested of the running task.

    Such a cancellation comes from a future that the task awaits. A requested one, `SystemExit` and
    `KeyboardInterrupt` are no failures.
    """
    if isinstance(error, asyncio.CancelledError):
        with contextlib.suppress(RuntimeError):  # in a thread, and after the loop
            task = asyncio.current_task()
            return task is None or not task.cancelling()
        return False
    return isinstance(error, Exception)


def log_failure(event: str, error: BaseException, **details: object) -> None:
    """Log a failure with its traceback, and release the frames that it holds: they may hold a whole screen.

    Never raises: the log itself may be what fails.
    """
    with contextlib.suppress(Exception):
        log.error(event, extra=fields(**details), exc_info=error)
    release_frames(error)


def release_frames(error: BaseException) -> None:
    """Release the frames that an error and its causes hold."""
    error.__traceback__ = None
    for other in (*getattr(error, "exceptions", ()), error.__cause__, error.__context__):
        if other is not None and other.__traceback__ is not None:
            release_frames(other)


class log_failures:  # noqa: N801 - it reads like `contextlib.suppress`
    """Context manager that logs a failure of its block and swallows it.

    `failed` is True afterwards if there was one.
    """

    __slots__ = ("_details", "_event", "_raises", "failed")

    def __init__(self, event: str, *, raises: tuple[type[Exception], ...] = (), **details: object) -> None:
        """`event` is logged with the fields `details`. Errors of the types `raises` are raised, not logged."""
        self._event = event
        self._raises = raises
        self._details = details
        self.failed = False

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, _kind: type[BaseException] | None, error: BaseException | None, _trace: TracebackType | None
    ) -> bool:
        if error is None or isinstance(error, self._raises) or not is_failure(error):
            return False
        self.failed = True
        log_failure(self._event, error, **self._details)
        return True


async def run_forever(
    step: Callable[[], Awaitable[None]], event: str, *, raises: tuple[type[Exception], ...] = (), **details: object
) -> None:
    """Await `step` repeatedly until this task is cancelled; `step` itself waits until there is work.

    A failure is logged, and the next step follows after `RETRY_DELAY` seconds. Errors of types `raises` are raised.
    """
    while True:
        with log_failures(
            event, raises=raises, **details
        ):  # a failure between two steps must not end the loop either
            while True:
                with log_failures(event, raises=raises, **details) as attempt:
                    await step()
                if attempt.failed:
                    await asyncio.sleep(RETRY_DELAY)


async def wait_at_most(seconds: Seconds, awaitable: Awaitable[object]) -> None:
    """Wait for `awaitable`, but cancel it after `seconds`."""
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(seconds):
            await awaitable


class DeferredCall:
    """Timer for calls of one function, of which at most one is pending; True while one is.

    A failure of the call is logged, and the next call can be scheduled. A call that is `CALL_OVERDUE` seconds overdue
    counts as no longer pending: a bug must have prevented it.
    """

    def __init__(self, call: Callable[[], None], event: str) -> None:
        self._call = call
        self._event = event
        self._handle: asyncio.Handle | None = None
        self._due_at = 0.0

    def __bool__(self) -> bool:
        return self._handle is not None and self._due_at + CALL_OVERDUE > asyncio.get_running_loop().time()

    def schedule(self, seconds: float) -> None:
        """Schedule the call in `seconds`, 0 for the next iteration of the loop; replaces a pending call."""
        self.cancel()
        loop = asyncio.get_running_loop()
        self._due_at = loop.time() + seconds
        self._handle = loop.call_later(seconds, self._run_call) if seconds > 0 else loop.call_soon(self._run_call)

    def cancel(self) -> None:
        """Cancel the pending call, if there is one."""
        if self._handle is not None:
            self._handle.cancel()
        self._handle = None

    def _run_call(self) -> None:
        self._handle = None
        with log_failures(self._event):
            self._call()


class Listeners(Generic[*Ts]):
    """Callbacks that are notified of an event. The failure of one is logged and does not affect the others."""

    def __init__(self, event: str) -> None:
        self._event = event
        self._callbacks: list[Callable[[*Ts], object]] = []

    def __bool__(self) -> bool:
        """Return True if there is a callback."""
        return bool(self._callbacks)

    def add(self, listener: Callable[[*Ts], object]) -> Callable[[], None]:
        """Register a callback; call the returned function to remove it."""
        self._callbacks.append(listener)
        return lambda: self._callbacks.remove(listener)

    def notify(self, *arguments: *Ts) -> None:
        """Call all callbacks."""
        for listener in tuple(self._callbacks):
            with log_failures(self._event):
                listener(*arguments)


class CrashCounter:
    """Counts the crashes of something that is restarted after each, to see when to give up."""

    def __init__(self) -> None:
        self._crash_times: deque[float] = deque(maxlen=MAX_CRASHES)

    def record_crash(self) -> bool:
        """Count a crash; return True if this makes `MAX_CRASHES` within `BREAKDOWNS_WITHIN` seconds."""
        times = self._crash_times
        times.append(asyncio.get_running_loop().time())
        return len(times) == MAX_CRASHES and times[-1] - times[0] < BREAKDOWNS_WITHIN


class Tasks:
    """The tasks of one owner. A failure of one does not affect the others; `aclose` ends all that are left."""

    def __init__(self) -> None:
        self._running: set[asyncio.Task[Any]] = set()

    def __len__(self) -> int:
        return len(self._unfinished)

    @property
    def _unfinished(self) -> set[asyncio.Task[Any]]:
        return {task for task in self._running if not task.done()}

    def start(
        self,
        coroutine: Coroutine[Any, Any, T],
        event: str,
        *,
        on_failure: Callable[[], object] | None = None,
        **details: object,
    ) -> asyncio.Task[T]:
        """Start a task. If it fails, log `event` with the fields `details`, then call `on_failure`."""
        task = asyncio.get_running_loop().create_task(coroutine)
        self._running.add(task)

        def on_done(task: asyncio.Task[T]) -> None:
            self._running.discard(task)
            if task.cancelled() or (error := task.exception()) is None:
                return
            log_failure(event, error, **details)
            if on_failure:
                on_failure()

        task.add_done_callback(on_done)
        return task

    def adopt(self, tasks: Iterable[asyncio.Task[Any] | None]) -> None:
        """Take over tasks that were started elsewhere."""
        self._running |= {task for task in tasks if task is not None}

    async def wait(self, seconds: float | None = None) -> None:
        """Wait until the tasks that run now have ended, `seconds` at most."""
        if unfinished := self._unfinished:
            await asyncio.wait(unfinished, timeout=seconds)

    def cancel(self) -> None:
        """Cancel all tasks."""
        for task in self._unfinished:
            task.cancel()

    async def aclose(self) -> None:
        """Cancel all tasks and wait until they have ended."""
        while self._unfinished:  # repeated, because a task may await something while it handles its cancellation
            self.cancel()
            await self.wait(RETRY_DELAY)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_error: object) -> None:
        await self.aclose()


_BLOCKED_AFTER: Seconds = 0.0001
"""A `select` that took longer than this has blocked until there was an event."""
BACKGROUND_MAX_WAIT: Seconds = 0.03
"""Seconds after which background work does a step although there is other work, so that it cannot starve."""


class _LoopWaker:
    """Calls a scheduler from the loop. A call that is `CALL_OVERDUE` seconds overdue counts as no longer pending."""

    def __init__(self, call: Callable[[], None]) -> None:
        self._call = call
        self._imminent_since = self._timer_due_at = -inf
        self._timer: asyncio.TimerHandle | None = None
        self._context = copy_context()
        """Context for all turns: in that of background work, they would hold up every other turn."""

    @property
    def is_imminent(self) -> bool:
        return self._imminent_since + CALL_OVERDUE > monotonic()

    @property
    def iteration(self) -> int | None:
        """Number of this iteration of the loop, if it is a `BackgroundLoop`."""
        loop = asyncio.get_running_loop()
        return loop.selector.iteration if isinstance(loop, BackgroundLoop) else None

    def schedule(self, seconds: Seconds) -> None:
        loop, now = asyncio.get_running_loop(), monotonic()
        if seconds <= 0:
            self._imminent_since = now
            loop.call_soon(self._run_call, context=self._context)
        elif not now - CALL_OVERDUE < self._timer_due_at <= now + seconds:
            if self._timer is not None:
                self._timer.cancel()
            self._timer_due_at = now + seconds
            self._timer = loop.call_later(seconds, self._on_timer, context=self._context)

    def _on_timer(self) -> None:
        self._timer_due_at = -inf
        if not self.is_imminent:
            self._run_call()

    def _run_call(self) -> None:
        self._imminent_since = -inf
        with log_failures("turns-not-given"):
            self._call()


class LoopScheduler(Scheduler):
    """Scheduler for the tasks of an event loop."""

    def __init__(self) -> None:
        super().__init__(monotonic, _LoopWaker(self.run_turn), partial(log_failure, "turn-failed"))

    @asynccontextmanager
    async def turn(self, work: Work, owner: Bucket) -> AsyncIterator[None]:
        """Wait for a turn, and hold it until the block ends. Raises FullError."""
        piece, turn_future = self._create_waiter(work, owner)
        try:
            self.submit(piece)
            await turn_future
            yield
        finally:
            turn_future.cancel()  # a cancelled waiter must not use up a turn
            self.cancel(piece)

    async def wait_for_turn(self, work: Work, owner: Bucket) -> None:
        """Wait for a turn and return as it begins. Raises FullError."""
        piece, turn_future = self._create_waiter(work, owner)
        try:
            self.submit(piece)
            await turn_future
        finally:
            self.cancel(piece)

    @staticmethod
    def _create_waiter(work: Work, owner: Bucket) -> tuple[Piece, "asyncio.Future[None]"]:
        """Create a piece that waits for a turn, and the future that is resolved when it comes."""
        turn_future: asyncio.Future[None] = asyncio.get_running_loop().create_future()

        def grant_turn() -> Outcome:
            if turn_future.done():
                return Outcome.GONE
            turn_future.set_result(None)
            return Outcome.DONE

        def refuse() -> None:
            if not turn_future.done():
                turn_future.set_exception(FullError())

        return Piece(work, owner, grant_turn, refuse=refuse), turn_future


class BackgroundWork:
    """Mark of background work: a task and all that it has started run after all others while `active` is True."""

    def __init__(self) -> None:
        self.active = True
        self.pending_steps: deque[Callable[[], None]] = deque()
        """Steps to schedule, in order."""
        self.cpu_seconds = 0.0
        """CPU seconds of its steps."""

    def end(self) -> None:
        """Run the work like any other from now on."""
        self.active = False


_background: ContextVar[BackgroundWork | None] = ContextVar("background", default=None)


def enter_background() -> BackgroundWork:
    """Make the running task, and all that it starts from now on, background work until `end` is called.

    On any other loop than a `BackgroundLoop` this has no effect.
    """
    background = BackgroundWork()
    _background.set(background)
    return background


class _TimingSelector(selectors.DefaultSelector):
    """Measures for how long input may have waited until it was read."""

    def __init__(self) -> None:
        super().__init__()
        self.waiting_since = self._last_select = perf_counter()
        self.iteration = 0
        """Number of `select` calls, one for each iteration of the loop."""

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        """Wait for events. Input that arrives while this blocks is seen at once."""
        self.iteration += 1
        try:
            return self._timed_select(timeout)
        except Exception as error:  # it would end the loop; if `select` itself fails, the next call raises it again
            log_failure("look-not-noted", error)
            return super().select(0)

    def _timed_select(self, timeout: float | None) -> list[tuple[selectors.SelectorKey, int]]:
        started_at = perf_counter()
        events = super().select(timeout)
        previous_select, self._last_select = self._last_select, perf_counter()
        self.waiting_since = previous_select if self._last_select - started_at < _BLOCKED_AFTER else self._last_select
        return events


def input_delay() -> Seconds:
    """Return an upper bound of the seconds that input may have waited; 0 on any loop but a `BackgroundLoop`."""
    loop = asyncio.get_running_loop()
    return perf_counter() - loop.selector.waiting_since if isinstance(loop, BackgroundLoop) else 0.0


class BackgroundLoop(asyncio.SelectorEventLoop):
    """asyncio's selector loop, except that background work runs only in iterations in which nothing else did."""

    def __init__(self) -> None:
        self.selector = _TimingSelector()
        super().__init__(self.selector)
        self._background_queue: deque[BackgroundWork] = deque()
        """Queue of background work; an entry for each step that waits."""
        self._has_other_work = False
        """True if anything else was scheduled since `_run_step` ran last."""
        self._stepped_at = 0.0
        """Time of the last step of background work."""
        self._step_scheduled = False
        self._foreground = copy_context()

    def call_soon(
        self, callback: Callable[[*Ts], object], *args: *Ts, context: Context | None = None
    ) -> asyncio.Handle:
        """Schedule a callback; behind everything else if its context is one of background work."""
        try:
            background = _background.get() if context is None else context.get(_background)
            if background is not None and background.active:
                return self._call_in_background(background, callback, args, context or copy_context())
            if background is not None:
                while background.pending_steps:  # keep the order in which one task has scheduled its callbacks
                    background.pending_steps.popleft()()
            self._has_other_work = True
        except Exception as error:  # an exception would leave the caller waiting forever
            log_failure("not-patient", error)
        return super().call_soon(callback, *args, context=context)

    def _call_in_background(
        self, background: BackgroundWork, callback: Callable[..., object], args: tuple[Any, ...], context: Context
    ) -> asyncio.Handle:
        handle = asyncio.Handle(callback, args, self, context)

        call_soon = super().call_soon

        def step() -> None:
            if not handle.cancelled():
                cpu_start = thread_time()
                callback(*args)
                background.cpu_seconds += thread_time() - cpu_start

        def schedule_step() -> None:
            call_soon(step, context=context)

        background.pending_steps.append(schedule_step)
        self._background_queue.append(background)
        if not self._step_scheduled:
            self._schedule_step()
        return handle

    def _schedule_step(self) -> None:
        """Run `_run_step` at the end of the next iteration: timers run after input and after scheduled callbacks."""
        self._step_scheduled = True
        self.call_later(0, self._run_step, context=self._foreground)

    def _run_step(self) -> None:
        """Run one step if there was no other work, or none has run for `BACKGROUND_MAX_WAIT` seconds."""
        try:
            now = self.time()
            if not self._has_other_work or now - self._stepped_at > BACKGROUND_MAX_WAIT:
                self._stepped_at = now
                while self._background_queue:
                    if pending_steps := self._background_queue.popleft().pending_steps:
                        pending_steps.popleft()()
                        break
        finally:
            self._step_scheduled = self._has_other_work = False
            if self._background_queue:
                self._schedule_step()


def run_on_background_loop(main: Coroutine[Any, Any, T]) -> T:
    """Like `asyncio.run`, on a `BackgroundLoop`; a task that ignores its cancellation is cancelled again."""

    async def run_main() -> T:
        async with Tasks() as tasks:
            try:
                return await main
            finally:
                tasks.adopt(asyncio.all_tasks() - {asyncio.current_task()})

    coroutine = run_main()
    try:
        with asyncio.Runner(loop_factory=BackgroundLoop) as runner:
            return runner.run(coroutine)
    finally:  # close a coroutine that Ctrl-C kept from starting
        coroutine.close()
        main.close()
