"""How `greedy-1` plays a game of combinations. Never change this: all levels are measured against it."""

from core.actions import Action
from core.combos.actions import Beat, Hide, Lead
from core.combos.lays import RANKS
from core.combos.state import ComboView
from core.tiles import Hand


def first_in_combos(view: ComboView) -> Action:
    """Lead most tiles, then the highest; beat with the lowest that does; hide the lowest."""
    leads = [action for action in view.legal if isinstance(action, Lead)]
    if leads:
        return max(leads, key=lambda lead: (len(lead.tiles), _rank(lead.tiles)))
    beats = [action for action in view.legal if isinstance(action, Beat)]
    if beats:
        return min(beats, key=lambda beat: _rank(beat.tiles))
    return min((a for a in view.legal if isinstance(a, Hide)), key=lambda hide: _rank(hide.tiles))


def _rank(tiles: Hand) -> float:
    """How high some tiles rank, each among the civil or the military ones."""
    return sum(RANKS[tile] / 10 if tile in RANKS else (tile.pips - 3) / 6 for tile in tiles)
