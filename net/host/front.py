"""The front half of a lobby: it greets those who connect, gives them names, and shows them the tables.

It does no input or output. What happens at tables is up to `net.host.table_host`.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence

from msgspec.structs import replace

from core.layout.state import NOBODY
from core.words import Illegal, Words, words
from net.host.listing import Listing
from net.host.login import Login
from net.host.presence import People, Presence, Visitor
from net.host.returning import Returns
from net.limits import (
    CHAT_LENGTH,
    SEARCH_LENGTH,
    TABLES_PER_PAGE,
    TALK_AT_ONCE,
    TALK_PER_SECOND,
)
from net.players.codes import token_of
from net.players.names_in_use import NamesInUse
from net.players.text import clean, clean_name
from net.scheduler import Bucket
from net.table.table import Guest, Outbox
from net.wire.messages import (
    Browse,
    Bye,
    Enter,
    Entered,
    Goodbye,
    Greeting,
    Hello,
    Leave,
    Left,
    Refused,
    Said,
    Say,
    Tables,
    ToHost,
)

_MOST_PAGES = 50
"""Pages of tables that are kept with who is here."""


class LostTables:
    """By number of the table, the tokens of the players who had a seat there."""

    def __init__(self) -> None:
        self.tables: dict[int, frozenset[str]] = {}
        self._told: set[tuple[int, str]] = set()

    def add(self, number: int, tokens: Iterable[str]) -> None:
        """Note a table."""
        self.tables[number] = frozenset(tokens)

    def check(self, number: int) -> None:
        """Raise Illegal if a guest wants to go to such a table, as a client that reconnects does."""
        if number in self.tables:
            raise Illegal(_sentence(number))

    def messages_for(self, guest: Guest) -> list[tuple[int, Left]]:
        """Tell a guest who enters, once, about the last such table at which they had a seat."""
        mine = {(number, guest.token) for number, tokens in self.tables.items() if guest.token in tokens} - self._told
        self._told |= mine
        return [(guest.id, Left(_sentence(max(mine)[0])))] if mine else []


def _sentence(number: int) -> Words:
    return words(
        "Table {number} could not be restored when the host restarted; the operator has its record.",
        number=number,
    )


class Front:
    """Knows everybody who is connected, and answers them until they go to a table."""

    def __init__(
        self,
        login: Login,
        listing: Callable[[], Listing],
        lost_tables: LostTables,
        clock: Callable[[], float],
        *,
        compares: bool = True,
        people: Callable[[], People] | None = None,
        returning: bool = False,
    ) -> None:
        """`listing` gives all tables as they are now; `clock` tells the time in seconds.

        Unless it `compares` names, somebody else sees to it that nobody takes one that is like another. `people`
        tells who is here, where somebody else knows of more of them. `returning` lets those without a key come back
        from the same address.
        """
        self.present: dict[int, Presence] = {}
        """By connection."""
        self._login = login
        self._compares = compares
        self.listing = listing
        self._names = NamesInUse()
        self._lost_tables = lost_tables
        self._clock = clock
        self.on_people: Callable[[], object] = int
        """Called when somebody has come or gone."""
        self.on_said: Callable[[Said], object] = bool
        """Called with what somebody here says to everybody in the lobby."""
        self.people = people or self.here
        self._here: People | None = None
        """Who is connected; None when that is to be looked up."""
        self._shown_people = People()
        self._pages: dict[int, tuple[Tables, Tables]] = {}
        """Pages of tables, and the same with those shown people, by identity: many guests see the same."""
        self._talk = Bucket(TALK_PER_SECOND, TALK_AT_ONCE)
        self._returns = Returns(clock, self.expects) if returning else None

    def connect(self, connection: int, visitor: Visitor) -> None:
        """Note a new connection; it must say Hello first."""
        self.present[connection] = Presence(visitor, visitor.key)

    def bring(self, connection: int, visitor: Visitor, name: str, token: str) -> None:
        """Note a guest for whom a gateway vouches, and for whom it does all else that a front does.

        Without a name they are only noted, until `admit`.
        """
        presence = self.present[connection] = Presence(visitor, visitor.key, brought=True)
        if name:
            self._enter(presence, Guest(connection, name, token))

    def admit(self, connection: int, name: str, token: str) -> Outbox:
        """Give a guest of a gateway the name that they ask for there. Raises Illegal when they cannot have it."""
        presence = self.present[connection]
        guest = self._login.admit(connection, presence, name, token, self._used)
        self._enter(presence, guest)
        return [*self._lost_tables.messages_for(guest)]

    def disconnect(self, connection: int) -> None:
        """Forget a connection."""
        presence = self.present.pop(connection, None)
        if presence is None or presence.guest is None:
            return
        guest = presence.guest
        self._note_name(guest, self._names.discard)
        self._changed()
        if self._returns and not self._names.has(guest.name, guest.token):
            self._returns.left(guest, presence)

    def _note_name(self, guest: Guest, note: Callable[[str, str], None]) -> None:
        """Note that a name is used once more, or less; if that fails half done, all are counted anew."""
        try:
            note(guest.name, guest.token)
        except Exception:
            self._names = NamesInUse()
            for presence in self.present.values():
                if presence.guest is not None:
                    self._names.add(presence.guest.name, presence.guest.token)
            raise

    def receive(self, connection: int, presence: Presence, message: ToHost) -> Outbox | None:
        """Answer one message; None leaves it to the tables. Raises Refusal."""
        if presence.brought:
            return None
        if (ignored := self.ignored(presence)) is not None:
            return [(connection, answer) for answer in ignored]
        if presence.guest is None:
            return self._receive_login(connection, presence, message)
        match message:
            case Browse():
                presence.browsing = replace(message, words=clean(message.words, SEARCH_LENGTH))
                return [] if presence.table else [(connection, self.page(presence))]
            case Leave() if not presence.table:
                return [(connection, Left())]  # they have the list already
            case Say(text=text) if not presence.table:
                return self._say(presence, presence.guest, clean(text, CHAT_LENGTH))
        return None

    def ignored(self, presence: Presence) -> list[Refused | Bye] | None:
        """Count a message; return what to say, perhaps nothing, to one that comes too fast, else None."""
        if presence.visitor.address and not presence.messages.take(self._clock()):
            return presence.ignore()
        presence.ignored = 0
        return None

    def wanted(self, presence: Presence, enter: Enter) -> tuple[str, str]:
        """Return the name that a guest asks for, and their token. Raises Illegal when they cannot have it."""
        return self._login.wanted(presence, enter, self._used)

    def expects(self, token: str) -> bool:
        """Whether a seat is kept for whoever has a token; not for an empty one."""
        return bool(token) and self.listing().kept_for(token) != NOBODY

    def goodbye_to(self, kind: str, value: str, reason: Words) -> Outbox:
        """Say goodbye to everybody with this `key`, `address` or `name`, as `kind` says."""
        return [(each, Bye(reason)) for each, presence in self.present.items() if presence.shows(kind, value)]

    @property
    def _used(self) -> Sequence[NamesInUse]:
        return (self._names, self.listing().names) if self._compares else ()

    def _enter(self, presence: Presence, guest: Guest) -> None:
        presence.guest = guest
        self._note_name(guest, self._names.add)
        self._changed()
        if self._returns:
            self._returns.came(guest)

    def with_lists(self, out: Outbox) -> Outbox:
        """Show the tables to those whom a table sends back. The list comes first, so nobody ever shows an old one."""
        if not any(isinstance(message, Left) for _, message in out):
            return out
        return [
            each for connection, message in out for each in (*self._shown(connection, message), (connection, message))
        ]

    def news(self) -> Iterator[Outbox]:
        """Look at everybody who is in the lobby, one by one, and give what to tell them if their page has changed."""
        for connection, presence in [each for each in self.present.items() if _listens(each[1])]:
            before, page = presence.shown, None
            if _listens(presence) and connection in self.present:
                page = self.page(presence)
            yield [(connection, page)] if page is not None and _differ(before, page) else []

    def _receive_login(self, connection: int, presence: Presence, message: ToHost) -> Outbox:
        match message:
            case Hello():
                try:
                    return [(connection, self._greet(presence, message))]
                except Illegal as illegal:
                    return [(connection, Bye(illegal.reason))]
            case Enter() if presence.greeted:
                guest = self._named(connection, presence, message)
                self._enter(presence, guest)
                return [
                    (connection, Entered(guest.name, "" if presence.visitor.key else presence.resume)),
                    (connection, self.page(presence)),
                    *self._lost_tables.messages_for(guest),
                ]
            case Goodbye():
                return [(connection, Bye())]
        return [(connection, Bye(words("The first message must be a greeting.")))]

    def _greet(self, presence: Presence, hello: Hello) -> Greeting:
        """Answer a greeting; who comes back with the code of a seat that is kept is not asked for their name."""
        greeting = self._login.greet(presence, hello)
        if greeting.known or not presence.resume or not greeting.name:
            return greeting
        known = self.listing().names.has(greeting.name, token_of(presence.resume))
        return replace(greeting, known=known)

    def _named(self, connection: int, presence: Presence, enter: Enter) -> Guest:
        """Give a guest the name that they ask for. Raises Illegal when they cannot have it."""
        try:
            return self._login.enter(connection, presence, enter, self._used)
        except Illegal as refused:
            if self._returns is None or enter.resume:
                raise
            code = self._returns.claim(connection, presence, clean_name(enter.name), self.present)
            if code is None:
                raise
            if not code:
                how = words("{taken} Without it, wait half a minute, then press Enter again.", taken=refused.reason)
                raise Illegal(how) from None
            return self._login.enter(connection, presence, replace(enter, resume=code), self._used)

    def _shown(self, connection: int, message: object) -> Outbox:
        """The list that goes before a message."""
        presence = self.present.get(connection)
        if not isinstance(message, Left) or presence is None or not _listens(presence):
            return []
        return [(connection, self.page(presence))]

    def here(self) -> People:
        """Everybody who is connected and has a name, those whom gateways have brought among them."""
        if self._here is None:
            guests = (presence.guest for presence in self.present.values())
            self._here = People.named(guest.name for guest in guests if guest is not None)
        return self._here

    def _changed(self) -> None:
        """Take note that somebody has come or gone."""
        self._here = None
        self.on_people()

    def _with_people(self, page: Tables) -> Tables:
        """A page of tables with who is here; nobody is told of themselves alone."""
        people = self.people()
        if people.count < 2:
            return page
        if people is not self._shown_people or len(self._pages) >= _MOST_PAGES:
            self._shown_people = people
            self._pages.clear()
        if id(page) not in self._pages:
            self._pages[id(page)] = page, replace(page, names=people.names, people=people.count)
        return self._pages[id(page)][1]

    def _say(self, presence: Presence, guest: Guest, said: str) -> Outbox:
        """Let everybody in the lobby hear what one of them says. Raises Illegal."""
        if not said:
            return []
        now = self._clock()
        if presence.visitor.address and not presence.chat.take(now):
            raise Illegal(words("You are talking too fast; wait a moment."))
        if not self._talk.take(now):
            raise Illegal(words("Too many are talking here at once; wait a moment."))
        heard = Said(guest.name, NOBODY, said)
        self.on_said(heard)
        return self.to_lobby(heard)

    def checked(self, said: Said) -> Said | None:
        """What somebody has said in a lobby elsewhere, as it may be heard here; None when too much is being said."""
        name, text = clean_name(said.name), clean(said.text, CHAT_LENGTH)
        return Said(name, NOBODY, text) if name and text and self._talk.take(self._clock()) else None

    def to_lobby(self, said: Said) -> Outbox:
        """Let everybody in the lobby hear something."""
        return [(connection, said) for connection, each in self.present.items() if _listens(each)]

    def page(self, presence: Presence) -> Tables:
        """What a guest sees of the tables, which they are shown now."""
        token = presence.guest.token if presence.guest else ""
        presence.shown = self._with_people(self.listing().page(presence.browsing, token))
        return presence.shown


def _listens(presence: Presence) -> bool:
    """Whether somebody is in the lobby itself."""
    return presence.guest is not None and not presence.table and not presence.brought


def _differ(before: Tables | None, after: Tables) -> bool:
    """Whether a guest would see another page. Of how many tables there are elsewhere, only the pages count."""
    if before is None or before is after:
        return before is None
    return _seen(before) != _seen(after)


def _seen(shown: Tables) -> tuple[object, ...]:
    return shown.tables, shown.yours, shown.page, -(-shown.total // TABLES_PER_PAGE), shown.names
