"""The plan of a board: places of tiles and captions, and the labels of the ends."""

from collections.abc import Iterator, Sequence
from typing import Literal, NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from core.layout.state import Layout
from core.tiles import STAR, WILD
from tui.board.canvas import Box, Direction, Size, TilePlace, around, cells, plain
from tui.board.faces import Face


class Mark(Struct, frozen=True):
    """The label of one end, before it has a place."""

    at: int
    """Index of the placed tile; -1 is the empty table."""
    side: int
    pips: int
    """Number of the end; negative for any number, or for none on the empty table."""
    key: str = ""
    note: str = ""
    """A few words in the player's language, dropped if they do not fit."""
    chosen: bool = False
    open: bool = True
    owner: int = -1
    """Seat whose train ends here, if trains have owners."""
    flag: bool = False
    """True if that train carries its marker."""
    state: str = ""
    """State of that train in words: open, or closed."""
    owed: bool = False
    """True if a tile must be played here first."""

    def text(self, *, short: bool = False, ascii: bool = False, leftward: bool = False) -> str:
        """Return the text of the label; pointers on both sides show that it is chosen.

        With `leftward`, the number is last, next to the tile on the right.
        """
        any_number = ("*" if ascii else "★") if self.at >= 0 else ""
        number = str(self.pips) if self.pips >= 0 else any_number
        note = "" if short else self.note
        text = " ".join(filter(None, (note, self.key, number) if leftward else (self.key, number, note)))
        if not text:
            return ""
        text = plain(text, ascii)
        left_pointer, right_pointer = (">", "<") if ascii else ("▶", "◀")
        return f"{left_pointer}{text}{right_pointer}" if self.chosen else f" {text} "


class Label(NamedTuple):
    """A mark, its text and its cells."""

    mark: Mark
    text: str
    box: Box


class Labels(NamedTuple):
    """All labels."""

    labels: Sequence[Label]
    extent: Box
    """The rectangle that contains all tiles and labels."""


def place_labels(
    marks: Sequence[Mark],
    places: Sequence[TilePlace],
    area: Size,
    *,
    ascii: bool = False,
) -> Labels:
    """Return a label for every mark that has room for one which covers nothing within columns 0 to `area.w`.

    The height of tiles and labels together stays within `area.h`. The mark of an empty table is written beside the
    first place.
    """
    obstacles = [place.box for place in places]
    extent = around(obstacles)
    labels: list[Label] = []
    for mark in marks:
        if not mark.text():
            continue
        place = places[mark.at] if mark.at >= 0 else places[0]
        label = _find_label(mark, place, obstacles=obstacles, extent=extent, area=area, ascii=ascii)
        if label is not None:
            labels.append(label)
            obstacles.append(label.box)
            extent = around([extent, label.box])
    return Labels(labels, extent)


def place_all(
    marks: Sequence[Mark], places: Sequence[TilePlace], area: Size, *, ascii: bool = False
) -> Labels | None:
    """Return a label with the key and number of every mark; None if one has no room on a table of this size.

    Notes are added afterwards if they fit. The current choice never decides whether there is room. Labels keep away
    from tiles of other ends.
    """
    tiles = [place.box for place in places]
    longest_labels = _short_labels(
        [replace(mark, key=mark.key or "m") for mark in marks], places, tiles, area, ascii=ascii
    )
    if longest_labels is None:
        return None
    labels = _short_labels(marks, places, tiles, area, ascii=ascii) or [
        Label(mark, mark.text(short=True, ascii=ascii), label.box)
        for mark, label in zip(marks, longest_labels, strict=True)
    ]
    for number, (mark, short_label) in enumerate(zip(marks, labels, strict=True)):
        if mark.note:
            obstacles = tiles + [label.box for label in labels if label is not short_label]
            place = places[max(mark.at, 0)]
            full_label = _find_label(
                mark,
                place,
                obstacles=obstacles,
                extent=_area_box(area),
                area=area,
                ascii=ascii,
                clearance=2,
                short_values=(False,),
            )
            labels[number] = full_label or short_label
    return Labels(labels, around([*tiles, *(label.box for label in labels)]))


def label_beside(mark: Mark, place: TilePlace, obstacles: list[Box], viewport: Box, *, ascii: bool) -> Label | None:
    """Return the label of an end beside the tile that would be laid there; None if it does not fit.

    `viewport` are the cells in view.
    """
    outward = replace(mark, at=max(0, mark.at), side=1)
    for short in (False, True):
        text = mark.text(short=short, ascii=ascii)
        for box in _candidates(outward, place, Size(len(cells(text)), 1), Size(viewport.right, viewport.bottom)):
            if viewport.holds(box) and not any(box.meets(other) for other in obstacles):
                return _make_label(mark, place.half(1), box, short=short, ascii=ascii)
    return None


def _area_box(area: Size) -> Box:
    return Box(0, 0, area.w, area.h)


def _short_labels(
    marks: Sequence[Mark], places: Sequence[TilePlace], tiles: Sequence[Box], area: Size, *, ascii: bool
) -> list[Label] | None:
    """Return a label without its note for every mark; None if one has no room."""
    labels: list[Label] = []
    for mark in marks:
        obstacles = [*tiles, *(label.box for label in labels)]
        place = places[max(mark.at, 0)]
        label = _find_label(
            mark,
            place,
            obstacles=obstacles,
            extent=_area_box(area),
            area=area,
            ascii=ascii,
            clearance=2,
            short_values=(True,),
        )
        if label is None:
            return None
        labels.append(label)
    return labels


def _find_label(
    mark: Mark,
    place: TilePlace,
    *,
    obstacles: list[Box],
    extent: Box,
    area: Size,
    ascii: bool,
    clearance: int = 0,
    short_values: tuple[bool, ...] = (False, True),
) -> Label | None:
    """Return a label that covers no obstacle, preferably `clearance` columns away from all but its own tile.

    None if none fits. `short_values` are the values of `short` to try, in order of preference.
    """
    for short in short_values:
        text = mark.text(short=short, ascii=ascii)
        for gap in (clearance, 0) if clearance else (0,):
            for box in _candidates(mark, place, Size(len(cells(text)), 1), area):
                if box.x < 0 or box.right > area.w:
                    continue
                if max(extent.bottom, box.bottom) - min(extent.y, box.y) > area.h:
                    continue
                widened = Box(box.x - gap, box.y, box.w + 2 * gap, 1)
                if all(other == place.box and not box.meets(other) for other in obstacles if widened.meets(other)):
                    return _make_label(mark, place.half(mark.side), box, short=short, ascii=ascii)
    return None


def _make_label(mark: Mark, half: Box, box: Box, *, short: bool, ascii: bool) -> Label:
    """Return the label in these cells, with its number on the side of the tile."""
    leftward = mark.at >= 0 and 2 * box.x + box.w < 2 * half.x + half.w
    return Label(mark, mark.text(short=short, ascii=ascii, leftward=leftward), box)


def _candidates(mark: Mark, place: TilePlace, size: Size, area: Size) -> Iterator[Box]:
    """Yield places for a label, the best first: outside the outward half, then above and below it."""
    if mark.at < 0:
        yield place.box.beside(size, Direction.DOWN).moved(0, 1)
        yield from (
            place.box.beside(size, direction)
            for direction in (Direction.DOWN, Direction.UP, Direction.RIGHT, Direction.LEFT)
        )
        return
    direction, half = place.outward(mark.side), place.half(mark.side)
    if direction.upright and place.ports:
        # Beside a branching tile, another arm begins.
        outer = Direction.LEFT if half.x < place.box.x else Direction.RIGHT
        yield from (half.beside(size, direction, flush) for flush in (None, outer.back, outer))
    elif direction.upright:
        # Towards the middle first: at the table's edge there is no room for words.
        sides = (Direction.LEFT, Direction.RIGHT) if 2 * half.x > area.w else (Direction.RIGHT, Direction.LEFT)
        yield from (half.beside(size, side) for side in sides)
        yield from (half.beside(size, direction, flush) for flush in (None, *sides))
    else:
        yield half.beside(size, direction)
        for side in (Direction.DOWN, Direction.UP):
            yield from (half.beside(size, side, flush) for flush in (direction, None, direction.back))


Colour = Literal["felt", "bar", "text", "quiet", "dim", "accent", "warning"]
"""A colour of the theme, by the name of its field."""


class Caption(NamedTuple):
    """Words on the table, or a strip of colour."""

    x: int
    y: int
    text: str
    fg: Colour
    bg: Colour = "felt"
    bold: bool = False


class BoardPlan(NamedTuple):
    """A face, and the places of everything in it before the board is moved into view."""

    face: Face
    places: tuple[TilePlace | None, ...]
    """None for a tile out of view."""
    labels: Labels
    captions: tuple[Caption, ...] = ()
    fixed: bool = False
    """True for lanes, whose rows are those of the table."""
    shaded: frozenset[int] = frozenset()
    """In lanes, the tiles that touch others above them."""
    is_dense: bool = False
    """In lanes, True if there is no row for shadows between them."""
    ghost: TilePlace | None = None
    """Place of the chosen tile, if there is room for it."""


def lies_across(layout: Layout, index: int) -> bool:
    """Return True for a double, and for a star with the same number on both sides or in place of a double."""
    placed = layout[index]
    return placed.tile.is_double or (
        placed.tile == STAR and (placed.on < 0 or 0 <= placed.out == layout[placed.on].out)
    )


def halves(layout: Layout, index: int) -> tuple[int, int]:
    """Return the numbers of a tile: inward, outward."""
    placed = layout[index]
    if placed.tile == STAR:
        return STAR.low, placed.out
    if placed.tile.wild_halves == 1:
        on = placed.tile.high == layout[placed.on].out
        return (placed.tile.high, WILD) if on else (WILD, placed.tile.high)
    outer = placed.tile.high if placed.on < 0 else placed.out
    return placed.tile.other(outer), outer


def children(layout: Layout) -> dict[tuple[int, int], int]:
    """Return the index of each tile by the tile and side at which it lies."""
    return {(placed.on, placed.side): index for index, placed in enumerate(layout) if placed.on >= 0}
