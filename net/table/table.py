"""A table: the match that is played there, and who may hear what of it. It does no input or output.

Every public method returns what is to be sent, as (guest, message) pairs. Whoever calls it also looks at
`delay` afterwards: when that is not None, `step` wants to be called after so many seconds.
"""

from collections import deque
from collections.abc import Callable, Iterable, Mapping
from time import monotonic

from msgspec import Struct

from core.actions import Event, cut
from core.bots.levels import BOTS
from core.layout.placed import NOBODY
from core.match import Match, new_match
from core.options import Options
from core.records import Seat
from core.seals import NO_SIGNING, Signing
from core.variant import Variant
from core.words import Illegal, Words, words
from net.limits import MENTIONS_AT_ONCE, MENTIONS_PER_SECOND, TALK_AT_ONCE, TALK_PER_SECOND
from net.rate_limit import Bucket
from net.table.clock import Clock
from net.table.fair_deal import Shuffle
from net.table.match_runner import MatchRunner
from net.table.seats import Guest, Seats
from net.table.snapshot import Change, Snapshot
from net.wire.messages import Act, Attest, Phase, Record, Refused, Said, TableInfo, Times, ToClient, Update

CHAT_TAIL = 20
"""Things said that a newcomer is told; about one screen of them."""
RECORD_LINES = 100
"""Lines of a record in one message; the longest, deals, have under 2,000 characters."""

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
    """Clients have to show the shares that they pledged; most lines need a tenth of one."""
    grace: float = 30.0
    """A seat waits for a player whose line broke, before a bot plays for him: time to reconnect by itself."""


AT_ONCE = Pace(0, 0, 0, grace=0)


class Terms(Struct, frozen=True):
    """What holds at a table besides its game and house rules. Times are in seconds, 0 for no limit."""

    turn_time: int = 0
    match_time: int = 0
    code: str = ""
    """What one must know to come to a private table; empty for an open one."""


class Table:
    """The authority over one table. A match begins by itself once no seat is free."""

    def __init__(
        self,
        number: int,
        variant: Variant,
        players: int,
        chosen: Mapping[str, object],
        *,
        seeds: Callable[[], bytes],
        software: str,
        pace: Pace = AT_ONCE,
        terms: Terms = Terms(),  # noqa: B008 - a frozen value
        clock: Callable[[], float] = monotonic,
        signing: Signing = NO_SIGNING,
    ) -> None:
        """Raises `core.words.BadOption` for players or house rules that the game does not have.

        `seeds` gives the host's secret for each match, `clock` the time in seconds, `signing` seals records.
        """
        self.id = number
        self.name = ""
        self.maker = ""
        """The token of who opened the table."""
        self.variant = variant
        self.terms = terms
        self.paused = False
        self._lost = False
        match = new_match(variant, players, chosen)  # not a billion players
        self._runner = MatchRunner(match, seeds, software, signing)
        self.seats = Seats(players)
        self._said: deque[Said] = deque(maxlen=CHAT_TAIL)
        self._ready: set[int] = set()
        self._number = 0
        self._moved = 0
        self._pace = pace
        self._time = clock
        self._clock = Clock(terms.turn_time, terms.match_time, players)
        self._turn = (0, NOBODY)
        self._awaited: object = None
        """What the table waits for, to see when that changes."""
        self._since = clock()
        """Since when it waits for that."""
        self._talk = Bucket(TALK_PER_SECOND, TALK_AT_ONCE)
        self._mentions = Bucket(MENTIONS_PER_SECOND, MENTIONS_AT_ONCE)
        self._doings = [Bucket(MENTIONS_PER_SECOND, MENTIONS_AT_ONCE) for _ in range(players)]
        self._mention_at: float | None = None
        """When all are told of changes that not all have heard of yet."""

    # Who is here

    @property
    def match(self) -> Match | None:
        """The match that is played, or was played last."""
        return self._runner.match

    @property
    def options(self) -> Options:
        """All house rules at this table."""
        return self._runner.fresh.options

    @property
    def guests(self) -> list[int]:
        """Everybody at the table, seated or looking on."""
        return self.seats.guests

    @property
    def deserted(self) -> bool:
        """Whether no person is at the table."""
        return not self.seats.guests

    @property
    def awaits_somebody(self) -> bool:
        """Whether who was here last, or anybody with a seat, did not leave by himself, and so may be back at once."""
        return self._lost or any(chair.away and chair.lost_at is not None for chair in self.seats.chairs)

    def seat_of(self, guest: Guest) -> int:
        """The seat that is this guest's, whether he sits there or not; -1 for none."""
        return self.seats.of(guest.token)

    def sitting(self, guest: Guest) -> int:
        """The connection through which this guest sits at the table now; -1 when he does not."""
        seat = self.seats.of(guest.token)
        return self.seats.chairs[seat].guest if seat != NOBODY else NOBODY

    def info(self) -> TableInfo:
        """The table as the lobby shows it."""
        return TableInfo(
            id=self.id,
            name=self.name,
            game=self.variant.id,
            options=self.options,
            seats=self.seats.info(self._time() - self._pace.grace),
            watchers=len(self.seats.watchers),
            phase=self._phase(),
            private=bool(self.terms.code),
            turn_time=self.terms.turn_time,
            match_time=self.terms.match_time,
        )

    def sit(self, guest: Guest, pledge: str = "") -> Outbox:
        """Give a guest his own seat again, or the first free one, with what he pledges for the deals.

        Raises Illegal when there is none.
        """
        self._wake()
        seat = self.seats.sit(guest)
        if not self._runner.under_way and pledge:
            self._runner.shuffle.pledge(seat, pledge)
        if not self.maker:
            self.name, self.maker = guest.name, guest.token
        return (self._began() or self._mentioned(guest.id, comes=True)) + self._chat_for(guest.id)

    def watch(self, guest: Guest) -> Outbox:
        """Let a guest look on; if he sits here, his seat is kept for him. Raises Illegal for one sent away."""
        self.seats.admit(guest)
        self._wake()
        self._stand_up(guest.id, None)
        self.seats.watchers[guest.id] = guest
        return self._mentioned(guest.id, comes=True) + self._chat_for(guest.id)

    def put_bots(self, levels: tuple[str, ...]) -> None:
        """Put bots on the last free seats, one for each level; before anybody is told of the table."""
        self.seats.put_bots(levels)

    def fill(self, level: str) -> Outbox:
        """Put bots on all free seats, whereupon the match begins."""
        self.seats.put_bots((level,) * sum(chair.free for chair in self.seats.chairs))
        return self._began()

    def leave(self, guest: int, *, lost: bool = False) -> Outbox:
        """Let a guest go. A bot plays a seat while its player is away; before the match the seat is free.

        For one whose line was `lost` the seat waits a little before a bot plays.
        """
        self._lost = lost
        self.seats.watchers.pop(guest, None)
        self._stand_up(guest, self._time() if lost else None)
        return self._mentioned()

    def remove(self, name: str) -> tuple[Outbox, int]:
        """Send somebody away for good; also return his connection, -1 if he is not here. A bot has his seat then.

        Raises Illegal when nobody has that name.
        """
        seat, guest = self.seats.remove(name)
        if seat != NOBODY:
            self._ready.discard(seat)
            self._runner.shuffle.pledge(seat, "")
            if self.match is not None or self._runner.shuffle.closed:
                self.seats.put_bot(seat, next(iter(BOTS)))
        return self._mentioned(), guest

    # What they do

    def act(self, guest: int, act: Act) -> Outbox:
        """Do what a guest wants to do on his turn, or tell him, and only him, in words why not."""
        seat = self.seats.at(guest)
        if seat == NOBODY:
            return [(guest, Refused(words("You are watching; only seated players can play.")))]
        refusal = self._refusal(seat, act)
        if refusal is None:
            try:
                return self._told(self._runner.apply(act.action))
            except Illegal as illegal:
                refusal = illegal.reason
        return [(guest, Refused(refusal)), self._update(guest)]

    def ready(self, guest: int, pledge: str = "") -> Outbox:
        """Note that a player has seen the result; the next deal follows when all who are here have."""
        seat = self.seats.at(guest)
        if seat == NOBODY or self.match is None or self.match.turn != NOBODY or self._runner.shuffling:
            return []
        if self.match.over and pledge:
            self._runner.shuffle.pledge(seat, pledge)
        self._ready.add(seat)
        return self._go_on() if self._all_ready() else self._mentioned(guest)

    def reveal(self, guest: int, share: str) -> Outbox:
        """Take a share that was pledged; with the last one the tiles are dealt. Raises Illegal for a wrong one."""
        seat = self.seats.at(guest)
        if seat == NOBODY or not self._runner.shuffling:
            return []
        self._runner.shuffle.reveal(seat, share)
        return self._mentioned(guest) if self._awaits_shares() else self._dealt()

    def say(self, guest: int, text: str) -> Outbox:
        """Let everybody at the table hear what a guest says. Raises Illegal when those who look on say too much."""
        seat = self.seats.at(guest)
        if seat == NOBODY and not self._talk.take(self._time()):
            raise Illegal(words("Spectators are talking too fast; wait a moment."))
        name = self.seats.chairs[seat].name if seat != NOBODY else self.seats.watchers[guest].name
        said = Said(name, seat, text)
        self._said.append(said)
        return [(other, said) for other in self.guests]

    def pause(self, guest: int, on: bool) -> Outbox:
        """Stop the table, or let it go on. Raises Illegal for who has no seat."""
        if self.seats.at(guest) == NOBODY:
            raise Illegal(words("Only seated players can pause."))
        if on == self.paused:
            return []
        self.paused = on
        return self._mentioned(guest)

    def end_match(self, guest: int) -> Outbox:
        """End a match that may never end. Raises Illegal for who has no seat, and for any other match."""
        if self.seats.at(guest) == NOBODY:
            raise Illegal(words("Only seated players can end the match."))
        self._ready.clear()
        return self._told(self._runner.stop())

    def recall(self, guest: int) -> Outbox:
        """Hand out the record of the finished match. Raises Illegal while one is played."""
        lines = self._runner.lines
        if not lines or self._runner.under_way:
            raise Illegal(words("A match's record is published when the match is over."))
        parts = range(0, len(lines), RECORD_LINES)
        return [(guest, Record(self.id, tuple(lines[at : at + RECORD_LINES]), at == parts[-1])) for at in parts]

    def attest(self, guest: Guest, key: str, said: Attest) -> None:
        """Take a player's word on the record of the finished match; `key` is the fingerprint of his key."""
        self._runner.attest(self.seats.at(guest.id), key, said)

    # What happens by itself

    @property
    def delay(self) -> float | None:
        """Seconds until `step` is due; None while the table waits for a person, is paused, or nobody is there."""
        now = self._time()
        due = min((at for at in (self._due(now), self._mention_at) if at is not None), default=None)
        return None if due is None else max(0.0, due - now)

    def step(self) -> Outbox:
        """Do what is due once `delay` is over: a bot's action, also for a player out of time, a deal, or a word."""
        due = self._due(self._time())
        if self._mention_at is not None and (due is None or self._mention_at < due):
            self._mentions.spend(1, self._time())
            return self._told()
        if due is None:
            return []
        seat = self._runner.turn
        if seat == NOBODY:
            return self._dealt()
        chair = self.seats.chairs[seat]
        late = seat if chair.guest != NOBODY else NOBODY
        return self._told(self._runner.apply(self._runner.choice(chair.bot or next(iter(BOTS)))), timed_out=late)

    def _due(self, now: float) -> float | None:
        """When `step` is due."""
        if self.deserted:
            return None
        if self._runner.shuffling:
            return self._since + self._pace.shuffle
        if self.match is None or self.match.over or self.paused:
            return None
        seat = self._runner.turn
        if seat == NOBODY:
            return self._since + self._pace.result if self._all_ready() else None
        chair = self.seats.chairs[seat]
        drawing = self.match.state and self.match.state.drawn
        thought = self._since + (self._pace.draw if drawing else self._pace.think)
        if chair.bot or (chair.away and chair.lost_at is None):
            return thought
        left = self._clock.left(seat, now)
        waits = [now + left] if left is not None else []
        if chair.lost_at is not None:
            waits.append(max(thought, chair.lost_at + self._pace.grace))
        return min(waits, default=None)

    # What is kept

    def take(self) -> Change:
        """Return what there is to keep since this was last called."""
        return Change(self.id, self.snapshot(), *self._runner.take())

    def snapshot(self) -> Snapshot:
        """The table as it is kept, but for the lines of its match."""
        turn_left, match_left = self._clock.shown(self._time())
        return Snapshot(
            id=self.id,
            name=self.name,
            maker=self.maker,
            game=self.variant.id,
            chosen=self.options,
            chairs=self.seats.snapshot(),
            secret=self._runner.shuffle.secret,
            shares=self._runner.shuffle.fair.shares,
            closed=self._runner.shuffle.closed,
            number=self._number,
            moved=self._moved,
            ready=tuple(sorted(self._ready)),
            said=tuple(self._said),
            turn_time=self.terms.turn_time,
            match_time=self.terms.match_time,
            turn_left=turn_left,
            match_left=match_left,
            paused=self.paused,
            code=self.terms.code,
            removed=tuple(sorted(self.seats.removed)),
        )

    def resume(self, snapshot: Snapshot, lines: Iterable[str]) -> None:
        """Take up a table as it was kept, its match refereed anew; nobody is there yet.

        Raises `core.records.RecordError` when the lines are not what the rules make of them.
        """
        self._runner.resume(lines, Shuffle.resumed(snapshot.secret, snapshot.shares, snapshot.closed))
        self._lost = True
        self.name, self.maker = snapshot.name, snapshot.maker
        self.seats.resume(snapshot.chairs, snapshot.removed, self._time())
        self.paused = snapshot.paused
        self._said.extend(snapshot.said)
        self._ready = set(snapshot.ready)
        self._number, self._moved = snapshot.number, snapshot.moved
        self._clock.set(snapshot.turn_left, snapshot.match_left)
        self._turn = self._runner.moment

    # Within

    def _phase(self) -> Phase:
        if not self._runner.under_way and self._runner.shuffle.closed:
            return "shuffling"
        if self.match is None:
            return "waiting"
        return "over" if self.match.over else "paused" if self.paused else "playing"

    def _refusal(self, seat: int, act: Act) -> Words | None:
        """Why a seat may not act now, whatever it wants to do."""
        if self.match is None or self.match.turn == NOBODY:
            return words("No round is being played.")
        if self.paused:
            return words("The table is paused.")
        if not self._moved <= act.number <= self._number:
            return words("The table has already moved on.")
        return words("It is not your turn.") if seat != self.match.turn else None

    def _wake(self) -> None:
        """Somebody comes; if nobody was here, the table has stood still."""
        if self.deserted:
            self.seats.wait_anew(self._time())

    def _stand_up(self, guest: int, lost_at: float | None) -> None:
        keeps = self.match is not None or self._runner.shuffle.closed
        seat = self.seats.stand_up(guest, lost_at=lost_at, keeps=keeps)
        if seat != NOBODY:
            self._ready.discard(seat)
            if not keeps:
                self._runner.shuffle.pledge(seat, "")

    def _began(self) -> Outbox:
        """Start the first match if no seat is free; otherwise nothing."""
        return [] if self.match is not None or not self.seats.all_taken else self._go_on()

    def _go_on(self) -> Outbox:
        """Deal the next round; before the first one shares may have to be shown."""
        if not self._runner.under_way:
            self._runner.shuffle.close()
            if self._awaits_shares():
                return self._told()
        return self._dealt()

    def _awaits_shares(self) -> bool:
        return any(
            self._runner.shuffle.awaited(seat)
            for seat, chair in enumerate(self.seats.chairs)
            if chair.guest != NOBODY
        )

    def _all_ready(self) -> bool:
        return all(seat in self._ready for seat, chair in enumerate(self.seats.chairs) if chair.guest != NOBODY)

    def _dealt(self) -> Outbox:
        """Deal the next round, of a new match if there is none or the last is over."""
        self._ready.clear()
        if not self._runner.under_way:
            self.paused = False
            self._clock.begin()
        return self._told(self._runner.deal(Seat(chair.name, chair.bot) for chair in self.seats.chairs))

    def _told(self, events: tuple[Event, ...] = (), *, newcomer: int = NOBODY, timed_out: int = NOBODY) -> Outbox:
        """Number a change and tell everybody what he may know of it."""
        self._number += 1
        self._mention_at = None
        if events:
            self._moved = self._number
        self._set_clock()
        info = self.info()
        whole = not self._runner.under_way or self._runner.just_begun
        return [
            self._update(guest, events, info, whole=whole or guest == newcomer, timed_out=timed_out)
            for guest in self.guests
        ]

    def _mentioned(self, whom: int = NOBODY, *, comes: bool = False) -> Outbox:
        """Tell of a change in which nothing was played: everybody at once, or all such changes together a bit later.

        However often guests come and go, those who play are told twice a second at the most. Only `whom` it concerns
        is told at once in any case, under the number that all have heard, so that nobody misses one.
        """
        now, seat = self._time(), self.seats.at(whom)
        if not comes and seat != NOBODY:  # what a player does waits for nobody else's coming and going
            at_once = self._doings[seat].take(now)
        else:
            at_once = self._mention_at is None and self._mentions.take(now)
        if at_once:
            return self._told(newcomer=whom if comes else NOBODY)
        self._set_clock()
        if self._mention_at is None:
            self._mention_at = now + 1 / MENTIONS_PER_SECOND
        whole = comes or not self._runner.under_way or self._runner.just_begun
        return [self._update(whom, whole=whole)] if whom in self.guests else []

    def _set_clock(self) -> None:
        """Let the time run of whoever is on turn, and note since when the table waits for what it waits for."""
        now, seat = self._time(), self._runner.turn
        awaited = (
            len(self._runner.lines),
            self._phase(),
            self.deserted,
            self.seats.chairs[seat].away,
            tuple(sorted(self._ready)),
        )
        if awaited != self._awaited:
            self._awaited, self._since = awaited, now
        if not self._runner.under_way or self.paused or self.deserted or self.seats.chairs[seat].bot:
            seat = NOBODY
        fresh, self._turn = self._runner.moment != self._turn, self._runner.moment
        self._clock.run(seat, now, fresh=fresh)

    def _update(
        self,
        guest: int,
        events: tuple[Event, ...] = (),
        info: TableInfo | None = None,
        *,
        whole: bool = False,
        timed_out: int = NOBODY,
    ) -> tuple[int, Update]:
        seat = self.seats.at(guest)
        times = Times(self._clock.running, *self._clock.shown(self._time())) if self._clock.limited else None
        return guest, Update(
            number=self._number,
            table=info or self.info(),
            seat=seat,
            match=self.match.view(seat) if self.match else None,
            events=tuple(cut(event, seat) for event in events),
            ready=tuple(sorted(self._ready)),
            fair=self._runner.shuffle.fair if whole else None,
            times=times,
            timed_out=timed_out,
            watching=tuple(watcher.name for watcher in self.seats.watchers.values()),
            code=self.terms.code,
        )

    def _chat_for(self, guest: int) -> Outbox:
        return [(guest, said) for said in self._said]
