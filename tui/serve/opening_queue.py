"""Opens the screens of new sessions one at a time, slowly enough that players notice nothing."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from net.contained import Due
from net.limits import OPENINGS_AT_ONCE, OPENINGS_PER_SECOND
from net.rate_limit import Bucket

_FORGETS = 60.0
"""The counts of who came how often are reset after so many seconds."""
_LONGEST = 2.0
"""Seconds after which a turn that has not ended holds up nobody any more."""


class OpeningQueue:
    """Decides whose screen is opened next: a session from the address with the fewest recent visits."""

    def __init__(self, rate: float = OPENINGS_PER_SECOND, at_once: float = OPENINGS_AT_ONCE) -> None:
        self._pause = 1 / rate
        self._bucket = Bucket(rate, at_once)
        self._waiting: list[tuple[str, asyncio.Future[None]]] = []
        self._came: Counter[str] = Counter()
        self._loop = asyncio.get_running_loop()
        self._forgot_at = self._loop.time()
        self._busy_until = self._forgot_at
        self._due = Due(self._next, "screen-not-opened")

    @asynccontextmanager
    async def turn(self, network: str) -> AsyncIterator[None]:
        """Wait for one's turn, and have it for the length of the block."""
        turn = self._loop.create_future()
        own = network, turn
        try:
            self._waiting.append(own)
            self._next()
            await turn
            yield
        finally:
            if turn.done() and not turn.cancelled():
                self._busy_until = self._loop.time()
                self._due.cancel()
            else:
                turn.cancel()
            self._next()

    def _next(self) -> None:
        self._waiting = [one for one in self._waiting if not one[1].done()]
        if self._due or not self._waiting:
            return
        now = self._loop.time()
        self._due.after(max(self._pause, self._busy_until - now))  # also if what follows fails
        if now - self._forgot_at > _FORGETS:
            self._came.clear()
            self._forgot_at = now
        if now < self._busy_until or not self._bucket.take(now):
            return
        network, turn = min(self._waiting, key=lambda one: self._came[one[0]])
        self._came[network] += 1
        self._busy_until = now + _LONGEST
        turn.set_result(None)
