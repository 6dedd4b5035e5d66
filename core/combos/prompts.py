"""What a player of a game of combinations is asked to do, and why a tile cannot be laid, from the player's view."""

from core.combos.actions import Beat, Hide, Lead
from core.combos.state import ComboView, best_of, size_of
from core.tiles import Tile
from core.words import Words, several_words, words


def ask_in_combos(view: ComboView) -> Words:
    """Return what the view's seat is asked to do, or whom it waits for. The round must not be over."""
    if view.turn != view.seat:
        return words("{seat} is to play.", seat=view.turn)
    if not view.trick:
        return words("You lead: one tile, or some that go together.")
    best = tiles_words(best_of(view.trick).tiles)
    if view.bound:
        return words("You have taken nothing: lay your last tile face down.")
    if any(isinstance(action, Beat) for action in view.legal):
        return words("Beat {tiles}, or hide as many.", tiles=best)
    return several_words(
        "You cannot beat {tiles}: hide {count} tile.",
        "You cannot beat {tiles}: hide {count} tiles.",
        size_of(view),
        tiles=best,
    )


def why_not_in_combos(view: ComboView, tile: Tile) -> Words | None:
    """Return why a tile in the hand of the view's seat cannot be laid now; None if it can."""
    return (
        None
        if any(isinstance(a, Lead | Beat | Hide) and tile in a.tiles for a in view.legal)
        else ask_in_combos(view)
    )


def tiles_words(tiles: tuple[Tile, ...]) -> str:
    """Some tiles as they are written."""
    return " ".join(map(str, tiles))
