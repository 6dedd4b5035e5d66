"""The level `greedy`: a few plain rules for each family of games."""

from collections.abc import Callable
from random import Random
from typing import Any, cast

from core.actions import Action, GiveUp
from core.bots.combos import greedy_in_combos
from core.bots.layouts import greedy_in_layout
from core.bots.rules import round_of, rules_of
from core.bots.tricks import greedy_with
from core.match import MatchView
from core.patience.rules import PatienceRules
from core.patience.solve import best_first, solution
from core.patience.state import Laid, PatienceView
from core.variant import tag_of


def greedy_in_patience(match: MatchView, view: PatienceView) -> Action:
    """Return the first move of a solution that can be seen; else the one that leaves fewest tiles and most to do."""
    return next(iter(seen_solution(match, view)), None) or _looks_best(match, view)


def seen_solution(match: MatchView, view: PatienceView) -> tuple[Action, ...]:
    """Return the moves that end the game with nothing left, if none are hidden and a search finds them."""
    if view.boneyard or len(view.legal) < 2:
        return ()
    return solution(_rules(match), _laid(view)) or ()


def _looks_best(match: MatchView, view: PatienceView) -> Action:
    """What leaves fewest tiles, and then most to do, as far as what is drawn does not change that."""
    ways = [action for action, _ in best_first(_rules(match), _laid(view)) if action in view.legal]
    return ways[0] if ways else next((action for action in view.legal if action != GiveUp()), view.legal[0])


def _rules(match: MatchView) -> PatienceRules:
    return cast("PatienceRules", rules_of(match))


def _laid(view: PatienceView) -> Laid:
    return Laid(view.piles, (), view.hand)


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
