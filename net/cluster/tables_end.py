"""The table host's end of a line: guests whom a gateway brings are served at its tables."""

from net.cluster.messages import DECODERS, TABLES_BEATS, Bring, ToTables
from net.contained import Tasks
from net.host.guest_server import GuestServer
from net.limits import GUESTS_PER_LINE
from net.lines.guest_link import GuestLink
from net.lines.line import Line
from net.lines.messages import EndGuest, FromGuest, GuestGone


class TablesEnd:
    """One line from a gateway; `line` is what is to be opened."""

    def __init__(self, server: GuestServer, tasks: Tasks) -> None:
        """Guests are served in `tasks`."""
        self.line = Line(DECODERS[ToTables].decode, self._hear, self._over, self._end, beats=TABLES_BEATS)
        self._server = server
        self._tasks = tasks
        self._guests: dict[int, tuple[int, GuestLink]] = {}
        """By their numbers at the gateway, those at the server, and their links."""

    def _hear(self, said: ToTables) -> None:
        match said:
            case Bring():
                self._bring(said)
            case FromGuest():
                if (guest := self._guests.get(said.guest)) is not None:
                    guest[1].feed(said.payload)
            case GuestGone():
                if (guest := self._guests.pop(said.guest, None)) is not None:
                    guest[1].end(said.fault)

    def connection_of(self, guest: int) -> int | None:
        """The number at the server of a guest who is here."""
        return self._guests[guest][0] if guest in self._guests else None

    def _bring(self, said: Bring) -> None:
        if said.guest in self._guests or len(self._guests) >= GUESTS_PER_LINE or self._server.closed:
            self.line.say(EndGuest(said.guest))
            return
        link, who = GuestLink(said.guest, self.line.say), said.visitor
        connection = self._server.bring(link, who, said.name, said.token)
        self._guests[said.guest] = connection, link
        self._tasks.start(
            self._serve(said, connection, link), "session-crashed", user=said.name or who.user, address=who.address
        )

    async def _serve(self, brought: Bring, connection: int, link: GuestLink) -> None:
        try:
            await self._server.serve_brought(connection, link, brought.visitor)
        finally:
            link.close()
            if self._guests.get(brought.guest) == (connection, link):
                del self._guests[brought.guest]

    def _end(self, said: ToTables) -> None:
        """End the visit of a guest of whom a message got lost; they come back."""
        if (guest := self._guests.get(said.guest)) is None:
            self.line.say(EndGuest(said.guest))
        else:
            guest[1].close()
            guest[1].end()

    def _over(self) -> None:
        """Take note that the gateway is gone, and so the connections of all its guests."""
        for _, link in self._guests.values():
            link.lose()
        self._guests.clear()
