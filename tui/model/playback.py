"""A recorded match as it is played back: where one is, whose hand is shown, playing or paused, and how fast."""

from collections.abc import Iterable
from typing import NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from core.layout.state import NOBODY
from core.match import Match
from core.records import PLAYED, DealLine, MatchLine, RecordError, Step, referee
from net.players.text import clean_name
from net.wire.messages import SeatInfo

SPEEDS = (0.5, 1.0, 2.0, 4.0, 8.0)
USUAL = SPEEDS.index(1.0)
MAX_STEPS = 100_000
"""Lines that are shown, each with the match as it stood: some 300 matches, in 200 MiB at the most."""
ON_TURN, ALL = -2, -3
"""Whose hand is shown, if neither a seat's nor that of `NOBODY`: of whoever is to play, or everybody's."""
DEAL_SECONDS, MOVE_SECONDS, RESULT_SECONDS = 2.0, 1.0, 4.0
"""How long a step stays on view at the usual speed."""


class Frame(NamedTuple):
    """A step that is shown: a deal, an action or one taken back, with all that follows from it."""

    step: Step
    head: MatchLine
    """The first line of its match."""
    seats: tuple[SeatInfo, ...]
    """Who plays, by names that may be shown."""
    number: int
    """Of its match in the file, from one."""
    moves: int
    """Actions in its round so far, each that was taken back among them, and each taking back."""

    @property
    def match(self) -> Match:
        """The match as it then stands."""
        return self.step.match

    @property
    def deals(self) -> bool:
        """Whether a round begins with it."""
        return isinstance(self.step.line, DealLine)

    @property
    def names(self) -> tuple[str, ...]:
        """The names on the seats."""
        return tuple(seat.name for seat in self.seats)


class Recording:
    """All that is shown of a record, and why it goes no further, if it does not."""

    def __init__(self, steps: Iterable[Step], problem: str = "") -> None:
        self.problem = problem
        self.frames: list[Frame] = []
        self.matches = 0
        self._rounds: dict[int, int] = {}
        self._moves: dict[tuple[int, int], int] = {}
        seats: tuple[SeatInfo, ...] = ()
        moves, before = 0, (0, 0)
        for step in steps:
            if isinstance(step.line, MatchLine):
                head = step.line
                self.matches += 1
                seats = tuple(SeatInfo(clean_name(seat.name) or "?", seat.bot) for seat in head.seats)
            if isinstance(step.line, PLAYED):
                here = (self.matches, step.match.round)
                moves = (moves if here == before else 0) + (not isinstance(step.line, DealLine))
                before = here
                self.frames.append(Frame(step, head, seats, self.matches, moves))
                self._rounds[self.matches] = step.match.round
                self._moves[here] = moves

    def rounds(self, frame: Frame) -> int:
        """How many rounds the match of a frame has."""
        return self._rounds[frame.number]

    def moves(self, frame: Frame) -> int:
        """How many actions the round of a frame has."""
        return self._moves[frame.number, frame.match.round]


class Playback(Struct, frozen=True):
    """A moment of the playback; every change is another one."""

    recording: Recording
    at: int = 0
    playing: bool = False
    pace: int = USUAL
    """Which of the `SPEEDS` it plays at."""
    whose: int = ON_TURN
    """Whose hand is shown: a seat's, nobody's (`NOBODY`), `ON_TURN` or `ALL`."""

    @property
    def frame(self) -> Frame:
        """What is on view."""
        return self.recording.frames[self.at]

    @property
    def ended(self) -> bool:
        """Whether the last step is on view."""
        return self.at == len(self.recording.frames) - 1

    @property
    def seat(self) -> int:
        """The seat whose hand is shown; nobody's when it is everybody's, and once all hands are on the table."""
        match = self.frame.match
        if match.turn == NOBODY:
            return NOBODY
        if self.whose == ON_TURN:
            return match.turn
        return self.whose if 0 <= self.whose < match.rules.seats else NOBODY

    @property
    def speed(self) -> float:
        """How many times as fast as usual it plays."""
        return SPEEDS[self.pace]

    @property
    def seconds(self) -> float:
        """How long this step stays on view while it plays."""
        usual = RESULT_SECONDS if self.frame.match.turn == NOBODY else MOVE_SECONDS
        return (DEAL_SECONDS if self.frame.deals else usual) / self.speed

    def go(self, to: int) -> "Playback":
        """Show a step; it plays on from there, if it played, but not from the last."""
        at = max(0, min(len(self.recording.frames) - 1, to))
        after = replace(self, at=at)
        return replace(after, playing=self.playing and not after.ended)

    def step(self, by: int) -> "Playback":
        """Go forward or back by hand, which pauses."""
        return replace(self.go(self.at + by), playing=False)

    def round(self, by: int) -> "Playback":
        """Go to the deal of the next round, or of this one, or of the one before."""
        deals = [number for number, frame in enumerate(self.recording.frames) if frame.deals]
        if by > 0:
            return self.go(next((n for n in deals if n > self.at), len(self.recording.frames) - 1))
        return self.go(next((n for n in reversed(deals) if n < self.at), 0))

    def toggled(self) -> "Playback":
        """Play, or pause; at the end it plays from the beginning."""
        if self.playing:
            return replace(self, playing=False)
        return replace(self.go(0) if self.ended else self, playing=True)

    def faster(self, by: int) -> "Playback":
        """Play at the next higher speed, or at the next lower one."""
        return replace(self, pace=max(0, min(len(SPEEDS) - 1, self.pace + by)))

    def next_hand(self) -> "Playback":
        """Show the hand of the next seat; after the last one all hands, then none, then that of who is to play."""
        seats = self.frame.match.rules.seats
        after = {ON_TURN: 0, ALL: NOBODY, NOBODY: ON_TURN}
        following = after.get(self.whose, self.whose + 1)
        return replace(self, whose=ALL if following >= seats else following)


def recorded(lines: Iterable[str]) -> Recording:
    """Return what is shown of the lines of a record: as far as they hold, and why they go no further."""
    steps: list[Step] = []
    problem = ""
    try:
        for step in referee(lines):
            if len(steps) == MAX_STEPS:
                problem = f"line {step.number}: only the first {MAX_STEPS:,} lines are shown"
                break
            steps.append(step)
    except RecordError as error:
        problem = str(error)
    return Recording(steps, problem)
