"""Shows images on a sixel terminal: converts output with kitty's placeholders into sixel images.

The pixels of a sixel image belong to no cell: text written over them wipes them. So the output is parsed on its way
to the terminal, marked cells become spaces, and after them every image is sent of which a cell was written.
"""

import re
from collections.abc import Iterable
from functools import lru_cache
from io import BytesIO
from itertools import groupby
from typing import TYPE_CHECKING, NamedTuple

from themes import Theme
from tui.board.canvas import PART, Run, cells
from tui.board.faces import image_cell_of, tile_image_of

if TYPE_CHECKING:
    from PIL import Image

_TOKEN = re.compile(
    r"\x1b\[(?P<codes>[\d;]*)m"
    r"|\x1b\[(?P<row>\d*)(?:;(?P<column>\d*))?H"
    r"|\x1b\[(?P<right>\d+)C"
    r"|(?P<wiped>\x1b\[2?J)"
    r"|(?P<other>\x1b(?:\[[\d;?<>=!$ ]*[@-~]|[PX^_\]][^\x1b\x07]*(?:\x1b\\|\x07)?|[^\[PX^_\]]))"
    r"|(?P<move>[\r\n])"
    r"|(?P<text>[^\x1b\r\n]+)"
)
_FOREGROUND = re.compile(r"(?:^|;)38;2;(\d+);(\d+);(\d+)")
_FRAME_ENDS = "\x1b[?2026l"
_PALETTE_SIZE = 24
_BAND_HEIGHT = 6
"""Rows of pixels that one character encodes."""
_NO_PIXEL = 63
"""Code of the character for a column without pixels; bit `n` above it is row `n` of the band."""
_MAX_UNCOUNTED = 3
"""Longest run of equal characters that is written out: a count would be no shorter."""
_MIN_OPACITY = 64
"""Minimum opacity of a pixel that is painted, of 255."""
_CACHED = 1024
"""Images cached for all sessions together, of 1 to 3 KiB each."""


class _CellImage(NamedTuple):
    """The content of a cell: the number of an image as a colour, and the position in it."""

    ink: str
    row: int
    column: int


class Sixels:
    """The images on one terminal, and the output for them."""

    def __init__(self, cell: tuple[int, int]) -> None:
        """`cell` is the width and height of a cell in pixels."""
        self._cell = cell
        self._theme: Theme | None = None
        self._cursor_x = self._cursor_y = 0
        self._ink = ""
        self._shown_cells: dict[tuple[int, int], _CellImage] = {}
        """By column and row of the terminal, the cells that show a part of an image."""

    def new_image_sequences(self, rows: Iterable[tuple[Run, ...]], theme: Theme) -> list[str]:  # noqa: ARG002
        """Return nothing: images follow the text. Later images use the colours of this theme."""
        self._theme = theme
        return []

    def forget(self) -> None:
        """Forget what the terminal shows: some output may not have reached it."""
        self._shown_cells.clear()

    def farewell(self) -> str:
        """Return nothing: text wipes images."""
        return ""

    def convert_output(self, written: str) -> str:
        """Return the output that replaces `written`."""
        body = written.removesuffix(_FRAME_ENDS)
        touched_images: set[tuple[str, int, int]] = set()
        text = "".join([self._convert_token(token, touched_images) for token in _TOKEN.finditer(body)])
        images = "".join(self._image_sequence(ink, x, y) for ink, x, y in sorted(touched_images))
        image_sequence = f"\x1b7{images}\x1b8" if images else ""  # later output relies on the cursor's position
        return text + image_sequence + written[len(body) :]

    def _convert_token(self, token: re.Match[str], touched_images: set[tuple[str, int, int]]) -> str:
        """Follow the cursor and the colour; return the output for the token, without its marked cells."""
        match token.lastgroup:
            case "codes":
                self._ink = _ink_after(self._ink, token["codes"])
            case "row" | "column":
                self._cursor_y, self._cursor_x = int(token["row"] or 1) - 1, int(token["column"] or 1) - 1
            case "right":
                self._cursor_x += int(token["right"])
            case "wiped":
                self._shown_cells.clear()
            case "move" if token[0] == "\r":
                self._cursor_x = 0
            case "move":
                self._cursor_y += 1
            case "text":
                return self._convert_text(token["text"], touched_images)
        return token[0]

    def _convert_text(self, text: str, touched_images: set[tuple[str, int, int]]) -> str:
        """Return the text with a space for each marked cell; add the images of these cells to `touched_images`."""
        if PART not in text:
            for _letter in cells(text):
                self._shown_cells.pop((self._cursor_x, self._cursor_y), None)
                self._cursor_x += 1
            return text
        head, *marked_parts = text.split(PART)
        output = [self._convert_text(head, touched_images)]
        for part in marked_parts:
            row, column = image_cell_of(part)
            self._shown_cells[self._cursor_x, self._cursor_y] = _CellImage(self._ink, row, column)
            if self._ink:
                touched_images.add((self._ink, self._cursor_x - column, self._cursor_y - row))
            self._cursor_x += 1
            output += [" ", self._convert_text(part[2:], touched_images)]
        return "".join(output)

    def _image_sequence(self, ink: str, x: int, y: int) -> str:
        """Return the sequence for the visible part of an image whose first cell is at column `x` and row `y`."""
        tile_image = tile_image_of(ink)
        visible_cells = [
            (column, row)
            for row in range(tile_image.rows)
            for column in range(tile_image.columns)
            if self._shown_cells.get((x + column, y + row)) == (ink, row, column)
        ]
        if not visible_cells or self._theme is None:
            return ""
        left, top = min(column for column, _row in visible_cells), min(row for _column, row in visible_cells)
        right, bottom = (
            max(column for column, _row in visible_cells) + 1,
            max(row for _column, row in visible_cells) + 1,
        )
        image = _tile_sequence(ink, self._theme, self._cell, (left, top, right, bottom))
        return f"\x1b[{y + top + 1};{x + left + 1}H{image}"


def _ink_after(ink: str, codes: str) -> str:
    """Return the colour of text after this sequence."""
    if colour := _FOREGROUND.search(codes):
        return "#{:02x}{:02x}{:02x}".format(*map(int, colour.groups()))
    return "" if codes.split(";", maxsplit=1)[0] in ("", "0") else ink


@lru_cache(maxsize=_CACHED)
def _tile_sequence(ink: str, theme: Theme, cell: tuple[int, int], part: tuple[int, int, int, int]) -> str:
    """Return the image of a tile, cut to the cells of `part`: left, top, right, bottom."""
    from PIL import Image  # noqa: PLC0415 - sessions without images do not load Pillow

    from tui.pictures.painting import paint_tile  # noqa: PLC0415

    (left, top, right, bottom), (width, height) = part, cell
    box = (left * width, top * height, right * width, bottom * height)
    with Image.open(BytesIO(paint_tile(tile_image_of(ink), theme, cell))) as image:
        return encode_sixels(image.convert("RGBA").crop(box), theme.felt)


def encode_sixels(image: "Image.Image", background: str) -> str:
    """Return an RGBA image as a sixel sequence; half-transparent pixels are mixed with the background, and
    transparent ones left out.

    Bands of six rows: for each colour of a band, a character for each column encodes the rows that have it.
    """
    from PIL import Image  # noqa: PLC0415

    opaque_image = (
        Image.alpha_composite(Image.new("RGBA", image.size, background), image).convert("RGB").quantize(_PALETTE_SIZE)
    )
    (width, height), palette = image.size, opaque_image.getpalette() or []
    colour_numbers, alphas = opaque_image.tobytes(), image.getchannel("A").tobytes()
    sequence = [f'\x1bP0;1q"1;1;{width};{height}']
    for number in sorted(set(colour_numbers)):
        red, green, blue = (round(value * 100 / 255) for value in palette[3 * number : 3 * number + 3])
        sequence.append(f"#{number};2;{red};{green};{blue}")
    for top in range(0, height, _BAND_HEIGHT):
        pixels_by_colour: dict[int, list[int]] = {}
        for bit, start in enumerate(range(top * width, min(top + _BAND_HEIGHT, height) * width, width)):
            for x in range(width):
                if alphas[start + x] >= _MIN_OPACITY:
                    pixels_by_colour.setdefault(colour_numbers[start + x], [0] * width)[x] |= 1 << bit
        sequence += [
            "$".join(
                f"#{number}{_encode_row(bits_by_column)}"
                for number, bits_by_column in sorted(pixels_by_colour.items())
            ),
            "-",
        ]
    return "".join([*sequence, "\x1b\\"])


def _encode_row(bits_by_column: list[int]) -> str:
    """Return one colour of a band, run-length encoded; `bits_by_column` are its pixels in each column."""
    runs = ((chr(_NO_PIXEL + bits), sum(1 for _same in same)) for bits, same in groupby(bits_by_column))
    return "".join(f"!{count}{letter}" if count > _MAX_UNCOUNTED else letter * count for letter, count in runs)
