"""What a lesson is: a game, a deal, and what to say about it when it happens for the first time."""

from collections.abc import Callable
from typing import NamedTuple, cast

from msgspec import Struct

from core.actions import Draw, Event, Play, Played, RoundOver
from core.family import AnyView
from core.layout.state import NOBODY, LayoutView
from core.options import Value
from net.wire.messages import MakeTable, Update
from tui.i18n import _


class Now(NamedTuple):
    """A moment of a lesson."""

    view: AnyView
    events: tuple[Event, ...]
    """What has just happened."""
    seat: int
    """The learner's."""

    @property
    def yours(self) -> bool:
        """Whether it is the learner's turn."""
        return self.view.turn == self.seat

    @property
    def layout(self) -> LayoutView:
        """The view, in a game that is laid out."""
        return cast("LayoutView", self.view)

    @property
    def plays(self) -> list[Play]:
        """What the learner can play now."""
        return [action for action in self.view.legal if isinstance(action, Play)]


class Point(NamedTuple):
    """One thing that is said, once."""

    when: Callable[[Now], bool]
    text: str


class Lesson(Struct, frozen=True):
    """A round of a game with somebody who explains it."""

    game: str
    about: str
    """What is new in it, in a few words."""
    points: tuple[Point, ...]
    """What is said; of several that are due, the first."""
    goal: str
    """What is said on a turn on which nothing is new."""
    players: int = 2
    options: dict[str, Value] = {}
    seed: int = 1
    """Fixes the tiles that are dealt."""

    @property
    def table(self) -> MakeTable:
        """The table at which it is played."""
        return MakeTable(self.game, self.players, self.options, bots=self.players - 1, level="easy", hints=True)


GOAL = 2
"""How often the goal is told; then the board speaks for itself."""


class Tutor:
    """Follows a table, and says what a lesson has to say about it."""

    def __init__(self, lesson: Lesson) -> None:
        self.lesson = lesson
        self._left = list(lesson.points)
        self._repeated = 0
        self.text = ""
        """What the learner is told now; empty for nothing."""
        self.over = False
        """Whether its round is over."""
        self.following: Lesson | MakeTable | None = None
        """What the learner would like to do after it: another lesson, or a match."""

    def follow(self, update: Update) -> None:
        """Take in what happened at the table."""
        view = update.play
        if view is None or update.seat == NOBODY:
            return
        now = Now(view, update.events, update.seat)
        self.over = bool(view.result)
        due = next((point for point in self._left if point.when(now)), None)
        if due:
            self._left.remove(due)
            self.text = _(due.text)
        elif now.yours:
            self._repeated += 1
            self.text = _(self.lesson.goal) if self._repeated <= GOAL else ""


# When something is said


def may(now: Now, kind: type) -> bool:
    """The learner may do something of a kind."""
    return now.yours and any(isinstance(action, kind) for action in now.view.legal)


def your_turn(now: Now) -> bool:
    """The learner can play something."""
    return now.yours and bool(now.plays)


def leads(now: Now) -> bool:
    """The learner lays the first tile."""
    return your_turn(now) and not now.layout.layout


def two_ends(now: Now) -> bool:
    """One tile fits at several places."""
    tiles = [play.tile for play in now.plays]
    return len(tiles) > len(set(tiles))


def must_draw(now: Now) -> bool:
    """Nothing fits, but there are tiles to draw."""
    return now.yours and not now.plays and Draw() in now.view.legal


def must_pass(now: Now) -> bool:
    """Nothing fits, and there is nothing to draw."""
    return now.yours and not now.plays and Draw() not in now.view.legal


def has_double(now: Now) -> bool:
    """The learner can play a double."""
    return any(play.tile.is_double for play in now.plays)


def scores(now: Now) -> bool:
    """One of the learner's plays would score."""
    return now.yours and any(points > 0 for points in now.layout.worth)


def few_left(now: Now) -> bool:
    """The learner has two tiles left."""
    return now.yours and len(now.view.hand) == 2


def round_over(now: Now) -> bool:
    """The round is over."""
    return any(isinstance(event, RoundOver) for event in now.events)


def another_played(now: Now) -> bool:
    """Somebody else has laid a tile."""
    return any(isinstance(event, Played) and event.seat != now.seat for event in now.events)


def happened(kind: type, *, others: bool = True) -> Callable[[Now], bool]:
    """Something of a kind has happened, to the others alone if so wanted."""

    def due(now: Now) -> bool:
        return any(
            isinstance(event, kind) and not (others and getattr(event, "seat", NOBODY) == now.seat)
            for event in now.events
        )

    return due
