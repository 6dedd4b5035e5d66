"""What the checks of an untrusted host's messages are made of. Each raises WireError for what no honest host says."""

from collections.abc import Iterable

from core.bounds import HIGHEST
from core.tiles import Tile
from net.wire.codec import WireError


def holds(condition: bool) -> None:
    """Raise WireError unless it does."""
    if not condition:
        raise WireError("No honest host says that.")


def within(low: int, high: int, *numbers: float) -> None:
    """Every number lies between these two; one that is no number does not."""
    holds(all(low <= number <= high for number in numbers))


def are_tiles(tiles: Iterable[Tile], highest: int = HIGHEST) -> None:
    """Each is a tile whose numbers are within those of its set, or stands for one that is hidden."""
    for tile in tiles:
        holds(-1 <= tile.low <= tile.high <= highest)
