"""What may be where in a trick game: hands that agree with how suits were followed and which bids were made."""

from collections.abc import Iterator
from random import Random

from core.actions import Laid
from core.bots.belief.sampling import Least, arrangements
from core.layout.state import NOBODY
from core.tiles import Hand, Tile
from core.tricks.rules import PLUNGE_DOUBLES, SPLASH_DOUBLES, TrickRules
from core.tricks.state import TrickState, TrickView, may_lay, unseen_in

DOUBLES_SHOWN = {"plunge": PLUNGE_DOUBLES, "splash": SPLASH_DOUBLES}


class TrickBelief:
    """The places in the hands of the other seats, in their order, then those of a widow or of what was put away.

    For each it has, as bits, the tiles that may be there.
    """

    def __init__(self, rules: TrickRules, view: TrickView) -> None:
        laid = [each for trick in view.tricks for each in trick.tiles] + list(view.trick)
        self.view = view
        self.tiles = unseen_in(view, rules.tiles)
        self.owner = [seat for seat in range(rules.seats) if seat != view.seat for _ in range(view.counts[seat])]
        self.owner += [NOBODY] * (len(self.tiles) - len(self.owner))
        may = [[True] * len(self.tiles) for _ in range(rules.seats)]
        for trick in (*view.tricks, None):
            tiles, suit = (trick.tiles, trick.tiles[0].asks) if trick else (view.trick, view.suit)
            for number, each in enumerate(tiles):
                self._rule_out(may[each.seat], each.tile, suit, leads=number == 0)
        bits = [sum(1 << number for number, possible in enumerate(row) if possible) for row in may]
        anything = (1 << len(self.tiles)) - 1
        self.may = [bits[seat] if seat != NOBODY else anything for seat in self.owner]
        self.least = tuple(self._doubles_shown(laid))

    def _rule_out(self, may: list[bool], tile: Tile, suit: int, *, leads: bool) -> None:
        """A tile is not in a hand if, beside it, the tile that was laid could not have been."""
        trump = self.view.trump
        if trump is None or (leads and trump.kind != "sevens"):
            return
        for number, other in enumerate(self.tiles):
            if tile not in may_lay((tile, other), suit, trump):
                may[number] = False

    def _doubles_shown(self, laid: list[Laid]) -> Iterator[Least]:
        """Only who holds so many doubles may bid plunge or splash."""
        doubles = sum(1 << number for number, tile in enumerate(self.tiles) if tile.is_double)
        for call in self.view.calls:
            if call.bid and call.bid.kind and call.seat != self.view.seat:
                gone = sum(each.tile.is_double for each in laid if each.seat == call.seat)
                places = frozenset(place for place, owner in enumerate(self.owner) if owner == call.seat)
                yield Least(places, doubles, DOUBLES_SHOWN[call.bid.kind] - gone)

    def hands(self, order: list[int]) -> tuple[Hand, ...]:
        """Return the hands if the tiles lay so."""
        hands: list[list[Tile]] = [[] for _ in self.view.counts]
        for place, number in enumerate(order):
            if self.owner[place] != NOBODY:
                hands[self.owner[place]].append(self.tiles[number])
        if self.view.seat != NOBODY:
            hands[self.view.seat] = list(self.view.hand)
        return tuple(tuple(sorted(hand)) for hand in hands)

    def aside(self, order: list[int]) -> Hand:
        """Return the tiles that are in no hand if they lay so."""
        return tuple(self.tiles[number] for place, number in enumerate(order) if self.owner[place] == NOBODY)

    @property
    def certain(self) -> bool:
        """Whether nothing is hidden: each tile can be in one hand only."""
        of = dict(zip(self.owner, self.may, strict=True))
        return sum(tiles.bit_count() for tiles in of.values()) == len(self.tiles)

    def positions(self, rng: Random) -> Iterator[TrickState]:
        view = self.view
        for order in arrangements(self.may, rng, self.least):
            yield TrickState(
                self.hands(order),
                view.shaker,
                view.turn,
                view.calls,
                view.bidder,
                view.bid,
                view.trump,
                view.suit,
                view.trick,
                view.tricks,
                view.out,
                view.legal,
                widow=self.aside(order) if view.widow else (),
                buried=view.buried or (() if view.widow else self.aside(order)),
            )
