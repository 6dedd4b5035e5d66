"""Draws the end of a match: who won, the scores round by round, what decided it, and what can be done now."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from msgspec import Struct

from core.coach.review import Recorded
from tui.board.canvas import Canvas, Hit, Picture, Style, columns, plain
from tui.draw.lists import draw_page, wrap
from tui.draw.look import Look
from tui.draw.panels import fit, narrow
from tui.i18n import gained_words, signed

MEASURE = 96
"""Columns of the page at most."""
PITCH = 6
"""Columns for what a round gained."""
WIDEST = 24
"""Columns of blocks at most."""
BROAD = 3
"""Columns of the block of a round at most."""
BLOCKS, BLOCKS_ASCII = "▁▂▃▄▅▆▇█", "_.-=+*#@"
"""The blocks of a course, from the lowest score to the highest."""


class Course(Struct, frozen=True):
    """How the score of one side went."""

    gains: tuple[int, ...]
    """By round."""
    scores: tuple[int, ...]
    """After each round."""


def courses_of(match: Recorded) -> list[Course]:
    """Return the course of each side of a finished match."""
    courses = []
    for side in range(match.match.rules.sides):
        scores = tuple(deal.after[side] for deal in match.deals)
        before = tuple(deal.scores[side] for deal in match.deals)
        courses.append(Course(tuple(b - a for a, b in zip(before, scores, strict=True)), scores))
    return courses


def blocks_of(course: Course, courses: Sequence[Course], width: int, *, ascii: bool) -> str:
    """Draw a course as a block for each round, the higher the score the taller; the last rounds if not all fit.

    All courses have the same scale.
    """
    every = [0, *(score for each in courses for score in each.scores)]
    low, span = min(every), max(every) - min(every)
    blocks = BLOCKS_ASCII if ascii else BLOCKS
    return "".join(
        blocks[(score - low) * (len(blocks) - 1) // span if span else 0] for score in course.scores[-width:]
    )


class Line(NamedTuple):
    """One side in the standing."""

    name: str
    score: int
    won: bool
    course: Course | None
    """None as long as the record has not come."""


class Offer(NamedTuple):
    """One thing that can be done now."""

    key: str
    words: str
    do: Callable[[], object]
    note: str = ""


class MatchEnd(NamedTuple):
    """All that the screen shows."""

    title: str
    headline: str
    standing: tuple[Line, ...]
    """The first comes first."""
    moments: tuple[str, ...]
    """What decided the match, a sentence each."""
    offers: tuple[Offer, ...]
    chosen: int
    does: str
    """What Enter does."""
    hints: tuple[tuple[str, str], ...]
    status: str


def draw_match_end(end: MatchEnd, width: int, height: int, look: Look) -> Picture:
    """Draw the whole screen."""
    theme, ascii, rows = look.theme, look.ascii, height - 3
    canvas = Canvas(width, rows, Style(theme.text, theme.felt))
    room = min(MEASURE, width - 4)
    left = (width - room) // 2
    headline = wrap(end.headline, room)[:2]
    fixed = len(headline) + len(end.standing) + len(end.offers)
    moments = [
        line if number == 0 else f"  {line}"
        for each in end.moments
        for number, line in enumerate(wrap(each, room - 2))
    ][: max(0, rows - fixed)]
    gaps = min(3 + bool(moments), max(0, rows - fixed - len(moments)))
    y = max(0, (rows - fixed - len(moments) - gaps) // 3)
    for line in headline:
        canvas.put(left, y, plain(fit(line, room), ascii), Style(theme.accent, theme.felt, True))
        y += 1
    y += gaps > 0
    _draw_standing(canvas, y, left, room, end.standing, look)
    y += len(end.standing) + (gaps > 1)
    for line in moments:
        canvas.put(left, y, plain(fit(line, room), ascii), canvas.ground)
        y += 1
    y += gaps > 2 and bool(moments)
    hits = []
    for number, offer in enumerate(end.offers):
        here = number == end.chosen
        ground = theme.accent if here else theme.felt
        canvas.put(left, y, " " * room, Style(theme.text, ground))
        canvas.put(left + 1, y, offer.key, Style(theme.felt if here else theme.accent, ground, True))
        words = plain(fit(offer.words, room - 5), ascii)
        canvas.put(left + 4, y, words, Style(theme.felt if here else theme.text, ground, here))
        note = plain(fit(offer.note, room - 8 - columns(words)), ascii)
        canvas.put(left + 7 + columns(words), y, note, Style(theme.felt if here else theme.accent, ground))
        hits.append(Hit(left, y + 1, room, 1, number, -1))
        y += 1
    page = draw_page(end.title, Picture(canvas.rows()), end.does, end.hints, end.status, width, look)
    return Picture(page.rows, hits=tuple(hits))


def _draw_standing(canvas: Canvas, y: int, left: int, room: int, standing: Sequence[Line], look: Look) -> None:
    """Write a row for each side: its name, what each round gained if there is room, the blocks, and the score."""
    theme, ascii = look.theme, look.ascii
    courses = [line.course for line in standing if line.course]
    rounds = max((len(course.scores) for course in courses), default=0)
    names = min(max(columns(line.name) for line in standing), room // 3 if narrow(canvas.width) else room // 2 - 6)
    blocks = max(1, min(WIDEST, room - names - 12))
    broad = max(1, min(BROAD, blocks // max(1, rounds)))
    blocks = min(blocks, rounds * broad)
    free = room - names - 12 - blocks - 3
    gains = rounds if rounds * PITCH <= free else 0
    for row, line in enumerate(standing, y):
        style = Style(theme.accent if line.won else theme.text, theme.felt, line.won)
        canvas.put(left, row, f"{row - y + 1}", Style(theme.quiet, theme.felt))
        canvas.put(left + 3, row, plain(fit(line.name, names), ascii), style)
        score = plain(signed(line.score), ascii)
        x = left + 3 + names + 7
        canvas.put(x - len(score), row, score, style)
        if line.course and rounds > 1:
            drawn = "".join(block * broad for block in blocks_of(line.course, courses, blocks // broad, ascii=ascii))
            canvas.put(x + 2, row, drawn, Style(theme.accent if line.won else theme.quiet, theme.felt))
            for number, gained in enumerate(line.course.gains[:gains] if gains else ()):
                words = plain(gained_words(gained) or "0", ascii)
                at = x + 2 + blocks + 2 + (number + 1) * PITCH - len(words) - 1
                canvas.put(at, row, words, Style(theme.quiet, theme.felt))
