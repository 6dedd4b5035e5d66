"""Decides when Python collects garbage on a host: young objects often, and everything when there is no session.

Sessions that have ended leave no garbage (`tests/tui/test_freed_sessions.py`): reference counting frees them. These
collections free what a bug leaves behind. docs/decisions/011-collecting.md has the figures.
"""

import asyncio
import contextlib
import ctypes
import gc
import resource
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from net.scheduler import Outcome, Piece, Scheduler, Work, new_owner

CHURN_PERIOD = 3.0
"""Seconds after a session begins or ends in which generation 0 is collected every 25 ms."""
CHURN_INTERVAL = 0.5
"""Seconds between two collections of generation 1 in that time. Each takes 3 ms at ten openings a second."""
PLAY_INTERVAL = 10.0
"""Seconds between collections while no session begins or ends: keys and moves leave no garbage."""
SESSION_BYTES = 2**20
"""Bytes that a session may take: twice the size of a session in a browser."""
EXCESS_BYTES = 2**28
"""Bytes by which the process may outgrow its sessions. Beyond that, everything is collected even during sessions,
which stops everybody for 1 ms per session.
"""


class GarbageCollector:
    """Collects reference cycles, which reference counting never frees."""

    def __init__(self, scheduler: Scheduler, measure_size: Callable[[], int] | None = None) -> None:
        """`scheduler` gives turns to collections; `measure_size` returns the memory of the process, in bytes."""
        self._scheduler = scheduler
        self._open_sessions = 0
        """Number of open sessions."""
        self._piece = Piece(Work.COLLECTING, new_owner(), self._collect)
        self._is_stopped = False
        self._measure_size = measure_size or resident_bytes
        self._size_after = 0
        """Bytes of the process after the last full collection."""
        self._must_trim_heap = False
        """True if a session has ended since memory was returned to the system."""
        self._next_timer: asyncio.TimerHandle | None = None
        """Timer of the next collection while no session begins or ends."""
        self._loop = asyncio.get_running_loop()
        self._collected_at = self._churn_until = self._loop.time()

    def begin(self) -> None:
        """Collect the garbage of the host's start, freeze the rest, and disable automatic collection.

        Python would collect everything every minute or two, which stops everybody for 400 ms.
        """
        if not self._is_stopped:
            gc.collect()
            gc.freeze()
            gc.disable()

    def stop(self) -> None:
        """Stop collecting: the process ends soon, and everybody waits for it."""
        self._is_stopped = True
        self._scheduler.cancel(self._piece)

    @contextmanager
    def count_session(self) -> Iterator[None]:
        """Count a session for the length of the block."""
        if not self._open_sessions and not self._scheduler.is_waiting(self._piece):
            self._size_after = self._measure_size()
        self._open_sessions += 1
        self._note_session()
        try:
            yield
        finally:
            self._open_sessions -= 1
            self._must_trim_heap = True
            self._note_session()

    def _note_session(self) -> None:
        """Note that a session has begun or ended."""
        self._churn_until = self._loop.time() + CHURN_PERIOD
        self._schedule()

    def _schedule(self) -> None:
        if self._next_timer is not None:
            self._next_timer.cancel()
        if not self._is_stopped and not self._scheduler.is_waiting(self._piece):
            self._scheduler.submit(self._piece)

    def _collect(self) -> Outcome:
        """Collect the generation that is due; request another turn while sessions begin or end."""
        if self._is_stopped:
            return Outcome.DONE
        now = self._loop.time()
        is_churning = now < self._churn_until
        if is_churning and now - self._collected_at < CHURN_INTERVAL:
            gc.collect(0)
            return Outcome.MORE
        self._collected_at = now
        max_bytes = self._size_after + EXCESS_BYTES + self._open_sessions * SESSION_BYTES
        if not self._open_sessions or self._measure_size() > max_bytes:
            gc.collect()
            trim_heap()
            self._size_after = self._measure_size()
        else:
            gc.collect(1)
        if not self._open_sessions:
            self._must_trim_heap = False
            return Outcome.DONE
        if is_churning:
            return Outcome.MORE
        if self._must_trim_heap:
            self._must_trim_heap = False
            trim_heap()
        self._next_timer = self._loop.call_later(PLAY_INTERVAL, self._schedule)
        return Outcome.DONE


def resident_bytes() -> int:
    """Return the bytes of memory of this process; 0 where the system does not tell."""
    try:
        return int(Path("/proc/self/statm").read_text().split()[1]) * resource.getpagesize()
    except (OSError, ValueError, IndexError):
        return 0


def trim_heap() -> None:
    """Return free memory of the C library to the system, where it can."""
    with contextlib.suppress(OSError, AttributeError):
        ctypes.CDLL(None).malloc_trim(0)
