"""The difference between two pictures, as output for a terminal: few cells, and few changes of colour."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import chain
from operator import is_not
from typing import NamedTuple

from tui.board.canvas import PART, Picture, Row, Run, Style, cells

GAP = 7
"""Unchanged cells that are written again, because moving the cursor past them takes as many bytes."""
_SPAN = re.compile(rb"\x01(?:\x00{0,%d}\x01)*" % GAP)
"""Spans of a row to write, found in a string with a byte for each cell, 1 if it has changed."""
UNDERLINED, REVERSED = "4", "7"
OFF = {"1": "22", "2": "22", "3": "23", "4": "24", "7": "27", "9": "29"}
"""SGR parameter that ends each attribute."""
Span = tuple[int, tuple[Run, ...]]
"""Column of a row, and the runs to write from there."""


class Ink(NamedTuple):
    """Parameters of SGR with which a terminal writes a style; a colour has several."""

    ways: frozenset[str] = frozenset()
    """Attributes: bold, underlined, reversed …"""
    fg: str = "39"
    bg: str = "49"

    @property
    def ground(self) -> "Ink | tuple[bool, str]":
        """The part of the ink that is visible in a space; all of it if it is reversed without numbered colours."""
        if REVERSED not in self.ways:
            return UNDERLINED in self.ways, self.bg
        return (UNDERLINED in self.ways, f"48{self.fg[2:]}") if self.fg.startswith("38;") else self

    @property
    def reversed(self) -> "Ink | None":
        """An equivalent ink with exchanged colours; None if the colours are not given by number."""
        if not (self.fg.startswith("38;") and self.bg.startswith("48;")):
            return None
        return Ink(self.ways ^ {REVERSED}, f"38{self.bg[2:]}", f"48{self.fg[2:]}")


TEXTS = 2048
"""Texts whose cells are cached: more than 200 screens show at once, so that those of past rounds are evicted."""
SMALL = 400
"""Cells up to which a picture has the larger cache of diffs: a tile of a hand, a player, a line of text."""
PAIRS = 2048
"""Maximum number of cached changes between inks."""
STYLES = 1024
"""Maximum number of cached styles of all themes; beyond it, the cache is cleared."""


class Inks(dict[Style, Ink]):
    """Cache of inks by style, shared by all terminals that show the same colours."""

    __hash__ = object.__hash__  # type: ignore[assignment]

    def __init__(self, find: Callable[[Style], Ink]) -> None:
        super().__init__()
        self._find = find

    def __missing__(self, style: Style) -> Ink:
        """Compute and cache the ink of a style."""
        if len(self) >= STYLES:
            self.clear()
        ink = self[style] = self._find(style)
        return ink


@lru_cache(maxsize=1024)
def ink_of(codes: str) -> Ink:
    """Parse the parameters of one SGR sequence."""
    ways, fg, bg = set(), "39", "49"
    parts = [part for part in codes.split(";") if part]
    while parts:
        part = parts.pop(0)
        if part in ("38", "48"):
            count = 4 if parts[0] == "2" else 2
            colour, parts = ";".join([part, *parts[:count]]), parts[count:]
            fg, bg = (colour, bg) if part == "38" else (fg, colour)
        elif part in OFF:
            ways.add(part)
        elif part[0] in "39" and len(part) == 2:
            fg = part
        elif part != "0":
            bg = part
    return Ink(frozenset(ways), fg, bg)


@lru_cache(maxsize=PAIRS)
def ink_change(before: Ink | None, ink: Ink) -> str:
    """Return the sequence that changes one ink to another; `before` None means an unknown ink."""
    if before is None:
        parts = ["0", *sorted(ink.ways), ink.fg, ink.bg]
        return f"\x1b[{';'.join(part for part in parts if part not in ('39', '49'))}m"
    ended = {OFF[attribute] for attribute in before.ways - ink.ways}
    begun = {attribute for attribute in ink.ways if attribute not in before.ways or OFF[attribute] in ended}
    parts = [*sorted(ended), *sorted(begun)]
    parts += [new for old, new in ((before.fg, ink.fg), (before.bg, ink.bg)) if old != new]
    return f"\x1b[{';'.join(parts)}m" if parts else ""


@lru_cache(maxsize=PAIRS)
def turned_to(before: Ink | None, ink: Ink) -> tuple[str, Ink]:
    """Return the shortest sequence to write in an ink, and the ink actually set, which may be the reversed one.

    Next to a tile this saves half: its edge and its body share a colour, once as ink and once as background.
    """
    ways = [ink] if before is None or ink.reversed is None else [ink, ink.reversed]
    return min(((ink_change(before, way), way) for way in ways), key=lambda pair: len(pair[0]))


_Replaced = tuple[int, int, Picture | None, Picture]
"""Column, row, the current picture and the new one."""


_Segment = tuple[Ink, int, int, int, str]
"""Ink, first column, the column behind the last one, row, and text."""


class _PictureDiff(NamedTuple):
    """The output that changes one picture into another."""

    begins: Ink
    """Ink that must be set before the output."""
    spans: tuple[tuple[int, int, str], ...]
    """Columns and rows, with the output from there."""
    ends: Ink
    """Ink that is set after the output."""


def diff_pictures(old: Picture | None, new: Picture, inks: Inks) -> str:
    """Return the output that replaces a picture by one of the same size, or draws it if `old` is None."""
    parts: list[str] = []
    ink: Ink | None = None
    for left, top, before, part in _replaced(old, new, 0, 0, []) if old else [(0, 0, None, new)]:
        remembered = _turned_small if part.width * part.height <= SMALL else _turned_large
        turn = remembered(before, part, inks)
        if turn is not None:
            parts.append(ink_change(ink, turn.begins))
            ink = turn.ends
            for x, y, text in turn.spans:
                parts.append(f"\x1b[{top + y + 1};{left + x + 1}H{text}")
    return "".join(parts)


def _replaced(old: Picture, new: Picture, x: int, y: int, replaced: list[_Replaced]) -> list[_Replaced]:
    """Collect the differing parts of two pictures, as small as their common structure allows."""
    if not old.parts or old.shape != new.shape:
        replaced.append((x, y, old, new))
        return replaced
    for (left, top, before), (_, _, part) in zip(old.parts, new.parts, strict=True):
        if before is not part:
            _replaced(before, part, x + left, y + top, replaced)
    return replaced


def _turned(old: Picture | None, new: Picture, inks: Inks) -> _PictureDiff | None:
    """Return the output that changes one picture into another; None if they look the same.

    All cells of an ink are written before those of the next: a change of ink takes some 20 bytes, a step of the
    cursor 4 to 8. A new picture is written row by row, since a slow terminal shows it as it comes. The output is
    cached, because most parts change in the same way for all guests at a table.
    """
    segments: list[_Segment] = []
    for y, row in enumerate(new.rows):
        before = old.rows[y] if old else None
        if before == row:
            continue
        if before is None:
            changed: list[Span] = [(0, row)]
        elif new.width <= GAP:
            changed = _narrow_change(before, row)
        else:
            changed = changes(before, row, inks)
        for x, runs in changed:
            ink: Ink | None = None
            end = x
            for text, style in runs:
                wanted = inks[style]
                if ink is None or (wanted is not ink and (not text.isspace() or wanted.ground != ink.ground)):
                    ink = wanted
                start, end = end, end + len(_letters(text))
                segments.append((ink, start, end, y, text))
    if not segments:
        return None
    return _written(_by_ink(segments) if old else segments, segments[0][0])


def _by_ink(segments: Iterable[_Segment]) -> Iterable[_Segment]:
    """Return the segments of each ink together, in the order in which the inks come."""
    groups: dict[Ink, list[_Segment]] = {}
    for segment in segments:
        groups.setdefault(segment[0], []).append(segment)
    return chain.from_iterable(groups.values())


def _written(segments: Iterable[_Segment], begins: Ink) -> _PictureDiff:
    """Return the output that writes these segments in their order."""
    ink = begins
    spans: list[tuple[int, int, str]] = []
    at = above = -1
    for wanted, x, end, y, text in segments:
        if PART in text:  # the colour is the number of an image, so it must not be reversed
            codes, ink = ink_change(ink, wanted), wanted
        else:
            codes, ink = turned_to(ink, wanted) if wanted is not ink else ("", ink)
        if y == above and x >= at:
            left, top, before = spans[-1]
            step = f"\x1b[{x - at}C" if x > at else ""
            spans[-1] = left, top, f"{before}{step}{codes}{text}"
        else:
            spans.append((x, y, codes + text))
        at, above = end, y
    return _PictureDiff(begins, tuple(spans), ink)


_turned_small = lru_cache(maxsize=2048)(_turned)
_turned_large = lru_cache(maxsize=256)(_turned)


def changes(old: Row, new: Row, inks: Mapping[Style, Ink]) -> list[Span]:
    """Return the changed spans of a row, each with its first column; both rows have the same width."""
    left, first, stop = _differing(old, new)
    part = new[first:stop]
    differs = bytes(map(is_not, _seen(old[first:stop], inks), _seen(part, inks)))
    return [(left + match.start(), _part(part, *match.span())) for match in _SPAN.finditer(differs)]


def _differing(old: Row, new: Row) -> tuple[int, int, int | None]:
    """Return the column and index of the first run that differs, and the negative index behind the last one."""
    first = left = 0
    for before, run in zip(old, new, strict=False):
        if before != run:
            break
        first += 1
        left += len(_letters(run[0]))
    last, most = -1, first - min(len(old), len(new))
    while last >= most and old[last] == new[last]:
        last -= 1
    return left, first, last + 1 or None


def _narrow_change(old: Row, new: Row) -> list[Span]:
    """Return one span from the first to the last changed cell: cheaper than `changes` for a row of a few cells."""
    left, first, stop = _differing(old, new)
    return [(left, new[first:stop])]


def _seen(row: Sequence[Run], inks: Mapping[Style, Ink]) -> Iterable[object]:
    """Yield what is visible in each cell of a row."""
    return chain.from_iterable([_seen_of(text, inks[style]) for text, style in row])


@lru_cache(maxsize=TEXTS)
def _seen_of(text: str, ink: Ink) -> tuple[object, ...]:
    """Return what is visible in each cell of a text; the second half of a wide character belongs to the first."""
    letters = _letters(text)
    whole = (letters[n - 1] + " " if letter == "" else letter for n, letter in enumerate(letters))
    return tuple(_cell(letter, ink.ground if letter == " " else ink) for letter in whole)


class _Cell:
    """Stands for all cells with a letter in an ink; compared by identity."""

    __slots__ = ()

    def __init__(self, letter: str, ink: object) -> None:
        pass


_cell = lru_cache(maxsize=16384)(_Cell)
"""Interns cells. If one was evicted in the meantime, an unchanged cell is written, which does no harm."""


@lru_cache(maxsize=TEXTS)
def _letters(text: str) -> Sequence[str]:
    """Return the cells of a text; a cell of an image takes three characters."""
    if PART in text:
        before, *parts = text.split(PART)
        return (*before, *(letter for part in parts for letter in (PART + part[:2], *part[2:])))
    line = cells(text)
    return text if line == tuple(text) else line


def _part(row: Sequence[Run], start: int, stop: int) -> tuple[Run, ...]:
    """Return the runs of a row between two columns."""
    runs: list[Run] = []
    x = 0
    for run in row:
        letters = _letters(run[0])
        end = x + len(letters)
        if end > start:
            if start <= x and end <= stop:
                runs.append(run)
            else:
                runs.append(("".join(letters[max(start - x, 0) : stop - x]), run[1]))
            if end >= stop:
                break
        x = end
    return tuple(runs)
