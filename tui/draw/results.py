"""Draws how a round ended: all hands, and for every side the sum that leads to its points."""

from collections.abc import Sequence
from typing import cast

from core.actions import RoundOver
from core.layout.state import LayoutView
from core.match import MatchView
from core.prompts import bid_words
from core.tricks.state import TrickView, counts_of, taken
from tui.board.canvas import Canvas, Picture, Style, columns, plain
from tui.draw.hands import draw_tiles, tile_row
from tui.draw.lists import wrap
from tui.draw.look import Look
from tui.draw.panels import fit, narrow
from tui.draw.presenter import Moment
from tui.draw.tricks import Painter
from tui.i18n import _, several, signed, spoken
from tui.text.headlines import match_headline, round_headline, side_name, sum_of
from tui.text.layouts import last_tile
from tui.text.others import hand_headline, hand_sum, trump_line


def headline(match: MatchView, result: RoundOver, names: tuple[str, ...], you: int) -> str:
    """One sentence: who won the match or the round, and how."""
    last = last_tile(match.play) if isinstance(match.play, LayoutView) else None
    return match_headline(match, result, names, you, round_headline(match.sides, result, names, you, last))


def draw_result(moment: Moment, width: int, height: int, look: Look, counts: Sequence[str] = ()) -> Picture:
    """A picture of the last round's result in a room of `width` by `height` cells, at least 60 by 12.

    `counts` says what stands after the tiles of each seat, by default their pips.
    """
    theme, names, ready, you = look.theme, moment.names, moment.update.ready, moment.update.seat
    canvas = Canvas(width, height, Style(theme.text, theme.felt))
    match, result = moment.update.match, moment.view.result if moment.view else None
    if match is None or result is None:
        return Picture(canvas.rows())
    seats, sides = len(names), match.sides
    crowded = 4 + seats + sides > height
    left = max(2, (width - 96) // 2)
    room = width - 2 * left
    at = 14 if narrow(width) else 20
    free = height - 2 - (0 if crowded else 1 + sides)
    # Tiles of several rows have a blank one between two hands, others where there is room.
    tiles = tile_row(result.hands, room - at - 11, max(1, (free + 1) // seats - 1), ascii=look.ascii)
    high = tiles.size.h
    gap = int(free >= seats * (high + 1) - 1)
    used = seats * (high + gap) - gap
    airy = not crowded and free - used >= sides
    y = max(0, (height - 2 - used - (0 if crowded else 1 + sides * (1 + airy))) // 2)
    quiet, strong = Style(theme.quiet, theme.felt), Style(theme.accent, theme.felt, True)
    text, bold = Style(theme.text, theme.felt), Style(theme.text, theme.felt, True)

    def put(x: int, row: int, words: str, style: Style) -> None:
        canvas.put(x, row, plain(words, look.ascii), style)

    for row, line in enumerate(wrap(headline(match, result, names, you), room)[:2], y):
        put(left, row, fit(line, room), strong)
    y += 2
    for seat, hand in enumerate(result.hands):
        middle = y + (high - 1) // 2
        put(left, middle, ("* " if look.ascii else "✓ ") if seat in ready else "  ", quiet)
        put(left + 2, middle, fit(names[seat], at - 4), bold if seat == result.winner else text)
        count = (
            counts[seat]
            if counts
            else _("out")
            if not hand
            else several("{count} pip", "{count} pips", sum(max(0, tile.pips) for tile in hand))
        )
        side = seat % sides
        count = score_words(match, result, side) if crowded else count
        style = strong if crowded and side in match.winners else quiet
        put(left + room - columns(count), middle, count, style)
        draw_tiles(canvas, hand, left + at, y, room - at - 2 - max(9, columns(count)), tiles, theme)
        y += high + gap
    y += 1 - gap + airy
    for side in range(sides) if not crowded else ():
        points = result.points[side]
        won = side in match.winners
        put(left + 2, y, fit(side_name(side, names, sides), at - 4), strong if won else bold if points else text)
        total = score_words(match, result, side)
        put(left + room - columns(total), y, total, strong if won else bold)
        if result.sums[side]:
            space = room - at - columns(total) - 2
            terms, total_of = result.sums[side], signed(sum(term.amount for term in result.sums[side]))
            alone = (side,) if sides == seats else ()
            written = (
                sum_of(terms, names, result.hands, alone, you),
                sum_of(terms, names, (), alone, you),
                sum_of(terms, ()),
            )
            many = ", " + _("too many") if side in result.void else ""
            sums = [_summed(each, f"= {total_of}{many}", space) for each in written]
            lines = next((each for each in sums if len(each) <= 1 + airy and columns(each[0]) <= space), [])
            for row, line in enumerate(lines, y):
                put(left + at, row, line, text)
        y += 1 + airy
    return Picture(canvas.rows())


def _summed(terms: str, total: str, width: int) -> list[str]:
    """A sum in as many lines as it needs; what it comes to is never parted from its sign."""
    *lines, last = wrap(terms, width)
    joined = f"{last} {total}"
    return [*lines, joined] if columns(joined) <= width else [*lines, last, total]


def score_words(match: MatchView, result: RoundOver, side: int) -> str:
    """A side's score, and how the round led to it."""
    score, points = match.scores[side], result.points[side]
    if not points:
        return signed(score)
    return f"{signed(score - points)} {'+' if points > 0 else '−'} {abs(points)} = {signed(score)}"


def draw_hand_result(moment: Moment, width: int, height: int, look: Look) -> Picture:
    """A picture of the result in a room of `width` by `height` cells, at least 50 by 9.

    The tiles left over have no room in a low one.
    """
    theme, ascii, names, ready, you = look.theme, look.ascii, moment.names, moment.update.ready, moment.update.seat
    painter = Painter(Canvas(width, height, Style(theme.text, theme.felt)), theme, ascii)
    match, view = cast("MatchView", moment.update.match), cast("TrickView", moment.view)
    result = cast("RoundOver", view.result)
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
