"""What a table knows of bots: their levels, names, tempers and paces, and what those that think are asked."""

from collections.abc import Iterable
from typing import Literal, NamedTuple

from msgspec import Struct

from core.actions import Action
from core.match import MatchView
from core.words import Words, words


class Effort(NamedTuple):
    """How long to search: until either is used up, but in `core.bots.search.FEWEST` worlds at least."""

    worlds: int
    steps: int
    """Actions that are tried or played on with, which is where the time goes."""


EFFORTS = {"normal": Effort(12, 600), "hard": Effort(120, 6000)}
"""By the level of the bots that think."""
AT_TABLES = ("easy", *EFFORTS)
"""The levels that people may have at a table, the weakest first."""
LEVELS = (*AT_TABLES, "greedy", "greedy-1", "random")
"""Every level: those, and after them the ones that others are measured against."""
DEFAULT = "normal"
"""The level of a bot where nobody has chosen one."""


def no_bot(level: str, among: Iterable[str] = LEVELS) -> Words:
    """Say that there is no such level, and which there are."""
    return words("There is no bot “{level}”; choose one of: {levels}.", level=level[:40], levels=", ".join(among))


class Question(Struct, frozen=True):
    """What a bot is to think about, and how."""

    view: MatchView
    level: str
    """One of `EFFORTS`."""
    seed: bytes
    share: float = 1.0
    """The part of the level's effort that may be spent; less where many wait."""


class ActionValue(NamedTuple):
    """What an action is worth to the side that does it, in the points of the game."""

    action: Action
    gain: float
    """What the side gains on the others until the end of the round."""
    lead: float
    """By how much that is more than what the default gains in the same worlds."""
    error: float
    """The standard error of the lead; infinite where another action than the default was tried in one world alone."""
    worlds: int


class Thought(Struct, frozen=True):
    """What a bot has found out at one decision."""

    default: Action
    """What greedy would do, or what the question was about."""
    judged: list[ActionValue]
    """What was judged, the best first; empty where there was nothing to choose."""
    exact: bool = False
    """Whether nothing was hidden, and every line of play was looked at."""

    @property
    def choice(self) -> Action:
        """The best action, if it is better than the default by its standard error; else the default."""
        if self.judged and self.judged[0].lead > self.judged[0].error:
            return self.judged[0].action
        return self.default


Temper = Literal["careful", "bold", "saves doubles", "spends doubles", "keeps suits"]


class Character(Struct, frozen=True):
    """One bot."""

    name: str
    temper: Temper
    """What it likes, where several moves are as good; see `core.bots.tempers`."""
    pace: float
    """How long it seems to think, as a part of what is usual."""


CHARACTERS = {
    each.name: each
    for each in (
        Character("Blanche", "careful", 1.2),
        Character("Cinque", "bold", 0.8),
        Character("Dotty", "saves doubles", 1.0),
        Character("Ebony", "keeps suits", 1.3),
        Character("Felix", "bold", 0.6),
        Character("Gizmo", "spends doubles", 0.7),
        Character("Hub", "careful", 1.5),
        Character("Ivory", "saves doubles", 1.1),
    )
}
"""By name, in the order in which they come to a table."""


def pace_of(name: str) -> float:
    """Return how long the bot of this name seems to think, as a part of what is usual."""
    return CHARACTERS[name].pace if name in CHARACTERS else 1.0
