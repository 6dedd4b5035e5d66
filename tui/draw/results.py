"""Draws the result of a round with all hands and sums, and the end of a match: standing, courses and menu."""

from collections.abc import Callable, Sequence
from typing import NamedTuple, cast

from msgspec import Struct

from core.actions import RoundOver
from core.coach.review import ReplayedMatch
from core.layout.state import LayoutView
from core.match import MatchView
from core.prompts import bid_words
from core.tiles import Hand
from core.tricks.state import TrickView, scoring_tiles, tricks_and_counts
from tui.board.canvas import Canvas, ClickTarget, Picture, Style, columns, fit, plain
from tui.draw.hands import TileRow, draw_tiles, split_into_rows, tile_row
from tui.draw.panels import TOUCHED_ROW_HEIGHT, draw_page, wrap
from tui.draw.tricks import Painter
from tui.i18n import _, gained_words, pgettext, several, sign_of, translate, with_sign
from tui.model.look import Look, is_narrow
from tui.model.presenter import Moment
from tui.text.headlines import match_headline, player_subject, side_name, sum_of
from tui.text.layouts import last_tile
from tui.text.non_layout import game_end_sentence, hand_headline, hand_sum, trump_line


def headline(match: MatchView, result: RoundOver, names: tuple[str, ...], reader_seat: int) -> str:
    """Return the winner of the match or the round, and how it was won; of a game for one player, how it ended."""
    if match.players == 1:
        return game_end_sentence(result)
    last = last_tile(match.play) if isinstance(match.play, LayoutView) else None
    return match_headline(
        match, result, names, reader_seat, hand_headline(result, match.sides, names, reader_seat, last)
    )


def draw_result(moment: Moment, width: int, height: int, look: Look, counts: Sequence[str] = ()) -> Picture:
    """Draw the result of the last round into `width` by `height` cells, at least 60 by 12.

    `counts` are the words after each hand, by default its pips.
    """
    theme, names, ready, reader_seat = look.theme, moment.names, moment.update.ready, moment.update.seat
    canvas = Canvas(width, height, Style(theme.text, theme.felt))
    match, result = moment.update.match, moment.view.result if moment.view else None
    if match is None or result is None:
        return Picture(canvas.rows())
    seats, sides = len(names), match.sides
    is_crowded = 4 + seats + sides > height
    left = max(2, (width - 96) // 2)
    content_width = width - 2 * left
    hand_column = 14 if is_narrow(width) else 20
    free_rows = height - 2 - (0 if is_crowded else 1 + sides)
    tiles, tiles_per_row = _hand_tiles(result.hands, content_width - hand_column - 11, free_rows, ascii=look.ascii)
    tile_height = max(1, *(len(split_into_rows(hand, tiles_per_row)) for hand in result.hands)) * tiles.size.h
    gap = int(free_rows >= seats * (tile_height + 1) - 1)
    used_rows = seats * (tile_height + gap) - gap
    is_spaced = not is_crowded and free_rows - used_rows >= sides
    y = max(0, (height - 2 - used_rows - (0 if is_crowded else 1 + sides * (1 + is_spaced))) // 2)
    quiet, strong = Style(theme.quiet, theme.felt), Style(theme.accent, theme.felt, True)
    text, bold = Style(theme.text, theme.felt), Style(theme.text, theme.felt, True)

    def write(x: int, row: int, words: str, style: Style) -> None:
        canvas.put(x, row, plain(words, look.ascii), style)

    for row, line in enumerate(wrap(headline(match, result, names, reader_seat), content_width)[:2], y):
        write_headline(canvas, left, row, line, content_width, look, is_won=_has_won(match, result, reader_seat))
    y += 2
    for seat, hand in enumerate(result.hands):
        middle = y + (tile_height - 1) // 2
        write(left, middle, ("* " if look.ascii else "✓ ") if seat in ready else "  ", quiet)
        write(left + 2, middle, fit(names[seat], hand_column - 4), bold if seat == result.winner else text)
        side = seat % sides
        count = counts[seat] if counts else _pips_words(hand)
        count = score_words(match, result, side) if is_crowded else count
        style = strong if is_crowded and side in match.winners else quiet
        write(left + content_width - columns(count), middle, count, style)
        width_of_tiles = content_width - hand_column - 2 - max(9, columns(count))
        for row, part in enumerate(split_into_rows(hand, tiles_per_row)):
            draw_tiles(canvas, part, left + hand_column, y + row * tiles.size.h, width_of_tiles, tiles, theme)
        y += tile_height + gap
    y += 1 - gap + is_spaced
    for side in range(sides) if not is_crowded else ():
        points = result.points[side]
        is_winner = side in match.winners
        write(
            left + 2,
            y,
            fit(side_name(side, names, sides), hand_column - 4),
            strong if is_winner else bold if points else text,
        )
        total = score_words(match, result, side)
        write(left + content_width - columns(total), y, total, strong if is_winner else bold)
        max_width = content_width - hand_column - columns(total) - 2
        for row, line in enumerate(_fitting_sum_lines(result, side, names, reader_seat, max_width, 1 + is_spaced), y):
            write(left + hand_column, row, line, text)
        y += 1 + is_spaced
    return Picture(canvas.rows())


def _hand_tiles(hands: Sequence[Hand], width: int, height: int, *, ascii: bool) -> tuple[TileRow, int]:
    """Return the largest tiles with which all hands fit, and their number in a row: a whole hand, or half of one.

    If tiles are higher than one row of cells, an empty row separates two hands.
    """
    longest = max(1, *map(len, hands))
    one_row = tile_row(hands, width, max(1, (height + 1) // len(hands) - 1), ascii=ascii)
    if one_row.holds(hands, width) or height < 2 * len(hands):
        return one_row, longest
    half = -(-longest // 2)
    parts = [part for hand in hands for part in split_into_rows(hand, half)]
    return tile_row(parts, width, max(1, ((height + 1) // len(hands) - 1) // 2), ascii=ascii), half


def _pips_words(hand: Hand) -> str:
    return (
        several("{count} pip", "{count} pips", sum(max(0, tile.pips) for tile in hand))
        if hand
        else pgettext("a hand", "out")
    )


def _fitting_sum_lines(
    result: RoundOver, side: int, names: tuple[str, ...], reader_seat: int, width: int, height: int
) -> list[str]:
    """Return a side's sum in its longest form that fits; empty if none fits, or if it only repeats the points."""
    terms = result.sums[side]
    if not terms:
        return []
    total = with_sign(sum(term.amount for term in terms))
    unnamed_seats = (side,) if len(result.sums) == len(names) else ()
    forms = (
        sum_of(terms, names, result.hands, unnamed_seats, reader_seat),
        sum_of(terms, names, (), unnamed_seats, reader_seat),
        sum_of(terms, ()),
    )
    too_many = ", " + _("too many") if side in result.void else ""
    for form in forms:
        lines = _sum_lines(form, f"= {total}{too_many}", width)
        if len(lines) <= height and columns(lines[0]) <= width:
            return lines if too_many or form != total else []
    return []


def _has_won(match: MatchView, result: RoundOver, seat: int) -> bool:
    """Return True if the side of a seat has won the match or, before its end, the round."""
    round_winners = (result.winner % match.sides,) if result.winner >= 0 else ()
    return seat >= 0 and seat % match.sides in (match.winners or round_winners)


def write_headline(canvas: Canvas, x: int, y: int, line: str, max_width: int, look: Look, *, is_won: bool) -> None:
    """Write a line of the result, cut to `max_width` columns; `is_won` puts it on a bright band between stars."""
    theme, star = look.theme, "*" if look.ascii else "★"
    line = plain(fit(line, max_width), look.ascii)
    if is_won and columns(line) + 6 <= max_width:
        canvas.put(x, y, f" {star} {line} {star} ", Style(theme.felt, theme.accent, True))
    else:
        canvas.put(x, y, line, Style(theme.accent, theme.felt, True))


def _sum_lines(terms: str, total: str, width: int) -> list[str]:
    """Return a sum in as many lines as it needs; the total is never separated from its sign."""
    *lines, last = wrap(terms, width)
    joined = f"{last} {total}"
    return [*lines, joined] if columns(joined) <= width else [*lines, last, total]


def score_words(match: MatchView, result: RoundOver, side: int) -> str:
    """Return a side's score, and how the round led to it."""
    score, points = match.scores[side], result.points[side]
    if not points:
        return with_sign(score)
    return f"{with_sign(score - points)} {sign_of(points)} {abs(points)} = {with_sign(score)}"


def draw_hand_result(moment: Moment, width: int, height: int, look: Look) -> Picture:
    """Draw the result into `width` by `height` cells, at least 50 by 9.

    Without enough rows, the tiles left over are omitted.
    """
    theme, ascii, names, ready, reader_seat = (
        look.theme,
        look.ascii,
        moment.names,
        moment.update.ready,
        moment.update.seat,
    )
    painter = Painter(Canvas(width, height, Style(theme.text, theme.felt)), theme, ascii)
    match, view = cast("MatchView", moment.update.match), cast("TrickView", moment.view)
    result = cast("RoundOver", view.result)
    left = max(2, (width - 96) // 2)
    content_width = width - 2 * left
    hand_column = 14 if is_narrow(width) else 20
    name_width = hand_column - 3
    counts = [scoring_tiles(view.tricks, side, match.sides) for side in range(match.sides)] if view.bid else []
    is_crowded = 4 + bool(view.bid) + len(counts) + len(names) + match.sides > height
    hands = result.hands if any(result.hands) and not is_crowded else ()
    rows = max(1, len(hands) + len(counts))
    free_rows = height - 4 - bool(view.bid) - match.sides
    max_tile_height = max(1, (free_rows + 1) // rows - 1)
    taken_row = tile_row(counts, content_width - hand_column - 30, max_tile_height, ascii=ascii)
    hand_row = tile_row(hands, content_width - hand_column - 2, max_tile_height, ascii=ascii)
    taken_pitch, hand_pitch = (row.size.h + (row.size.h > 1) for row in (taken_row, hand_row))
    is_spaced = free_rows - len(counts) * taken_pitch - len(hands) * hand_pitch >= match.sides + len(counts)
    taken_pitch += is_spaced and taken_row.size.h == 1
    used_rows = len(counts) * taken_pitch + len(hands) * hand_pitch + match.sides * (1 + is_spaced)
    y = max(0, (height - 4 - bool(view.bid) - used_rows) // 2)
    sentence = headline(match, result, names, reader_seat)
    write_headline(
        painter.canvas, left, y, sentence, content_width, look, is_won=_has_won(match, result, reader_seat)
    )
    if view.bid:
        bidder = player_subject(view.bidder, names, reader_seat)
        contract = bidder.fill_in("Your bid: {bid}", "{name}: bid {bid}", bid=translate(bid_words(view.bid)))
        painter.write(
            left, y + 1, " · ".join(part for part in (contract, trump_line(view)) if part), content_width, quiet=True
        )
    y += 3
    for side, taken_tiles in enumerate(counts):
        middle = y + (taken_row.size.h - 1) // 2
        painter.write(left + 2, middle, fit(side_name(side, names, match.sides), name_width), name_width)
        draw_tiles(
            painter.canvas,
            taken_tiles,
            left + hand_column + 10,
            y,
            content_width - hand_column - 30,
            taken_row,
            theme,
        )
        _write_taken(painter, view, side, left + hand_column, middle, content_width - hand_column)
        y += taken_pitch
    y += bool(view.bid)
    for seat, hand in enumerate(hands):
        tick, middle = "* " if ascii else "✓ ", y + (hand_row.size.h - 1) // 2
        painter.write(left, middle, tick if seat in ready else "  ", 2, quiet=True)
        painter.write(left + 2, middle, names[seat], name_width)
        draw_tiles(painter.canvas, hand, left + hand_column, y, content_width - hand_column - 2, hand_row, theme)
        if not hand:
            painter.write(left + hand_column, middle, _("no tiles left"), 20, quiet=True)
        y += hand_pitch
    y += 1
    for side in range(match.sides):
        is_winner = side in match.winners
        painter.write(left + 2, y, fit(side_name(side, names, match.sides), name_width), name_width, accent=is_winner)
        score = score_words(match, result, side)
        painter.write(left + content_width - columns(score), y, score, content_width, accent=is_winner)
        free_rows = content_width - hand_column - 2 - columns(score)
        painter.write(left + hand_column, y, hand_sum(result.sums[side], names, reader_seat, free_rows), free_rows)
        y += 1 + is_spaced
    return Picture(painter.canvas.rows())


def _write_taken(painter: Painter, view: TrickView, side: int, x: int, y: int, max_width: int) -> None:
    """Write the numbers of tricks and points that a side took."""
    tricks, counts = tricks_and_counts(view.tricks, side, view.sides)
    painter.write(x, y, several("{count} trick", "{count} tricks", tricks), max_width)
    if (view.trump and view.trump.kind == "nello") or (view.bid and not view.bid.marks):
        return
    points = _("{tricks} + {counts} = {points}", tricks=tricks, counts=counts, points=tricks + counts)
    painter.write(x + max_width - columns(points), y, points, max_width)


MAX_PAGE_WIDTH = 96
"""Maximum width of the page."""
GAIN_WIDTH = 6
"""Columns for the gain of a round."""
MAX_BLOCKS_WIDTH = 24
"""Maximum width of the blocks."""
MAX_BLOCK_WIDTH = 3
"""Maximum width of a round's block."""
BLOCKS, BLOCKS_ASCII = "▁▂▃▄▅▆▇█", "_.-=+*#@"
"""The blocks of a course, from the lowest score to the highest."""


class Course(Struct, frozen=True):
    """The course of one side's score."""

    gains: tuple[int, ...]
    """By round."""
    scores: tuple[int, ...]
    """After each round."""


def courses_of(match: ReplayedMatch) -> list[Course]:
    """Return the course of each side of a finished match."""
    courses = []
    for side in range(match.match.rules.sides):
        scores = tuple(deal.after[side] for deal in match.deals)
        scores_before = tuple(deal.scores[side] for deal in match.deals)
        courses.append(
            Course(tuple(after - before for before, after in zip(scores_before, scores, strict=True)), scores)
        )
    return courses


def course_blocks(course: Course, courses: Sequence[Course], width: int, *, ascii: bool) -> str:
    """Draw a course as a block for each round, the higher the score the taller; if not all fit, the last rounds.

    All courses have the same scale.
    """
    all_scores = [0, *(score for other in courses for score in other.scores)]
    low, span = min(all_scores), max(all_scores) - min(all_scores)
    blocks = BLOCKS_ASCII if ascii else BLOCKS
    return "".join(
        blocks[(score - low) * (len(blocks) - 1) // span if span else 0] for score in course.scores[-width:]
    )


class StandingRow(NamedTuple):
    """A side in the standing."""

    name: str
    score: int
    has_won: bool
    course: Course | None
    """None until the record has arrived."""


class MenuAction(NamedTuple):
    """An action of the menu."""

    key: str
    words: str
    do: Callable[[], object]
    note: str = ""


class MatchEnd(NamedTuple):
    """The content of the screen."""

    title: str
    headline: str
    standing: tuple[StandingRow, ...]
    """In the order of rank."""
    moments: tuple[str, ...]
    """The moments that decided the match, a sentence each."""
    menu_actions: tuple[MenuAction, ...]
    chosen: int
    enter_words: str
    """The action of Enter."""
    hints: tuple[tuple[str, str], ...]
    status: str


def draw_match_end(end: MatchEnd, width: int, height: int, look: Look) -> Picture:
    """Draw the whole screen."""
    theme, ascii, rows = look.theme, look.ascii, height - 3
    canvas = Canvas(width, rows, Style(theme.text, theme.felt))
    content_width = min(MAX_PAGE_WIDTH, width - 4)
    left = (width - content_width) // 2
    headline = wrap(end.headline, content_width)[:2]
    pitch = TOUCHED_ROW_HEIGHT if look.touched else 1
    fixed_rows = len(headline) + len(end.standing) + len(end.menu_actions) * pitch
    moments = [
        line if number == 0 else f"  {line}"
        for moment in end.moments
        for number, line in enumerate(wrap(moment, content_width - 2))
    ][: max(0, rows - fixed_rows)]
    gaps = min(3 + bool(moments), max(0, rows - fixed_rows - len(moments)))
    y = max(0, (rows - fixed_rows - len(moments) - gaps) // 3)
    for line in headline:
        canvas.put(left, y, plain(fit(line, content_width), ascii), Style(theme.accent, theme.felt, True))
        y += 1
    y += gaps > 0
    _draw_standing(canvas, y, left, content_width, end.standing, look)
    y += len(end.standing) + (gaps > 1)
    for line in moments:
        canvas.put(left, y, plain(fit(line, content_width), ascii), canvas.background)
        y += 1
    y += gaps > 2 and bool(moments)
    hits = []
    for number, action in enumerate(end.menu_actions):
        is_chosen = number == end.chosen
        background = theme.accent if is_chosen else theme.felt
        canvas.put(left, y, " " * content_width, Style(theme.text, background))
        canvas.put(left + 1, y, action.key, Style(theme.felt if is_chosen else theme.accent, background, True))
        words = plain(fit(action.words, content_width - 5), ascii)
        canvas.put(left + 4, y, words, Style(theme.felt if is_chosen else theme.text, background, is_chosen))
        note = plain(fit(action.note, content_width - 8 - columns(words)), ascii)
        canvas.put(left + 7 + columns(words), y, note, Style(theme.felt if is_chosen else theme.accent, background))
        hits.append(ClickTarget(left, y + 1, content_width, pitch, number, -1))
        y += pitch
    page = draw_page(end.title, Picture(canvas.rows()), end.enter_words, end.hints, end.status, width, look)
    return Picture(page.rows, hits=(*hits, *page.hits))


def _draw_standing(
    canvas: Canvas, y: int, left: int, content_width: int, standing: Sequence[StandingRow], look: Look
) -> None:
    """Write a row for each side: name, score, blocks, and the gain of each round if there is room."""
    theme, ascii = look.theme, look.ascii
    courses = [line.course for line in standing if line.course]
    rounds = max((len(course.scores) for course in courses), default=0)
    if not standing:
        return
    name_width = min(
        max(columns(line.name) for line in standing),
        content_width // 3 if is_narrow(canvas.width) else content_width // 2 - 6,
    )
    blocks_width = max(1, min(MAX_BLOCKS_WIDTH, content_width - name_width - 12))
    block_width = max(1, min(MAX_BLOCK_WIDTH, blocks_width // max(1, rounds)))
    blocks_width = min(blocks_width, rounds * block_width)
    free_columns = content_width - name_width - 12 - blocks_width - 3
    shown_gains = rounds if rounds * GAIN_WIDTH <= free_columns else 0
    for row, line in enumerate(standing, y):
        style = Style(theme.accent if line.has_won else theme.text, theme.felt, line.has_won)
        canvas.put(left, row, f"{row - y + 1}", Style(theme.quiet, theme.felt))
        canvas.put(left + 3, row, plain(fit(line.name, name_width), ascii), style)
        score = plain(with_sign(line.score), ascii)
        x = left + 3 + name_width + 7
        canvas.put(x - len(score), row, score, style)
        if line.course and rounds > 1:
            blocks_text = "".join(
                block * block_width
                for block in course_blocks(line.course, courses, blocks_width // block_width, ascii=ascii)
            )
            canvas.put(x + 2, row, blocks_text, Style(theme.accent if line.has_won else theme.quiet, theme.felt))
            for number, gain in enumerate(line.course.gains[:shown_gains] if shown_gains else ()):
                words = plain(gained_words(gain) or "0", ascii)
                column = x + 2 + blocks_width + 2 + (number + 1) * GAIN_WIDTH - len(words) - 1
                canvas.put(column, row, words, Style(theme.quiet, theme.felt))
