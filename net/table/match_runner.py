"""The matches of one table, one after the other: the moment of play, its record, and its chance."""

from collections.abc import Callable, Iterable
from random import Random

from core.actions import Action, Event
from core.bots.levels import BOTS
from core.chance import deal_order
from core.layout.placed import NOBODY
from core.match import Match
from core.records import (
    FORMAT,
    ActionLine,
    DealLine,
    Line,
    MatchLine,
    RecordError,
    Seat,
    closing_of,
    referee,
    results,
    write,
)
from core.seals import NO_SIGNING, Closing, SealLine, Signature, Signing, WitnessLine, attestation
from net.table.fair_deal import Shuffle
from net.wire.messages import Attest


class MatchRunner:
    """The match that is played, or was played last. It begins from the same fresh one each time."""

    def __init__(
        self, fresh: Match, seeds: Callable[[], bytes], software: str, signing: Signing = NO_SIGNING
    ) -> None:
        """`seeds` gives the host's secret for each match; `software` is for the record, which is signed."""
        self.match: Match | None = None
        self.lines: list[str] = []
        """The record so far."""
        self.fresh = fresh
        self.shuffle = Shuffle(seeds(), fresh.rules.seats)
        """Of the match being played, or else of the one to come."""
        self._seeds = seeds
        self._software = software
        self._signing = signing
        self._closing = Closing()
        self._rng = Random()
        self._untaken = 0
        self._begins = False
        self._opened = 2
        """Lines of the record up to the first deal and what follows from it alone."""

    @property
    def under_way(self) -> bool:
        """Whether a match has begun and is not over."""
        return self.match is not None and not self.match.over

    @property
    def shuffling(self) -> bool:
        """Whether all are there, and shares are being shown before the first deal."""
        return self.shuffle.closed and not self.under_way

    @property
    def turn(self) -> int:
        """The seat to act; -1 when nobody is."""
        return self.match.turn if self.match else NOBODY

    @property
    def moment(self) -> tuple[int, int]:
        """The round and the seat on turn, to tell one turn from another."""
        return (self.match.round, self.match.turn) if self.match else (0, NOBODY)

    @property
    def just_begun(self) -> bool:
        """Whether nothing has happened since the first deal."""
        return bool(self.match) and len(self.lines) == self._opened

    def deal(self, seats: Iterable[Seat]) -> tuple[Event, ...]:
        """Deal the next round, of a new match between these if there is none or the last is over."""
        if self.match is None or self.match.over:
            self.match = self.fresh
            self._rng = Random(self.shuffle.secret + b"bots")
            self.lines, self._untaken, self._begins = [], 0, True
            begun = MatchLine(
                FORMAT, self.fresh.variant.id, self.fresh.options, tuple(seats), self._software, self.shuffle.fair
            )
            self._write(begun)
        rules = self.match.rules
        order, lot = deal_order(rules.tiles, rules.seats, self.shuffle.key, self.match.deals + 1)
        self.match, events = self.match.deal(order, lot)
        self._write(DealLine(self.match.round, lot, order), *results(self.match, events, self.shuffle.secret))
        if self.match.deals == 1:
            self._opened = len(self.lines)
        return events

    def apply(self, action: Action) -> tuple[Event, ...]:
        """Do what the seat on turn wants. Raises Illegal, with a sentence for that player, for what is not legal."""
        if self.match is None:
            return ()
        seat = self.match.turn
        self.match, events = self.match.apply(action)
        self._write(ActionLine(seat, action), *results(self.match, events, self.shuffle.secret))
        if self.match.over:
            self._close()
        return events

    def stop(self) -> tuple[Event, ...]:
        """End a match that may never end by itself. Raises Illegal, with a sentence, for any other."""
        if self.match is None:
            return ()
        self.match, events = self.match.stop()
        self._write(*results(self.match, events, self.shuffle.secret))
        self._close()
        return events

    def attest(self, seat: int, key: str, said: Attest) -> None:
        """Add a player's word to the record of the match that is over, if he signed it with his own key.

        `key` is its fingerprint. What comes too late, twice, or is not so changes nothing.
        """
        signature = Signature(said.key, said.signature)
        if not key or not said.chain or said.chain != self._closing.chain:
            return
        if self._signing.check(attestation(said.chain, seat), signature) == key:
            line = WitnessLine(seat, *signature)
            if not self._closing.problem(line):
                self.lines.append(write(line))

    def choice(self, level: str) -> Action:
        """What a bot of this level would do for the seat on turn, from what that seat may know."""
        assert self.match is not None  # noqa: S101 - somebody is on turn
        return BOTS[level](self.match.view(self.match.turn), self._rng)

    def take(self) -> tuple[tuple[str, ...], bool, bool, int]:
        """Return the lines since the last call, whether they begin a match, or end it, and how many were before."""
        first, begins = self._untaken, self._begins
        lines = tuple(self.lines[first:])
        self._untaken, self._begins = len(self.lines), False
        return lines, begins, bool(lines) and not self.under_way, first

    def resume(self, lines: Iterable[str], shuffle: Shuffle) -> None:
        """Take up what was kept, refereed anew.

        Raises `core.records.RecordError` when the lines are not what the rules make of them.
        """
        self.lines = list(lines)
        self._untaken = len(self.lines)
        self.shuffle = shuffle
        try:
            for text, step in zip(self.lines, referee(self.lines), strict=False):
                self.match = step.match
                self._note(step.line, text)
        except RecordError as error:
            if error.line <= len(self.lines):  # else it only stops before the match is over
                raise

    def _close(self) -> None:
        """Seal the record of a match that is over; the next one has another chance."""
        if self._closing.due:  # not where the match began under a version that sealed nothing
            self._write(self._closing.seal(self._signing.sign))
        self.shuffle = Shuffle(self._seeds(), self.fresh.rules.seats)

    def _write(self, *lines: Line) -> None:
        for line in lines:
            self.lines.append(write(line))
            self._note(line, self.lines[-1])

    def _note(self, line: Line, text: str) -> None:
        """Let the chain go on with a line."""
        if isinstance(line, MatchLine):
            self._closing = closing_of(line)
        if isinstance(line, SealLine | WitnessLine):
            self._closing.problem(line)
        else:
            self._closing.add(text)
