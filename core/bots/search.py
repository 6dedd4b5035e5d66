"""Searches for an action: tries each in many worlds that may be true, and plays each on to the end of the round.

Where nothing is hidden it finds the exact worth of each, by every line of play to that end (alpha-beta).
"""

from collections.abc import Callable, Iterable, Iterator
from math import inf
from random import Random

from core.actions import Action, Claim, Play, Shed
from core.bots.playouts import Player, gained
from core.bots.questions import Effort, Judged
from core.variant import AnyState, Rules


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


LINES = 3000
"""Actions that are tried to solve a position, before it is played on instead."""
PHASES = 4
"""After each but the last of so many equal parts of the effort, the worse half of the actions is dropped."""
FEWEST = 2
"""Worlds in which each action is tried at least: what one world shows may be its luck, and nothing tells."""

MakePlayer = Callable[[Callable[[], float]], Player]
"""Makes a player for each time that a round is played on. Numbers from 0 to 1 may decide between equals."""


def search(
    rules: Rules,
    positions: Iterator[AnyState],
    actions: Iterable[Action],
    default: Action,
    player: MakePlayer,
    effort: Effort,
    rng: Random,
    stop: Callable[[], bool] = lambda: False,
    *,
    late: Callable[[AnyState], bool] = lambda _: False,
) -> list[Judged]:
    """Judge legal actions, the default among them, in the same worlds, and return those that lasted, the best first.

    After one world the search ends early when `stop` says so. A position that is `late` is not played on but solved,
    unless that takes too long.
    """
    gains: dict[Action, list[float]] = {action: [] for action in (default, *actions)}
    alive = list(gains)
    steps = worlds = 0
    for phase in range(1, PHASES + 1):
        while worlds < FEWEST or (steps * PHASES < effort.steps * phase and worlds * PHASES < effort.worlds * phase):
            if worlds and stop():
                break
            position, seed = next(positions), rng.random()
            found, length = _solved(rules, position, alive) if late(position) else ({}, 0)
            steps += length
            for action in alive:
                if action in found:
                    gains[action].append(found[action])
                else:
                    gain, length = _played_on(rules, position, action, player(Random(seed).random))
                    gains[action].append(gain)
                    steps += length
            worlds += 1
        if phase < PHASES:
            alive = _better_half(alive, gains, default)
    judged = [_judged(action, gains[action], gains[default]) for action in alive]
    return sorted(judged, key=lambda each: each.gain, reverse=True)


def _better_half(alive: list[Action], gains: dict[Action, list[float]], default: Action) -> list[Action]:
    """The better half, two at least, and the default."""
    ranked = sorted(alive, key=lambda action: sum(gains[action]), reverse=True)
    better = ranked[: max(2, (len(ranked) + 1) // 2)]
    return better if default in better else [*better, default]


def _judged(action: Action, gains: list[float], defaults: list[float]) -> Judged:
    worlds = len(gains)
    if worlds == 1 and gains is not defaults:
        return Judged(action, gains[0], gains[0] - defaults[0], inf, 1)
    leads = [gain - default for gain, default in zip(gains, defaults, strict=True)]
    lead = sum(leads) / worlds
    variance = sum((each - lead) ** 2 for each in leads) / max(1, worlds - 1)
    return Judged(action, sum(gains) / worlds, lead, (variance / worlds) ** 0.5, worlds)


def _solved(rules: Rules, state: AnyState, actions: list[Action]) -> tuple[dict[Action, float], int]:
    """What the side on turn gains by these actions if all play perfectly, or nothing if that takes too long."""
    solver = Solver(rules, state.turn % rules.sides, LINES)
    try:
        found = {action: solver.worth(state, action) for action in actions}
    except TooManyLinesError:
        return {}, LINES
    return found, LINES - solver.left


def _played_on(rules: Rules, state: AnyState, action: Action, player: Player) -> tuple[float, int]:
    """What the side on turn gains on the others by the end of the round; and in how many actions."""
    choose, horizon, expects = player
    side, gain = state.turn % rules.sides, 0.0
    for length in range(1, horizon + 1):
        state, events = rules.apply(state, action)
        if len(events) > 1 or type(action) is Claim:  # nothing else brings points
            gain += gained(rules, state, events, side)
        if state.result is not None:
            return gain, length
        legal = state.legal
        action = legal[0] if len(legal) == 1 else choose(state)
    return gain + expects(state, side), horizon
