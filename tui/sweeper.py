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
GROWTH = 32 * 2**20
"""Bytes by which the process may grow between two full collections while somebody is always here."""
WEIGHED = 10.0
"""Seconds between looks at how large it is."""


class Sweeper:
    """Collects what ended screens leave behind: objects that hold each other, which counting never frees.

    That stops everybody, so it is done when the last guest has left, or else when the process has grown by `GROWTH`.
    """

    def __init__(self, size: Callable[[], int] | None = None) -> None:
        """`size` tells how many bytes of memory the process has."""
        self._open = 0
        self._looks = False
        self._stopped = False
        self._size = size or resident
        self._swept_to = 0
        self._weighed_at = 0.0
        self._loop = asyncio.get_running_loop()

    def stop(self) -> None:
        """Collect no more: the process ends soon, and everybody waits for it."""
        self._stopped = True

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
            if not self._open:
                # Not now: this session's own frames still hold its screens.
                self._loop.call_soon(self._sweep)

    def _look(self) -> None:
        """Look at the young again and again while anybody is here."""
        self._looks = self._open > 0
        if not self._looks:
            return
        gc.collect(0)
        self._loop.call_later(YOUNG, self._look)
        if self._loop.time() - self._weighed_at >= WEIGHED:
            self._weighed_at = self._loop.time()
            if self._size() > self._swept_to + GROWTH:
                self._sweep()

    def _sweep(self) -> None:
        if not self._stopped:
            gc.collect()
            give_back()
            self._swept_to = self._size()


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
