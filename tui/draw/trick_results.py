"""Draws how a hand of tricks ended: what each side took, the tiles left over, and how the score came about."""

from core.actions import RoundOver
from core.match import MatchView
from core.tricks.prompts import bid_words
from core.tricks.state import TrickView, taken
from core.tricks.suits import count
from themes import Theme
from tui.board.canvas import Canvas, Picture, Style, columns
from tui.draw.panels import fit
from tui.draw.results import score_words
from tui.draw.tricks import Painter, draw_row
from tui.i18n import _, several, spoken
from tui.text.headlines import match_headline, side_name
from tui.text.tricks import hand_headline, hand_sum, trump_line

NAMES_WIDE = 17


def draw_hand_result(
    match: MatchView,
    view: TrickView,
    result: RoundOver,
    names: tuple[str, ...],
    ready: tuple[int, ...],
    you: int,
    width: int,
    height: int,
    theme: Theme,
    *,
    ascii: bool,
) -> Picture:
    """A picture of the result in a room of `width` by `height` cells, at least 80 by 13."""
    painter = Painter(Canvas(width, height, Style(theme.text, theme.felt)), theme, ascii)
    ended = hand_headline(result, match.sides, names, you)
    left = max(2, (width - 96) // 2)
    room = width - 2 * left
    airy = height >= 18
    y = max(0, (height - (12 + 5 * airy)) // 2)
    painter.write(left, y, match_headline(match, result, names, you, ended), room, accent=True)
    if view.bid:
        contract = _("{name} bid {bid}", name=names[view.bidder], bid=spoken(bid_words(view.bid)))
        painter.write(
            left, y + 1, " · ".join(part for part in (contract, trump_line(view)) if part), room, quiet=True
        )
    y += 3
    for side in range(match.sides) if view.bid else ():
        painter.write(left + 2, y, fit(side_name(side, names, match.sides), NAMES_WIDE), NAMES_WIDE)
        _draw_side(painter, view, side, left + 20, y, room - 20)
        y += 1 + airy
    y += bool(view.bid)
    for seat, hand in enumerate(result.hands):
        tick = "* " if ascii else "✓ "
        painter.write(left, y, tick if seat in ready else "  ", 2, quiet=True)
        painter.write(left + 2, y, names[seat], NAMES_WIDE)
        draw_row(painter, hand, left + 20, y)
        if not hand:
            painter.write(left + 20, y, _("no tiles left"), 20, quiet=True)
        y += 1
    y += 1
    for side in range(match.sides):
        won = side in match.winners
        painter.write(left + 2, y, fit(side_name(side, names, match.sides), NAMES_WIDE), NAMES_WIDE, accent=won)
        score = score_words(match, result, side)
        painter.write(left + room - columns(score), y, score, room, accent=won)
        painter.write(left + 20, y, hand_sum(result.sums[side], names), room - 22 - columns(score))
        y += 1 + airy
    return Picture(painter.canvas.rows())


def _draw_side(painter: Painter, view: TrickView, side: int, x: int, y: int, room: int) -> None:
    """The tricks, the count tiles and the points that a side took."""
    tricks, counts = taken(view.tricks, side)
    words = several("{count} trick", "{count} tricks", tricks)
    painter.write(x, y, words, room)
    tiles = [laid.tile for trick in view.tricks if trick.winner % 2 == side for laid in trick.tiles]
    draw_row(painter, [tile for tile in tiles if count(tile)], x + 10, y)
    if view.trump and view.trump.kind == "nello":
        return
    points = _("{tricks} + {counts} = {points}", tricks=tricks, counts=counts, points=tricks + counts)
    painter.write(x + room - columns(points), y, points, room)
