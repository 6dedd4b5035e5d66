"""Draw, rule by rule (`docs/rules` §2.1); house rules that it shares with other line games have their own file."""

from core.actions import Draw, Drew, Pass, Passed
from core.tiles import hand, in_order, tile
from tests.core.positions import play, plays, position, result, rules

DRAW, PASS = Draw(), Pass()


def test_d_1_a_tile_that_fits_both_ends_has_a_move_at_each():
    state = position(rules("draw", 2), (6, 1), "6|4 1|1 3|2 6|1", "0|0", boneyard="5|5")

    assert plays(state) == ["1|1@1→1", "6|1@1→6", "6|1@6→1", "6|4@6→4"]


def test_d_2_a_stuck_player_draws_until_a_tile_fits_and_must_play_it():
    game = rules("draw", 2)
    state = position(game, (5, 5), "0|0 4|3", "6|4", boneyard="2|1 6|6 5|3 4|4")
    assert state.legal == (DRAW,)

    state, events = game.apply(state, DRAW)
    assert events == (Drew(0, 3, in_order("2|1 6|6 5|3")),)
    assert plays(state) == ["5|3@5→3", "5|3@5→3"]
    assert PASS not in state.legal

    state = play(game, state, "5|3")
    assert sorted(end.pips for end in state.ends) == [3, 5]
    assert state.hands[0] == hand("0|0 4|3 2|1 6|6")
    assert state.boneyard == in_order("4|4")


def test_d_2_with_a_reserve_of_two_they_draw_two_and_pass():
    game = rules("draw", 2, draw__reserve=2)
    state = position(game, (5, 5), "0|0 4|3", "6|5", boneyard="2|1 6|6 5|3 4|4")

    state, events = game.apply(state, DRAW)
    assert events[0].count == 2
    assert state.legal == (PASS,)
    state, events = game.apply(state, PASS)
    assert events == (Passed(0, "reserve"),)
    assert plays(state) == ["6|5@5→6", "6|5@5→6"]


def test_d_2_with_a_reserve_of_two_and_all_stuck_the_draw_itself_blocks_the_round():
    game = rules("draw", 2, draw__reserve=2)
    state = position(game, (5, 5), "0|0 4|3", "6|4", boneyard="2|1 6|6 5|3 4|4")

    state, events = game.apply(state, DRAW)

    assert isinstance(events[0], Drew)
    assert result(state).how == "blocked"


def test_d_3_the_player_who_goes_out_scores_all_opponents_pips():
    game = rules("draw", 3)
    state = position(game, (4, 2), "4|1", "6|5 1|0", "3|3", boneyard="2|2")

    state = play(game, state, "4|1")

    assert result(state).how == "out"
    assert result(state).winner == 0
    assert result(state).points == (18, 0, 0)


def test_d_4_a_blocked_round_pays_the_lightest_hand_net():
    state = position(rules("draw", 3), (6, 6), "4|1", "5|4", "4|4 3|1")

    assert result(state).points == (16, 0, 0)


def test_d_4_a_tie_for_the_lightest_pays_no_player():
    state = position(rules("draw", 3), (6, 6), "4|3", "5|2", "4|4 3|1")

    assert result(state).points == (0, 0, 0)
    assert result(state).winner == -1
    assert result(state).tied == (0, 1)


def test_fv_3_three_players_may_take_nine_tiles_each_without_the_double_blank():
    game = rules("draw", 3, hand3=9, target=101)
    held = [tile_ for hand in (game.tiles[:9], game.tiles[9:18], game.tiles[18:]) for tile_ in hand]

    assert (len(held), game.start.hand, tile("0|0") in held) == (27, 9, False)
    assert position(game, (6, 1), "4|4 3|2", "6|0", "5|1").legal == (PASS,), "there is no boneyard"
