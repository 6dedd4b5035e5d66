"""Collects what ended sessions leave behind, at moments when nobody waits for the host."""

import asyncio
import gc
from collections.abc import Iterator
from contextlib import contextmanager

YOUNG = 0.025
"""Seconds between looks at the young. Python counts what is made less what is let go, and in a busy house the two
are equal: left to itself it looks seldom, at a hundred thousand at once, and takes 70 ms; so 0.5 ms at a time."""
UNSWEPT = 200
"""Ended sessions of which some 100 KiB may lie about while others play."""


class Sweeper:
    """Collects what ended sessions leave behind: objects that hold each other, which counting never frees.

    That stops everybody, so it is done when the last guest has left, or else when `UNSWEPT` sessions have ended.
    """

    def __init__(self) -> None:
        self._open = 0
        self._ended = 0
        self._looks = False
        self._stopped = False

    def stop(self) -> None:
        """Collect no more: the process ends soon, and everybody waits for it."""
        self._stopped = True

    @contextmanager
    def session(self) -> Iterator[None]:
        """Count one session for the length of the block."""
        self._open += 1
        if not self._looks:
            self._look()
        try:
            yield
        finally:
            self._open -= 1
            self._ended += 1
            if (not self._open or self._ended >= UNSWEPT) and not self._stopped:
                self._ended = 0
                # Not now: this session's own frames still hold its screens.
                asyncio.get_running_loop().call_soon(gc.collect)

    def _look(self) -> None:
        """Look at the young again and again while anybody is here."""
        self._looks = self._open > 0
        if self._looks:
            gc.collect(0)
            asyncio.get_running_loop().call_later(YOUNG, self._look)
