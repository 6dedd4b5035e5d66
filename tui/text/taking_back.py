"""Tells what is taken back, and who would like to take something back."""

from core.actions import Action, Bid, Claim, Lay, Name, Play, Shed, Silent, TakenBack
from core.layout.placed import NOBODY
from core.tricks.prompts import bid_words, trump_words
from net.wire.messages import Update, Wanted
from tui.i18n import _, spoken


def taken_back_words(event: TakenBack, names: tuple[str, ...], you: int) -> str:
    """Who took back what; `you` is the seat that is spoken to, or -1."""
    what = _chosen(event.action)
    if event.seat == you:
        return _("You took back {what}.", what=what)
    return _("{name} took back {what}.", name=names[event.seat], what=what)


def wish_news(before: Wanted | None, update: Update, names: tuple[str, ...]) -> list[str]:
    """What is new since `before` about a wish to take something back."""
    wanted = update.wanted
    if wanted is None:
        return []
    if before is None or (before.seat, before.action) != (wanted.seat, wanted.action):
        what = _chosen(wanted.action)
        if wanted.seat == update.seat:
            return [_("You would like to take back {what}; all others must agree.", what=what)]
        return [_("{name} would like to take back {what}.", name=names[wanted.seat], what=what)]
    return [_("{name} agrees.", name=names[seat]) for seat in wanted.agreed if seat not in before.agreed]


def to_agree(update: Update) -> Wanted | None:
    """What this player may agree to, if somebody else would like to take something back."""
    wanted = update.wanted
    if wanted is None or update.seat in (NOBODY, wanted.seat, *wanted.agreed):
        return None
    return wanted


def asks_to_agree(update: Update, wanted: Wanted) -> str:
    """Ask a player at the screen to agree."""
    name = update.table.seats[wanted.seat].name
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
        case Claim():
            return _("a claim")
        case Silent():
            return _("the choice not to claim")
        case _:
            return _("a pass")
