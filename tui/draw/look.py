"""How a session shows things."""

from msgspec import Struct

from themes import Theme


class Look(Struct, frozen=True):
    """How a session shows things."""

    theme: Theme
    ascii: bool = False
    """For terminals that may not know more than ASCII."""
