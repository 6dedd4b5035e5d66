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
    """Return True if a player must confirm to end the match, or to resign; not to agree with another's proposal."""
    match = update.match if update else None
    if update is None or match is None or match.over or (match.sides != 2 if resigns else match.endless):
        return False
    proposal = update.wanted if update.wanted and _is_asked(update, update.wanted) else None
    is_proposed = (
        proposal is not None and proposal.ends and proposal.resigns == resigns and proposal.seat != update.seat
    )
    return match.players > 1 and not is_proposed


def take_back_sentence(event: TakenBack, names: tuple[str, ...], reader_seat: int) -> str:
    """Return a take-back as a sentence; `reader_seat` may be -1."""
    action_words = _short_action_words(event.action)
    return player_subject(event.seat, names, reader_seat).fill_in(
        "You take back {what}.", "{name} takes back {what}.", what=action_words
    )


def request_news(previous: Update | None, update: Update, names: tuple[str, ...]) -> list[str]:
    """Return the changes since the `previous` update in the open proposal, and the agreement on hints."""
    proposal, previous_proposal = update.wanted, previous.wanted if previous else None
    if previous and update.table.hints and not previous.table.hints and previous.table.id == update.table.id:
        return [_("Hints are allowed at this table now.")]
    if proposal is None:
        return []
    if previous_proposal is None or replace(previous_proposal, agreed=proposal.agreed) != proposal:
        player = player_subject(proposal.seat, names, update.seat)
        if proposal.resigns:
            if not _is_asked(update, proposal):
                return []
            return [
                player.fill_in(
                    "You would like to resign; your partner must agree.",
                    "{name} would like to resign.",
                )
            ]
        if proposal.ends:
            return [
                player.fill_in(
                    "You would like to end the match without a winner; all others must agree.",
                    "{name} would like to end the match without a winner.",
                )
            ]
        if proposal.action is None:
            return [
                player.fill_in(
                    "You would like hints to be allowed; all others must agree.",
                    "{name} would like hints to be allowed.",
                )
            ]
        return [
            player.fill_in(
                "You would like to take back {what}; all others must agree.",
                "{name} would like to take back {what}.",
                what=_short_action_words(proposal.action),
            )
        ]
    return [
        player_subject(seat, names, update.seat).fill_in("You agree.", "{name} agrees.")
        for seat in proposal.agreed
        if seat not in previous_proposal.agreed
    ]


def open_proposal(update: Update) -> Proposal | None:
    """Return the proposal to which this player may agree, if there is one."""
    proposal = update.wanted
    if (
        proposal is None
        or update.seat in (NOBODY, proposal.seat, *proposal.agreed)
        or not _is_asked(update, proposal)
    ):
        return None
    return proposal


def _is_asked(update: Update, proposal: Proposal) -> bool:
    """Return True unless only the other side has to agree: partners alone decide to resign."""
    sides = update.match.sides if update.match else 0
    return not proposal.resigns or (update.seat != NOBODY and update.seat % sides == proposal.seat % sides)


def agreement_instruction(proposal: Proposal) -> str:
    """Return how to agree to a proposal by typing a line."""
    if proposal.ends:
        return _("Type “resign” to agree.") if proposal.resigns else _("Type “end” to agree.")
    return _("Type “hint” to agree.") if proposal.action is None else _("Type “back” to agree.")


def agreement_request(update: Update, proposal: Proposal) -> str:
    """Return a proposal, and the key with which a player at the screen agrees to it."""
    name = update.table.seats[proposal.seat].name
    if proposal.resigns:
        return _("{name} would like to resign; press R to agree.", name=name)
    if proposal.ends:
        return _("{name} would like to end the match without a winner; press E to agree.", name=name)
    if proposal.action is None:
        return _("{name} would like hints to be allowed; press h to agree.", name=name)
    return _(
        "{name} would like to take back {what}; press u to agree.",
        name=name,
        what=_short_action_words(proposal.action),
    )


def _short_action_words(action: Action) -> str:
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
            return _(_SHORT_WORDS.get(type(action), _PASS))


_PASS = phrase("a pass")
_SHORT_WORDS: dict[type[Action], str] = {
    Shed: phrase("a tile laid face down"),
    Draw: phrase("a tile turned over"),
    Hide: phrase("tiles laid face down"),
    Claim: phrase("a claim"),
    Silent: phrase("the choice not to claim"),
    GiveUp: phrase("the decision to give up"),
}
"""Actions whose name says everything; all others are a pass."""
