"""Paints the image of one tile, as a PNG: a rounded body, a groove, and round pips. Only this module needs Pillow."""

from functools import lru_cache
from io import BytesIO
from math import cos, pi, sin

from PIL import Image, ImageDraw, ImageFont

from themes import HIGHEST, Theme
from themes.numbers import darker
from tui.board.faces import GRIDS, TileImage

CACHED = 2048
"""Images cached for all sessions together, of about 1 KiB each."""
_FINER = 3
"""Factor by which everything is drawn larger, then scaled down: that smooths the edges."""
_COLOURS = 48
_ROOMY = 44
"""Pixels of a half from which more than nine pips can be counted; below, figures are used."""
_SHADOW = (0, 0, 0, 110)
_SHADE = 0.045
"""Reach of a tile's shadow below it, as a part of its shorter side."""
_TALL = 28
"""Pixels of a cell's height from which pips can be counted on a half that is one cell high; below, figures are used.
"""
_Point = tuple[float, float]


@lru_cache(maxsize=CACHED)
def paint_tile(tile_image: TileImage, theme: Theme, cell: tuple[int, int]) -> bytes:
    """Return the image of a tile in the colours of a theme, for a terminal with cells of `cell` pixels."""
    width, height = (
        count * pixels * _FINER for count, pixels in zip((tile_image.columns, tile_image.rows), cell, strict=True)
    )
    image = Image.new("RGBA", (width, height))
    _Painter(
        ImageDraw.Draw(image), tile_image, theme, (width, height), figures=_is_small(tile_image) and cell[1] < _TALL
    ).tile()
    small = image.resize((width // _FINER, height // _FINER), Image.Resampling.BOX)
    file = BytesIO()
    small.quantize(_COLOURS, method=Image.Quantize.FASTOCTREE).save(file, "PNG")
    return file.getvalue()


def _is_small(tile_image: TileImage) -> bool:
    """Return True if a tile is in one of the two small faces: its halves are one row high."""
    return tile_image.rows == (3 if tile_image.pose == "standing" else 1)


class _Painter:
    def __init__(
        self, draw: ImageDraw.ImageDraw, tile_image: TileImage, theme: Theme, size: tuple[int, int], *, figures: bool
    ) -> None:
        """With `figures`, every number is written as a figure; without, as pips where there is room."""
        chinese = tile_image.first > HIGHEST
        if chinese:
            tile_image, theme = (
                tile_image._replace(first=tile_image.first - HIGHEST, second=tile_image.second - HIGHEST),
                theme.of_chinese_tiles,
            )
        self._draw = draw
        self._piece = tile_image
        self._is_whole = chinese
        self._figures = figures
        self._ghost = tile_image.tone == "back"
        self._body = getattr(theme, tile_image.tone)
        self._rim = theme.accent if self._ghost else theme.rim or darker(darker(self._body))
        self._groove = theme.accent if self._ghost else theme.edge
        self._pips = (theme.accent,) * len(theme.pips) if self._ghost else theme.pips
        gap, shade = _FINER * 1.2, min(size) * _SHADE
        self._shade = (gap, gap / 2 + shade, size[0] - gap, size[1] - gap / 4)
        self._box = (gap, gap / 2, size[0] - gap, size[1] - gap / 4 - shade)

    def tile(self) -> None:
        """Paint the whole tile."""
        left, top, right, bottom = self._box
        thick = min(right - left, bottom - top)
        radius, rim = thick * 0.16, max(_FINER, thick * 0.022)
        if not self._ghost:
            self._draw.rounded_rectangle(self._shade, radius, _SHADOW)
        self._draw.rounded_rectangle(self._box, radius, self._rim)
        lower = rim if self._ghost else 2.2 * rim  # light falls from above
        self._draw.rounded_rectangle((left + rim, top + rim, right - rim, bottom - lower), radius - rim, self._body)
        inner = (left + rim, top + rim, right - rim, bottom - lower)
        left, top, right, bottom = inner
        if self._piece.pose == "half":
            self._paint_half(inner, self._piece.second, upright=True)
        elif self._piece.pose == "standing":
            middle = (top + bottom) / 2
            self._paint_groove((left + radius / 2, middle), (right - radius / 2, middle), rim)
            self._paint_half((left, top, right, middle), self._piece.first, upright=True)
            self._paint_half((left, middle, right, bottom), self._piece.second, upright=True)
        else:
            middle = (left + right) / 2
            self._paint_groove((middle, top + radius / 2), (middle, bottom - radius / 2), rim)
            self._paint_half((left, top, middle, bottom), self._piece.first, upright=False)
            self._paint_half((middle, top, right, bottom), self._piece.second, upright=False)

    def _paint_groove(self, start: _Point, end: _Point, rim: float) -> None:
        """Paint the groove; Chinese tiles have none."""
        if self._is_whole:
            return
        self._draw.line((start, end), self._groove, round(1.5 * rim))
        x, y, r = (start[0] + end[0]) / 2, (start[1] + end[1]) / 2, 2.2 * rim
        if rim > _FINER:
            self._draw.ellipse((x - r, y - r, x + r, y + r), self._groove)

    def _paint_half(self, box: tuple[float, float, float, float], number: int, *, upright: bool) -> None:
        left, top, right, bottom = box
        side = min(right - left, bottom - top)
        x, y = (left + right) / 2, (top + bottom) / 2
        ink = self._pips[number % len(self._pips)]
        if number < 0:
            self._paint_star((x, y), side * 0.4)
        elif self._figures or (number >= len(GRIDS) and side < _ROOMY * _FINER):
            font = ImageFont.load_default(side * 0.84)
            self._draw.text((x, y), str(number), ink, font, anchor="mm", stroke_width=side * 0.02)
        elif number < len(GRIDS):
            radius = side * (0.11 if number < 6 else 0.095)
            self._paint_pips(_pip_places(number), (x, y), side * 0.28, side * 0.28, radius, ink, upright=upright)
        else:
            self._paint_pips(
                _pip_places(number), (x, y), side * 0.158, side * 0.27, side * 0.061, ink, upright=upright
            )

    def _paint_pips(
        self,
        places: list[_Point],
        middle: _Point,
        along: float,
        across: float,
        radius: float,
        ink: str,
        *,
        upright: bool,
    ) -> None:
        """Paint pips at places that are given from the middle, along the tile and across it."""
        for u, v in places:
            dx, dy = (v * across, u * along) if upright else (u * along, -v * across)
            x, y = middle[0] + dx, middle[1] + dy
            self._draw.ellipse((x - radius, y - radius, x + radius, y + radius), ink)

    def _paint_star(self, middle: _Point, radius: float) -> None:
        points = []
        for corner in range(10):
            far = radius if corner % 2 == 0 else radius * 0.42
            angle = pi * corner / 5 - pi / 2
            points.append((middle[0] + far * cos(angle), middle[1] + far * sin(angle)))
        self._draw.polygon(points, self._pips[-1 % len(self._pips)])


def _pip_places(number: int) -> list[_Point]:
    """Return the places of a number's pips: along the tile and across it, from the middle of the half.

    Above nine they lie in three lines along the tile; the middle line takes the remainder.
    """
    if number < len(GRIDS):
        rows = enumerate(GRIDS[number].split())
        return [(y - 1, x - 1) for y, row in rows for x, cell in enumerate(row) if cell == "o"]
    outer = (number + 1) // 3
    lines = (outer, number - 2 * outer, outer)
    return [(place - (count - 1) / 2, line - 1) for line, count in enumerate(lines) for place in range(count)]
