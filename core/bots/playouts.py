"""How a round is played on in a search, fast and plain, for all seats alike; and what a side gains by it."""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from core.actions import Action, Event, Play, RoundOver, Scored, Shed
from core.bots.baseline import baseline_in_combos
from core.bots.greedy import greedy_with
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


TO_THE_END = 300
"""Actions after which a round is broken off: more than any round has, unless it goes in circles."""
POINTS, DOUBLE, WILD = 3, 2, 8
"""In pips, what a point in play, being a double, and a wild tile count when a tile to lay is chosen."""
ELSEWHERE = 100
"""More than the pips of any tile: what does not belong to a seat's own train goes first."""
SOON = 12
"""Actions after which a round with trains is broken off; the rest would say more about luck than about the first."""
TILE, PLANNED = 2.0, 0.4
"""What a held tile costs beside its pips, and what part of those if it belongs to the train. By experiment."""
LOOKS = 100
"""Tiles that are tried to find a long train."""


class Player(NamedTuple):
    """What plays a round on, once, for all seats."""

    choose: Callable[[Any], Action]
    horizon: int = TO_THE_END
    """Actions after which the round is broken off."""
    expects: Callable[[Any, int], float] = lambda _state, _side: 0.0
    """What a side may expect to gain from there on, in points over the others on average."""


def layout_player(rules: LayoutRules, chance: Callable[[], float]) -> Player:
    """Lay what scores most or weighs most; where nothing can be laid, draw, pass, or lay face down what weighs least.

    Where seats have trains of their own, they keep what belongs to a long one for that.
    """
    scoring, trains = rules.scoring, _Trains() if rules.turns.marks else None

    def choose(state: State) -> Action:
        legal = state.legal
        if type(legal[0]) is not Play:
            return min(legal, key=_weight) if type(legal[0]) is Shed else legal[0]
        worth = worth_of(state, scoring.earns, rules.opens) if scoring else ()
        train = trains.of(state, state.turn) if trains else ()
        best, most = legal[0], -1.0
        for number, action in enumerate(legal):
            if type(action) is Play:
                low, high = action.tile
                value = chance() + (WILD if low < 0 else low + high + DOUBLE * (low == high))
                if worth:
                    value += POINTS * worth[number]
                if train and action.tile not in train:
                    value += ELSEWHERE
                if value > most:
                    best, most = action, value
        return best

    return Player(choose, SOON, trains.expects) if trains else Player(choose)


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

    def expects(self, state: State, side: int) -> float:
        """How much less a side holds than the others on average; what has its place counts for less."""
        left = [
            pips(hand) - (1 - PLANNED) * pips(self.of(state, seat)) + TILE * len(hand)
            for seat, hand in enumerate(state.hands)
        ]
        return -lead(left, side)


def long_train(number: int, tiles: tuple[Tile, ...]) -> tuple[Tile, ...]:
    """Return a long train that begins at a number: the longest, if it is found soon."""
    best: tuple[Tile, ...] = ()
    looks = LOOKS

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


def combo_player(rules: ComboRules, _chance: Callable[[], float]) -> Player:
    """Play as greedy first did, which is quick."""
    return Player(lambda state: baseline_in_combos(rules.view(state, state.turn)))


def trick_player(rules: TrickRules, _chance: Callable[[], float]) -> Player:
    """Play as greedy does."""
    return Player(lambda state: greedy_with(rules, rules.view(state, state.turn)))
