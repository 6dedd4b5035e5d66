"""Properties of bots that a table knows (level, name, temper, pace), and the questions for bots that think."""

from collections.abc import Iterable
from typing import Literal, NamedTuple

from msgspec import Struct

from core.actions import Action
from core.match import MatchView
from core.words import Words, words


class Effort(NamedTuple):
    """Limits of a search: it ends when either is used up, after `core.bots.search.MIN_WORLDS` worlds at least."""

    worlds: int
    steps: int
    """Actions tried or played out, which take most of the time."""


EFFORTS = {"normal": Effort(12, 600), "hard": Effort(120, 6000)}
"""By the level of the bots that think."""
TABLE_LEVELS = ("easy", *EFFORTS)
"""Levels that players may choose at a table, the weakest first."""
LEVELS = (*TABLE_LEVELS, "greedy", "greedy-1", "random")
"""Every level: those at tables, and then the ones against which others are measured."""
DEFAULT = "normal"
"""Level of a bot if nobody has chosen one."""


def no_bot(level: str, levels: Iterable[str] = LEVELS) -> Words:
    """Say that a level does not exist, and list those that do."""
    return words("There is no bot “{level}”; choose one of: {levels}.", level=level[:40], levels=", ".join(levels))


class Question(Struct, frozen=True):
    """A decision for a bot to think about."""

    view: MatchView
    level: str
    """A key of `EFFORTS`."""
    seed: bytes
    share: float = 1.0
    """The part of the level's effort that may be spent; less when many questions wait."""


class ActionValue(NamedTuple):
    """An action's value for its side, in the points of the game."""

    action: Action
    gain: float
    """Points gained on the others until the end of the round."""
    lead: float
    """`gain` minus the gain of the default in the same worlds."""
    error: float
    """Standard error of `lead`; infinite for an action tried in one world only, unless it is the default."""
    worlds: int


class Thought(Struct, frozen=True):
    """Result of a bot's thinking about one decision."""

    default: Action
    """Greedy's action, or the action that the question was about."""
    judged: list[ActionValue]
    """Judged actions, the best first; empty if there was no choice."""
    exact: bool = False
    """True if nothing was hidden and every line of play was searched."""

    @property
    def choice(self) -> Action:
        """The best action, if it is better than the default by its standard error; else the default."""
        if self.judged and self.judged[0].lead > self.judged[0].error:
            return self.judged[0].action
        return self.default


Temper = Literal["careful", "bold", "saves doubles", "spends doubles", "keeps suits"]


class Character(Struct, frozen=True):
    """The name and manner of a bot."""

    name: str
    temper: Temper
    """Its taste among equally good moves; see `core.bots.tempers`."""
    pace: float
    """Apparent thinking time as a multiple of the usual."""


CHARACTERS = {
    character.name: character
    for character in (
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
"""By name, in the order in which they join a table."""


def pace_of(name: str) -> float:
    """Return the apparent thinking time of a named bot as a multiple of the usual."""
    return CHARACTERS[name].pace if name in CHARACTERS else 1.0
