"""What a client saw of a match, update by update, to hold its record against."""

from collections.abc import Iterable
from copy import copy

from core.actions import Dealt, Event, cut
from core.layout import NOBODY
from core.match import MatchView
from core.records import MatchLine, Step
from net.messages import Update

MOST_EVENTS = 100_000
"""Events of one match that are kept; the longest honest one has a few thousand. A host may not fill the memory."""


class Seen:
    """The match at the table where a client is; of one that it missed a part of, only how it ended."""

    def __init__(self) -> None:
        self.seat = NOBODY
        """The client's own, in this match."""
        self.whole = False
        """Whether nothing of the match was missed."""
        self._number = 0
        self._table = 0
        self._match: MatchView | None = None
        self._seats: list[tuple[str, str]] = []
        self._events: list[Event] = []

    def after(self) -> "Seen":
        """Return what goes on from here, while this one stays as it is."""
        other = copy(self)
        other._events = list(self._events)
        return other

    def hear(self, update: Update) -> None:
        """Take note of an update."""
        gap = update.table.id != self._table or update.number > self._number + 1
        if update.table.id == self._table and update.number <= self._number:
            return  # told once more, with the answer to something that could not be done
        before, self._match = None if update.table.id != self._table else self._match, update.match
        self._table, self._number = update.table.id, update.number
        if update.match is None:
            return
        if (before is None or before.over) and not update.match.over:
            self.seat = update.seat
            self.whole = update.events[:1] == (Dealt(1),)
            self._seats = [(seat.name, seat.bot) for seat in update.table.seats]
            self._events = []
        elif gap or update.seat != self.seat or len(self._events) > MOST_EVENTS:
            self.whole, self._events = False, []
        if self.whole:
            self._events += update.events

    def problem(self, steps: Iterable[Step]) -> str:
        """Say what in the record of this match is not as it was seen; empty when nothing is."""
        first: MatchLine | None = None
        last, events = None, []
        for step in steps:
            first = first or (step.line if isinstance(step.line, MatchLine) else None)
            last = step.match
            events += [cut(event, self.seat) for event in step.events]
        match = self._match
        if first is None or last is None or match is None or not match.over:
            return ""
        if (first.game, first.options, len(first.seats)) != (match.game, match.options, match.players):
            return "the record is of another game, or of other house rules, than were played"
        if (last.round, last.scores, last.winners) != (match.round, match.scores, match.winners):
            return "the record has another result than the match had"
        if self.whole and [(seat.name, seat.bot) for seat in first.seats] != self._seats:
            return "the record has other players than sat at the table"
        if self.whole and events != self._events:
            return "the record has other moves than were made"
        return ""
