"""The state of a replay: its step, whose hand is open, playing or paused, and the speed."""

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
USUAL_PACE = SPEEDS.index(1.0)
MAX_STEPS = 100_000
"""Maximum number of lines that are replayed, each with the match at that point: some 300 matches, at most 200 MiB."""
ON_TURN, ALL = -2, -3
"""Values of `open_hand` besides a seat and `NOBODY`: the player on turn, or everybody."""
DEAL_SECONDS, MOVE_SECONDS, RESULT_SECONDS = 2.0, 1.0, 4.0
"""Seconds that a step stays in view at the usual speed."""


class Frame(NamedTuple):
    """A step of the replay: a deal, an action or one taken back, with all its consequences."""

    step: Step
    head: MatchLine
    """The first line of its match."""
    seats: tuple[SeatInfo, ...]
    """The players, by cleaned names."""
    number: int
    """Number of its match in the file, from 1."""
    moves: int
    """Actions in its round so far, including those taken back and each taking back."""

    @property
    def match(self) -> Match:
        """The match after the step."""
        return self.step.match

    @property
    def is_deal(self) -> bool:
        """True if a round begins with the step."""
        return isinstance(self.step.line, DealLine)

    @property
    def names(self) -> tuple[str, ...]:
        """The names on the seats."""
        return tuple(seat.name for seat in self.seats)


class Recording:
    """All frames of a record, and the reason if it ends early."""

    def __init__(self, steps: Iterable[Step], problem: str = "") -> None:
        self.problem = problem
        self.frames: list[Frame] = []
        self.matches = 0
        self._rounds: dict[int, int] = {}
        self._moves: dict[tuple[int, int], int] = {}
        seats: tuple[SeatInfo, ...] = ()
        moves, round_before = 0, (0, 0)
        for step in steps:
            if isinstance(step.line, MatchLine):
                head = step.line
                self.matches += 1
                seats = tuple(SeatInfo(clean_name(seat.name) or "?", seat.bot) for seat in head.seats)
            if isinstance(step.line, PLAYED):
                round_key = (self.matches, step.match.round)
                moves = (moves if round_key == round_before else 0) + (not isinstance(step.line, DealLine))
                round_before = round_key
                self.frames.append(Frame(step, head, seats, self.matches, moves))
                self._rounds[self.matches] = step.match.round
                self._moves[round_key] = moves

    def round_count(self, frame: Frame) -> int:
        """Return the number of rounds in the match of a frame."""
        return self._rounds[frame.number]

    def move_count(self, frame: Frame) -> int:
        """Return the number of actions in the round of a frame."""
        return self._moves[frame.number, frame.match.round]


class Playback(Struct, frozen=True):
    """A moment of the replay, as an immutable value."""

    recording: Recording
    at: int = 0
    is_playing: bool = False
    pace: int = USUAL_PACE
    """Index of the speed in `SPEEDS`."""
    open_hand: int = ON_TURN
    """The open hand: a seat's, nobody's (`NOBODY`), `ON_TURN` or `ALL`."""

    @property
    def frame(self) -> Frame:
        """The frame in view."""
        return self.recording.frames[self.at]

    @property
    def is_at_end(self) -> bool:
        """True if the last step is in view."""
        return self.at == len(self.recording.frames) - 1

    @property
    def seat(self) -> int:
        """The seat whose hand is open; NOBODY if it is not the hand of one seat, or all hands lie on the table."""
        match = self.frame.match
        if match.turn == NOBODY:
            return NOBODY
        if self.open_hand == ON_TURN:
            return match.turn
        return self.open_hand if 0 <= self.open_hand < match.rules.seats else NOBODY

    @property
    def speed(self) -> float:
        """Current speed, as a multiple of the usual one."""
        return SPEEDS[self.pace]

    @property
    def seconds(self) -> float:
        """Seconds that this step stays in view while playing."""
        usual = RESULT_SECONDS if self.frame.match.turn == NOBODY else MOVE_SECONDS
        return (DEAL_SECONDS if self.frame.is_deal else usual) / self.speed

    def go(self, index: int) -> "Playback":
        """Go to a step; playing goes on from there, but stops at the last step."""
        at = max(0, min(len(self.recording.frames) - 1, index))
        moved = replace(self, at=at)
        return replace(moved, is_playing=self.is_playing and not moved.is_at_end)

    def step(self, count: int) -> "Playback":
        """Go forward or back by `count` steps, which pauses the replay."""
        return replace(self.go(self.at + count), is_playing=False)

    def round(self, direction: int) -> "Playback":
        """Go to the deal of the next round; back, to the deal of this round or, from there, of the round before."""
        deals = [number for number, frame in enumerate(self.recording.frames) if frame.is_deal]
        if direction > 0:
            return self.go(next((n for n in deals if n > self.at), len(self.recording.frames) - 1))
        return self.go(next((n for n in reversed(deals) if n < self.at), 0))

    def toggle_play(self) -> "Playback":
        """Play or pause; at the end, play from the beginning."""
        if self.is_playing:
            return replace(self, is_playing=False)
        return replace(self.go(0) if self.is_at_end else self, is_playing=True)

    def change_speed(self, steps: int) -> "Playback":
        """Return the replay `steps` speeds faster, or slower if negative, within the speeds that there are."""
        return replace(self, pace=max(0, min(len(SPEEDS) - 1, self.pace + steps)))

    def next_hand(self) -> "Playback":
        """Open the hand of the next seat; after the last seat all hands, then none, then the one on turn."""
        seats = self.frame.match.rules.seats
        successors = {ON_TURN: 0, ALL: NOBODY, NOBODY: ON_TURN}
        successor = successors.get(self.open_hand, self.open_hand + 1)
        return replace(self, open_hand=ALL if successor >= seats else successor)


def read_recording(lines: Iterable[str]) -> Recording:
    """Return the recording of a record's lines up to the first invalid one, with the reason why it ends there."""
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
