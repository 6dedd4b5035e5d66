"""The bots as people meet them: a name, a temper and a pace for each. Names are fixed, so clients know them too."""

from typing import Literal

from msgspec import Struct

Temper = Literal["careful", "bold", "saves doubles", "spends doubles", "keeps suits"]


class Character(Struct, frozen=True):
    """One bot."""

    name: str
    temper: Temper
    """What it likes, where several moves are as good; see `core.bots.tempers`."""
    pace: float
    """How long it seems to think, as a part of what is usual."""


CHARACTERS = {
    each.name: each
    for each in (
        Character("Blanche", "careful", 1.2),
        Character("Cinque", "bold", 0.8),
        Character("Dotty", "saves doubles", 1.0),
        Character("Ebony", "keeps suits", 1.3),
        Character("Felix", "bold", 0.6),
        Character("Gizmo", "spends doubles", 0.7),
        Character("Hub", "careful", 1.5),
        Character("Ivory", "saves doubles", 1.1),
    )
}
"""By name, in the order in which they come to a table."""


def pace_of(name: str) -> float:
    """Return how long the bot of this name seems to think, as a part of what is usual."""
    return CHARACTERS[name].pace if name in CHARACTERS else 1.0
