"""Bots: functions from what a seat may know to what it does. A bot gets a view, so a bot cannot cheat."""

from collections.abc import Callable
from random import Random

from core.actions import Action, Pass, Play
from core.family import AnyView
from core.match import MatchView
from core.state import LayoutView
from core.trick_bot import greedy_in_tricks
from core.tricks import TrickView
from core.words import Words, words

Bot = Callable[[MatchView, Random], Action]
"""Chooses one of `view.play.legal`, which is not empty when a bot is asked."""


def random_bot(view: MatchView, rng: Random) -> Action:
    """Any legal action, each as likely as the others."""
    return rng.choice(_round(view).legal)


def greedy_bot(view: MatchView, rng: Random) -> Action:
    """Lay the heaviest tile that fits, and keep an answer in hand to as many open numbers as possible.

    It never draws or passes while it can play. How it plays tricks is told in `core.trick_bot`.
    """
    play = _round(view)
    if isinstance(play, TrickView):
        return greedy_in_tricks(play)
    plays = [action for action in play.legal if isinstance(action, Play)]
    if not plays:
        return next((action for action in play.legal if not isinstance(action, Pass)), play.legal[0])
    return max(plays, key=lambda action: (_worth(play, action), rng.random()))


def _worth(view: LayoutView, play: Play) -> float:
    """Pips got rid of, a little more for a double, and three for each tile left that then fits."""
    ends = {end.pips for end in view.ends if (end.at, end.side) != (play.at, play.side)} | {play.out}
    if play.at < 0:
        ends = {play.tile.low, play.tile.high}
    rest = list(view.hand)
    rest.remove(play.tile)
    answers = sum(1 for tile in rest if tile.low in ends or tile.high in ends)
    return play.tile.pips + 2 * play.tile.is_double + 3 * answers


def _round(view: MatchView) -> AnyView:
    if view.play is None:
        raise ValueError("A bot was asked although nothing was dealt.")
    return view.play


BOTS: dict[str, Bot] = {"greedy": greedy_bot, "random": random_bot}
"""By level, the default first."""


def no_bot(level: str) -> Words:
    """Say that there is no such level, and which there are."""
    return words("There is no bot “{level}”; choose one of: {levels}.", level=level[:40], levels=", ".join(BOTS))
