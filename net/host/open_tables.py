"""The tables of a host: opening one within limits, finding one, and what has changed. No input or output."""

from collections.abc import Callable, Iterable, Mapping, Set
from typing import Protocol

from core.bots.questions import AT_TABLES, no_bot
from core.games import game
from core.layout.state import NOBODY
from core.options import Value, resolve
from core.words import Illegal, several_words, words
from net.host.listing import Listing
from net.host.presence import Presence
from net.limits import MAX_TABLES, MAX_TIME, MIN_TIME, TABLES_PER_ADDRESS, TABLES_PER_PLAYER, WRONG_CODES
from net.players.codes import TABLE_CODE, same_code
from net.table.playing import put_bots
from net.table.recorded_match import Dealer
from net.table.snapshot import Change, Snapshot
from net.table.table import Guest, Pace, Table, Terms, new_table, resumed
from net.wire.messages import MakeTable


class TableNumbers(Protocol):
    """Where new tables get their numbers."""

    @property
    def next(self) -> int:
        """The number of the next table; 0 when none can be given now."""

    def take(self) -> int:
        """Give a table the next number."""

    def skip(self, number: int) -> None:
        """Note that a table from an earlier run has this number."""


class Counted:
    """Numbers of one host, which counts."""

    def __init__(self, last: int = 0) -> None:
        """`last` is the highest number that a table ever had."""
        self._last = last

    @property
    def next(self) -> int:
        """The number of the next table."""
        return self._last + 1

    def take(self) -> int:
        """Give a table the next number."""
        self._last += 1
        return self._last

    def skip(self, number: int) -> None:
        """Note that a table from an earlier run has this number."""
        self._last = max(self._last, number)


def check_room(tables: int, own: int, near: int) -> None:
    """Raise Illegal when as many tables are open as there may be: in all, by one player (`own`), from one address."""
    if tables >= MAX_TABLES:
        raise Illegal(
            several_words(
                "The host is full: it has {count} table.", "The host is full: it has {count} tables.", MAX_TABLES
            )
        )
    if own >= TABLES_PER_PLAYER:
        raise Illegal(
            several_words(
                "You already have {count} table open; leave it first.",
                "You already have {count} tables open; leave one of them first.",
                TABLES_PER_PLAYER,
            )
        )
    if near >= TABLES_PER_ADDRESS:
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
        codes: Callable[[int], str],
        numbers: TableNumbers,
    ) -> None:
        """`house_rules` are, by game, what a new table has where its maker does not choose otherwise."""
        self.now: dict[int, Table] = {}
        self._before: dict[int, Table] = {}
        self._closed: list[int] = []
        self._listing = Listing()
        self._unlisted: set[int] = set()
        """Tables that may be other than they are listed."""
        self._news: set[int] = set()
        """Tables that are listed otherwise than when the changes were last taken."""
        self._dealer = dealer
        self._pace = pace
        self._house_rules = house_rules
        self._codes = codes
        self._numbers = numbers
        self._opened_from: dict[int, str] = {}
        """By table, the address of who opened it; of tables from an earlier run it is not known any more."""

    def put(self, table: Table) -> None:
        """Replace a table by what it is now."""
        self._before.setdefault(table.id, self.now[table.id])
        self._unlisted.add(table.id)
        self.now[table.id] = table

    def close(self, number: int) -> None:
        """Forget a table, and have it forgotten where it is saved."""
        if number in self.now:
            self._closed.append(number)
        self.forget(number)

    def forget(self, number: int) -> None:
        """Forget a table that another host runs now."""
        if self.now.pop(number, None) is not None:
            self._unlisted.add(number)
        self._before.pop(number, None)
        self._opened_from.pop(number, None)

    def take_changes(self, now: float) -> tuple[list[Change], Set[int]]:
        """Return what to save of the tables put or closed since the last call, and which are listed otherwise."""
        changes = [Change(number, None) for number in self._closed]
        changes += [self.now[number].change_since(before, now) for number, before in self._before.items()]
        self.listing(now)
        news, self._news = self._news, set()
        self._before.clear()  # last: what fails before is taken with the next call
        self._closed.clear()
        return changes, news

    def listing(self, now: float) -> Listing:
        """All tables as lobbies show them at this time."""
        try:
            self._list_anew(now)
        except Exception:  # what is half listed would fail again
            self._news |= {*self._listing, *self.now}
            self._listing, self._unlisted = Listing(), set(self.now)
            raise
        return self._listing

    def _list_anew(self, now: float) -> None:
        while self._unlisted:
            number = self._unlisted.pop()
            table = self.now.get(number)
            if table is None:
                self._listing.drop(number)
                self._news.add(number)
            else:
                tokens = tuple(chair.token for chair in table.seats.chairs)
                if self._listing.put(table.info(now), tokens):
                    self._news.add(number)

    def find(self, number: int, presence: Presence, guest: Guest, code: str) -> Table:
        """A table that this guest may come to. Raises Illegal, and counts wrong codes."""
        table = self.now.get(number)
        if table is None:
            raise Illegal(words("That table no longer exists."))
        if not table.terms.code or table.seat_of(guest) != NOBODY or number == presence.table:
            return table
        if not code:
            raise Illegal(words("That table is private; you need its code."))
        if presence.wrong_codes >= WRONG_CODES or not same_code(code, table.terms.code):
            presence.wrong_codes += 1
            raise Illegal(words("That is the wrong code for this table."))
        presence.wrong_codes = 0
        return table

    def open(self, wish: MakeTable, guest: Guest, address: str) -> Table:
        """Open a table as a guest at this address wishes, with its bots. Raises Refusal."""
        self._check_room(guest, address)
        bots = len(wish.levels) or wish.bots
        if not 0 <= bots < wish.players:
            most = max(0, wish.players - 1)
            raise Illegal(words("A table for {players} can have 0 to {most} bots.", players=wish.players, most=most))
        for limit in (wish.turn_time, wish.match_time):
            if limit and not MIN_TIME <= limit <= MAX_TIME:
                raise Illegal(words("A time limit is {least} to {most} seconds.", least=MIN_TIME, most=MAX_TIME))
        options = {**self._house_rules.get(wish.game, {}), **wish.options}
        code = self._codes(TABLE_CODE) if wish.private else ""
        terms = Terms(wish.turn_time, wish.match_time, code, wish.hints, wish.take_back)
        if not self._numbers.next:
            raise Illegal(words("No table can be opened right now; try again in a moment."))
        variant = game(wish.game)
        resolve(variant.options, options)  # a new table has the rules of today
        table = new_table(self._numbers.next, variant, wish.players, options, self._dealer, self._pace, terms)
        levels = wish.levels or (wish.level,) * bots  # not before the game has refused a billion players
        unknown = [level for level in levels if level not in AT_TABLES]
        if unknown:
            raise Illegal(no_bot(unknown[0], AT_TABLES))
        self._numbers.take()
        self.now[table.id] = table
        self._opened_from[table.id] = address
        self.put(put_bots(table, levels))
        return self.now[table.id]

    def resume(self, snapshot: Snapshot, lines: Iterable[str], now: float) -> None:
        """Take up a table that was saved. Raises `core.records.RecordError` or Refusal when that cannot be done."""
        table = resumed(snapshot, lines, self._dealer, self._pace, now)
        self.now[table.id] = table
        self._unlisted.add(table.id)
        self._numbers.skip(table.id)

    def opened_from(self, number: int) -> str:
        """The address of who opened a table; empty where it is not known (any more)."""
        return self._opened_from.get(number, "")

    def _check_room(self, guest: Guest, address: str) -> None:
        """Raise Illegal when there are as many tables as there may be, of all, of one guest or from one address."""
        own = sum(table.maker == guest.token for table in self.now.values())
        near = sum(self._opened_from.get(number) == address for number in self.now) if address else 0
        check_room(len(self.now), own, near)
