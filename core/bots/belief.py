"""What may be where: the deals that agree with all that a seat has seen of a round, and samples of them.

A deal is an order of the set. A tile is impossible at a place of it if what was done would then have been illegal:
somebody passed or drew although the tile fitted, or led another although this one had to be led. All deals that are
possible are equally likely, as long as nothing is supposed about how people choose among legal actions.
"""

from collections.abc import Iterator
from random import Random
from typing import NamedTuple

from core.actions import Drew, Led, Passed, Play, Played
from core.games import GAMES
from core.layout.legal import may_draw
from core.layout.placed import NOBODY
from core.layout.replay import playable, seen
from core.layout.rules import LayoutRules
from core.layout.state import Before, LayoutView
from core.match import MatchView
from core.tiles import Tile

STEPS = 3
BURN_IN = 5
"""Times as many tries before the first world."""
CHOSEN = ("kept", "enough", "bidding")
"""Reasons of a pass that show nothing: the seat could have played."""


class World(NamedTuple):
    """One way in which the hidden tiles may lie."""

    hands: tuple[tuple[Tile, ...], ...]
    boneyard: tuple[Tile, ...]
    """In the order in which it will be drawn."""


class Places:
    """The places of a deal, in its order: the hands of the seats, then the boneyard, from which some were drawn.

    For each place, as bits, the tiles that may have been there.
    """

    def __init__(self, rules: LayoutRules, match: MatchView, view: LayoutView) -> None:
        self.tiles = [*rules.tiles]
        for placed in view.layout[:1]:
            if placed.seat == NOBODY:
                self.tiles.remove(placed.tile)
        size, me = rules.start.hand, view.seat
        self.owner = [seat for seat in range(rules.seats) for _ in range(size)]
        self.owner += [NOBODY] * (len(self.tiles) - len(self.owner))
        self._taken = [0] * (size * rules.seats) + [-1] * (len(self.tiles) - size * rules.seats)
        """The event by which a place came to its owner; -1 for one that is still in the boneyard."""
        everything = (1 << len(self.tiles)) - 1
        self.seats = rules.seats
        self.laid = 0
        """The tiles on the table, as bits."""
        self.may = [everything] * len(self.tiles)
        self._next = size * rules.seats
        self._laid: list[tuple[Tile, int, int]] = []
        """Tiles that have been laid, by whom, and by which event."""
        known: dict[int, Tile] = {}
        before = Before(NOBODY, match.leader, match.winner, match.round, match.scores)
        for at, (event, table) in enumerate(seen(rules, view, match.history, before), 1):
            fitting = self._bits(playable(rules, table)) if table.layout else 0
            match event:
                case Led(seat=seat, tile=tile):
                    self._forbid_better_leads(rules, event.reason, tile, size * rules.seats)
                    self._laid.append((tile, seat, at))
                case Played(seat=seat, tile=tile):
                    self._laid.append((tile, seat, at))
                case Passed(seat=seat, reason=reason) if reason not in CHOSEN:
                    self._lacked(seat, at, fitting)
                case Drew(seat=seat, count=count, tiles=tiles, forced=forced):
                    if forced:
                        self._lacked(seat, at, fitting)
                    drawn = range(self._next, self._next + count)
                    self._next += count
                    for number, place in enumerate(drawn, 1):
                        self.owner[place], self._taken[place] = seat, at
                        if forced and table.layout and number < count:
                            self.may[place] &= ~fitting
                        elif forced and table.layout and count < may_draw(rules, table):
                            self.may[place] &= fitting
                    if seat == me:
                        known |= dict(zip(drawn, tiles, strict=True))
        if not view.layout and view.legal and isinstance(lead := view.legal[0], Play):
            self._forbid_better_leads(rules, view.opening, lead.tile, size * rules.seats)
        self._place_what_was_seen(view, known)

    def _bits(self, tiles: object) -> int:
        return sum(1 << number for number, tile in enumerate(self.tiles) if tile in tiles)  # type: ignore[operator]

    def _forbid_better_leads(self, rules: LayoutRules, reason: str, led: Tile, dealt: int) -> None:
        """Nobody was dealt what would have had to be led instead, had its holder and the leader one tile each."""
        if reason not in ("double", "heaviest", "heaviest_hand"):
            return
        first_round = Before(0)
        better = [
            tile
            for tile in self.tiles
            if (tile.is_double or reason != "heaviest_hand")
            and tile != led
            and rules.start.opener(((led,), (tile,)), first_round).tiles == (tile,)
        ]
        for place in range(dealt):
            self.may[place] &= ~self._bits(better)

    def _lacked(self, seat: int, at: int, fitting: int) -> None:
        """A seat held nothing that fitted: so nothing of what it had, and has not laid before, is one of these."""
        gone = self._bits([tile for tile, by, when in self._laid if by == seat and when < at])
        for place, owner in enumerate(self.owner):
            if owner == seat and self._taken[place] >= 0:
                self.may[place] &= ~fitting | gone

    def _place_what_was_seen(self, view: LayoutView, known: dict[int, Tile]) -> None:
        """Tiles that were laid came from places of who laid them; this seat's own tiles are where it had them."""
        rest = (1 << len(self.tiles)) - 1
        for tile, seat, at in self._laid:
            bit = 1 << self._free_number(tile, rest)
            rest &= ~bit
            self.laid |= bit
            for place, owner in enumerate(self.owner):
                if owner != seat or not 0 <= self._taken[place] < at:
                    self.may[place] &= ~bit
        mine = 0
        for tile in view.hand:
            mine |= 1 << self._free_number(tile, rest & ~mine)
        for place, owner in enumerate(self.owner):
            if view.seat != NOBODY and owner == view.seat and self._taken[place] >= 0:
                self.may[place] &= ~(rest & ~mine)
            else:
                self.may[place] &= ~mine
        for place, tile in known.items():
            self.may[place] &= self._bits([tile])

    def _free_number(self, tile: Tile, among: int) -> int:
        return next(n for n, other in enumerate(self.tiles) if other == tile and among >> n & 1)

    def first_order(self, rng: Random) -> list[int]:
        """Return the number of a tile for each place, so that each may be there: some possible deal, not a fair one.

        Each place in turn takes a tile, and those in its way move on (augmenting paths).
        """
        order = [-1] * len(self.tiles)
        place_of = [-1] * len(self.tiles)
        numbers = list(range(len(self.tiles)))
        rng.shuffle(numbers)

        def settle(place: int, tried: set[int]) -> bool:
            for number in numbers:
                if self.may[place] >> number & 1 and number not in tried:
                    tried.add(number)
                    other = place_of[number]
                    if other < 0 or settle(other, tried):
                        order[place], place_of[number] = number, place
                        return True
            return False

        places = sorted(range(len(order)), key=lambda place: self.may[place].bit_count())
        if not all(settle(place, set()) for place in places):
            raise ValueError("No deal agrees with what was seen.")
        return order

    def world(self, order: list[int]) -> World:
        """Return the hands and the boneyard as they are now, if the tiles were dealt in this order."""
        hands: list[list[Tile]] = [[] for _ in range(self.seats)]
        boneyard = []
        for place, number in enumerate(order):
            if self.laid >> number & 1:
                continue
            if self._taken[place] < 0:
                boneyard.append(self.tiles[number])
            else:
                hands[self.owner[place]].append(self.tiles[number])
        return World(tuple(tuple(sorted(hand)) for hand in hands), tuple(boneyard))


def places_of(match: MatchView) -> Places:
    """Return the places of a layout game's round, from what one seat has seen of it."""
    rules = GAMES[match.game].rules(match.players, match.options)[1]
    assert isinstance(rules, LayoutRules)  # noqa: S101 - see `core.family`
    assert isinstance(match.play, LayoutView)  # noqa: S101
    return Places(rules, match, match.play)


def worlds(places: Places, rng: Random) -> Iterator[World]:
    """Yield worlds without end, each possible one as likely as any other.

    From one possible deal to the next, two tiles change places again and again, where both may be at the other's; so
    no deal is preferred. `STEPS` such tries for each place lie between two worlds.
    """
    order, may = places.first_order(rng), places.may
    moving = [place for place in range(len(order)) if may[place].bit_count() > 1]
    tries = STEPS * len(moving)
    for _ in range(BURN_IN):
        _swap(order, may, moving, tries, rng)
    while True:
        _swap(order, may, moving, tries, rng)
        yield places.world(order)


def _swap(order: list[int], may: list[int], moving: list[int], tries: int, rng: Random) -> None:
    chance, count = rng.random, len(moving)
    for _ in range(tries):
        one, other = moving[int(chance() * count)], moving[int(chance() * count)]
        first, second = order[one], order[other]
        if may[one] >> second & 1 and may[other] >> first & 1:
            order[one], order[other] = second, first
