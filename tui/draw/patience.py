"""Draws a game for one player: its tiles in columns, a row, a grid or a line, and the list of moves."""

from typing import NamedTuple, cast

from core.actions import RoundOver
from core.match import MatchView
from core.patience.rules import GRID_COLUMNS
from core.patience.state import PatienceView, orient_tiles
from core.tiles import Tile
from tui.board.canvas import Box, Canvas, ClickTarget, Picture, Style, columns
from tui.board.faces import Face, Tone, draw_tile, faces, faces_up_to
from tui.draw.results import write_headline
from tui.draw.tricks import Painter, draw_choices
from tui.i18n import _
from tui.model.choice import END_KEYS
from tui.model.look import Look
from tui.model.non_layout_choices import ON_TABLE, PatienceChoice
from tui.model.presenter import Moment
from tui.text.non_layout import game_end_sentence, item_label

GAP = 2
"""Columns between columns and the tiles aside, and around the list."""
MIN_WIDTH_FOR_LIST = 50
"""Columns below which the moves are not listed: such a picture is only an example."""
LABEL_MARGIN = 4
"""Columns of an item's key and of the marks around it."""
MIN_LIST_WIDTH = 13
"""Minimum width of the list, or tiles would shift with every move: most moves name two tiles."""


class Spot(NamedTuple):
    """Position of a tile, in tiles from the left and the top; `is_aside` if it is below the columns."""

    tile: Tile
    halves: tuple[int, int]
    x: int
    y: int
    is_aside: bool = False
    is_free: bool = True


def draw_patience(moment: Moment, width: int, height: int, look: Look) -> Picture:
    """Draw the table into `width` by `height` cells, at least 50 by 8."""
    view, choice = cast("PatienceView", moment.view), cast("PatienceChoice | None", moment.choice)
    theme = look.theme
    painter = Painter(Canvas(width, height, Style(theme.text, theme.felt)), theme, look.ascii, look.touched)
    all_faces = faces_up_to(look.largest, view.highest, ascii=look.ascii)
    items = choice.items if choice and view.turn == view.seat and width >= MIN_WIDTH_FOR_LIST else ()
    labels = [item_label(item) for item in items]
    list_width = max(MIN_LIST_WIDTH, *(columns(label) + LABEL_MARGIN for label in labels)) if labels else 0
    max_width = width - (list_width + 2 * GAP if labels else 0)
    hits = _draw_table(painter, view, choice, Box(GAP // 2, 0, max_width - GAP, height), all_faces)
    if choice and labels:
        hits += draw_choices(
            painter, labels, choice.item, END_KEYS, Box(width - list_width - GAP, 0, list_width, height)
        )
    return Picture(painter.canvas.rows(), hits)


def _draw_table(
    painter: Painter, view: PatienceView, choice: PatienceChoice | None, box: Box, all_faces: tuple[Face, ...]
) -> tuple[ClickTarget, ...]:
    """Draw the tiles; return the click targets."""
    face, tiles_in_row = _fitting_face(view, box, all_faces)
    spots = _spots(view, tiles_in_row)
    w, h = face.lying
    row_count = max((spot.y for spot in spots), default=0) + 1
    column_count = _column_count(view, spots)
    gap = _gap(face)
    if view.spread in ("columns", "grid"):  # the spacing does not depend on the number of tiles left
        gap = max(gap, min((box.w - column_count * w) // column_count, w // 2))
    total_width, aside_gap = column_count * (w + gap) - gap, bool(view.aside)
    left, top = box.x + max(0, box.w - total_width) // 2, box.y + max(0, box.h - row_count * h - aside_gap) // 2
    glowing_tiles = choice.glowing_tiles if choice else ()
    hits = []
    for number, spot in enumerate(spots):
        place = Box(left + spot.x * (w + gap), top + spot.y * h + spot.is_aside, w, h)
        tone: Tone = "glow" if spot.tile in glowing_tiles else "ivory" if spot.is_free else "ivory_shade"
        draw_tile(
            painter.canvas, place, face, spot.halves, theme=painter.theme, tone=tone, seam=spot.y + 1 < row_count
        )
        if spot.tile in glowing_tiles:  # not by colour alone
            painter.write(place.x - 1, place.y + h // 2, ">" if painter.ascii else "▶", 1, accent=True)
        hits.append(ClickTarget(*place, number, ON_TABLE))
    return tuple(hits)


def _gap(face: Face) -> int:
    """Return the columns between two tiles."""
    return 1 + (face.lying.h > 1)


def _column_count(view: PatienceView, spots: list[Spot]) -> int:
    """Return the number of columns of tiles; empty columns keep their places."""
    return max([len(view.piles) - view.aside, *(spot.x + 1 for spot in spots)])


def _fitting_face(view: PatienceView, box: Box, all_faces: tuple[Face, ...]) -> tuple[Face, int]:
    """Return the largest face in which all tiles fit, and the number of tiles in a row; the smallest face if none
    does.
    """
    for face in reversed(all_faces):
        tiles_in_row = _tiles_in_row(view, face, box)
        spots = _spots(view, tiles_in_row)
        row_count = max(_usual_rows(view, tiles_in_row), *(spot.y + 1 for spot in spots), 1)
        column_count = _column_count(view, spots)
        if (
            row_count * face.lying.h + bool(view.aside) <= box.h
            and column_count * (face.lying.w + _gap(face)) <= box.w
        ):
            return face, tiles_in_row
    return all_faces[0], _tiles_in_row(view, all_faces[0], box)


def _usual_rows(view: PatienceView, tiles_in_row: int) -> int:
    """Return the number of rows to make room for: those of the deal, or half of the set in one pile.

    It stays while tiles leave the table, so that the others keep their size.
    """
    tiles = (view.highest + 1) * (view.highest + 2) // 2
    if view.spread == "columns":
        return -(-tiles // max(1, len(view.piles) - view.aside))
    return -(-(tiles if view.spread == "grid" else tiles // 2) // tiles_in_row)


def _tiles_in_row(view: PatienceView, face: Face, box: Box) -> int:
    return GRID_COLUMNS if view.spread == "grid" else max(1, (box.w - GAP) // (face.lying.w + _gap(face)))


def _spots(view: PatienceView, tiles_in_row: int) -> list[Spot]:
    """Return the positions of all open tiles, pile by pile."""
    if view.spread == "columns":
        column_count = len(view.piles) - view.aside
        deepest = max(map(len, view.piles[:column_count]), default=0)
        in_columns = [
            Spot(tile, (tile.high, tile.low), x, y, is_free=y + 1 == len(pile))
            for x, pile in enumerate(view.piles[:column_count])
            for y, tile in enumerate(pile)
        ]
        spots_aside = [
            Spot(tile, (tile.high, tile.low), x + 1, deepest, is_aside=True)
            for x, pile in enumerate(view.piles[column_count:])
            for tile in pile
        ]
        return [*in_columns, *spots_aside]
    pile = view.piles[0]
    all_halves = orient_tiles(pile) if view.spread == "line" else [(tile.high, tile.low) for tile in pile]
    return [
        Spot(tile, halves, number % tiles_in_row, number // tiles_in_row)
        for number, (tile, halves) in enumerate(zip(pile, all_halves, strict=True))
    ]


def draw_patience_result(moment: Moment, width: int, height: int, look: Look) -> Picture:
    """Draw the result: the tiles that are left, and the score."""
    match, view = cast("MatchView", moment.update.match), cast("PatienceView", moment.view)
    result, theme = cast("RoundOver", view.result), look.theme
    painter = Painter(Canvas(width, height, Style(theme.text, theme.felt)), theme, look.ascii)
    left = max(2, (width - 96) // 2)
    content_width = width - 2 * left
    hand = result.hands[0]
    face, tiles_in_row = next(
        (face, content_width // (face.lying.w + _gap(face)))
        for face in (*reversed(faces(view.highest, ascii=look.ascii)), faces(view.highest, ascii=look.ascii)[0])
        if -(-len(hand) // (content_width // (face.lying.w + _gap(face)))) * face.lying.h <= height - 5
        or face.lying.h == 1
    )
    rows = -(-len(hand) // tiles_in_row) * face.lying.h
    y = max(0, (height - 4 - rows) // 2)
    write_headline(painter.canvas, left, y, game_end_sentence(result), content_width, look, is_won=result.winner >= 0)
    for number, tile in enumerate(hand):
        row, column = divmod(number, tiles_in_row)
        box = Box(left + column * (face.lying.w + _gap(face)), y + 2 + row * face.lying.h, *face.lying)
        if box.bottom <= height:
            draw_tile(painter.canvas, box, face, (tile.high, tile.low), theme=theme)
    if match.scores[0]:
        painter.write(left, min(height - 1, y + 3 + rows), _("The fewer tiles are left, the better."), content_width)
    return Picture(painter.canvas.rows())
