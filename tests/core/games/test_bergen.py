"""Bergen, rule by rule (`docs/rules` §C.12)."""

import pytest
from msgspec.structs import replace

from core.actions import Scored
from core.games import GAMES
from core.layout.state import Before
from core.match import new_match
from core.tiles import hand
from tests.core.positions import deal_of, play, position, result, rules


def scored(game, state, text):
    """The state after a play, and the points that it made."""
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
    for each in ("3|3", "6|3", "6|5@6"):
        state = play(game, state, each)

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
    state = replace(state, before=Before(0, round=2, scores=(score, 0)))
    state = replace(state, hands=(hand("2|2 0|0"), hand("4|2 6|6")), turn=1)
    state, _ = scored(game, game.settled(state), "4|2@4")

    assert scored(game, state, "2|2")[1] == points


def test_equal_ends_are_called_out_without_a_sum():
    game = rules("bergen", 2)
    state = position(game, (4, 2), "4|2 0|0", "6|6")
    _, events = game.apply(state, state.legal[0])

    assert events[1] == Scored(0, 2, (), reason="equal_ends")
    assert game.view(state, 0).count == ()
    assert game.view(state, 0).worth == (2, 2)


@pytest.mark.parametrize("out", [1, 2])
def test_going_out_scores_after_the_last_tile_did(out):
    match = new_match(GAMES["bergen"], 2, {"bg.out": out})
    state = replace(position(match.rules, (4, 2), "4|2", "6|6"), before=Before(0, round=2, scores=(0, 0)))
    match, _ = replace(match, state=state, round=2).apply(state.legal[0])

    assert match.scores == (2 + out, 0)
    assert [term.what for term in result(match.state).sums[0]] == ["out"]


def test_the_target_is_looked_at_only_at_the_end_of_a_round():
    match = new_match(GAMES["bergen"], 2, {})
    state = position(match.rules, (4, 2), "4|2 0|0", "6|2 6|4")
    match, _ = replace(match, state=state, round=2, scores=(14, 0)).apply(state.legal[0])

    assert match.scores == (16, 0)
    assert not match.over


@pytest.mark.parametrize("lead", ["highest", "lowest"])
def test_without_a_double_the_tiles_are_dealt_again(lead):
    game = rules("bergen", 2, bg__lead=lead)
    state = deal_of(game, "1|0 2|0 3|0 4|0 5|0 6|0", "2|1 3|1 4|1 5|1 6|1 3|2")

    assert result(state).how == "redeal"
