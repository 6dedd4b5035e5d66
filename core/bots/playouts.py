"""How a round is played on in a search: from the full position, fast and plain, for all seats alike."""

from collections.abc import Callable

from core.actions import Action, Play
from core.bots.tricks import greedy_in_tricks
from core.layout.rules import LayoutRules
from core.layout.state import State
from core.layout.view import worth_of
from core.tricks.rules import TrickRules
from core.tricks.state import TrickState

POINTS, DOUBLE, WILD = 3, 2, 8
"""In pips, what a point in play, being a double, and a wild tile count when a tile to lay is chosen."""


def play_on_in_layout(rules: LayoutRules, state: State, chance: Callable[[], float]) -> Action:
    """Lay what scores most or weighs most; draw or pass only where nothing can be laid."""
    legal, scoring = state.legal, rules.scoring
    if type(legal[0]) is not Play:
        return legal[0]
    worth = worth_of(state, scoring.earns, rules.opens) if scoring else ()
    best, most = legal[0], -1.0
    for number, action in enumerate(legal):
        if type(action) is Play:
            low, high = action.tile
            value = chance() + (WILD if low < 0 else low + high + DOUBLE * (low == high))
            if worth:
                value += POINTS * worth[number]
            if value > most:
                best, most = action, value
    return best


def play_on_in_tricks(rules: TrickRules, state: TrickState, _chance: Callable[[], float]) -> Action:
    """Play as greedy does."""
    return greedy_in_tricks(rules.view(state, state.turn))
