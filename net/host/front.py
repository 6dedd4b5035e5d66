"""The front of a lobby: it greets visitors, gives them names, and sends them the list of tables.

It does no input or output. `net.host.table_host` is responsible for tables.
"""

from bisect import bisect_left, insort
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence

from msgspec import Struct
from msgspec.structs import replace

from core.games import games_named
from core.layout.state import NOBODY
from core.lookup import normalise
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
from net.wire.maintenance import Maintenance
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

_SortKey = tuple[bool, int]
"""Sort key of a table in the list: those that wait for players come first, then the oldest."""
_Filter = tuple[str, bool]
_MAX_CACHED = 100
"""Cached search results; each takes less than a millisecond with 2,500 tables."""


class _ListedTable(Struct, frozen=True):
    """A table in the list."""

    info: TableInfo
    tokens: tuple[str, ...]
    """Tokens of the players, by seat; empty for a free seat or a bot's."""
    search_text: str
    """Searchable words, each with a blank before it."""

    @property
    def has_free_seat(self) -> bool:
        return any(seat.free for seat in self.info.seats)

    @property
    def is_hidden(self) -> bool:
        """True if only its player may see it: they are away, and nobody but bots plays there."""
        human_seats = [seat for seat in self.info.seats if not seat.bot]
        return len(human_seats) == 1 and human_seats[0].away and not self.info.watchers

    @property
    def sort_key(self) -> _SortKey:
        return not self.info.waits, self.info.id


_Predicate = Callable[[_ListedTable], bool]


def _predicate_of(search: _Filter) -> _Predicate:
    """Return a predicate: each word of the search begins a word of the table, and a seat is free if required."""
    text, needs_free_seat = search
    words_and_games = [(f" {word}", {variant.id for variant in games_named(word)}) for word in text.split()]
    return lambda entry: (
        (entry.has_free_seat or not needs_free_seat)
        and all(word in entry.search_text or entry.info.game in games for word, games in words_and_games)
    )


class Listing:
    """All tables, and the names of their players: sorted, in pages, and filtered by a search.

    It is as large as the host, or as the whole cluster, and so processes a table only when it has changed.
    """

    def __init__(self) -> None:
        self.names = NamesInUse()
        self._entries: dict[int, _ListedTable] = {}
        self._order: list[_SortKey] = []
        """The sort keys of the tables that everybody may see."""
        self._tables_by_token: defaultdict[str, set[int]] = defaultdict(set)
        """Numbers of the tables with a reserved seat, by token."""
        self._search_results: dict[_Filter, tuple[_Predicate, list[_SortKey]]] = {}
        """Cache of search results, cleared when a table changes."""

    def __len__(self) -> int:
        return len(self._entries)

    @property
    def has_reserved_seats(self) -> bool:
        """True if a seat is reserved for anybody."""
        return bool(self._tables_by_token)

    def put(self, info: TableInfo, tokens: tuple[str, ...]) -> bool:
        """List a table with the tokens of its seats; return True if the entry has changed."""
        previous = self._entries.get(info.id)
        if previous is not None and (previous.info, previous.tokens) == (info, tokens):
            return False
        search_text = " ".join((f" {info.id}", normalise(info.name), *(normalise(seat.name) for seat in info.seats)))
        entry = _ListedTable(info, tokens, search_text)
        self.drop(info.id)
        self._entries[info.id] = entry
        if not entry.is_hidden:
            insort(self._order, entry.sort_key)
        for seat, token in zip(info.seats, tokens, strict=True):
            if token:
                self._tables_by_token[token].add(info.id)
                self.names.add(seat.name, token)
        return True

    def drop(self, number: int) -> None:
        """Remove a table; harmless when it is not listed."""
        self._search_results.clear()
        entry = self._entries.pop(number, None)
        if entry is None:
            return
        if not entry.is_hidden:
            del self._order[bisect_left(self._order, entry.sort_key)]
        for seat, token in zip(entry.info.seats, entry.tokens, strict=True):
            if token:
                self.names.discard(seat.name, token)
                self._tables_by_token[token].discard(number)
                if not self._tables_by_token[token]:
                    del self._tables_by_token[token]

    def __iter__(self) -> Iterator[int]:
        """Iterate over the numbers of all tables."""
        return iter(self._entries)

    def get(self, number: int) -> tuple[TableInfo, tuple[str, ...]] | None:
        """Return the listed table and the tokens of its seats; None if it is not listed."""
        entry = self._entries.get(number)
        return None if entry is None else (entry.info, entry.tokens)

    def reserved_tables(self, token: str) -> list[int]:
        """Return the tables with a seat reserved for a token: those with a match first, then the newest."""
        numbers = self._tables_by_token.get(token, ()) if token else ()
        return sorted(
            numbers, key=lambda number: (self._entries[number].info.phase != "waiting", number), reverse=True
        )

    def page(self, request: Browse, token: str = "", roster: Roster | None = None) -> Tables:
        """Return a page of the search result, or the last one, with the guest's own tables first, and the roster.

        The roster is left out while it has only one guest.
        """
        search = normalise(clean(request.words, SEARCH_LENGTH)), request.free
        (is_match, matches), own_tables = self._find(search), self.reserved_tables(token)
        own_matches = [number for number in own_tables if is_match(self._entries[number])]
        positions = sorted(
            bisect_left(matches, entry.sort_key)
            for entry in map(self._entries.__getitem__, own_matches)
            if not entry.is_hidden
        )
        total = len(matches) - len(positions) + len(own_matches)
        page = min(request.page, max(0, total - 1) // TABLES_PER_PAGE)
        roster = roster if roster and roster.count > 1 else Roster()
        page_start = page * TABLES_PER_PAGE
        numbers = own_matches[page_start : page_start + TABLES_PER_PAGE]
        other_start, space_left = max(0, page_start - len(own_matches)), TABLES_PER_PAGE - len(numbers)
        for position in positions:  # own tables are at the front, and skipped among the others
            other_start += position <= other_start
        others = matches[other_start : other_start + space_left + len(positions)]
        numbers += [number for _, number in others if number not in own_matches][:space_left]
        infos = tuple(self._entries[number].info for number in numbers)
        reserved = tuple(own_tables[:TABLES_PER_PAGE])
        visible_count = len(self._order) + sum(self._entries[number].is_hidden for number in own_tables)
        first_own_table = own_tables[0] if own_tables else NOBODY
        return Tables(infos, first_own_table, page, total, visible_count, roster.names, roster.count, reserved)

    def _find(self, search: _Filter) -> tuple[_Predicate, list[_SortKey]]:
        """Return the predicate of a search, and the sort keys of the tables that match and that all may see."""
        if search == ("", False):
            return (lambda _line: True), self._order
        if search not in self._search_results:
            if len(self._search_results) >= _MAX_CACHED:
                self._search_results.clear()
            entries = (self._entries[number] for _, number in self._order)
            is_match = _predicate_of(search)
            self._search_results[search] = is_match, [entry.sort_key for entry in filter(is_match, entries)]
        return self._search_results[search]


class QuarantinedTables:
    """Tables that could not be resumed, by number, with the tokens of their players."""

    def __init__(self) -> None:
        self.tables: dict[int, frozenset[str]] = {}
        self._notified: set[tuple[int, str]] = set()

    def add(self, number: int, tokens: Iterable[str]) -> None:
        """Add a table."""
        self.tables[number] = frozenset(tokens)

    def check(self, number: int) -> None:
        """Raise Illegal if a guest asks for a quarantined table, as a client that reconnects does."""
        if number in self.tables:
            raise Illegal(_unresumed_words(number))

    def messages_for(self, guest: Guest) -> list[tuple[int, Left]]:
        """Return the message for a guest who enters about the newest quarantined table with their seat; each is sent
        once.
        """
        unnotified = {
            (number, guest.token) for number, tokens in self.tables.items() if guest.token in tokens
        } - self._notified
        self._notified |= unnotified
        return [(guest.id, Left(_unresumed_words(max(unnotified)[0])))] if unnotified else []


def _unresumed_words(number: int) -> Words:
    return words(
        "Table {number} could not be resumed when the server restarted; the operator has its record.",
        number=number,
    )


class Front:
    """Knows all visitors and guests of this process, and answers them until they go to a table."""

    def __init__(
        self,
        login: Greeter,
        listing: Callable[[], Listing],
        quarantined_tables: QuarantinedTables,
        clock: Callable[[], float],
        *,
        checks_names: bool = True,
        roster: Callable[[], Roster] | None = None,
        returning: bool = False,
    ) -> None:
        """`listing` returns the current list of tables; `clock` the time in seconds.

        - `checks_names`: refuse names that look like one in use; False in a worker, where the host does that.
        - `roster`: returns who is present, for a process that does not see all guests; by default, guests here.
        - `returning`: let a guest without a key reclaim their name from the same address without the return code.
        """
        self.present: dict[int, Presence] = {}
        """All connections, by number."""
        self.link = ""
        """URL of the host's pages, as in `Greeting`."""
        self._login = login
        self._checks_names = checks_names
        self.listing = listing
        self._names = NamesInUse()
        self._quarantined_tables = quarantined_tables
        self._clock = clock
        self.maintenance = Maintenance(clock)
        self.on_roster_change: Callable[[], object] = int
        """Called when a guest has entered or left."""
        self.on_entered: Callable[[Visitor, Guest], object] = lambda _visitor, _guest: None
        """Called with each guest who has entered here under a name."""
        self.on_chat: Callable[[Said], object] = bool
        """Called with each chat message of a guest here to the lobby."""
        self.roster = roster or self.local_roster
        self._local_roster: Roster | None = None
        """Cached roster of this process; None when it has changed."""
        self._chat_budget = Bucket(TALK_PER_SECOND, TALK_AT_ONCE)
        self._returning_guests = ReturningGuests(clock, self.has_reserved_seat) if returning else None

    def connect(self, connection: int, visitor: Visitor) -> None:
        """Add a new connection, whose first message must be Hello."""
        self.present[connection] = Presence(visitor, visitor.key)

    def attach(self, connection: int, visitor: Visitor, name: str, token: str) -> None:
        """Add a guest whose gateway has logged them in, and is their front.

        Without a name they have no guest until `admit`.
        """
        presence = self.present[connection] = Presence(visitor, visitor.key, attached=True)
        if name:
            self._enter(presence, Guest(connection, name, token))

    def admit(self, connection: int, name: str, token: str) -> Outbox:
        """Give a guest of a gateway the requested name. Raises Illegal if they cannot have it."""
        presence = self.present[connection]
        guest = self._login.admit(connection, presence, name, token, self._names_in_use)
        self._enter(presence, guest)
        return [*self._quarantined_tables.messages_for(guest)]

    def disconnect(self, connection: int) -> None:
        """Discard a connection."""
        presence = self.present.pop(connection, None)
        if presence is None or presence.guest is None:
            return
        guest = presence.guest
        self._note_name(guest, self._names.discard)
        self._note_roster_change()
        if self._returning_guests and not self._names.has(guest.name, guest.token):
            self._returning_guests.guest_left(guest, presence)

    def _note_name(self, guest: Guest, update_count: Callable[[str, str], None]) -> None:
        """Call `update_count` with the name and token of a guest; if that fails half way, count all names again."""
        try:
            update_count(guest.name, guest.token)
        except Exception:
            self._names = NamesInUse()
            for presence in self.present.values():
                if presence.guest is not None:
                    self._names.add(presence.guest.name, presence.guest.token)
            raise

    def receive(self, connection: int, presence: Presence, message: ToHost) -> Outbox | None:
        """Answer a message; None leaves it to the tables. Raises Refusal."""
        if presence.attached:
            return None
        if (rate_answer := self.check_rate(presence)) is not None:
            return [(connection, answer) for answer in rate_answer]
        if presence.guest is None:
            return self._receive_login(connection, presence, message)
        match message:
            case Browse():
                presence.browsing = replace(message, words=clean(message.words, SEARCH_LENGTH))
                return [] if presence.table else [(connection, self.page(presence))]
            case Leave() if not presence.table:
                return [(connection, Left())]  # they have the list already
            case Say(text=text) if not presence.table:
                return self._chat(presence, presence.guest, clean(text, CHAT_LENGTH))
        return None

    def check_rate(self, presence: Presence) -> list[Refused | Bye] | None:
        """Return the answer to a message that came too fast, perhaps empty; None for one at a permitted rate."""
        if presence.visitor.address and not presence.message_budget.take(self._clock()):
            return presence.ignore()
        presence.ignored = 0
        return None

    def requested_name(self, presence: Presence, enter: Enter) -> tuple[str, str]:
        """Return the requested name of a guest, and their token. Raises Illegal if they cannot have it."""
        return self._login.requested_name(presence, enter, self._names_in_use)

    def has_reserved_seat(self, token: str) -> bool:
        """Return True if a seat is reserved for a token; False for an empty one."""
        return bool(self.listing().reserved_tables(token))

    def goodbye_to(self, kind: str, value: str, reason: Words) -> Outbox:
        """Return a goodbye to all guests with this `key`, `address` or `name`, as `kind` says."""
        return [
            (connection, Bye(reason))
            for connection, presence in self.present.items()
            if presence.is_identified_by(kind, value)
        ]

    @property
    def notice(self) -> str:
        """The text that everybody reads on entering; empty if there is none."""
        return self._login.notice

    @property
    def _names_in_use(self) -> Sequence[NamesInUse]:
        return (self._names, self.listing().names) if self._checks_names else ()

    def _enter(self, presence: Presence, guest: Guest) -> None:
        presence.guest = guest
        self._note_name(guest, self._names.add)
        if not presence.attached:
            self.on_entered(presence.visitor, guest)
        self._note_roster_change()
        if self._returning_guests:
            self._returning_guests.guest_entered(guest)

    def with_pages(self, outbox: Outbox) -> Outbox:
        """Insert the list of tables before each `Left`, so that a guest who returns to the lobby never sees an old
        list.
        """
        if not any(isinstance(message, Left) for _, message in outbox):
            return outbox
        return [
            entry
            for connection, message in outbox
            for entry in (*self._page_before(connection, message), (connection, message))
        ]

    def page_updates(self) -> Iterator[Outbox]:
        """Yield for each guest in the lobby the update of their page; an empty list if the page is unchanged."""
        for connection, presence in [item for item in self.present.items() if _is_in_lobby(item[1])]:
            previous, page = presence.last_page, None
            if _is_in_lobby(presence) and connection in self.present:
                page = self.page(presence)
            yield [(connection, page)] if page is not None and _differ_visibly(previous, page) else []

    def _receive_login(self, connection: int, presence: Presence, message: ToHost) -> Outbox:
        match message:
            case Hello():
                try:
                    return [(connection, self._greet(presence, message))]
                except Illegal as illegal:
                    return [(connection, Bye(illegal.reason))]
            case Enter() if presence.greeted:
                guest = self._assign_name(connection, presence, message)
                self._enter(presence, guest)
                return [
                    (connection, Entered(guest.name, "" if presence.visitor.key else presence.return_code)),
                    (connection, self.page(presence)),
                    *([(connection, Said("", NOBODY, notice))] if (notice := self._login.notice) else []),
                    *([(connection, maintenance)] if (maintenance := self.maintenance.message) else []),
                    *self._quarantined_tables.messages_for(guest),
                ]
            case Goodbye():
                return [(connection, Bye())]
        return [(connection, Bye(words("The first message must be a greeting.")))]

    def _greet(self, presence: Presence, hello: Hello) -> Greeting:
        """Answer a greeting; a guest with the return code of a reserved seat is not asked for a name."""
        greeting = replace(self._login.greet(presence, hello), link=self.link)
        if greeting.known or not presence.return_code or not greeting.name:
            return greeting
        is_known = self.listing().names.has(greeting.name, token_of(presence.return_code))
        return replace(greeting, known=is_known)

    def _assign_name(self, connection: int, presence: Presence, enter: Enter) -> Guest:
        """Give a guest the requested name. Raises Illegal if they cannot have it."""
        try:
            return self._login.enter(connection, presence, enter, self._names_in_use)
        except Illegal as refusal:
            if self._returning_guests is None or enter.resume:
                raise
            code = self._returning_guests.claim(connection, presence, clean_name(enter.name), self.present)
            if code is None:
                raise
            if not code:
                advice = words(
                    "{taken} Without your code, wait half a minute, then press Enter again.", taken=refusal.reason
                )
                raise Illegal(advice) from None
            return self._login.enter(connection, presence, replace(enter, resume=code), self._names_in_use)

    def _page_before(self, connection: int, message: object) -> Outbox:
        """Return the list of tables if it must be sent before `message`, a `Left`; else an empty list."""
        presence = self.present.get(connection)
        if not isinstance(message, Left) or presence is None or not _is_in_lobby(presence):
            return []
        return [(connection, self.page(presence))]

    def local_roster(self) -> Roster:
        """Roster of all connections of this process, including guests of gateways."""
        if self._local_roster is None:
            guests = (presence.guest for presence in self.present.values())
            self._local_roster = Roster.from_names(guest.name for guest in guests if guest is not None)
        return self._local_roster

    def _note_roster_change(self) -> None:
        """Note that a guest has entered or left."""
        self._local_roster = None
        self.on_roster_change()

    def _chat(self, presence: Presence, guest: Guest, text: str) -> Outbox:
        """Send a guest's chat message to everybody in the lobby. Raises Illegal."""
        if not text:
            return []
        now = self._clock()
        if presence.visitor.address and not presence.chat_budget.take(now):
            raise Illegal(words("You are writing too fast; wait a moment."))
        if not self._chat_budget.take(now):
            raise Illegal(words("Too many are writing here at once; wait a moment."))
        message = Said(guest.name, NOBODY, text)
        self.on_chat(message)
        return self.to_lobby(message)

    def clean_remote_chat(self, message: Said) -> Said | None:
        """Return a chat message of another lobby in a valid form; None if it is invalid, or the limit is reached.

        A message without a name is the host's own.
        """
        if not message.name:
            self.maintenance.follow(message)
            return message
        name, text = clean_name(message.name), clean(message.text, CHAT_LENGTH)
        return Said(name, NOBODY, text) if name and text and self._chat_budget.take(self._clock()) else None

    def to_lobby(self, message: Said) -> Outbox:
        """Return a message to everybody in the lobby."""
        return [(connection, message) for connection, presence in self.present.items() if _is_in_lobby(presence)]

    def announce(self, message: Said) -> Outbox:
        """Return a message of the host to everybody in the lobby."""
        self.maintenance.follow(message)
        return self.to_lobby(message)

    def page(self, presence: Presence) -> Tables:
        """Return the page of tables for a guest, and record that it is shown."""
        token = presence.guest.token if presence.guest else ""
        presence.last_page = self.listing().page(presence.browsing, token, self.roster())
        return presence.last_page


def _is_in_lobby(presence: Presence) -> bool:
    """Return True if a guest is in the lobby, and this process is their front."""
    return presence.guest is not None and not presence.table and not presence.attached


def _differ_visibly(previous: Tables | None, page: Tables) -> bool:
    """Return True if two pages differ visibly. The total counts only by its number of pages."""
    if previous is None or previous is page:
        return previous is None
    return _visible_part(previous) != _visible_part(page)


def _visible_part(page: Tables) -> tuple[object, ...]:
    return page.tables, page.yours, page.reserved, page.page, -(-page.total // TABLES_PER_PAGE), page.names
