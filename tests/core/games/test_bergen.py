"""Bergen, rule by rule (`docs/rules` §C.12)."""

import pytest
from msgspec.structs import replace

from core.layout.state import RoundContext
from core.tiles import hand
from tests.core.positions import deal_of, play, position, result, rules


def scored(game, state, text):
    """Return the state after a play, and the points that it made."""
    before = sum(state.made)
    after = play(game, state, text)
    return after, sum(after.made) - before


def test_bg_1_equal_ends_score_two_and_three_with_a_double():
    game = rules("bergen", 2)
    state = deal_of(game, "6|6 6|4 2|2 0|0 1|0 3|0", "6|2 4|2 1|1 3|3 4|4 5|5")
    state = replace(state, boneyard=())
    made = []
    for text in ("6|6", "6|2", "6|4@6", "4|2@4", "2|2"):
        state, points = scored(game, state, text)
        made.append(points)

    assert made == [2, 0, 0, 2, 3]


@pytest.mark.parametrize(("text", "points"), [("5|3", 3), ("5|1", 0)])
def test_bg_2_a_double_at_one_end_makes_three(text, points):
    game = rules("bergen", 2)
    state = deal_of(game, "3|3 6|5 2|0 3|0 4|0 5|0", "6|3 5|3 5|1 1|0 2|1 4|1")
    for first_text in ("3|3", "6|3", "6|5@6"):
        state = play(game, state, first_text)

    assert sorted(end.pips for end in state.ends) == [3, 5]
    assert scored(game, state, f"{text}@5")[1] == points


def test_bg_2_a_single_that_leads_scores_nothing():
    game = rules("bergen", 2, bg__lead="lot")
    state = deal_of(game, "4|1 0|0 1|0 2|0 3|0 5|0", "4|4 1|1 2|2 3|3 5|5 6|6")

    assert scored(game, state, "4|1")[1] == 0
    assert scored(game, state, "0|0")[1] == 2


@pytest.mark.parametrize(("block", "winner", "tied"), [("pips", 1, ()), ("american", 0, ()), ("german", -1, (0, 2))])
def test_bg_3_a_block_goes_to_the_best_hand(block, winner, tied):
    over = result(position(rules("bergen", 3, bg__block=block), (9, 8), "5|4", "1|1 2|0", "6|0 3|0"))

    assert (over.how, over.winner, over.tied) == ("blocked", winner, tied)
    assert over.points == tuple(int(seat == winner) for seat in range(3))


@pytest.mark.parametrize(
    ("near", "score", "points"),
    [("on", 13, 1), ("on", 12, 2), ("on", 14, 1), ("on", 11, 3), ("on", 16, 1), ("off", 14, 3)],
)
def test_bg_4_near_the_target_a_play_scores_less(near, score, points):
    game = rules("bergen", 2, bg__near=near)
    state = position(game, (4, 2), "4|2 2|2 0|0", "5|5 6|6")
    state = replace(state, before=RoundContext(0, round=2, scores=(score, 0)))
    state = replace(state, hands=(hand("2|2 0|0"), hand("4|2 6|6")), turn=1)
    state, _ = scored(game, game.complete(state), "4|2@4")

    assert scored(game, state, "2|2")[1] == points
