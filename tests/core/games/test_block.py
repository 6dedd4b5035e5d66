"""Block, rule by rule (`docs/rules` §2.2)."""

import pytest

from core.actions import Pass, Passed
from core.games import GAMES
from core.words import BadOption
from tests.core.positions import play, plays, position, result, rules


def test_b_1_the_fewest_tiles_win_a_blocked_round_gross():
    state = position(rules("block", 2), (4, 4), "6|6 6|5", "0|0 1|0 1|1")

    assert result(state).winner == 0
    assert result(state).points == (3, 0)


def test_b_1_by_pips_the_lightest_hand_wins_net():
    state = position(rules("block", 2, blocked_winner="pips"), (4, 4), "6|6 6|5", "0|0 1|0 1|1")

    assert result(state).winner == 1
    assert result(state).points == (0, 20)


def test_b_2_equal_tiles_go_to_the_tied_one_who_laid_a_tile_last():
    state = position(rules("block", 2), (6, 6), "3|3 1|0 1|0", "4|4 3|2 1|0", laid=(0, 1))

    assert result(state).winner == 1
    assert result(state).points == (0, 8)


def test_b_3_a_stuck_player_passes_and_the_last_fitting_tile_blocks():
    game = rules("block", 2)
    state = position(game, (2, 2), "2|2 5|5", "4|3", turn=1)
    assert state.legal == (Pass(),)

    state, events = game.apply(state, Pass())
    assert events == (Passed(1, "no_drawing"),)
    assert plays(state) == ["2|2@2→2", "2|2@2→2"]
    state = play(game, state, "2|2")

    assert result(state).how == "blocked"


def test_there_is_no_drawing_although_tiles_are_left():
    state = position(rules("block", 2), (2, 2), "5|5", "2|1", boneyard="2|0")

    assert state.legal == (Pass(),)


def test_who_goes_out_scores_all_opponents_pips():
    game = rules("block", 4)
    state = position(game, (4, 2), "4|1", "6|5", "3|3", "1|0")

    assert result(play(game, state, "4|1")).points == (18, 0, 0, 0)


def test_net_by_tiles_never_falls_below_nothing():
    state = position(rules("block", 2, blocked_score="net"), (4, 4), "6|6 6|5", "0|0 1|0 1|1")

    assert result(state).points == (0, 0)


def test_by_pips_a_tie_pays_nobody():
    state = position(rules("block", 2, blocked_winner="pips"), (6, 6), "4|3", "5|2")

    assert result(state).points == (0, 0)


def test_the_classic_deal_of_four_uses_all_tiles():
    assert rules("block", 4, hand4=7).start.hand == 7
    assert rules("block", 4).start.hand == 5


def test_block_has_no_partners_option():
    with pytest.raises(BadOption, match="no house rule"):
        rules("block", 4, partners="yes")


def test_blocked_score_left_alone_means_gross_with_tiles_and_net_with_pips():
    def score(game, **chosen):
        return GAMES[game].rules(2, chosen)[0]["blocked_score"]

    assert score("block") == "gross"
    assert score("block", blocked_winner="pips") == "net"
    assert score("draw") == "net"
    assert score("draw", blocked_winner="tiles") == "gross"
    assert score("draw", blocked_winner="tiles", blocked_score="net") == "net"
