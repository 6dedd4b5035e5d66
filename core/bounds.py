"""How large the numbers of a view, an event or a record can be: types that msgspec checks whenever it decodes one.

The bounds lie beyond every game that we know of, and yet no number within them is trouble to draw or to add up.
"""

from typing import Annotated

from msgspec import Meta

HIGHEST = 18
"""The highest number of the largest set; it has 190 tiles."""
MOST_SEATS = 8
MOST_TILES = 400
"""Tiles of the largest set, twice over."""
LARGE = 10**6
"""More than any score, round or second."""

Pips = Annotated[int, Meta(ge=-1, le=HIGHEST)]
"""A number on a tile; -1 for a star's, or for none."""
Suit = Annotated[int, Meta(ge=-1, le=HIGHEST + 1)]
"""What a trick asks for: a number, or one more than the highest for doubles; -1 for none."""
SeatNumber = Annotated[int, Meta(ge=-1, le=MOST_SEATS - 1)]
"""A seat, from 0; -1 for nobody's."""
SeatCount = Annotated[int, Meta(ge=1, le=MOST_SEATS)]
"""So many seats, or so many sides."""
Side = Annotated[int, Meta(ge=0, le=MOST_SEATS - 1)]
"""A side that keeps a score, from 0: seats that play together."""
TileSide = Annotated[int, Meta(ge=0, le=MOST_SEATS + 1)]
"""A side of a placed tile; see `core.layout.state`."""
Index = Annotated[int, Meta(ge=-1, le=MOST_TILES - 1)]
"""A placed tile, by its place in the layout; -1 for none."""
Count = Annotated[int, Meta(ge=0, le=MOST_TILES)]
"""So many tiles."""
Number = Annotated[int, Meta(ge=-LARGE, le=LARGE)]
"""Any number that a player may choose, and that may then be refused in words."""
Points = Number
"""A score, or a part of one."""
Amount = Annotated[int, Meta(ge=0, le=LARGE)]
"""A number of rounds, seconds, guests …, or that of a table."""
