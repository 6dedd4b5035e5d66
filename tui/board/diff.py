"""What to write so that a terminal which shows one picture shows another: few cells, and few changes of colour."""

from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from typing import NamedTuple

from tui.board.canvas import PART, Row, Run, Style, cells, columns

GAP = 7
"""Cells that stay as they are and are written again, as that takes no more than to go past them."""
UNDERLINED, REVERSED = "4", "7"
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
        """What is seen of it where a space is written; of a reversed one without colours, all."""
        if REVERSED not in self.ways:
            return UNDERLINED in self.ways, self.bg
        return (UNDERLINED in self.ways, f"48{self.fg[2:]}") if self.fg.startswith("38;") else self

    @property
    def reversed(self) -> "Ink | None":
        """Another way to write the same: with both colours exchanged; None where they are not named by numbers."""
        if not (self.fg.startswith("38;") and self.bg.startswith("48;")):
            return None
        return Ink(self.ways ^ {REVERSED}, f"38{self.bg[2:]}", f"48{self.fg[2:]}")


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


@lru_cache(maxsize=8192)
def turned_to(before: Ink | None, ink: Ink) -> tuple[str, Ink]:
    """Return the shortest sequence after which text is written as in an ink, and how that is: perhaps reversed.

    Next to a tile that costs half as much: its edge and its body have one colour in common, as ink and as ground.
    """
    ways = [ink] if before is None or ink.reversed is None else [ink, ink.reversed]
    return min(((turned(before, way), way) for way in ways), key=lambda pair: len(pair[0]))


def written(spans: Iterable[Span], ink_for: Callable[[Style], Ink]) -> str:
    """Return what shows these spans, whatever was written before them."""
    parts: list[str] = []
    ink: Ink | None = None
    for y, x, runs in spans:
        parts.append(f"\x1b[{y + 1};{x + 1}H")
        for text, style in runs:
            wanted = ink_for(style)
            if PART in text:  # its colour says which picture it is
                parts.append(turned(ink, wanted))
                ink = wanted
            elif wanted is not ink and (ink is None or not text.isspace() or wanted.ground != ink.ground):
                codes, ink = turned_to(ink, wanted)
                parts.append(codes)
            parts.append(text)
    return "".join(parts)


def changes(old: Row, new: Row, ink_for: Callable[[Style], Ink]) -> list[tuple[int, Row]]:
    """Return the columns at which a row differs from one of the same width, each with the runs from there."""
    first = _alike_runs(old, new)
    last = _alike_runs(old[first:][::-1], new[first:][::-1])
    left = sum([columns(text) for text, _ in new[:first]])
    old, new = old[first : len(old) - last], new[first : len(new) - last]
    return [(left + start, _part(new, start, stop)) for start, stop in _differing(old, new, ink_for)]


def _alike_runs(old: Row, new: Row) -> int:
    """How many runs at the beginning are the same."""
    count = min(len(old), len(new))
    return next((n for n in range(count) if old[n] != new[n]), count)


def _differing(old: Row, new: Row, ink_for: Callable[[Style], Ink]) -> list[list[int]]:
    """Return the columns from which and to which the rows differ, run by run: most cells need not be looked at."""
    spans: list[list[int]] = []
    found: Sequence[tuple[int, int]]
    end = -GAP - 1
    x = was_at = was_size = 0
    before = iter(old)
    for text, style in new:
        letters, at = _letters(text), 0
        size = len(letters)
        while at < size:
            if was_at == was_size:
                was_text, was_style = next(before)
                was, was_at = _letters(was_text), 0
                was_size = len(was)
            count = min(size - at, was_size - was_at)
            here, there = letters[at : at + count], was[was_at : was_at + count]
            if style == was_style:
                found = [(n, n + 1) for n in range(count) if here[n] != there[n]] if here != there else ()
            elif here == there and _alike(here, ink_for(style), ink_for(was_style)):
                found = ()
            else:
                found = ((0, count),)
            for first, last in found:
                start, stop = x + first - (here[first] == ""), x + last  # both halves of a wide character
                if start - end <= GAP:
                    spans[-1][1] = stop
                else:
                    spans.append([start, stop])
                end = stop
            x, at, was_at = x + count, at + count, was_at + count
    return spans


def _alike(letters: Sequence[str], ink: Ink, before: Ink) -> bool:
    """Whether the same letters are seen alike in two inks."""
    return ink is before or (ink.ground == before.ground and all(letter == " " for letter in letters))


@lru_cache(maxsize=8192)
def _letters(text: str) -> Sequence[str]:
    """A text cell by cell; the cells of a picture are three characters each."""
    if PART in text:
        before, *parts = text.split(PART)
        return (*before, *(letter for part in parts for letter in (PART + part[:2], *part[2:])))
    line = cells(text)
    return text if len(line) == len(text) else line


def _part(row: Row, start: int, stop: int) -> Row:
    """The runs of a row between two columns."""
    runs: list[Run] = []
    x = 0
    for text, style in row:
        letters = _letters(text)
        width = len(letters)
        if start <= x and x + width <= stop:
            runs.append((text, style))
        elif start < x + width:
            runs.append(("".join(letters[max(start - x, 0) : stop - x]), style))
        x += width
        if x >= stop:
            break
    return tuple(runs)
