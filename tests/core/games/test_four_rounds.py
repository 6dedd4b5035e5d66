"""Four Rounds, rule by rule (`docs/rules` §2.10)."""

import pytest

from core.actions import Draw, Pass
from core.bots.levels import play_match
from core.games import GAMES
from core.match import new_match
from core.tiles import pips
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


def test_bn_3_a_drawn_tile_that_fits_is_played_and_the_next_stuck_player_ends_the_round():
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


def test_a_match_has_four_rounds_and_the_least_penalty_wins():
    match = list(play_match(new_match(GAMES["four-rounds"], 2, {}), ("greedy", "greedy"), b"1", "t"))[-1].match

    assert match.round == 4
    assert match.over
    assert match.winners == (() if match.scores[0] == match.scores[1] else (match.scores.index(min(match.scores)),))


def test_equal_penalties_are_a_draw_that_nobody_wins():
    from msgspec.structs import replace  # noqa: PLC0415

    match = new_match(GAMES["four-rounds"], 2, {})
    state = position(match.rules, (4, 2), "4|1", "6|5")
    match = replace(match, state=state, round=4, scores=(16, 0))
    after, _ = match.apply(match.legal[0])

    assert after.scores == (11, 11)
    assert after.over
    assert after.winners == ()


def test_without_a_limit_of_draws_nobody_passes():
    game = rules("four-rounds", 2, bn__max_draw="∞")
    state = position(game, (2, 5), STUCK, "3|1", boneyard="3|3 4|4 6|1 6|4 6|3 0|0 1|1 5|0 2|2 3|0")
    state, events = game.apply(state, DRAW)

    assert events[0].count == 8
    assert pips(state.hands[0]) > 0
