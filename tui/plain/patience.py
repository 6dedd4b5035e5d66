"""Tells games for one in whole sentences: what lies where, what may be done, and how a game ended."""

from core.actions import Action, Draw, Fill, Play, RoundOver, Take
from core.match import MatchView
from core.patience.rules import ACROSS
from core.patience.state import PatienceView, facing
from tui.i18n import _, several, signed
from tui.text.patience import at_end, how_it_ended, tile_list

Names = tuple[str, ...]


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
