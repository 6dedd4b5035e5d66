"""How a round is played on in a search: from the full position, fast and plain, for all seats alike."""

from collections.abc import Callable

from core.actions import Action, Play
from core.bots.tricks import greedy_in_tricks
from core.layout.rules import LayoutRules
from core.layout.state import State
from core.layout.view import worth_of
from core.tiles import Tile
from core.tricks.rules import TrickRules
from core.tricks.state import TrickState

POINTS, DOUBLE, WILD = 3, 2, 8
"""In pips, what a point in play, being a double, and a wild tile count when a tile to lay is chosen."""
ELSEWHERE = 100
"""More than the pips of any tile: what does not belong to a seat's own train goes first."""
LOOKS = 150
"""Tiles that are tried to find a long train."""

def layout_player(rules: LayoutRules, chance: Callable[[], float]) -> Callable[[State], Action]:
    """Lay what scores most or weighs most; draw or pass only where nothing can be laid.

    With trains of their own, seats keep what belongs to a long one for that.
    """
    scoring, trains = rules.scoring, _Trains() if rules.turns.marks else None

    def play_on(state: State) -> Action:
        legal = state.legal
        if type(legal[0]) is not Play:
            return legal[0]
        worth = worth_of(state, scoring.earns, rules.opens) if scoring else ()
        train = trains.of(state) if trains else ()
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

    return play_on


class _Trains:
    """The trains that the seats have planned in one playout."""

    def __init__(self) -> None:
        self._planned: dict[int, tuple[Tile, ...]] = {}

    def of(self, state: State) -> tuple[Tile, ...]:
        """What the seat on turn means to lay along its own train, in order."""
        seat = state.turn
        number = next((end.pips for end in state.ends if end.owner == seat), -1)
        hand = state.hands[seat]
        planned = self._planned.get(seat, ())
        while planned and planned[0] not in hand:
            planned = planned[1:]
        if not planned or number not in planned[0] or any(tile not in hand for tile in planned):
            planned = long_train(number, hand)
        self._planned[seat] = planned
        return planned


def long_train(number: int, tiles: tuple[Tile, ...]) -> tuple[Tile, ...]:
    """Return a long train from a number: the longest, if it is found soon."""
    best: tuple[Tile, ...] = ()
    looks = LOOKS

    def grow(number: int, rest: tuple[Tile, ...], train: tuple[Tile, ...]) -> None:
        nonlocal best, looks
        if len(train) > len(best):
            best = train
        for tile in rest:
            if number in tile and looks > 0:
                looks -= 1
                grow(tile.other(number), tuple([other for other in rest if other is not tile]), (*train, tile))

    grow(number, tiles, ())
    return best


def trick_player(rules: TrickRules, _chance: Callable[[], float]) -> Callable[[TrickState], Action]:
    """Play as greedy does."""
    return lambda state: greedy_in_tricks(rules.view(state, state.turn))
