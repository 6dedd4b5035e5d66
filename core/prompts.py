"""What a player is asked to do, and why a tile cannot be played: sentences from the player's view."""

from core.family import AnyView, family_of
from core.tiles import Tile
from core.words import Words


def ask(view: AnyView) -> Words:
    """Return what the view's seat is asked to do, or whom it waits for. The round must not be over."""
    return family_of(view).ask(view)


def why_not(view: AnyView, tile: Tile) -> Words | None:
    """Return why a tile in the hand of the view's seat cannot be played now; None if it can."""
    return family_of(view).why_not(view, tile)
