"""Tells games of combinations in whole sentences: the trick, what a player may do, and how a round ended."""

from core.actions import Action, Beat, Hid, Hide, Lead, Matched, RoundOver
from core.combos.state import ComboView, Put, taken
from core.match import MatchView
from core.prompts import tiles_words
from tui.draw.results import headline, score_words
from tui.i18n import _, several, signed
from tui.text.combos import told_in_combos
from tui.text.sums import sum_of

Names = tuple[str, ...]
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
    for name, tricks in zip(names, taken(view.tricks, len(names)), strict=True):
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
            summed = f"{sum_of(result.sums[seat], names)} = {total}"
            lines.append(_("{name} counts {sum}.", name=name, sum=summed))
        lines.append(_("Score of {name}: {score}.", name=name, score=score_words(match, result, seat)))
    return lines
