"""Collects what ended sessions leave behind, at moments when nobody waits for the host."""

import asyncio
import contextlib
import ctypes
import gc
import resource
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

YOUNG = 0.025
"""Seconds between looks at the young. Python counts what is made less what is let go, and in a busy house the two
are equal: left to itself it looks seldom, at a hundred thousand at once, and takes 70 ms; so 0.5 ms at a time."""
GROWTH = 16 * 2**20
"""Bytes by which the process may grow between two full collections while somebody is always here."""
LITTER = 30.0
"""Seconds for which ended sessions may leave some 100 KiB each lying about while others play."""
THOROUGH = 600.0
"""Seconds between two collections of everything while somebody is always here: in a full house each stops everybody
for 200 ms. Those between them leave out what had survived the one before."""
REST = 5.0
"""Seconds between two full collections when the last guest leaves again and again: others may play over links."""
WEIGHED = 2.0
"""Seconds between looks at how large it is."""


class Sweeper:
    """Collects what ended screens leave behind: objects that hold each other, which counting never frees.

    That stops everybody for 40 ms or more, so it is done when the last guest has left, or else when the process has
    grown by `GROWTH`, or `LITTER` seconds after the last time if sessions have ended since.
    """

    def __init__(self, size: Callable[[], int] | None = None, rest: float = REST) -> None:
        """`size` tells how many bytes of memory the process has, `rest` is as `REST`."""
        self._rest = rest
        self._due: asyncio.TimerHandle | None = None
        self._open = 0
        self._ended = False
        self._looks = False
        self._stopped = False
        self._size = size or resident
        self._swept_to = 0
        self._loop = asyncio.get_running_loop()
        self._swept_at = self._weighed_at = self._rested_at = self._thorough_at = self._loop.time()

    def stop(self) -> None:
        """Collect no more: the process ends soon, and everybody waits for it."""
        self._stopped = True
        if self._due is not None:
            self._due.cancel()

    @contextmanager
    def session(self) -> Iterator[None]:
        """Count one session for the length of the block."""
        self._open += 1
        if not self._looks:
            self._swept_to = self._size()
            self._look()
        try:
            yield
        finally:
            self._open -= 1
            self._ended = True
            if not self._open:
                # Not now: this session's own frames still hold its screens.
                self._sweep_soon()

    def _sweep_soon(self) -> None:
        if self._due is None:
            self._due = self._loop.call_at(self._rested_at, self._last_left)

    def _last_left(self) -> None:
        self._due = None
        if not self._open:
            self._sweep()

    def _look(self) -> None:
        """Look at the young again and again while anybody is here."""
        self._looks = self._open > 0
        if not self._looks:
            return
        gc.collect(0)
        self._loop.call_later(YOUNG, self._look)
        now = self._loop.time()
        if now - self._weighed_at >= WEIGHED:
            self._weighed_at = now
            littered = self._ended and now - self._swept_at >= LITTER
            if littered or self._size() > self._swept_to + GROWTH:
                self._sweep()

    def _sweep(self) -> None:
        """Collect everything when nobody is here or the last time is long ago, else what was made since."""
        if not self._stopped:
            now = self._loop.time()
            if not self._open or now - self._thorough_at >= THOROUGH:
                self._thorough_at = now
                gc.unfreeze()
            gc.collect()
            gc.freeze()
            give_back()
            self._swept_to, self._swept_at, self._ended = self._size(), self._loop.time(), False
            self._rested_at = self._swept_at + self._rest


def resident() -> int:
    """Bytes of memory that this process has now; 0 where the system does not say."""
    try:
        return int(Path("/proc/self/statm").read_text().split()[1]) * resource.getpagesize()
    except (OSError, ValueError, IndexError):
        return 0


def give_back() -> None:
    """Return what the C library holds and nobody uses to the system, where it can."""
    with contextlib.suppress(OSError, AttributeError):
        ctypes.CDLL(None).malloc_trim(0)
