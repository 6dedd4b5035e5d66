"""Block, rule by rule (`docs/rules` §2.2)."""

import pytest

from core.actions import Pass, Passed
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


def test_b_2_equal_tiles_go_to_the_tied_player_who_laid_a_tile_last():
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


def test_block_has_no_partners_option():
    with pytest.raises(BadOption, match="no house rule"):
        rules("block", 4, partners="yes")
