"""How the greedy bot plays a layout game from its view; it looks ahead only along its own train."""

from collections import Counter
from collections.abc import Callable
from typing import NamedTuple, cast

from core.actions import Action, Pass, Play, Shed, Silent
from core.bots.rules import Fits, fits_of, rules_of
from core.layout.rules import LayoutRules
from core.layout.state import LayoutView, unseen_in
from core.match import MatchView
from core.tiles import Tile, pips

POINTS = 3
"""Pips that a point in play is worth."""
ANSWER = 3
"""Pips that a tile is worth that can be laid next."""
FLEXIBLE = 2
"""Pips that each number is worth on which a tile fits, beyond the two that most tiles have."""
BLOCK = 3
"""Pips that it costs to leave a place for a tile that others may hold. Found by experiment."""
SHUT = 20
"""Pips that it is worth to shut the layout with the lightest hand, or costs with another."""
PARTNERS = 5
"""Pips that a place is worth with a number of the partner's."""


CHANCE = 0.8
"""Pips that each unseen tile is worth that may lead to one in hand. Found by experiment."""


class Sight(NamedTuple):
    """What the bot works out once for a decision."""

    view: LayoutView
    sides: int
    fits: Fits
    unseen: tuple[Tile, ...]
    """What the others hold and what is in the boneyard."""
    partners: frozenset[int]
    """The numbers that the partner turned outward first, of which it may hold more."""
    one_ended: bool = False
    """Whether a led tile is open at one half only."""
    blind: bool = False
    """Whether nobody sees their own tiles, of which the next is turned over at once."""


def greedy_in_layout(match: MatchView, view: LayoutView, chance: Callable[[], float]) -> Action:
    """Score if possible, get rid of pips, keep answers and the bot's own train, and leave the others few places.

    It never draws or passes while it can play, and claims whatever can be claimed. What it lays face
    down is light, and has little hope to be played.
    """
    sheds = [action for action in view.legal if isinstance(action, Shed)]
    if sheds:
        return min(sheds, key=lambda shed: (_hope(match, view, shed.tile), chance()))
    plays = [action for action in view.legal if isinstance(action, Play)]
    if not plays:
        return next((action for action in view.legal if not isinstance(action, Pass | Silent)), view.legal[0])
    likings = likings_of(match, view, plays)
    return max(zip(likings, plays, strict=True), key=lambda each: (each[0], chance()))[1]


def _hope(match: MatchView, view: LayoutView, tile: Tile) -> float:
    """What it costs to lay a tile face down: its pips, and the chance that others lead to one of its halves."""
    unseen = Counter(number for other in unseen_in(view, rules_of(match).tiles) for number in set(other))
    return tile.pips + CHANCE * sum(unseen[number] for number in set(tile))


def likings_of(match: MatchView, view: LayoutView, plays: list[Play]) -> list[float]:
    """Return how much the bot would like to make each of these plays, in pips."""
    worth = dict(zip((action for action in view.legal if isinstance(action, Play)), view.worth, strict=False))
    rules = cast("LayoutRules", rules_of(match))
    unseen, partners = unseen_in(view, rules.tiles), _of_partner(match, view)
    sight = Sight(view, match.sides, fits_of(match), unseen, partners, rules.one_ended, rules.turns.blind)
    places = Counter(tile for tile, _ in {(play.tile, (play.at, play.side)) for play in plays})
    return [POINTS * worth.get(play, 0) + _value(sight, play) - places[play.tile] for play in plays]


def _of_partner(match: MatchView, view: LayoutView) -> frozenset[int]:
    """What a partner led, and laid in its first two turns."""
    partners = range(view.seat % match.sides, match.players, match.sides)
    laid = [placed for placed in view.layout if placed.seat in partners and placed.seat != view.seat][:2]
    return frozenset(number for placed in laid for number in {placed.out, *(placed.tile if placed.on < 0 else ())})


def _value(sight: Sight, play: Play) -> float:
    """The pips of the tile, a little for a double, and what it leaves for the bot and for the others to lay."""
    view, fits = sight.view, sight.fits
    ends = [end for end in view.ends if (end.at, end.side) != (play.at, play.side)]
    own = any(end.owner == view.seat for end in view.ends if (end.at, end.side) == (play.at, play.side))
    rest = list(view.hand)
    rest.remove(play.tile)
    new = {play.out} if play.at >= 0 or sight.one_ended else {play.tile.low, play.tile.high}
    shown = new.union(end.pips for end in ends)
    theirs = (set() if own else new).union(end.pips for end in ends if end.owner != view.seat)
    answers = sum(not fits[tile].isdisjoint(shown) for tile in rest)
    left = sum(not fits[tile].isdisjoint(theirs) for tile in sight.unseen)
    train = [play.out] if own else [end.pips for end in ends if end.owner == view.seat]
    planned = max((_longest(number, rest) for number in train), default=0)
    if sight.blind:  # the next tile is one of the unseen
        return left
    value = _weight(play.tile, fits) + 2 * play.tile.is_double + ANSWER * answers + 5 * planned - BLOCK * left
    value += PARTNERS * len(sight.partners & shown)
    return value if answers or left else value + _shut(sight, rest)


def _weight(tile: Tile, fits: Fits) -> int:
    """How much the bot wants to get rid of a tile; one that fits anywhere is worth keeping, but not forever."""
    return tile.pips - FLEXIBLE * max(0, len(fits[tile]) - 2) if tile.low >= 0 else 8


def _shut(sight: Sight, rest: list[Tile]) -> int:
    """What it is worth that nobody can lay a tile any more: who holds fewest pips usually wins then."""
    view, sides = sight.view, sight.sides
    usual = pips(sight.unseen) / max(1, len(sight.unseen))
    held = [usual * count for count in view.counts]
    held[view.seat] = pips(tuple(rest))
    held[(view.seat + 1) % len(held)] += usual * (view.boneyard - view.reserve)  # who must draw all of it
    sums = [sum(held[side::sides]) for side in range(sides)]
    own = sums.pop(view.seat % sides)
    return SHUT if own < min(sums) else -SHUT


def _longest(number: int, tiles: list[Tile], depth: int = 5) -> int:
    """The longest train that could be laid from a number, looking only a few tiles ahead."""
    if not depth:
        return 0
    best = 0
    for at, tile in enumerate(tiles):
        if number in tile:
            best = max(best, 1 + _longest(tile.other(number), tiles[:at] + tiles[at + 1 :], depth - 1))
            if best == depth:
                break
    return best
