"""Tells games for one in sentences: what happened, how the game ended, and what Enter will do."""

from core.actions import (
    Action,
    Draw,
    Drew,
    Event,
    Fill,
    GiveUp,
    Moved,
    Play,
    Played,
    Removed,
    RoundOver,
    Take,
    Turned,
)
from core.patience.state import PatienceView
from tui.i18n import _, several
from tui.model.patience_choice import PatienceChoice


def told_in_patience(event: Event, names: tuple[str, ...], you: int) -> str:
    """Tell an event of a game for one; empty for what none knows."""
    match event:
        case Removed(seat=seat, tiles=tiles):
            taken = tile_list(tiles)
            return (
                _("You took {tiles}.", tiles=taken)
                if seat == you
                else _("{name} took {tiles}.", name=names[seat], tiles=taken)
            )
        case Moved(seat=seat, tile=tile):
            if seat == you:
                return _("You moved {tile} to an empty column.", tile=str(tile))
            return _("{name} moved {tile} to an empty column.", name=names[seat], tile=str(tile))
        case Played(seat=seat, tile=tile, on=on):
            if seat == you:
                return _("You laid {tile} on the {on}.", tile=str(tile), on=on)
            return _("{name} laid {tile} on the {on}.", name=names[seat], tile=str(tile), on=on)
        case Turned(tiles=tiles):
            return _("New on the table: {tiles}.", tiles=tile_list(tiles))
        case Drew(seat=seat, tiles=tiles) if seat == you:
            return _("You drew {tiles}.", tiles=tile_list(tiles))
        case Drew(seat=seat, count=count):
            return several("{name} drew {count} tile.", "{name} drew {count} tiles.", count, name=names[seat])
        case RoundOver():
            return how_it_ended(event)
    return ""


def how_it_ended(result: RoundOver) -> str:
    """One sentence: whether the game is solved, or what is left."""
    if result.winner >= 0:
        return _("Solved!")
    left = sum(result.points)
    if result.how == "given_up":
        return several("Given up with {count} tile left.", "Given up with {count} tiles left.", left)
    if result.how == "stopped":
        return _("The match ended without a winner.")
    return several("No move is left, and {count} tile remains.", "No move is left, and {count} tiles remain.", left)


def patience_sentence(choice: PatienceChoice, _names: tuple[str, ...]) -> str:
    """What Enter will do."""
    view = choice.view
    match choice.action:
        case Take(tiles=tiles):
            return _("Enter takes {tiles}.", tiles=tile_list(tiles))
        case Fill(tile=tile):
            return _("Enter moves {tile} to the empty column.", tile=str(tile))
        case Draw():
            return _("Enter turns over the next tile.")
        case GiveUp():
            left = view.counts[0]
            return several("Enter gives up: {count} tile is left.", "Enter gives up: {count} tiles are left.", left)
        case Play(tile=tile) as play:
            return _("Enter lays {tile} {where}.", tile=str(tile), where=at_end(play))
    return ""


def at_end(play: Play) -> str:
    """At which end of the line a tile is laid."""
    on = play.tile.other(play.out)
    return _("on the right, on the {on}", on=on) if play.side else _("on the left, on the {on}", on=on)


def item_label(item: Action) -> str:
    """A move as it stands in the list."""
    match item:
        case Take(tiles=tiles):
            return " + ".join(map(str, tiles))
        case Fill(tile=tile):
            return _("move {tile}", tile=str(tile))
        case Draw():
            return _("next tile")
        case Play(tile=tile, side=side):
            return _("{tile} right", tile=str(tile)) if side else _("{tile} left", tile=str(tile))
    return _("give up")


def patience_title(view: PatienceView) -> str:
    """What the right end of the title says: how many tiles are still to come, and how many are left."""
    left = several("{count} tile left", "{count} tiles left", view.counts[0])
    return f"{left} · {_('boneyard {count}', count=view.boneyard)}" if view.boneyard else left


def tile_list(tiles: tuple[object, ...]) -> str:
    """Some tiles, with commas."""
    return ", ".join(map(str, tiles))
