"""Collects what ended sessions leave behind, at moments when nobody waits for the host."""

import asyncio
import contextlib
import ctypes
import gc
import resource
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

YOUNG_EVERY = 0.025
"""Seconds between looks at the young. Python counts what is made less what is let go, and in a busy house the two
are equal: left to itself it looks seldom, at a hundred thousand at once, and takes 70 ms; so 0.5 ms at a time."""
GROWTH = 16 * 2**20
"""Bytes by which the process may grow between two full collections while somebody is always here."""
COLLECT_ENDED_AFTER = 30.0
"""Seconds for which ended sessions may leave some 100 KiB each lying about while others play."""
EVERYTHING_EVERY = 600.0
"""Seconds between two collections of everything while somebody is always here: in a full house each stops everybody
for 200 ms. Those between them leave out what had survived the one before."""
EMPTY_EVERY = 5.0
"""Seconds between two full collections when the last guest leaves again and again: others may play over links."""
MEASURED_EVERY = 2.0
"""Seconds between looks at how large it is."""


class GarbageCollector:
    """Collects what ended screens leave behind: objects that hold each other, which counting never frees.

    That stops everybody for 40 ms or more, so it is done when the last guest has left, or else when the process has
    grown by `GROWTH`, or `COLLECT_ENDED_AFTER` seconds after the last time if sessions have ended since.
    """

    def __init__(self, size: Callable[[], int] | None = None, empty_every: float = EMPTY_EVERY) -> None:
        """`size` tells how many bytes of memory the process has, `empty_every` is as `EMPTY_EVERY`."""
        self._empty_every = empty_every
        self._due: asyncio.TimerHandle | None = None
        self._open = 0
        self._ended = False
        self._running = False
        self._stopped = False
        self._size = size or resident
        self._size_after = 0
        self._loop = asyncio.get_running_loop()
        self._collected_at = self._measured_at = self._next_empty_at = self._everything_at = self._loop.time()

    def stop(self) -> None:
        """Collect no more: the process ends soon, and everybody waits for it."""
        self._stopped = True
        if self._due is not None:
            self._due.cancel()

    @contextmanager
    def session(self) -> Iterator[None]:
        """Count one session for the length of the block."""
        self._open += 1
        if not self._running:
            self._size_after = self._size()
            self._collect_young()
        try:
            yield
        finally:
            self._open -= 1
            self._ended = True
            if not self._open:
                # Not now: this session's own frames still hold its screens.
                self._collect_soon()

    def _collect_soon(self) -> None:
        if self._due is None:
            self._due = self._loop.call_at(self._next_empty_at, self._last_left)

    def _last_left(self) -> None:
        self._due = None
        if not self._open:
            self._collect()

    def _collect_young(self) -> None:
        """Look at the young again and again while anybody is here."""
        self._running = self._open > 0
        if not self._running:
            return
        gc.collect(0)
        self._loop.call_later(YOUNG_EVERY, self._collect_young)
        now = self._loop.time()
        if now - self._measured_at >= MEASURED_EVERY:
            self._measured_at = now
            overdue = self._ended and now - self._collected_at >= COLLECT_ENDED_AFTER
            if overdue or self._size() > self._size_after + GROWTH:
                self._collect()

    def _collect(self) -> None:
        """Collect everything when nobody is here or the last time is long ago, else what was made since."""
        if not self._stopped:
            now = self._loop.time()
            if not self._open or now - self._everything_at >= EVERYTHING_EVERY:
                self._everything_at = now
                gc.unfreeze()
            gc.collect()
            gc.freeze()
            trim_heap()
            self._size_after, self._collected_at, self._ended = self._size(), self._loop.time(), False
            self._next_empty_at = self._collected_at + self._empty_every


def resident() -> int:
    """Bytes of memory that this process has now; 0 where the system does not say."""
    try:
        return int(Path("/proc/self/statm").read_text().split()[1]) * resource.getpagesize()
    except (OSError, ValueError, IndexError):
        return 0


def trim_heap() -> None:
    """Return what the C library holds and nobody uses to the system, where it can."""
    with contextlib.suppress(OSError, AttributeError):
        ctypes.CDLL(None).malloc_trim(0)
