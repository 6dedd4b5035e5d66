"""Draws how a hand of tricks ended: what each side took, the tiles left over, and how the score came about."""

from core.actions import RoundOver
from core.match import MatchView
from core.prompts import bid_words
from core.tricks.state import TrickView, counts_of, taken
from themes import Theme
from tui.board.canvas import Canvas, Picture, Style, columns
from tui.draw.hands import draw_tiles, tile_row
from tui.draw.panels import fit, narrow
from tui.draw.results import score_words
from tui.draw.tricks import Painter
from tui.i18n import _, several, spoken
from tui.text.headlines import match_headline, side_name
from tui.text.tricks import hand_headline, hand_sum, trump_line


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
    """A picture of the result in a room of `width` by `height` cells, at least 50 by 9.

    The tiles left over have no room in a low one.
    """
    painter = Painter(Canvas(width, height, Style(theme.text, theme.felt)), theme, ascii)
    ended = hand_headline(result, match.sides, names, you)
    left = max(2, (width - 96) // 2)
    room = width - 2 * left
    at = 14 if narrow(width) else 20
    names_wide = at - 3
    counts = [counts_of(view.tricks, side, match.sides) for side in range(match.sides)] if view.bid else []
    crowded = 4 + bool(view.bid) + len(counts) + len(names) + match.sides > height
    hands = () if crowded else result.hands
    rows = max(1, len(hands) + len(counts))
    free = height - 4 - bool(view.bid) - match.sides
    most = max(1, (free + 1) // rows - 1)
    won = tile_row(counts, room - at - 30, most, ascii=ascii)
    left_over = tile_row(hands, room - at - 2, most, ascii=ascii)
    won_pitch, hand_pitch = (row.size.h + (row.size.h > 1) for row in (won, left_over))
    airy = free - len(counts) * won_pitch - len(hands) * hand_pitch >= match.sides + len(counts)
    won_pitch += airy and won.size.h == 1
    used = len(counts) * won_pitch + len(hands) * hand_pitch + match.sides * (1 + airy)
    y = max(0, (height - 4 - bool(view.bid) - used) // 2)
    painter.write(left, y, match_headline(match, result, names, you, ended), room, accent=True)
    if view.bid:
        contract = _("{name} bid {bid}", name=names[view.bidder], bid=spoken(bid_words(view.bid)))
        painter.write(
            left, y + 1, " · ".join(part for part in (contract, trump_line(view)) if part), room, quiet=True
        )
    y += 3
    for side, taken_tiles in enumerate(counts):
        middle = y + (won.size.h - 1) // 2
        painter.write(left + 2, middle, fit(side_name(side, names, match.sides), names_wide), names_wide)
        draw_tiles(painter.canvas, taken_tiles, left + at + 10, y, room - at - 30, won, theme)
        _write_taken(painter, view, side, left + at, middle, room - at)
        y += won_pitch
    y += bool(view.bid)
    for seat, hand in enumerate(hands):
        tick, middle = "* " if ascii else "✓ ", y + (left_over.size.h - 1) // 2
        painter.write(left, middle, tick if seat in ready else "  ", 2, quiet=True)
        painter.write(left + 2, middle, names[seat], names_wide)
        draw_tiles(painter.canvas, hand, left + at, y, room - at - 2, left_over, theme)
        if not hand:
            painter.write(left + at, middle, _("no tiles left"), 20, quiet=True)
        y += hand_pitch
    y += 1
    for side in range(match.sides):
        wins = side in match.winners
        painter.write(left + 2, y, fit(side_name(side, names, match.sides), names_wide), names_wide, accent=wins)
        score = score_words(match, result, side)
        painter.write(left + room - columns(score), y, score, room, accent=wins)
        free = room - at - 2 - columns(score)
        painter.write(left + at, y, hand_sum(result.sums[side], names, free), free)
        y += 1 + airy
    return Picture(painter.canvas.rows())


def _write_taken(painter: Painter, view: TrickView, side: int, x: int, y: int, room: int) -> None:
    """How many tricks and points a side took."""
    tricks, counts = taken(view.tricks, side, view.sides)
    painter.write(x, y, several("{count} trick", "{count} tricks", tricks), room)
    if (view.trump and view.trump.kind == "nello") or (view.bid and not view.bid.marks):
        return
    points = _("{tricks} + {counts} = {points}", tricks=tricks, counts=counts, points=tricks + counts)
    painter.write(x + room - columns(points), y, points, room)
