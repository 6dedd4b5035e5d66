"""Tiddly-Wink, rule by rule (`docs/rules` §C.15)."""

import pytest

from core.actions import Pass, Play
from core.layout.state import End, RoundContext
from core.tiles import full_set, tile
from tests.core.positions import deal_of, one_ended, rules


def tiles_of(state):
    return [action.tile for action in state.legal if isinstance(action, Play)]


def test_tw_1_the_player_of_a_double_may_lay_one_more_tile_or_stop():
    game = rules("tiddly-wink", 4)
    state = one_ended(game, 4, "4|4 4|1 6|2", "5|4", "5|1", "3|3")
    assert tiles_of(state) == [tile("4|1"), tile("4|4")]
    after, _ = game.apply(state, state.legal[1])

    assert after.turn == 0
    assert tiles_of(after) == [tile("4|1")]
    assert Pass() in after.legal
    assert game.apply(after, Pass())[0].turn == 1


def test_tw_1_after_any_other_tile_it_is_the_next_seat_s_turn():
    game = rules("tiddly-wink", 4)
    state = one_ended(game, 4, "4|4 4|1 6|2", "5|4 5|1", "5|1", "3|3")

    assert game.apply(state, state.legal[0])[0].turn == 1


@pytest.mark.parametrize(("again", "turn"), [("yes", 0), ("no", 1)])
def test_tw_1_a_tile_may_follow_a_double_that_leads_but_not_in_one_arm_joe(again, turn):
    game = rules("tiddly-wink", 4, tw__lead_again=again, tw__draw="none" if again == "yes" else "until")
    state = deal_of(game, "6|6 6|2 1|0", "6|1 5|0 4|0", "5|1 5|2 5|3", "4|1 4|2 4|3")
    assert tiles_of(state) == [tile("6|6")]
    after, _ = game.apply(state, state.legal[0])

    assert after.turn == turn
    assert tiles_of(after) == [tile("6|2" if turn == 0 else "6|1")]
    assert (Pass() in after.legal) == (turn == 0)


def test_tw_2_five_players_have_three_tiles_each_and_thirteen_are_unused():
    state = rules("tiddly-wink", 5).deal(full_set(6), RoundContext(lot=0))

    assert ([len(own) for own in state.hands], len(state.boneyard)) == ([3] * 5, 13)


@pytest.mark.parametrize(("players", "size"), [(4, 7), (5, 5), (6, 4), (7, 4), (8, 3)])
def test_tw_2_all_tiles_are_dealt_in_equal_shares_and_the_rest_is_unused(players, size):
    state = rules("tiddly-wink", players, tw__deal="all").deal(full_set(6), RoundContext(lot=0))

    assert ([len(own) for own in state.hands], len(state.boneyard)) == ([size] * players, 28 - players * size)


def test_tw_2_the_player_who_goes_out_scores_the_pips_of_all_others():
    game = rules("tiddly-wink", 5)
    state = one_ended(game, 4, "4|1", "3|2", "6|3", "0|0", "2|1")
    over = game.apply(state, state.legal[0])[0].result

    assert (over.how, over.winner, over.points) == ("out", 0, (17, 0, 0, 0, 0))


def test_tw_3_without_a_double_the_heaviest_tile_leads_and_its_leader_opens_a_half():
    game = rules("tiddly-wink", 4)
    state = deal_of(game, "6|0 5|0 4|0", "6|1 5|1 4|1", "6|5 2|1 3|1", "4|2 4|3 3|0")

    assert state.turn == 2
    assert state.legal == (Play(tile("6|5"), -1, 0, 6), Play(tile("6|5"), -1, 0, 5))
    assert game.apply(state, state.legal[1])[0].ends == (End(0, 0, 5),)
