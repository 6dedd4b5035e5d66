"""The solver gives the same result as an exhaustive search of all lines of play."""

from random import Random

import pytest
from msgspec.structs import replace

from core.bots.search import TooManyLinesError, gain_of, solve
from core.fair import deal_order
from core.games import GAMES
from core.match import new_match
from tests.core.positions import position, rules

GAMES_FOR_TWO = [
    "draw",
    "block",
    "all-fives",
    "chickenfoot",
    "mexican-train",
    "matador",
    "stakes",
    "fives-and-threes",
]


def every_line(game, state, side):
    """Return the value of a position for a side, by minimax without pruning."""
    if state.result:
        return 0.0
    values = []
    for action in state.legal:
        after, events = game.apply(state, action)
        values.append(gain_of(game, after, events, side) + every_line(game, after, side))
    return max(values) if state.turn % 2 == side else min(values)


def late_position(name, seed, left):
    """Return a position of a game of two players without a boneyard, in which both together hold at most `left`
    tiles.
    """
    rng, deal = Random(seed), 0
    while True:
        deal += 1
        match = new_match(GAMES[name], 2, {})
        order, lot = deal_order(match.rules.tiles, 2, b"%d %d" % (seed, deal), 1)
        match, _ = match.deal(order, lot)
        while not match.state.result and sum(map(len, match.state.hands)) > left:
            match, _ = match.apply(rng.choice(match.legal))
            if match.state and match.state.layout and not match.state.result:
                hands = tuple(tuple(sorted(rng.sample(hand, min(len(hand), 4)))) for hand in match.state.hands)
                if not match.rules.ending.looks_back and not match.state.owed and sum(map(len, hands)) <= left:
                    state = match.rules.complete(replace(match.state, hands=hands, boneyard=()))
                    match = replace(match, state=state)
        if not match.state.result:
            return match.rules, match.state


@pytest.mark.parametrize("name", GAMES_FOR_TWO)
def test_the_solver_agrees_with_an_exhaustive_search(name):
    game, state = late_position(name, 1, 7)

    gains = solve(game, state, 10**6)

    assert set(gains) == set(state.legal)
    for action, gain in gains.items():
        after, events = game.apply(state, action)
        side = state.turn % 2
        assert gain == pytest.approx(gain_of(game, after, events, side) + every_line(game, after, side))


def test_the_solver_gives_up_after_a_number_of_actions():
    state = position(rules("block", 2), (6, 1), "6|5 6|4 4|2", "1|0 1|2 6|3")

    with pytest.raises(TooManyLinesError):
        solve(rules("block", 2), state, 5)
