"""Bots: functions from what a seat may know to what it does. A bot gets a view, so a bot cannot cheat."""

from collections.abc import Callable
from random import Random

from core.actions import Action
from core.family import AnyView, family_of
from core.match import MatchView
from core.words import Words, words

Bot = Callable[[MatchView, Random], Action]
"""Chooses one of `view.play.legal`, which is not empty when a bot is asked."""


def random_bot(view: MatchView, rng: Random) -> Action:
    """Any legal action, all equally likely."""
    return rng.choice(_round(view).legal)


def greedy_bot(view: MatchView, rng: Random) -> Action:
    """Play by a few plain rules; see `core.bots.layouts` and `core.bots.tricks`."""
    play = _round(view)
    return family_of(play).greedy(play, rng.random)


def _round(view: MatchView) -> AnyView:
    if view.play is None:
        raise ValueError("A bot was asked although nothing was dealt.")
    return view.play


BOTS: dict[str, Bot] = {"greedy": greedy_bot, "random": random_bot}
"""By level, the default first."""


def no_bot(level: str) -> Words:
    """Say that there is no such level, and which there are."""
    return words("There is no bot “{level}”; choose one of: {levels}.", level=level[:40], levels=", ".join(BOTS))
