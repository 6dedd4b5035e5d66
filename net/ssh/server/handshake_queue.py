"""Makes handshakes wait for their share of the CPU, so that new connections do not slow down games."""

import asyncio
from collections import defaultdict, deque
from collections.abc import Callable

from msgspec import Struct

from net.contained import Due
from net.moves_first import MovesFirst
from net.rate_limit import Bucket

AT_ONCE = 8
"""Handshakes in one burst: friends who connect at the same moment."""
CPU_AT_ONCE = 0.2
"""Seconds of CPU for handshakes in one burst: about fifty of them."""
_FORGETS = 60.0
"""Seconds after which the CPU time used by each address is forgotten."""
_LOOKS_EVERY = 0.05
"""Seconds until the queue is looked at again, at most."""
MIN_COST = 1e-3
"""Seconds of CPU charged for each connection at its turn, before its real cost is known."""


class _Waiting(Struct, frozen=True, eq=False):
    """A connection that waits."""

    network: str
    resume: Callable[[], bool]
    is_new: bool


class HandshakeQueue:
    """Limits how many handshakes begin in a second, and how much of the core they take together.

    The next one is that of the address that has used the least CPU. So an address that connects again and again
    waits for all others, and they never wait for it.
    """

    def __init__(
        self, rate: float, share: float, at_once: float = CPU_AT_ONCE, moves: MovesFirst | None = None
    ) -> None:
        """`rate` is new connections per second, `share` the part of one core, `at_once` seconds of CPU in one burst.

        While one of `moves` is on its way, every connection waits.
        """
        self._moves = moves or MovesFirst()
        self._pause = min(1 / rate, _LOOKS_EVERY)
        self._bucket = Bucket(rate, AT_ONCE)
        self._cpu = Bucket(share / MIN_COST, max(1.0, at_once / MIN_COST))
        self._waiting: deque[_Waiting] = deque()
        self._used: defaultdict[str, float] = defaultdict(float)
        self._loop = asyncio.get_running_loop()
        self._forgot_at = self._loop.time()
        self._due = Due(self._next, "handshakes-not-resumed")
        self._closed = False

    @property
    def exhausted(self) -> bool:
        """Whether the share is used up for now, so that connections must wait."""
        return self._cpu.empty(self._loop.time())

    def charge(self, network: str, seconds: float) -> None:
        """Count CPU seconds that were needed for a connection from a network."""
        self._cpu.spend(seconds / MIN_COST, self._loop.time())
        self._used[network] += seconds

    def wait(self, network: str, resume: Callable[[], bool], *, is_new: bool = True) -> None:
        """Call `resume` when it is this connection's turn; it returns whether the connection is still open.

        `is_new` counts it as a new connection.
        """
        if self._closed:
            return
        self._waiting.append(_Waiting(network, resume, is_new))
        if not self._due:
            self._next()

    def close(self) -> None:
        """Stop; connections that wait are not resumed."""
        self._closed = True
        self._waiting.clear()
        self._due.cancel()

    def _next(self) -> None:
        if not self._waiting:
            self._due.cancel()
            return
        self._due.after(self._moves.left or self._pause)  # also if what follows fails
        if self._moves.left:
            return
        now = self._loop.time()
        if now - self._forgot_at > _FORGETS:
            self._used.clear()
            self._forgot_at = now
        while self._waiting:
            crowded = self._bucket.empty(now)
            due = [one for one in self._waiting if not (crowded and one.is_new)]
            if self._cpu.empty(now) or not due:
                return
            next_one = min(due, key=lambda one: self._used[one.network])
            self._waiting.remove(next_one)
            if next_one.resume():
                self._used[next_one.network] += MIN_COST
                if next_one.is_new:
                    self._bucket.take(now)
                break
        if self._waiting:
            self._due.after(0)  # one in each turn of the loop, so that turns stay short
        else:
            self._due.cancel()
