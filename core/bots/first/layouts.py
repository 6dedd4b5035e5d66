"""How `greedy-1` plays a layout game. Never change this: all levels are measured against it."""

from collections import Counter
from collections.abc import Callable

from core.actions import Action, Pass, Play, Silent
from core.layout.state import LayoutView
from core.tiles import Tile


def first_in_layout(view: LayoutView, chance: Callable[[], float]) -> Action:
    """Score if possible, lay the heaviest tile that fits, and keep answers and the bot's own train in hand.

    It never draws or passes while it can play, and claims whatever can be claimed.
    """
    plays = [action for action in view.legal if isinstance(action, Play)]
    if not plays:
        return next((action for action in view.legal if not isinstance(action, Pass | Silent)), view.legal[0])
    worth = dict(zip(plays, view.worth, strict=True)) if view.worth else {}
    places = Counter(tile for tile, _ in {(action.tile, (action.at, action.side)) for action in plays})
    return max(
        plays,
        key=lambda action: (3 * worth.get(action, 0) + _value(view, action) - places[action.tile], chance()),
    )


def _value(view: LayoutView, play: Play) -> float:
    """The pips of the tile, a little for a double, three for each tile left that then fits, more along its train."""
    ends = [end for end in view.ends if (end.at, end.side) != (play.at, play.side)]
    shown = {end.pips for end in ends} | {play.out}
    if play.at < 0:
        shown = {play.tile.low, play.tile.high}
    rest = list(view.hand)
    rest.remove(play.tile)
    answers = sum(1 for tile in rest if tile.low in shown or tile.high in shown)
    owners = {(end.at, end.side): end.owner for end in view.ends}
    own = owners.get((play.at, play.side)) == view.seat
    train = [play.out] if own else [end.pips for end in ends if end.owner == view.seat]
    planned = max((_longest(pips, rest) for pips in train), default=0)
    return _weight(play.tile) + 2 * play.tile.is_double + 3 * answers + 5 * planned


def _weight(tile: Tile) -> int:
    """How much the bot wants to get rid of a tile; a wild one is worth keeping, but not forever."""
    return tile.pips if tile.low >= 0 else 8


def _longest(pips: int, tiles: list[Tile], depth: int = 5) -> int:
    """The longest train that could be laid from a number, looking only a few tiles ahead."""
    if not depth:
        return 0
    best = 0
    for number, tile in enumerate(tiles):
        if pips in tile:
            best = max(best, 1 + _longest(tile.other(pips), tiles[:number] + tiles[number + 1 :], depth - 1))
            if best == depth:
                break
    return best
