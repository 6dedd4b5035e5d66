"""What a player is asked, and why a tile will not go: sentences made from the player's view alone."""

from core.family import AnyView, family_of
from core.tiles import Tile
from core.words import Words


def ask(view: AnyView) -> Words:
    """Say what is asked of the seat that looks, or whom it waits for. The round must not be over."""
    return family_of(view).ask(view)


def why_not(view: AnyView, tile: Tile) -> Words | None:
    """Say why a tile of the looking seat's hand cannot be played now; None when it can."""
    return family_of(view).why_not(view, tile)
