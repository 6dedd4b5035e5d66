"""A finished match taken apart for the coach: its deals, and every decision with what the seat knew then."""

from collections.abc import Iterable
from hashlib import sha256

from msgspec import Struct

from core.actions import Action
from core.match import Match, MatchView
from core.records import PLAYED, ActionLine, BackLine, DealLine, MatchLine, Seat, Step, referee, write
from core.tiles import Tile
from core.variant import Options


class Decision(Struct, frozen=True):
    """A choice between several actions, and what was chosen."""

    round: int
    number: int
    """The step of `boneyard replay` at which it is on view, from one: deals and actions are steps."""
    seat: int
    action: Action
    """What the seat did."""
    view: MatchView
    """What it knew when it chose."""
    seed: bytes
    """For the chance in judging it: the same record is always judged alike."""


class Deal(Struct, frozen=True):
    """One deal that was played, with what it takes to play it once more."""

    game: str
    options: Options
    round: int
    tiles: tuple[Tile, ...]
    lot: int
    players: int
    leader: int
    winner: int
    """Who led and who won the round before."""
    carry: tuple[int, ...]
    """What the round before handed on."""
    scores: tuple[int, ...]
    """By side, before the round."""
    after: tuple[int, ...]
    """By side, when it was over."""
    seed: bytes


class Recorded(Struct, frozen=True):
    """A finished match."""

    seats: tuple[Seat, ...]
    match: Match
    """As it ended."""
    deals: tuple[Deal, ...]
    decisions: tuple[Decision, ...]


class NoMatchError(Exception):
    """A record has not the one match that is wanted: it has so many."""

    def __init__(self, matches: int) -> None:
        super().__init__(matches)
        self.matches = matches


def read_match(lines: Iterable[str], wanted: int = 0) -> Recorded:
    """Take apart a match of a record, by its number from one; 0 is the only one.

    Raises `core.records.RecordError` where the record is not valid, and NoMatchError if it has no such match.
    """
    return take_apart(referee(lines), wanted)


def take_apart(steps: Iterable[Step], wanted: int = 0) -> Recorded:
    """Do the same from the steps of a record."""
    matches = shown = 0
    reader: _Reader | None = None
    for step in steps:
        matches += isinstance(step.line, MatchLine)
        shown += isinstance(step.line, PLAYED)
        if matches == (wanted or 1):
            if isinstance(step.line, MatchLine):
                reader = _Reader(step.line, step.match)
            elif reader:
                reader.add(step, shown)
    if reader is None or (not wanted and matches > 1):
        raise NoMatchError(matches)
    return reader.read()


class _Reader:
    """Notes the deals and decisions of one match while it is refereed."""

    def __init__(self, line: MatchLine, match: Match) -> None:
        self._seats = line.seats
        self._match = match
        self._line = line
        self._deals: list[Deal] = []
        self._decisions: list[Decision] = []
        self._dealt: tuple[DealLine, Match] | None = None

    def add(self, step: Step, shown: int) -> None:
        """Note a line, up to which so many steps have been shown in a replay."""
        before, self._match = self._match, step.match
        match step.line:
            case DealLine():
                self._dealt = (step.line, before) if step.match.turn >= 0 else None
            case ActionLine(action=action):
                if len(before.legal) > 1:
                    self._decisions.append(decision_of(self._line, before, shown - 1, action))
                if step.match.turn < 0:
                    self._played()
            case BackLine():  # what was taken back was no decision
                taken_back = _choices(before) - _choices(step.match)
                del self._decisions[len(self._decisions) - taken_back :]

    def _played(self) -> None:
        if self._dealt is None:
            return
        (line, before), match = self._dealt, self._match
        self._deals.append(
            Deal(
                match.variant.id,
                match.options,
                line.round,
                line.tiles,
                line.lot,
                match.rules.seats,
                before.leader,
                before.winner,
                before.carry,
                before.scores,
                match.scores,
                _seed_of(self._line, -line.round),
            )
        )

    def read(self) -> Recorded:
        return Recorded(self._seats, self._match, tuple(self._deals), tuple(self._decisions))


def _choices(match: Match) -> int:
    """How often somebody had a choice since the last deal."""
    return sum(len(before.legal) > 1 for before, _action in match.past)


def decision_of(line: MatchLine, match: Match, number: int, action: Action) -> Decision:
    """Return what the seat on turn decides by an action in a match with this first line."""
    seat = match.turn
    return Decision(match.round, number, seat, action, match.view(seat), _seed_of(line, number))


def _seed_of(line: MatchLine, number: int) -> bytes:
    return sha256(b"%s %d" % (write(line).encode(), number)).digest()
