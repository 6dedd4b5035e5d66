"""The level `greedy`: a few plain rules for each family of games."""

from collections.abc import Callable
from random import Random
from typing import Any

from core.actions import Action
from core.bots.combos import greedy_in_combos
from core.bots.layouts import greedy_in_layout
from core.bots.patience import greedy_in_patience
from core.bots.rules import round_of, rules_of
from core.bots.tricks import greedy_with
from core.family import tag_of
from core.match import MatchView

GREEDY: dict[str, Callable[[MatchView, Any, Callable[[], float]], Action]] = {
    "layout": greedy_in_layout,
    "tricks": lambda match, view, _chance: greedy_with(rules_of(match), view),
    "patience": lambda match, view, _chance: greedy_in_patience(match, view),
    "combos": lambda match, view, _chance: greedy_in_combos(rules_of(match), view),
}
"""By family; a number from 0 to 1 may decide between equals."""


def greedy_bot(view: MatchView, rng: Random) -> Action:
    """Play by a few plain rules; see `core.bots.layouts` and `core.bots.tricks`."""
    play = round_of(view)
    return GREEDY[tag_of(play)](view, play, rng.random)
