"""What a table knows of bots before they play: their levels, and what those that think are asked and answer."""

from collections.abc import Iterable
from typing import NamedTuple

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


class Judged(NamedTuple):
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
    judged: list[Judged]
    """What was judged, the best first; empty where there was nothing to choose."""
    exact: bool = False
    """Whether nothing was hidden, and every line of play was looked at."""

    @property
    def choice(self) -> Action:
        """The best action, if it is better than the default by its standard error; else the default."""
        if self.judged and self.judged[0].lead > self.judged[0].error:
            return self.judged[0].action
        return self.default
