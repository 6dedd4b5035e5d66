"""The list of all tables as lobbies show it: in pages, in order, and only those that somebody looks for.

It does no input or output. It is as large as the host, or as the whole cluster, and so looks at a table only once.
"""

from bisect import bisect_left, insort
from collections import defaultdict
from collections.abc import Iterator

from msgspec import Struct

from core.games import games_named
from core.layout.state import NOBODY
from core.lookup import plain
from net.limits import SEARCH_LENGTH, TABLES_PER_PAGE
from net.players.names_in_use import NamesInUse
from net.players.text import clean
from net.wire.messages import Browse, TableInfo, Tables

_Place = tuple[bool, int]
"""Where a table is in the list: those where people are waited for come first, then the oldest."""
_Filter = tuple[str, bool]
_MOST_KEPT = 100
"""Answers kept for others who look for the same; each new one of 2,500 tables takes less than a millisecond."""


class _Line(Struct, frozen=True):
    """A table in the list."""

    info: TableInfo
    tokens: tuple[str, ...]
    """Whose the seats are, by seat; empty for a free one or a bot's."""
    words: str
    """What may be looked for, each word with a blank before it."""

    @property
    def free(self) -> bool:
        return any(seat.free for seat in self.info.seats)

    @property
    def place(self) -> _Place:
        return not (self.free and self.info.phase == "waiting"), self.info.id


class Listing:
    """All tables, and the names of those who have seats there."""

    def __init__(self) -> None:
        self.names = NamesInUse()
        self._lines: dict[int, _Line] = {}
        self._order: list[_Place] = []
        self._seats: defaultdict[str, set[int]] = defaultdict(set)
        """By token, where a seat is kept."""
        self._found: dict[_Filter, list[_Place]] = {}
        self._pages: dict[tuple[_Filter, int], Tables] = {}
        """Both as long as no table changes."""

    def __len__(self) -> int:
        return len(self._lines)

    def put(self, info: TableInfo, tokens: tuple[str, ...]) -> bool:
        """List a table as it is now, with the tokens of its seats; return whether it is different from before."""
        before = self._lines.get(info.id)
        if before is not None and (before.info, before.tokens) == (info, tokens):
            return False
        words = " ".join((f" {info.id}", plain(info.name), *(plain(seat.name) for seat in info.seats)))
        line = _Line(info, tokens, words)
        self.drop(info.id)
        self._lines[info.id] = line
        insort(self._order, line.place)
        for seat, token in zip(info.seats, tokens, strict=True):
            if token:
                self._seats[token].add(info.id)
                self.names.add(seat.name, token)
        return True

    def drop(self, number: int) -> None:
        """A table is gone; harmless when it was not there."""
        self._found.clear()
        self._pages.clear()
        line = self._lines.pop(number, None)
        if line is None:
            return
        del self._order[bisect_left(self._order, line.place)]
        for seat, token in zip(line.info.seats, line.tokens, strict=True):
            if token:
                self.names.discard(seat.name, token)
                self._seats[token].discard(number)
                if not self._seats[token]:
                    del self._seats[token]

    def __iter__(self) -> Iterator[int]:
        """The numbers of all tables."""
        return iter(self._lines)

    def get(self, number: int) -> tuple[TableInfo, tuple[str, ...]] | None:
        """A table as it is listed, and the tokens of its seats; None if it is not."""
        line = self._lines.get(number)
        return None if line is None else (line.info, line.tokens)

    def kept_for(self, token: str) -> int:
        """The table at which a seat is kept: one with a match before one without, and the newest; -1 for none."""
        numbers = self._seats.get(token, ())
        return max(numbers, key=lambda number: (self._lines[number].info.phase != "waiting", number), default=NOBODY)

    def page(self, browse: Browse, token: str = "") -> Tables:
        """What a guest sees who looks at the tables this way: their own comes first. The page may be the last one.

        Those who see the same are given the same message, not one like it.
        """
        key = _filter(browse)
        found, own = self._look_for(key), self.kept_for(token) if token else NOBODY
        page = min(browse.page, max(0, len(found) - 1) // TABLES_PER_PAGE)
        if own != NOBODY:
            return self._shown(found, page, own)
        if (key, page) not in self._pages:
            if len(self._pages) >= _MOST_KEPT:
                self._pages.clear()
            self._pages[key, page] = self._shown(found, page, NOBODY)
        return self._pages[key, page]

    def _shown(self, found: list[_Place], page: int, own: int) -> Tables:
        first = page * TABLES_PER_PAGE
        beyond = first + TABLES_PER_PAGE
        places = found[first:beyond]
        if own != NOBODY:
            mine = self._lines[own].place
            at = bisect_left(found, mine)
            if at >= first and mine in found[at : at + 1]:  # it moves to the front, and all before it move on by one
                others = [place for place in found[max(0, first - 1) : beyond] if place != mine]
                places = ([] if first else [mine]) + others
        infos = tuple(self._lines[number].info for _, number in places[:TABLES_PER_PAGE])
        return Tables(infos, own, page, len(found), len(self._lines))

    def _look_for(self, key: _Filter) -> list[_Place]:
        """The places of the tables that are looked for, in order."""
        text, free = key
        if not text and not free:
            return self._order
        if key not in self._found:
            if len(self._found) >= _MOST_KEPT:
                self._found.clear()
            words = [(f" {word}", {variant.id for variant in games_named(word)}) for word in text.split()]
            lines = (self._lines[number] for _, number in self._order)
            self._found[key] = [
                line.place
                for line in lines
                if (line.free or not free)
                and all(word in line.words or line.info.game in games for word, games in words)
            ]
        return self._found[key]


def _filter(browse: Browse) -> _Filter:
    return plain(clean(browse.words, SEARCH_LENGTH)), browse.free
