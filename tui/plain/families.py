"""How each family of games is told in plain sentences, but for layouts; and the table of them all."""

from collections.abc import Callable
from typing import Any, Generic, TypeVar

from msgspec import Struct

from core.actions import (
    Action,
    Bade,
    Beat,
    Bid,
    Bury,
    Draw,
    Fill,
    Hid,
    Hide,
    Lay,
    Lead,
    Matched,
    Name,
    Passed,
    Play,
    RoundOver,
    Take,
)
from core.combos.state import ComboView, Put
from core.combos.state import taken as taken_by_each
from core.family import AnyView, tag_of
from core.layout.state import LayoutView
from core.match import MatchView
from core.patience.rules import ACROSS
from core.patience.state import PatienceView, facing
from core.prompts import bid_words, suit_words, tiles_words, trump_words
from core.tricks.state import TrickView, taken
from core.tricks.suits import TRUMPS
from tui.draw.results import headline, score_words
from tui.i18n import _, several, signed, spoken
from tui.plain.layouts import Names, layout_ends, layout_offer, layout_result, layout_table
from tui.text.combos import told_in_combos
from tui.text.headlines import counted_words, match_headline, side_name, sum_of
from tui.text.patience import at_end, how_it_ended, tile_list
from tui.text.tricks import hand_headline, hand_sum, told_in_tricks


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
            lines.append(counted_words(side, names, match.sides, hand_sum(result.sums[side], names)))
        lines.append(_("Score of {name}: {score}.", name=name, score=score))
    return lines


def patience_offer(action: Action, _view: PatienceView, _names: Names) -> str:
    """What a player may do, in a sentence."""
    match action:
        case Take(tiles=tiles):
            return _("Take {tiles}.", tiles=tile_list(tiles))
        case Fill(tile=tile):
            return _("Move {tile} to the empty column.", tile=str(tile))
        case Draw():
            return _("Turn over the next tile.")
        case Play(tile=tile) as play:
            return _("Lay {tile} {where}.", tile=str(tile), where=at_end(play))
    return _("Give up.")


def patience_open(view: PatienceView, _names: Names = (), _repeated: bool = True) -> list[str]:
    """What lies open on the table."""
    if view.spread == "columns":
        first = len(view.piles) - view.aside
        lines = [
            _("Column {number}, from the top: {tiles}.", number=number, tiles=tile_list(pile))
            if pile
            else _("Column {number} is empty.", number=number)
            for number, pile in enumerate(view.piles[:first], 1)
        ]
        aside = tuple(tile for pile in view.piles[first:] for tile in pile)
        return [*lines, _("Aside: {tiles}.", tiles=tile_list(aside))] if aside else lines
    pile = view.piles[0]
    if view.spread == "grid":
        rows = [pile[start : start + ACROSS] for start in range(0, len(pile), ACROSS)]
        return [_("Row {number}: {tiles}.", number=n, tiles=tile_list(row)) for n, row in enumerate(rows, 1)]
    if view.spread == "line":
        return [_("The line: {tiles}.", tiles=", ".join(f"{left}|{right}" for left, right in facing(pile)))]
    return [_("The row: {tiles}.", tiles=tile_list(pile))]


def patience_table(_match: MatchView, view: PatienceView, _names: Names) -> list[str]:
    """Everything that lies on the table, and what is still to come."""
    lines = patience_open(view)
    if view.boneyard:
        lines.append(several("{count} tile is in the boneyard.", "{count} tiles are in the boneyard.", view.boneyard))
    return lines


def patience_result(match: MatchView, _view: PatienceView, result: RoundOver, names: Names) -> list[str]:
    """How a game ended: whether it is solved, and what is left."""
    lines = [how_it_ended(result)]
    if result.points[0]:
        lines.append(_("Left: {tiles}.", tiles=tile_list(result.hands[0])))
    return [*lines, _("Score of {name}: {score}.", name=names[0], score=signed(match.scores[0]))]


MOST_LISTED = 8
"""Ways to hide that are listed one by one; of more the first, and how to name others."""


def combo_offer(action: Action, view: ComboView, _names: Names) -> str:
    """What a player may do, in a sentence."""
    match action:
        case Lead(tiles=tiles):
            return _("Lead {tiles}.", tiles=tiles_words(tiles))
        case Beat(tiles=tiles):
            return _("Beat it with {tiles}.", tiles=tiles_words(tiles))
        case Hide(tiles=tiles) if sum(isinstance(each, Hide) for each in view.legal) > MOST_LISTED:
            return _("Hide {tiles}; or type hide and other tiles.", tiles=tiles_words(tiles))
        case Hide(tiles=tiles):
            return _("Hide {tiles}.", tiles=tiles_words(tiles))
    return ""


def combo_so_far(view: ComboView, names: Names, repeated: bool = True) -> list[str]:
    """The trick so far; nothing where it has just been told."""
    return [_put(put, view, names, led=not number) for number, put in enumerate(view.trick)] if repeated else []


def _put(put: Put, view: ComboView, names: Names, *, led: bool) -> str:
    event = Matched(put.seat, put.tiles, not led) if put.up else Hid(put.seat, len(view.trick[0].tiles), put.tiles)
    return told_in_combos(event, names, view.seat, len(names))


def combo_table(_match: MatchView, view: ComboView, names: Names) -> list[str]:
    """Who is the banker, the trick so far, and how many tricks everybody has taken."""
    lines = [_("The banker is {name}.", name=names[view.banker]), *combo_so_far(view, names)]
    for name, tricks in zip(names, taken_by_each(view.tricks, len(names)), strict=True):
        lines.append(_("{name} took {tricks}.", name=name, tricks=several("{count} trick", "{count} tricks", tricks)))
    return lines


def combo_result(match: MatchView, view: ComboView, result: RoundOver, names: Names) -> list[str]:
    """How a round ended: who took the last trick, who pays whom, and what lay face down."""
    lines = [headline(match, result, names, view.seat), *combo_table(match, view, names)[1:]]
    for seat, name in enumerate(names):
        if result.hands[seat]:
            lines.append(_("{name} had hidden {tiles}.", name=name, tiles=tiles_words(result.hands[seat])))
        if result.sums[seat]:
            total = signed(sum(term.amount for term in result.sums[seat]))
            summed = f"{sum_of(result.sums[seat], names, you=view.seat)} = {total}"
            lines.append(counted_words(seat, names, match.sides, summed))
        lines.append(_("Score of {name}: {score}.", name=name, score=score_words(match, result, seat)))
    return lines


V = TypeVar("V")


class Teller(Struct, Generic[V], frozen=True):
    """A family of games in sentences; `V` is its view of a round."""

    before: Callable[[V, Names, bool], list[str]]
    """What a player must know to choose; it is told whether the question is repeated, as then the moves are not."""
    offer: Callable[[Action, V, Names], str]
    """What a player may do."""
    table: Callable[[MatchView, V, Names], list[str]]
    """Everything that lies on the table."""
    result: Callable[[MatchView, V, RoundOver, Names], list[str]]
    """How the round ended."""


TELLERS: dict[str, Teller[Any]] = {
    "layout": Teller[LayoutView](layout_ends, layout_offer, layout_table, layout_result),
    "tricks": Teller[TrickView](trick_so_far, trick_offer, trick_table, trick_result),
    "patience": Teller[PatienceView](patience_open, patience_offer, patience_table, patience_result),
    "combos": Teller[ComboView](combo_so_far, combo_offer, combo_table, combo_result),
}
"""By the tag of their views."""


def teller_of(view: AnyView) -> Teller[Any]:
    """Return how the family of a view is told."""
    return TELLERS[tag_of(view)]
