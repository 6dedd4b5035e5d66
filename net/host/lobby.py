"""The lobby: answers everybody on the host, wherever they are. It does no input or output.

Every call that may change something returns its `Effects`.
"""

from collections.abc import Callable, Iterable, Mapping
from time import monotonic

from core.actions import Action
from core.layout.placed import NOBODY
from core.options import Value
from core.seals import NO_SIGNING, Signing
from core.words import Illegal, Refusal, Words, words
from net.host.access import canonical_address
from net.host.effects import Effects
from net.host.login import Login
from net.host.lost_tables import LostTables
from net.host.open_tables import OpenTables
from net.host.presence import Presence, Visitor
from net.limits import CHAT_LENGTH, MAX_TABLES, TALK_AT_ONCE, TALK_PER_SECOND
from net.players.accounts import Accounts
from net.players.codes import new_code, token_of
from net.players.text import clean
from net.rate_limit import Buckets
from net.table import playing, seating, timing
from net.table.asking import asked
from net.table.fair_deal import check_pledge
from net.table.recorded_match import Dealer
from net.table.seats import Guest
from net.table.snapshot import Change, Snapshot
from net.table.table import AT_ONCE, Outbox, Pace, Table
from net.wire.messages import (
    Bye,
    Enter,
    Entered,
    Goodbye,
    Hello,
    Leave,
    Left,
    MakeTable,
    Recall,
    Refused,
    Remove,
    Said,
    Say,
    Sit,
    Tables,
    ToHost,
    Watch,
)


class Lobby:
    """The authority over the host: who is here, which tables there are, and who is where."""

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
        """`seeds` gives the host's secret for each match, `signing` seals the records.

        `house_rules` are, by game, what a new table has where its maker does not choose otherwise.
        `clock` tells the time in seconds, `codes` makes secrets of so many characters.
        """
        rules = house_rules or {}
        self.accounts = accounts
        self.present: dict[int, Presence] = {}
        self.lost_tables = LostTables()
        self._clock = clock
        self._open = OpenTables(Dealer(seeds, software, signing), pace, rules, codes, last_table)
        self._login = Login(accounts, codes, software, rules)
        self._talk = Buckets(TALK_PER_SECOND, TALK_AT_ONCE, MAX_TABLES)
        """By table, how much its spectators may say."""

    @property
    def tables(self) -> Mapping[int, Table]:
        """All tables by number, as they are now."""
        return self._open.now

    def delay(self, number: int, *, thinking: bool = False) -> float | None:
        """Seconds until `step` is due, which waits for a bot's `thinking`; None while nothing happens by itself."""
        return timing.delay(self.tables[number], self._clock(), thinking=thinking)

    def resume(self, snapshot: Snapshot, lines: Iterable[str]) -> None:
        """Take up a table that was saved. Raises `core.records.RecordError` or Refusal when that cannot be done."""
        self._open.resume(snapshot, lines, self._clock())

    def connect(self, connection: int, visitor: Visitor) -> None:
        """Note a new connection; it must say Hello first."""
        self.present[connection] = Presence(visitor)

    def plays(self, connection: int) -> bool:
        """Whether a connection is at a table at which its guest has a seat."""
        presence = self.present.get(connection)
        table = self.tables.get(presence.table) if presence else None
        return bool(presence and presence.guest and table and table.seat_of(presence.guest) != NOBODY)

    def expects(self, visitor: Visitor) -> bool:
        """Whether a seat is kept for somebody who proves to be this visitor."""
        token = visitor.key or (token_of(visitor.resume) if visitor.resume else "")
        return bool(token) and any(table.seats.of_token(token) != NOBODY for table in self.tables.values())

    def disconnect(self, connection: int) -> Effects:
        """Note that a connection is lost; harmless when it already was, or had said goodbye."""
        presence = self.present.pop(connection, None)
        return self._effects([] if presence is None else self._leave_table(connection, presence, lost=True))

    def receive(self, connection: int, message: ToHost) -> Effects:
        """Answer one message. It never raises for what a guest did."""
        presence = self.present.get(connection)
        if presence is None:
            return Effects()
        if presence.visitor.address and not presence.messages.take(self._clock()):
            return Effects([(connection, answer) for answer in presence.ignore()])
        presence.ignored = 0
        try:
            if presence.guest is None:
                out = self._receive_login(connection, presence, message)
            else:
                out = self._receive_entered(presence, presence.guest, message)
        except Refusal as refusal:
            out = [(connection, Refused(refusal.reason))]
        return self._effects(out)

    def step(self, number: int, thought: Action | None = None, *, thinking: bool = False) -> Effects:
        """Let a table do what is due by itself; `thought` is what the bot on turn has thought of, if it has."""
        return self._effects(self._put(*timing.step(self.tables[number], self._clock(), thought, thinking=thinking)))

    def close(self, number: int) -> Effects:
        """Close a table; whoever is there goes to the lobby."""
        guests = self.tables[number].guests if number in self.tables else []
        self._open.close(number)
        return self._effects([each for guest in guests for each in self._left(guest, words("The table was closed."))])

    def drop_lost(self, number: int) -> Effects:
        """Forget a table that could not be taken up."""
        self.lost_tables.tables.pop(number, None)
        return Effects(changes=[Change(number, None)])

    def save_all(self) -> Effects:
        """Have every table saved as it is at this moment, its clock above all."""
        for table in list(self.tables.values()):
            self._open.put(table)
        return self._effects([])

    def ban(self, who: str, why: str, since: str) -> Effects:
        """Let nobody in with this key or address any more; `since` is a day."""
        self.accounts.ban(who, why, since)
        return self._effects([])

    def pardon(self, who: str) -> Effects:
        """Let somebody in again."""
        self.accounts.pardon(who)
        return self._effects([])

    def remove_players(self, kind: str, value: str, reason: Words) -> Effects:
        """Remove everybody with this `key`, `address` or `name`, as `kind` says."""
        out: Outbox = []
        for connection, presence in self.present.items():
            visitor, name = presence.visitor, presence.guest.name if presence.guest else ""
            address = canonical_address(visitor.address)
            if value and value == {"key": visitor.key, "address": address, "name": name}[kind]:
                out.append((connection, Bye(reason)))
        return self._effects(out)

    def announce(self, text: str) -> Effects:
        """Let everybody at a table hear what the host has to say."""
        return Effects([(guest, Said("", NOBODY, text)) for table in self.tables.values() for guest in table.guests])

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
        infos, kept_for = self._open.list(self._clock()), self._open.kept_for()
        lists: dict[int, Tables] = {}
        out: Outbox = []
        for connection, token in guests:
            yours = kept_for.get(token, NOBODY)
            out.append((connection, lists.setdefault(yours, Tables(infos, yours))))
        return out

    # Before entering

    def _receive_login(self, connection: int, presence: Presence, message: ToHost) -> Outbox:
        match message:
            case Hello():
                try:
                    return [(connection, self._login.greet(presence, message))]
                except Illegal as illegal:
                    return [(connection, Bye(illegal.reason))]
            case Enter(name=name) if presence.greeted:
                here = [(one.guest.name, one.guest.token) for one in self.present.values() if one.guest]
                guest = self._login.enter(connection, presence, name, [*here, *self._open.names()])
                presence.guest = guest
                return [
                    (connection, Entered(guest.name, "" if presence.visitor.key else presence.resume)),
                    (connection, self._list(guest)),
                    *self.lost_tables.messages_for(guest),
                ]
            case Goodbye():
                return [(connection, Bye())]
        return [(connection, Bye(words("The first message must be a greeting.")))]

    # Inside

    def _receive_entered(self, presence: Presence, guest: Guest, message: ToHost) -> Outbox:
        if not isinstance(message, Sit | Watch | MakeTable | Recall) or not presence.visitor.address:
            return self._dispatch(presence, guest, message)
        if presence.joins.empty(self._clock()):
            raise Illegal(words("You are changing tables too fast; wait a moment."))
        out = self._dispatch(presence, guest, message)
        presence.joins.take(self._clock())  # what was refused has cost nobody anything
        return out

    def _dispatch(self, presence: Presence, guest: Guest, message: ToHost) -> Outbox:
        match message:
            case MakeTable(pledge=pledge):
                check_pledge(pledge)
                return self._sit(self._open.open(message, guest, presence.visitor.address), presence, guest, pledge)
            case Sit(table=number, code=code, pledge=pledge):
                check_pledge(pledge)
                return self._sit(self._table(number, presence, guest, code), presence, guest, pledge)
            case Watch(table=number, code=code):
                table = self._table(number, presence, guest, code)
                out = self._put(*seating.watch(table, guest, self._clock()))
                return self._join(presence, guest, number, out)
            case Leave() if not presence.table:
                return [(guest.id, Left())]  # they have the list already, and it is long
            case Leave():
                return [*self._leave_table(guest.id, presence), *self._left(guest.id, None)]
            case Goodbye():
                return [*self._leave_table(guest.id, presence), (guest.id, Bye())]
            case Hello() | Enter():
                raise Illegal(words("You are already logged in."))
        if not presence.table:
            raise Illegal(words("You are not at a table."))
        table = self.tables[presence.table]
        match message:
            case Remove(name=name):
                return self._remove(table, guest, name)
            case Say(text=text):
                return self._say(presence, guest, table, clean(text, CHAT_LENGTH))
        return self._put(*asked(table, guest, message, self._clock(), presence.visitor.key))

    def _say(self, presence: Presence, guest: Guest, table: Table, said: str) -> Outbox:
        if not said:
            return []
        now = self._clock()
        if presence.visitor.address and not presence.chat.take(now):
            raise Illegal(words("You are talking too fast; wait a moment."))
        if table.seats.at(guest.id) == NOBODY and not self._talk.take(table.id, now):
            raise Illegal(words("Spectators are talking too fast; wait a moment."))
        return self._put(*playing.say(table, guest.id, said))

    def _remove(self, table: Table, guest: Guest, name: str) -> Outbox:
        if guest.token != table.maker:
            raise Illegal(words("Only the player who opened the table can remove others."))
        if name == guest.name:
            raise Illegal(words("You cannot remove yourself."))
        after, out, gone = seating.remove(table, name, self._clock())
        self._put(after, out)
        return out if gone == NOBODY else [*out, *self._left(gone, words("You were removed from that table."))]

    def _sit(self, table: Table, presence: Presence, guest: Guest, pledge: str) -> Outbox:
        """Seat a guest; if they sit there already through another connection, that one gives way."""
        other = table.sitting(guest)
        out = self._put(*seating.sit(table, guest, self._clock(), pledge))
        if other not in (NOBODY, guest.id):
            out += self._left(other, words("You took your seat from another terminal."))
        return self._join(presence, guest, table.id, out)

    def _table(self, number: int, presence: Presence, guest: Guest, code: str) -> Table:
        """A table that this guest may come to. Raises Illegal."""
        self.lost_tables.check(number)
        return self._open.find(number, presence, guest, code)

    def _join(self, presence: Presence, guest: Guest, number: int, out: Outbox) -> Outbox:
        """Note where a guest now is, and let them go from where they were."""
        before, presence.table = presence.table, number
        if before in (0, number):
            return out
        return self._put(*seating.leave(self.tables[before], guest.id, self._clock())) + out

    def _leave_table(self, connection: int, presence: Presence, *, lost: bool = False) -> Outbox:
        number, presence.table = presence.table, 0
        return self._put(*seating.leave(self.tables[number], connection, self._clock(), lost=lost)) if number else []

    def _left(self, connection: int, reason: Words | None) -> Outbox:
        """Send a connection back to the lobby. The list comes first, so the lobby never shows an old one."""
        presence = self.present[connection]
        presence.table = 0
        here = [] if presence.guest is None else [(connection, self._list(presence.guest))]
        return [*here, (connection, Left(reason))]

    def _put(self, table: Table, out: Outbox) -> Outbox:
        self._open.put(table)
        return out

    def _list(self, guest: Guest) -> Tables:
        return Tables(self._open.list(self._clock()), self._open.kept_for().get(guest.token, NOBODY))

    def _effects(self, out: Outbox) -> Effects:
        changes, news = self._open.take_changes(self._clock())
        return Effects(out, changes, self.accounts.take(), news)
