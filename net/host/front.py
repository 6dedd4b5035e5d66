"""The front half of a lobby: it greets those who connect, gives them names, and shows them the tables.

It does no input or output. What happens at tables is up to `net.host.table_host`.
"""

from collections.abc import Callable

from core.layout.placed import NOBODY
from core.words import Illegal, words
from net.host.login import Login
from net.host.lost_tables import LostTables
from net.host.open_tables import OpenTables
from net.host.presence import Presence, Visitor
from net.table.table import Outbox
from net.wire.messages import Bye, Enter, Entered, Goodbye, Hello, Leave, Left, Tables, ToHost


class Front:
    """Knows everybody who is connected, and answers them until they go to a table."""

    def __init__(self, login: Login, tables: OpenTables, lost_tables: LostTables, clock: Callable[[], float]) -> None:
        """`clock` tells the time in seconds."""
        self.present: dict[int, Presence] = {}
        """By connection."""
        self._login = login
        self._tables = tables
        self._lost_tables = lost_tables
        self._clock = clock

    def connect(self, connection: int, visitor: Visitor) -> None:
        """Note a new connection; it must say Hello first."""
        self.present[connection] = Presence(visitor)

    def receive(self, connection: int, presence: Presence, message: ToHost) -> Outbox | None:
        """Answer one message; None leaves it to the tables. Raises Refusal."""
        if presence.visitor.address and not presence.messages.take(self._clock()):
            return [(connection, answer) for answer in presence.ignore()]
        presence.ignored = 0
        if presence.guest is None:
            return self._receive_login(connection, presence, message)
        if isinstance(message, Leave) and not presence.table:
            return [(connection, Left())]  # they have the list already, and it is long
        return None

    def with_lists(self, out: Outbox) -> Outbox:
        """Show the tables to those whom a table sends back. The list comes first, so nobody ever shows an old one."""
        if not any(isinstance(message, Left) for _, message in out):
            return out
        return [
            each for connection, message in out for each in (*self._shown(connection, message), (connection, message))
        ]

    def news(self) -> Outbox:
        """Tell everybody who is in the lobby itself how the tables are now.

        Those who hear the same are given the same message, not one like it.
        """
        guests = [
            (connection, presence.guest.token)
            for connection, presence in self.present.items()
            if presence.guest is not None and not presence.table
        ]
        if not guests:
            return []
        infos, kept_for = self._tables.list(self._clock()), self._tables.kept_for()
        lists: dict[int, Tables] = {}
        out: Outbox = []
        for connection, token in guests:
            yours = kept_for.get(token, NOBODY)
            out.append((connection, lists.setdefault(yours, Tables(infos, yours))))
        return out

    def _receive_login(self, connection: int, presence: Presence, message: ToHost) -> Outbox:
        match message:
            case Hello():
                try:
                    return [(connection, self._login.greet(presence, message))]
                except Illegal as illegal:
                    return [(connection, Bye(illegal.reason))]
            case Enter(name=name) if presence.greeted:
                here = [(one.guest.name, one.guest.token) for one in self.present.values() if one.guest]
                guest = self._login.enter(connection, presence, name, [*here, *self._tables.names()])
                presence.guest = guest
                return [
                    (connection, Entered(guest.name, "" if presence.visitor.key else presence.resume)),
                    (connection, self._list(guest.token)),
                    *self._lost_tables.messages_for(guest),
                ]
            case Goodbye():
                return [(connection, Bye())]
        return [(connection, Bye(words("The first message must be a greeting.")))]

    def _shown(self, connection: int, message: object) -> Outbox:
        """The list that goes before a message."""
        presence = self.present.get(connection)
        if not isinstance(message, Left) or presence is None or presence.guest is None:
            return []
        return [(connection, self._list(presence.guest.token))]

    def _list(self, token: str) -> Tables:
        return Tables(self._tables.list(self._clock()), self._tables.kept_for().get(token, NOBODY))
