"""Tells what is taken back, and what somebody would like that all others must agree to."""

from core.actions import (
    Action,
    Beat,
    Bid,
    Claim,
    Draw,
    Fill,
    Hide,
    Lay,
    Lead,
    Name,
    Play,
    Shed,
    Silent,
    Take,
    TakenBack,
)
from core.layout.state import NOBODY
from core.prompts import bid_words, tiles_words, trump_words
from net.wire.messages import Update
from net.wire.tables import Wanted
from tui.i18n import _, spoken


def taken_back_words(event: TakenBack, names: tuple[str, ...], you: int) -> str:
    """Who took back what; `you` is the seat that is spoken to, or -1."""
    what = _chosen(event.action)
    if event.seat == you:
        return _("You took back {what}.", what=what)
    return _("{name} took back {what}.", name=names[event.seat], what=what)


def wish_news(before: Update | None, update: Update, names: tuple[str, ...]) -> list[str]:
    """What is new since `before` about what somebody would like, and whether all agreed to hints."""
    wanted, was = update.wanted, before.wanted if before else None
    if before and update.table.hints and not before.table.hints and before.table.id == update.table.id:
        return [_("Hints are allowed at this table now.")]
    if wanted is None:
        return []
    if was is None or (was.seat, was.action) != (wanted.seat, wanted.action):
        return [_wish_of_one_s_own(wanted) if wanted.seat == update.seat else _wish_of(wanted, names[wanted.seat])]
    return [_("{name} agrees.", name=names[seat]) for seat in wanted.agreed if seat not in was.agreed]


def _wish_of_one_s_own(wanted: Wanted) -> str:
    if wanted.action is None:
        return _("You would like hints to be allowed; all others must agree.")
    return _("You would like to take back {what}; all others must agree.", what=_chosen(wanted.action))


def _wish_of(wanted: Wanted, name: str) -> str:
    if wanted.action is None:
        return _("{name} would like hints to be allowed.", name=name)
    return _("{name} would like to take back {what}.", name=name, what=_chosen(wanted.action))


def to_agree(update: Update) -> Wanted | None:
    """What this player may agree to, if there is something that somebody else would like."""
    wanted = update.wanted
    if wanted is None or update.seat in (NOBODY, wanted.seat, *wanted.agreed):
        return None
    return wanted


def how_to_agree(wanted: Wanted) -> str:
    """Tell somebody who types lines how to agree."""
    return _("Type hint to agree.") if wanted.action is None else _("Type back to agree.")


def asks_to_agree(update: Update, wanted: Wanted) -> str:
    """Ask a player at the screen to agree."""
    name = update.table.seats[wanted.seat].name
    if wanted.action is None:
        return _("{name} would like hints to be allowed; press h to agree.", name=name)
    return _("{name} would like to take back {what}; press u to agree.", name=name, what=_chosen(wanted.action))


def _chosen(action: Action) -> str:
    """What was chosen, in a few words."""
    match action:
        case Play(tile=tile) | Lay(tile=tile):
            return str(tile)
        case Bid():
            return _("the bid of {bid}", bid=spoken(bid_words(action)))
        case Name():
            return _("the call of {trump}", trump=spoken(trump_words(action)))
        case Shed():
            return _("a tile laid face down")
        case Take(tiles=tiles):
            return ", ".join(map(str, tiles))
        case Fill(tile=tile):
            return _("the move of {tile}", tile=str(tile))
        case Draw():
            return _("a draw")
        case Hide():
            return _("tiles laid face down")
        case Lead(tiles=tiles) | Beat(tiles=tiles):
            return tiles_words(tiles)
        case Claim():
            return _("a claim")
        case Silent():
            return _("the choice not to claim")
        case _:
            return _("a pass")
