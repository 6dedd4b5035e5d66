"""What a player of a layout game is asked to do, and why a tile cannot be played, from the player's view."""

from core.actions import Draw, Pass, Play, Shed, Tuck
from core.layout.state import LayoutView
from core.tiles import Tile
from core.vocabulary import ShownLead
from core.words import Words, several_words, words


def ask_in_layout(view: LayoutView) -> Words:
    """Return what the view's seat is asked to do, or whom it waits for. The round must not be over."""
    if view.turn != view.seat:
        return words("{seat} is to play.", seat=view.turn)
    plays = [action for action in view.legal if isinstance(action, Play)]
    if view.pending:
        return several_words("{count} point can be claimed.", "{count} points can be claimed.", view.pending)
    if not view.layout:
        return _lead(view, plays)
    if not plays:
        return _stuck(view)
    if view.rows:
        return words("You turned over {tile}: lay it.", tile=str(plays[0].tile))
    if view.says:
        return view.says
    if view.going == "may":
        return words("You may play on, or pass.")
    if view.going == "fits":
        return words("You go on as long as something fits: play a tile.")
    if Pass() in view.legal:
        return words("Play the tile that you drew, or keep it and pass.")
    if Draw() in view.legal:
        return words("Play a tile, or draw one first.")
    if view.drawn:
        return several_words("You drew {count} tile: now play.", "You drew {count} tiles: now play.", view.drawn)
    return words("Play a tile.")


def why_not_in_layout(view: LayoutView, tile: Tile) -> Words | None:
    """Return why a tile in the hand of the view's seat cannot be played now; None if it can."""
    if view.turn != view.seat:
        return ask_in_layout(view)
    if any(isinstance(action, Play | Shed) and action.tile == tile for action in view.legal):
        return None
    if view.pending:
        return ask_in_layout(view)
    if not view.layout:
        return _lead(view, [action for action in view.legal if isinstance(action, Play)])
    if view.owed and view.says:
        return view.says
    if view.going == "fits":
        shown = next((end.pips for end in view.ends if end.at == len(view.layout) - 1), -1)
        return words("{tile} does not fit the end where you go on: {number}.", tile=str(tile), number=shown)
    return words("{tile} fits nowhere: {ends}.", tile=str(tile), ends=_ends(view))


def _lead(view: LayoutView, plays: list[Play]) -> Words:
    if Pass() in view.legal:
        return words("You have no double to lead: pass.")
    if not plays:
        return words("Nobody holds the centre: draw one tile for it.")
    tile = str(plays[0].tile)
    if view.rows:
        return words("You turned over {tile}: lead it.", tile=tile)
    centre = words("You hold the centre: lay {tile}.", tile=tile)
    told: dict[ShownLead, Words] = {
        "centre": centre,
        "found": centre,
        "double": words("You lead {tile}: the highest double in any hand.", tile=tile),
        "lowest_double": words("You lead {tile}: the lowest double in any hand.", tile=tile),
        "first_tile": words("You lead {tile}: nobody holds a tile that must lead before it.", tile=tile),
        "lightest": words("You lead {tile}: the lightest tile in any hand.", tile=tile),
        "heaviest": words("You lead {tile}: the heaviest tile in any hand.", tile=tile),
        "heaviest_hand": words("You lead any tile: nobody has a double, and your hand is the heaviest."),
        "own_double": words("You lead any of your doubles."),
        "lot": words("You lead any tile: you were chosen by lot."),
        "winner": words("You lead any tile: you won the last round."),
    }
    return told.get(view.opening) or words("You lead any tile: it is your turn to lead.")


def _stuck(view: LayoutView) -> Words:
    if view.owed and view.says and Draw() in view.legal:
        return words("{task} You have none: draw.", task=view.says)
    if view.owed and view.says:
        return words("{task} You have none: pass.", task=view.says)
    if Draw() in view.legal:
        return words("Nothing fits, {ends}: draw.", ends=_ends(view))
    for action in view.legal:
        if isinstance(action, Tuck):
            return words(
                "{tile} does not fit, {ends}: it goes to the end of your row.",
                tile=str(action.tile),
                ends=_ends(view),
            )
    if any(isinstance(action, Shed) for action in view.legal):
        return words("Nothing fits, {ends}: lay a tile face down.", ends=_ends(view))
    if view.reserve < view.boneyard:
        return words("Nothing fits, {ends}, and you have drawn all you may: pass.", ends=_ends(view))
    if view.boneyard:
        return words("Nothing fits, {ends}, and nothing may be drawn: pass.", ends=_ends(view))
    return words("Nothing fits, {ends}, and the boneyard is empty: pass.", ends=_ends(view))


def _ends(view: LayoutView) -> Words:
    shown = sorted({end.pips for end in view.ends}, reverse=True)
    if len(view.ends) == 1:
        return words("the open end is {number}", number=shown[0])
    if len(shown) == 1:
        return words("all ends {number}", number=shown[0])
    return words("ends {numbers}", numbers=", ".join(map(str, shown)))
