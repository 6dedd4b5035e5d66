"""Draws a game for one: its tiles in columns, in a row, in a grid or in a line, and the moves to choose from."""

from typing import NamedTuple

from core.actions import RoundOver
from core.match import MatchView
from core.patience.state import PatienceView, facing
from core.tiles import Tile
from tui.board.canvas import Canvas, Hit, Picture, Style, columns
from tui.board.faces import Face, draw_tile, faces
from tui.board.pieces import Tone
from tui.board.places import Box
from tui.draw.look import Look
from tui.draw.panels import fit, not_in_view, plain
from tui.draw.tricks import Painter
from tui.i18n import _, several, signed
from tui.model.patience_choice import ON_TABLE, PatienceChoice
from tui.model.trick_choice import LIST_KEYS
from tui.text.patience import how_it_ended, item_label

ACROSS = 4
"""Tiles in a row of the grid."""
GAP = 2
"""Columns between columns and the tiles aside, and around the list."""
MARKED = 4
"""Columns of an item's key and of the marks around it."""


class Spot(NamedTuple):
    """Where a tile lies: its place from the left and from the top, in tiles; and whether beside the others."""

    tile: Tile
    halves: tuple[int, int]
    x: int
    y: int
    aside: bool = False
    free: bool = True


def draw_patience(view: PatienceView, choice: PatienceChoice | None, width: int, height: int, look: Look) -> Picture:
    """A picture of the table in a room of `width` by `height` cells, at least 50 by 8."""
    theme = look.theme
    painter = Painter(Canvas(width, height, Style(theme.text, theme.felt)), theme, look.ascii)
    items = choice.items if choice and view.turn == view.seat else ()
    labels = [item_label(item) for item in items]
    wide = min(max(map(columns, labels)) + MARKED, width // 3) if labels else 0
    room = width - (wide + 2 * GAP if labels else 0)
    hits = _draw_table(painter, view, choice, Box(GAP // 2, 0, room - GAP, height))
    if choice and labels:
        hits += _draw_list(painter, choice, labels, Box(width - wide - GAP, 0, wide, height))
    return Picture(painter.canvas.rows(), hits=hits)


def _draw_table(painter: Painter, view: PatienceView, choice: PatienceChoice | None, box: Box) -> tuple[Hit, ...]:
    face, across = _fitting(view, box, ascii=painter.ascii)
    spots = _spots(view, across)
    w, h = face.lying
    down = max((spot.y for spot in spots), default=0) + 1
    wide = max((spot.x for spot in spots), default=0) + 1
    gap, aside = _gap(face), GAP * bool(view.aside)
    total = wide * (w + gap) - gap + aside
    left, top = box.x + max(0, box.w - total) // 2, box.y + max(0, box.h - down * h) // 2
    lit = choice.lit if choice else ()
    hits = []
    for number, spot in enumerate(spots):
        place = Box(left + spot.x * (w + gap) + aside * spot.aside, top + spot.y * h, w, h)
        tone: Tone = "glow" if spot.tile in lit else "ivory" if spot.free else "ivory_shade"
        draw_tile(painter.canvas, place, face, spot.halves, theme=painter.theme, tone=tone, seam=spot.y + 1 < down)
        if spot.tile in lit and painter.ascii and place.x > 0:
            painter.write(place.x - 1, place.y + h // 2, ">", 1, accent=True)
        hits.append(Hit(*place, number, ON_TABLE))
    return tuple(hits)


def _gap(face: Face) -> int:
    """Columns between two tiles."""
    return 1 + (face.lying.h > 1)


def _fitting(view: PatienceView, box: Box, *, ascii: bool) -> tuple[Face, int]:
    """The largest face in which all tiles have room, and how many lie side by side; else the smallest."""
    sizes = faces(view.highest, ascii=ascii)
    for face in reversed(sizes):
        across = _across(view, face, box)
        spots = _spots(view, across)
        down = max((spot.y for spot in spots), default=0) + 1
        wide = max((spot.x for spot in spots), default=0) + 1
        if down * face.lying.h <= box.h and wide * (face.lying.w + _gap(face)) + GAP <= box.w:
            return face, across
    return sizes[0], _across(view, sizes[0], box)


def _across(view: PatienceView, face: Face, box: Box) -> int:
    return ACROSS if view.spread == "grid" else max(1, (box.w - GAP) // (face.lying.w + _gap(face)))


def _spots(view: PatienceView, across: int) -> list[Spot]:
    """Where every open tile lies, pile by pile."""
    if view.spread == "columns":
        first = len(view.piles) - view.aside
        return [
            Spot(tile, (tile.high, tile.low), x, y, x >= first, y + 1 == len(pile))
            for x, pile in enumerate(view.piles)
            for y, tile in enumerate(pile)
        ]
    pile = view.piles[0]
    shown = facing(pile) if view.spread == "line" else [(tile.high, tile.low) for tile in pile]
    return [
        Spot(tile, halves, number % across, number // across)
        for number, (tile, halves) in enumerate(zip(pile, shown, strict=True))
    ]


def _draw_list(painter: Painter, choice: PatienceChoice, labels: list[str], box: Box) -> tuple[Hit, ...]:
    """What may be done, each with its key; the chosen one is marked, and stays in view."""
    rows = len(labels) if len(labels) <= box.h else max(1, box.h - 1)
    chosen = choice.item % len(labels)
    first = max(0, min(chosen - rows // 2, len(labels) - rows))
    top = box.y + max(0, box.h - rows) // 2
    before, after = (">", "<") if painter.ascii else ("▶", "◀")
    hits = []
    for row, (index, label) in enumerate(list(enumerate(labels))[first : first + rows]):
        key = LIST_KEYS[index] if index < len(LIST_KEYS) else " "
        if index == chosen:
            painter.write(box.x, top + row, f"{before}{key} {label}{after}", box.w, accent=True)
        else:
            painter.write(box.x + 1, top + row, key, 1, accent=True)
            painter.write(box.x + 3, top + row, label, box.w - 3)
        hits.append(Hit(box.x, top + row, box.w, 1, index, 0))
    if rows < len(labels):
        hidden = not_in_view(first, len(labels) - first - rows, ascii=painter.ascii)
        painter.write(box.x + 3, top + rows, hidden, box.w - 3, quiet=True)
    return tuple(hits)


def draw_patience_result(
    match: MatchView, view: PatienceView, result: RoundOver, name: str, width: int, height: int, look: Look
) -> Picture:
    """A picture of how the game ended: the tiles that are left, and the score."""
    theme = look.theme
    canvas = Canvas(width, height, Style(theme.text, theme.felt))
    left = max(2, (width - 96) // 2)
    room = width - 2 * left
    hand = result.hands[0]
    face, across = next(
        (face, room // (face.lying.w + _gap(face)))
        for face in (*reversed(faces(view.highest, ascii=look.ascii)), faces(view.highest, ascii=look.ascii)[0])
        if -(-len(hand) // (room // (face.lying.w + _gap(face)))) * face.lying.h <= height - 5 or face.lying.h == 1
    )
    rows = -(-len(hand) // across) * face.lying.h
    y = max(0, (height - 4 - rows) // 2)
    strong = Style(theme.accent, theme.felt, True)
    canvas.put(left, y, plain(fit(how_it_ended(result), room), look.ascii), strong)
    for number, tile in enumerate(hand):
        row, column = divmod(number, across)
        box = Box(left + column * (face.lying.w + _gap(face)), y + 2 + row * face.lying.h, *face.lying)
        if box.bottom <= height:
            draw_tile(canvas, box, face, (tile.high, tile.low), theme=theme)
    score = several("{count} tile left", "{count} tiles left", match.scores[0]) if match.scores[0] else ""
    words = _("Score of {name}: {score}.", name=name, score=signed(match.scores[0]))
    line = f"{words}  {score}" if score else words
    canvas.put(left, min(height - 1, y + 3 + rows), plain(fit(line, room), look.ascii), Style(theme.text, theme.felt))
    return Picture(canvas.rows())
