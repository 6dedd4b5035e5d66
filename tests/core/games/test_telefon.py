"""Telefon, rule by rule (`docs/rules` §4.7)."""

import pytest
from msgspec.structs import replace

from core.games import GAMES
from core.layout.state import Opening, RoundContext, State
from core.match import new_match
from core.tiles import hand, tile
from tests.core.positions import deal_of, play, position, result, rules


def scored(game, state, text):
    """Return the state after a play, and the points that it made."""
    before = sum(state.made)
    after = play(game, state, text)
    return after, sum(after.made) - before


def led(game, text, *, round=1, scores=(0, 0)):
    """Return the points for leading a tile."""
    seats = (hand(f"{text} 1|0"), *((hand("2|0"),) * (game.seats - 1)))
    opening = Opening(0, (tile(text),), "winner")
    state = game.complete(State(seats, (), (), (), 0, opening, RoundContext(0, round=round, scores=scores)))
    return scored(game, state, text)[1]


def test_tl_1_the_lead_is_silent_and_the_first_enclosed_double_branches():
    game = rules("telefon", 2)
    state = deal_of(game, "3|2 2|2 5|3 0|0 1|0 2|0 3|0", "3|3 3|1 6|2 6|6 5|5 4|4 1|1")
    state = replace(state, boneyard=())
    made = []
    for text in ("3|2", "3|3@3", "2|2@2", "3|1@3", "5|3@3", "6|2@2"):
        state, points = scored(game, state, text)
        made.append(points)

    assert made == [0, 0, 10, 5, 10, 0]
    assert game.view(state, 0).count == (6, 1, 5)
    assert {(state.layout[end.at].tile, end.side) for end in state.ends} == {
        (tile("6|2"), 1),
        (tile("3|1"), 1),
        (tile("5|3"), 1),
        (tile("3|3"), 3),
    }


@pytest.mark.parametrize(("score", "held", "after"), [(290, "6|6 6|5 6|4 5|3", 300), (305, "6|6 6|5 6|4 5|3", 305)])
def test_tl_2_the_pips_of_the_others_lead_no_score_past_the_wall(score, held, after):
    assert total(score, held) == after


@pytest.mark.parametrize(("score", "held", "after"), [(120, "6|6 5|5", 145), (120, "6|6 5|3", 140)])
def test_tl_2_pips_of_the_others_are_rounded_up_to_five(score, held, after):
    assert total(score, held) == after


def total(score, held, **options):
    """Return the new score of a player who goes out without a count of five, while the other holds `held`."""
    match = new_match(GAMES["telefon"], 2, options)
    state = position(match.rules, (4, 2), "4|1", held)
    state = replace(state, before=RoundContext(0, round=4, scores=(score, 7)))
    match = replace(match, state=state, round=4, scores=(score, 7))
    return match.apply(match.legal[0])[0].scores[0]


def test_tl_2_the_lightest_hand_gets_the_pips_of_the_others_in_a_block():
    over = result(position(rules("telefon", 3), (1, 1), "5|2", "6|5 2|0", "5|4"))

    assert (over.how, over.winner, over.points) == ("blocked", 0, (25, 0, 0))
    assert [term.kind for term in over.sums[0]] == ["pips", "pips", "rounded"]


def test_tl_3_five_five_scores_as_a_lead_from_the_second_round_on_below_the_wall():
    game = rules("telefon", 2)

    assert led(game, "5|5", round=2, scores=(280, 0)) == 10
    assert led(game, "5|5", round=2, scores=(310, 0)) == 0
    assert led(game, "5|5", round=2, scores=(300, 0)) == 0
    assert led(game, "5|5", round=1) == 0
    assert led(game, "3|2", round=2) == 0
