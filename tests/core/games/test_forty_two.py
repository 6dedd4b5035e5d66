"""Texas 42, rule by rule (`docs/rules` §2.6); its contracts, suits and ends of a hand have files of their own."""

import time

import pytest

from core.actions import Bade, Bid, Laid, Name, Named, Passed, Took
from core.bots.levels import play_match
from core.fair import deal_order
from core.games import GAMES
from core.layout.state import Before
from core.match import new_match
from core.tiles import full_set, tile
from core.tricks.state import taken
from core.words import BadOption
from tests.core.positions import result
from tests.core.tricks.hands import (
    DOUBLES,
    FOLLOW,
    LOWS,
    PASS,
    after_tricks,
    bids,
    dealt,
    do,
    game,
    lay,
    layable,
    number,
    playing,
)

# The deal


def test_all_tiles_are_dealt_seven_to_each_of_four():
    state = dealt()

    assert [len(held) for held in state.hands] == [7, 7, 7, 7]


def test_only_four_can_play_and_partners_sit_opposite():
    assert game().sides == 2
    with pytest.raises(BadOption, match="is for 4 players"):
        GAMES["forty-two"].rules(3, {})


def test_the_first_shaker_is_drawn_by_lot_and_then_the_shake_moves_clockwise():
    assert dealt(lot=2).shaker == 2
    assert game().deal(full_set(6), Before(lot=2, leader=3)).shaker == 0


# The bidding


def test_the_bidding_starts_left_of_the_shaker_and_everybody_calls_once():
    table, state = game(), dealt(lot=1)
    seats = []
    while state.bid is None:
        seats.append(state.turn)
        state, _ = table.apply(state, bids(state)[0])

    assert seats == [2, 3, 0, 1]
    assert state.bidder == 1


def test_bids_are_30_to_41_one_mark_and_two_marks():
    assert bids(dealt()) == [*(Bid(points, 1) for points in range(30, 42)), Bid(42, 1), Bid(42, 2)]


def test_every_bid_is_higher_than_the_last_and_42_is_the_same_as_one_mark():
    table = game()
    state, _ = do(table, dealt(), Bid(41, 1))
    assert state.legal == (PASS, Bid(42, 1), Bid(42, 2))
    state, _ = do(table, state, Bid(42, 1))
    assert state.legal == (PASS, Bid(42, 2))


def test_from_two_marks_on_the_only_plain_bid_is_one_mark_more():
    state, _ = do(game(), dealt(), Bid(42, 2))
    assert state.legal == (PASS, Bid(42, 3))
    state, _ = do(game(), state, Bid(42, 3))
    assert state.legal == (PASS, Bid(42, 4))


def test_the_highest_bid_wins_and_its_seat_names_trumps_and_leads():
    table = game()
    state, events = do(table, dealt(), PASS, Bid(30, 1), PASS, PASS)
    assert (state.bidder, state.bid, state.turn) == (1, Bid(30, 1), 1)
    assert events == (Passed(3, "bidding"),)
    state, events = do(table, state, number(6))

    assert events == (Named(1, number(6)),)
    assert state.turn == 1
    assert len(state.legal) == 7


def test_a_bid_is_told():
    assert do(game(), dealt(), Bid(31, 1))[1] == (Bade(0, Bid(31, 1)),)


def test_when_all_pass_the_next_shaker_shakes_again():
    match = new_match(GAMES["forty-two"], 4, {})
    match, _ = match.deal(*deal_order(match.rules.tiles, 4, b"s", 1))
    shaker, hands = match.state.shaker, match.state.hands
    for _ in range(4):
        match, _ = match.apply(PASS)
    assert match.state.result.how == "passed"
    assert (match.scores, match.awaits_deal) == ((0, 0), True)
    match, _ = match.deal(*deal_order(match.rules.tiles, 4, b"s", 2))

    assert match.state.shaker == (shaker + 1) % 4
    assert match.state.hands != hands


def test_with_dealer_30_the_shaker_may_not_pass_after_three_passes_but_may_bid_more():
    state, _ = do(game(all_pass="dealer_30"), dealt(all_pass="dealer_30"), PASS, PASS, PASS)

    assert PASS not in state.legal
    assert state.legal[0] == Bid(30, 1)
    assert Bid(42, 2) in state.legal
    state, _ = do(game(all_pass="dealer_30"), dealt(all_pass="dealer_30"), PASS, PASS, Bid(30, 1))
    assert PASS in state.legal


# Trumps


def test_trumps_are_a_number_the_doubles_or_none():
    state, _ = do(game(), dealt(), Bid(42, 2), PASS, PASS, PASS)

    assert state.legal == (*map(number, (6, 5, 4, 3, 2, 1, 0)), DOUBLES, FOLLOW)


def test_follow_me_doubles_can_be_a_suit_of_their_own():
    named = do(game(follow_me_doubles="suit"), dealt(), Bid(42, 2), PASS, PASS, PASS)[0].legal[-1]
    table, state = playing(named, "6|4 1|0", "6|6 3|2", "6|5 2|0", "5|5 2|1", follow_me_doubles="suit")
    state, _ = lay(table, state, "6|4")

    assert named == Name("follow_me", doubles="suit")
    assert layable(state) == "3|2 6|6"


def test_42_1_a_trump_does_not_follow_a_number_suit():
    table, state = playing(number(5), "6|4 0|0 1|0", "6|5 6|2 1|1", "2|2 3|3 2|0", "3|1 3|0 2|1")
    assert layable(lay(table, state, "6|4")[0]) == "6|2"
    table, state = playing(number(5), "6|4 0|0 1|0", "6|5 4|4 2|0", "2|2 3|3 1|1", "3|1 3|0 2|1")

    assert len(lay(table, state, "6|4")[0].legal) == 3


def test_42_2_a_trump_wins_over_the_suit_led_and_the_trick_is_worth_its_counts():
    table, state = playing(number(5), "6|4 0|0", "6|2 1|1", "6|5 4|1", "6|6 3|3")
    state, events = lay(table, state, "6|4 6|2 6|5 6|6")

    assert events == (Laid(3, tile("6|6")), Took(2, 11, (tile("6|4"),)))
    assert state.turn == 2, "who took the trick leads"


def test_42_3_a_trump_led_asks_for_trumps():
    table, state = playing(number(4), "4|2 0|0", "6|4 1|1", "4|4 4|1", "2|2 3|3")
    _, events = lay(table, state, "4|2 6|4 4|4 2|2")

    assert events[-1] == Took(2, 11, (tile("6|4"),))


def test_42_4_doubles_as_trumps_belong_to_no_number():
    table, state = playing(DOUBLES, "6|3 2|1", "6|6 6|0 3|3 4|1", "6|5 2|0", "3|3 4|0")
    assert layable(lay(table, state, "6|3")[0]) == "6|0"
    table, state = playing(DOUBLES, "6|3 2|1", "6|6 4|1", "6|5 2|0", "3|3 4|0")
    _, events = lay(table, state, "6|3 6|6 6|5 3|3")

    assert events[-1] == Took(1, 1, ())


def test_42_5_a_bid_of_32_with_30_points_is_set():
    assert after_tricks(Bid(32, 1), 11, 11, 6, 1, 1).result is None
    settled = after_tricks(Bid(32, 1), 11, 11, 6, 1, 1, -6, -6)

    assert taken(settled.tricks, 0, 2) == (5, 25)
    assert result(settled).how == "set"
    assert result(settled).points == (0, 1)


def test_42_5_one_trick_lost_sets_two_marks():
    table, state = playing(number(6), *LOWS, bid=Bid(42, 2))
    state, _ = lay(table, state, "5|5 5|4 4|2 3|0")
    assert state.result is None
    table, state = playing(number(5), *LOWS, bid=Bid(42, 2))
    state, _ = lay(table, state, "6|1 5|4 6|0 3|0")

    assert result(state).how == "set"
    assert result(state).points == (0, 2)


def test_the_target_follows_the_score_and_another_is_refused():
    assert game().goal.target == 7
    assert game(score="points").goal.target == 250
    assert game(score="points", target=500).goal.target == 500
    for wrong in ({"target": 250}, {"score": "points", "target": 7}):
        with pytest.raises(BadOption, match="choose one of"):
            game(**wrong)


def test_random_play_is_fast_enough():
    start, actions = time.process_time(), 0
    for n in range(3):
        match = new_match(GAMES["forty-two"], 4, {})
        actions += sum(bool(step.events) for step in play_match(match, ("random",) * 4, bytes([n]), "test"))

    assert actions / (time.process_time() - start) > 3_000, "slack for a busy machine; see docs for real figures"
