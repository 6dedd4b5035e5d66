"""Texas 42, rule by rule (`docs/rules` §2.6) with its contracts; suits and ends of a hand have their own files."""

import time

import pytest
from msgspec.structs import replace

from core.actions import Bid, Laid, Name, Took
from core.bots.levels import play_match
from core.games import GAMES
from core.match import new_match
from core.tiles import tile
from core.tricks.state import Call, tricks_and_counts
from core.words import BadOption
from tests.core.positions import result
from tests.core.tricks.hands import (
    ALL,
    DOUBLES,
    LOWS,
    NELLO,
    PASS,
    SEVENS,
    after_tricks,
    bids,
    dealt,
    do,
    game,
    holding,
    lay,
    layable,
    number,
    playing,
)

# The deal


def test_forty_two_is_for_two_sides_of_two_players():
    assert game().sides == 2
    with pytest.raises(BadOption, match="is for 4 players"):
        GAMES["forty-two"].rules(3, {})


# The bidding


def test_from_two_marks_on_the_only_plain_bid_is_one_mark_more():
    state, _ = do(game(), dealt(), Bid(42, 2))
    assert state.legal == (PASS, Bid(42, 3))
    state, _ = do(game(), state, Bid(42, 3))
    assert state.legal == (PASS, Bid(42, 4))


# Trumps


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

    assert tricks_and_counts(settled.tricks, 0, 2) == (5, 25)
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


def test_the_default_target_is_7_marks_or_250_points():
    assert game().goal.target == 7
    assert game(score="points").goal.target == 250
    assert game(score="points", target=500).goal.target == 500


def test_a_target_of_the_other_way_to_score_is_refused():
    for options in ({"target": 250}, {"score": "points", "target": 7}):
        with pytest.raises(BadOption, match="choose one of"):
            game(**options)


def test_random_play_is_fast_enough():
    start, actions = time.process_time(), 0
    for n in range(3):
        match = new_match(GAMES["forty-two"], 4, {})
        actions += sum(bool(step.events) for step in play_match(match, ("random",) * 4, bytes([n]), "test"))

    assert actions / (time.process_time() - start) > 3_000, "slack for a busy machine; see docs for real figures"


# The contracts


def test_in_nello_the_partner_is_skipped_and_three_tiles_make_a_trick():
    table, state = playing(NELLO, *LOWS, bid=Bid(42, 1), bidder=3, contracts="nello")
    state, _ = lay(table, state, "2|1")
    assert state.turn == 0
    state, _ = lay(table, state, "6|2")
    assert (state.out, state.turn) == (1, 2)
    state, events = lay(table, state, "4|2")

    assert events[-1] == Took(0, 1, ())
    assert state.turn == 0
    assert len(state.hands[1]) == 7


def test_42_6_in_nello_doubles_rank_as_was_named():
    hands = ("0|0 6|4 4|1", "4|4 6|5 2|0", "1|1 2|1 3|1", "4|0 3|0 5|1")
    table, state = playing(NELLO, *hands, bid=Bid(42, 1), contracts="nello")
    assert layable(lay(table, state, "0|0")[0]) == "4|4", "a double led asks for doubles"
    assert layable(lay(table, state, "6|4")[0]) == "6|5", "4|4 does not follow a four or six"
    for doubles, winner in (("low", 0), ("high", 1)):
        table, state = playing(
            Name("nello", doubles=doubles), *hands, bid=Bid(42, 1), contracts="nello", turn=0, play_out="on"
        )
        _, events = lay(table, state, "4|1 4|4 4|0")
        assert events[-1].seat == winner


def test_in_sevens_each_player_plays_the_nearest_tile_and_the_first_of_equals_wins():
    hands = ("6|1 6|6 0|0", "5|2 4|3 1|1", "5|3 6|0 0|1", "6|5 4|4 2|0")
    table, state = playing(SEVENS, *hands, bid=Bid(42, 1), contracts="sevens")
    assert layable(state) == "6|1", "the leader too"
    state, _ = lay(table, state, "6|1")
    assert layable(state) == "5|2 4|3"
    state, _ = lay(table, state, "5|2")
    assert layable(state) == "6|0 5|3"
    state, events = lay(table, state, "5|3 4|4")

    assert events[-1].seat == 0


def test_plunge_needs_four_doubles_and_is_four_marks_or_five_over_four():
    four, three = "6|6 5|5 4|4 3|3 1|0 2|0 3|0", "6|6 5|5 4|4 2|1 1|0 2|0 3|0"

    def plunges(state):
        return [bid.marks for bid in bids(state) if bid.kind == "plunge"]

    assert plunges(holding(three, contracts="plunge")) == []
    state = holding(four, contracts="plunge")
    assert plunges(state) == [4]
    table = game(contracts="plunge")
    for standing, marks in ((1, [4]), (3, [4]), (4, [5]), (5, [])):
        raised = replace(state, calls=(Call(3, Bid(42, standing)),))
        assert plunges(table.complete(raised)) == marks


def test_splash_needs_three_doubles_and_is_two_or_three_marks_above_the_standing_bid():
    state = holding("6|6 5|5 4|4 2|1 1|0 2|0 3|0", contracts="splash")
    table = game(contracts="splash")
    for standing, marks in ((1, [2, 3]), (2, [3]), (3, [])):
        raised = table.complete(replace(state, calls=(Call(3, Bid(42, standing)),)))
        assert [bid.marks for bid in bids(raised) if bid.kind == "splash"] == marks


def test_after_a_plunge_or_splash_the_partner_names_trumps_and_leads():
    for kind, marks in (("plunge", 4), ("splash", 2)):
        table = game(contracts=ALL)
        state = holding("6|6 5|5 4|4 3|3 1|0 2|0 3|0", contracts=ALL)
        state, _ = do(table, state, Bid(42, marks, kind), PASS, PASS, PASS)
        assert (state.bidder, state.turn) == (0, 2)
        assert {name.kind for name in state.legal} == {"number", "doubles", "follow_me"}
        state, _ = do(table, state, number(1))
        assert state.turn == 2
