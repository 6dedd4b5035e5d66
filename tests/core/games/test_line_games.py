"""The house rules that Draw shares with other lines, one by one (`docs/rules` §2.1)."""

import pytest

from core.actions import Draw, Drew, Pass, Passed
from core.layout.state import Before
from core.tiles import full_set, in_order, tile
from core.words import BadOption
from tests.core.positions import deal_of, play, plays, position, result, rules

DRAW, PASS = Draw(), Pass()


def test_hand_sizes_may_be_chosen_for_three_and_four():
    assert rules("draw", 3, hand3=7).start.hand == 7
    assert rules("draw", 4, hand4=7).start.hand == 7
    assert rules("draw", 2, hand3=6, hand4=7).start.hand == 7


def test_no_double_hand_without_a_double_the_heaviest_hand_leads_any_tile():
    game = rules("draw", 3, no_double="hand")
    state = deal_of(game, "6|5 2|1 1|0 2|0 3|0", "6|3 5|1 5|0 3|1 4|1", "6|2 6|1 4|2 4|3 5|4")

    assert state.turn == 2
    assert len(state.legal) == 5


def test_opener_heaviest_the_heaviest_tile_must_be_led_double_or_not():
    game = rules("draw", 3, opener="heaviest")
    state = deal_of(game, "5|5 2|1 1|0 2|0 3|0", "6|5 5|1 5|0 3|1 4|1", "6|2 6|1 4|2 4|3 4|0")

    assert state.turn == 1
    assert [action.tile for action in state.legal] == [tile("6|5")]


def test_opener_lot_the_seat_drawn_by_lot_leads_any_tile():
    state = rules("draw", 4, opener="lot").deal(full_set(6), Before(lot=3, leader=1, winner=2))

    assert state.turn == 3
    assert len(state.legal) == 5


def test_opener_winner_the_previous_winner_leads_any_tile():
    game = rules("draw", 4, opener="winner")

    assert game.deal(full_set(6), Before(lot=3, leader=1, winner=2)).turn == 2
    assert game.deal(full_set(6), Before(lot=3, leader=1)).opening.reason == "double"


def test_opener_rotate_the_lead_moves_on_one_seat_from_a_first_leader_by_lot():
    game = rules("draw", 4, opener="rotate")

    assert game.deal(full_set(6), Before(lot=2)).turn == 2
    assert game.deal(full_set(6), Before(lot=2, leader=3, winner=1)).turn == 0


def test_draw_max_one_draws_one_tile_and_passes():
    game = rules("draw", 2, draw__max=1)
    state = position(game, (5, 5), "0|0", "6|4", boneyard="2|1 6|6 5|3")

    state, events = game.apply(state, DRAW)
    assert events[0].count == 1
    state, events = game.apply(state, PASS)

    assert events == (Passed(0, "limit"),)
    assert state.turn == 1
    assert state.legal == (DRAW,)


def test_draw_max_three_stops_at_the_first_tile_that_fits():
    game = rules("draw", 2, draw__max=3)
    state = position(game, (5, 5), "0|0", "6|4", boneyard="2|1 5|3 6|6")

    assert game.apply(state, DRAW)[1][0].count == 2


def test_draw_voluntary_one_tile_at_a_time_and_then_a_play():
    game = rules("draw", 2, draw__voluntary="yes")
    state = position(game, (6, 1), "6|4", "0|0", boneyard="5|5 6|2")
    assert DRAW in state.legal

    state, events = game.apply(state, DRAW)
    assert events == (Drew(0, 1, in_order("5|5"), forced=False),)
    assert plays(state) == ["6|4@6→4"]
    state, _ = game.apply(state, DRAW)
    assert DRAW not in state.legal
    assert PASS not in state.legal
    assert len(plays(state)) == 2


def test_draw_voluntary_no_drawing_before_the_lead():
    state = rules("draw", 2, draw__voluntary="yes", opener="lot").deal(full_set(6), Before(lot=0))

    assert DRAW not in state.legal


def test_draw_voluntary_counts_towards_the_limit_of_a_turn():
    game = rules("draw", 2, draw__voluntary="yes", draw__max=1)
    state = position(game, (6, 1), "6|4", "0|0", boneyard="5|5 6|2")

    assert DRAW not in game.apply(state, DRAW)[0].legal


def test_draw_drawn_may_a_stuck_player_may_keep_the_fitting_tile_but_not_draw_on():
    game = rules("draw", 2, draw__drawn="may")
    state = position(game, (5, 5), "0|0", "6|4", boneyard="5|3 4|4")

    state, _ = game.apply(state, DRAW)
    assert PASS in state.legal
    assert DRAW not in state.legal
    state, events = game.apply(state, PASS)

    assert events == (Passed(0, "kept"),)


def test_draw_spinners_every_double_branches_its_long_sides_first():
    game = rules("draw", 2, draw__spinners="yes")
    state = position(game, (5, 5), "5|5 1|0", "6|4")
    state, _ = game.apply(state, next(play for play in state.legal if play.tile == tile("5|5")))

    assert game.shape == "cross"
    assert rules("draw", 2).shape == "line"
    assert sorted(end.pips for end in state.ends) == [5, 5]


def test_partners_only_the_other_teams_tiles_count_when_one_goes_out():
    game = rules("draw", 4, partners="yes")
    state = position(game, (4, 2), "4|1", "6|5", "3|3", "1|0")

    assert result(play(game, state, "4|1")).points == (12, 0)


def test_partners_a_blocked_round_compares_team_totals():
    state = position(rules("draw", 4, partners="yes"), (6, 6), "5|5", "4|1", "0|0", "4|2")

    assert result(state).points == (11 - 10, 0)
    assert result(state).winner == 2


def test_partners_are_for_four_players():
    with pytest.raises(BadOption, match="needs four players"):
        rules("draw", 3, partners="yes")


def test_blocked_score_gross_deducts_nothing():
    state = position(rules("draw", 3, blocked_score="gross"), (6, 6), "4|1", "5|4", "4|4 3|1")

    assert result(state).points == (21, 0, 0)


def test_blocked_score_boneyard_adds_what_lies_there():
    game = rules("draw", 3, blocked_score="boneyard", draw__reserve=2)
    state = position(game, (6, 6), "4|1", "5|4", "4|4 3|1", boneyard="3|3 2|2")

    assert result(state).points == (31, 0, 0)


def test_tie_last_player_the_tied_one_who_laid_a_tile_last_wins_as_if_alone():
    game = rules("draw", 3, tie="last_player")
    state = position(game, (6, 6), "4|3", "5|2", "4|4 3|1", laid=(0, 1, 2))

    assert result(state).points == (0, 7 + 12 - 7, 0)
    assert result(state).winner == 1


def test_tie_last_player_if_none_of_the_tied_laid_a_tile_nobody_wins():
    game = rules("draw", 3, tie="last_player")
    state = position(game, (6, 6), "4|3", "5|2", "4|4 3|1", laid=(2, 2))

    assert result(state).points == (0, 0, 0)


def test_tie_share_splits_the_other_hands_without_fractions():
    game = rules("draw", 3, tie="share")
    state = position(game, (6, 6), "4|3", "5|2", "4|4 3|2")

    assert result(state).points == (6, 6, 0)
    assert result(state).winner == -1


def test_blocked_winner_tiles_counts_tiles_and_then_pays_gross():
    state = position(rules("draw", 2, blocked_winner="tiles"), (6, 6), "5|5", "0|0 1|0")

    assert result(state).points == (1, 0)
