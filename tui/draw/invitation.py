"""Lines of an invitation, with the QR code of its link beside or below them."""

from collections.abc import Sequence
from functools import lru_cache

from tui.board.canvas import Canvas, Picture, Style, columns, fit, plain
from tui.draw.panels import wrap
from tui.model.look import Look, is_narrow

QUIET_ZONE = 2
"""Quiet zone around a QR code in modules: two instead of the standard's four, which phones do not need on a
screen.
"""
DARK, LIGHT = "#000000", "#ffffff"
"""Colours of the QR code: black on white in every theme, or phones cannot read it."""
MIN_TEXT_WIDTH = 38
"""Columns that the lines need beside a code."""
_GAP = 4
"""Columns between the lines and the code."""
Line = tuple[str, Style]


@lru_cache(maxsize=64)
def qr_code_rows(text: str, *, dark: bool = False) -> tuple[str, ...]:
    """Return a QR code in rows of half blocks: each cell shows two modules, and ink is black.

    On a `dark` background, ink and blank are swapped.
    """
    from qrcode.constants import ERROR_CORRECT_L  # noqa: PLC0415 - rarely needed
    from qrcode.main import QRCode  # noqa: PLC0415

    code = QRCode(error_correction=ERROR_CORRECT_L, border=QUIET_ZONE)
    code.add_data(text)
    code.make()
    modules = [[bool(module) != dark for module in row] for row in code.get_matrix()]
    modules += [[dark] * len(modules[0])] * (len(modules) % 2)
    return tuple(_half_block_row(upper, lower) for upper, lower in zip(modules[::2], modules[1::2], strict=True))


def _half_block_row(upper: Sequence[bool], lower: Sequence[bool]) -> str:
    return "".join(" ▀▄█"[is_upper + 2 * is_lower] for is_upper, is_lower in zip(upper, lower, strict=True))


def fitting_qr_code(link: str, lines: int, width: int, height: int, look: Look) -> tuple[str, ...]:
    """Return the rows of the QR code of a link; empty if the code has no room beside or below a number of `lines`."""
    code = () if look.ascii or not link else qr_code_rows(link)
    has_room = code and (_is_beside(code, width, height) or (lines + len(code) < height and len(code[0]) <= width))
    return code if has_room else ()


def _is_beside(code: Sequence[str], width: int, height: int) -> bool:
    return len(code) <= height and MIN_TEXT_WIDTH + _GAP + len(code[0]) + 4 <= width


def draw_invitation(lines: Sequence[Line], code: Sequence[str], width: int, height: int, look: Look) -> Picture:
    """Draw lines in the middle, with a `code` from `fitting_qr_code` to their right, or below them."""
    canvas = Canvas(width, height, Style(look.theme.text, look.theme.felt))
    is_beside = bool(code) and _is_beside(code, width, height)
    max_width = width - 4 - (len(code[0]) + _GAP if is_beside else 0)
    if is_beside or is_narrow(width):
        lines = [
            (part, style)
            for line, style in lines
            for part in ([line] if columns(line) <= max_width else wrap(line.rstrip(), max_width))
        ]
    code_below = code if code and not is_beside else ()
    lines = lines[: height - len(code_below) - bool(code_below)]
    text_width = max((columns(line) for line, _style in lines), default=0) if is_beside else max_width
    left = (width - text_width - (len(code[0]) + _GAP if is_beside else 0)) // 2
    top = (height - len(lines) - len(code_below) - bool(code_below)) // 2
    for row, (line, style) in enumerate(lines):
        text = plain(fit(line, max_width), look.ascii)
        canvas.put(left + (text_width - columns(text)) // 2, top + row, text, style)
    x, y = (left + text_width + _GAP, (height - len(code)) // 2) if is_beside else (0, top + len(lines) + 1)
    for row, text in enumerate(code, y):
        canvas.put(x or (width - len(text)) // 2, row, text, Style(DARK, LIGHT))
    return Picture(canvas.rows())
