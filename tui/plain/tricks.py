"""Tells games of tricks in whole sentences: the bidding, the tricks, what a player may do, and how a hand ended."""

from core.actions import Action, Bade, Bid, Bury, Lay, Name, Passed, RoundOver
from core.match import MatchView
from core.prompts import bid_words, suit_words, trump_words
from core.tricks.state import TrickView, taken
from core.tricks.suits import TRUMPS
from tui.draw.results import score_words
from tui.i18n import _, several, spoken
from tui.text.headlines import match_headline, side_name
from tui.text.tricks import hand_headline, hand_sum, told_in_tricks

Names = tuple[str, ...]


def trick_offer(action: Action, view: TrickView, _names: Names) -> str:
    """What a player may do, in a sentence."""
    match action:
        case Bid() as bid:
            return _("Bid {bid}.", bid=spoken(bid_words(bid)))
        case Name(kind=kind) as trump if kind in TRUMPS:
            return _("Name {trump} trumps.", trump=spoken(trump_words(trump)))
        case Name() as trump:
            return _("Call {trump}.", trump=spoken(trump_words(trump)))
        case Bury(tile=tile):
            return _("Put {tile} away.", tile=str(tile))
        case Lay(tile=tile) as lay:
            if view.trick:
                return _("Lay {tile}.", tile=str(tile))
            if sum(isinstance(each, Lay) and each.tile == tile for each in view.legal) == 1:
                return _("Lead {tile}.", tile=str(tile))
            suit = spoken(suit_words(tile.low if lay.small else tile.high))
            return _("Lead {tile} for {suit}.", tile=str(tile), suit=suit)
    return _("Pass.")


def trick_so_far(view: TrickView, names: Names, repeated: bool = True) -> list[str]:
    """The trick so far; nothing where it has just been told."""
    return [] if not repeated else [told_in_tricks(laid, names, view.seat, 0) for laid in view.trick]


def trick_table(match: MatchView, view: TrickView, names: Names) -> list[str]:
    """The bidding, the contract, the trick so far, and what each side has taken."""
    sides = match.sides
    calls = [Bade(call.seat, call.bid) if call.bid else Passed(call.seat, "bidding") for call in view.calls]
    lines = [told_in_tricks(call, names, view.seat, sides) for call in calls]
    lines += _contract(view, names)
    lines += trick_so_far(view, names)
    return lines + (_taken(match, view, names) if view.trump else [])


def _contract(view: TrickView, names: Names) -> list[str]:
    if view.bid is None:
        return []
    lines = [_("The bid is {bid}, by {name}.", bid=spoken(bid_words(view.bid)), name=names[view.bidder])]
    if view.trump is None:
        return lines
    said = spoken(trump_words(view.trump))
    trumps = _("Trumps are {trump}.", trump=said) if view.trump.kind in TRUMPS else _("Called: {trump}.", trump=said)
    return [*lines, trumps]


def _taken(match: MatchView, view: TrickView, names: Names) -> list[str]:
    lines = []
    sides = match.sides
    for side in range(sides):
        tricks, counts = taken(view.tricks, side, sides)
        won, name = several("{count} trick", "{count} tricks", tricks), side_name(side, names, match.sides)
        points = several("{count} point", "{count} points", tricks + counts)
        if view.bid and not view.bid.marks:
            lines.append(_("{name} took {tricks}.", name=name, tricks=won))
        else:
            lines.append(_("{name} took {tricks}, {points}.", name=name, tricks=won, points=points))
    return lines


def trick_result(match: MatchView, view: TrickView, result: RoundOver, names: Names) -> list[str]:
    """How a hand ended: who made or set the bid, what each side took, and what it scores."""
    ended = hand_headline(result, match.sides, names, view.seat)
    lines = [match_headline(match, result, names, view.seat, ended), *_contract(view, names)]
    lines += _taken(match, view, names) if view.trump else []
    for side in range(match.sides):
        name, score = side_name(side, names, match.sides), score_words(match, result, side)
        if result.sums[side]:
            lines.append(_("{name} counts {sum}.", name=name, sum=hand_sum(result.sums[side], names)))
        lines.append(_("Score of {name}: {score}.", name=name, score=score))
    return lines
