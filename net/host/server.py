"""The house runs a lobby for real: links come in, messages go out, and nothing is told before it is kept."""

import asyncio
import logging
from collections import deque
from collections.abc import Callable

from core.words import words
from net.host.lobby import Lobby, Visitor
from net.host.metrics import Metrics
from net.limits import DESERTED_FOR, LOST_FOR, NEWS_EVERY, NEWS_LINES
from net.logs import fields
from net.moves_first import MovesFirst
from net.table.snapshot import Batch, Change, Keeper, Kept
from net.table.table import Outbox, Table
from net.wire.codec import WireError, pack, unpack
from net.wire.link import Link
from net.wire.messages import Bye, Goodbye, Refused, Tables, ToClient, ToHost

RETRY_AFTER = 2.0
"""Seconds after which keeping is tried again: soon enough once the operator has made room on the disk."""
CLOSING = words("The host is shutting down. Goodbye.")
_STANDS_STILL = words("The host cannot save right now, so nobody can play until it can.")
log = logging.getLogger(__name__)


class House:
    """Ties one lobby to links, to the event loop's clock, and to whoever keeps what happens.

    What a call of the lobby answers waits until all that happened before is kept; so whatever anybody has heard
    survives the host. What happens while something is being kept is kept in one go after it.

    It starts no task: each link is served by whoever calls `attend`, and timers end with `close`.
    """

    def __init__(
        self,
        lobby: Lobby,
        keeper: Keeper | None = None,
        metrics: Metrics | None = None,
        moves: MovesFirst | None = None,
    ) -> None:
        self.lobby = lobby
        self._moves = moves or MovesFirst()
        self.metrics = metrics or Metrics()
        self.metrics.pulls(tables=lambda: len(lobby.tables), pending_saves=lambda: self.waiting)
        self.trouble: Exception | None = None
        """Why nothing can be kept at the moment. The house stands still until it can."""
        self._keeper = keeper
        self._links: dict[int, Link] = {}
        self._timers: dict[Table, asyncio.TimerHandle] = {}
        self._kept: dict[int, Kept] = {}
        self._untold: Outbox = []
        self._unkept = Batch()
        self._keeping: tuple[Batch, Outbox] | None = None
        self._retry: asyncio.TimerHandle | None = None
        self._news_timer: asyncio.TimerHandle | None = None
        self._lists: deque[tuple[int, bytes]] = deque()
        """Lists of the tables for who is in the lobby, on their way."""
        self._listing = False
        self._idle = asyncio.Event()
        self._idle.set()
        self._last = 0
        self._closed = False

    @property
    def closed(self) -> bool:
        """Whether everybody has been told goodbye."""
        return self._closed

    @property
    def waiting(self) -> int:
        """Messages that wait until what they tell is kept."""
        return len(self._untold) + (len(self._keeping[1]) if self._keeping else 0)

    def open(self) -> None:
        """Set the clocks of the tables that were taken up from an earlier run."""
        self.deliver([])

    async def attend(self, link: Link, visitor: Visitor) -> None:
        """Serve one connection until it ends; its seat is kept. The link is closed at the end."""
        self._last += 1
        connection = self._last
        self._links[connection] = link
        self.lobby.arrive(connection, visitor)
        try:
            while (payload := await link.receive()) is not None and connection in self._links:
                if not self.lobby.plays(connection):
                    await self._moves.passed()
                self._hear(connection, unpack(payload, ToHost))
                await asyncio.sleep(
                    0
                )  # a thousand messages of one guest would else be answered before anybody's next
        except WireError as error:
            log.info("no-message", extra=fields(address=visitor.address, error=error))
            self._send(connection, Bye(words("That was not a Boneyard message, so the connection was closed.")))
        finally:
            self._links.pop(connection, None)
            link.close()
            if not self._closed:
                self.deliver(self.lobby.depart(connection))

    def deliver(self, out: Outbox) -> None:
        """Keep what a call of the lobby has changed, then send what it answered."""
        self._untold += out
        if self.lobby.stale:
            self._tell_news()
        for table in list(self.lobby.changed):
            self._gather(table)
            self._set_timer(table)
        self.lobby.changed.clear()
        self._unkept.people += self.lobby.register.take()
        self._go_on()

    async def settled(self) -> None:
        """Wait until everything that happened is kept and told."""
        await self._idle.wait()

    def close(self) -> None:
        """Tell everybody goodbye, close all links and stop all timers; `attend` calls then return."""
        self._closed = True
        for timer in (*self._timers.values(), self._retry, self._news_timer):
            if timer is not None:
                timer.cancel()
        self._timers.clear()
        for connection in list(self._links):
            self._send(connection, Bye(CLOSING, again=True))

    def drop(self, number: int) -> None:
        """Let go of a table that could not be taken up."""
        self.lobby.missed.tables.pop(number, None)
        self._unkept.tables.append(Change(number, None))
        self.deliver([])

    def keep_all(self) -> None:
        """Keep every table as it is at this moment, its clock above all."""
        self.lobby.changed.update(self.lobby.tables.values())
        self.deliver([])

    def _hear(self, connection: int, message: ToHost) -> None:
        if self.trouble and not isinstance(message, Goodbye):
            self._tell([(connection, Refused(_STANDS_STILL))])
        else:
            self.deliver(self.lobby.receive(connection, message))

    def _tell_news(self) -> None:
        """Tell the lobby at once what is new; but not again so soon, however much happens."""
        if self._news_timer is None and not self._lists and not self._closed:
            news = self.lobby.news()
            self._untold += news
            pause = max(NEWS_EVERY, len(news) * len(self.lobby.tables) / NEWS_LINES)
            self._news_timer = asyncio.get_running_loop().call_later(pause, self._news_due)

    def _news_due(self) -> None:
        self._news_timer = None
        if self.lobby.stale:
            self.deliver([])

    # Keeping

    def _gather(self, table: Table) -> None:
        if table.id not in self.lobby.tables:
            self._kept.pop(table.id, None)
            self._unkept.tables.append(Change(table.id, None))
            return
        change = table.take()
        if change.lines:
            self.metrics.acted()
            self._moves.move()
        if change.lines or change.kept != self._kept.get(table.id):
            self._unkept.tables.append(change)
            if change.kept:
                self._kept[table.id] = change.kept

    def _go_on(self) -> None:
        """Hand over what is to be kept, unless something is being kept; without a keeper all is told at once."""
        if self._keeping is not None:
            return
        while self._keeping is None and (self._untold or self._unkept):
            batch, out = self._unkept, self._untold
            self._unkept, self._untold = Batch(), []
            if batch and self._keeper:
                self._idle.clear()
                self._keeping = batch, out
                self._keeper.keep(batch, self._done)
            else:
                self._tell(out)

    def _done(self, error: Exception | None) -> None:
        """Take note that a batch is kept, or try again later."""
        if self._keeping is None:
            return
        batch, out = self._keeping
        if error is not None:
            self._stand_still(error, batch)
            return
        if self.trouble:
            log.warning("saving-again")
        self.trouble = None
        self._keeping = None
        self.metrics.saved()
        self._tell(out)
        self._go_on()
        if self._keeping is None:
            self._idle.set()

    def _stand_still(self, error: Exception, batch: Batch) -> None:
        if self.trouble is None:
            log.error("cannot-save", extra=fields(error=error))
            self._tell([(connection, Refused(_STANDS_STILL)) for connection in self._links])
        self.trouble = error
        if self._keeper and not self._closed:
            loop = asyncio.get_running_loop()
            self._retry = loop.call_later(RETRY_AFTER, self._keeper.keep, batch, self._done)

    # Telling

    def _tell(self, out: Outbox) -> None:
        packed: dict[int, bytes] = {}  # by identity: a list of tables goes to everybody in the lobby
        for connection, message in out:
            if isinstance(message, Refused):
                self.metrics.refused()
            if not isinstance(message, Tables):
                self._send(connection, message)
            elif (payload := packed.get(id(message))) is None:
                packed[id(message)] = payload = pack(message)
                self._send(connection, message, payload)
            else:
                self._lists.append((connection, payload))
        if self._lists and not self._listing:
            self._listing = True
            asyncio.get_running_loop().call_soon(self._list_on)

    def _list_on(self) -> None:
        """Send one of the lists that wait: in a full lobby they are megabytes, and players wait for no list."""
        connection, payload = self._lists.popleft()
        if (link := self._links.get(connection)) is not None:
            link.send(payload)
        self._listing = bool(self._lists)
        if self._listing:
            asyncio.get_running_loop().call_soon(self._list_on)

    def _send(self, connection: int, message: ToClient, payload: bytes = b"") -> None:
        link = self._links.get(connection)
        if link is None:
            return
        link.send(payload or pack(message))
        if isinstance(message, Bye):
            del self._links[connection]
            link.close()

    # What happens by itself

    def _set_timer(self, table: Table) -> None:
        timer = self._timers.pop(table, None)
        if timer:
            timer.cancel()
        if self._closed or table.id not in self.lobby.tables:
            return
        if table.deserted:
            under_way = table.match and not table.match.over
            self._at(table, DESERTED_FOR if under_way else LOST_FOR if table.awaits_somebody else 0, self.lobby.close)
        elif table.delay is not None:
            self._at(table, table.delay, self.lobby.step)

    def _at(self, table: Table, delay: float, what: Callable[[Table], Outbox]) -> None:
        def due() -> None:
            self._timers.pop(table, None)
            if self.trouble:
                self._at(table, RETRY_AFTER, what)
            else:
                self.deliver(what(table))

        self._timers[table] = asyncio.get_running_loop().call_later(delay, due)
