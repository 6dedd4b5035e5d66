"""The difference between two pictures, as output for a terminal: few cells, and few changes of colour."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import chain
from operator import is_not
from typing import NamedTuple

from tui.board.canvas import PART, Picture, Row, Run, Style, cells

MAX_GAP = 7
"""Maximum number of adjacent unchanged cells that are written again: moving the cursor takes as many bytes."""
_SPAN = re.compile(rb"\x01(?:\x00{0,%d}\x01)*" % MAX_GAP)
"""Spans of a row to write, found in a string with a byte for each cell, 1 if it has changed."""
UNDERLINED, REVERSED = "4", "7"
END_PARAMETERS = {"1": "22", "2": "22", "3": "23", "4": "24", "7": "27", "9": "29"}
"""SGR parameter that ends each attribute."""
Span = tuple[int, tuple[Run, ...]]
"""Column of a row, and the runs to write from there."""


class Ink(NamedTuple):
    """Parameters of SGR with which a terminal writes a style; a colour has several."""

    attributes: frozenset[str] = frozenset()
    """Attributes: bold, underlined, reversed …"""
    fg: str = "39"
    bg: str = "49"

    @property
    def space_look(self) -> "Ink | tuple[bool, str]":
        """Part of the ink that shows in a space; all of it if it is reversed without numbered colours."""
        if REVERSED not in self.attributes:
            return UNDERLINED in self.attributes, self.bg
        return (UNDERLINED in self.attributes, f"48{self.fg[2:]}") if self.fg.startswith("38;") else self

    @property
    def reversed(self) -> "Ink | None":
        """An equivalent ink with exchanged colours; None if the colours are not given by number."""
        if not (self.fg.startswith("38;") and self.bg.startswith("48;")):
            return None
        return Ink(self.attributes ^ {REVERSED}, f"38{self.bg[2:]}", f"48{self.fg[2:]}")


CACHED_TEXTS = 2048
"""More texts than 200 screens show at once, but few enough to evict those of past rounds."""
SMALL_PICTURE_CELLS = 400
"""Maximum size of a picture, in cells, whose diffs have the larger cache: a tile, a player, a line of text."""
CACHED_INK_CHANGES = 2048
"""Maximum number of cached changes between inks."""
CACHED_STYLES = 1024
"""Maximum number of cached styles of all themes; beyond it, the cache is cleared."""


class Inks(dict[Style, Ink]):
    """Cache of inks by style, shared by all terminals that show the same colours."""

    __hash__ = object.__hash__  # type: ignore[assignment]

    def __init__(self, compute_ink: Callable[[Style], Ink]) -> None:
        super().__init__()
        self._compute_ink = compute_ink

    def __missing__(self, style: Style) -> Ink:
        """Compute and cache the ink of a style."""
        if len(self) >= CACHED_STYLES:
            self.clear()
        ink = self[style] = self._compute_ink(style)
        return ink


@lru_cache(maxsize=1024)
def ink_of(codes: str) -> Ink:
    """Parse the parameters of one SGR sequence."""
    attributes, fg, bg = set(), "39", "49"
    parts = [part for part in codes.split(";") if part]
    while parts:
        part = parts.pop(0)
        if part in ("38", "48"):
            parameter_count = 4 if parts[0] == "2" else 2
            colour, parts = ";".join([part, *parts[:parameter_count]]), parts[parameter_count:]
            fg, bg = (colour, bg) if part == "38" else (fg, colour)
        elif part in END_PARAMETERS:
            attributes.add(part)
        elif part[0] in "39" and len(part) == 2:
            fg = part
        elif part != "0":
            bg = part
    return Ink(frozenset(attributes), fg, bg)


@lru_cache(maxsize=CACHED_INK_CHANGES)
def ink_change(current: Ink | None, ink: Ink) -> str:
    """Return the sequence that changes one ink to another; `current` is None if the ink is unknown."""
    if current is None:
        codes = ["0", *sorted(ink.attributes), ink.fg, ink.bg]
        return f"\x1b[{';'.join(code for code in codes if code not in ('39', '49'))}m"
    ended_codes = {END_PARAMETERS[attribute] for attribute in current.attributes - ink.attributes}
    started_codes = {
        attribute
        for attribute in ink.attributes
        if attribute not in current.attributes or END_PARAMETERS[attribute] in ended_codes
    }
    codes = [*sorted(ended_codes), *sorted(started_codes)]
    codes += [new for old, new in ((current.fg, ink.fg), (current.bg, ink.bg)) if old != new]
    return f"\x1b[{';'.join(codes)}m" if codes else ""


@lru_cache(maxsize=CACHED_INK_CHANGES)
def shortest_ink_change(current: Ink | None, ink: Ink) -> tuple[str, Ink]:
    """Return the shortest sequence that makes text look as in `ink`, and the ink that it sets: `ink` or its reverse.

    At the edge of a tile this halves the output: edge and body share a colour, as foreground and as background.
    """
    candidates = [ink] if current is None or ink.reversed is None else [ink, ink.reversed]
    return min(
        ((ink_change(current, candidate), candidate) for candidate in candidates), key=lambda pair: len(pair[0])
    )


_Change = tuple[int, int, Picture | None, Picture]
"""Column, row, the current picture and the new one."""


_Segment = tuple[Ink, int, int, int, str]
"""Ink, first column, the column behind the last one, row, and text."""


class _PictureDiff(NamedTuple):
    """The output that changes one picture into another."""

    first_ink: Ink
    """Ink that must be set before the output."""
    spans: tuple[tuple[int, int, str], ...]
    """Columns and rows, with the output from there."""
    last_ink: Ink
    """Ink that is set after the output."""


def diff_pictures(old: Picture | None, new: Picture, inks: Inks) -> str:
    """Return the output that replaces a picture by one of the same size, or draws it if `old` is None."""
    parts: list[str] = []
    ink: Ink | None = None
    for left, top, old_part, new_part in _collect_changes(old, new, 0, 0, []) if old else [(0, 0, None, new)]:
        cached_diff = _small_diff if new_part.width * new_part.height <= SMALL_PICTURE_CELLS else _large_diff
        diff = cached_diff(old_part, new_part, inks)
        if diff is not None:
            parts.append(ink_change(ink, diff.first_ink))
            ink = diff.last_ink
            for x, y, text in diff.spans:
                parts.append(f"\x1b[{top + y + 1};{left + x + 1}H{text}")
    return "".join(parts)


def _collect_changes(old: Picture, new: Picture, x: int, y: int, collected: list[_Change]) -> list[_Change]:
    """Append the parts that differ, as small as the common structure allows, to `collected`, and return it."""
    if not old.parts or old.shape != new.shape:
        collected.append((x, y, old, new))
        return collected
    for (left, top, old_part), (_, _, new_part) in zip(old.parts, new.parts, strict=True):
        if old_part is not new_part:
            _collect_changes(old_part, new_part, x + left, y + top, collected)
    return collected


def _picture_diff(old: Picture | None, new: Picture, inks: Inks) -> _PictureDiff | None:
    """Return the output that changes one picture into another; None if they look the same.

    All cells of an ink are written before those of the next: a change of ink takes some 20 bytes, a step of the
    cursor 4 to 8. A new picture is written row by row, since a slow terminal shows it as it comes. The output is
    cached, because most parts change in the same way for all guests at a table.
    """
    segments: list[_Segment] = []
    for y, row in enumerate(new.rows):
        old_row = old.rows[y] if old else None
        if old_row == row:
            continue
        if old_row is None:
            spans: list[Span] = [(0, row)]
        elif new.width <= MAX_GAP:
            spans = _narrow_change(old_row, row)
        else:
            spans = changed_spans(old_row, row, inks)
        for x, runs in spans:
            ink: Ink | None = None
            end = x
            for text, style in runs:
                new_ink = inks[style]
                if ink is None or (
                    new_ink is not ink and (not text.isspace() or new_ink.space_look != ink.space_look)
                ):
                    ink = new_ink
                start, end = end, end + len(text_cells(text))
                segments.append((ink, start, end, y, text))
    if not segments:
        return None
    return _write_segments(_group_by_ink(segments) if old else segments, segments[0][0])


def _group_by_ink(segments: Iterable[_Segment]) -> Iterable[_Segment]:
    """Return the segments of each ink together, in the order in which the inks come."""
    groups: dict[Ink, list[_Segment]] = {}
    for segment in segments:
        groups.setdefault(segment[0], []).append(segment)
    return chain.from_iterable(groups.values())


def _write_segments(segments: Iterable[_Segment], first_ink: Ink) -> _PictureDiff:
    """Return the output that writes these segments in their order."""
    ink = first_ink
    spans: list[tuple[int, int, str]] = []
    cursor_x = cursor_y = -1
    for segment_ink, x, end, y, text in segments:
        if PART in text:  # the colour is the number of an image, so it must not be reversed
            codes, ink = ink_change(ink, segment_ink), segment_ink
        else:
            codes, ink = shortest_ink_change(ink, segment_ink) if segment_ink is not ink else ("", ink)
        if y == cursor_y and x >= cursor_x:
            left, top, written_text = spans[-1]
            step = f"\x1b[{x - cursor_x}C" if x > cursor_x else ""
            spans[-1] = left, top, f"{written_text}{step}{codes}{text}"
        else:
            spans.append((x, y, codes + text))
        cursor_x, cursor_y = end, y
    return _PictureDiff(first_ink, tuple(spans), ink)


_small_diff = lru_cache(maxsize=2048)(_picture_diff)
_large_diff = lru_cache(maxsize=256)(_picture_diff)


def changed_spans(old: Row, new: Row, inks: Mapping[Style, Ink]) -> list[Span]:
    """Return the changed spans of a row, each with its first column; both rows have the same width."""
    first_column, first_run, stop_run = _differing_runs(old, new)
    new_runs = new[first_run:stop_run]
    difference_bytes = bytes(
        map(is_not, _visible_in_row(old[first_run:stop_run], inks), _visible_in_row(new_runs, inks))
    )
    return [
        (first_column + match.start(), _runs_between(new_runs, *match.span()))
        for match in _SPAN.finditer(difference_bytes)
    ]


def _differing_runs(old: Row, new: Row) -> tuple[int, int, int | None]:
    """Return the column and index of the first run that differs, and the negative index behind the last one."""
    first = left = 0
    for old_run, new_run in zip(old, new, strict=False):
        if old_run != new_run:
            break
        first += 1
        left += len(text_cells(new_run[0]))
    last, lowest = -1, first - min(len(old), len(new))
    while last >= lowest and old[last] == new[last]:
        last -= 1
    return left, first, last + 1 or None


def _narrow_change(old: Row, new: Row) -> list[Span]:
    """Return one span from the first to the last changed cell: cheaper than `changed_spans` for a few cells."""
    left, first, stop = _differing_runs(old, new)
    return [(left, new[first:stop])]


def _visible_in_row(row: Sequence[Run], inks: Mapping[Style, Ink]) -> Iterable[object]:
    """Yield the visible content of each cell of a row."""
    return chain.from_iterable([_visible_in_text(text, inks[style]) for text, style in row])


@lru_cache(maxsize=CACHED_TEXTS)
def _visible_in_text(text: str, ink: Ink) -> tuple[object, ...]:
    """Return the visible content of each cell; the second half of a wide character belongs to the first."""
    letters = text_cells(text)
    whole_letters = (letters[n - 1] + " " if letter == "" else letter for n, letter in enumerate(letters))
    return tuple(_cell(letter, ink.space_look if letter == " " else ink) for letter in whole_letters)


class _Cell:
    """A cell with a letter in an ink. `_cell` makes one for each pair, so equal cells are identical."""

    __slots__ = ()

    def __init__(self, letter: str, ink: object) -> None:
        pass


_cell = lru_cache(maxsize=16384)(_Cell)
"""Cache of cells. If one was evicted in the meantime, an unchanged cell is written again, which does no harm."""


@lru_cache(maxsize=CACHED_TEXTS)
def text_cells(text: str) -> Sequence[str]:
    """Return the cells of a text; a cell of an image takes three characters."""
    if PART in text:
        plain_text, *parts = text.split(PART)
        return (*plain_text, *(letter for part in parts for letter in (PART + part[:2], *part[2:])))
    line = cells(text)
    return text if line == tuple(text) else line


def _runs_between(row: Sequence[Run], start: int, stop: int) -> tuple[Run, ...]:
    """Return the runs of a row between two columns."""
    runs: list[Run] = []
    x = 0
    for run in row:
        letters = text_cells(run[0])
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
