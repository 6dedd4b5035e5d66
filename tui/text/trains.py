"""On which train a tile was laid, told from the layout, for games whose layout is trains."""

from typing import NamedTuple

from core.layout.placed import NOBODY, Layout
from core.layout.state import LayoutView
from core.tiles import STAR, Tile


class Train(NamedTuple):
    """A train: the seat whose it is, -1 for the Mexican Train, and whether a tile was its first."""

    owner: int
    begun: bool


def train_of(view: LayoutView, tile: Tile) -> Train | None:
    """The train on which a tile lies; None where there are no trains, and for the engine itself."""
    if view.shape != "lanes" or tile == STAR:
        return None
    index = next((index for index, placed in enumerate(view.layout) if placed.tile == tile), 0)
    if not index:
        return None
    begun = view.layout[index].on == 0
    side = _side(view.layout, index)
    return Train(side if side < len(view.counts) else NOBODY, begun)


def _side(layout: Layout, index: int) -> int:
    """The side of the engine from which a tile's train comes."""
    while layout[index].on > 0:
        index = layout[index].on
    return layout[index].side
