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
_FG = re.compile(r"(?:^|;)38;2;(\d+);(\d+);(\d+)")
_FRAME_ENDS = "\x1b[?2026l"
_COLOURS = 24
_BAND = 6
"""Rows of pixels that one character encodes."""
_FIRST = 63
"""The character for no pixel."""
_WORTH = 3
"""Number of equal characters up to which a count takes no less room."""
_SOLID = 64
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
        self._x = self._y = 0
        self._ink = ""
        self._screen: dict[tuple[int, int], _CellImage] = {}
        """By column and row, the cells that show a part of an image."""

    def new_image_sequences(self, rows: Iterable[tuple[Run, ...]], theme: Theme) -> list[str]:  # noqa: ARG002
        """Return nothing: images follow the text. Later images use the colours of this theme."""
        self._theme = theme
        return []

    def forget(self) -> None:
        """Forget what the terminal shows: some output may not have reached it."""
        self._screen.clear()

    def farewell(self) -> str:
        """Return nothing: text wipes images."""
        return ""

    def convert_output(self, written: str) -> str:
        """Return the output that replaces `written`."""
        body = written.removesuffix(_FRAME_ENDS)
        touched: set[tuple[str, int, int]] = set()
        text = "".join([self._convert_token(token, touched) for token in _TOKEN.finditer(body)])
        images = "".join(self._image(ink, x, y) for ink, x, y in sorted(touched))
        image_sequence = f"\x1b7{images}\x1b8" if images else ""  # later output relies on the cursor's position
        return text + image_sequence + written[len(body) :]

    def _convert_token(self, token: re.Match[str], touched: set[tuple[str, int, int]]) -> str:
        match token.lastgroup:
            case "codes":
                self._ink = _ink_after(self._ink, token["codes"])
            case "row" | "column":
                self._y, self._x = int(token["row"] or 1) - 1, int(token["column"] or 1) - 1
            case "right":
                self._x += int(token["right"])
            case "wiped":
                self._screen.clear()
            case "move" if token[0] == "\r":
                self._x = 0
            case "move":
                self._y += 1
            case "text":
                return self._write(token["text"], touched)
        return token[0]

    def _write(self, text: str, touched: set[tuple[str, int, int]]) -> str:
        if PART not in text:
            for _letter in cells(text):
                self._screen.pop((self._x, self._y), None)
                self._x += 1
            return text
        head, *parts = text.split(PART)
        written = [self._write(head, touched)]
        for part in parts:
            row, column = image_cell_of(part)
            self._screen[self._x, self._y] = _CellImage(self._ink, row, column)
            if self._ink:
                touched.add((self._ink, self._x - column, self._y - row))
            self._x += 1
            written += [" ", self._write(part[2:], touched)]
        return "".join(written)

    def _image(self, ink: str, x: int, y: int) -> str:
        """Return the sequence for an image whose first cell is there, or for the part of it that is in view."""
        tile_image = tile_image_of(ink)
        visible_cells = [
            (column, row)
            for row in range(tile_image.rows)
            for column in range(tile_image.columns)
            if self._screen.get((x + column, y + row)) == (ink, row, column)
        ]
        if not visible_cells or self._theme is None:
            return ""
        left, top = min(column for column, _row in visible_cells), min(row for _column, row in visible_cells)
        right, bottom = (
            max(column for column, _row in visible_cells) + 1,
            max(row for _column, row in visible_cells) + 1,
        )
        image = _sixel(ink, self._theme, self._cell, (left, top, right, bottom))
        return f"\x1b[{y + top + 1};{x + left + 1}H{image}"


def _ink_after(ink: str, codes: str) -> str:
    """Return the colour of text after this sequence."""
    if colour := _FG.search(codes):
        return "#{:02x}{:02x}{:02x}".format(*map(int, colour.groups()))
    return "" if codes.split(";", maxsplit=1)[0] in ("", "0") else ink


@lru_cache(maxsize=_CACHED)
def _sixel(ink: str, theme: Theme, cell: tuple[int, int], part: tuple[int, int, int, int]) -> str:
    """Return the image of a tile, or of its cells that are in view."""
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

    flat = Image.alpha_composite(Image.new("RGBA", image.size, background), image).convert("RGB").quantize(_COLOURS)
    (width, height), palette = image.size, flat.getpalette() or []
    numbers, alphas = flat.tobytes(), image.getchannel("A").tobytes()
    parts = [f'\x1bP0;1q"1;1;{width};{height}']
    for number in sorted(set(numbers)):
        red, green, blue = (round(value * 100 / 255) for value in palette[3 * number : 3 * number + 3])
        parts.append(f"#{number};2;{red};{green};{blue}")
    for top in range(0, height, _BAND):
        bands: dict[int, list[int]] = {}
        for bit, start in enumerate(range(top * width, min(top + _BAND, height) * width, width)):
            for x in range(width):
                if alphas[start + x] >= _SOLID:
                    bands.setdefault(numbers[start + x], [0] * width)[x] |= 1 << bit
        parts += ["$".join(f"#{number}{_line(band)}" for number, band in sorted(bands.items())), "-"]
    return "".join([*parts, "\x1b\\"])


def _line(band: list[int]) -> str:
    """Return one colour of a band, run-length encoded."""
    runs = ((chr(_FIRST + bits), sum(1 for _same in same)) for bits, same in groupby(band))
    return "".join(f"!{count}{letter}" if count > _WORTH else letter * count for letter, count in runs)
