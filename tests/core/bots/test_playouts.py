"""Playouts in a search: legal, to the end of the round, and as a plain player would play."""

from random import Random

import pytest
from msgspec.structs import replace

from core.bots.search import combo_player, layout_player, long_train, trick_player
from core.combos.rules import ComboRules
from core.fair import deal_order
from core.games import GAMES
from core.layout.rules import LayoutRules
from core.match import new_match
from core.tiles import hand, tile
from core.tricks.rules import TrickRules
from tests.core.positions import position, rules


@pytest.mark.parametrize("name", [name for name, game in GAMES.items() if game.seats[1] > 1])
def test_every_round_is_played_to_its_end(name):
    variant = GAMES[name]
    match = new_match(variant, variant.seats[1], {})
    order, lot = deal_order(match.rules.tiles, match.rules.seats, b"1", 1)
    match, _ = match.deal(order, lot)
    players = {LayoutRules: layout_player, TrickRules: trick_player, ComboRules: combo_player}
    player = players[type(match.rules)](match.rules, Random(1).random)
    for _ in range(400):
        if match.state.result:
            return
        match, _ = match.apply(player.choose(match.state))
    raise AssertionError("the round did not end")


def test_the_heaviest_tile_is_laid():
    game = rules("draw", 2)

    action = layout_player(game, Random(1).random).choose(position(game, (6, 1), "6|5 6|2", "0|0"))

    assert action.tile == tile("6|5")


def test_points_come_before_weight():
    game = rules("all-fives", 2)

    action = layout_player(game, Random(1).random).choose(position(game, (6, 1), "6|5 6|4", "0|0"))

    assert action.tile == tile("6|4")


def test_a_long_train_follows_number_on_number():
    train = long_train(6, hand("6|5 6|1 5|2 2|4 1|1 9|8"))

    assert [str(tile) for tile in train] == ["6|5", "5|2", "4|2"]


def test_tiles_outside_the_own_train_go_first():
    game = rules("mexican-train", 2)
    match = new_match(GAMES["mexican-train"], 2, {})
    order, lot = deal_order(match.rules.tiles, 2, b"1", 1)
    state = match.deal(order, lot)[0].state
    mine = hand("12|11 11|10 10|9 12|1")
    state = game.complete(replace(state, hands=tuple(mine for _ in state.hands)))

    assert layout_player(game, Random(1).random).choose(state).tile == tile("12|1")


def test_a_tile_with_a_place_in_the_train_costs_less_than_one_without():
    match = new_match(GAMES["mexican-train"], 2, {})
    order, lot = deal_order(match.rules.tiles, 2, b"1", 1)
    state = match.deal(order, lot)[0].state
    state = replace(state, hands=(hand("12|5 5|4"), hand("9|5 8|4")))
    player = layout_player(match.rules, Random(1).random)

    assert player.estimate(state, 0) > 0
    assert player.estimate(state, 1) == pytest.approx(-player.estimate(state, 0))
