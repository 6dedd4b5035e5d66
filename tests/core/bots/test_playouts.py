"""How rounds are played on in a search: legally, to the end, and as a plain player would."""

from random import Random

import pytest

from core.bots.playouts import play_on_in_layout, play_on_in_tricks
from core.chance import deal_order
from core.games import GAMES
from core.layout.rules import LayoutRules
from core.match import new_match
from core.tiles import tile
from tests.core.positions import position, rules


@pytest.mark.parametrize("name", GAMES)
def test_every_round_is_played_to_its_end(name):
    variant = GAMES[name]
    match = new_match(variant, variant.seats[1], {})
    order, lot = deal_order(match.rules.tiles, match.rules.seats, b"1", 1)
    match, _ = match.deal(order, lot)
    play_on = play_on_in_layout if isinstance(match.rules, LayoutRules) else play_on_in_tricks
    chance = Random(1).random
    for _ in range(400):
        if match.state.result:
            return
        match, _ = match.apply(play_on(match.rules, match.state, chance))
    raise AssertionError("the round did not end")


def test_the_heaviest_tile_is_laid():
    game = rules("draw", 2)

    action = play_on_in_layout(game, position(game, (6, 1), "6|5 6|2", "0|0"), Random(1).random)

    assert action.tile == tile("6|5")


def test_points_come_before_weight():
    game = rules("all-fives", 2)

    action = play_on_in_layout(game, position(game, (6, 1), "6|5 6|4", "0|0"), Random(1).random)

    assert action.tile == tile("6|4")
