"""What to write so that a terminal which shows one picture shows another: few cells, and few changes of colour."""

from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from typing import NamedTuple

from tui.board.canvas import PART, Row, Run, Style, cells, columns

GAP = 7
"""Cells that stay as they are and are written again, as that takes no more than to go past them."""
OFF = {"1": "22", "2": "22", "3": "23", "4": "24", "7": "27", "9": "29"}
"""What ends each way to write."""
Span = tuple[int, int, Row]
"""A row, a column, and the runs to write from there."""


class Ink(NamedTuple):
    """How a terminal is told to write: the parameters of SGR, which for a colour are several."""

    ways: frozenset[str] = frozenset()
    """Bold, underlined, reversed …"""
    fg: str = "39"
    bg: str = "49"

    @property
    def ground(self) -> "Ink | tuple[bool, str]":
        """What is seen of it where a space is written; on a reversed one, all."""
        return self if "7" in self.ways else ("4" in self.ways, self.bg)


@lru_cache(maxsize=1024)
def ink_of(codes: str) -> Ink:
    """Read the parameters of one SGR sequence."""
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


@lru_cache(maxsize=8192)
def turned(before: Ink | None, ink: Ink) -> str:
    """Return the sequence that changes from one ink to another; from None, whatever there was."""
    if before is None:
        parts = ["0", *sorted(ink.ways), ink.fg, ink.bg]
        return f"\x1b[{';'.join(part for part in parts if part not in ('39', '49'))}m"
    ended = {OFF[way] for way in before.ways - ink.ways}
    begun = {way for way in ink.ways if way not in before.ways or OFF[way] in ended}
    parts = [*sorted(ended), *sorted(begun)]
    parts += [new for old, new in ((before.fg, ink.fg), (before.bg, ink.bg)) if old != new]
    return f"\x1b[{';'.join(parts)}m" if parts else ""


def written(spans: Iterable[Span], ink_for: Callable[[Style], Ink]) -> str:
    """Return what shows these spans, whatever was written before them."""
    parts: list[str] = []
    ink: Ink | None = None
    for y, x, runs in spans:
        parts.append(f"\x1b[{y + 1};{x + 1}H")
        for text, style in runs:
            wanted = ink_for(style)
            if wanted is not ink and (ink is None or not text.isspace() or wanted.ground != ink.ground):
                parts.append(turned(ink, wanted))
                ink = wanted
            parts.append(text)
    return "".join(parts)


def changes(old: Row, new: Row, ink_for: Callable[[Style], Ink]) -> list[tuple[int, Row]]:
    """Return the columns at which a row differs from one of the same width, each with the runs from there."""
    least = min(len(old), len(new))
    same = next((n for n in range(least) if old[n] != new[n]), least)
    least -= same
    tail = next((n for n in range(least) if old[-1 - n] != new[-1 - n]), least)
    first, old, new = (
        sum(columns(text) for text, _ in new[:same]),
        old[same : len(old) - tail],
        new[same : len(new) - tail],
    )
    before, after = _cells(old, ink_for), _cells(new, ink_for)
    spans: list[tuple[int, int]] = []
    for x, (was, is_) in enumerate(zip(before, after, strict=True)):
        if was != is_:
            start = x - (is_[0] == "")  # both halves of a wide character
            if spans and start - spans[-1][1] <= GAP:
                spans[-1] = (spans[-1][0], x + 1)
            else:
                spans.append((start, x + 1))
    return [(first + start, _part(new, start, stop)) for start, stop in spans]


def _cells(row: Row, ink_for: Callable[[Style], Ink]) -> list[tuple[str, object]]:
    """What is seen in each cell."""
    line: list[tuple[str, object]] = []
    for text, style in row:
        ink = ink_for(style)
        blank = (" ", ink.ground)
        line += [blank if letter == " " else (letter, ink) for letter in _letters(text)]
    return line


def _letters(text: str) -> Sequence[str]:
    """A text cell by cell; the cells of a picture are three characters each."""
    if text.isascii():
        return text
    if PART in text:
        before, *parts = text.split(PART)
        return [*before, *(letter for part in parts for letter in (PART + part[:2], *part[2:]))]
    return cells(text)


def _part(row: Row, start: int, stop: int) -> Row:
    """The runs of a row between two columns."""
    runs: list[Run] = []
    x = 0
    for text, style in row:
        letters = _letters(text)
        first, last = max(start - x, 0), min(stop - x, len(letters))
        if first < last:
            runs.append(("".join(letters[first:last]), style))
        x += len(letters)
        if x >= stop:
            break
    return tuple(runs)
