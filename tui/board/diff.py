"""What to write so that a terminal which shows one picture shows another: few cells, and few changes of colour."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import chain
from operator import is_not
from typing import NamedTuple

from tui.board.canvas import PART, Picture, Row, Run, Style, cells

GAP = 7
"""Cells that stay as they are and are written again, as that takes no more than to go past them."""
_SPAN = re.compile(rb"\x01(?:\x00{0,%d}\x01)*" % GAP)
"""What to write of a row, by what differs in each cell."""
UNDERLINED, REVERSED = "4", "7"
OFF = {"1": "22", "2": "22", "3": "23", "4": "24", "7": "27", "9": "29"}
"""What ends each way to write."""
Span = tuple[int, tuple[Run, ...]]
"""A column of a row, and the runs to write from there."""


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


TEXTS = 2048
"""Texts remembered cell by cell: more than 200 screens show at once. Those of yesterday's rounds need not stay."""
SMALL = 400
"""Cells of a picture, of whose kind many changes are remembered: a tile of a hand, a player, a line of text."""
PAIRS = 2048
"""Changes from one ink to another that are remembered."""
STYLES = 1024
"""Styles that are remembered of all themes; when there are more, all are found out anew."""


class Inks(dict[Style, Ink]):
    """How a terminal is told to write in each style, found out once for all that show the same colours."""

    __hash__ = object.__hash__  # type: ignore[assignment]

    def __init__(self, find: Callable[[Style], Ink]) -> None:
        super().__init__()
        self._find = find

    def __missing__(self, style: Style) -> Ink:
        """Find out what was not asked before."""
        if len(self) >= STYLES:
            self.clear()
        ink = self[style] = self._find(style)
        return ink


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


@lru_cache(maxsize=PAIRS)
def ink_change(before: Ink | None, ink: Ink) -> str:
    """Return the sequence that changes from one ink to another; from None, whatever there was."""
    if before is None:
        parts = ["0", *sorted(ink.ways), ink.fg, ink.bg]
        return f"\x1b[{';'.join(part for part in parts if part not in ('39', '49'))}m"
    ended = {OFF[way] for way in before.ways - ink.ways}
    begun = {way for way in ink.ways if way not in before.ways or OFF[way] in ended}
    parts = [*sorted(ended), *sorted(begun)]
    parts += [new for old, new in ((before.fg, ink.fg), (before.bg, ink.bg)) if old != new]
    return f"\x1b[{';'.join(parts)}m" if parts else ""


@lru_cache(maxsize=PAIRS)
def turned_to(before: Ink | None, ink: Ink) -> tuple[str, Ink]:
    """Return the shortest sequence after which text is written as in an ink, and how that is: perhaps reversed.

    Next to a tile that costs half as much: its edge and its body have one colour in common, as ink and as ground.
    """
    ways = [ink] if before is None or ink.reversed is None else [ink, ink.reversed]
    return min(((ink_change(before, way), way) for way in ways), key=lambda pair: len(pair[0]))


_Replaced = tuple[int, int, Picture | None, Picture]
"""A column and a row, what is shown there, and what shall be."""


class _PictureDiff(NamedTuple):
    """What turns one picture into another."""

    begins: Ink
    """How the terminal is told to write before it is written."""
    spans: tuple[tuple[int, int, str], ...]
    """Columns and rows, and what to write there."""
    ends: Ink
    """How the terminal is told to write after that."""


def diff_pictures(old: Picture | None, new: Picture, inks: Inks) -> str:
    """Return what shows a picture where another of its size is shown, or none; whatever was written before."""
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


def _replaced(old: Picture, new: Picture, x: int, y: int, found: list[_Replaced]) -> list[_Replaced]:
    """Find where the parts of two pictures differ, and how: as small parts as have the same place in both."""
    if not old.parts or old.shape != new.shape:
        found.append((x, y, old, new))
        return found
    for (left, top, before), (_, _, part) in zip(old.parts, new.parts, strict=True):
        if before is not part:
            _replaced(before, part, x + left, y + top, found)
    return found


def _turned(old: Picture | None, new: Picture, inks: Inks) -> _PictureDiff | None:
    """Return what turns one picture into another; None where nothing is seen of it.

    Everybody at a table sees most parts change alike.
    """
    begins = ink = None
    spans = []
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
            parts: list[str] = []
            for text, style in runs:
                wanted = inks[style]
                if ink is None:
                    begins = ink = wanted
                elif PART in text:  # its colour says which picture it is
                    parts.append(ink_change(ink, wanted))
                    ink = wanted
                elif wanted is not ink and (not text.isspace() or wanted.ground != ink.ground):
                    codes, ink = turned_to(ink, wanted)
                    parts.append(codes)
                parts.append(text)
            spans.append((x, y, "".join(parts)))
    return _PictureDiff(begins, tuple(spans), ink) if begins and ink else None


_turned_small = lru_cache(maxsize=2048)(_turned)
_turned_large = lru_cache(maxsize=256)(_turned)


def changes(old: Row, new: Row, inks: Mapping[Style, Ink]) -> list[Span]:
    """Return the columns at which a row differs from one of the same width, each with the runs from there."""
    left, first, stop = _differing(old, new)
    part = new[first:stop]
    differs = bytes(map(is_not, _seen(old[first:stop], inks), _seen(part, inks)))
    return [(left + found.start(), _part(part, *found.span())) for found in _SPAN.finditer(differs)]


def _differing(old: Row, new: Row) -> tuple[int, int, int | None]:
    """Return the column of the first run that differs, and its number; and that of the last, from the end."""
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
    """The same for a row of a few cells: what stays as it is between others is written again in any case."""
    left, first, stop = _differing(old, new)
    return [(left, new[first:stop])]


def _seen(row: Sequence[Run], inks: Mapping[Style, Ink]) -> Iterable[object]:
    """What is seen of a row, cell by cell."""
    return chain.from_iterable([_seen_of(text, inks[style]) for text, style in row])


@lru_cache(maxsize=TEXTS)
def _seen_of(text: str, ink: Ink) -> tuple[object, ...]:
    """What is seen of a text; the second half of a wide character goes with the first."""
    letters = _letters(text)
    whole = (letters[n - 1] + " " if letter == "" else letter for n, letter in enumerate(letters))
    return tuple(_cell(letter, ink.ground if letter == " " else ink) for letter in whole)


class _Cell:
    """What stands for all cells that show a letter in an ink; to be told from others by what it is."""

    __slots__ = ()

    def __init__(self, letter: str, ink: object) -> None:
        pass


_cell = lru_cache(maxsize=16384)(_Cell)
"""Makes one for each; if it was forgotten in the meantime, a cell is written that need not be."""


@lru_cache(maxsize=TEXTS)
def _letters(text: str) -> Sequence[str]:
    """A text cell by cell; the cells of a picture are three characters each."""
    if PART in text:
        before, *parts = text.split(PART)
        return (*before, *(letter for part in parts for letter in (PART + part[:2], *part[2:])))
    line = cells(text)
    return text if line == tuple(text) else line


def _part(row: Sequence[Run], start: int, stop: int) -> tuple[Run, ...]:
    """The runs of a row between two columns."""
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
