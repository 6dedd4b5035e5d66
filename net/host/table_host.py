"""The tables' half of a lobby: it answers guests who come to a table, are there, or leave it.

It does no input or output. Who the guests are, and what they see besides tables, is up to `net.host.front`, in whose
care a guest is again who was sent `Left`.
"""

from collections.abc import Callable, Mapping

from core.actions import Action
from core.layout.state import NOBODY
from core.words import Illegal, Words, words
from net.host.front import LostTables
from net.host.open_tables import OpenTables
from net.host.presence import Presence
from net.limits import CHAT_LENGTH, COMING_REFUSED, MAX_TABLES, TALK_AT_ONCE, TALK_PER_SECOND
from net.players.text import clean
from net.scheduler import Buckets
from net.table import playing
from net.table.recorded_match import check_pledge
from net.table.table import Guest, Outbox, Table
from net.wire.messages import (
    Act,
    AllowHints,
    Attest,
    Bind,
    Browse,
    Bye,
    EndMatch,
    Enter,
    Fill,
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

CLOSED = words("The table was closed.")


class TableHost:
    """Seats guests, and lets tables do what is asked of them."""

    def __init__(
        self,
        tables: OpenTables,
        lost_tables: LostTables,
        present: Mapping[int, Presence],
        clock: Callable[[], float],
    ) -> None:
        """`present` has by connection, at least, everybody who is at a table. `clock` tells the time in seconds."""
        self._open = tables
        self._lost_tables = lost_tables
        self._present = present
        self._clock = clock
        self._talk = Buckets(TALK_PER_SECOND, TALK_AT_ONCE, MAX_TABLES)
        """By table, how much its spectators may say."""

    @property
    def tables(self) -> Mapping[int, Table]:
        """All tables by number, as they are now."""
        return self._open.now

    def receive(self, presence: Presence, guest: Guest, message: ToHost) -> Outbox:
        """Answer a guest. Raises Refusal."""
        if not isinstance(message, Sit | Watch | MakeTable | Recall) or not presence.visitor.address:
            return self._dispatch(presence, guest, message)
        if presence.joins.empty(self._clock()):
            presence.messages.spend(COMING_REFUSED, self._clock())  # who goes on asking is soon not answered any more
            raise Illegal(words("You are changing tables too fast; wait a moment."))
        out = self._dispatch(presence, guest, message)
        presence.joins.take(self._clock())  # what was refused has cost nobody anything
        return out

    def leave(self, connection: int, presence: Presence, *, lost: bool = False, excused: bool = False) -> Outbox:
        """Let somebody go from where they are, as `playing.leave` does; harmless when they are nowhere."""
        if not presence.table:
            return []
        table = self.tables[presence.table]
        out = self._put(*playing.leave(table, connection, self._clock(), lost=lost, excused=excused))
        presence.table = 0  # last: until then they are there
        return out

    def step(self, number: int, thought: Action | None = None, *, thinking: bool = False) -> Outbox:
        """Let a table do what is due by itself; `thought` is what the bot on turn has thought of, if it has."""
        return self._put(*playing.step(self.tables[number], self._clock(), thought, thinking=thinking))

    def close(self, number: int, reason: Words = CLOSED) -> Outbox:
        """Close a table, and send back whoever is there."""
        out = self.send_away(number, reason)
        self._open.close(number)
        return out

    def send_away(self, number: int, reason: Words) -> Outbox:
        """Send back whoever is at a table."""
        guests = self.tables[number].guests if number in self.tables else []
        return [self._left(guest, reason) for guest in guests]

    def announce(self, text: str) -> Outbox:
        """Let everybody at a table hear what the host has to say."""
        return [(guest, Said("", NOBODY, text)) for table in self.tables.values() for guest in table.guests]

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
                out = self._put(*playing.watch(table, guest, self._clock()))
                return self._join(presence, guest, number, out)
            case Leave():
                return [*self.leave(guest.id, presence), self._left(guest.id, None)]
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
        after, out, gone = playing.remove(table, name, self._clock())
        self._put(after, out)
        return out if gone == NOBODY else [*out, self._left(gone, words("You were removed from that table."))]

    def _sit(self, table: Table, presence: Presence, guest: Guest, pledge: str) -> Outbox:
        """Seat a guest; if they sit there already through another connection, that one gives way."""
        other = table.sitting(guest)
        out = self._put(*playing.sit(table, guest, self._clock(), pledge))
        if other not in (NOBODY, guest.id):
            out.append(self._left(other, words("You took your seat from another terminal.")))
        return self._join(presence, guest, table.id, out)

    def _table(self, number: int, presence: Presence, guest: Guest, code: str) -> Table:
        """A table that this guest may come to. Raises Illegal."""
        self._lost_tables.check(number)
        return self._open.find(number, presence, guest, code)

    def _join(self, presence: Presence, guest: Guest, number: int, out: Outbox) -> Outbox:
        """Note where a guest now is, and let them go from where they were."""
        before, presence.table = presence.table, number
        if before in (0, number):
            return out
        return self._put(*playing.leave(self.tables[before], guest.id, self._clock())) + out

    def _left(self, connection: int, reason: Words | None) -> tuple[int, Left]:
        """Send a connection back."""
        self._present[connection].table = 0
        return connection, Left(reason)

    def _put(self, table: Table, out: Outbox) -> Outbox:
        self._open.put(table)
        return out


Asked = Act | Ready | Fill | Reveal | Pause | SetPace | Skip | TakeBack | AllowHints | EndMatch | Recall | Attest


def asked(table: Table, guest: Guest, message: Asked, now: float, key: str) -> tuple[Table, Outbox]:
    """Do what a guest asks for; `key` is the fingerprint of their key, if they have one. Raises Illegal."""
    match message:
        case Act():
            return playing.act(table, guest.id, message, now)
        case Ready(pledge=pledge):
            check_pledge(pledge)
            return playing.be_ready(table, guest.id, now, pledge)
        case Reveal(share=share):
            return playing.reveal(table, guest.id, share, now)
        case Recall():
            return table, playing.recall(table, guest.id)
        case Attest():
            return playing.attest(table, guest, key, message), []
        case Fill():
            return playing.fill(table, guest, now)
        case Pause(on=on):
            return playing.pause(table, guest.id, on, now)
        case SetPace(pace=speed):
            return playing.set_pace(table, guest.id, speed, now)
        case Skip():
            return playing.skip(table, guest.id)
        case TakeBack(seat=seat):
            return playing.take_back(table, guest.id, seat, now)
        case AllowHints(seat=seat):
            return playing.allow_hints(table, guest.id, seat, now)
        case EndMatch():
            return playing.end_match(table, guest.id, now)
