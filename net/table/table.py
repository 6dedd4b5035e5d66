"""A table: one frozen value that holds the match, who is there, and the time they have left.

What can happen to it is in `playing`. Each function there takes a table and returns the table as it is afterwards,
with what is to be sent, as (guest, message) pairs. Times are in seconds, of any one clock.
"""

from collections.abc import Iterable, Mapping

from msgspec import Struct
from msgspec.structs import replace

from core.games import game
from core.layout.state import NOBODY
from core.match import Match, new_match
from core.records import RecordError
from core.variant import Options, Variant
from core.words import Illegal, words
from net.limits import COALESCED_AT_ONCE, COALESCED_PER_SECOND
from net.players.names_in_use import BOT_NAMES
from net.scheduler import Allowance
from net.table.saved import Change, Dealer, RecordedMatch, SeatSnapshot, Shuffle, Snapshot, checksum_of
from net.wire.messages import Phase, Proposal, Said, SeatInfo, Speed, TableInfo, ToClient


class Clock(Struct, frozen=True):
    """How much time each player has left; it runs for one seat at a time, or for none.

    All times are in seconds; a limit of 0 is no limit.
    """

    turn: int
    """The limit for one turn."""
    match: int
    """The limit of one player for a match."""
    turn_left: float
    match_left: tuple[float, ...]
    """By seat."""
    seat: int = NOBODY
    """The seat whose time is running."""
    ended: tuple[float, ...] = ()
    """By seat, what was left of its last turn when that ended."""
    since: float = 0.0
    """When what is left was last worked out."""

    @classmethod
    def of(cls, turn: int, match: int, seats: int) -> "Clock":
        """Return the clock of a new match, which runs for nobody."""
        return cls(turn, match, float(turn), (float(match),) * seats, ended=(float(turn),) * seats)

    @property
    def limited(self) -> bool:
        """Whether there is any limit at all."""
        return bool(self.turn or self.match)

    @property
    def running(self) -> bool:
        """Whether the time of any seat is running."""
        return self.seat != NOBODY

    def run(self, seat: int, now: float, *, fresh: bool = False) -> "Clock":
        """Let a seat's time run from now on, or nobody's (-1); a `fresh` turn has its whole time again."""
        after = replace(self._at(now), seat=seat)
        if not fresh:
            return after
        ended = tuple(after.turn_left if n == self.seat else left for n, left in enumerate(self.ended))
        return replace(after, turn_left=float(self.turn), ended=ended)

    def back(self, seat: int, now: float) -> "Clock":
        """Return to the last turn of a seat, which ended; the time that it took then is not given back."""
        at = self._at(now)
        left = min(self.ended[seat], at.turn_left if seat == self.seat else self.ended[seat])
        return replace(at, seat=NOBODY, turn_left=left)

    def begin(self) -> "Clock":
        """Give everybody the time for a new match."""
        return replace(self, turn_left=float(self.turn), match_left=(float(self.match),) * len(self.match_left))

    def left(self, seat: int, now: float) -> float | None:
        """Seconds until this seat, which is on turn, is out of time; None where there is no limit."""
        at = self._at(now) if seat == self.seat else self
        limits = ([at.turn_left] if self.turn else []) + ([at.match_left[seat]] if self.match else [])
        return min(limits, default=None)

    def remaining(self, now: float) -> tuple[float, tuple[float, ...]]:
        """The seconds left for this turn, and by seat for the match, as they are now."""
        at = self._at(now)
        return round(at.turn_left, 1), tuple(round(left, 1) for left in at.match_left)

    def _at(self, now: float) -> "Clock":
        """Return it with the time worked out that has been spent by now."""
        if self.seat == NOBODY:
            return replace(self, since=now)
        spent = max(0.0, now - self.since)
        match_left = tuple(max(0.0, left - spent * (n == self.seat)) for n, left in enumerate(self.match_left))
        return replace(self, turn_left=max(0.0, self.turn_left - spent), match_left=match_left, since=now)


class Guest(Struct, frozen=True):
    """Somebody on the host: the number of the connection, the name, and the token that tells who they are."""

    id: int
    name: str
    token: str
    """The key's fingerprint, or the digest of a resume code."""


class Chair(Struct, frozen=True):
    """One seat: whose it is, and the guest who sits there now."""

    name: str = ""
    token: str = ""
    bot: str = ""
    guest: int = NOBODY
    lost_at: float | None = None
    """When the player lost the connection; None while they are here, or when they left on purpose."""
    excused: bool = False
    """Whether that was the fault of the host's own machines, so that it takes none of the player's time."""

    @property
    def free(self) -> bool:
        """Whether nobody has taken this seat."""
        return not self.name

    @property
    def gone(self) -> bool:
        """Whether its player left it, and is not waited for."""
        return self.away and self.lost_at is None

    @property
    def away(self) -> bool:
        """Whether it is a person's seat and the person is not here."""
        return bool(self.name) and not self.bot and self.guest == NOBODY

    def awaited(self, lost_after: float) -> bool:
        """Return whether its player lost the connection after `lost_after`, and so may be back soon."""
        return self.away and self.lost_at is not None and self.lost_at > lost_after


class Seats(Struct, frozen=True):
    """The people and bots at one table."""

    chairs: tuple[Chair, ...]
    watchers: tuple[Guest, ...] = ()
    removed: frozenset[str] = frozenset()
    """Tokens of those who may not come back."""

    @classmethod
    def of(cls, count: int) -> "Seats":
        """Return so many free seats."""
        return cls((Chair(),) * count)

    @classmethod
    def resume(cls, snapshot: tuple[SeatSnapshot, ...], removed: tuple[str, ...], now: float) -> "Seats":
        """Return what a snapshot holds: every player has lost the connection just now."""
        chairs = (Chair(c.name, c.token, c.bot, lost_at=now if c.token else None) for c in snapshot)
        return cls(tuple(chairs), removed=frozenset(removed))

    @property
    def guests(self) -> list[int]:
        """The connections of everybody here, seated or watching."""
        return [chair.guest for chair in self.chairs if chair.guest != NOBODY] + [one.id for one in self.watchers]

    def free(self, *, over: bool = False) -> list[int]:
        """Return the seats free to take: empty ones, and those of absent players if the match is `over`."""
        return [seat for seat, chair in enumerate(self.chairs) if chair.free or (over and chair.away)]

    def of_token(self, token: str) -> int:
        """The seat that belongs to a token, whether its player is here or not; -1 for none."""
        return next((n for n, chair in enumerate(self.chairs) if chair.token == token), NOBODY)

    def at(self, guest: int) -> int:
        """The seat on which a connection sits; -1 for none."""
        return next((n for n, chair in enumerate(self.chairs) if chair.guest == guest), NOBODY)

    def sit(self, guest: Guest, *, over: bool = False) -> "Seats":
        """Give a guest their own seat again, or the first free one, or else the first that a bot has.

        When the match is `over`, the seat of a player who is not here is free, too.

        Raises Illegal when people have all seats, or when they were removed.
        """
        self.admit(guest)
        seat = self.of_token(guest.token)
        if seat == NOBODY:
            seat = next(iter(self.free(over=over) + [n for n, chair in enumerate(self.chairs) if chair.bot]), NOBODY)
        if seat == NOBODY:
            raise Illegal(words("Every seat at that table is taken."))
        return self.without_watcher(guest.id).with_chair(seat, Chair(guest.name, guest.token, guest=guest.id))

    def watch(self, guest: Guest) -> "Seats":
        """Add a spectator. Raises Illegal for one who was removed."""
        self.admit(guest)
        others = self.without_watcher(guest.id)
        return replace(others, watchers=(*others.watchers, guest))

    def without_watcher(self, guest: int) -> "Seats":
        """Return the seats without this connection among the spectators."""
        return replace(self, watchers=tuple(watcher for watcher in self.watchers if watcher.id != guest))

    def admit(self, guest: Guest) -> None:
        """Raise Illegal for a guest who was removed."""
        if guest.token in self.removed:
            raise Illegal(words("You were removed from that table."))

    def restart_grace(self, now: float) -> "Seats":
        """Let the wait for lost players begin now: while nobody was here, no time went by."""
        waits = (replace(c, lost_at=now) if c.away and c.lost_at is not None else c for c in self.chairs)
        return replace(self, chairs=tuple(waits))

    def stand_up(self, guest: int, *, lost_at: float | None, keeps: bool, excused: bool = False) -> "Seats":
        """Let a connection go from its seat, which stays its player's if that `keeps`."""
        seat = self.at(guest)
        if seat == NOBODY:
            return self
        chair = replace(self.chairs[seat], guest=NOBODY, lost_at=lost_at, excused=excused)
        return self.with_chair(seat, chair if keeps else Chair())

    def put_bots(self, levels: tuple[str, ...], *, over: bool = False) -> "Seats":
        """Put bots on the last free seats, one for each level."""
        seats, free = self, self.free(over=over)
        for seat, level in zip(free[len(free) - len(levels) :], levels, strict=True):
            seats = seats.put_bot(seat, level)
        return seats

    def put_bot(self, seat: int, level: str) -> "Seats":
        """Give a seat to a bot."""
        taken = {chair.name for chair in self.chairs}
        name = next(name for name in BOT_NAMES if name not in taken)
        return self.with_chair(seat, Chair(name, bot=level))

    def remove(self, name: str) -> tuple["Seats", int, int]:
        """Remove a person for good by name; also return their seat and their connection, each -1 for none.

        Raises Illegal when no person of that name is here.
        """
        for seat, chair in enumerate(self.chairs):
            if chair.name == name and not chair.bot:
                return self._barred(chair.token).with_chair(seat, Chair()), seat, chair.guest
        for watcher in self.watchers:
            if watcher.name == name:
                return self._barred(watcher.token).without_watcher(watcher.id), NOBODY, watcher.id
        raise Illegal(words("Nobody called {name} is at the table.", name=name))

    def info(self, lost_after: float, *, over: bool = False) -> tuple[SeatInfo, ...]:
        """The seats as everybody sees them; players lost after that moment are still awaited."""
        return tuple(SeatInfo(c.name, c.bot, c.away, c.awaited(lost_after), over and c.away) for c in self.chairs)

    def snapshot(self) -> tuple[SeatSnapshot, ...]:
        """The seats as they are saved."""
        return tuple(SeatSnapshot(c.name, c.token, c.bot) for c in self.chairs)

    def with_chair(self, seat: int, chair: Chair) -> "Seats":
        """Return the seats with another chair in one place."""
        return replace(self, chairs=(*self.chairs[:seat], chair, *self.chairs[seat + 1 :]))

    def _barred(self, token: str) -> "Seats":
        return replace(self, removed=self.removed | {token})


Outbox = list[tuple[int, ToClient]]


class Pace(Struct, frozen=True):
    """How long things take that happen by themselves, in seconds."""

    think: float = 1.0
    """A bot seems to think."""
    draw: float = 0.6
    """The same before it draws on."""
    result: float = 4.0
    """A result stands where only bots play."""
    shuffle: float = 5.0
    """Clients have to show the shares that they pledged; most connections need a tenth of one."""
    grace: float = 30.0
    """A seat waits for a disconnected player before a bot plays for them: time to reconnect automatically."""


INSTANT = Pace(0, 0, 0, grace=0)
SPEEDS: dict[Speed, float] = {"slow": 2.5, "normal": 1.0, "at once": 0.0}
"""By how much bots take longer than the host's pace says."""


class Terms(Struct, frozen=True):
    """What holds at a table besides its game and house rules. Times are in seconds, 0 for no limit."""

    turn_time: int = 0
    match_time: int = 0
    code: str = ""
    """What one must know to come to a private table; empty for an open one."""
    hints: bool = False
    take_back: bool = False


class Table(Struct, frozen=True):
    """One moment of one table. A match begins by itself once no seat is free."""

    id: int
    recorded: RecordedMatch
    seats: Seats
    clock: Clock
    pace: Pace = INSTANT
    terms: Terms = Terms()
    name: str = ""
    maker: str = ""
    """The token of the guest who opened the table."""
    paused: bool = False
    speed: Speed = "normal"
    skipping: bool = False
    """Whether bots play at once until it is a person's turn."""
    lost: bool = False
    """Whether the last one to go lost the connection, and so may be back at once."""
    said: tuple[Said, ...] = ()
    """The newest things said, which newcomers are told."""
    wanted: Proposal | None = None
    """What a player would like to take back; it lapses with whatever a person does, and when the round is over."""
    ready: frozenset[int] = frozenset()
    """Seats whose players have seen the result."""
    number: int = 0
    """That of the newest update."""
    moved: int = 0
    """That of the newest update with which something was played."""
    turn: tuple[int, int] = (0, NOBODY)
    """The round and the seat for which the clock was set last."""
    awaited: object = None
    """What the table waits for, to see when that changes."""
    since: float = 0.0
    """Since when it waits for that."""
    mentions: Allowance = Allowance.of(COALESCED_PER_SECOND, COALESCED_AT_ONCE)
    """How often all are told of those who come and go."""
    doings: tuple[Allowance, ...] = ()
    """By seat, how often all are told at once of what its player does besides playing."""
    mention_at: float | None = None
    """When all are told of changes that not all have heard of yet."""

    @property
    def variant(self) -> Variant:
        """The game."""
        return self.recorded.fresh.variant

    @property
    def match(self) -> Match | None:
        """The match that is played, or was played last."""
        return self.recorded.match

    @property
    def options(self) -> Options:
        """All house rules at this table."""
        return self.recorded.fresh.options

    @property
    def guests(self) -> list[int]:
        """The connections of everybody at the table, seated or watching."""
        return self.seats.guests

    @property
    def deserted(self) -> bool:
        """Whether no person is at the table."""
        return not self.seats.guests

    @property
    def awaits_somebody(self) -> bool:
        """Whether somebody lost the connection, the last to go or one with a seat, and so may be back at once."""
        return self.lost or any(chair.away and chair.lost_at is not None for chair in self.seats.chairs)

    @property
    def keeps_seats(self) -> bool:
        """Whether a seat stays its player's when they leave: from the shuffling for the first match on."""
        return self.match is not None or self.recorded.shuffle.closed

    @property
    def over(self) -> bool:
        """Whether a match is over, and the next one has not begun."""
        return self.match is not None and self.match.over and not self.recorded.awaits_reveals

    @property
    def complete(self) -> bool:
        """Whether a match can begin: no seat is free, and after a match, all players here want another."""
        return not self.seats.free(over=self.over) and (self.match is None or (self.over and self.all_ready))

    @property
    def awaits_bot(self) -> bool:
        """Whether it is the turn of a bot, or of a player who has left."""
        seat = self.recorded.turn
        return seat != NOBODY and (bool(self.seats.chairs[seat].bot) or self.seats.chairs[seat].gone)

    @property
    def all_ready(self) -> bool:
        """Whether all players who are here have seen the result."""
        return all(seat in self.ready for seat, chair in enumerate(self.seats.chairs) if chair.guest != NOBODY)

    @property
    def awaits_shares(self) -> bool:
        """Whether somebody who is here has yet to show the share that they pledged."""
        return any(
            self.recorded.shuffle.must_reveal(seat)
            for seat, chair in enumerate(self.seats.chairs)
            if chair.guest != NOBODY
        )

    @property
    def phase(self) -> Phase:
        """What goes on at the table, in the words of the protocol."""
        if self.recorded.awaits_reveals:
            return "shuffling"
        if self.match is None:
            return "waiting"
        return "over" if self.match.over else "paused" if self.paused else "playing"

    def seat_of(self, guest: Guest) -> int:
        """The seat that is this guest's, whether they sit there or not; -1 for none."""
        return self.seats.of_token(guest.token)

    def host_of(self, now: float) -> str:
        """Return the token of who may remove others: the opener, or once they have left, the first player here."""
        opener = self.seats.of_token(self.maker)
        here = [watcher.token for watcher in self.seats.watchers]
        here += [chair.token for chair in self.seats.chairs if chair.guest != NOBODY]
        if self.maker in here or (opener != NOBODY and self.seats.chairs[opener].awaited(now - self.pace.grace)):
            return self.maker
        return next((chair.token for chair in self.seats.chairs if chair.guest != NOBODY), "")

    def sitting(self, guest: Guest) -> int:
        """The connection through which this guest sits at the table now; -1 when they do not."""
        seat = self.seat_of(guest)
        return self.seats.chairs[seat].guest if seat != NOBODY else NOBODY

    def with_shuffle(self, shuffle: Shuffle) -> "Table":
        """Return it with other pledges or shares for the match to come."""
        return replace(self, recorded=replace(self.recorded, shuffle=shuffle))

    def info(self, now: float) -> TableInfo:
        """The table as the lobby shows it."""
        return TableInfo(
            id=self.id,
            name=self.name,
            game=self.variant.id,
            options=self.options,
            seats=self.seats.info(now - self.pace.grace, over=self.over),
            watchers=len(self.seats.watchers),
            phase=self.phase,
            private=bool(self.terms.code),
            turn_time=self.terms.turn_time,
            match_time=self.terms.match_time,
            hints=self.terms.hints,
            take_back=self.terms.take_back,
            pace=self.speed,
        )

    def snapshot(self, now: float) -> Snapshot:
        """The table as it is saved, but for the lines of its match."""
        turn_left, match_left = self.clock.remaining(now)
        return Snapshot(
            id=self.id,
            name=self.name,
            maker=self.maker,
            game=self.variant.id,
            chosen=self.options,
            chairs=self.seats.snapshot(),
            secret=self.recorded.shuffle.secret,
            shares=self.recorded.shuffle.shares,
            closed=self.recorded.shuffle.closed,
            number=self.number,
            moved=self.moved,
            ready=tuple(sorted(self.ready)),
            said=self.said,
            turn_time=self.terms.turn_time,
            match_time=self.terms.match_time,
            turn_left=turn_left,
            match_left=match_left,
            paused=self.paused,
            code=self.terms.code,
            hints=self.terms.hints,
            take_back=self.terms.take_back,
            removed=tuple(sorted(self.seats.removed)),
            pace=self.speed,
            checksum=f"{self.recorded.checksum:08x}",
        )

    def change_since(self, before: "Table", now: float) -> Change:
        """What there is to save of what has happened since an earlier moment, within one match."""
        begins = self.recorded.begun != before.recorded.begun
        first = 0 if begins else len(before.recorded.lines)
        lines = self.recorded.lines[first:]
        ends = bool(lines) and not self.recorded.in_progress
        return Change(self.id, self.snapshot(now), lines, begins, ends, first)


def new_table(
    number: int,
    variant: Variant,
    players: int,
    chosen: Mapping[str, object],
    dealer: Dealer,
    pace: Pace = INSTANT,
    terms: Terms = Terms(),  # noqa: B008 - a frozen value
) -> Table:
    """Return a table at which nobody is yet.

    Raises `core.words.BadOption` for players or house rules that the game does not have.
    """
    match = new_match(variant, players, chosen)  # not a billion players
    return Table(
        number,
        RecordedMatch.of(match, dealer),
        Seats.of(players),
        Clock.of(terms.turn_time, terms.match_time, players),
        pace,
        terms,
        speed="normal" if pace.think else "at once",
        doings=(Allowance.of(COALESCED_PER_SECOND, COALESCED_AT_ONCE),) * players,
    )


def resume_table(snapshot: Snapshot, lines: Iterable[str], dealer: Dealer, pace: Pace, now: float) -> Table:
    """Return the table that was saved, its match refereed anew; nobody is there yet.

    Raises `core.records.RecordError` when the lines are not those that were saved, or not what the rules make of
    them, and `core.words.BadOption` for house rules that the game does not have.
    """
    lines = tuple(lines)
    if snapshot.checksum and snapshot.checksum != f"{checksum_of(lines):08x}":
        raise RecordError(max(1, len(lines)), "the lines up to this one are not those that were saved")
    variant, players = game(snapshot.game), len(snapshot.chairs)
    terms = Terms(snapshot.turn_time, snapshot.match_time, snapshot.code, snapshot.hints, snapshot.take_back)
    chosen = variant.stored(players, snapshot.chosen)
    table = new_table(snapshot.id, variant, players, chosen, dealer, pace, terms)
    shuffle = Shuffle(snapshot.secret, snapshot.shares, snapshot.closed)
    recorded = table.recorded.resume(lines, shuffle)
    return replace(
        table,
        recorded=recorded,
        seats=Seats.resume(snapshot.chairs, snapshot.removed, now),
        clock=replace(table.clock, turn_left=snapshot.turn_left, match_left=tuple(snapshot.match_left)),
        name=snapshot.name,
        maker=snapshot.maker,
        paused=snapshot.paused,
        speed=snapshot.pace if snapshot.pace in SPEEDS else "normal",
        lost=True,
        said=snapshot.said,
        ready=frozenset(snapshot.ready),
        number=snapshot.number,
        moved=snapshot.moved,
        turn=recorded.moment,
    )
