"""Decides when Python collects garbage on a host: seldom, and hardly ever while nobody comes or goes.

docs/decisions/011-collecting.md has the figures.
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

RESTLESS = 3.0
"""Seconds after somebody came or went for which the young are collected: a screen that opens or ends leaves garbage.
A key or a move leaves none (`tests/tui/test_at_once.py`)."""
LOOK_EVERY = 0.5
"""Seconds between looks at whether anybody is here, and at how large the process is."""
GROWTH = 2**20
"""Bytes by which the process may grow between two larger collections while somebody comes or goes: three new screens.
Each takes 3 ms for each of them, in which everybody else waits."""
GROWTH_IN_PLAY = 2**24
"""The same while those who are here only play, or a quarter of a large process: what grows then is pictures that
are kept, and hardly any garbage."""
EVERYTHING_EVERY = 600.0
"""Seconds between two collections of everything while somebody is here: on a full host each stops everybody for
200 ms. The collections between them leave out what survived the one before."""


class GarbageCollector:
    """Collects what ended screens leave behind: objects that hold each other, which counting references never frees.

    It does so when nobody is here, or when the process has grown by `GROWTH`.
    """

    def __init__(self, scheduler: Scheduler, size: Callable[[], int] | None = None, *, enabled: bool = True) -> None:
        """`scheduler` says when to collect the young: often, because Python counts objects made less objects freed.

        These are nearly equal on a busy host, so it would wait for a hundred thousand, and take 70 ms. `size` tells
        how many bytes of memory the process has. Not `enabled`, this leaves everything to Python.
        """
        self._scheduler = scheduler
        self._open = 0
        self._turns = Piece(Work.COLLECTING, new_owner(), self._collect_young)
        self._stopped = not enabled
        self._size = size or resident
        self._size_after = 0
        self._came_or_went = False
        self._next: asyncio.TimerHandle | None = None
        """When to look again while nobody comes or goes."""
        self._loop = asyncio.get_running_loop()
        self._looked_at = self._everything_at = self._restless_until = self._loop.time()

    def begin(self) -> None:
        """Collect what starting the host left behind, keep the rest for good, and have Python collect nothing itself.

        A collection of everything takes 3 ms for each session, and the whole host stands still meanwhile.
        """
        if not self._stopped:
            gc.collect()
            gc.freeze()
            gc.disable()

    def stop(self) -> None:
        """Collect no more: the process ends soon, and everybody waits for it."""
        self._stopped = True
        self._scheduler.forget(self._turns)

    @contextmanager
    def session(self) -> Iterator[None]:
        """Count one session for the length of the block."""
        if not self._open and not self._scheduler.waits(self._turns):
            self._size_after = self._size()
        self._open += 1
        self._note()
        try:
            yield
        finally:
            self._open -= 1
            self._note()

    def _note(self) -> None:
        """Note that somebody came or went."""
        self._came_or_went, self._restless_until = True, self._loop.time() + RESTLESS
        self._ask()

    def _ask(self) -> None:
        if self._next is not None:
            self._next.cancel()
        if not self._stopped and not self._scheduler.waits(self._turns):
            self._scheduler.ask(self._turns)

    def _collect_young(self) -> Outcome:
        """Collect the young if there may be garbage, and look now and then; until nobody is here."""
        if self._stopped:
            return Outcome.DONE
        now = self._loop.time()
        if now < self._restless_until:
            gc.collect(0)
        if now - self._looked_at >= LOOK_EVERY:
            self._looked_at = now
            if not self._open or self._size() > self._size_after + self._growth:
                self._collect(now)
            if not self._open:
                return Outcome.DONE
        if now < self._restless_until:
            return Outcome.MORE
        self._next = self._loop.call_later(LOOK_EVERY, self._ask)
        return Outcome.DONE

    @property
    def _growth(self) -> int:
        return GROWTH if self._came_or_went else max(GROWTH_IN_PLAY, self._size_after // 4)

    def _collect(self, now: float) -> None:
        """Collect everything when nobody is here or the last time is long ago, else what was made since."""
        everything = not self._open or now - self._everything_at >= EVERYTHING_EVERY
        if everything:
            self._everything_at = now
            gc.unfreeze()
        gc.collect()
        gc.freeze()
        if everything:
            trim_heap()
        self._size_after = self._size()
        self._came_or_went = False


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
