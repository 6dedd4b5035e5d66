"""The lobby: answers all guests of the host, at tables or not. It does no input or output.

Every call that may change something returns its `Effects`. The `Front` answers guests who are not at a table, the
`TableHost` those who join one or are there.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from time import monotonic

from msgspec import Struct

from core.actions import Action
from core.layout.state import NOBODY
from core.records import NO_SIGNING, Signing
from core.variant import Value
from core.words import Refusal, Words, words
from net.host.front import Front, Listing, QuarantinedTables
from net.host.presence import Greeter, Presence
from net.host.table_host import CLOSED, OpenTables, TableCounter, TableHost, TableNumbers
from net.players.accounts import Accounts, Entry
from net.players.text import new_code
from net.table import transitions
from net.table.persistence import Change, Dealer, Snapshot
from net.table.table import INSTANT, Outbox, Pace, Table
from net.wire.messages import Bye, Refused, Said, ToHost


class Effects(Struct, frozen=True):
    """Result of a call of the lobby, for its caller to carry out."""

    messages: Outbox = []
    """Messages to send once the changes are saved, as (connection, message) pairs. After a `Bye` the connection ends.
    """
    changes: Sequence[Change] = ()
    """All tables that the call has touched. The timers of these tables must be set again."""
    account_entries: Sequence[Entry] = ()
    """Changes of accounts and bans."""
    relisted: Set[int] = frozenset()
    """Tables whose list entry has changed. Guests in the lobby get the changes from `Front.page_updates`."""


COUNTED_SAVE_TIME = 0.5
"""Seconds for which saving counts as a player's time; beyond that, the clock stands still."""


class HostClock:
    """The time of a host, in seconds. It stands still during a long save, because messages wait for the save too."""

    def __init__(self, clock: Callable[[], float]) -> None:
        """`clock` never stands still."""
        self._clock = clock
        self._stopped_total = 0.0
        self._saving_since: float | None = None

    def __call__(self) -> float:
        """Return the time."""
        return self._clock() - self._stopped_total - self._stopped_seconds()

    @property
    def is_stopped(self) -> bool:
        """True while it stands still."""
        return self._stopped_seconds() > 0

    def begin_saving(self) -> None:
        """Note that a save has begun."""
        if self._saving_since is None:
            self._saving_since = self._clock()

    def end_saving(self) -> bool:
        """Note that the save has ended; return True if the clock stood still meanwhile."""
        stopped_seconds = self._stopped_seconds()
        self._stopped_total += stopped_seconds
        self._saving_since = None
        return stopped_seconds > 0

    def _stopped_seconds(self) -> float:
        return 0.0 if self._saving_since is None else max(0.0, self._clock() - self._saving_since - COUNTED_SAVE_TIME)


class Lobby:
    """The authority over the host: its guests, its tables, and the place of each guest."""

    def __init__(
        self,
        accounts: Accounts,
        *,
        new_secret: Callable[[], bytes],
        software: str,
        pace: Pace = INSTANT,
        house_rules: Mapping[str, Mapping[str, Value]] | None = None,
        clock: Callable[[], float] = monotonic,
        codes: Callable[[int], str] = new_code,
        last_table: int = 0,
        numbers: TableNumbers | None = None,
        signing: Signing = NO_SIGNING,
        returning: bool = False,
    ) -> None:
        """Create a lobby.

        - `new_secret` returns the host's secret for each match; `signing` seals the records.
        - `numbers` gives new tables their numbers; by default those after `last_table`.
        - `house_rules` are, by game, the options of a new table whose maker does not choose them.
        - `clock` returns the time in seconds; `codes` a secret of the given length.
        - `returning` is as for `Front`.
        """
        rules = house_rules or {}
        self.accounts = accounts
        self.quarantined_tables = QuarantinedTables()
        self.clock = HostClock(clock)
        self._open_tables = OpenTables(
            Dealer(new_secret, software, signing), pace, rules, codes, numbers or TableCounter(last_table)
        )
        self.tables: Mapping[int, Table] = self._open_tables.current
        """All tables by number, in their current state."""
        self.opening_address = self._open_tables.opening_address
        login = Greeter(accounts, codes, software, rules)
        self.front = Front(login, self.listing, self.quarantined_tables, self.clock, returning=returning)
        self.present: Mapping[int, Presence] = self.front.present
        """All connections, by number."""
        self._tables = TableHost(
            self._open_tables, self.quarantined_tables, self.front.present, self.clock, self.front.maintenance
        )

    def delay(self, number: int, *, thinking: bool = False) -> float | None:
        """Return the seconds until `step` is due, which waits for a bot's `thinking`; None if no step is due by
        itself.
        """
        return transitions.delay(self.tables[number], self.clock(), thinking=thinking)

    def resume(self, snapshot: Snapshot, lines: Iterable[str]) -> None:
        """Resume a saved table. Raises `core.records.RecordError` or Refusal if that is impossible."""
        self._open_tables.resume(snapshot, lines, self.clock())

    def admit(self, connection: int, name: str, token: str) -> Effects:
        """Give a guest of a gateway the requested name. Raises Illegal if they cannot have it."""
        return self._collect_effects(self.front.admit(connection, name, token))

    def is_playing(self, connection: int) -> bool:
        """Return True if a connection is at a table at which its guest has a seat."""
        presence = self.present.get(connection)
        table = self.tables.get(presence.table) if presence else None
        return bool(presence and presence.guest and table and table.seat_of(presence.guest) != NOBODY)

    def disconnect(self, connection: int, *, excused: bool = False) -> Effects:
        """Handle the loss of a connection; harmless if it was lost before, or has said goodbye.

        It is `excused` if the host's own machines have caused the loss.
        """
        presence = self.present.get(connection)
        outbox = [] if presence is None else self._tables.leave(connection, presence, lost=True, excused=excused)
        self.front.disconnect(connection)
        return self._collect_effects(outbox)

    def receive(self, connection: int, message: ToHost) -> Effects:
        """Answer a message. Never raises for a guest's mistake."""
        presence = self.present.get(connection)
        if presence is None:
            return Effects()
        try:
            outbox = self.front.receive(connection, presence, message)
            if outbox is None and presence.guest is not None:
                outbox = self.front.with_pages(self._tables.receive(presence, presence.guest, message))
        except Refusal as refusal:
            outbox = [(connection, Refused(refusal.reason))]
        return self._collect_effects(outbox or [])

    def step(self, number: int, thought: Action | None = None, *, thinking: bool = False) -> Effects:
        """Apply a table's own next step; `thought` is the action of the bot on turn, if it has decided."""
        return self._collect_effects(self._tables.step(number, thought, thinking=thinking))

    def close(self, number: int, reason: Words = CLOSED) -> Effects:
        """Close a table; its guests go to the lobby."""
        return self._collect_effects(self.front.with_pages(self._tables.close(number, reason)))

    def drop_quarantined(self, number: int) -> Effects:
        """Discard a quarantined table."""
        self.quarantined_tables.tables.pop(number, None)
        return Effects(changes=[Change(number, None)])

    def forget(self, numbers: Iterable[int]) -> Effects:
        """Discard tables that another host runs now. Their guests go to the lobby, or back to their gateway."""
        outbox: Outbox = []
        for number in sorted(set(numbers) & self.tables.keys()):
            reason = words("Table {number} is now run by another machine.", number=number)
            for connection, message in self._tables.send_away(number, reason):
                outbox.append((connection, Bye(reason, again=True) if self.present[connection].attached else message))
            self._open_tables.forget(number)
        return self._collect_effects(self.front.with_pages(outbox))

    def save(self, numbers: Iterable[int]) -> Effects:
        """Save the current state of some tables, in particular their clocks."""
        for number in numbers:
            self._open_tables.put(self.tables[number])
        return self._collect_effects([])

    def save_all(self) -> Effects:
        """Save the current state of every table."""
        return self.save(list(self.tables))

    def ban(self, who: str, why: str, since: str) -> Effects:
        """Ban a key or address; `since` is the `Banned.since`, with the day and perhaps an end."""
        self.accounts.ban(who, why, since)
        return self._collect_effects([])

    def pardon(self, who: str) -> Effects:
        """Lift a ban."""
        self.accounts.pardon(who)
        return self._collect_effects([])

    def forget_account(self, token: str) -> Effects:
        """Delete the stored data of an account, except for its bans."""
        self.accounts.forget(token)
        return self._collect_effects([])

    def set_notice(self, text: str) -> Effects:
        """Show a notice to everybody who enters; an empty text removes it."""
        self.accounts.set_notice(text)
        return self._collect_effects([])

    def remove_players(self, kind: str, value: str, reason: Words) -> Effects:
        """Disconnect all guests with this `key`, `address` or `name`, as `kind` says."""
        return self._collect_effects(self.front.goodbye_to(kind, value, reason))

    def announce(self, message: Said) -> Effects:
        """Send a message of the host to everybody at a table."""
        return Effects(self._tables.announce(message))

    def listing(self) -> Listing:
        """Return the list of all tables."""
        return self._open_tables.listing(self.clock())

    def _collect_effects(self, outbox: Outbox) -> Effects:
        changes, relisted = self._open_tables.take_changes(self.clock())
        entries, self.accounts.unsaved = self.accounts.unsaved, []
        return Effects(outbox, changes, entries, relisted)
