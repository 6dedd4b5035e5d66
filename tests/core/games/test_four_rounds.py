"""Four Rounds, rule by rule (`docs/rules` §2.10)."""

import pytest

from core.actions import Draw, Pass
from tests.core.positions import play, position, result, rules

DRAW, PASS = Draw(), Pass()
STUCK = "6|6 1|0"


def test_bn_1_three_draws_and_a_pass():
    game = rules("four-rounds", 2)
    state = position(game, (2, 5), STUCK, "3|1", boneyard="3|3 4|4 6|1 2|2 5|0 5|5 6|4 6|3")
    state, events = game.apply(state, DRAW)
    assert events[0].count == 3
    assert state.legal == (PASS,)
    state, _ = game.apply(state, PASS)

    assert len(state.boneyard) == 5


def test_bn_2_two_left_and_no_move_end_the_round_in_the_middle_of_the_draws():
    game = rules("four-rounds", 2)
    state = position(game, (2, 5), STUCK, "5|3", boneyard="3|3 4|4 6|1 2|2 5|0")
    state, _ = game.apply(state, DRAW)

    assert result(state).how == "stuck"
    assert result(state).points == (34, 8)


def test_bn_3_a_drawn_tile_that_fits_is_played_and_the_next_stuck_seat_ends_it():
    game = rules("four-rounds", 2)
    state = position(game, (2, 5), STUCK, "3|1", boneyard="4|2 0|0 1|1")
    state, _ = game.apply(state, DRAW)
    assert len(state.boneyard) == 2
    state = play(game, state, "4|2")

    assert result(state).how == "stuck"


@pytest.mark.parametrize(("bonus", "totals"), [("winner_minus_5", (11, 21)), ("opponent_plus_5", (26, 36))])
def test_bn_4_penalties_and_the_bonus_for_going_out(bonus, totals):
    rounds = [(0, 17), (9, 0), (12, 3), (0, 6)]
    white = black = 0
    for w, b in rounds:
        out = 0 if w == 0 else 1 if b == 0 else None
        white += w
        black += b
        if out is not None and bonus == "winner_minus_5":
            white, black = (white - 5, black) if out == 0 else (white, black - 5)
        elif out is not None:
            white, black = (white, black + 5) if out == 0 else (white + 5, black)
    game = rules("four-rounds", 2, bn__bonus=bonus)
    out_now = result(play(game, position(game, (4, 2), "4|1", "6|6 5|0"), "4|1"))

    assert out_now.points == ((-5, 17) if bonus == "winner_minus_5" else (0, 22))
    assert (white, black) == totals
