"""How `greedy-1` plays a game of combinations. Never change this: all levels are measured against it."""

from core.actions import Action, Beat, Hide, Lead
from core.combos.lays import RANKS
from core.combos.state import ComboView
from core.tiles import Hand


def first_in_combos(view: ComboView) -> Action:
    """Lead most tiles, then the highest; beat with the lowest that does; hide the lowest."""
    if not view.trick:
        return max(
            (a for a in view.legal if isinstance(a, Lead)), key=lambda lead: (len(lead.tiles), _rank(lead.tiles))
        )
    beats = [action for action in view.legal if isinstance(action, Beat)]
    hides = [action for action in view.legal if isinstance(action, Hide)]
    return min(beats or hides, key=lambda each: _rank(each.tiles))


def _rank(tiles: Hand) -> float:
    """How high some tiles rank, each among the civil or the military ones."""
    return sum(RANKS[tile] / 10 if tile in RANKS else (tile.pips - 3) / 6 for tile in tiles)
