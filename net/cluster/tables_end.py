"""The table host's end of the lines of a cluster: guests whom gateways bring are served at its tables."""

from net.cluster.messages import DECODERS, TABLES_BEATS, Bring, ToTables
from net.contained import Tasks
from net.host.server import Server
from net.limits import GUESTS_PER_LINE
from net.lines.guest_link import GuestLink
from net.lines.line import Line
from net.lines.messages import EndGuest, FromGuest, GuestGone


class TablesEnd:
    """One line from a gateway; `line` is what is to be opened."""

    def __init__(self, server: Server, tasks: Tasks) -> None:
        """Guests are served in `tasks`."""
        self.line = Line(DECODERS[ToTables].decode, self._hear, self._over, self._end, beats=TABLES_BEATS)
        self._server = server
        self._tasks = tasks
        self._guests: dict[int, GuestLink] = {}

    def _hear(self, said: ToTables) -> None:
        match said:
            case Bring():
                self._bring(said)
            case FromGuest():
                if (link := self._guests.get(said.guest)) is not None:
                    link.feed(said.payload)
            case GuestGone():
                if (link := self._guests.pop(said.guest, None)) is not None:
                    link.end(said.fault)

    def _bring(self, said: Bring) -> None:
        if said.guest in self._guests or len(self._guests) >= GUESTS_PER_LINE or self._server.closed:
            self.line.say(EndGuest(said.guest))
            return
        link = self._guests[said.guest] = GuestLink(said.guest, self.line.say)
        who = said.visitor
        self._tasks.start(self._serve(said, link), "session-crashed", user=said.name, address=who.address)

    async def _serve(self, brought: Bring, link: GuestLink) -> None:
        try:
            await self._server.serve_brought(link, brought.visitor, brought.name, brought.token)
        finally:
            link.close()
            if self._guests.get(brought.guest) is link:
                del self._guests[brought.guest]

    def _end(self, said: ToTables) -> None:
        """End the visit of a guest of whom a message got lost; they come back."""
        if (link := self._guests.get(said.guest)) is not None:
            link.close()
            link.end()

    def _over(self) -> None:
        """Take note that the gateway is gone, and so the connections of all its guests."""
        for link in self._guests.values():
            link.lose()
        self._guests.clear()
