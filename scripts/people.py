"""Scripted guests of a cluster, or of one host: they play at random, reconnect by themselves, and log updates."""

import asyncio
import os
import random
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager
from pathlib import Path

from core.actions import Laid, MatchOver, Played
from core.tiles import Tile
from net.client.client import Client, Disconnected, Reconnected
from net.ssh.client.connect import UnreachableError, connect, run_reconnecting
from net.wire.link import Link
from net.wire.messages import Greeting, Left, MakeTable, Refused, Tables, Update

RETRY_INTERVAL = 0.5
"""Seconds after which a guest repeats a request that had no effect, as people do."""
ReceivedPlay = tuple[str, int, int, Tile]
"""A play that a guest received: the host's commitment in that match, round, seat, tile."""


class Person:
    """A joined client that plays at random until its last match is over."""

    def __init__(
        self,
        name: str,
        ports: Sequence[int],
        folder: Path,
        *,
        table_request: MakeTable | None = None,
        opener: str = "",
        think_seconds: float = 0.0,
        last_match: bool = False,
    ) -> None:
        """The guest enters at the first of the `ports` that answers, and opens a table, or joins the one of guest
        `opener`.

        `think_seconds` is the number of seconds before each action.
        """
        self.name = name
        self.ports = ports
        self.last_match = last_match
        """True to leave when the match is over, instead of playing another."""
        self.received: list[ReceivedPlay] = []
        self.matches = 0
        self.outages: list[tuple[float, float]] = []
        """Times at which their table was lost, and back, by `time.monotonic`."""
        self.acts = 0
        """Number of actions sent, repeats included."""
        self.refusals: list[str] = []
        """The latest refusals."""
        self.news = asyncio.Event()
        """Set by every update."""
        self.client: Client
        self._folder = folder
        self._rng = random.Random(name)
        self._table_request = table_request
        self._has_requested = False
        """True once the host has the request: asking again would leave the table that it gave."""
        self._opener = opener
        self._thinking_seconds = think_seconds
        self._lost_at = 0.0
        self._table, self._update_number = -1, -1
        self._commitment = ""

    def __str__(self) -> str:
        update = self.client.update
        table_state = update and (update.number, update.table.phase, update.seat, update.ready)
        play = update and update.match and update.match.play
        return f"{self.name}: {self.client.lost=} {self.refusals} {table_state} {play and (play.turn, play.legal)}"

    @property
    def lost(self) -> list[float]:
        """Seconds for which the table was lost, each time."""
        return [back_at - lost_at for lost_at, back_at in self.outages]

    async def play(self) -> None:
        """Play until the end."""
        async with AsyncExitStack() as stack:
            link = await stack.enter_async_context(self.connect_to_any())
            self.client = Client(link, "test", entropy=os.urandom)
            self.client.subscribe(self._handle_message)
            stack.callback(asyncio.ensure_future(self._repeat_requests()).cancel)
            bye = await run_reconnecting(self.client, link, self.connect_to_any, sleep=self._wait_before_retry)
            if bye.reason is not None:
                raise AssertionError(f"{self.name} was sent away: {bye}")

    @asynccontextmanager
    async def connect_to_any(self) -> AsyncIterator[Link]:
        """Connect to the first port that answers, as through a load balancer."""
        async with AsyncExitStack() as stack:
            for port in self.ports:
                try:
                    link = await stack.enter_async_context(self._connect(port))
                    break
                except UnreachableError as error:
                    last_error = error
            else:
                raise last_error
            yield link

    def _connect(self, port: int) -> AbstractAsyncContextManager[Link]:
        return connect(
            "127.0.0.1",
            port,
            self.name,
            known_hosts=self._folder / f"{self.name} known",
            own_key=self._folder / f"{self.name} key",
            on_new_host=lambda *_: True,
        )

    async def _wait_before_retry(self, seconds: float) -> None:
        await asyncio.sleep(min(seconds, RETRY_INTERVAL))  # no test can wait for 15 seconds

    def _handle_message(self, message: object) -> None:
        match message:
            case Greeting():
                self.client.enter(self.name)
            case Tables(tables=tables, yours=-1):
                self._make_table()
                for table in tables:
                    if table.name == self._opener and table.phase == "waiting":
                        self.client.sit(table.id)
            case Disconnected():
                self._lost_at, self._has_requested = self._lost_at or time.monotonic(), False
            case Reconnected():
                self.outages.append((self._lost_at, time.monotonic()))
                self._lost_at = 0.0
            case Update():
                self._table_request = None
                self._handle_update(message)
                self.news.set()
            case Left() if self.last_match:  # the others said goodbye first, and the table was closed
                self.client.goodbye()
            case Refused(reason=reason):  # by a host that finds us too fast, or has moved on
                self.refusals = [*self.refusals[-3:], str(reason)]
                self._has_requested = False

    async def _repeat_requests(self) -> None:
        while True:
            earlier_update = self.client.update
            await asyncio.sleep(RETRY_INTERVAL)
            if earlier_update is None and self.client.name and not self.client.lost:
                self._make_table()  # again if a gateway that had just opened knew no table host yet
            if earlier_update is not None and self.client.update is earlier_update and not self.client.lost:
                self._act(earlier_update)

    def _make_table(self) -> None:
        if self._table_request and not self._has_requested:
            self._has_requested = True
            self.client.make_table(self._table_request)

    def _handle_update(self, update: Update) -> None:
        if update.table.id != self._table:  # each table has numbers of its own
            self._table, self._update_number = update.table.id, -1
        if update.number < self._update_number:
            raise AssertionError(f"{self.name} was told {update.number} after {self._update_number}")
        if update.number == self._update_number:
            return  # sent again, with a refusal or after a reconnection
        self._update_number = update.number
        if update.match is None:
            return
        # after the match, the host has committed to the next one already
        if not update.match.over and self.client.fair:
            self._commitment = self.client.fair.commitment
        for event in update.events:
            if isinstance(event, Played | Laid):
                self.received.append((self._commitment, update.match.round, event.seat, event.tile))
            self.matches += isinstance(event, MatchOver)
        if self._thinking_seconds:
            asyncio.get_running_loop().call_later(self._thinking_seconds, self._act, update)
        else:
            self._act(update)

    def _act(self, update: Update) -> None:
        match = update.match
        if match is None or update.number != self._update_number:
            return
        if match.over and self.last_match:
            self.client.goodbye()
        elif match.play.legal:
            self.acts += 1
            self.client.act(self._rng.choice(match.play.legal))
        elif match.play.result and update.seat not in update.ready:
            self.client.ready()
