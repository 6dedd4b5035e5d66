"""How the greedy bot plays a game of combinations from its view; it looks ahead no further than this trick."""

from collections import Counter
from typing import NamedTuple

from core.actions import Action, Beat, Hide, Lead
from core.combos.rules import ComboRules
from core.combos.state import FAMILIES, RANKS, ComboView, beating, is_supreme, leads, taken, unseen_in
from core.tiles import CIVIL, Hand, Tile
from core.variant import Rules

MATE, KIN = 0.4, 0.3
"""What a tile is worth more beside its equal, and beside one of its family."""
SURE, LAST_SURE = 2.0, 3.0
"""What each tile of a lead is worth that nobody can beat, and what it costs to give up the last such single tile."""
DEAR = 1.6
"""Keeping value from which on a tile is not spent on a trick that is not needed. By experiment."""


class Sight(NamedTuple):
    """What the bot works out once for a decision."""

    hand: Hand
    unseen: Hand
    """What the others may hold."""
    mixed: bool
    nothing: bool
    """Whether the seat has taken no trick."""


def greedy_in_combos(rules: Rules, view: ComboView) -> Action:
    """Lead what nobody can beat, else what is worth least; beat cheaply; hide the rest, and keep a last winner."""
    sight = sight_of(rules, view)
    if not view.trick:
        return max(view.legal, key=lambda lead: leading(sight, tiles_of(lead)))
    beats = [action for action in view.legal if isinstance(action, Beat)]
    if beats:
        beat = min(beats, key=lambda each: cost(sight, each.tiles))
        if _worth_beating(sight, beat.tiles):
            return beat
    return min((a for a in view.legal if isinstance(a, Hide)), key=lambda each: cost(sight, each.tiles))


def sight_of(rules: Rules, view: ComboView) -> Sight:
    """Look at a view."""
    mixed = rules.mixed if isinstance(rules, ComboRules) else True
    nothing = not taken(view.tricks, len(view.counts))[view.seat]
    return Sight(view.hand, tuple(unseen_in(view, rules.tiles)), mixed, nothing)


def tiles_of(action: Action) -> Hand:
    """The tiles of an action of combinations."""
    return action.tiles if isinstance(action, Lead | Beat | Hide) else ()


def sure(sight: Sight, tiles: Hand) -> bool:
    """Whether nothing that is not seen beats some tiles, even if one player held all of it."""
    return not beating(sight.unseen, tiles, mixed=sight.mixed)


def leading(sight: Sight, tiles: Hand) -> float:
    """How good it is to lead some tiles: many that nobody can beat, or few that are worth little."""
    if not sure(sight, tiles):
        return -cost(sight, tiles) / len(tiles)
    rest = tuple((Counter(sight.hand) - Counter(tiles)).elements())
    gives_up = bool(rest) and not any(sure(sight, (tile,)) for tile in set(rest))
    return SURE * len(tiles) - LAST_SURE * gives_up - 0.1 * cost(sight, tiles)


def keeping(tile: Tile, hand: Hand) -> float:
    """What a tile is worth to keep: its rank, and more beside those with which it can be laid."""
    if tile in CIVIL:
        mates, rank = hand.count(tile) - 1, RANKS[tile] / (len(RANKS) - 1)
        kin = sum(other not in CIVIL and other.pips == FAMILIES.get(tile) for other in hand)
    else:
        mates = sum(other not in CIVIL and other.pips == tile.pips for other in hand) - 1
        rank = (tile.pips - 3) / 6
        kin = sum(FAMILIES.get(other) == tile.pips for other in hand)
    supreme = is_supreme((tile,)) or any(is_supreme((tile, other)) for other in hand)
    return rank + MATE * mates + KIN * kin + supreme


def cost(sight: Sight, tiles: Hand) -> float:
    """What it costs to give some tiles away."""
    return sum(keeping(tile, sight.hand) for tile in tiles)


def _worth_beating(sight: Sight, tiles: Hand) -> bool:
    """Whether a trick is worth its tiles: several at once, the first one, the lead to a hand of winners, or cheap."""
    if len(tiles) > 1 or sight.nothing or len(sight.hand) <= len(tiles):
        return True
    rest = tuple((Counter(sight.hand) - Counter(tiles)).elements())
    return cost(sight, tiles) < DEAR or any(sure(sight, lead) for lead in leads(rest, mixed=sight.mixed))
