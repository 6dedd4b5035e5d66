"""Searches for an action: tries each in many worlds that may be true, and plays each on to the end of the round.

A round is played on fast and plain, for all seats alike. Where nothing is hidden the exact worth of each action is
found, by every line of play to that end (alpha-beta).
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from math import inf
from random import Random
from typing import Any, NamedTuple

from core.actions import Action, Claim, Event, Play, RoundOver, Scored, Shed
from core.bots.baseline import baseline_in_combos
from core.bots.greedy import greedy_with
from core.bots.questions import ActionValue, Effort
from core.combos.rules import ComboRules
from core.layout.rules import LayoutRules
from core.layout.state import State, worth_of
from core.tiles import Tile, pips
from core.tricks.rules import TrickRules
from core.variant import AnyState, Rules
from core.words import TermKind

WAITING: tuple[TermKind, ...] = ("waits", "hung")
"""Terms that put off what is written, or make up for it."""


def gained(rules: Rules, state: AnyState, events: tuple[Event, ...], side: int) -> float:
    """Return the points that a side gains on the others, on average, by these events, which led to this state.

    Where the lowest score wins, a point less is a point gained. What a round pays at its end counts too.
    """
    sides = rules.sides
    gain = 0.0
    for event in events:
        if isinstance(event, Scored):
            gain += event.points if event.seat % sides == side else -event.points / (sides - 1)
    if state.result is not None:
        gain += lead(_lost_or_won(state.result), side)
    return -gain if rules.goal.lowest else gain


def _lost_or_won(result: RoundOver) -> list[int]:
    """What each side scores by a round; what only waits to be written counts in the round in which it was lost."""
    return [
        points - sum(term.amount for term in terms if term.what in WAITING)
        for points, terms in zip(result.points, result.sums, strict=True)
    ]


def lead(points: Sequence[float], side: int) -> float:
    """Return how many points more a side has than the others have on average; alone, how many it has."""
    own = points[side]
    if len(points) == 1:
        return own
    return own - (sum(points) - own) / (len(points) - 1)


PLAYOUT_LIMIT = 300
"""Actions after which a round is broken off: more than any round has, unless it goes in circles."""
POINTS, DOUBLE, WILD = 3, 2, 8
"""In pips, what a point in play, being a double, and a wild tile count when a tile to lay is chosen."""
NOT_OWN_TRAIN = 100
"""More than the pips of any tile: what does not belong to a seat's own train goes first."""
TRAIN_PLAYOUT_LIMIT = 12
"""Actions after which a round with trains is broken off; the rest would say more about luck than about the first."""
TILE, PLANNED = 2.0, 0.4
"""What a held tile costs beside its pips, and what part of those if it belongs to the train. By experiment."""
TRAIN_TRIES = 100
"""Tiles that are tried to find a long train."""


class PlayoutPolicy(NamedTuple):
    """What plays a round on, once, for all seats."""

    choose: Callable[[Any], Action]
    horizon: int = PLAYOUT_LIMIT
    """Actions after which the round is broken off."""
    estimate: Callable[[Any, int], float] = lambda _state, _side: 0.0
    """What a side may expect to gain from there on, in points over the others on average."""


def layout_player(rules: LayoutRules, chance: Callable[[], float]) -> PlayoutPolicy:
    """Lay what scores most or weighs most; where nothing can be laid, draw, pass, or lay face down what weighs least.

    Where seats have trains of their own, they keep what belongs to a long one for that.
    """
    scoring, trains = rules.scoring, _Trains() if rules.turns.marks else None

    def choose(state: State) -> Action:
        legal = state.legal
        if type(legal[0]) is not Play:
            return min(legal, key=_weight) if type(legal[0]) is Shed else legal[0]
        worth = worth_of(state, scoring.points, rules.opens) if scoring else ()
        train = trains.of(state, state.turn) if trains else ()
        best, most = legal[0], -1.0
        for number, action in enumerate(legal):
            if type(action) is Play:
                low, high = action.tile
                value = chance() + (WILD if low < 0 else low + high + DOUBLE * (low == high))
                if worth:
                    value += POINTS * worth[number]
                if train and action.tile not in train:
                    value += NOT_OWN_TRAIN
                if value > most:
                    best, most = action, value
        return best

    return PlayoutPolicy(choose, TRAIN_PLAYOUT_LIMIT, trains.estimate) if trains else PlayoutPolicy(choose)


def _weight(action: Action) -> int:
    return action.tile.pips if isinstance(action, Shed) else 0


class _Trains:
    """The trains that the seats have planned while a round is played on."""

    def __init__(self) -> None:
        self._planned: dict[int, tuple[Tile, ...]] = {}

    def of(self, state: State, seat: int) -> tuple[Tile, ...]:
        """What a seat means to lay along its own train, in order."""
        number = next((end.pips for end in state.ends if end.owner == seat), -1)
        hand, planned = state.hands[seat], self._planned.get(seat, ())
        while planned and planned[0] not in hand:
            planned = planned[1:]
        if not planned or number not in planned[0] or any(tile not in hand for tile in planned):
            planned = long_train(number, hand)
        self._planned[seat] = planned
        return planned

    def estimate(self, state: State, side: int) -> float:
        """How much less a side holds than the others on average; what has its place counts for less."""
        left = [
            pips(hand) - (1 - PLANNED) * pips(self.of(state, seat)) + TILE * len(hand)
            for seat, hand in enumerate(state.hands)
        ]
        return -lead(left, side)


def long_train(number: int, tiles: tuple[Tile, ...]) -> tuple[Tile, ...]:
    """Return a long train that begins at a number: the longest, if it is found soon."""
    best: tuple[Tile, ...] = ()
    looks = TRAIN_TRIES

    def grow(number: int, rest: tuple[Tile, ...], train: tuple[Tile, ...]) -> None:
        nonlocal best, looks
        if len(train) > len(best):
            best = train
        for at, tile in enumerate(rest):
            if not looks:
                return
            if number in tile:
                looks -= 1
                grow(tile.other(number), rest[:at] + rest[at + 1 :], (*train, tile))

    grow(number, tiles, ())
    return best


def combo_player(rules: ComboRules, _chance: Callable[[], float]) -> PlayoutPolicy:
    """Play as greedy first did, which is quick."""
    return PlayoutPolicy(lambda state: baseline_in_combos(rules.view(state, state.turn)))


def trick_player(rules: TrickRules, _chance: Callable[[], float]) -> PlayoutPolicy:
    """Play as greedy does."""
    return PlayoutPolicy(lambda state: greedy_with(rules, rules.view(state, state.turn)))


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
        for action in sorted(state.legal, key=_promise, reverse=True):
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


def _promise(action: Action) -> int:
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

MakePlayer = Callable[[Callable[[], float]], PlayoutPolicy]
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
) -> list[ActionValue]:
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


def _judged(action: Action, gains: list[float], defaults: list[float]) -> ActionValue:
    worlds = len(gains)
    if worlds == 1 and gains is not defaults:
        return ActionValue(action, gains[0], gains[0] - defaults[0], inf, 1)
    leads = [gain - default for gain, default in zip(gains, defaults, strict=True)]
    lead = sum(leads) / worlds
    variance = sum((each - lead) ** 2 for each in leads) / max(1, worlds - 1)
    return ActionValue(action, sum(gains) / worlds, lead, (variance / worlds) ** 0.5, worlds)


def _solved(rules: Rules, state: AnyState, actions: list[Action]) -> tuple[dict[Action, float], int]:
    """What the side on turn gains by these actions if all play perfectly, or nothing if that takes too long."""
    solver = Solver(rules, state.turn % rules.sides, LINES)
    try:
        found = {action: solver.worth(state, action) for action in actions}
    except TooManyLinesError:
        return {}, LINES
    return found, LINES - solver.left


def _played_on(rules: Rules, state: AnyState, action: Action, player: PlayoutPolicy) -> tuple[float, int]:
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
