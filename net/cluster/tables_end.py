"""The table host's end of a line: guests whom a gateway brings are served at its tables."""

import asyncio
from collections.abc import Callable

from net.host.guest_server import GuestServer
from net.limits import CREDIT_EVERY, GUESTS_PER_LINE
from net.lines.line import (
    DECODERS,
    TABLES_HEARTBEATS,
    AttachGuest,
    CloseGuest,
    Credit,
    FromGuest,
    GuestGone,
    ToGuest,
    ToTables,
    Trunk,
    TrunkMessage,
)
from net.loop import Tasks
from net.wire.link import LineLost, WireError


class TrunkLink:
    """A `net.wire.link.Link` to a guest to whom the other end of a line passes on what is said."""

    def __init__(self, guest: int, say: Callable[[TrunkMessage], None]) -> None:
        self._guest = guest
        self._say = say
        self._inbox: asyncio.Queue[bytes | Exception | None] = asyncio.Queue()
        self._closed = False
        self._taken = 0

    def send(self, payload: bytes) -> None:  # the other end closes the connection of a guest who does not read
        if not self._closed:
            self._say(ToGuest(self._guest, payload))

    async def receive(self) -> bytes | None:
        payload = await self._inbox.get()
        if not isinstance(payload, bytes):
            self._inbox.put_nowait(payload)  # the end is the end ever after
            if payload is None or self._closed:
                return None
            raise payload
        self._taken += 1
        if self._taken == CREDIT_EVERY:
            self._say(Credit(self._guest, self._taken))
            self._taken = 0
        return payload

    def close(self) -> None:
        if not self._closed:
            self._closed = True
            self._say(CloseGuest(self._guest))
            self._inbox.put_nowait(None)

    def feed(self, payload: bytes) -> None:
        """Take in a message of the guest."""
        self._inbox.put_nowait(payload)

    def lose(self) -> None:
        """Take note that the line is over, and nothing is known of the guest any more."""
        self._inbox.put_nowait(LineLost())

    def end(self, fault: str = "") -> None:
        """Take note that the guest has gone, or, with a fault, that nothing more of theirs can be understood."""
        self._inbox.put_nowait(WireError(fault) if fault else None)


class TableHostEnd:
    """One line from a gateway; `line` is what is to be opened."""

    def __init__(self, server: GuestServer, tasks: Tasks) -> None:
        """Guests are served in `tasks`."""
        self.line = Trunk(DECODERS[ToTables].decode, self._hear, self._over, self._end, heartbeats=TABLES_HEARTBEATS)
        self._server = server
        self._tasks = tasks
        self._guests: dict[int, tuple[int, TrunkLink]] = {}
        """By their numbers at the gateway, those at the server, and their links."""

    def _hear(self, said: ToTables) -> None:
        match said:
            case AttachGuest():
                self._bring(said)
            case FromGuest():
                if (guest := self._guests.get(said.guest)) is not None:
                    guest[1].feed(said.payload)
            case GuestGone():
                if (guest := self._guests.pop(said.guest, None)) is not None:
                    guest[1].end(said.fault)

    def connection_of(self, guest: int) -> int:
        """The number at the server of a guest. Raises LookupError for one who is not here."""
        return self._guests[guest][0]

    def _bring(self, said: AttachGuest) -> None:
        if said.guest in self._guests or len(self._guests) >= GUESTS_PER_LINE or self._server.closed:
            self.line.send(CloseGuest(said.guest))
            return
        link, who = TrunkLink(said.guest, self.line.send), said.visitor
        connection = self._server.bring(link, who, said.name, said.token)
        self._guests[said.guest] = connection, link
        self._tasks.start(
            self._serve(said, connection, link), "session-crashed", user=said.name or who.user, address=who.address
        )

    async def _serve(self, brought: AttachGuest, connection: int, link: TrunkLink) -> None:
        try:
            await self._server.serve_attached(connection, link, brought.visitor)
        finally:
            link.close()
            if self._guests.get(brought.guest) == (connection, link):
                del self._guests[brought.guest]

    def _end(self, said: ToTables) -> None:
        """End the visit of a guest of whom a message got lost; they come back."""
        if (guest := self._guests.get(said.guest)) is None:
            self.line.send(CloseGuest(said.guest))
        else:
            guest[1].close()
            guest[1].end()

    def _over(self) -> None:
        """Take note that the gateway is gone, and so the connections of all its guests."""
        for _, link in self._guests.values():
            link.lose()
        self._guests.clear()
