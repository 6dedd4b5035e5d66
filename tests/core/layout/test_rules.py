"""The engine of layouts: what may be done, and when a round is over (`docs/rules` §0)."""

import pytest

from core.actions import Draw, Pass, Play
from core.tiles import tile
from core.words import Illegal
from tests.core.positions import deal_of, play, position, result, rules

DRAW, PASS = Draw(), Pass()


def test_the_two_free_sides_of_a_led_double_are_one_place():
    game = rules("draw", 2)
    state = deal_of(game, "6|6 5|4", "6|2 3|1")

    state = play(game, state, "6|6")

    assert sum(1 for move in state.legal if move.tile == tile("6|2")) == 1
    assert len(state.ends) == 2


def test_a_player_who_can_play_may_neither_draw_nor_pass():
    game = rules("draw", 2)
    state = position(game, (6, 1), "6|4", "0|0", boneyard="5|5")

    for action in (DRAW, PASS):
        with pytest.raises(Illegal):
            game.apply(state, action)


def test_a_pass_is_never_asked_for_once_nobody_can_play():
    state = position(rules("draw", 2), (6, 6), "4|4", "5|0")

    assert result(state).how == "blocked"


def test_while_the_boneyard_stands_a_round_is_not_blocked():
    state = position(rules("draw", 2), (6, 6), "4|4", "5|0", boneyard="3|3")

    assert state.legal == (DRAW,)


def test_a_last_tile_that_kills_the_line_is_a_win_by_going_out():
    game = rules("draw", 2)
    state = position(game, (6, 5), "6|5", "4|4")

    assert result(play(game, state, "6|5@6")).how == "out"


def test_a_limit_of_draws_never_blocks_while_the_boneyard_stands_above_its_reserve():
    game = rules("draw", 2, draw__max=1, draw__reserve=2)
    state = position(game, (5, 5), "0|0", "6|4", boneyard="2|1 6|6 4|4 3|3")

    seen = []
    while state.result is None:
        state, events = game.apply(state, state.legal[0])
        seen += events

    assert [type(event).__name__ for event in seen] == ["Drew", "Passed", "Drew", "RoundOver"]


def test_an_action_that_is_not_legal_changes_nothing():
    game = rules("draw", 2)
    state = position(game, (6, 1), "6|4", "0|0", boneyard="5|5")

    for tile_, at, side, out in [("6|4", 1, 1, 4), ("6|4", 0, 0, 6), ("6|2", 0, 0, 2), ("6|4", 7, 0, 4)]:
        with pytest.raises(Illegal):
            game.apply(state, Play(tile(tile_), at, side, out))
