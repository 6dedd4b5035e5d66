"""Where handshakes wait for their share of the CPU, so that those who connect do not stop those who play."""

import asyncio
from collections import defaultdict, deque
from collections.abc import Callable

from msgspec import Struct

from net.moves_first import MovesFirst
from net.rate_limit import Bucket

AT_ONCE = 8
"""Let through in one burst: friends who come at the same moment."""
CPU_AT_ONCE = 0.2
"""Seconds of CPU that strangers may take in one burst: what some fifty of them need."""
_FORGETS = 60.0
"""Seconds after which it is forgotten who took how much."""
_LOOKS_EVERY = 0.05
"""Seconds until those who wait are looked at again, at the most."""
MIN_COST = 1e-3
"""Seconds of CPU that everybody is taken to need when his turn comes, before it is known."""


class _Waiting(Struct, frozen=True, eq=False):
    """One who waits."""

    network: str
    resume: Callable[[], bool]
    is_new: bool


class HandshakeQueue:
    """Begins so many handshakes in each second, and lets all of them together take a share of the core.

    Of those who wait, the one whose address took least is next. So one who comes again and again waits for all
    others, and they never for him.
    """

    def __init__(
        self, rate: float, share: float, at_once: float = CPU_AT_ONCE, moves: MovesFirst | None = None
    ) -> None:
        """`rate` is newcomers per second, `share` the part of one core, `at_once` seconds of CPU in one burst.

        While one of `moves` is on its way nobody is let on.
        """
        self._moves = moves or MovesFirst()
        self._pause = min(1 / rate, _LOOKS_EVERY)
        self._bucket = Bucket(rate, AT_ONCE)
        self._cpu = Bucket(share / MIN_COST, max(1.0, at_once / MIN_COST))
        self._waiting: deque[_Waiting] = deque()
        self._used: defaultdict[str, float] = defaultdict(float)
        self._loop = asyncio.get_running_loop()
        self._forgot_at = self._loop.time()
        self._timer: asyncio.TimerHandle | None = None
        self._closed = False

    @property
    def exhausted(self) -> bool:
        """Whether the share is used up for now, so that who goes on must wait."""
        return self._cpu.empty(self._loop.time())

    def charge(self, network: str, seconds: float) -> None:
        """Take note of CPU that was needed for somebody from an address."""
        self._cpu.spend(seconds / MIN_COST, self._loop.time())
        self._used[network] += seconds

    def wait(self, network: str, resume: Callable[[], bool], *, is_new: bool = True) -> None:
        """Call `resume` when it is this connection's turn; it says whether it is still there.

        One that `is_new` is counted as a newcomer.
        """
        if self._closed:
            return
        self._waiting.append(_Waiting(network, resume, is_new))
        if self._timer is None:
            self._next()

    def close(self) -> None:
        """Let nobody go on any more."""
        self._closed = True
        self._waiting.clear()
        if self._timer is not None:
            self._timer.cancel()

    def _next(self) -> None:
        self._timer = None
        if self._waiting and (left := self._moves.left):
            self._timer = self._loop.call_later(left, self._next)
            return
        now = self._loop.time()
        if now - self._forgot_at > _FORGETS:
            self._used.clear()
            self._forgot_at = now
        while self._waiting:
            crowded = self._bucket.empty(now)
            due = [one for one in self._waiting if not (crowded and one.is_new)]
            if self._cpu.empty(now) or not due:
                self._timer = self._loop.call_later(self._pause, self._next)
                return
            next_one = min(due, key=lambda one: self._used[one.network])
            self._waiting.remove(next_one)
            if next_one.resume():
                self._used[next_one.network] += MIN_COST
                if next_one.is_new:
                    self._bucket.take(now)
                if self._waiting:  # one in each turn of the loop, which else would be as long as all of them take
                    self._timer = self._loop.call_later(0, self._next)
                return
