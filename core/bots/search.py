"""Search for an action: try each in many possible worlds, and play each out to the end of the round.

Play-outs use fast, simple rules for all seats alike. Where nothing is hidden the exact value of each action is found
by searching every line of play to that end (alpha-beta).
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from math import inf
from random import Random
from typing import Any, NamedTuple

from core.actions import Action, Claim, Event, Play, RoundOver, Scored, Shed
from core.bots.baseline import baseline_in_combos
from core.bots.greedy import greedy_with
from core.bots.profiles import ActionValue, Effort
from core.combos.rules import ComboRules
from core.layout.rules import LayoutRules
from core.layout.state import State, worth_of
from core.tiles import Tile, pips
from core.tricks.rules import TrickRules
from core.variant import AnyState, Rules
from core.words import TermKind

WAITING: tuple[TermKind, ...] = ("waits", "hung")
"""Terms that postpone points, or make up for postponed ones."""


def gain_of(rules: Rules, state: AnyState, events: tuple[Event, ...], side: int) -> float:
    """Return the gain of a side over the average of the others by `events`, which led to `state`.

    Where the lowest score wins, a point less is a point gained. Points paid at the end of a round count too.
    """
    sides = rules.sides
    gain = 0.0
    for event in events:
        if isinstance(event, Scored):
            gain += event.points if event.seat % sides == side else -event.points / (sides - 1)
    if state.result is not None:
        gain += advantage(_points_when_incurred(state.result), side)
    return -gain if rules.goal.lowest else gain


def _points_when_incurred(result: RoundOver) -> list[int]:
    """Return each side's points of a round; postponed points count in the round in which they were lost."""
    return [
        points - sum(term.amount for term in terms if term.kind in WAITING)
        for points, terms in zip(result.points, result.sums, strict=True)
    ]


def advantage(points: Sequence[float], side: int) -> float:
    """Return the points of a side minus the average of the others; with one side only, its points."""
    own_points = points[side]
    if len(points) == 1:
        return own_points
    return own_points - (sum(points) - own_points) / (len(points) - 1)


PLAYOUT_LIMIT = 300
"""Actions after which a play-out is broken off: more than any round has, unless it goes in circles."""
POINTS, DOUBLE, WILD = 3, 2, 8
"""Values in pips for the choice of a tile: a point in play, a double, a wild tile."""
NOT_OWN_TRAIN = 100
"""More than the pips of any tile: tiles outside the seat's own train go first."""
TRAIN_PLAYOUT_LIMIT = 12
"""Actions after which a play-out with trains is broken off; more would measure luck, not the first action."""
HELD_TILE_COST, PLANNED_SHARE = 2.0, 0.4
"""Cost of a held tile beside its pips, and the part of the pips that counts if it belongs to the train. Found by
experiment.
"""
TRAIN_SEARCH_LIMIT = 100
"""Maximum number of tiles tried in the search for a long train."""


class PlayoutPolicy(NamedTuple):
    """The policy of one play-out, for all seats."""

    choose: Callable[[Any], Action]
    horizon: int = PLAYOUT_LIMIT
    """Actions after which the play-out is broken off."""
    estimate: Callable[[Any, int], float] = lambda _state, _side: 0.0
    """Return the expected gain of a side from there on, in points over the average of the others."""


def layout_player(rules: LayoutRules, random: Callable[[], float]) -> PlayoutPolicy:
    """Lay the tile that scores most or weighs most; else draw, pass, or lay the lightest tile face down.

    Where seats have trains of their own, they keep the tiles of a long train for it.
    """
    scoring, trains = rules.scoring, _Trains() if rules.turns.marks else None

    def choose(state: State) -> Action:
        legal = state.legal
        if type(legal[0]) is not Play:
            return min(legal, key=_weight) if type(legal[0]) is Shed else legal[0]
        points = worth_of(state, scoring.points, rules.opens) if scoring else ()
        train = trains.of(state, state.turn) if trains else ()
        best_action, best_value = legal[0], -1.0
        for index, action in enumerate(legal):
            if type(action) is Play:
                low, high = action.tile
                value = random() + (WILD if low < 0 else low + high + DOUBLE * (low == high))
                if points:
                    value += POINTS * points[index]
                if train and action.tile not in train:
                    value += NOT_OWN_TRAIN
                if value > best_value:
                    best_action, best_value = action, value
        return best_action

    return PlayoutPolicy(choose, TRAIN_PLAYOUT_LIMIT, trains.estimate) if trains else PlayoutPolicy(choose)


def _weight(action: Action) -> int:
    return action.tile.pips if isinstance(action, Shed) else 0


class _Trains:
    """The trains that the seats plan during a play-out."""

    def __init__(self) -> None:
        self._by_seat: dict[int, tuple[Tile, ...]] = {}

    def of(self, state: State, seat: int) -> tuple[Tile, ...]:
        """Return the tiles that a seat plans to lay along its own train, in order."""
        number = next((end.pips for end in state.ends if end.owner == seat), -1)
        hand, train = state.hands[seat], self._by_seat.get(seat, ())
        while train and train[0] not in hand:
            train = train[1:]
        if not train or number not in train[0] or any(tile not in hand for tile in train):
            train = long_train(number, hand)
        self._by_seat[seat] = train
        return train

    def estimate(self, state: State, side: int) -> float:
        """Return the mean holding of the other sides minus that of `side`, in points.

        A holding is the pips of a hand, of which planned tiles count less, and a cost for each tile.
        """
        holdings = [
            pips(hand) - (1 - PLANNED_SHARE) * pips(self.of(state, seat)) + HELD_TILE_COST * len(hand)
            for seat, hand in enumerate(state.hands)
        ]
        return -advantage(holdings, side)


def long_train(number: int, tiles: tuple[Tile, ...]) -> tuple[Tile, ...]:
    """Return a long train that begins at a number: the longest, if it is found within TRAIN_SEARCH_LIMIT."""
    longest_train: tuple[Tile, ...] = ()
    tries_left = TRAIN_SEARCH_LIMIT

    def grow(number: int, remaining: tuple[Tile, ...], train: tuple[Tile, ...]) -> None:
        nonlocal longest_train, tries_left
        if len(train) > len(longest_train):
            longest_train = train
        for index, tile in enumerate(remaining):
            if not tries_left:
                return
            if number in tile:
                tries_left -= 1
                grow(tile.other(number), remaining[:index] + remaining[index + 1 :], (*train, tile))

    grow(number, tiles, ())
    return longest_train


def combo_player(rules: ComboRules, _random: Callable[[], float]) -> PlayoutPolicy:
    """Play as the baseline does, which is fast."""
    return PlayoutPolicy(lambda state: baseline_in_combos(rules.view(state, state.turn)))


def trick_player(rules: TrickRules, _random: Callable[[], float]) -> PlayoutPolicy:
    """Play as greedy does."""
    return PlayoutPolicy(lambda state: greedy_with(rules, rules.view(state, state.turn)))


class TooManyLinesError(Exception):
    """The limit of actions was reached before all lines of play were searched."""


def solve(rules: Rules, state: AnyState, limit: int) -> dict[Action, float]:
    """Return the gain of the side on turn over the other for each legal action under perfect play.

    The game must have two sides, and they must know all tiles, including the order of those that may be drawn. Raises
    TooManyLinesError after `limit` actions.
    """
    solver = Solver(rules, state.turn % rules.sides, limit)
    return {action: solver.worth(state, action) for action in state.legal}


class Solver:
    """Searches all lines of play for one of two sides; `actions_left` is the number that it may still try."""

    def __init__(self, rules: Rules, side: int, limit: int) -> None:
        self._rules, self._side, self.actions_left = rules, side, limit

    def worth(self, state: AnyState, action: Action, low: float = -inf, high: float = inf) -> float:
        """Return the gain of the side by an action and the best play after it.

        A gain that is not between `low` and `high` may be replaced by a bound. Raises TooManyLinesError when the
        limit of actions to try is used up.
        """
        self.actions_left -= 1
        if self.actions_left < 0:
            raise TooManyLinesError
        after, events = self._rules.apply(state, action)
        gain = gain_of(self._rules, after, events, self._side)
        return gain if after.result else gain + self._best_gain(after, low - gain, high - gain)

    def _best_gain(self, state: AnyState, low: float, high: float) -> float:
        is_own_turn = state.turn % self._rules.sides == self._side
        best_gain = -inf if is_own_turn else inf
        for action in sorted(state.legal, key=_promise, reverse=True):
            gain = self.worth(state, action, low, high)
            if is_own_turn:
                best_gain = max(best_gain, gain)
                low = max(low, best_gain)
            else:
                best_gain = min(best_gain, gain)
                high = min(high, best_gain)
            if low >= high:
                break
        return best_gain


def _promise(action: Action) -> int:
    """Return a sort key, higher for heavy plays and light tiles face down: good moves searched first prune more."""
    if isinstance(action, Shed):
        return -action.tile.pips
    return action.tile.pips if isinstance(action, Play) else -1


SOLVER_LIMIT = 3000
"""Maximum number of actions tried to solve a position; beyond it the position is played out."""
PHASES = 4
"""Number of equal parts of the effort; after each but the last, the worse half of the actions is dropped."""
MIN_WORLDS = 2
"""Minimum number of worlds in which each action is tried: one world may show luck only."""

MakePlayer = Callable[[Callable[[], float]], PlayoutPolicy]
"""Makes the policy of each play-out. The argument returns numbers from 0 to 1 that may decide between equal moves."""


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
    should_solve: Callable[[AnyState], bool] = lambda _: False,
) -> list[ActionValue]:
    """Judge legal actions, the default among them, in the same worlds; return those left at the end, the best first.

    `stop` is polled and may end the search after one world. A position for which `should_solve` is true is solved
    instead of played out, unless that takes too long.
    """
    gains: dict[Action, list[float]] = {action: [] for action in (default, *actions)}
    candidates = list(gains)
    steps = worlds = 0
    for phase in range(1, PHASES + 1):
        while worlds < MIN_WORLDS or (
            steps * PHASES < effort.steps * phase and worlds * PHASES < effort.worlds * phase
        ):
            if worlds and stop():
                break
            position, seed = next(positions), rng.random()
            exact_gains, action_count = (
                _exact_gains(rules, position, candidates) if should_solve(position) else ({}, 0)
            )
            steps += action_count
            for action in candidates:
                if action in exact_gains:
                    gains[action].append(exact_gains[action])
                else:
                    gain, action_count = _play_out(rules, position, action, player(Random(seed).random))
                    gains[action].append(gain)
                    steps += action_count
            worlds += 1
        if phase < PHASES:
            candidates = _better_half(candidates, gains, default)
    action_values = [_action_value(action, gains[action], gains[default]) for action in candidates]
    return sorted(action_values, key=lambda value: value.gain, reverse=True)


def _better_half(candidates: list[Action], gains: dict[Action, list[float]], default: Action) -> list[Action]:
    """Return the half of the actions with the higher gains, but at least two actions, and the default."""
    ranked = sorted(candidates, key=lambda action: sum(gains[action]), reverse=True)
    better_half = ranked[: max(2, (len(ranked) + 1) // 2)]
    return better_half if default in better_half else [*better_half, default]


def _action_value(action: Action, gains: list[float], default_gains: list[float]) -> ActionValue:
    worlds = len(gains)
    if worlds == 1 and gains is not default_gains:
        return ActionValue(action, gains[0], gains[0] - default_gains[0], inf, 1)
    differences = [gain - default for gain, default in zip(gains, default_gains, strict=True)]
    mean_lead = sum(differences) / worlds
    variance = sum((difference - mean_lead) ** 2 for difference in differences) / max(1, worlds - 1)
    return ActionValue(action, sum(gains) / worlds, mean_lead, (variance / worlds) ** 0.5, worlds)


def _exact_gains(rules: Rules, state: AnyState, actions: list[Action]) -> tuple[dict[Action, float], int]:
    """Return the gain of the side on turn by each action under perfect play, and the number of actions searched.

    The gains are empty if more than `SOLVER_LIMIT` actions would have to be searched.
    """
    solver = Solver(rules, state.turn % rules.sides, SOLVER_LIMIT)
    try:
        gains = {action: solver.worth(state, action) for action in actions}
    except TooManyLinesError:
        return {}, SOLVER_LIMIT
    return gains, SOLVER_LIMIT - solver.actions_left


def _play_out(rules: Rules, state: AnyState, action: Action, player: PlayoutPolicy) -> tuple[float, int]:
    """Return the gain of the side on turn over the others by the end of the round, and the number of actions."""
    choose, horizon, estimate = player
    side, gain = state.turn % rules.sides, 0.0
    for action_count in range(1, horizon + 1):
        state, events = rules.apply(state, action)
        if len(events) > 1 or type(action) is Claim:  # nothing else brings points
            gain += gain_of(rules, state, events, side)
        if state.result is not None:
            return gain, action_count
        legal = state.legal
        action = legal[0] if len(legal) == 1 else choose(state)
    return gain + estimate(state, side), horizon
