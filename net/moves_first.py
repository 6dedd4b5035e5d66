"""Gives moves priority: for a moment after each move, strangers and busy sessions wait."""

import asyncio
from collections.abc import Callable

from net.limits import MOVE_AHEAD, MOVE_SHARE, Seconds
from net.rate_limit import Bucket

_AT_ONCE = 4
"""Moves in one burst, for example at a table where everybody plays quickly."""


class MovesFirst:
    """Knows whether a move is still on its way to everybody at its table.

    A move needs about ten turns of the event loop before all screens show it, and each turn also does the work of
    others. So work that can wait starts a moment later.
    """

    def __init__(self) -> None:
        self._until = 0.0
        self.tell: Callable[[], None] | None = None
        """Who else is to know of each move: other processes."""
        self._bucket = Bucket(MOVE_SHARE / MOVE_AHEAD, _AT_ONCE)

    def move(self) -> None:
        """Note a move; with very many moves, other work still gets its share of the time."""
        now = asyncio.get_running_loop().time()
        if self._bucket.take(now):
            self._until = now + MOVE_AHEAD
            if self.tell:
                self.tell()

    @property
    def left(self) -> Seconds:
        """Seconds that other work should still wait; 0 for none."""
        if not self._until:
            return 0.0
        return max(0.0, self._until - asyncio.get_running_loop().time())

    async def passed(self) -> None:
        """Wait until the move that is on its way, if any, has arrived."""
        if left := self.left:
            await asyncio.sleep(left)
