"""Checks the views of the smaller families of games that an untrusted host sends (`net.client.untrusted`)."""

from collections import Counter
from itertools import pairwise

from core.actions import Draw, Play
from core.bounds import MOST_TILES
from core.combos.actions import ComboAction
from core.combos.lays import MOST
from core.combos.state import ComboView
from core.for_one import Fill, GiveUp, Take
from core.patience.state import PatienceView
from net.client.checks import are_tiles, holds, within

SPREADS = ("columns", "row", "grid", "line")
"""How the tiles of a game for one may lie: the only word that decides what is drawn."""


def check_patience(view: PatienceView, count: int) -> None:
    """Check the view of a game for one."""
    holds(count == 1 and bool(view.piles))
    within(0, len(view.piles) - 1, view.aside)
    within(0, MOST_TILES, len(view.piles), sum(map(len, view.piles)))
    holds(view.spread in SPREADS)
    holds(view.spread == "columns" or len(view.piles) == 1)
    open_tiles = {tile for pile in view.piles for tile in pile}
    are_tiles(open_tiles, view.highest)
    if view.spread == "line":
        line = view.piles[0]
        holds(bool(line) and all(set(one) & set(other) for one, other in pairwise(line)))
    for action in view.legal:
        match action:
            case Play(tile=tile, side=side):
                holds(tile in view.hand and side in {0, 1} and view.spread == "line")
            case Take(tiles=tiles):
                holds(0 < len(tiles) <= len(open_tiles) and open_tiles.issuperset(tiles))
            case Fill(tile=tile):
                holds(tile in open_tiles and view.spread == "columns")
            case _:
                holds(isinstance(action, Draw | GiveUp))


def check_combos(view: ComboView, count: int) -> None:
    """Check the view of a game of combinations."""
    within(0, MOST_TILES, len(view.trick), len(view.tricks), view.in_a_row)
    within(0, count - 1, view.banker)
    for puts in (view.trick, *(trick.puts for trick in view.tricks)):
        within(0, count, len(puts))
        size = len(puts[0].tiles) if puts else 0
        holds(not puts or (puts[0].up and 1 <= size <= MOST))
        for put in puts:
            within(0, count - 1, put.seat)
            holds(len(put.tiles) == size or (not put.up and not put.tiles))
            are_tiles(put.tiles, view.highest)
    for trick in view.tricks:
        within(0, count - 1, trick.winner)
        holds(len(trick.puts) == count)
    for action in view.legal:
        holds(isinstance(action, ComboAction) and 1 <= len(action.tiles) <= MOST)
        holds(isinstance(action, ComboAction) and not Counter(action.tiles) - Counter(view.hand))
