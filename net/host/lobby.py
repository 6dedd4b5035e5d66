"""The lobby: answers everybody on the host, wherever they are. It does no input or output.

Every call that may change something returns its `Effects`. The `Front` answers who is not at a table yet, the
`TableHost` who comes to one.
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
from net.table import playing
from net.table.saved import Change, Dealer, Snapshot
from net.table.table import INSTANT, Outbox, Pace, Table
from net.wire.messages import Bye, Refused, ToHost


class Effects(Struct, frozen=True):
    """What a call of the lobby asks its caller to do."""

    messages: Outbox = []
    """What to send, as (connection, message) pairs, once the changes are saved. After a `Bye` the connection ends."""
    changes: Sequence[Change] = ()
    """Every table that the call has touched. What happens there by itself may be due at another time now."""
    people: Sequence[Entry] = ()
    """What is new about accounts and bans."""
    news: Set[int] = frozenset()
    """The tables that are listed otherwise than before. Those in the lobby hear of it by `Front.news`."""


SAVED_SOON = 0.5
"""Seconds that saving may take of a player's time; what it takes beyond is nobody's."""


class HostClock:
    """The time of a host, in seconds: it stands still while something cannot be saved, and so is not told either."""

    def __init__(self, clock: Callable[[], float]) -> None:
        """`clock` never stands still."""
        self._clock = clock
        self._stood = 0.0
        self._saving_since: float | None = None

    def __call__(self) -> float:
        """Tell the time."""
        return self._clock() - self._stood - self._stands_for()

    @property
    def stands(self) -> bool:
        """Whether it stands still."""
        return self._stands_for() > 0

    def save(self) -> None:
        """Note that something is to be saved from now on."""
        if self._saving_since is None:
            self._saving_since = self._clock()

    def saved(self) -> bool:
        """Note that it is saved; return whether the clock stood still meanwhile."""
        stood = self._stands_for()
        self._stood += stood
        self._saving_since = None
        return stood > 0

    def _stands_for(self) -> float:
        return 0.0 if self._saving_since is None else max(0.0, self._clock() - self._saving_since - SAVED_SOON)


class Lobby:
    """The authority over the host: who is here, which tables there are, and who is where."""

    def __init__(
        self,
        accounts: Accounts,
        *,
        seeds: Callable[[], bytes],
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
        """`seeds` gives the host's secret for each match, `signing` seals the records. New tables get their numbers
        from `numbers`, or else those after `last_table`.

        `house_rules` are, by game, what a new table has where its maker does not choose otherwise.
        `clock` tells the time in seconds, `codes` makes secrets of so many characters. `returning` is as for `Front`.
        """
        rules = house_rules or {}
        self.accounts = accounts
        self.lost_tables = QuarantinedTables()
        self.clock = HostClock(clock)
        self._open = OpenTables(
            Dealer(seeds, software, signing), pace, rules, codes, numbers or TableCounter(last_table)
        )
        self.tables: Mapping[int, Table] = self._open.now
        """All by number, as they are now."""
        self.opened_from = self._open.opened_from
        login = Greeter(accounts, codes, software, rules)
        self.front = Front(login, self.listing, self.lost_tables, self.clock, returning=returning)
        self.present: Mapping[int, Presence] = self.front.present
        """Everybody who is connected, by connection."""
        self._tables = TableHost(self._open, self.lost_tables, self.front.present, self.clock)

    def delay(self, number: int, *, thinking: bool = False) -> float | None:
        """Seconds until `step` is due, which waits for a bot's `thinking`; None while nothing happens by itself."""
        return playing.delay(self.tables[number], self.clock(), thinking=thinking)

    def resume(self, snapshot: Snapshot, lines: Iterable[str]) -> None:
        """Resume a table that was saved. Raises `core.records.RecordError` or Refusal when that cannot be done."""
        self._open.resume(snapshot, lines, self.clock())

    def admit(self, connection: int, name: str, token: str) -> Effects:
        """Give a guest of a gateway the name that they ask for there. Raises Illegal when they cannot have it."""
        return self._effects(self.front.admit(connection, name, token))

    def plays(self, connection: int) -> bool:
        """Whether a connection is at a table at which its guest has a seat."""
        presence = self.present.get(connection)
        table = self.tables.get(presence.table) if presence else None
        return bool(presence and presence.guest and table and table.seat_of(presence.guest) != NOBODY)

    def disconnect(self, connection: int, *, excused: bool = False) -> Effects:
        """Note that a connection is lost; harmless when it already was, or had said goodbye.

        It is `excused` if the fault is with the host's own machines.
        """
        presence = self.present.get(connection)
        out = [] if presence is None else self._tables.leave(connection, presence, lost=True, excused=excused)
        self.front.disconnect(connection)
        return self._effects(out)

    def receive(self, connection: int, message: ToHost) -> Effects:
        """Answer one message. It never raises for what a guest did."""
        presence = self.present.get(connection)
        if presence is None:
            return Effects()
        try:
            out = self.front.receive(connection, presence, message)
            if out is None and presence.guest is not None:
                out = self.front.with_pages(self._tables.receive(presence, presence.guest, message))
        except Refusal as refusal:
            out = [(connection, Refused(refusal.reason))]
        return self._effects(out or [])

    def step(self, number: int, thought: Action | None = None, *, thinking: bool = False) -> Effects:
        """Let a table do what is due by itself; `thought` is what the bot on turn has thought of, if it has."""
        return self._effects(self._tables.step(number, thought, thinking=thinking))

    def close(self, number: int, reason: Words = CLOSED) -> Effects:
        """Close a table; whoever is there goes to the lobby."""
        return self._effects(self.front.with_pages(self._tables.close(number, reason)))

    def drop_lost(self, number: int) -> Effects:
        """Forget a table that could not be resumed."""
        self.lost_tables.tables.pop(number, None)
        return Effects(changes=[Change(number, None)])

    def forget(self, numbers: Iterable[int]) -> Effects:
        """Forget tables that another host runs now. Whoever is there goes to the lobby, or back to their gateway."""
        out: Outbox = []
        for number in sorted(set(numbers) & self.tables.keys()):
            reason = words("Table {number} is now run by another machine.", number=number)
            for connection, left in self._tables.send_away(number, reason):
                out.append((connection, Bye(reason, again=True) if self.present[connection].attached else left))
            self._open.forget(number)
        return self._effects(self.front.with_pages(out))

    def save(self, numbers: Iterable[int]) -> Effects:
        """Have some tables saved as they are at this moment, their clocks above all."""
        for number in numbers:
            self._open.put(self.tables[number])
        return self._effects([])

    def save_all(self) -> Effects:
        """Have every table saved as it is at this moment."""
        return self.save(list(self.tables))

    def ban(self, who: str, why: str, since: str) -> Effects:
        """Let nobody in with this key or address any more; `since` is a day."""
        self.accounts.ban(who, why, since)
        return self._effects([])

    def pardon(self, who: str) -> Effects:
        """Let somebody in again."""
        self.accounts.pardon(who)
        return self._effects([])

    def forget_account(self, token: str) -> Effects:
        """Remove what is stored about an account, except for its bans."""
        self.accounts.forget(token)
        return self._effects([])

    def put_up(self, text: str) -> Effects:
        """Show a notice to everybody who enters; an empty text ends it."""
        self.accounts.put_up(text)
        return self._effects([])

    def remove_players(self, kind: str, value: str, reason: Words) -> Effects:
        """Remove everybody with this `key`, `address` or `name`, as `kind` says."""
        return self._effects(self.front.goodbye_to(kind, value, reason))

    def announce(self, text: str) -> Effects:
        """Let everybody at a table hear what the host has to say."""
        return Effects(self._tables.announce(text))

    def listing(self) -> Listing:
        """All tables as lobbies show them."""
        return self._open.listing(self.clock())

    def _effects(self, out: Outbox) -> Effects:
        changes, news = self._open.take_changes(self.clock())
        entries, self.accounts.fresh = self.accounts.fresh, []
        return Effects(out, changes, entries, news)
