"""The house runs a lobby for real: links come in, messages go out, bots keep their pace."""

import asyncio
import logging
from collections.abc import Callable
from typing import Protocol

from core.records import Line
from core.words import words
from net.limits import DESERTED_FOR
from net.link import Link
from net.lobby import Lobby, Visitor
from net.messages import Bye, ToClient, ToHost
from net.table import Outbox, Table
from net.wire import WireError, pack, unpack

log = logging.getLogger(__name__)


class Scribe(Protocol):
    """Writes the records of matches."""

    def write(self, table: int, lines: list[Line]) -> None:
        """Keep some lines of a table's record; a `MatchLine` begins a new one."""


class House:
    """Ties one lobby to links and to the event loop's clock.

    It starts no task: each link is served by whoever calls `attend`, and timers end with `close`.
    """

    def __init__(self, lobby: Lobby, scribe: Scribe | None = None) -> None:
        self._lobby = lobby
        self._scribe = scribe
        self._links: dict[int, Link] = {}
        self._timers: dict[Table, asyncio.TimerHandle] = {}
        self._last = 0
        self._closed = False

    async def attend(self, link: Link, visitor: Visitor) -> None:
        """Serve one connection until it ends; a bot then keeps its seat. The link is closed at the end."""
        self._last += 1
        connection = self._last
        self._links[connection] = link
        self._lobby.arrive(connection, visitor)
        try:
            while (payload := await link.receive()) is not None and connection in self._links:
                message: ToHost = unpack(payload, ToHost)
                self._deliver(self._lobby.receive(connection, message))
        except WireError as error:
            log.info("connection %d is let go: %s", connection, error)
            self._send(connection, Bye(words("That was no message of Boneyard's protocol; the line is closed.")))
        finally:
            self._links.pop(connection, None)
            link.close()
            if not self._closed:
                self._deliver(self._lobby.depart(connection))

    def close(self) -> None:
        """Tell everybody goodbye, close all links and stop all timers; `attend` calls then return."""
        self._closed = True
        for timer in self._timers.values():
            timer.cancel()
        self._timers.clear()
        for connection in list(self._links):
            self._send(connection, Bye(words("The host is closing. Goodbye.")))

    def _deliver(self, out: Outbox) -> None:
        for connection, message in out:
            self._send(connection, message)
        for table in list(self._lobby.changed):
            self._look_after(table)
        self._lobby.changed.clear()

    def _send(self, connection: int, message: ToClient) -> None:
        link = self._links.get(connection)
        if link is None:
            return
        link.send(pack(message))
        if isinstance(message, Bye):
            del self._links[connection]
            link.close()

    def _look_after(self, table: Table) -> None:
        """Write what is new of a record, and set the clock for what the table will do by itself."""
        if table.record:
            lines, table.record = table.record, []
            if self._scribe:
                self._scribe.write(table.id, lines)
        timer = self._timers.pop(table, None)
        if timer:
            timer.cancel()
        if table.id not in self._lobby.tables:
            return
        if table.deserted:
            self._at(table, DESERTED_FOR if table.match and not table.match.over else 0, self._lobby.close)
        elif table.delay is not None:
            self._at(table, table.delay, self._lobby.step)

    def _at(self, table: Table, delay: float, what: Callable[[Table], Outbox]) -> None:
        def due() -> None:
            self._timers.pop(table, None)
            self._deliver(what(table))

        self._timers[table] = asyncio.get_running_loop().call_later(delay, due)
