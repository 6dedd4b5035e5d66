"""Sentences about proposals to take back, to allow hints, to end the match or to resign."""

from msgspec.structs import replace

from core.actions import (
    Action,
    Beat,
    Bid,
    Claim,
    Draw,
    Fill,
    GiveUp,
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
from core.prompts import bid_words, tiles_text, trump_words
from core.words import phrase
from net.wire.messages import Proposal, Update
from tui.i18n import _, translate
from tui.text.headlines import player_subject


def confirms_end(update: Update | None, *, resigns: bool = False) -> bool:
    """Return True if a player must confirm to end the match, or to resign: a first proposal, not an agreement with
    another player's.
    """
    match = update.match if update else None
    if update is None or match is None or match.over or (match.sides != 2 if resigns else match.endless):
        return False
    wanted = update.wanted if update.wanted and _is_asked(update, update.wanted) else None
    is_proposed = wanted is not None and wanted.ends and wanted.resigns == resigns and wanted.seat != update.seat
    return match.players > 1 and not is_proposed


def take_back_sentence(event: TakenBack, names: tuple[str, ...], you: int) -> str:
    """Return a take-back as a sentence; `you` is the reader's seat, or -1."""
    action_words = _action_in_short(event.action)
    return player_subject(event.seat, names, you).did(
        "You take back {what}.", "{name} takes back {what}.", what=action_words
    )


def request_news(before: Update | None, update: Update, names: tuple[str, ...]) -> list[str]:
    """Return the changes since `before` in the proposal of a player, and an agreement on hints."""
    wanted, wanted_before = update.wanted, before.wanted if before else None
    if before and update.table.hints and not before.table.hints and before.table.id == update.table.id:
        return [_("Hints are allowed at this table now.")]
    if wanted is None:
        return []
    if wanted_before is None or replace(wanted_before, agreed=wanted.agreed) != wanted:
        player = player_subject(wanted.seat, names, update.seat)
        if wanted.resigns:
            if not _is_asked(update, wanted):
                return []
            return [
                player.did(
                    "You would like to resign; your partner must agree.",
                    "{name} would like to resign.",
                )
            ]
        if wanted.ends:
            return [
                player.did(
                    "You would like to end the match without a winner; all others must agree.",
                    "{name} would like to end the match without a winner.",
                )
            ]
        if wanted.action is None:
            return [
                player.did(
                    "You would like hints to be allowed; all others must agree.",
                    "{name} would like hints to be allowed.",
                )
            ]
        return [
            player.did(
                "You would like to take back {what}; all others must agree.",
                "{name} would like to take back {what}.",
                what=_action_in_short(wanted.action),
            )
        ]
    return [
        player_subject(seat, names, update.seat).did("You agree.", "{name} agrees.")
        for seat in wanted.agreed
        if seat not in wanted_before.agreed
    ]


def open_proposal(update: Update) -> Proposal | None:
    """Return the proposal to which this player may agree, if there is one."""
    wanted = update.wanted
    if wanted is None or update.seat in (NOBODY, wanted.seat, *wanted.agreed) or not _is_asked(update, wanted):
        return None
    return wanted


def _is_asked(update: Update, wanted: Proposal) -> bool:
    """Return True unless only the other side has to agree: partners alone decide to resign."""
    sides = update.match.sides if update.match else 0
    return not wanted.resigns or (update.seat != NOBODY and update.seat % sides == wanted.seat % sides)


def agreement_instruction(wanted: Proposal) -> str:
    """Return how to agree to a proposal by typing a line."""
    if wanted.ends:
        return _("Type “resign” to agree.") if wanted.resigns else _("Type “end” to agree.")
    return _("Type “hint” to agree.") if wanted.action is None else _("Type “back” to agree.")


def agreement_request(update: Update, wanted: Proposal) -> str:
    """Return a proposal, and the key with which a player at the screen agrees to it."""
    name = update.table.seats[wanted.seat].name
    if wanted.resigns:
        return _("{name} would like to resign; press R to agree.", name=name)
    if wanted.ends:
        return _("{name} would like to end the match without a winner; press E to agree.", name=name)
    if wanted.action is None:
        return _("{name} would like hints to be allowed; press h to agree.", name=name)
    return _(
        "{name} would like to take back {what}; press u to agree.",
        name=name,
        what=_action_in_short(wanted.action),
    )


def _action_in_short(action: Action) -> str:
    """Return an action in a few words."""
    match action:
        case Play(tile=tile) | Lay(tile=tile):
            return str(tile)
        case Bid():
            return _("the bid of {bid}", bid=translate(bid_words(action)))
        case Name():
            return _("the call of {trump}", trump=translate(trump_words(action)))
        case Take(tiles=tiles):
            return ", ".join(map(str, tiles))
        case Fill(tile=tile):
            return _("the move of {tile}", tile=str(tile))
        case Lead(tiles=tiles) | Beat(tiles=tiles):
            return tiles_text(tiles)
        case _:
            return _(_IN_SHORT.get(type(action), _PASS))


_PASS = phrase("a pass")
_IN_SHORT: dict[type[Action], str] = {
    Shed: phrase("a tile laid face down"),
    Draw: phrase("a tile turned over"),
    Hide: phrase("tiles laid face down"),
    Claim: phrase("a claim"),
    Silent: phrase("the choice not to claim"),
    GiveUp: phrase("the decision to give up"),
}
"""Actions whose name says everything; all others are a pass."""
