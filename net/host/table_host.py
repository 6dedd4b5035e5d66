"""The tables' half of a lobby: it owns all tables, and answers guests who join, occupy or leave one.

It does no input or output. `net.host.front` answers guests who are at no table; a guest who receives `Left` is its
guest again.
"""

from collections.abc import Callable, Iterable, Mapping, Set
from typing import Protocol

from core.actions import Action
from core.bots.profiles import TABLE_LEVELS, no_bot
from core.games import game
from core.layout.state import NOBODY
from core.variant import Value, resolve
from core.words import Illegal, Words, several_words, words
from net.host.front import Listing, QuarantinedTables
from net.host.presence import Presence
from net.limits import (
    CHAT_LENGTH,
    MAX_TABLES,
    MAX_TIME,
    MIN_TIME,
    REFUSED_JOIN_COST,
    TABLES_PER_ADDRESS,
    TABLES_PER_PLAYER,
    TALK_AT_ONCE,
    TALK_PER_SECOND,
    WRONG_CODES,
)
from net.players.text import TABLE_CODE_LENGTH, clean, is_same_code
from net.scheduler import Buckets
from net.table import transitions
from net.table.persistence import Change, Dealer, Snapshot, check_pledge
from net.table.table import Guest, Outbox, Pace, Table, Terms, new_table, resume_table
from net.table.transitions import put_bots
from net.wire.maintenance import Maintenance
from net.wire.messages import (
    Act,
    AllowHints,
    Attest,
    Bind,
    Browse,
    Bye,
    EndMatch,
    Enter,
    FillWithBots,
    Goodbye,
    Hello,
    Leave,
    Left,
    MakeTable,
    Pause,
    Ready,
    Recall,
    Remove,
    Reveal,
    Said,
    Say,
    SetPace,
    Sit,
    Skip,
    TakeBack,
    ToHost,
    Unbind,
    Watch,
)


class TableNumbers(Protocol):
    """Source of the numbers of new tables."""

    @property
    def next(self) -> int:
        """Number of the next table; 0 if there is none now."""

    def take(self) -> int:
        """Return the next number, and use it up."""

    def skip(self, number: int) -> None:
        """Note that a table from an earlier run has this number."""


class TableCounter:
    """Numbers of a host that counts by itself."""

    def __init__(self, last_number: int = 0) -> None:
        """`last_number` is the highest number that a table ever had."""
        self._last_number = last_number

    @property
    def next(self) -> int:
        return self._last_number + 1

    def take(self) -> int:
        self._last_number += 1
        return self._last_number

    def skip(self, number: int) -> None:
        self._last_number = max(self._last_number, number)


def check_open_table_limits(table_count: int, by_player: int, from_address: int) -> None:
    """Raise Illegal if a limit of open tables is reached: in all, by one player, or from one address."""
    if table_count >= MAX_TABLES:
        raise Illegal(
            several_words(
                "The server is full: it has {count} table.", "The server is full: it has {count} tables.", MAX_TABLES
            )
        )
    if by_player >= TABLES_PER_PLAYER:
        raise Illegal(
            several_words(
                "You already have {count} table open; leave it first.",
                "You already have {count} tables open; leave one of them first.",
                TABLES_PER_PLAYER,
            )
        )
    if from_address >= TABLES_PER_ADDRESS:
        raise Illegal(
            several_words(
                "There is already {count} table from your address.",
                "There are already {count} tables from your address.",
                TABLES_PER_ADDRESS,
            )
        )


class OpenTables:
    """All tables by number, each as it is now, and as it was when the changes were last taken."""

    def __init__(
        self,
        dealer: Dealer,
        pace: Pace,
        house_rules: Mapping[str, Mapping[str, Value]],
        new_code: Callable[[int], str],
        numbers: TableNumbers,
    ) -> None:
        """`house_rules` are, by game, the options of a new table whose maker does not choose them."""
        self.current: dict[int, Table] = {}
        self._previous: dict[int, Table] = {}
        self._closed: list[int] = []
        self._listing = Listing()
        self._outdated_entries: set[int] = set()
        """Tables whose list entry may be outdated."""
        self._relisted: set[int] = set()
        """Tables whose list entry has changed since the changes were last taken."""
        self._dealer = dealer
        self._pace = pace
        self._house_rules = house_rules
        self._new_code = new_code
        self._numbers = numbers
        self._opening_addresses: dict[int, str] = {}
        """Addresses from which the tables were opened; unknown for tables from an earlier run."""

    def put(self, table: Table) -> None:
        """Replace a table by its new state."""
        self._previous.setdefault(table.id, self.current[table.id])
        self._outdated_entries.add(table.id)
        self.current[table.id] = table

    def close(self, number: int) -> None:
        """Discard a table, also from the store."""
        if number in self.current:
            self._closed.append(number)
        self.forget(number)

    def forget(self, number: int) -> None:
        """Discard a table that another host runs now."""
        if self.current.pop(number, None) is not None:
            self._outdated_entries.add(number)
        self._previous.pop(number, None)
        self._opening_addresses.pop(number, None)

    def take_changes(self, now: float) -> tuple[list[Change], Set[int]]:
        """Return the changes to save since the last call, and the tables whose list entry has changed."""
        changes = [Change(number, None) for number in self._closed]
        changes += [self.current[number].change_since(previous, now) for number, previous in self._previous.items()]
        self.listing(now)
        relisted, self._relisted = self._relisted, set()
        self._previous.clear()  # last: after a failure the next call repeats all
        self._closed.clear()
        return changes, relisted

    def listing(self, now: float) -> Listing:
        """Return the list of all tables at this time."""
        try:
            self._update_listing(now)
        except Exception:  # a half listed table would fail again
            self._relisted |= {*self._listing, *self.current}
            self._listing, self._outdated_entries = Listing(), set(self.current)
            raise
        return self._listing

    def _update_listing(self, now: float) -> None:
        while self._outdated_entries:
            number = self._outdated_entries.pop()
            table = self.current.get(number)
            if table is None:
                self._listing.drop(number)
                self._relisted.add(number)
            else:
                tokens = tuple(chair.token for chair in table.seats.chairs)
                if self._listing.put(table.info(now), tokens):
                    self._relisted.add(number)

    def find(self, number: int, presence: Presence, guest: Guest, code: str) -> Table:
        """Return a table that this guest may join. Raises Illegal, and counts wrong codes."""
        table = self.current.get(number)
        if table is None:
            raise Illegal(words("That table no longer exists."))
        if not table.terms.code or table.seat_of(guest) != NOBODY or number == presence.table:
            return table
        if not code:
            raise Illegal(words("That table is private; you need its code."))
        if presence.wrong_codes >= WRONG_CODES or not is_same_code(code, table.terms.code):
            presence.wrong_codes += 1
            raise Illegal(words("That is the wrong code for this table."))
        presence.wrong_codes = 0
        return table

    def open(self, request: MakeTable, guest: Guest, address: str) -> Table:
        """Open a table with its bots at the request of a guest from this address. Raises Refusal."""
        by_player = sum(table.maker == guest.token for table in self.current.values())
        from_address = (
            sum(self._opening_addresses.get(number) == address for number in self.current) if address else 0
        )
        check_open_table_limits(len(self.current), by_player, from_address)
        bots = len(request.levels) or request.bots
        if not 0 <= bots < request.players:
            most_bots = max(0, request.players - 1)
            raise Illegal(
                words("A table for {players} can have 0 to {most} bots.", players=request.players, most=most_bots)
            )
        for limit in (request.turn_time, request.match_time):
            if limit and not MIN_TIME <= limit <= MAX_TIME:
                raise Illegal(words("A time limit is {least} to {most} seconds.", least=MIN_TIME, most=MAX_TIME))
        options = {**self._house_rules.get(request.game, {}), **request.options}
        code = self._new_code(TABLE_CODE_LENGTH) if request.private else ""
        terms = Terms(request.turn_time, request.match_time, code, request.hints, request.take_back)
        if not self._numbers.next:
            raise Illegal(words("No table can be opened right now; try again in a moment."))
        variant = game(request.game)
        resolve(variant.options, options)  # a new table has today's rules
        table = new_table(self._numbers.next, variant, request.players, options, self._dealer, self._pace, terms)
        levels = request.levels or (request.level,) * bots  # after the game has refused a billion players
        unknown_levels = [level for level in levels if level not in TABLE_LEVELS]
        if unknown_levels:
            raise Illegal(no_bot(unknown_levels[0], TABLE_LEVELS))
        self._numbers.take()
        self.current[table.id] = table
        self._opening_addresses[table.id] = address
        self.put(put_bots(table, levels))
        return self.current[table.id]

    def resume(self, snapshot: Snapshot, lines: Iterable[str], now: float) -> None:
        """Resume a saved table. Raises `core.records.RecordError` or Refusal if that is impossible."""
        table = resume_table(snapshot, lines, self._dealer, self._pace, now)
        self.current[table.id] = table
        self._outdated_entries.add(table.id)
        self._numbers.skip(table.id)

    def opening_address(self, number: int) -> str:
        """Return the address from which a table was opened; empty if it is not known."""
        return self._opening_addresses.get(number, "")


CLOSED = words("The table was closed.")
NO_MATCH = ("waiting", "over")
"""Phases of a table at which no match is played."""


class TableHost:
    """Seats guests, and applies their requests to tables."""

    def __init__(
        self,
        tables: OpenTables,
        quarantined_tables: QuarantinedTables,
        present: Mapping[int, Presence],
        clock: Callable[[], float],
        maintenance: Maintenance,
    ) -> None:
        """`present` has all guests at tables, by connection, and may have others. `clock` returns the time in
        seconds.
        """
        self._open_tables = tables
        self.tables: Mapping[int, Table] = tables.current
        """All tables by number, in their current state."""
        self._quarantined_tables = quarantined_tables
        self._present = present
        self._clock = clock
        self._maintenance = maintenance
        self._chat_budgets = Buckets(TALK_PER_SECOND, TALK_AT_ONCE, MAX_TABLES)
        """Limits of the spectators' chat, by table."""

    def receive(self, presence: Presence, guest: Guest, message: ToHost) -> Outbox:
        """Answer a guest. Raises Refusal."""
        if not isinstance(message, Sit | Watch | MakeTable | Recall) or not presence.visitor.address:
            return self._dispatch(presence, guest, message)
        if presence.join_budget.is_empty(self._clock()):
            presence.message_budget.spend(REFUSED_JOIN_COST, self._clock())  # a guest who goes on is soon ignored
            raise Illegal(words("You are changing tables too fast; wait a moment."))
        outbox = self._dispatch(presence, guest, message)
        presence.join_budget.take(self._clock())  # a refused request has cost nothing
        return outbox

    def leave(self, connection: int, presence: Presence, *, lost: bool = False, excused: bool = False) -> Outbox:
        """Let a guest leave their table, as `transitions.leave` does; harmless in the lobby."""
        if not presence.table:
            return []
        table = self.tables[presence.table]
        outbox = self._store(*transitions.leave(table, connection, self._clock(), lost=lost, excused=excused))
        presence.table = 0  # last: after a failure they are still there
        return outbox

    def step(self, number: int, thought: Action | None = None, *, thinking: bool = False) -> Outbox:
        """Apply a table's own next step; `thought` is the action of the bot on turn, if it has decided."""
        return self._store(*transitions.step(self.tables[number], self._clock(), thought, thinking=thinking))

    def close(self, number: int, reason: Words = CLOSED) -> Outbox:
        """Close a table, and send its guests back to the lobby."""
        outbox = self.send_away(number, reason)
        self._open_tables.close(number)
        return outbox

    def send_away(self, number: int, reason: Words) -> Outbox:
        """Send the guests of a table back to the lobby."""
        guests = self.tables[number].guests if number in self.tables else []
        return [self._send_to_lobby(guest, reason) for guest in guests]

    def announce(self, message: Said) -> Outbox:
        """Return a message of the host to everybody at a table."""
        self._maintenance.follow(message)
        return [(guest, message) for table in self.tables.values() for guest in table.guests]

    def _dispatch(self, presence: Presence, guest: Guest, message: ToHost) -> Outbox:
        if self._may_begin_match(presence, guest, message):
            self._maintenance.check_new_match()
        match message:
            case MakeTable(pledge=pledge):
                check_pledge(pledge)
                return self._sit(
                    self._open_tables.open(message, guest, presence.visitor.address), presence, guest, pledge
                )
            case Sit(table=number, code=code, pledge=pledge):
                check_pledge(pledge)
                return self._sit(self._joinable_table(number, presence, guest, code), presence, guest, pledge)
            case Watch(table=number, code=code):
                table = self._joinable_table(number, presence, guest, code)
                outbox = self._store(*transitions.watch(table, guest, self._clock()))
                return self._join(presence, guest, number, outbox)
            case Leave():
                return [*self.leave(guest.id, presence), self._send_to_lobby(guest.id, None)]
            case Goodbye():
                return [*self.leave(guest.id, presence), (guest.id, Bye())]
            case Hello() | Enter():
                raise Illegal(words("You are already logged in."))
            case Browse() | Bind() | Unbind():
                return []
        if not presence.table:
            raise Illegal(words("You are not at a table."))
        table = self.tables[presence.table]
        match message:
            case Remove(name=name):
                return self._remove(table, guest, name)
            case Say(text=text):
                return self._chat(presence, guest, table, clean(text, CHAT_LENGTH))
        return self._store(*apply_request(table, guest, message, self._clock(), presence.visitor.key))

    def _may_begin_match(self, presence: Presence, guest: Guest, message: ToHost) -> bool:
        """Return True for a request after which a match may begin, at once or when more players have come."""
        match message:
            case MakeTable():
                return True
            case Sit(table=number):
                table = self.tables.get(number)
                return table is not None and table.phase in NO_MATCH and table.seat_of(guest) == NOBODY
            case FillWithBots() | Ready():
                table = self.tables.get(presence.table)
                return table is not None and table.phase in NO_MATCH
        return False

    def _chat(self, presence: Presence, guest: Guest, table: Table, text: str) -> Outbox:
        if not text:
            return []
        now = self._clock()
        if presence.visitor.address and not presence.chat_budget.take(now):
            raise Illegal(words("You are writing too fast; wait a moment."))
        if table.seats.at(guest.id) == NOBODY and not self._chat_budgets.take(table.id, now):
            raise Illegal(words("Spectators are writing too fast; wait a moment."))
        return self._store(*transitions.say(table, guest.id, text))

    def _remove(self, table: Table, guest: Guest, name: str) -> Outbox:
        if guest.token != table.moderator_token(self._clock()):
            raise Illegal(
                words(
                    "Only the player who opened the table can remove others; if that player has left, the first one "
                    "here can."
                )
            )
        if name == guest.name:
            raise Illegal(words("You cannot remove yourself."))
        changed_table, outbox, removed_guest = transitions.remove(table, name, self._clock())
        self._store(changed_table, outbox)
        return (
            outbox
            if removed_guest == NOBODY
            else [*outbox, self._send_to_lobby(removed_guest, words("You were removed from that table."))]
        )

    def _sit(self, table: Table, presence: Presence, guest: Guest, pledge: str) -> Outbox:
        """Seat a guest; if they sit there already through another connection, that one leaves the table."""
        other_connection = table.sitting_connection(guest)
        outbox = self._store(*transitions.sit(table, guest, self._clock(), pledge))
        if other_connection not in (NOBODY, guest.id):
            outbox.append(self._send_to_lobby(other_connection, words("You took your seat from another terminal.")))
        return self._join(presence, guest, table.id, outbox)

    def _joinable_table(self, number: int, presence: Presence, guest: Guest, code: str) -> Table:
        """Return a table that this guest may join. Raises Illegal."""
        self._quarantined_tables.check(number)
        return self._open_tables.find(number, presence, guest, code)

    def _join(self, presence: Presence, guest: Guest, table_number: int, outbox: Outbox) -> Outbox:
        """Record the table of a guest, and let them leave the former one."""
        former_table, presence.table = presence.table, table_number
        if former_table in (0, table_number):
            return outbox
        return self._store(*transitions.leave(self.tables[former_table], guest.id, self._clock())) + outbox

    def _send_to_lobby(self, connection: int, reason: Words | None) -> tuple[int, Left]:
        """Send a connection back to the lobby."""
        self._present[connection].table = 0
        return connection, Left(reason)

    def _store(self, table: Table, outbox: Outbox) -> Outbox:
        self._open_tables.put(table)
        return outbox


TableRequest = (
    Act | Ready | FillWithBots | Reveal | Pause | SetPace | Skip | TakeBack | AllowHints | EndMatch | Recall | Attest
)


def apply_request(table: Table, guest: Guest, message: TableRequest, now: float, key: str) -> tuple[Table, Outbox]:
    """Apply a guest's request; `key` is the fingerprint of their key, if they have one. Raises Illegal."""
    match message:
        case Act():
            return transitions.act(table, guest.id, message, now)
        case Ready(pledge=pledge, same=same):
            check_pledge(pledge)
            repeated = transitions.play_again(table, guest.id, now, same) if same else None
            return repeated or transitions.mark_ready(table, guest.id, now, pledge)
        case Reveal(share=share):
            return transitions.reveal(table, guest.id, share, now)
        case Recall():
            return table, transitions.recall(table, guest.id)
        case Attest():
            return transitions.attest(table, guest, key, message), []
        case FillWithBots():
            return transitions.fill(table, guest, now)
        case Pause(on=on):
            return transitions.pause(table, guest.id, on, now)
        case SetPace(pace=pace):
            return transitions.set_pace(table, guest.id, pace, now)
        case Skip():
            return transitions.skip(table, guest.id)
        case TakeBack(seat=seat):
            return transitions.take_back(table, guest.id, seat, now)
        case AllowHints(seat=seat):
            return transitions.allow_hints(table, guest.id, seat, now)
        case EndMatch(resigns=resigns):
            return transitions.end_match(table, guest.id, now, resigns=resigns)
