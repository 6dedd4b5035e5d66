"""Draws what is shown in a window that is too small for the table."""

from collections.abc import Sequence

from tui.board.canvas import Canvas, Picture, Style
from tui.draw.look import Look
from tui.draw.panels import fit, plain
from tui.draw.rows import NEEDED
from tui.i18n import _


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
