"""Who is next where many sessions share one loop: one thing in a turn, and of keys first those of who asked least."""

import asyncio
from collections import deque
from typing import Protocol

from net.wire.link import Link

MUCH = 20
"""Things asked of late, more than one earned by waiting, from which on somebody is busy: he waits for those who ask
less. A key held for a second or two comes so far, and is not slowed down unless others are as busy."""
REST = 0.02
"""Seconds after each key of such people, for all of them together: with all that follows it takes up to 5 ms."""


class Asker(Protocol):
    """A session that has something to do."""

    @property
    def asked(self) -> float:
        """How much it has asked of late."""

    @property
    def weight(self) -> float:
        """How much the next thing takes, in keys."""

    def attend(self) -> bool:
        """Do one thing; say whether there is more."""


class Turns:
    """Lets those who wait do one thing each, with a turn of the loop for everybody else between two of them.

    So one who types without a pause waits for all others, and they for one key of his at the most.
    """

    def __init__(self) -> None:
        self._waiting: list[Asker] = []
        self._due: asyncio.Handle | None = None
        self._rests_until = 0.0
        self._loop = asyncio.get_running_loop()

    def ask(self, asker: Asker) -> None:
        """Have `attend` called in its turn: at once if nobody waits. Who waits already need not ask again."""
        self._waiting.append(asker)
        if self._due is None:
            self._next()
        elif isinstance(self._due, asyncio.TimerHandle) and asker.asked <= MUCH:
            self._due.cancel()
            self._next()

    def forget(self, asker: Asker) -> None:
        """Call it no more; harmless when it did not wait."""
        if asker in self._waiting:
            self._waiting.remove(asker)

    def _next(self) -> None:
        self._due = None
        if not self._waiting:
            return
        asker = min(self._waiting, key=lambda waiting: waiting.asked)
        if asker.asked > MUCH:
            now = self._loop.time()
            if now < self._rests_until:
                self._due = self._loop.call_at(self._rests_until, self._next)
                return
            self._rests_until = now + REST * asker.weight
        self._due = self._loop.call_soon(self._next)
        self._waiting.remove(asker)
        if asker.attend():
            self._waiting.append(asker)


class Ears:
    """Lets those who have heard something take note of it one by one, each in a turn of the loop of his own.

    A move is told to all at its table at once. Each takes two milliseconds to show it, and a key that somebody
    presses meanwhile would wait for all of them.
    """

    def __init__(self) -> None:
        self._waiting: deque[asyncio.Future[None]] = deque()
        self._due = False
        self._loop = asyncio.get_running_loop()

    async def turn(self) -> None:
        """Wait for one's turn."""
        if not self._due:
            self._due = True
            self._loop.call_soon(self._next)
            return
        turn = self._loop.create_future()
        self._waiting.append(turn)
        await turn

    def _next(self) -> None:
        while self._waiting:
            turn = self._waiting.popleft()
            if not turn.done():  # who is gone has cancelled it
                turn.set_result(None)
                self._loop.call_soon(self._next)
                return
        self._due = False


class HeardInTurn:
    """A link whose frames are received in one's turn."""

    def __init__(self, link: Link, ears: Ears) -> None:
        self._link = link
        self._ears = ears
        self.send = link.send
        self.close = link.close

    async def receive(self) -> bytes | None:
        """Return the next frame, or None at the end."""
        frame = await self._link.receive()
        if frame is not None:
            await self._ears.turn()
        return frame
