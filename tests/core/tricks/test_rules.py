"""The engine of tricks: when a hand ends and what it pays, and what holds in every hand (`docs/rules` §2.6)."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from core.actions import Bid, Laid, Lay
from core.bots.levels import play_match
from core.games import GAMES
from core.layout.state import NOBODY
from core.match import new_match
from core.tiles import hand, tile
from core.tricks.state import taken
from core.words import Illegal
from tests.core.positions import result
from tests.core.tricks.hands import after_tricks, dealt, game


def test_the_hand_stops_as_soon_as_the_bid_is_made():
    assert after_tricks(Bid(30, 1), 11, 11, 6).result is None
    assert result(after_tricks(Bid(30, 1), 11, 11, 6, 1, 1)).points == (1, 0)


def test_the_hand_stops_as_soon_as_the_bid_is_set():
    assert after_tricks(Bid(30, 1), -11, -1).result is None
    assert result(after_tricks(Bid(31, 1), -11, -1)).points == (0, 1)


def test_one_mark_needs_all_seven_tricks():
    assert after_tricks(Bid(42, 1), 11, 11, 6, 6, 6, 1).result is None
    assert result(after_tricks(Bid(42, 1), 11, 11, 6, 6, 6, 1, 1)).points == (1, 0)
    assert result(after_tricks(Bid(42, 1), -1)).points == (0, 1)


def test_as_many_marks_are_won_as_were_bid():
    assert result(after_tricks(Bid(42, 3), 11, 11, 6, 6, 6, 1, 1)).points == (3, 0)


def test_play_out_plays_all_tricks_and_changes_no_result():
    assert after_tricks(Bid(30, 1), -11, -11, play_out="on").result is None
    assert result(after_tricks(Bid(30, 1), -11, -11, 6, 6, 6, 1, 1, play_out="on")).points == (0, 1)


def test_where_points_are_scored_all_tricks_are_played_and_both_sides_score_what_they_took():
    assert after_tricks(Bid(30, 1), 11, 11, 6, 6, score="points").result is None
    over = result(after_tricks(Bid(30, 1), 11, 11, 6, 6, -6, -1, -1, score="points"))
    assert over.how == "made"
    assert over.points == (34, 8)


def test_where_points_are_scored_a_bid_that_is_set_goes_to_the_others_with_what_they_took():
    over = result(after_tricks(Bid(35, 1), 11, 11, 6, 6, -6, -1, -1, score="points"))
    assert over.points == (0, 43)
    over = result(after_tricks(Bid(42, 2), 11, 11, 6, 6, 6, 1, -1, score="points"))
    assert over.points == (0, 85)
    assert result(after_tricks(Bid(42, 2), 11, 11, 6, 6, 6, 1, 1, score="points")).points == (42, 0)


def test_equal_points_at_the_end_go_to_the_bidders():
    match = new_match(GAMES["forty-two"], 4, {"42.score": "points"})
    state = after_tricks(Bid(30, 1), 11, 11, 6, 6, -6, -1, score="points")
    last = replace(
        state,
        hands=(hand("1|1"), (), (), ()),
        trick=(Laid(1, tile("0|0")), Laid(2, tile("1|0")), Laid(3, tile("2|0"))),
    )
    match = replace(match, state=match.rules.settled(replace(last, turn=0)), scores=(220, 246))
    match, _ = match.apply(Lay(tile("1|1")))

    assert match.scores in ((255, 253), (254, 254))
    assert match.winners == (0,)


def test_what_is_not_legal_is_refused():
    table = game()
    with pytest.raises(Illegal):
        table.apply(dealt(), Lay(tile("6|6")))


@st.composite
def houses(draw):
    return {
        option.key: draw(st.sampled_from(option.choices))
        for option in GAMES["forty-two"].options
        if option.key != "42.target"
    }


@settings(max_examples=40)
@given(houses(), st.integers(0, 2**32 - 1))
def test_the_points_of_a_hand_played_out_sum_to_42(house, seed):
    match = new_match(GAMES["forty-two"], 4, house)
    for step in play_match(match, ("random",) * 4, seed.to_bytes(4, "big"), "test"):
        state = step.match.state
        if state and state.result and len(state.tricks) == 7 and state.out == NOBODY:
            assert sum(trick.points for trick in state.tricks) == 42
            assert sum(map(sum, (taken(state.tricks, 0, 2), taken(state.tricks, 1, 2)))) == 42
        if state and state.bid is None:
            assert not state.tricks


def numbers_of(one, trump):
    """The suits of a tile, written down once more from the sheet."""
    if trump.kind == "doubles":
        return {7} if one.is_double else set(one)
    return {trump.number} if trump.number in one else set(one)


@settings(max_examples=30)
@given(st.integers(0, 2**32 - 1))
def test_following_and_winning_agree_with_the_sheet_written_down_once_more(seed):
    match = new_match(GAMES["forty-two"], 4, {"42.play_out": "on"})
    for step in play_match(match, ("random",) * 4, seed.to_bytes(4, "big"), "test"):
        state = step.match.state
        if not state or not state.trump:
            continue
        trump, trumps = state.trump, 7 if state.trump.kind == "doubles" else state.trump.number
        for trick in state.tricks[-1:]:
            led = numbers_of(trick.tiles[0].tile, trump)
            suit = trumps if trumps in led else max(led)
            wins = trumps if any(trumps in numbers_of(one.tile, trump) for one in trick.tiles) else suit
            runs = [one for one in trick.tiles if wins in numbers_of(one.tile, trump)]
            best = max(runs, key=lambda one: 9 if one.tile.is_double and wins < 7 else sum(one.tile) - wins)
            assert trick.winner == best.seat
        if state.trick and not state.result:
            led = numbers_of(state.trick[0].tile, trump)
            suit = trumps if trumps in led else max(led)
            held = state.hands[state.turn]
            assert {action.tile for action in state.legal} == (
                {one for one in held if suit in numbers_of(one, trump)} or set(held)
            )
