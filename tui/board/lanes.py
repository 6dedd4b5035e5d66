"""The layouts in lanes: the first tile at the left, and from it one row for every arm, read to its open end.

A lane that is too long for its row shows how many of its oldest tiles are left out, never its end. A double
lies crosswise where that covers nothing, else it is half a tile. Where a double branches, its first arm goes on
in the same row, the others begin in rows of their own below it.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from core.layout.placed import Layout
from tui.board.canvas import cells, columns
from tui.board.faces import Face
from tui.board.marks import Label, Labels, Mark, plain
from tui.board.places import Box, Place, Size, Way, around
from tui.board.plan import Colour, Plan, Written, children, lies_across

RAIL = 2
"""Columns from the hub to a lane's first tile."""
TITLES = 16
"""Columns that a lane's title takes at most."""
ENOUGH = 6
"""Tiles of a lane that a face should leave room for."""
STEPS = (99, 8, 6, 4, 3, 2, 1)
"""How many tiles before a branching double are shown, from which the greatest that fits is taken."""


class Row(NamedTuple):
    """A lane: the tiles in it, and what it begins at."""

    tiles: tuple[int, ...]
    side: int
    """The side of the tile that it begins at."""
    on: int
    """The tile that it begins at."""
    tip: tuple[int, int]
    """The tile and the side where it ends."""
    above: int = -1
    """The row which that tile is in; -1 is the hub."""


class Laid(NamedTuple):
    """Where everything in the rows lies, for one face."""

    boxes: dict[int, Box]
    """By the tile; a crosswise one is still half a tile here."""
    labels: list[Label]
    written: list[Written]
    shown: int
    """The fewest tiles of a lane that are shown, if not all."""


def lanes(
    layout: Layout,
    marks: Sequence[Mark],
    room: Size,
    face: Face,
    *,
    titles: Sequence[str] = (),
    own: int = -1,
) -> tuple[Plan, bool]:
    """Return the lanes in this face, and whether all of them are on the table and long enough to be read.

    `titles` are the names of the arms of the first tile, by side; then every arm has a lane, the last one
    first, and the one of `own` is bold. Else an arm has a lane once it has a tile or an open end.
    """
    rows = _rows(layout, marks, len(titles))
    over = (face.standing.h - face.lying.h) // 2
    needed = (len(rows) - 1) * (face.lying.h + over) + face.lying.h + 2 * over
    smallest = face.lying.h == 1
    pitch = face.lying.h + over
    if needed > room.h and smallest:
        pitch, over = 1, 0
    else:
        spare = (room.h - face.lying.h - 2 * over) // max(1, len(rows) - 1)
        pitch = max(pitch, min(spare, face.standing.h + 1))
    gaps = _gaps(rows, room.h) if pitch == 1 else [0] * len(rows)
    height = (len(rows) - 1) * pitch + face.lying.h + gaps[-1]
    top = max(over, (room.h - height) // 2)
    ys = [top + n * pitch + gap for n, gap in enumerate(gaps)]
    start, before = _head(titles, own, rows, ys, face)
    laid = _lay(layout, marks, rows, ys, start, room, face)
    hub, bar = _hub(rows, ys, start, height, face)
    laid.boxes[0] = hub
    places = _places(layout, laid, face, pitch)
    written = (*before, *bar, *laid.written)
    extent = around(
        [
            *(place.box for place in places if place),
            *(label.box for label in laid.labels),
            *(Box(w.x, w.y, columns(w.text), 1) for w in laid.written),
        ]
    )
    tight = frozenset(tile for row in rows[1::2] for tile in row.tiles) if pitch == face.lying.h else frozenset()
    plan = Plan(face, tuple(places), Labels(laid.labels, True, extent), written, True, tight)
    inside = extent.x >= 0 and extent.right <= room.w and extent.y >= 0 and extent.bottom <= room.h
    return plan, inside and (laid.shown >= ENOUGH or smallest)


def _rows(layout: Layout, marks: Sequence[Mark], titles: int) -> list[Row]:
    kids = children(layout)
    ends = {(mark.at, mark.side) for mark in marks}
    outs: dict[int, list[int]] = {}
    for index, side in sorted({*kids, *ends}):
        outs.setdefault(index, []).append(side)
    rows: list[Row] = []

    def grow(on: int, side: int, above: int) -> None:
        tiles: list[int] = []
        at, out = on, side
        while (at, out) in kids:
            at = kids[at, out]
            tiles.append(at)
            out = outs[at][0] if at in outs else 1
        mine = len(rows)
        rows.append(Row(tuple(tiles), side, on, (at, out), above))
        for tile in reversed(tiles):
            for other in outs.get(tile, [])[1:]:
                grow(tile, other, mine)

    first = [titles - 1, *range(titles - 1)] if titles else outs.get(0, [0])
    for side in first:
        grow(0, side, -1)
    return rows


def _gaps(rows: Sequence[Row], height: int) -> list[int]:
    """How many empty rows are above each: one before every arm, or one after the first, or none at all."""
    begins = [row.above < 0 for row in rows]
    spare = height - len(rows)
    if spare >= sum(begins) - 1:
        return [sum(begins[1 : n + 1]) for n in range(len(rows))]
    return [int(spare > 0 and any(begins[1 : n + 1])) for n in range(len(rows))]


def _head(
    titles: Sequence[str], own: int, rows: Sequence[Row], ys: Sequence[int], face: Face
) -> tuple[int, list[Written]]:
    """Write the titles; return where the hub begins."""
    if not titles:
        return 2, []
    titles = [plain(title, ascii=face.ascii) for title in titles]
    width = min(TITLES, max(columns(title) for title in titles))
    written = []
    for row, y in zip(rows, ys, strict=True):
        if row.above < 0:
            title = "".join(cells(titles[row.side])[:width])
            mine = row.side == own
            written.append(Written(2, y + face.lying.h // 2, title, "text" if mine else "quiet", bold=mine))
    return 2 + width + 2, written


def _hub(rows: Sequence[Row], ys: Sequence[int], start: int, height: int, face: Face) -> tuple[Box, list[Written]]:
    """Return where the first tile lies: in the middle of a bar from which the lanes set out."""
    size = face.standing if height + 2 >= face.standing.h else Size(face.standing.w, face.lying.h)
    middle = ys[0] + height // 2
    box = Box(start + 1, max(0, middle - size.h // 2), *size)
    top, bottom = min(ys[0], box.y), max(ys[0] + height, box.bottom)
    bar = [Written(start, y, " " * (size.w + 2), "text", "bar") for y in range(top, bottom)]
    rail = "-" if face.ascii else "─"
    for row, y in zip(rows, ys, strict=True):
        if row.above < 0:
            bar.append(Written(start + size.w + 2, y + face.lying.h // 2, rail * (RAIL - 1), "dim"))
    return box, bar


def _lay(
    layout: Layout,
    marks: Sequence[Mark],
    rows: Sequence[Row],
    ys: Sequence[int],
    start: int,
    room: Size,
    face: Face,
) -> Laid:
    branching = {row.on for row in rows if row.above >= 0}
    begin = start + face.standing.w + 2 + RAIL
    laid = Laid({}, [], [], 0)
    for most in STEPS:
        laid = _try(layout, marks, rows, ys, begin, room, face, branching, most)
        if all(label.box.right <= room.w for label in laid.labels):
            break
    return laid


def _try(
    layout: Layout,
    marks: Sequence[Mark],
    rows: Sequence[Row],
    ys: Sequence[int],
    begin: int,
    room: Size,
    face: Face,
    branching: set[int],
    most: int,
) -> Laid:
    """Lay out all rows, with at most so many tiles before a double that branches."""
    tips = {(mark.at, mark.side): mark for mark in marks}
    boxes: dict[int, Box] = {}
    gaps: dict[int, Box] = {}
    labels: list[Label] = []
    written: list[Written] = []
    fewest = ENOUGH
    last_at: dict[int, int] = {}
    for number, (row, y) in enumerate(zip(rows, ys, strict=True)):
        x, middle = begin, y + face.lying.h // 2
        if row.above >= 0:
            joint = boxes.get(row.on) or gaps[row.on]
            x = joint.right
            upper = max(ys[row.above], last_at.get(row.on, ys[row.above])) + face.lying.h
            written += _branch(joint, upper, middle, [r.on for r in rows[number + 1 :]].count(row.on) > 0, face)
            last_at[row.on] = middle - face.lying.h + 1
        label, words, rest = _tip(tips.get(row.tip), face)
        for part in _parts(row.tiles, branching):
            final = part[-1] not in branching
            room_left = room.w - 1 - x - rest if final else 9999
            fit = _fitting(layout, part, room_left, face, most if not final else 99)
            hidden = part[: len(part) - fit]
            if hidden:
                text = (".." if face.ascii else "…") + str(len(hidden)) + " "
                written.append(Written(x, middle, text, "dim"))
                gaps.update(dict.fromkeys(hidden, Box(x, y, len(text), face.lying.h)))
                x += len(text)
                fewest = min(fewest, fit) if final else fewest
            for index in part[len(part) - fit :]:
                w = _width(layout, index, face)
                boxes[index] = Box(x, y, w, face.lying.h)
                x += w
        if label:
            mark = tips[row.tip]
            labels.append(Label(mark, label, Box(x, middle, columns(label), 1)))
            x += columns(label)
        if words and x + 1 + columns(words[0]) <= room.w:
            written.append(Written(x + 1, middle, words[0], words[1], bold=words[1] == "warning"))
    return Laid(boxes, labels, written, fewest)


def _parts(tiles: Sequence[int], branching: set[int]) -> Iterator[list[int]]:
    """A lane in parts: each ends with a double that branches, but for the last."""
    part: list[int] = []
    for tile in tiles:
        part.append(tile)
        if tile in branching:
            yield part
            part = []
    if part:
        yield part


def _width(layout: Layout, index: int, face: Face) -> int:
    return face.standing.w if face.stands and lies_across(layout, index) else face.lying.w


def _fitting(layout: Layout, part: Sequence[int], space: int, face: Face, most: int) -> int:
    """How many of the newest tiles of a part are shown: at least one."""
    widths = [_width(layout, index, face) for index in part]
    if sum(widths) <= space and len(part) <= most:
        return len(part)
    space -= len(str(len(part))) + 3
    shown, used = 1, widths[-1]
    while shown < min(most, len(part)) and used + widths[-shown - 1] <= space:
        used += widths[-shown - 1]
        shown += 1
    return shown


def _tip(mark: Mark | None, face: Face) -> tuple[str, tuple[str, Colour] | None, int]:
    """What stands at a lane's end, the words after it with their colour, and the columns to keep for both.

    Those do not depend on what is chosen just now, or tiles would come and go.
    """
    if mark is None:
        return "", None, 0
    label = mark.text(short=True, ascii=face.ascii)
    flag = "" if face.ascii or not mark.flag else "⚑ "
    state = mark.note if mark.owed else flag + mark.state if mark.state else ""
    words = plain(state or mark.note, ascii=face.ascii)
    colour: Colour = "warning" if mark.owed else "accent" if not state else "quiet" if mark.flag else "dim"
    kept = columns(label) + (0 if mark.key else 2) + (columns(plain(state, ascii=face.ascii)) + 2 if state else 0)
    return label, (words, colour) if words else None, kept


def _branch(joint: Box, upper: int, row: int, more: bool, face: Face) -> list[Written]:
    """The lines from a double down to a row that begins there."""
    down, knee, fork, level = "|`|-" if face.ascii else "│└├─"
    x = joint.x + joint.w // 2
    lines = [Written(x, y, down, "dim") for y in range(upper, row)]
    lines.append(Written(x, row, (fork if more else knee) + level * (joint.right - x - 1), "dim"))
    return lines


def _places(layout: Layout, laid: Laid, face: Face, pitch: int) -> list[Place | None]:
    """Return the places of the tiles, doubles crosswise; in rows close together only at the end of a lane."""
    taken = [*laid.boxes.values(), *(label.box for label in laid.labels)]
    taken += [Box(w.x, w.y, columns(w.text), 1) for w in laid.written]
    covered = {placed.on for placed in layout}
    close = pitch < face.standing.h
    places: list[Place | None] = []
    for index in range(len(layout)):
        box = laid.boxes.get(index)
        if box is None:
            places.append(None)
            continue
        crosswise = index > 0 and face.stands and lies_across(layout, index)
        if crosswise and pitch > face.lying.h and not (close and index in covered):
            over = (face.standing.h - box.h) // 2
            whole = Box(box.x, box.y - over, *face.standing)
            clear = Box(whole.x, whole.y - close, whole.w, whole.h + 2 * close)
            if not any(clear.meets(other) for other in taken if other is not box):
                taken.append(whole)
                box = whole
        places.append(Place(box, Way.DOWN if index == 0 else Way.RIGHT, index == 0 or crosswise))
    return places
