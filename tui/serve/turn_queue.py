"""Decides which session goes next where many share one loop: one thing in a turn, first for those who asked least."""

import asyncio
from contextvars import copy_context
from math import inf
from time import perf_counter
from typing import Protocol

from net.contained import LOST, contained
from net.host.stages import UNWATCHED, Stage, Stages
from net.limits import BUSY_PER_SECOND, Seconds
from net.moves_first import MovesFirst
from net.wire.link import Link

MUCH = 20
"""A session that has asked for so many things of late, more than it earned by waiting, is busy: it waits for those
that ask less. Holding a key for a second or two reaches this, and is slowed down only if others are as busy."""
PATIENCE = 0.004
"""A session that is not busy waits so many seconds for its turn to receive, then goes on beside others."""
REST = 0.05
"""Seconds of rest after a key of any busy session, for all of them: a key and what follows take up to 5 ms."""


class Demand:
    """How much one session has asked of late, in keys."""

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._much, self._at = 0.0, self._loop.time()

    @property
    def much(self) -> float:
        """What it has asked, less what it has earned by waiting since."""
        return max(0.0, self._much - (self._loop.time() - self._at) * BUSY_PER_SECOND)

    def add(self, much: float) -> None:
        """Count what it asks now."""
        self._much, self._at = self.much + much, self._loop.time()


class Queued(Protocol):
    """A session that has something to do."""

    @property
    def asked(self) -> float:
        """How much it has asked of late."""

    @property
    def weight(self) -> float:
        """How much the last thing took, in keys."""

    def take_turn(self) -> bool:
        """Do one thing; say whether there is more."""


class TurnQueue:
    """Lets each session that waits do one thing, with a turn of the loop for everybody else between two of them.

    So a guest who types without a pause waits for all others, and those wait for one of that guest's keys at most.
    """

    def __init__(self, patience: Seconds = inf, moves: MovesFirst | None = None) -> None:
        """A session that is not busy, and has waited longer than `patience`, shares the next turn.

        A busy session waits while one of `moves` is on its way.
        """
        self._moves = moves or MovesFirst()
        self._patience = patience
        self._waiting: dict[Queued, Seconds] = {}
        """Since when."""
        self._due: asyncio.Handle | None = None
        self._due_since = 0.0
        self._rests_until = 0.0
        self._loop = asyncio.get_running_loop()
        self._context = copy_context()
        """Of nobody's session: one that is patient must not keep all others waiting."""

    def ask(self, queued: Queued) -> None:
        """Have `take_turn` called in its turn: at once if nobody waits. A session that waits need not ask again."""
        now = self._waiting[queued] = self._loop.time()
        if self._due is None or self._due_since + LOST < now:
            self._next()
        elif isinstance(self._due, asyncio.TimerHandle) and queued.asked <= MUCH:
            self._due.cancel()
            self._next()

    def forget(self, queued: Queued) -> None:
        """Stop calling it; harmless when it did not wait."""
        self._waiting.pop(queued, None)

    def _next(self) -> None:
        self._due = None
        if not self._waiting:
            return
        now = self._loop.time()
        self._due = self._loop.call_soon(self._next, context=self._context)
        self._due_since = now
        next_ones = [queued for queued, since in self._waiting.items() if since + self._patience < now]
        next_ones = [queued for queued in next_ones if queued.asked <= MUCH] or [min(self._waiting, key=_asked)]
        if next_ones[0].asked > MUCH:
            rests_until = max(self._rests_until, now + self._moves.left)
            if now < rests_until:
                self._due.cancel()
                self._due = self._loop.call_at(rests_until, self._next, context=self._context)
                return
        for queued in next_ones:
            since, busy, more = self._waiting[queued], queued.asked > MUCH, False
            with contained("turn-failed") as turn:
                more = queued.take_turn()
            if more:
                self._waiting[queued] = now
            elif self._waiting.get(queued) == since:  # not earlier: what fails before this has its turn again
                del self._waiting[queued]
            if turn.failed:
                self._loop.call_later(REST, self.ask, queued)
            if busy:
                self._rests_until = now + REST * queued.weight


def _asked(queued: Queued) -> float:
    return queued.asked


class Turn:
    """Waits for the turn of one session."""

    weight = 1.0

    def __init__(self, turns: TurnQueue, demand: Demand, stages: Stages = UNWATCHED) -> None:
        self._stages = stages
        self._turns = turns
        self._demand = demand
        self._coming: asyncio.Future[None] | None = None

    @property
    def asked(self) -> float:
        """How much the session has asked of late."""
        return self._demand.much

    def take_turn(self) -> bool:
        """Let the session do what waits."""
        if self._coming is not None and not self._coming.done():
            self._coming.set_result(None)
        return False

    async def come(self) -> None:
        """Return when it is this session's turn."""
        self._coming, since = asyncio.get_running_loop().create_future(), perf_counter()
        self._turns.ask(self)
        try:
            await self._coming
            self._stages.took(Stage.WAIT, perf_counter() - since)
        finally:
            self._turns.forget(self)


class QueuedLink:
    """A link to one session whose frames are received in its turn.

    A move is sent to everybody at its table at once. Each screen takes two milliseconds to show it, and without turns
    a key pressed meanwhile would wait for all of them. Sessions that ask for much receive after those that ask less.
    """

    def __init__(self, link: Link, turns: TurnQueue, demand: Demand, stages: Stages = UNWATCHED) -> None:
        """`turns` are those in which all sessions receive; `demand` is this session's."""
        self._link = link
        self._turn = Turn(turns, demand, stages)
        self.send = link.send
        self.close = link.close

    async def receive(self) -> bytes | None:
        """Return the next frame, or None at the end."""
        frame = await self._link.receive()
        if frame is not None:
            await self._turn.come()
        return frame
