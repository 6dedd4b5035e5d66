"""The front half of a lobby: it greets those who connect, gives them names, and shows them the list of tables.

It does no input or output. What happens at tables is up to `net.host.table_host`.
"""

from bisect import bisect_left, insort
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence

from msgspec import Struct
from msgspec.structs import replace

from core.games import games_named
from core.layout.state import NOBODY
from core.lookup import plain
from core.words import Illegal, Words, words
from net.host.presence import Greeter, Presence, ReturningGuests, Roster, Visitor
from net.limits import (
    CHAT_LENGTH,
    SEARCH_LENGTH,
    TABLES_PER_PAGE,
    TALK_AT_ONCE,
    TALK_PER_SECOND,
)
from net.players.names_in_use import NamesInUse
from net.players.text import clean, clean_name, token_of
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
    TableInfo,
    Tables,
    ToHost,
)

_Place = tuple[bool, int]
"""Where a table is in the list: those where people are waited for come first, then the oldest."""
_Filter = tuple[str, bool]
_MAX_CACHED = 100
"""Answers kept for others who look for the same; each new one of 2,500 tables takes less than a millisecond."""


class _ListedTable(Struct, frozen=True):
    """A table in the list."""

    info: TableInfo
    tokens: tuple[str, ...]
    """Whose the seats are, by seat; empty for a free one or a bot's."""
    words: str
    """What may be looked for, each word with a blank before it."""

    @property
    def free(self) -> bool:
        return any(seat.free for seat in self.info.seats)

    @property
    def place(self) -> _Place:
        return not (self.free and self.info.phase == "waiting"), self.info.id


class Listing:
    """All tables, and the names of those who have seats there: in order, in pages, and only those looked for.

    It is as large as the host, or as the whole cluster, and so looks at a table only once.
    """

    def __init__(self) -> None:
        self.names = NamesInUse()
        self._lines: dict[int, _ListedTable] = {}
        self._order: list[_Place] = []
        self._seats: defaultdict[str, set[int]] = defaultdict(set)
        """By token, where a seat is kept."""
        self._found: dict[_Filter, list[_Place]] = {}
        """Kept as long as no table changes."""

    def __len__(self) -> int:
        return len(self._lines)

    def put(self, info: TableInfo, tokens: tuple[str, ...]) -> bool:
        """List a table as it is now, with the tokens of its seats; return whether it is different from before."""
        before = self._lines.get(info.id)
        if before is not None and (before.info, before.tokens) == (info, tokens):
            return False
        words = " ".join((f" {info.id}", plain(info.name), *(plain(seat.name) for seat in info.seats)))
        line = _ListedTable(info, tokens, words)
        self.drop(info.id)
        self._lines[info.id] = line
        insort(self._order, line.place)
        for seat, token in zip(info.seats, tokens, strict=True):
            if token:
                self._seats[token].add(info.id)
                self.names.add(seat.name, token)
        return True

    def drop(self, number: int) -> None:
        """A table is gone; harmless when it was not there."""
        self._found.clear()
        line = self._lines.pop(number, None)
        if line is None:
            return
        del self._order[bisect_left(self._order, line.place)]
        for seat, token in zip(line.info.seats, line.tokens, strict=True):
            if token:
                self.names.discard(seat.name, token)
                self._seats[token].discard(number)
                if not self._seats[token]:
                    del self._seats[token]

    def __iter__(self) -> Iterator[int]:
        """The numbers of all tables."""
        return iter(self._lines)

    def get(self, number: int) -> tuple[TableInfo, tuple[str, ...]] | None:
        """A table as it is listed, and the tokens of its seats; None if it is not."""
        line = self._lines.get(number)
        return None if line is None else (line.info, line.tokens)

    def reserved_table(self, token: str) -> int:
        """The table at which a seat is kept: one with a match before one without, and the newest; -1 for none."""
        numbers = self._seats.get(token, ())
        return max(numbers, key=lambda number: (self._lines[number].info.phase != "waiting", number), default=NOBODY)

    def page(self, browse: Browse, token: str = "", roster: Roster | None = None) -> Tables:
        """Return the page of a guest who browses, or the last page, with their own table first and who is here.

        Nobody is told of themselves alone.
        """
        found = self._look_for((plain(clean(browse.words, SEARCH_LENGTH)), browse.free))
        own = self.reserved_table(token) if token else NOBODY
        page = min(browse.page, max(0, len(found) - 1) // TABLES_PER_PAGE)
        roster = roster if roster and roster.count > 1 else Roster()
        first = page * TABLES_PER_PAGE
        beyond = first + TABLES_PER_PAGE
        places = found[first:beyond]
        if own != NOBODY:
            mine = self._lines[own].place
            at = bisect_left(found, mine)
            if at >= first and mine in found[at : at + 1]:  # it moves to the front, and all before it move on by one
                others = [place for place in found[max(0, first - 1) : beyond] if place != mine]
                places = ([] if first else [mine]) + others
        infos = tuple(self._lines[number].info for _, number in places[:TABLES_PER_PAGE])
        return Tables(infos, own, page, len(found), len(self._lines), roster.names, roster.count)

    def _look_for(self, key: _Filter) -> list[_Place]:
        """The places of the tables that are looked for, in order."""
        text, free = key
        if not text and not free:
            return self._order
        if key not in self._found:
            if len(self._found) >= _MAX_CACHED:
                self._found.clear()
            words = [(f" {word}", {variant.id for variant in games_named(word)}) for word in text.split()]
            lines = (self._lines[number] for _, number in self._order)
            self._found[key] = [
                line.place
                for line in lines
                if (line.free or not free)
                and all(word in line.words or line.info.game in games for word, games in words)
            ]
        return self._found[key]


class QuarantinedTables:
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
        "Table {number} could not be resumed when the server restarted; the operator has its record.",
        number=number,
    )


class Front:
    """Knows everybody who is connected, and answers them until they go to a table."""

    def __init__(
        self,
        login: Greeter,
        listing: Callable[[], Listing],
        lost_tables: QuarantinedTables,
        clock: Callable[[], float],
        *,
        checks_names: bool = True,
        roster: Callable[[], Roster] | None = None,
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
        self._checks_names = checks_names
        self.listing = listing
        self._names = NamesInUse()
        self._lost_tables = lost_tables
        self._clock = clock
        self.on_people: Callable[[], object] = int
        """Called when somebody has come or gone."""
        self.on_entered: Callable[[Visitor, Guest], object] = lambda _visitor, _guest: None
        """Called with each guest who has entered here under a name."""
        self.on_chat: Callable[[Said], object] = bool
        """Called with what somebody here says to everybody in the lobby."""
        self.roster = roster or self.local_roster
        self._here: Roster | None = None
        """Who is connected; None when that is to be looked up."""
        self._talk = Bucket(TALK_PER_SECOND, TALK_AT_ONCE)
        self._returns = ReturningGuests(clock, self.has_reserved_seat) if returning else None

    def connect(self, connection: int, visitor: Visitor) -> None:
        """Note a new connection; it must say Hello first."""
        self.present[connection] = Presence(visitor, visitor.key)

    def attach(self, connection: int, visitor: Visitor, name: str, token: str) -> None:
        """Note a guest for whom a gateway vouches, and for whom it does all else that a front does.

        Without a name they are only noted, until `admit`.
        """
        presence = self.present[connection] = Presence(visitor, visitor.key, attached=True)
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
            self._returns.guest_left(guest, presence)

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
        if presence.attached:
            return None
        if (ignored := self.check_rate(presence)) is not None:
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

    def check_rate(self, presence: Presence) -> list[Refused | Bye] | None:
        """Count a message; return what to say, perhaps nothing, to one that comes too fast, else None."""
        if presence.visitor.address and not presence.messages.take(self._clock()):
            return presence.ignore()
        presence.ignored = 0
        return None

    def requested_name(self, presence: Presence, enter: Enter) -> tuple[str, str]:
        """Return the name that a guest asks for, and their token. Raises Illegal when they cannot have it."""
        return self._login.wanted(presence, enter, self._used)

    def has_reserved_seat(self, token: str) -> bool:
        """Whether a seat is kept for whoever has a token; not for an empty one."""
        return bool(token) and self.listing().reserved_table(token) != NOBODY

    def goodbye_to(self, kind: str, value: str, reason: Words) -> Outbox:
        """Say goodbye to everybody with this `key`, `address` or `name`, as `kind` says."""
        return [(each, Bye(reason)) for each, presence in self.present.items() if presence.matches(kind, value)]

    @property
    def notice(self) -> str:
        """The text that everybody reads on entering; empty for none."""
        return self._login.notice

    @property
    def _used(self) -> Sequence[NamesInUse]:
        return (self._names, self.listing().names) if self._checks_names else ()

    def _enter(self, presence: Presence, guest: Guest) -> None:
        presence.guest = guest
        self._note_name(guest, self._names.add)
        if not presence.attached:
            self.on_entered(presence.visitor, guest)
        self._changed()
        if self._returns:
            self._returns.guest_entered(guest)

    def with_pages(self, out: Outbox) -> Outbox:
        """Show the tables to those whom a table sends back. The list comes first, so nobody ever shows an old one."""
        if not any(isinstance(message, Left) for _, message in out):
            return out
        return [
            each for connection, message in out for each in (*self._shown(connection, message), (connection, message))
        ]

    def page_updates(self) -> Iterator[Outbox]:
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
                    *([(connection, Said("", NOBODY, notice))] if (notice := self._login.notice) else []),
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
                how = words(
                    "{taken} Without your code, wait half a minute, then press Enter again.", taken=refused.reason
                )
                raise Illegal(how) from None
            return self._login.enter(connection, presence, replace(enter, resume=code), self._used)

    def _shown(self, connection: int, message: object) -> Outbox:
        """The list that goes before a message."""
        presence = self.present.get(connection)
        if not isinstance(message, Left) or presence is None or not _listens(presence):
            return []
        return [(connection, self.page(presence))]

    def local_roster(self) -> Roster:
        """Everybody who is connected and has a name, those whom gateways have brought among them."""
        if self._here is None:
            guests = (presence.guest for presence in self.present.values())
            self._here = Roster.named(guest.name for guest in guests if guest is not None)
        return self._here

    def _changed(self) -> None:
        """Take note that somebody has come or gone."""
        self._here = None
        self.on_people()

    def _say(self, presence: Presence, guest: Guest, said: str) -> Outbox:
        """Let everybody in the lobby hear what one of them says. Raises Illegal."""
        if not said:
            return []
        now = self._clock()
        if presence.visitor.address and not presence.chat.take(now):
            raise Illegal(words("You are writing too fast; wait a moment."))
        if not self._talk.take(now):
            raise Illegal(words("Too many are writing here at once; wait a moment."))
        heard = Said(guest.name, NOBODY, said)
        self.on_chat(heard)
        return self.to_lobby(heard)

    def clean_remote_chat(self, said: Said) -> Said | None:
        """Return a chat message of another lobby as it may be heard here; None when too much is being said.

        A message without a name is the host's own.
        """
        if not said.name:
            return said
        name, text = clean_name(said.name), clean(said.text, CHAT_LENGTH)
        return Said(name, NOBODY, text) if name and text and self._talk.take(self._clock()) else None

    def to_lobby(self, said: Said) -> Outbox:
        """Let everybody in the lobby hear something."""
        return [(connection, said) for connection, each in self.present.items() if _listens(each)]

    def announce(self, text: str) -> Outbox:
        """Send a message of the host to everybody in the lobby."""
        return self.to_lobby(Said("", NOBODY, text))

    def page(self, presence: Presence) -> Tables:
        """What a guest sees of the tables, which they are shown now."""
        token = presence.guest.token if presence.guest else ""
        presence.shown = self.listing().page(presence.browsing, token, self.roster())
        return presence.shown


def _listens(presence: Presence) -> bool:
    """Whether somebody is in the lobby itself."""
    return presence.guest is not None and not presence.table and not presence.attached


def _differ(before: Tables | None, after: Tables) -> bool:
    """Whether a guest would see another page. Of how many tables there are elsewhere, only the pages count."""
    if before is None or before is after:
        return before is None
    return _seen(before) != _seen(after)


def _seen(shown: Tables) -> tuple[object, ...]:
    return shown.tables, shown.yours, shown.page, -(-shown.total // TABLES_PER_PAGE), shown.names
