"""The exact worth of actions where nothing is hidden: every line of play to the end of the round (alpha-beta)."""

from math import inf

from core.actions import Action, Play, Shed
from core.bots.playouts import gained
from core.family import AnyState, Rules


class TooManyLinesError(Exception):
    """There are more lines of play than the limit allows."""


def solve(rules: Rules, state: AnyState, limit: int) -> dict[Action, float]:
    """Return what the side on turn gains on the other by each legal action, if both play perfectly from then on.

    The game must have two sides, and they must know all tiles, also the order of those that may be drawn. Raises
    TooManyLinesError after `limit` actions.
    """
    solver = Solver(rules, state.turn % rules.sides, limit)
    return {action: solver.worth(state, action) for action in state.legal}


class Solver:
    """Looks at all lines of play for one of two sides; `left` is how many actions it may still try."""

    def __init__(self, rules: Rules, side: int, limit: int) -> None:
        self._rules, self._side, self.left = rules, side, limit

    def worth(self, state: AnyState, action: Action, low: float = -inf, high: float = inf) -> float:
        """What the side gains by an action and all that follows; a bound of it outside of `low` to `high`.

        Raises TooManyLinesError when nothing may be tried any more.
        """
        self.left -= 1
        if self.left < 0:
            raise TooManyLinesError
        after, events = self._rules.apply(state, action)
        gain = gained(self._rules, after, events, self._side)
        return gain if after.result else gain + self._best(after, low - gain, high - gain)

    def _best(self, state: AnyState, low: float, high: float) -> float:
        own = state.turn % self._rules.sides == self._side
        best = -inf if own else inf
        for action in sorted(state.legal, key=_weight, reverse=True):
            worth = self.worth(state, action, low, high)
            if own:
                best = max(best, worth)
                low = max(low, best)
            else:
                best = min(best, worth)
                high = min(high, best)
            if low >= high:
                break
        return best


def _weight(action: Action) -> int:
    """Heavy tiles first, and light ones face down: good moves found early leave less to look at."""
    if isinstance(action, Shed):
        return -action.tile.pips
    return action.tile.pips if isinstance(action, Play) else -1
