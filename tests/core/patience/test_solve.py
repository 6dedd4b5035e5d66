"""The search for solutions: they solve the game, and solvable deals can be checked (`docs/rules` §C.8)."""

from itertools import islice, takewhile

import pytest

from core.fair import deal_order
from core.games.patience import KINDS
from core.layout.state import RoundContext
from core.patience.rules import find_solution, orders, solvable_first
from tests.core.patience.tables import laid, rules


@pytest.mark.parametrize("kind", KINDS)
def test_a_solution_leaves_no_tile(kind):
    game, solved = KINDS[kind], 0
    for seed in range(6):
        state = game.deal(deal_order(game.tiles, 1, b"%d" % seed, 1)[0], RoundContext(0))
        way = find_solution(game, state.laid)
        if way is not None:
            solved += 1
            for action in way:
                state, _ = game.apply(state, action)
            assert state.result.how == "solved"
    assert solved


def test_a_game_without_a_solution_has_none_to_find():
    assert find_solution(rules("luzon"), laid("6|6/5|5/4|4/3|3/2|2/1|1/1|0/2|0")) is None
    assert (
        find_solution(rules("good-neighbors"), KINDS["good-neighbors"].lay_out(KINDS["good-neighbors"].tiles), 3)
        is None
    )


@pytest.mark.parametrize("kind", KINDS)
def test_a_solvable_deal_is_the_first_solvable_order_derived_from_the_shuffled_one(kind):
    game = rules(kind, pa__deals="solvable")
    for seed in range(4):
        order = deal_order(game.tiles, 1, b"%d" % seed, 1)[0]
        before = list(
            takewhile(lambda turned: find_solution(game, game.lay_out(turned)) is None, orders(game, order))
        )
        turned = next(islice(orders(game, order), len(before), None))

        assert solvable_first(game, order) == turned
        assert tuple(sorted(turned)) == game.tiles
        assert game.deal(order, RoundContext(0)).laid == KINDS[kind].lay_out(turned)


def test_the_next_order_follows_from_the_halves_of_the_shuffled_one():
    game = rules("luzon")
    order = tuple(reversed(game.tiles))
    first, second = islice(orders(game, order), 2)

    assert first == order
    assert second == deal_order(game.tiles, 1, bytes(half for tile in order for half in tile), 1)[0]
