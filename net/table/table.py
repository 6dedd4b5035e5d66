"""A table: one frozen value that holds the match, its guests, and the time they have left.

Its transitions are in `net.table.transitions`. Each function there takes a table and returns the next one, with the
messages to send, as (guest, message) pairs. Times are in seconds, of any one clock.
"""

from collections.abc import Iterable, Mapping

from msgspec import Struct
from msgspec.structs import replace

from core.games import game
from core.layout.state import NOBODY
from core.match import Match, new_match
from core.records import RecordError
from core.tiles import LARGE
from core.variant import Options, Variant
from core.words import Illegal, words
from net.limits import COALESCED_AT_ONCE, COALESCED_PER_SECOND
from net.players.names_in_use import BOT_NAMES
from net.scheduler import Allowance
from net.table.persistence import Change, Dealer, RecordedMatch, SeatSnapshot, Shuffle, Snapshot, checksum_of
from net.wire.messages import Phase, Proposal, Said, SeatInfo, Speed, TableInfo, ToClient


class Clock(Struct, frozen=True):
    """The time left for each player; it runs for at most one seat at a time.

    All times are in seconds; a limit of 0 is no limit.
    """

    turn_limit: int
    """Limit for one turn."""
    match_limit: int
    """Limit of one player for a match."""
    turn_left: float
    match_left: tuple[float, ...]
    """By seat."""
    seat: int = NOBODY
    """The seat whose time is running."""
    ended_turns_left: tuple[float, ...] = ()
    """Time left of each seat's last turn at its end."""
    updated_at: float = 0.0
    """Time at which the times left were computed."""

    @classmethod
    def of(cls, turn_limit: int, match_limit: int, seats: int) -> "Clock":
        """Return the clock of a new match, which is stopped."""
        turn_left, match_left = float(turn_limit), (float(match_limit),) * seats
        return cls(turn_limit, match_limit, turn_left, match_left, ended_turns_left=(turn_left,) * seats)

    @property
    def limited(self) -> bool:
        """True if there is any limit."""
        return bool(self.turn_limit or self.match_limit)

    @property
    def running(self) -> bool:
        """True while the time of a seat is running."""
        return self.seat != NOBODY

    def run(self, seat: int, now: float, *, fresh: bool = False) -> "Clock":
        """Run the time of a seat from now on, or of none (-1); a `fresh` turn has its full time again."""
        clock = replace(self._advance(now), seat=seat)
        if not fresh:
            return clock
        ended_turns_left = tuple(
            clock.turn_left if number == self.seat else turn_left
            for number, turn_left in enumerate(self.ended_turns_left)
        )
        return replace(clock, turn_left=float(self.turn_limit), ended_turns_left=ended_turns_left)

    def return_to(self, seat: int, now: float) -> "Clock":
        """Return to the last turn of a seat, which had ended, with the time that was left at its end."""
        clock = self._advance(now)
        left = min(self.ended_turns_left[seat], clock.turn_left if seat == self.seat else self.ended_turns_left[seat])
        return replace(clock, seat=NOBODY, turn_left=left)

    def begin(self) -> "Clock":
        """Give everybody the time for a new match."""
        return replace(
            self, turn_left=float(self.turn_limit), match_left=(float(self.match_limit),) * len(self.match_left)
        )

    def seconds_left(self, seat: int, now: float) -> float | None:
        """Return the seconds until the seat on turn is out of time; None without a limit."""
        clock = self._advance(now) if seat == self.seat else self
        limits = ([clock.turn_left] if self.turn_limit else []) + (
            [clock.match_left[seat]] if self.match_limit else []
        )
        return min(limits, default=None)

    def remaining(self, now: float) -> tuple[float, tuple[float, ...]]:
        """Return the seconds left for this turn, and by seat for the match, at this time."""
        clock = self._advance(now)
        return round(clock.turn_left, 1), tuple(round(seconds, 1) for seconds in clock.match_left)

    def _advance(self, now: float) -> "Clock":
        """Return the clock with the time spent until now subtracted."""
        if self.seat == NOBODY:
            return replace(self, updated_at=now)
        spent_seconds = max(0.0, now - self.updated_at)
        match_left = tuple(
            max(0.0, seconds_left - spent_seconds * (number == self.seat))
            for number, seconds_left in enumerate(self.match_left)
        )
        return replace(
            self, turn_left=max(0.0, self.turn_left - spent_seconds), match_left=match_left, updated_at=now
        )


class Guest(Struct, frozen=True):
    """A guest of the host: the number of the connection, the name, and the token of the account."""

    id: int
    name: str
    token: str
    """The key's fingerprint, or the digest of a return code."""


class Chair(Struct, frozen=True):
    """A seat: its player or bot, and the guest who sits there now."""

    name: str = ""
    token: str = ""
    bot: str = ""
    guest: int = NOBODY
    lost_at: float | None = None
    """Time at which the player lost the connection; None while they are here, or if they left on purpose."""
    excused: bool = False
    """True if the host's own machines have caused the loss, so that it takes none of the player's time."""

    @property
    def free(self) -> bool:
        """True if nobody has taken this seat."""
        return not self.name

    @property
    def gone(self) -> bool:
        """True if its player has left it, and is not waited for."""
        return self.away and self.lost_at is None

    @property
    def away(self) -> bool:
        """True if it is the seat of a human player who is not here."""
        return bool(self.name) and not self.bot and self.guest == NOBODY

    def is_awaited(self, lost_after: float) -> bool:
        """Return True if its player lost the connection after `lost_after`, and so may be back soon."""
        return self.away and self.lost_at is not None and self.lost_at > lost_after


class Seats(Struct, frozen=True):
    """The players, bots and spectators of one table."""

    chairs: tuple[Chair, ...]
    watchers: tuple[Guest, ...] = ()
    removed: frozenset[str] = frozenset()
    """Tokens of guests who may not return."""

    @classmethod
    def of(cls, count: int) -> "Seats":
        """Return `count` free seats."""
        return cls((Chair(),) * count)

    @classmethod
    def resume(cls, seat_snapshots: tuple[SeatSnapshot, ...], removed: tuple[str, ...], now: float) -> "Seats":
        """Return the seats of a snapshot: every player has just lost the connection."""
        chairs = (
            Chair(chair.name, chair.token, chair.bot, lost_at=now if chair.token else None)
            for chair in seat_snapshots
        )
        return cls(tuple(chairs), removed=frozenset(removed))

    @property
    def guests(self) -> list[int]:
        """Connections of all players and spectators here."""
        return [chair.guest for chair in self.chairs if chair.guest != NOBODY] + [guest.id for guest in self.watchers]

    def free(self, *, over: bool = False) -> list[int]:
        """Return the seats free to take: empty seats, and seats of absent players if the match is `over`."""
        return [seat for seat, chair in enumerate(self.chairs) if chair.free or (over and chair.away)]

    def of_token(self, token: str) -> int:
        """Return the seat that belongs to a token, whether its player is here or not; -1 if there is none."""
        return next((number for number, chair in enumerate(self.chairs) if chair.token == token), NOBODY)

    def at(self, guest: int) -> int:
        """Return the seat of a connection; -1 if there is none."""
        return next((number for number, chair in enumerate(self.chairs) if chair.guest == guest), NOBODY)

    def sit(self, guest: Guest, *, over: bool = False) -> "Seats":
        """Give a guest their own seat again, or the first free one, or else the first of a bot.

        If the match is `over`, the seats of absent players are free, too. Raises Illegal if human players have all
        seats, or the guest was removed.
        """
        self.admit(guest)
        seat = self.of_token(guest.token)
        if seat == NOBODY:
            seat = next(
                iter(self.free(over=over) + [number for number, chair in enumerate(self.chairs) if chair.bot]), NOBODY
            )
        if seat == NOBODY:
            raise Illegal(words("Every seat at that table is taken."))
        return self.without_watcher(guest.id).with_chair(seat, Chair(guest.name, guest.token, guest=guest.id))

    def watch(self, guest: Guest) -> "Seats":
        """Add a spectator. Raises Illegal for one who was removed."""
        self.admit(guest)
        seats = self.without_watcher(guest.id)
        return replace(seats, watchers=(*seats.watchers, guest))

    def without_watcher(self, guest: int) -> "Seats":
        """Return the seats without this connection among the spectators."""
        return replace(self, watchers=tuple(watcher for watcher in self.watchers if watcher.id != guest))

    def admit(self, guest: Guest) -> None:
        """Raise Illegal for a guest who was removed."""
        if guest.token in self.removed:
            raise Illegal(words("You were removed from that table."))

    def restart_grace(self, now: float) -> "Seats":
        """Restart the grace of lost players: while nobody was here, no time has passed."""
        chairs = (
            replace(chair, lost_at=now) if chair.away and chair.lost_at is not None else chair
            for chair in self.chairs
        )
        return replace(self, chairs=tuple(chairs))

    def stand_up(self, guest: int, *, lost_at: float | None, keep_reserved: bool, excused: bool = False) -> "Seats":
        """Remove a connection from its seat, which stays reserved with `keep_reserved`; `lost_at` and `excused` as in
        `Chair`.
        """
        seat = self.at(guest)
        if seat == NOBODY:
            return self
        chair = replace(self.chairs[seat], guest=NOBODY, lost_at=lost_at, excused=excused)
        return self.with_chair(seat, chair if keep_reserved else Chair())

    def put_bots(self, levels: tuple[str, ...], *, over: bool = False) -> "Seats":
        """Put bots on the last free seats (see `free`), one for each level."""
        seats, free_seats = self, self.free(over=over)
        for seat, level in zip(free_seats[len(free_seats) - len(levels) :], levels, strict=True):
            seats = seats.put_bot(seat, level)
        return seats

    def put_bot(self, seat: int, level: str) -> "Seats":
        """Give a seat to a bot."""
        taken_names = {chair.name for chair in self.chairs}
        name = next(name for name in BOT_NAMES if name not in taken_names)
        return self.with_chair(seat, Chair(name, bot=level))

    def remove(self, name: str) -> tuple["Seats", int, int]:
        """Remove a player or spectator for good by name; also return their seat and their connection, each -1 for
        none.

        Raises Illegal if nobody of that name is here, bots aside.
        """
        for seat, chair in enumerate(self.chairs):
            if chair.name == name and not chair.bot:
                return self._bar_token(chair.token).with_chair(seat, Chair()), seat, chair.guest
        for watcher in self.watchers:
            if watcher.name == name:
                return self._bar_token(watcher.token).without_watcher(watcher.id), NOBODY, watcher.id
        raise Illegal(words("Nobody called {name} is at the table.", name=name))

    def info(self, lost_after: float, *, over: bool = False) -> tuple[SeatInfo, ...]:
        """Return the seats as everybody sees them; `lost_after` as in `Chair.is_awaited`, `over` as in `free`."""
        return tuple(
            SeatInfo(chair.name, chair.bot, chair.away, chair.is_awaited(lost_after), over and chair.away)
            for chair in self.chairs
        )

    def grace_left(self, grace: float, now: float) -> tuple[float, ...]:
        """Return the seconds by seat until a bot plays for an awaited player; empty if nobody is awaited."""
        seconds_left = tuple(
            round(min(LARGE, max(0.0, (chair.lost_at or now) + grace - now)), 1)
            if chair.is_awaited(now - grace)
            else 0.0
            for chair in self.chairs
        )
        return seconds_left if any(seconds_left) else ()

    def snapshot(self) -> tuple[SeatSnapshot, ...]:
        """Return the seats for a snapshot."""
        return tuple(SeatSnapshot(chair.name, chair.token, chair.bot) for chair in self.chairs)

    def with_chair(self, seat: int, chair: Chair) -> "Seats":
        """Return the seats with another chair in one place."""
        return replace(self, chairs=(*self.chairs[:seat], chair, *self.chairs[seat + 1 :]))

    def _bar_token(self, token: str) -> "Seats":
        return replace(self, removed=self.removed | {token})


Outbox = list[tuple[int, ToClient]]


class Pace(Struct, frozen=True):
    """Delays of automatic steps, in seconds."""

    think: float = 1.0
    """Before a bot's action."""
    draw: float = 0.6
    """Before a bot draws again."""
    result: float = 4.0
    """Before the next deal, if only bots play."""
    shuffle: float = 5.0
    """For clients to reveal the shares that they pledged; most connections need a tenth of a second."""
    grace: float = 30.0
    """For a disconnected player before a bot plays for them: time to reconnect automatically."""


INSTANT = Pace(0, 0, 0, grace=0)
SPEEDS: dict[Speed, float] = {"slow": 2.5, "normal": 1.0, "at once": 0.0}
"""Factors of a bot's delays."""


class Terms(Struct, frozen=True):
    """Conditions of a table besides its game and house rules. Times are in seconds, 0 for no limit."""

    turn_time: int = 0
    match_time: int = 0
    code: str = ""
    """Code of a private table; empty for an open one."""
    hints: bool = False
    take_back: bool = False


class Table(Struct, frozen=True):
    """The state of a table. A match begins by itself once no seat is free."""

    id: int
    recorded: RecordedMatch
    seats: Seats
    clock: Clock
    pace: Pace = INSTANT
    terms: Terms = Terms()
    name: str = ""
    maker: str = ""
    """Token of the guest who opened the table."""
    paused: bool = False
    speed: Speed = "normal"
    skipping: bool = False
    """True while bots play at once until it is a human player's turn."""
    is_last_guest_lost: bool = False
    """True if the last guest to go has lost the connection, and so may be back at once."""
    chat: tuple[Said, ...] = ()
    """The newest chat messages, which newcomers get."""
    proposal: Proposal | None = None
    """Proposal of a player; it lapses with any action of a human player, and when the round is over."""
    ready: frozenset[int] = frozenset()
    """Seats whose players have seen the result."""
    number: int = 0
    """Number of the newest update."""
    last_play_update: int = 0
    """Number of the newest update about play."""
    clock_turn: tuple[int, int] = (0, NOBODY)
    """Round and seat for which the clock was set last."""
    waiting_for: object = None
    """Description of what the table waits for; `since` restarts when it changes."""
    since: float = 0.0
    """Time since which it waits for that."""
    arrival_allowance: Allowance = Allowance.of(COALESCED_PER_SECOND, COALESCED_AT_ONCE)
    """Rate of updates about arrivals and departures."""
    action_allowances: tuple[Allowance, ...] = ()
    """Rate of updates about the actions of each seat's player besides play."""
    coalesced_update_at: float | None = None
    """Time of the coalesced update about changes that were not broadcast yet."""

    @property
    def variant(self) -> Variant:
        """The game."""
        return self.recorded.initial.variant

    @property
    def match(self) -> Match | None:
        """The match that is played, or was played last."""
        return self.recorded.match

    @property
    def options(self) -> Options:
        """All house rules at this table."""
        return self.recorded.initial.options

    @property
    def guests(self) -> list[int]:
        """Connections of all players and spectators at the table."""
        return self.seats.guests

    @property
    def deserted(self) -> bool:
        """True if no guest is at the table."""
        return not self.seats.guests

    @property
    def is_awaiting_guest(self) -> bool:
        """True if a guest who has lost the connection may be back at once: the last to go, or a player."""
        return self.is_last_guest_lost or any(chair.away and chair.lost_at is not None for chair in self.seats.chairs)

    @property
    def is_reserving_seats(self) -> bool:
        """True if a seat stays reserved when its player leaves: from the shuffling for the first match on."""
        return self.match is not None or self.recorded.shuffle.closed

    @property
    def over(self) -> bool:
        """True if a match is over, and the next one has not begun."""
        return self.match is not None and self.match.over and not self.recorded.is_awaiting_reveals

    @property
    def complete(self) -> bool:
        """True if a match can begin: no seat is free, and after a match, all players here want another."""
        return not self.seats.free(over=self.over) and (self.match is None or (self.over and self.all_ready))

    @property
    def is_awaiting_bot(self) -> bool:
        """True if it is the turn of a bot, or of a player who has left."""
        seat = self.recorded.turn
        return seat != NOBODY and (bool(self.seats.chairs[seat].bot) or self.seats.chairs[seat].gone)

    @property
    def all_ready(self) -> bool:
        """True if all players here have seen the result."""
        return all(seat in self.ready for seat, chair in enumerate(self.seats.chairs) if chair.guest != NOBODY)

    @property
    def is_awaiting_shares(self) -> bool:
        """True if a player here has not revealed the pledged share yet."""
        return any(
            self.recorded.shuffle.must_reveal(seat)
            for seat, chair in enumerate(self.seats.chairs)
            if chair.guest != NOBODY
        )

    @property
    def phase(self) -> Phase:
        """Phase of the table, in the words of the protocol."""
        if self.recorded.is_awaiting_reveals:
            return "shuffling"
        if self.match is None:
            return "waiting"
        return "over" if self.match.over else "paused" if self.paused else "playing"

    def seat_of(self, guest: Guest) -> int:
        """Return the seat of this guest, whether they sit there or not; -1 if there is none."""
        return self.seats.of_token(guest.token)

    def moderator_token(self, now: float) -> str:
        """Return the token of the moderator, who may remove others: the opener, or once they have left, the first
        player here.
        """
        maker_seat = self.seats.of_token(self.maker)
        present_tokens = [watcher.token for watcher in self.seats.watchers]
        present_tokens += [chair.token for chair in self.seats.chairs if chair.guest != NOBODY]
        is_maker_awaited = maker_seat != NOBODY and self.seats.chairs[maker_seat].is_awaited(now - self.pace.grace)
        if self.maker in present_tokens or is_maker_awaited:
            return self.maker
        return next((chair.token for chair in self.seats.chairs if chair.guest != NOBODY), "")

    def sitting_connection(self, guest: Guest) -> int:
        """Return the connection through which this guest sits at the table; -1 if there is none."""
        seat = self.seat_of(guest)
        return self.seats.chairs[seat].guest if seat != NOBODY else NOBODY

    def with_shuffle(self, shuffle: Shuffle) -> "Table":
        """Return the table with other pledges or shares for the next match."""
        return replace(self, recorded=replace(self.recorded, shuffle=shuffle))

    def info(self, now: float) -> TableInfo:
        """Return the table's entry in the lobby."""
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
        """Return the table's snapshot, which lacks the lines of its match."""
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
            moved=self.last_play_update,
            ready=tuple(sorted(self.ready)),
            said=self.chat,
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

    def change_since(self, previous: "Table", now: float) -> Change:
        """Return the change to save since an earlier state, within one match."""
        begins = self.recorded.matches_begun != previous.recorded.matches_begun
        first_line = 0 if begins else len(previous.recorded.lines)
        lines = self.recorded.lines[first_line:]
        ends = bool(lines) and not self.recorded.in_progress
        return Change(self.id, self.snapshot(now), lines, begins, ends, first_line)


def new_table(
    number: int,
    variant: Variant,
    players: int,
    chosen: Mapping[str, object],
    dealer: Dealer,
    pace: Pace = INSTANT,
    terms: Terms = Terms(),  # noqa: B008 - a frozen value
) -> Table:
    """Return a new, empty table.

    Raises `core.words.BadOption` for players or house rules that the game does not have.
    """
    match = new_match(variant, players, chosen)  # refuses a billion players
    return Table(
        number,
        RecordedMatch.of(match, dealer),
        Seats.of(players),
        Clock.of(terms.turn_time, terms.match_time, players),
        pace,
        terms,
        speed="normal" if pace.think else "at once",
        action_allowances=(Allowance.of(COALESCED_PER_SECOND, COALESCED_AT_ONCE),) * players,
    )


def resume_table(snapshot: Snapshot, lines: Iterable[str], dealer: Dealer, pace: Pace, now: float) -> Table:
    """Resume a saved table, its match refereed again; no guest is there yet.

    Raises `core.records.RecordError` if the lines are not those that were saved, or do not follow the rules, and
    `core.words.BadOption` for house rules that the game does not have.
    """
    lines = tuple(lines)
    if snapshot.checksum and snapshot.checksum != f"{checksum_of(lines):08x}":
        raise RecordError(max(1, len(lines)), "the lines up to this one are not those that were saved")
    variant, players = game(snapshot.game), len(snapshot.chairs)
    terms = Terms(snapshot.turn_time, snapshot.match_time, snapshot.code, snapshot.hints, snapshot.take_back)
    chosen = variant.resolve_stored(players, snapshot.chosen)
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
        is_last_guest_lost=True,
        chat=snapshot.said,
        ready=frozenset(snapshot.ready),
        number=snapshot.number,
        last_play_update=snapshot.moved,
        clock_turn=recorded.moment,
    )
