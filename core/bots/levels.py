"""Bots: functions from what a seat may know to what it does. A bot gets a view, so a bot cannot cheat."""

from collections.abc import Callable
from random import Random
from typing import Any

from core.actions import Action, Bid, GiveUp
from core.bots.baseline import baseline_in_combos, baseline_in_layout, baseline_in_tricks
from core.bots.easy import easy_bot
from core.bots.greedy import greedy_bot, greedy_in_patience
from core.bots.questions import EFFORTS, LEVELS, Question
from core.bots.rules import round_of, rules_of
from core.bots.thinking import answer
from core.bots.tricks import alone_in_tricks
from core.family import tag_of
from core.match import MatchView

Bot = Callable[[MatchView, Random], Action]
"""Chooses one of `view.play.legal`, which is not empty when a bot is asked."""


def choices_at_random(legal: tuple[Action, ...]) -> tuple[Action, ...]:
    """All that is legal; but of bids only the first two choices, as by wild ones a match of Moon would hardly end.

    Who gives up has not played, so nobody does.
    """
    if isinstance(legal[-1], GiveUp):
        return legal[:-1]
    return legal[:2] if isinstance(legal[-1], Bid) else legal


def random_bot(view: MatchView, rng: Random) -> Action:
    """Any of the choices at random, all equally likely."""
    return rng.choice(choices_at_random(round_of(view).legal))


_FIRST: dict[str, Callable[[MatchView, Any, Callable[[], float]], Action]] = {
    "layout": lambda _, view, chance: baseline_in_layout(view, chance),
    "tricks": lambda match, view, _: (
        baseline_in_tricks(view) if match.sides < match.players else alone_in_tricks(view, rules_of(match).tiles)
    ),
    "patience": lambda match, view, _: greedy_in_patience(match, view),
    "combos": lambda _match, view, _chance: baseline_in_combos(view),
}


def first_bot(view: MatchView, rng: Random) -> Action:
    """Play as `greedy` first did, for ever; see `core.bots.baseline`."""
    play = round_of(view)
    return _FIRST[tag_of(play)](view, play, rng.random)


def thinking_bot(level: str) -> Bot:
    """Return the bot that thinks as hard as its level says; see `core.bots.thinking`."""
    return lambda view, rng: answer(Question(view, level, rng.randbytes(16))).choice


_ALL: tuple[Bot, ...] = (easy_bot, *map(thinking_bot, EFFORTS), greedy_bot, first_bot, random_bot)
BOTS = dict(zip(LEVELS, _ALL, strict=True))
"""The bots by level."""
