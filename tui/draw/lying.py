"""Draws the hands of several players, a row of lying tiles for each, in the largest face that fits."""

from collections.abc import Sequence

from core.tiles import Hand
from themes import Theme
from tui.board.canvas import Canvas, Picture, Style
from tui.board.faces import Face, draw_tile, faces
from tui.board.places import Box
from tui.draw.look import Look
from tui.draw.panels import fit, plain

NAME = 18
"""Columns of a name, with the blanks after it."""


def lying_face(hands: Sequence[Hand], width: int, rows: int, *, ascii: bool) -> Face:
    """Return the largest face in which the longest of these hands lies in a room of `width` by `rows` cells."""
    highest = max((tile.high for hand in hands for tile in hand), default=6)
    most = max(map(len, hands), default=0)
    sizes = faces(highest, ascii=ascii)
    return next(
        (face for face in reversed(sizes) if face.lying.h <= rows and most * _pitch(face) <= width + 1), sizes[0]
    )


def _pitch(face: Face) -> int:
    """Columns from one tile to the next; the smallest touch."""
    return face.lying.w + (face.lying.h > 1)


def draw_lying(canvas: Canvas, hand: Hand, x: int, y: int, width: int, face: Face, theme: Theme) -> None:
    """Draw a hand; when it is too long, as many tiles as fit and how many more there are."""
    pitch = _pitch(face)
    shown = hand if len(hand) * pitch <= width + 1 else hand[: max(0, (width - 4) // pitch)]
    for number, tile in enumerate(shown):
        box = Box(x + number * pitch, y, *face.lying)
        draw_tile(canvas, box, face, (tile.high, tile.low), theme=theme, ivory=theme.ivory)
    if len(shown) < len(hand):
        style = Style(theme.quiet, canvas.ground.bg)
        canvas.put(x + len(shown) * pitch + 1, y, f"+{len(hand) - len(shown)}", style)


def draw_all_hands(
    hands: Sequence[Hand], names: Sequence[str], turn: int, width: int, height: int, look: Look
) -> Picture:
    """Draw everybody's hand in a band of `width` by `height` cells, at least a row for each; `turn` is to play."""
    theme = look.theme
    canvas = Canvas(width, height, Style(theme.text, theme.band))
    face = lying_face(hands, width - NAME - 4, height // max(1, len(hands)), ascii=look.ascii)
    pitch = min(face.lying.h + 1, height // max(1, len(hands)))
    top = (height - len(hands) * pitch) // 2
    for seat, (name, hand) in enumerate(zip(names, hands, strict=True)):
        y, here = top + seat * pitch, seat == turn
        style = Style(theme.accent if here else theme.text, theme.band, here)
        if here:
            canvas.put(1, y, ">" if look.ascii else "▶", style)
        canvas.put(3, y, plain(fit(name, NAME - 2), look.ascii), style)
        draw_lying(canvas, hand, NAME + 2, y, width - NAME - 4, face, theme)
    return Picture(canvas.rows())
