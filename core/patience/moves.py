"""What may be done in each kind of game for one (`docs/rules` §C.8)."""

from itertools import combinations

from core.actions import Action, Draw, Play
from core.for_one import Fill, Take
from core.patience.state import Laid, ends_of

TWELVE = 12
"""Pips of two tiles that go together in Luzon."""
ACROSS = 4
"""Tiles in a row of the grid."""


def pairs_of_twelve(laid: Laid, aside: int) -> tuple[Action, ...]:
    """Two free tiles with twelve pips, at most one of them from aside; and what may fill an empty column."""
    columns = len(laid.piles) - aside
    free = [(number >= columns, pile[-1]) for number, pile in enumerate(laid.piles) if pile]
    pairs = [
        Take((one, other))
        for (far, one), (also_far, other) in combinations(free, 2)
        if one.pips + other.pips == TWELVE and not (far and also_far)
    ]
    own = laid.piles[:columns]
    fills = [Fill(pile[-1]) for pile in own if len(pile) > 1] if () in own else []
    return (*pairs, *fills)


def captures(laid: Laid) -> tuple[Action, ...]:
    """A tile between two that share a number, or all three if it carries that too; to draw where there is none."""
    found = []
    for left, tile, right in zip(laid.line, laid.line[1:], laid.line[2:], strict=False):
        shared = set(left) & set(right)
        if shared:
            found.append(Take((tile,)))
            if shared & set(tile):
                found.append(Take((left, tile, right)))
    if found or not laid.boneyard:
        return tuple(found)
    return (Draw(),)


def neighbours(laid: Laid) -> tuple[Action, ...]:
    """Two tiles of the grid that touch, also cornerwise, and share a number."""
    places = [(divmod(number, ACROSS), tile) for number, tile in enumerate(laid.line)]
    return tuple(
        Take((one, other))
        for ((y, x), one), ((other_y, other_x), other) in combinations(places, 2)
        if abs(y - other_y) <= 1 and abs(x - other_x) <= 1 and set(one) & set(other)
    )


def fitting(laid: Laid) -> tuple[Action, ...]:
    """Each tile of the hand at each end that it fits; at one of them where both show the same number."""
    left, right = ends_of(laid.line)
    return tuple(
        Play(tile, 0, side, tile.other(end))
        for tile in laid.hand
        for side, end in enumerate((left, right))
        if end in tile and not (side and left == right)
    )
