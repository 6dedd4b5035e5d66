"""The lobby: who is on the host, which tables there are, and who is where. It does no input or output."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from time import monotonic

from msgspec import Struct, field

from core.bots.levels import BOTS, no_bot
from core.fair import is_digest as is_pledge
from core.games import game
from core.layout.placed import NOBODY
from core.options import Value
from core.seals import NO_SIGNING, Signing
from core.words import Illegal, Refusal, Words, several_words, words
from net.host.access import canonical_address
from net.host.lost_tables import LostTables
from net.limits import (
    CHAT_AT_ONCE,
    CHAT_LENGTH,
    CHAT_PER_SECOND,
    COMINGS_AT_ONCE,
    COMINGS_PER_SECOND,
    MAX_CLAIMED,
    MAX_TABLES,
    MAX_TIME,
    MESSAGES_AT_ONCE,
    MESSAGES_IGNORED,
    MESSAGES_PER_SECOND,
    MIN_TIME,
    TABLES_PER_ADDRESS,
    TABLES_PER_PLAYER,
    WRONG_CODES,
)
from net.players.accounts import Accounts
from net.players.codes import RESUME_CODE, TABLE_CODE, by_code, new_code, same_code, token_of
from net.players.confusables import skeletons
from net.players.reserved_names import reserved
from net.players.text import clean, clean_name
from net.rate_limit import Bucket
from net.table.seats import Guest
from net.table.snapshot import Snapshot
from net.table.table import AT_ONCE, Outbox, Pace, Table, Terms
from net.wire.messages import (
    PROTOCOL,
    Act,
    Attest,
    Bye,
    EndMatch,
    Enter,
    Entered,
    Fill,
    Goodbye,
    Greeting,
    Hello,
    Leave,
    Left,
    MakeTable,
    Pause,
    Ready,
    Recall,
    Refused,
    Remove,
    Reveal,
    Said,
    Say,
    Sit,
    Tables,
    ToHost,
    Watch,
)

AtTable = Act | Ready | Fill | Say | Reveal | Pause | EndMatch | Remove | Recall | Attest
"""What only who is at a table can ask for."""


class Visitor(Struct, frozen=True):
    """Who connects: the user name he asked for, and what he will be recognised by."""

    user: str = ""
    key: str = ""
    """The fingerprint of his key; empty for a guest without one."""
    resume: str = ""
    """The code with which a guest without a key comes back."""
    address: str = ""
    """From where he comes; empty at a table of one's own, where nobody needs to be protected."""


class Presence(Struct):
    """Where one connection stands."""

    visitor: Visitor
    messages: Bucket
    chat: Bucket
    resume: str = ""
    greeted: bool = False
    guest: Guest | None = None
    table: Table | None = None
    joins: Bucket = field(default_factory=lambda: Bucket(COMINGS_PER_SECOND, COMINGS_AT_ONCE))
    ignored: int = 0
    """Messages that came too fast and were thrown away."""
    wrong_codes: int = 0


class Lobby:
    """The authority over the host. Every method returns what is to be sent, as (connection, message) pairs.

    What changes of the tables is told to those in the lobby by `news`, which its owner calls as often as he likes.

    A connection that shall be closed gets a `Bye` as its last message. `changed` holds the tables that a
    call has touched, for the owner to look at their `delay` and save them.
    """

    def __init__(
        self,
        accounts: Accounts,
        *,
        seeds: Callable[[], bytes],
        software: str,
        pace: Pace = AT_ONCE,
        house_rules: Mapping[str, Mapping[str, Value]] | None = None,
        clock: Callable[[], float] = monotonic,
        codes: Callable[[int], str] = new_code,
        last_table: int = 0,
        signing: Signing = NO_SIGNING,
    ) -> None:
        """`house_rules` are, by game, what a new table has where its maker does not choose otherwise.

        `clock` tells the time in seconds, `codes` makes secrets of so many characters, `signing` seals records.
        """
        self.accounts = accounts
        self.tables: dict[int, Table] = {}
        self.changed: set[Table] = set()
        self.present: dict[int, Presence] = {}
        self._house_rules = {name: dict(rules) for name, rules in (house_rules or {}).items()}
        self._seeds = seeds
        self._software = software
        self._pace = pace
        self._clock = clock
        self._codes = codes
        self._last_table = last_table
        self._signing = signing
        self._opened_from: dict[int, str] = {}
        """By table, the address of who opened it; of tables from an earlier run it is not known any more."""
        self._stale = False
        self.lost_tables = LostTables()

    def resume(self, snapshot: Snapshot, lines: Iterable[str]) -> None:
        """Take up a table that was saved. Raises `core.records.RecordError` or Refusal when that cannot be done."""
        table = self._new_table(
            snapshot.id,
            snapshot.game,
            len(snapshot.chairs),
            snapshot.chosen,
            Terms(snapshot.turn_time, snapshot.match_time, snapshot.code),
        )
        table.resume(snapshot, lines)
        self.tables[table.id] = table
        self.changed.add(table)
        self._last_table = max(self._last_table, table.id)

    def connect(self, connection: int, visitor: Visitor) -> None:
        """Note a new connection; it must say Hello first."""
        self.present[connection] = Presence(
            visitor,
            Bucket(MESSAGES_PER_SECOND, MESSAGES_AT_ONCE),
            Bucket(CHAT_PER_SECOND, CHAT_AT_ONCE),
            visitor.resume,
        )

    def plays(self, connection: int) -> bool:
        """Whether a connection is at a table at which its guest has a seat."""
        presence = self.present.get(connection)
        return bool(
            presence and presence.guest and presence.table and presence.table.seat_of(presence.guest) != NOBODY
        )

    def expects(self, visitor: Visitor) -> bool:
        """Whether a seat is kept for somebody who proves to be this visitor."""
        token = visitor.key or (token_of(visitor.resume) if visitor.resume else "")
        return bool(token) and any(table.seats.of(token) != NOBODY for table in self.tables.values())

    def disconnect(self, connection: int) -> Outbox:
        """Note that a connection is lost; harmless when it already was, or had said goodbye."""
        presence = self.present.pop(connection, None)
        return [] if presence is None else self._leave_table(connection, presence, lost=True)

    def receive(self, connection: int, message: ToHost) -> Outbox:
        """Answer one message. It never raises for what a guest did."""
        presence = self.present.get(connection)
        if presence is None:
            return []
        if presence.visitor.address and not presence.messages.take(self._clock()):
            return self._too_fast(connection, presence)
        presence.ignored = 0
        try:
            if presence.guest is None:
                return self._receive_login(connection, presence, message)
            return self._receive_entered(connection, presence, presence.guest, message)
        except Refusal as refusal:
            return [(connection, Refused(refusal.reason))]

    def step(self, table: Table) -> Outbox:
        """Let a table do what is due by itself."""
        self.changed.add(table)
        before = table.info()
        out = table.step()
        self._stale |= table.info() != before
        return out

    def close(self, table: Table) -> Outbox:
        """Close a table that nobody is at any more."""
        self.tables.pop(table.id, None)
        self._opened_from.pop(table.id, None)
        self.changed.add(table)
        out: Outbox = []
        for guest in table.guests:
            out += self._left(guest, words("The table was closed."))
        self._stale = True
        return out

    def news(self) -> Outbox:
        """Tell everybody who is in the lobby itself how the tables are now, if that has changed since it was told.

        Those who hear the same are given the same message, not one like it.
        """
        if not self._stale:
            return []
        self._stale = False
        guests = [
            (connection, presence.guest.token)
            for connection, presence in self.present.items()
            if presence.guest is not None and presence.table is None
        ]
        if not guests:
            return []
        infos, kept_for = tuple(table.info() for table in self.tables.values()), self._kept_for()
        lists: dict[int, Tables] = {}
        out: Outbox = []
        for connection, token in guests:
            yours = kept_for.get(token, NOBODY)
            out.append((connection, lists.setdefault(yours, Tables(infos, yours))))
        return out

    @property
    def stale(self) -> bool:
        """Whether there is news."""
        return self._stale

    def remove_players(self, kind: str, value: str, reason: Words) -> Outbox:
        """Remove everybody with this `key`, `address` or `name`, as `kind` says."""
        out: Outbox = []
        for connection, presence in self.present.items():
            visitor, name = presence.visitor, presence.guest.name if presence.guest else ""
            address = canonical_address(visitor.address)
            if value and value == {"key": visitor.key, "address": address, "name": name}[kind]:
                out.append((connection, Bye(reason)))
        return out

    def announce(self, text: str) -> Outbox:
        """Let everybody at a table hear what the host has to say."""
        return [(guest, Said("", NOBODY, text)) for table in self.tables.values() for guest in table.guests]

    # Before entering

    def _receive_login(self, connection: int, presence: Presence, message: ToHost) -> Outbox:
        match message:
            case Hello(protocol=protocol) if protocol != PROTOCOL:
                reason = words(
                    "The host uses protocol {ours}, you use {theirs}; use the same version of Boneyard.",
                    ours=PROTOCOL,
                    theirs=protocol,
                )
                return [(connection, Bye(reason))]
            case Hello(resume=resume):
                presence.greeted = True
                presence.resume = presence.visitor.resume or resume[:MAX_CLAIMED]
                known = self.accounts.name_of(presence.visitor.key)
                name = clean_name(known or presence.visitor.user)
                if presence.visitor.address and name and reserved(name):
                    name = ""
                fits = bool(name) and name == known  # which an older Boneyard may have let in under another
                return [(connection, Greeting(PROTOCOL, self._software, name, fits, self._house_rules))]
            case Enter(name=name) if presence.greeted:
                return self._enter(connection, presence, name)
            case Goodbye():
                return [(connection, Bye())]
        return [(connection, Bye(words("The first message must be a greeting.")))]

    def _enter(self, connection: int, presence: Presence, text: str) -> Outbox:
        name = clean_name(text)
        if not name:
            raise Illegal(words("A name needs at least one letter or digit."))
        if presence.visitor.address and reserved(name):
            raise Illegal(words("The name {name} is reserved; choose another.", name=name))
        key = presence.visitor.key
        if not key and not presence.resume:
            presence.resume = self._codes(RESUME_CODE)
        token = key or token_of(presence.resume)
        owner = self.accounts.owner_of(name)
        if owner and owner != token:
            raise Illegal(words("The name {name} belongs to somebody else; choose another.", name=name))
        for other, whose in self._names_here():
            if whose != token and skeletons(other) & skeletons(name):
                raise Illegal(_taken(other, whose))
        if key:
            self.accounts.remember(key, name)
        presence.guest = Guest(connection, name, token)
        return [
            (connection, Entered(name, "" if key else presence.resume)),
            (connection, self._list(presence.guest)),
            *self.lost_tables.messages_for(presence.guest),
        ]

    def _names_here(self) -> Iterator[tuple[str, str]]:
        """Names with their tokens: of everybody who is here, or whose seat is kept."""
        for presence in self.present.values():
            if presence.guest:
                yield presence.guest.name, presence.guest.token
        for table in self.tables.values():
            for chair in table.seats.chairs:
                if chair.token:
                    yield chair.name, chair.token

    def _too_fast(self, connection: int, presence: Presence) -> Outbox:
        """Do nothing for a connection that asks too much; say so once, and hang up if it will not hear."""
        presence.ignored += 1
        if presence.ignored == 1:
            return [(connection, Refused(words("You are sending too much at once; wait a moment.")))]
        if presence.ignored > MESSAGES_IGNORED:
            return [(connection, Bye(words("You sent too much at once, so the connection was closed.")))]
        return []

    # Inside

    def _receive_entered(self, connection: int, presence: Presence, guest: Guest, message: ToHost) -> Outbox:
        if not isinstance(message, Sit | Watch | MakeTable | Recall) or not presence.visitor.address:
            return self._dispatch(connection, presence, guest, message)
        if presence.joins.empty(self._clock()):
            raise Illegal(words("You are changing tables too fast; wait a moment."))
        out = self._dispatch(connection, presence, guest, message)
        presence.joins.take(self._clock())  # what was refused has cost nobody anything
        return out

    def _dispatch(self, connection: int, presence: Presence, guest: Guest, message: ToHost) -> Outbox:
        match message:
            case MakeTable():
                return self._make_table(presence, guest, message)
            case Sit(table=number, code=code, pledge=pledge):
                return self._sit(self._table(number, presence, guest, code), presence, guest, pledge)
            case Watch(table=number, code=code):
                table = self._table(number, presence, guest, code)
                return self._join(table, presence, table.watch(guest))
            case Leave() if presence.table is None:
                return [(connection, Left())]  # he has the list already, and it is long
            case Leave():
                return [*self._leave_table(connection, presence), *self._left(connection, None)]
            case Goodbye():
                return [*self._leave_table(connection, presence), (connection, Bye())]
            case Hello() | Enter():
                raise Illegal(words("You are already logged in."))
        if presence.table is None:
            raise Illegal(words("You are not at a table."))
        return self._at_table(connection, presence, guest, presence.table, message)

    def _at_table(self, connection: int, presence: Presence, guest: Guest, table: Table, message: AtTable) -> Outbox:
        match message:
            case Recall():
                return table.recall(connection)
            case Act():
                self.changed.add(table)
                return table.act(connection, message)
            case Reveal(share=share):
                return self._touched(table, table.reveal(connection, share))
            case Ready(pledge=pledge):
                _check_pledge(pledge)
                return self._touched(table, table.ready(connection, pledge))
            case Attest():
                self.changed.add(table)
                table.attest(guest, presence.visitor.key, message)
                return []
            case Fill():
                if table.seat_of(guest) == NOBODY:
                    raise Illegal(words("Only seated players can fill the table with bots."))
                return self._touched(table, table.fill(next(iter(BOTS))))
            case Pause(on=on):
                return self._touched(table, table.pause(connection, on))
            case EndMatch():
                return self._touched(table, table.end_match(connection))
            case Remove(name=name):
                return self._remove(table, guest, name)
            case Say(text=text):
                return self._say(connection, presence, table, clean(text, CHAT_LENGTH))

    def _say(self, connection: int, presence: Presence, table: Table, said: str) -> Outbox:
        if not said:
            return []
        if presence.visitor.address and not presence.chat.take(self._clock()):
            raise Illegal(words("You are talking too fast; wait a moment."))
        self.changed.add(table)
        return table.say(connection, said)

    def _remove(self, table: Table, guest: Guest, name: str) -> Outbox:
        if guest.token != table.maker:
            raise Illegal(words("Only the player who opened the table can remove others."))
        if name == guest.name:
            raise Illegal(words("You cannot remove yourself."))
        out, gone = table.remove(name)
        if gone != NOBODY:
            out += self._left(gone, words("You were removed from that table."))
        return self._touched(table, out)

    def _make_table(self, presence: Presence, guest: Guest, wish: MakeTable) -> Outbox:
        if len(self.tables) >= MAX_TABLES:
            raise Illegal(
                several_words(
                    "The host is full: it has {count} table.", "The host is full: it has {count} tables.", MAX_TABLES
                )
            )
        if sum(table.maker == guest.token for table in self.tables.values()) >= TABLES_PER_PLAYER:
            raise Illegal(
                several_words(
                    "You already have {count} table open; leave it first.",
                    "You already have {count} tables open; leave one of them first.",
                    TABLES_PER_PLAYER,
                )
            )
        here = presence.visitor.address
        if here and sum(self._opened_from.get(number) == here for number in self.tables) >= TABLES_PER_ADDRESS:
            raise Illegal(
                several_words(
                    "There is already {count} table from your address.",
                    "There are already {count} tables from your address.",
                    TABLES_PER_ADDRESS,
                )
            )
        bots = len(wish.levels) or wish.bots
        if not 0 <= bots < wish.players:
            most = max(0, wish.players - 1)
            raise Illegal(words("A table for {players} can have 0 to {most} bots.", players=wish.players, most=most))
        for limit in (wish.turn_time, wish.match_time):
            if limit and not MIN_TIME <= limit <= MAX_TIME:
                raise Illegal(words("A time limit is {least} to {most} seconds.", least=MIN_TIME, most=MAX_TIME))
        table = self._new_table(
            self._last_table + 1,
            wish.game,
            wish.players,
            {**self._house_rules.get(wish.game, {}), **wish.options},
            Terms(wish.turn_time, wish.match_time, self._codes(TABLE_CODE) if wish.private else ""),
        )
        levels = wish.levels or (wish.level,) * bots  # not before the game has refused a billion players
        unknown = [level for level in levels if level not in BOTS]
        if unknown:
            raise Illegal(no_bot(unknown[0]))
        self._last_table += 1
        self.tables[table.id] = table
        self._opened_from[table.id] = here
        table.put_bots(levels)
        return self._sit(table, presence, guest, wish.pledge)

    def _new_table(self, number: int, game_id: str, players: int, chosen: Mapping[str, Value], terms: Terms) -> Table:
        return Table(
            number,
            game(game_id),
            players,
            chosen,
            seeds=self._seeds,
            software=self._software,
            pace=self._pace,
            terms=terms,
            clock=self._clock,
            signing=self._signing,
        )

    def _sit(self, table: Table, presence: Presence, guest: Guest, pledge: str) -> Outbox:
        """Seat a guest; if he sits there already through another connection, that one gives way."""
        _check_pledge(pledge)
        other = table.sitting(guest)
        out = table.sit(guest, pledge)
        if other not in (NOBODY, guest.id):
            out += self._left(other, words("You took your seat from another terminal."))
        return self._join(table, presence, out)

    def _table(self, number: int, presence: Presence, guest: Guest, code: str) -> Table:
        """A table that this guest may come to. Raises Illegal, and counts wrong codes."""
        self.lost_tables.check(number)
        table = self.tables.get(number)
        if table is None:
            raise Illegal(words("That table no longer exists."))
        if not table.terms.code or table.seat_of(guest) != NOBODY or table is presence.table:
            return table
        if not code:
            raise Illegal(words("That table is private; you need its code."))
        if presence.wrong_codes >= WRONG_CODES or not same_code(code, table.terms.code):
            presence.wrong_codes += 1
            raise Illegal(words("That is the wrong code for this table."))
        presence.wrong_codes = 0
        return table

    def _join(self, table: Table, presence: Presence, out: Outbox) -> Outbox:
        """Note where a guest now is, and let him go from where he was."""
        before = presence.table
        presence.table = table
        if before is not None and before is not table and presence.guest is not None:
            self.changed.add(before)
            out = before.leave(presence.guest.id) + out
        return self._touched(table, out)

    def _leave_table(self, connection: int, presence: Presence, *, lost: bool = False) -> Outbox:
        table = presence.table
        if table is None:
            return []
        presence.table = None
        return self._touched(table, table.leave(connection, lost=lost))

    def _left(self, connection: int, reason: Words | None) -> Outbox:
        """Send a connection back to the lobby. The list comes first, so the lobby never shows an old one."""
        presence = self.present[connection]
        presence.table = None
        here = [] if presence.guest is None else [(connection, self._list(presence.guest))]
        return [*here, (connection, Left(reason))]

    def _touched(self, table: Table, out: Outbox) -> Outbox:
        self.changed.add(table)
        self._stale = True
        return out

    def _list(self, guest: Guest) -> Tables:
        infos = tuple(table.info() for table in self.tables.values())
        return Tables(infos, self._kept_for().get(guest.token, NOBODY))

    def _kept_for(self) -> dict[str, int]:
        """By token, the table at which a seat is kept: one with a match before one without, and the newest."""
        ranked = sorted(self.tables.values(), key=lambda table: (table.match is not None, table.id))
        return {chair.token: table.id for table in ranked for chair in table.seats.chairs if chair.token}


def _taken(name: str, token: str) -> Words:
    """Why a guest cannot have a name; if it is their own, without a key, also how they come back to it."""
    taken = words("The name {name} is taken; choose another.", name=name)
    if not by_code(token):
        return taken
    return words(
        "{taken} If that is you, leave and come back with your code: ssh -p PORT {user}@HOST",
        taken=taken,
        user=f"{name}+CODE",
    )


def _check_pledge(pledge: str) -> None:
    if pledge and not is_pledge(pledge):
        raise Illegal(words("Invalid pledge: it must be a SHA-256 hash in hexadecimal."))
