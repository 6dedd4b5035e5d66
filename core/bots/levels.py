"""Bots: functions from what a seat may know to what it does. A bot gets a view, so a bot cannot cheat."""

from collections.abc import Callable, Iterable
from random import Random
from typing import Any

from core.actions import Action
from core.bots.first.layouts import first_in_layout
from core.bots.first.tricks import first_in_tricks
from core.bots.layouts import greedy_in_layout
from core.bots.tricks import greedy_in_tricks
from core.family import AnyView, tag_of
from core.match import MatchView
from core.words import Words, words

Bot = Callable[[MatchView, Random], Action]
"""Chooses one of `view.play.legal`, which is not empty when a bot is asked."""


def random_bot(view: MatchView, rng: Random) -> Action:
    """Any legal action, all equally likely."""
    return rng.choice(_round(view).legal)


GREEDY: dict[str, Callable[[MatchView, Any, Callable[[], float]], Action]] = {
    "layout": greedy_in_layout,
    "tricks": lambda _match, view, _chance: greedy_in_tricks(view),
}
"""By family; a number from 0 to 1 may decide between equals."""


def greedy_bot(view: MatchView, rng: Random) -> Action:
    """Play by a few plain rules; see `core.bots.layouts` and `core.bots.tricks`."""
    play = _round(view)
    return GREEDY[tag_of(play)](view, play, rng.random)


_FIRST: dict[str, Callable[[Any, Callable[[], float]], Action]] = {
    "layout": first_in_layout,
    "tricks": lambda view, _: first_in_tricks(view),
}


def first_bot(view: MatchView, rng: Random) -> Action:
    """Play as `greedy` first did, for ever; see `core.bots.first`."""
    play = _round(view)
    return _FIRST[tag_of(play)](play, rng.random)


def _round(view: MatchView) -> AnyView:
    if view.play is None:
        raise ValueError("A bot was asked although nothing was dealt.")
    return view.play


TABLE_BOTS: dict[str, Bot] = {"greedy": greedy_bot}
"""The bots that people may have at a table, by level, the default first."""
BOTS: dict[str, Bot] = TABLE_BOTS | {"greedy-1": first_bot, "random": random_bot}
"""Every bot by level: those, and after them the ones that others are only measured against."""


def no_bot(level: str, among: Iterable[str] = BOTS) -> Words:
    """Say that there is no such level, and which there are."""
    return words("There is no bot “{level}”; choose one of: {levels}.", level=level[:40], levels=", ".join(among))
