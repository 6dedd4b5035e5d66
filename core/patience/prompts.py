"""What a player of a game for one is asked to do, and why a tile cannot be played: sentences from their view."""

from core.actions import Draw, Play
from core.for_one import Fill, Take
from core.patience.state import PatienceView, ends_of
from core.tiles import Tile
from core.vocabulary import Spread
from core.words import Words, words


def ask_in_patience(view: PatienceView) -> Words:
    """Return what the player is asked to do, or that they are waited for."""
    if view.turn != view.seat:
        return words("{seat} is to play.", seat=view.turn)
    if Draw() in view.legal:
        return words("No tile can be captured: turn over the next one.")
    if view.spread == "columns" and not any(isinstance(action, Take) for action in view.legal):
        return words("No two free tiles make 12: fill the empty column, or give up.")
    if view.spread == "columns" and any(isinstance(action, Fill) for action in view.legal):
        return words("Take two free tiles that make 12, or fill the empty column.")
    if view.spread == "line":
        left, right = ends_of(view.piles[0])
        return words("Lay a tile at an end of the line: {left} or {right}.", left=left, right=right)
    return _TO_TAKE[view.spread]


_TO_TAKE: dict[Spread, Words] = {
    "columns": words("Take two free tiles that make 12."),
    "row": words("Capture a tile between two that share a number."),
    "grid": words("Take two tiles that touch and share a number."),
}


def why_not_in_patience(view: PatienceView, tile: Tile) -> Words | None:
    """Return why a tile in the player's hand cannot be laid now; None if it can."""
    if any(isinstance(action, Play) and action.tile == tile for action in view.legal):
        return None
    if view.turn != view.seat:
        return ask_in_patience(view)
    left, right = ends_of(view.piles[0])
    return words("{tile} fits neither end: {left} or {right}.", tile=str(tile), left=left, right=right)
