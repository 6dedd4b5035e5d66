"""Draws the hands of several players, a row of tiles for each, in the largest face that fits."""

from collections.abc import Sequence
from typing import NamedTuple

from core.tiles import STAR, Hand, pips
from themes import Theme
from tui.board.canvas import Box, Canvas, Picture, Size, Style, columns, plain
from tui.board.faces import USUAL_HIGHEST, Face, draw_tile, faces
from tui.draw.look import Look
from tui.draw.panels import USUAL, fit, narrow
from tui.i18n import several

NAME = 18
"""Columns of a name, with the blanks after it; fewer in a narrow window."""


def _name(width: int) -> int:
    """Columns of a name in a window."""
    return 12 if narrow(width) else NAME


class TileRow(NamedTuple):
    """How the tiles of a row are drawn: lying, or standing if they are higher."""

    face: Face
    size: Size

    @property
    def pitch(self) -> int:
        """Columns from one tile to the next; tiles of one row of cells touch."""
        return self.size.w + (self.size.h > 1)


def tile_row(hands: Sequence[Hand], width: int, height: int, *, ascii: bool) -> TileRow:
    """Return the largest tiles with which the longest of these hands fits into `width` by `height` cells."""
    highest = max((tile.high for hand in hands for tile in hand), default=6)
    most = max(map(len, hands), default=0)
    sizes = faces(highest, ascii=ascii)
    rows = [TileRow(face, size) for face in reversed(sizes) for size in (face.lying, face.standing)]
    fitting = (row for row in rows if most and row.size.h <= height and most * row.pitch <= width + 1)
    return next(fitting, rows[-1])


def draw_tiles(canvas: Canvas, hand: Hand, x: int, y: int, width: int, row: TileRow, theme: Theme) -> None:
    """Draw a hand; when it is too long, as many tiles as fit and how many more there are."""
    shown = hand if len(hand) * row.pitch <= width + 1 else hand[: max(0, (width - 4) // row.pitch)]
    for number, tile in enumerate(shown):
        box = Box(x + number * row.pitch, y, *row.size)
        draw_tile(canvas, box, row.face, (tile.high, tile.low), theme=theme)
    if len(shown) < len(hand):
        more = f"+{len(hand) - len(shown)}"
        canvas.put(x + len(shown) * row.pitch + 1, y, more, Style(theme.quiet, canvas.ground.bg))


def draw_down(tiles: Hand, width: int, height: int, look: Look) -> Picture:
    """Draw what a player has laid face down, to stand beside the hand in a window of `width`; nothing for nothing."""
    if not tiles:
        return Picture(())
    theme, face = look.theme, faces(USUAL_HIGHEST, ascii=look.ascii)[0]
    row = TileRow(face, face.lying)
    across = 3 if width >= USUAL[0] else 2
    wide = across * (row.size.w + 1) + 2
    canvas = Canvas(wide, height, Style(theme.text, theme.band))
    words = several("{count} pip down", "{count} pips down", pips(tiles))
    if columns(words) > wide - 2:
        words = several("{count} pip", "{count} pips", pips(tiles))
    canvas.put(1, 0, plain(fit(words, wide - 2), look.ascii), Style(theme.quiet, theme.band))
    shown = tiles[-across * (height - 1) :]
    for number, tile in enumerate(shown):
        y, x = divmod(number, across)
        draw_tiles(canvas, (tile,), 1 + x * (row.size.w + 1), 1 + y, row.size.w, row, theme)
    return Picture(canvas.rows())


def draw_row(tiles: Hand, width: int, height: int, look: Look) -> Picture:
    """Draw a row that its own player does not see, to stand beside the tile turned over; nothing for nothing.

    It has at most `width` columns. A wildstar stands for a tile that lies face down. What has no room is told by its
    number.
    """
    if not tiles:
        return Picture(())
    theme, face = look.theme, faces(USUAL_HIGHEST, ascii=look.ascii)[0]
    row = TileRow(face, face.lying)
    words = plain(several("{count} tile in your row", "{count} tiles in your row", len(tiles)), look.ascii)
    pitch = row.size.w + 1
    across = max(1, (width - 2) // pitch)
    wide = min(width, max(columns(words), min(across, len(tiles)) * pitch) + 2)
    canvas = Canvas(wide, height, Style(theme.text, theme.band))
    canvas.put(1, 0, fit(words, wide - 2), Style(theme.quiet, theme.band))
    shown = tiles if len(tiles) <= across * (height - 1) else tiles[: across * (height - 1) - 1]
    for number, tile in enumerate(shown):
        y, x = divmod(number, across)
        if tile == STAR:
            back = "#" * row.size.w if look.ascii else f"▐{'█' * (row.size.w - 2)}▌"
            canvas.put(1 + x * pitch, 1 + y, back, Style(theme.back, theme.band))
        else:
            draw_tiles(canvas, (tile,), 1 + x * pitch, 1 + y, row.size.w, row, theme)
    if len(shown) < len(tiles):
        y, x = divmod(len(shown), across)
        canvas.put(1 + x * pitch, 1 + y, f"+{len(tiles) - len(shown)}", Style(theme.quiet, theme.band))
    return Picture(canvas.rows())


def rows_for_hands(hands: Sequence[Hand], width: int, most: int) -> int:
    """Return how many rows everybody's hand needs in a band of `width`: at least one each, and at most `most`.

    Where the longest hand has no room in a row of the smallest tiles, all have as many rows as it needs.
    """
    row = tile_row(hands, 0, 1, ascii=False)
    longest = max(map(len, hands), default=0)
    lines = -(-longest // max(1, (width - _name(width) - 4) // row.pitch))
    return len(hands) * max(1, min(lines, most // max(1, len(hands))))


def draw_all_hands(
    hands: Sequence[Hand], names: Sequence[str], turn: int, width: int, height: int, look: Look
) -> Picture:
    """Draw everybody's hand in a band of `width` by `height` cells, at least a row for each; `turn` is to play."""
    theme, name_wide = look.theme, _name(width)
    room = width - name_wide - 4
    canvas = Canvas(width, height, Style(theme.text, theme.band))
    pitch = height // max(1, len(hands))
    row = tile_row(hands, room, max(1, pitch - 1), ascii=look.ascii)
    lines = 1 if row.size.h > 1 else rows_for_hands(hands, width, height) // max(1, len(hands))
    high = max(row.size.h, lines)
    pitch = min(high + 1, pitch)
    top = (height - len(hands) * pitch + pitch - high) // 2
    for seat, (name, hand) in enumerate(zip(names, hands, strict=True)):
        y, here = top + seat * pitch, seat == turn
        middle = y + (high - 1) // 2
        style = Style(theme.accent if here else theme.text, theme.band, here)
        if here:
            canvas.put(1, middle, ">" if look.ascii else "▶", style)
        canvas.put(3, middle, plain(fit(name, name_wide - 2), look.ascii), style)
        many = room // row.pitch
        for line in range(lines):
            part = hand[line * many : (line + 1) * many] if line < lines - 1 else hand[line * many :]
            draw_tiles(canvas, part, name_wide + 2, y + line, room, row, theme)
    return Picture(canvas.rows())
