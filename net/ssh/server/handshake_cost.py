"""Measures the CPU time that a connection costs, above all in key exchanges, and makes costly ones wait."""

import asyncio
from collections.abc import Callable, Coroutine, Generator
from time import thread_time
from typing import Any
from weakref import ref

import asyncssh

from net.host.access import DenialReason
from net.host.metrics import UNWATCHED, Stage, Stages
from net.limits import BUSY_AT_ONCE, BUSY_SHARE, Limits
from net.loop import LoopScheduler, seconds_unread
from net.scheduler import CPU_UNIT, Bucket, Outcome, Piece, Work
from net.ssh.asyncssh_private import (
    Work as Handling,
)
from net.ssh.asyncssh_private import (
    known_exchanges,
    resume_reading,
    transport_of,
    watch_exchanges,
    watch_work,
)

KEY_EXCHANGES = known_exchanges(
    ("mlkem768x25519-sha256", "curve25519-sha256", "curve25519-sha256@libssh.org", "ecdh-sha2-nistp256")
)
"""These cost the host 2 ms. By default, asyncssh offers others that cost up to 40 ms, and the client chooses."""


class CostMeter:
    """Measures one connection: all of it until it has authenticated, and during later key exchanges.

    This time is charged as `Work.STRANGER`, and later input of a busy connection as `Work.INPUT`. When the
    connections of a class have used up its share of the core, nothing is read from this one until its turn. Too many
    exchanges, of which `on_flood` hears, or one that the client does not finish, end the connection.
    """

    def __init__(
        self,
        connection: asyncssh.SSHServerConnection,
        network: str,
        scheduler: LoopScheduler,
        limits: Limits,
        disconnect: Callable[[DenialReason], None],
        on_exchanged: Callable[[], None],
        on_flood: Callable[[], None],
        stages: Stages = UNWATCHED,
    ) -> None:
        self.known = False
        """Whether it has authenticated."""
        self.exchanged = False
        """Whether it has exchanged keys, and so is a client that answers."""
        self._network = network
        self._scheduler = scheduler
        self._busy = Bucket(BUSY_SHARE / CPU_UNIT, BUSY_AT_ONCE / CPU_UNIT)
        self._disconnect = disconnect
        self._on_exchanged = on_exchanged
        self._on_flood = on_flood
        self._timeout = limits.exchange_timeout
        self._exchanges = Bucket(1 / limits.exchange_forgiven, limits.exchanges_at_once)
        self._loop = asyncio.get_running_loop()
        self._late: asyncio.TimerHandle | None = None
        self._connection = ref(connection)
        self._waits = False
        self._stages = stages
        watch_exchanges(connection, self._begin, self._done)
        watch_work(connection, self._measure, self._metered)

    def end(self) -> None:
        """Take note that the connection is gone."""
        if self._late is not None:
            self._late.cancel()

    @property
    def _watched(self) -> bool:
        return not self.known or self._late is not None

    def _begin(self) -> None:
        """An exchange begins; either end may have asked for it."""
        if self._exchanges.take(self._loop.time()):
            self._late = self._loop.call_later(self._timeout, self._disconnect, DenialReason.EXCHANGES)
        else:
            self._on_flood()
            self._loop.call_soon(self._disconnect, DenialReason.EXCHANGES)  # not now: asyncssh is at work within it

    def _done(self) -> None:
        if not self.exchanged:
            self.exchanged = True
            self._on_exchanged()
        if self._late is not None:
            self._late.cancel()
            self._late = None

    def _measure(self, receive: Callable[[], None]) -> None:
        begun, watched = thread_time(), self._watched
        self._stages.took(Stage.READ, seconds_unread())
        with self._stages.of(Stage.DECRYPT):
            receive()
        self._count(thread_time() - begun, watched=watched or self._watched)

    def _metered(self, work: Handling) -> Handling:
        return _Metered(work, self._count) if self._watched else work

    def _count(self, seconds: float, *, watched: bool = True) -> None:
        work = Work.STRANGER
        if not watched:
            now = self._loop.time()
            self._busy.spend(seconds / CPU_UNIT, now)
            if not self._busy.empty(now):
                return
            work = Work.INPUT
        owner = self._scheduler.owner(work, self._network)
        self._scheduler.charge(work, owner, seconds)
        connection = self._connection()
        if self._waits or not self._scheduler.exhausted(work) or connection is None:
            return
        transport = transport_of(connection)
        if transport is not None:
            self._waits = True
            transport.pause_reading()
            self._scheduler.ask(Piece(work, owner, self._resume_reading, begins=False))

    def _resume_reading(self) -> Outcome:
        self._waits = False
        connection = self._connection()
        return Outcome.DONE if connection is not None and resume_reading(connection) else Outcome.GONE


class _Metered(Coroutine[Any, Any, Any]):
    """A coroutine that reports the CPU seconds of each of its steps."""

    def __init__(self, work: Coroutine[Any, Any, Any], spent: Callable[[float], None]) -> None:
        self._work = work
        self._spent = spent

    def send(self, value: Any) -> Any:
        begun = thread_time()
        try:
            return self._work.send(value)
        finally:
            self._spent(thread_time() - begun)

    def throw(self, *error: Any) -> Any:
        begun = thread_time()
        try:
            return self._work.throw(*error)
        finally:
            self._spent(thread_time() - begun)

    def close(self) -> None:
        self._work.close()

    def __await__(self) -> Generator[Any, Any, Any]:
        return self._work.__await__()
