"""Lets a move pass before whatever can wait: for a moment after each, strangers and busy sessions do."""

import asyncio

from net.limits import MOVE_AHEAD, MOVE_SHARE, Seconds
from net.rate_limit import Bucket

_AT_ONCE = 4
"""Moves in one burst, as of a table where all play quickly."""


class MovesFirst:
    """Knows whether a move is on its way to those at its table.

    A move passes the event loop some ten times before all its screens show it, and waits each time for all that
    others have the host do. So whatever can wait is begun a moment later.
    """

    def __init__(self) -> None:
        self._until = 0.0
        self._bucket = Bucket(MOVE_SHARE / MOVE_AHEAD, _AT_ONCE)

    def move(self) -> None:
        """Take note of a move; on a host with very many, what can wait has its time all the same."""
        now = asyncio.get_running_loop().time()
        if self._bucket.take(now):
            self._until = now + MOVE_AHEAD

    @property
    def left(self) -> Seconds:
        """For how long whatever can wait should still wait; 0 for not at all."""
        if not self._until:
            return 0.0
        return max(0.0, self._until - asyncio.get_running_loop().time())

    async def passed(self) -> None:
        """Wait until the move that is on its way has passed, if there is one."""
        if left := self.left:
            await asyncio.sleep(left)
