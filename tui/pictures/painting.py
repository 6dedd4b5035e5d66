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
_SCALE = 3
"""Factor by which everything is drawn larger, then scaled down: that smooths the edges."""
_PALETTE_SIZE = 48
"""Maximum number of colours of an image."""
_MIN_HALF_FOR_MANY_PIPS = 44
"""Pixels of a half from which more than nine pips can be counted; below, figures are used."""
_SHADOW_COLOUR = (0, 0, 0, 110)
_SHADOW_REACH = 0.045
"""Reach of a tile's shadow below it, as a part of its shorter side."""
_MIN_CELL_HEIGHT_FOR_PIPS = 28
"""Pixels of a cell's height from which pips can be counted on a half that is one cell high; below, figures are used.
"""
_Point = tuple[float, float]


@lru_cache(maxsize=CACHED)
def paint_tile(tile_image: TileImage, theme: Theme, cell: tuple[int, int]) -> bytes:
    """Return the image of a tile in the colours of a theme, for a terminal with cells of `cell` pixels."""
    width, height = (
        count * pixels * _SCALE for count, pixels in zip((tile_image.columns, tile_image.rows), cell, strict=True)
    )
    image = Image.new("RGBA", (width, height))
    _Painter(
        ImageDraw.Draw(image),
        tile_image,
        theme,
        (width, height),
        uses_figures=_has_low_halves(tile_image) and cell[1] < _MIN_CELL_HEIGHT_FOR_PIPS,
    ).paint_tile()
    scaled_down = image.resize((width // _SCALE, height // _SCALE), Image.Resampling.BOX)
    file = BytesIO()
    scaled_down.quantize(_PALETTE_SIZE, method=Image.Quantize.FASTOCTREE).save(file, "PNG")
    return file.getvalue()


def _has_low_halves(tile_image: TileImage) -> bool:
    """Return True if a tile is in one of the two small faces: its halves are one row high."""
    return tile_image.rows == (3 if tile_image.pose == "standing" else 1)


class _Painter:
    def __init__(
        self,
        draw: ImageDraw.ImageDraw,
        tile_image: TileImage,
        theme: Theme,
        size: tuple[int, int],
        *,
        uses_figures: bool,
    ) -> None:
        """With `uses_figures`, every number is written as a figure; without, as pips where there is room."""
        is_chinese = tile_image.first > HIGHEST
        if is_chinese:
            tile_image, theme = (
                tile_image._replace(first=tile_image.first - HIGHEST, second=tile_image.second - HIGHEST),
                theme.of_chinese_tiles,
            )
        self._draw = draw
        self._tile_image = tile_image
        self._is_chinese = is_chinese
        self._uses_figures = uses_figures
        self._is_ghost = tile_image.tone == "back"
        self._body_colour = getattr(theme, tile_image.tone)
        self._rim_colour = theme.accent if self._is_ghost else theme.rim or darker(darker(self._body_colour))
        self._groove_colour = theme.accent if self._is_ghost else theme.edge
        self._pip_colours = (theme.accent,) * len(theme.pips) if self._is_ghost else theme.pips
        gap, shadow_reach = _SCALE * 1.2, min(size) * _SHADOW_REACH
        self._shadow_box = (gap, gap / 2 + shadow_reach, size[0] - gap, size[1] - gap / 4)
        self._body_box = (gap, gap / 2, size[0] - gap, size[1] - gap / 4 - shadow_reach)

    def paint_tile(self) -> None:
        """Paint the whole tile; the groove and the numbers fill what the rim leaves of the body."""
        left, top, right, bottom = self._body_box
        thickness = min(right - left, bottom - top)
        radius, rim_width = thickness * 0.16, max(_SCALE, thickness * 0.022)
        if not self._is_ghost:
            self._draw.rounded_rectangle(self._shadow_box, radius, _SHADOW_COLOUR)
        self._draw.rounded_rectangle(self._body_box, radius, self._rim_colour)
        lower = rim_width if self._is_ghost else 2.2 * rim_width  # light falls from above
        self._draw.rounded_rectangle(
            (left + rim_width, top + rim_width, right - rim_width, bottom - lower),
            radius - rim_width,
            self._body_colour,
        )
        inner = (left + rim_width, top + rim_width, right - rim_width, bottom - lower)
        left, top, right, bottom = inner
        if self._tile_image.pose == "half":
            self._paint_half(inner, self._tile_image.second, upright=True)
        elif self._tile_image.pose == "standing":
            middle = (top + bottom) / 2
            self._paint_groove((left + radius / 2, middle), (right - radius / 2, middle), rim_width)
            self._paint_half((left, top, right, middle), self._tile_image.first, upright=True)
            self._paint_half((left, middle, right, bottom), self._tile_image.second, upright=True)
        else:
            middle = (left + right) / 2
            self._paint_groove((middle, top + radius / 2), (middle, bottom - radius / 2), rim_width)
            self._paint_half((left, top, middle, bottom), self._tile_image.first, upright=False)
            self._paint_half((middle, top, right, bottom), self._tile_image.second, upright=False)

    def _paint_groove(self, start: _Point, end: _Point, rim_width: float) -> None:
        """Paint the groove with a pin in its middle, if there is room for one; Chinese tiles have neither."""
        if self._is_chinese:
            return
        self._draw.line((start, end), self._groove_colour, round(1.5 * rim_width))
        x, y, radius = (start[0] + end[0]) / 2, (start[1] + end[1]) / 2, 2.2 * rim_width
        if rim_width > _SCALE:
            self._draw.ellipse((x - radius, y - radius, x + radius, y + radius), self._groove_colour)

    def _paint_half(self, box: tuple[float, float, float, float], number: int, *, upright: bool) -> None:
        left, top, right, bottom = box
        side = min(right - left, bottom - top)
        x, y = (left + right) / 2, (top + bottom) / 2
        ink = self._pip_colours[number % len(self._pip_colours)]
        if number < 0:
            self._paint_star((x, y), side * 0.4)
        elif self._uses_figures or (number >= len(GRIDS) and side < _MIN_HALF_FOR_MANY_PIPS * _SCALE):
            font = ImageFont.load_default(side * 0.84)
            self._draw.text((x, y), str(number), ink, font, anchor="mm", stroke_width=side * 0.02)
        elif number < len(GRIDS):
            radius = side * (0.11 if number < 6 else 0.095)
            self._paint_pips(_pip_offsets(number), (x, y), side * 0.28, side * 0.28, radius, ink, upright=upright)
        else:
            self._paint_pips(
                _pip_offsets(number), (x, y), side * 0.158, side * 0.27, side * 0.061, ink, upright=upright
            )

    def _paint_pips(
        self,
        offsets: list[_Point],
        middle: _Point,
        along: float,
        across: float,
        radius: float,
        ink: str,
        *,
        upright: bool,
    ) -> None:
        """Paint pips at `offsets` from the middle, whose steps are `along` and `across` pixels long."""
        for step_along, step_across in offsets:
            dx, dy = (
                (step_across * across, step_along * along) if upright else (step_along * along, -step_across * across)
            )
            x, y = middle[0] + dx, middle[1] + dy
            self._draw.ellipse((x - radius, y - radius, x + radius, y + radius), ink)

    def _paint_star(self, middle: _Point, radius: float) -> None:
        points = []
        for corner in range(10):
            distance = radius if corner % 2 == 0 else radius * 0.42
            angle = pi * corner / 5 - pi / 2
            points.append((middle[0] + distance * cos(angle), middle[1] + distance * sin(angle)))
        self._draw.polygon(points, self._pip_colours[-1 % len(self._pip_colours)])


def _pip_offsets(number: int) -> list[_Point]:
    """Return the positions of a number's pips: steps along the tile and across it, from the middle of the half.

    Above nine they lie in three lines along the tile; the middle line takes the remainder.
    """
    if number < len(GRIDS):
        rows = enumerate(GRIDS[number].split())
        return [(y - 1, x - 1) for y, row in rows for x, cell in enumerate(row) if cell == "o"]
    outer = (number + 1) // 3
    lines = (outer, number - 2 * outer, outer)
    return [(pip - (count - 1) / 2, line - 1) for line, count in enumerate(lines) for pip in range(count)]
