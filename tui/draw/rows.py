"""Shares out a window among the parts of the table; says so where the window is too small."""

from collections.abc import Sequence

from msgspec import Struct

from core.layout.state import LayoutView
from core.patience.state import PatienceView
from net.wire.messages import Update
from tui.board.canvas import Canvas, Picture, Style, plain
from tui.board.faces import USUAL_HIGHEST
from tui.board.hand import least_rows
from tui.draw.look import Look
from tui.draw.panels import USUAL, fit
from tui.draw.side import SIDE, WIDE
from tui.i18n import _

NEEDED = (50, 18)
"""Columns and rows below which the table does not fit."""
LESSON = 3
"""Rows for what is told in a lesson; twice as many in a narrow window."""
HIGH, HIGHER = 38, 42
"""Rows from which on there is room for a hand of the largest tiles; and where a set is larger than double-six."""
SIX = 6
"""The highest number of the smallest set."""
PLAYER = 16
"""Columns in which all about a player has room in one row."""


class Rows(Struct, frozen=True):
    """How many rows each part of the screen has; they add up to the height."""

    board: int
    story: int
    hand: int
    title: int = 1
    players: int = 2
    sentence: int = 1
    status: int = 1
    scored: bool = False
    """Whether lanes carry the scores of their players, who have no rows then."""
    lesson: int = 0
    side: bool = False
    """Whether players and story stand in a panel beside the board."""


def rows_of(
    height: int,
    width: int = USUAL[0],
    *,
    highest: int = SIX,
    scored: bool = False,
    handless: bool = False,
    alone: bool = False,
) -> Rows:
    """Share the rows out: the higher the window, the larger the faces for which there is room.

    In a window of a `width` that has room for a panel, players and story stand there. Players have no rows where
    lanes carry their scores, nor has one who is `alone`, nor a hand where nobody has one.
    """
    hand = 0 if handless else 9 if height >= (HIGHER if highest > SIX else HIGH) else 6
    if has_side(width, height):
        return _shared(height, hand, story=0, players=0, side=True)
    story = 3 if height >= 42 else 2 if height >= 30 else 1
    return _shared(height, hand, story=story, players=0 if scored or alone else 2, scored=scored)


def rows_for(update: Update, width: int, height: int, *, lesson: bool = False, shows_result: bool = True) -> Rows:
    """Share out the rows of a window for what is at the table; a `lesson` has some between board and hand.

    Once a round is over, its result has those of the hand, if it is shown.
    """
    view = update.play
    result = view is not None and view.result is not None and shows_result
    lanes = isinstance(view, LayoutView) and view.shape == "lanes" and not result
    handless = result or (isinstance(view, PatienceView) and view.spread != "line")
    told = LESSON * (1 + (width < USUAL[0])) * lesson
    scored = lanes and not has_side(width, height)
    seats = len(update.table.seats)
    if height >= USUAL[1]:
        highest = view.highest if isinstance(view, LayoutView) else SIX
        rows = rows_of(height, width, highest=highest, scored=scored, handless=handless, alone=seats == 1)
        return _shared(height, rows.hand, rows.story, rows.players, told, scored=rows.scored, side=rows.side)
    if view is None or result:
        return _shared(height, 0, story=0, players=0, lesson=told)
    highest = view.highest if isinstance(view, LayoutView) else USUAL_HIGHEST
    hand = 0 if handless else least_rows(1 if lesson else len(view.hand), width, highest)
    players = 0 if lesson or scored or seats == 1 else 1 if seats * PLAYER <= width else 2
    rows = _shared(height, hand, 0, players, told, scored=scored)
    story = int(not lesson and rows.board > max(seats + 1, 8))
    return _shared(height, hand, story, players, told, scored=scored)


def _shared(
    height: int, hand: int, story: int, players: int, lesson: int = 0, *, scored: bool = False, side: bool = False
) -> Rows:
    """Give the board what the other parts leave."""
    board = max(1, height - hand - story - players - lesson - 3)
    return Rows(board, story, hand, players=players, scored=scored, lesson=lesson, side=side)


def has_side(width: int, height: int) -> bool:
    """Whether a window has room for the panel."""
    return width >= WIDE and height >= USUAL[1]


def board_width(width: int, height: int = USUAL[1]) -> int:
    """Return how many columns the board has in a window."""
    return width - SIDE if has_side(width, height) else width


def draw_too_small(width: int, height: int, look: Look, lines: Sequence[str] = ()) -> Picture:
    """Say what is needed, or other `lines`."""
    canvas = Canvas(width, height, Style(look.theme.text, look.theme.felt))
    columns, rows = NEEDED
    lines = lines or (
        _("Boneyard needs {columns}×{rows}.", columns=columns, rows=rows),
        _("This window is {columns}×{rows}.", columns=width, rows=height),
        _("Enlarge it to go on; nothing is lost."),
    )
    for row, line in enumerate(lines, max(0, (height - len(lines)) // 2)):
        text = plain(fit(line, width), look.ascii)
        canvas.put(max(0, (width - len(text)) // 2), row, text, Style(look.theme.accent, look.theme.felt))
    return Picture(canvas.rows())
