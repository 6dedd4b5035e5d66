"""A table: who sits there, the match they play, and who may hear what. It does no input or output.

Every public method returns what is to be sent, as (guest, message) pairs. Whoever calls it also looks at
`delay` afterwards: when that is not None, `step` wants to be called after so many seconds.
"""

from collections import deque
from collections.abc import Callable, Mapping
from random import Random

from msgspec import Struct

from core.actions import Action, Event, cut
from core.bots import BOTS
from core.chance import deal_order
from core.layout import NOBODY
from core.match import Match, new_match
from core.options import Options
from core.records import FORMAT, ActionLine, DealLine, Line, MatchLine, Seat, results
from core.state import State
from core.variant import Variant
from core.words import Illegal, words
from net.messages import Act, Refused, Said, SeatInfo, TableInfo, ToClient, Update

CHAT_TAIL = 20
"""Things said that a newcomer is told; about one screen of them."""

Outbox = list[tuple[int, ToClient]]


class Guest(Struct, frozen=True):
    """Somebody in the house: the number of the connection, the name, and what he is recognised by."""

    id: int
    name: str
    token: str
    """The key's fingerprint, or something weaker for who has none."""


class Pace(Struct, frozen=True):
    """How long a bot seems to think, and how long a result stands where only bots play, in seconds."""

    think: float = 1.0
    draw: float = 0.6
    result: float = 4.0


AT_ONCE = Pace(0, 0, 0)


class Chair(Struct):
    """One seat: whose it is, and the guest who sits there now."""

    name: str = ""
    token: str = ""
    bot: str = ""
    guest: int = NOBODY

    @property
    def free(self) -> bool:
        """Whether nobody has taken this seat."""
        return not self.name

    @property
    def away(self) -> bool:
        """Whether it is a person's seat and the person is not here."""
        return bool(self.name) and not self.bot and self.guest == NOBODY


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
    ) -> None:
        """Raises `core.words.BadOption` for players or house rules that the game does not have.

        `seeds` gives the secret from which the deals of the next match follow.
        """
        self.id = number
        self.name = ""
        self.variant = variant
        self.chosen = chosen
        self.match: Match | None = None
        self.record: list[Line] = []
        """Lines of the record that the owner of this table has not taken yet."""
        self._new = new_match(variant, players, chosen)
        self._chairs = [Chair() for _ in range(players)]
        self._watchers: dict[int, Guest] = {}
        self._said: deque[Said] = deque(maxlen=CHAT_TAIL)
        self._ready: set[int] = set()
        self._number = 0
        self._moved = 0
        self._seeds = seeds
        self._seed = b""
        self._rng = Random()
        self._software = software
        self._pace = pace

    # Who is here

    @property
    def options(self) -> Options:
        """All house rules at this table."""
        return self._new.options

    @property
    def guests(self) -> list[int]:
        """Everybody at the table, seated or looking on."""
        return [chair.guest for chair in self._chairs if chair.guest != NOBODY] + list(self._watchers)

    @property
    def deserted(self) -> bool:
        """Whether no person is at the table."""
        return not self.guests

    def seat_of(self, guest: Guest) -> int:
        """The seat that is this guest's, whether he sits there or not; -1 for none."""
        return next((n for n, chair in enumerate(self._chairs) if chair.token == guest.token), NOBODY)

    def sitting(self, guest: Guest) -> int:
        """The connection through which this guest sits at the table now; -1 when he does not."""
        return next((chair.guest for chair in self._chairs if chair.token == guest.token), NOBODY)

    def info(self) -> TableInfo:
        """The table as the lobby shows it."""
        phase = "waiting" if self.match is None else "over" if self.match.over else "playing"
        return TableInfo(
            id=self.id,
            name=self.name,
            game=self.variant.id,
            options=self.options,
            seats=tuple(SeatInfo(c.name, c.bot, c.away) for c in self._chairs),
            watchers=len(self._watchers),
            phase=phase,
        )

    def sit(self, guest: Guest) -> Outbox:
        """Give a guest his own seat again, or the first free one.

        Raises Illegal when there is none.
        """
        seat = self.seat_of(guest)
        if seat == NOBODY:
            seat = next((n for n, chair in enumerate(self._chairs) if chair.free), NOBODY)
        if seat == NOBODY:
            raise Illegal(words("Every seat at that table is taken."))
        self._watchers.pop(guest.id, None)
        chair = self._chairs[seat]
        chair.name, chair.token, chair.guest = guest.name, guest.token, guest.id
        self.name = self.name or guest.name
        return self._began() or self._told() + self._chat_for(guest.id)

    def watch(self, guest: Guest) -> Outbox:
        """Let a guest look on; if he sits here, his seat is kept for him."""
        self.leave(guest.id)
        self._watchers[guest.id] = guest
        return self._told() + self._chat_for(guest.id)

    def put_bots(self, levels: tuple[str, ...]) -> None:
        """Put bots on the last free seats, one for each level; before anybody is told of the table."""
        free = [chair for chair in self._chairs if chair.free]
        for chair, level in zip(free[len(free) - len(levels) :], levels, strict=True):
            chair.name, chair.bot = self._bot_name(), level

    def fill(self, level: str) -> Outbox:
        """Put bots on all free seats, whereupon the match begins."""
        self.put_bots((level,) * sum(chair.free for chair in self._chairs))
        return self._began()

    def leave(self, guest: int) -> Outbox:
        """Let a guest go. A bot plays a seat while its player is away; before the match the seat is free."""
        self._watchers.pop(guest, None)
        for seat, chair in enumerate(self._chairs):
            if chair.guest == guest:
                chair.guest = NOBODY
                self._ready.discard(seat)
                if self.match is None:
                    self._chairs[seat] = Chair()
        return self._told()

    # What they do

    def act(self, guest: int, act: Act) -> Outbox:
        """Do what a guest wants to do on his turn, or tell him, and only him, in words why not."""
        seat = self._seated(guest)
        if seat == NOBODY:
            return [(guest, Refused(words("You are looking on; only who has a seat can play.")))]
        if self.match is None or self.match.turn == NOBODY:
            return [(guest, Refused(words("No round is being played."))), self._update(guest)]
        if not self._moved <= act.number <= self._number:
            return [(guest, Refused(words("The table has moved on since then."))), self._update(guest)]
        if seat != self.match.turn:
            return [(guest, Refused(words("It is not your turn."))), self._update(guest)]
        try:
            return self._apply(act.action)
        except Illegal as illegal:
            return [(guest, Refused(illegal.reason)), self._update(guest)]

    def ready(self, guest: int) -> Outbox:
        """Note that a player has seen the result; the next deal follows when all who are here have."""
        seat = self._seated(guest)
        if seat == NOBODY or self.match is None or self.match.turn != NOBODY:
            return []
        self._ready.add(seat)
        return self._dealt() if self._all_ready() else self._told()

    def say(self, guest: int, text: str) -> Outbox:
        """Let everybody at the table hear what a guest says."""
        seat = self._seated(guest)
        name = self._chairs[seat].name if seat != NOBODY else self._watchers[guest].name
        said = Said(name, seat, text)
        self._said.append(said)
        return [(other, said) for other in self.guests]

    # What happens by itself

    @property
    def delay(self) -> float | None:
        """Seconds until `step` is due; None while the table waits for a person, or nobody is there."""
        if self.match is None or self.deserted:
            return None
        if self.match.turn == NOBODY:
            return self._pace.result if self._all_ready() and not self.match.over else None
        chair = self._chairs[self.match.turn]
        if not chair.bot and not chair.away:
            return None
        drawing = isinstance(self.match.state, State) and self.match.state.drawn
        return self._pace.draw if drawing else self._pace.think

    def step(self) -> Outbox:
        """Do what is due: a bot's action, or a deal that waits for nobody."""
        if self.delay is None or self.match is None:
            return []
        if self.match.turn == NOBODY:
            return self._dealt()
        chair = self._chairs[self.match.turn]
        bot = BOTS[chair.bot or next(iter(BOTS))]
        return self._apply(bot(self.match.view(self.match.turn), self._rng))

    # Within

    def _seated(self, guest: int) -> int:
        return next((n for n, chair in enumerate(self._chairs) if chair.guest == guest), NOBODY)

    def _bot_name(self) -> str:
        taken = {chair.name for chair in self._chairs}
        return next(name for name in _BOT_NAMES if name not in taken)

    def _began(self) -> Outbox:
        """Start the match if it has not begun and no seat is free; otherwise nothing."""
        if self.match is not None or any(chair.free for chair in self._chairs):
            return []
        return self._dealt()

    def _all_ready(self) -> bool:
        return all(seat in self._ready for seat, chair in enumerate(self._chairs) if chair.guest != NOBODY)

    def _dealt(self) -> Outbox:
        """Deal the next round, of a new match if there is none or the last is over."""
        self._ready.clear()
        if self.match is None or self.match.over:
            self.match = self._new
            self._seed = self._seeds()
            self._rng = Random(self._seed + b"bots")
            seats = tuple(Seat(chair.name, chair.bot) for chair in self._chairs)
            options = self.match.options
            self.record.append(MatchLine(FORMAT, self.variant.id, options, seats, self._software))
        rules = self.match.rules
        order, lot = deal_order(rules.tiles, rules.seats, self._seed, self.match.round + 1)
        self.match, events = self.match.deal(order, lot)
        self.record.append(DealLine(self.match.round, lot, order))
        return self._told(events)

    def _apply(self, action: Action) -> Outbox:
        if self.match is None:
            return []
        seat = self.match.turn
        self.match, events = self.match.apply(action)
        self.record.append(ActionLine(seat, action))
        self.record += results(self.match, events)
        return self._told(events)

    def _told(self, events: tuple[Event, ...] = ()) -> Outbox:
        """Number a change and tell everybody what he may know of it."""
        self._number += 1
        if events:
            self._moved = self._number
        info = self.info()
        return [self._update(guest, events, info) for guest in self.guests]

    def _update(
        self, guest: int, events: tuple[Event, ...] = (), info: TableInfo | None = None
    ) -> tuple[int, Update]:
        seat = self._seated(guest)
        return guest, Update(
            number=self._number,
            table=info or self.info(),
            seat=seat,
            match=self.match.view(seat) if self.match else None,
            events=tuple(cut(event, seat) for event in events),
            ready=tuple(sorted(self._ready)),
        )

    def _chat_for(self, guest: int) -> Outbox:
        return [(guest, said) for said in self._said]


_BOT_NAMES = ("Blanche", "Cinque", "Doubles", "Ebony", "Felix", "Gizmo", "Hub", "Ivory")
