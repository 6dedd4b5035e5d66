"""The table host's end of a trunk: serves the guests of a gateway at its tables."""

import asyncio
from collections.abc import Callable
from typing import NamedTuple

from net.host.guest_server import GuestServer
from net.limits import CREDIT_EVERY, GUESTS_PER_LINE
from net.loop import Tasks
from net.trunk import (
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
from net.wire.link import LineLost, WireError


class TrunkLink:
    """A `net.wire.link.Link` to a guest whose gateway is at the other end of a trunk."""

    def __init__(self, guest: int, send_message: Callable[[TrunkMessage], None]) -> None:
        self._guest = guest
        self._send_message = send_message
        self._inbox: asyncio.Queue[bytes | Exception | None] = asyncio.Queue()
        self._closed = False
        self._consumed = 0

    def send(self, payload: bytes) -> None:  # no back-pressure: the gateway disconnects a guest who does not read
        if not self._closed:
            self._send_message(ToGuest(self._guest, payload))

    async def receive(self) -> bytes | None:
        payload = await self._inbox.get()
        if not isinstance(payload, bytes):
            self._inbox.put_nowait(payload)  # every later call must see the end, too
            if payload is None or self._closed:
                return None
            raise payload
        self._consumed += 1
        if self._consumed == CREDIT_EVERY:
            self._send_message(Credit(self._guest, self._consumed))
            self._consumed = 0
        return payload

    def close(self) -> None:
        if not self._closed:
            self._closed = True
            self._send_message(CloseGuest(self._guest))
            self._inbox.put_nowait(None)

    def feed(self, payload: bytes) -> None:
        """Receive a message of the guest."""
        self._inbox.put_nowait(payload)

    def lose(self) -> None:
        """End the link because the trunk is broken; the guest may still be connected."""
        self._inbox.put_nowait(LineLost())

    def end(self, problem: str = "") -> None:
        """End the link because the guest has gone or, with `problem`, because their messages cannot be decoded."""
        self._inbox.put_nowait(WireError(problem) if problem else None)


class AttachedGuest(NamedTuple):
    """A guest of the gateway, as the server knows them."""

    connection: int
    """Connection number at the server."""
    link: TrunkLink


class TableHostEnd:
    """Table host's end of one trunk from a gateway; `trunk` is the protocol to open."""

    def __init__(self, server: GuestServer, tasks: Tasks) -> None:
        """Guests are served in `tasks`."""
        self.trunk = Trunk(
            DECODERS[ToTables].decode,
            self._handle,
            self._lose_links,
            self._handle_failure,
            heartbeats=TABLES_HEARTBEATS,
        )
        self._server = server
        self._tasks = tasks
        self._guests: dict[int, AttachedGuest] = {}
        """Guests by their numbers at the gateway."""

    def _handle(self, message: ToTables) -> None:
        match message:
            case AttachGuest():
                self._attach(message)
            case FromGuest():
                if (guest := self._guests.get(message.guest)) is not None:
                    guest.link.feed(message.payload)
            case GuestGone():
                if (guest := self._guests.pop(message.guest, None)) is not None:
                    guest.link.end(message.fault)

    def connection_of(self, guest: int) -> int:
        """Return a guest's connection number at the server. Raises LookupError for one who is not attached."""
        return self._guests[guest].connection

    def _attach(self, message: AttachGuest) -> None:
        if message.guest in self._guests or len(self._guests) >= GUESTS_PER_LINE or self._server.closed:
            self.trunk.send(CloseGuest(message.guest))
            return
        link, visitor = TrunkLink(message.guest, self.trunk.send), message.visitor
        connection = self._server.attach(link, visitor, message.name, message.token)
        self._guests[message.guest] = AttachedGuest(connection, link)
        self._tasks.start(
            self._serve(message, connection, link),
            "session-crashed",
            user=message.name or visitor.user,
            address=visitor.address,
        )

    async def _serve(self, message: AttachGuest, connection: int, link: TrunkLink) -> None:
        try:
            await self._server.serve_attached(connection, link, message.visitor)
        finally:
            link.close()
            if self._guests.get(message.guest) == (connection, link):
                del self._guests[message.guest]

    def _handle_failure(self, message: ToTables) -> None:
        """Close the link of a guest of whom a message was lost; their client reconnects."""
        if (guest := self._guests.get(message.guest)) is None:
            self.trunk.send(CloseGuest(message.guest))
        else:
            guest.link.close()
            guest.link.end()

    def _lose_links(self) -> None:
        """Break the links of all guests: the trunk is broken."""
        for guest in self._guests.values():
            guest.link.lose()
        self._guests.clear()
