"""The lobby: who is in the house, which tables there are, and who is where. It does no input or output."""

from collections.abc import Callable, Mapping
from typing import Protocol

from msgspec import Struct

from core.bots import BOTS, no_bot
from core.games import game
from core.layout import NOBODY
from core.options import Value
from core.words import Illegal, Refusal, words
from net.limits import CHAT_LENGTH, MAX_TABLES
from net.messages import (
    PROTOCOL,
    Act,
    Bye,
    Enter,
    Entered,
    Fill,
    Goodbye,
    Greeting,
    Hello,
    Leave,
    Left,
    MakeTable,
    Ready,
    Refused,
    Say,
    Sit,
    Tables,
    ToHost,
    Watch,
)
from net.table import AT_ONCE, Guest, Outbox, Pace, Table
from net.text import clean, clean_name


class Names(Protocol):
    """Remembers under which name a key came in."""

    def name_of(self, token: str) -> str:
        """The name that goes with a token; empty when it is unknown."""

    def owner_of(self, name: str) -> str:
        """The token that a name belongs to, whatever its case; empty when it is free."""

    def remember(self, token: str, name: str) -> None:
        """Keep a name for a token."""


class Visitor(Struct, frozen=True):
    """Who is at the door: the user name he asked for, and what he will be recognised by."""

    user: str = ""
    token: str = ""
    """The fingerprint of his key, or something weaker; empty for somebody new every time."""
    keeps_name: bool = False
    """Whether the token is strong enough that a name may belong to it."""


class _Presence(Struct):
    """Where one connection stands."""

    visitor: Visitor
    greeted: bool = False
    guest: Guest | None = None
    table: Table | None = None


class Lobby:
    """The authority over the house. Every method returns what is to be sent, as (connection, message) pairs.

    A connection that shall be closed gets a `Bye` as its last message. `changed` holds the tables that a
    call has touched, for the owner to look at their `delay` and `record`.
    """

    def __init__(
        self,
        names: Names,
        *,
        seeds: Callable[[], bytes],
        software: str,
        pace: Pace = AT_ONCE,
        house_rules: Mapping[str, Mapping[str, Value]] | None = None,
    ) -> None:
        """`house_rules` are, by game, what a new table has where its maker does not choose otherwise."""
        self._house_rules = {name: dict(rules) for name, rules in (house_rules or {}).items()}
        self.tables: dict[int, Table] = {}
        self.changed: set[Table] = set()
        self._present: dict[int, _Presence] = {}
        self._names = names
        self._seeds = seeds
        self._software = software
        self._pace = pace
        self._last_table = 0

    def arrive(self, connection: int, visitor: Visitor) -> None:
        """Note a new connection; it must say Hello first."""
        self._present[connection] = _Presence(visitor)

    def depart(self, connection: int) -> Outbox:
        """Note that a connection is gone, for whatever reason; harmless when it already was."""
        presence = self._present.get(connection)
        if presence is None:
            return []
        out = self._leave_table(connection, presence)
        del self._present[connection]
        return out

    def receive(self, connection: int, message: ToHost) -> Outbox:
        """Answer one message. It never raises for what a guest did."""
        presence = self._present.get(connection)
        if presence is None:
            return []
        try:
            if presence.guest is None:
                return self._at_the_door(connection, presence, message)
            return self._inside(connection, presence, presence.guest, message)
        except Refusal as refusal:
            return [(connection, Refused(refusal.reason))]

    def step(self, table: Table) -> Outbox:
        """Let a table do what is due by itself."""
        self.changed.add(table)
        before = table.info()
        out = table.step()
        return out + (self._news() if table.info() != before else [])

    def close(self, table: Table) -> Outbox:
        """Close a table that nobody is at any more."""
        self.tables.pop(table.id, None)
        return self._news()

    # At the door

    def _at_the_door(self, connection: int, presence: _Presence, message: ToHost) -> Outbox:
        match message:
            case Hello(protocol=protocol) if protocol != PROTOCOL:
                reason = words(
                    "This host speaks protocol {ours}, you speak {theirs}; use the same version of Boneyard.",
                    ours=PROTOCOL,
                    theirs=protocol,
                )
                return [(connection, Bye(reason))]
            case Hello():
                presence.greeted = True
                known = self._names.name_of(presence.visitor.token)
                name = known or clean_name(presence.visitor.user)
                return [(connection, Greeting(PROTOCOL, self._software, name, bool(known), self._house_rules))]
            case Enter(name=name) if presence.greeted:
                return self._enter(connection, presence, name)
            case Goodbye():
                return [(connection, Bye())]
        return [(connection, Bye(words("The first message must be a greeting.")))]

    def _enter(self, connection: int, presence: _Presence, text: str) -> Outbox:
        name = clean_name(text)
        if not name:
            raise Illegal(words("A name needs at least one letter or digit."))
        token = self._token(connection, presence.visitor)
        owner = self._names.owner_of(name)
        if owner and owner != token:
            raise Illegal(words("The name {name} belongs to somebody else; choose another.", name=name))
        for other in self._present.values():
            if other.guest and other.guest.name.casefold() == name.casefold() and other.guest.token != token:
                raise Illegal(words("Somebody here is called {name}; choose another name.", name=name))
        if presence.visitor.keeps_name:
            self._names.remember(token, name)
        presence.guest = Guest(connection, name, token)
        return [(connection, Entered(name)), (connection, self._list(presence.guest))]

    def _token(self, connection: int, visitor: Visitor) -> str:
        """What a visitor is recognised by; who is weakly recognised never stands in for somebody who is here."""
        here = any(other.guest and other.guest.token == visitor.token for other in self._present.values())
        if not visitor.token or (here and not visitor.keeps_name):
            return f"connection {connection}"
        return visitor.token

    # Inside

    def _inside(self, connection: int, presence: _Presence, guest: Guest, message: ToHost) -> Outbox:
        match message:
            case MakeTable():
                return self._make_table(presence, guest, message)
            case Sit(table=number):
                return self._sit(self._table(number), presence, guest)
            case Watch(table=number):
                table = self._table(number)
                return self._come_to(table, presence, table.watch(guest))
            case Leave():
                out = self._leave_table(connection, presence)
                return [*out, (connection, Left()), (connection, self._list(guest))]
            case Goodbye():
                return [(connection, Bye())]
            case Hello() | Enter():
                raise Illegal(words("You are already in the house."))
        if presence.table is None:
            raise Illegal(words("You are not at a table."))
        return self._at_table(connection, guest, presence.table, message)

    def _at_table(self, connection: int, guest: Guest, table: Table, message: Act | Ready | Fill | Say) -> Outbox:
        match message:
            case Act():
                self.changed.add(table)
                return table.act(connection, message)
            case Ready():
                return self._touched(table, table.ready(connection))
            case Fill():
                if table.seat_of(guest) == NOBODY:
                    raise Illegal(words("Only who has a seat can fill the table with bots."))
                return self._touched(table, table.fill(next(iter(BOTS))))
            case Say(text=text):
                said = clean(text, CHAT_LENGTH)
                return table.say(connection, said) if said else []

    def _make_table(self, presence: _Presence, guest: Guest, wish: MakeTable) -> Outbox:
        if len(self.tables) >= MAX_TABLES:
            raise Illegal(words("The house is full: there are {count} tables.", count=MAX_TABLES))
        bots = len(wish.levels) or wish.bots
        if not 0 <= bots < wish.players:
            most = max(0, wish.players - 1)
            raise Illegal(words("A table for {players} can have 0 to {most} bots.", players=wish.players, most=most))
        table = Table(
            self._last_table + 1,
            game(wish.game),
            wish.players,
            {**self._house_rules.get(wish.game, {}), **wish.options},
            seeds=self._seeds,
            software=self._software,
            pace=self._pace,
        )
        levels = wish.levels or (wish.level,) * bots  # not before the game has refused a billion players
        unknown = [level for level in levels if level not in BOTS]
        if unknown:
            raise Illegal(no_bot(unknown[0]))
        self._last_table += 1
        self.tables[table.id] = table
        table.put_bots(levels)
        return self._sit(table, presence, guest)

    def _sit(self, table: Table, presence: _Presence, guest: Guest) -> Outbox:
        """Seat a guest; if he sits there already through another connection, that one gives way."""
        other = table.sitting(guest)
        out = table.sit(guest)
        if other not in (NOBODY, guest.id):
            self._present[other].table = None
            out.append((other, Left(words("You sat down there from another terminal."))))
        return self._come_to(table, presence, out)

    def _table(self, number: int) -> Table:
        table = self.tables.get(number)
        if table is None:
            raise Illegal(words("That table is no longer there."))
        return table

    def _come_to(self, table: Table, presence: _Presence, out: Outbox) -> Outbox:
        """Note where a guest now is, and let him go from where he was."""
        before = presence.table
        presence.table = table
        if before is not None and before is not table and presence.guest is not None:
            self.changed.add(before)
            out = before.leave(presence.guest.id) + out
        return self._touched(table, out)

    def _leave_table(self, connection: int, presence: _Presence) -> Outbox:
        table = presence.table
        if table is None:
            return []
        presence.table = None
        return self._touched(table, table.leave(connection))

    def _touched(self, table: Table, out: Outbox) -> Outbox:
        self.changed.add(table)
        return out + self._news()

    def _news(self) -> Outbox:
        """Tell everybody who is in the lobby itself how the tables are now."""
        return [
            (connection, self._list(presence.guest))
            for connection, presence in self._present.items()
            if presence.guest is not None and presence.table is None
        ]

    def _list(self, guest: Guest) -> Tables:
        yours = next((t.id for t in self.tables.values() if t.seat_of(guest) != NOBODY), NOBODY)
        return Tables(tuple(table.info() for table in self.tables.values()), yours)
