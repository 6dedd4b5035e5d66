"""Where newcomers wait for their key exchange, so that those who come in do not stop those who play."""

import asyncio
from collections import Counter, deque
from collections.abc import Callable

from net.rates import Bucket

AT_ONCE = 8
"""Let through in one burst: friends who come at the same moment."""
_FORGETS = 60.0
"""Seconds after which it is forgotten who came how often."""


class Porch:
    """Lets so many newcomers in each second. Of those who wait, the one whose address came least often is next.

    So one who knocks again and again waits for all others, and they never for him.
    """

    def __init__(self, rate: float) -> None:
        self._pause = 1 / rate
        self._bucket = Bucket(rate, AT_ONCE)
        self._waiting: deque[tuple[str, Callable[[], bool]]] = deque()
        self._came: Counter[str] = Counter()
        self._loop = asyncio.get_running_loop()
        self._forgot_at = self._loop.time()
        self._timer: asyncio.TimerHandle | None = None

    def wait(self, home: str, come_in: Callable[[], bool]) -> None:
        """Call `come_in` when it is this newcomer's turn; it says whether he is still there."""
        self._waiting.append((home, come_in))
        if self._timer is None:
            self._let_in()

    def close(self) -> None:
        """Let nobody in any more."""
        self._waiting.clear()
        if self._timer is not None:
            self._timer.cancel()

    def _let_in(self) -> None:
        self._timer = None
        now = self._loop.time()
        if now - self._forgot_at > _FORGETS:
            self._came.clear()
            self._forgot_at = now
        while self._waiting:
            if self._bucket.empty(now):
                self._timer = self._loop.call_later(self._pause, self._let_in)
                return
            place = min(range(len(self._waiting)), key=lambda at: self._came[self._waiting[at][0]])
            home, come_in = self._waiting[place]
            del self._waiting[place]
            if come_in():
                self._came[home] += 1
                self._bucket.take(now)
