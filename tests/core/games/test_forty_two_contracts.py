"""The special contracts of Texas 42: nello, plunge, splash and sevens (`docs/rules` §2.6)."""

import pytest
from msgspec.structs import replace

from core.actions import Bid, Lay, Name, Took
from core.games.forty_two import SETS
from core.tiles import tile
from core.tricks.state import Call
from tests.core.positions import result
from tests.core.tricks.hands import (
    ALL,
    LOWS,
    NELLO,
    PASS,
    SEVENS,
    bids,
    dealt,
    do,
    fake_trick,
    game,
    holding,
    lay,
    layable,
    number,
    playing,
)


def test_contracts_are_off_unless_the_house_allows_them():
    assert len(SETS) == len(set(SETS)) == 16
    state = holding("6|6 5|5 4|4 3|3 2|2 1|1 0|0")
    assert {bid.kind for bid in bids(state)} == {""}


def test_nello_and_sevens_are_named_on_a_plain_bid_of_marks_only():
    for bid, kinds in ((Bid(41, 1), set()), (Bid(42, 1), {"nello", "sevens"})):
        state, _ = do(game(contracts=ALL), dealt(contracts=ALL), bid, PASS, PASS, PASS)
        assert {name.kind for name in state.legal} - {"number", "doubles", "follow_me"} == kinds


@pytest.mark.parametrize(("house", "ranks"), [("bidder", {"high", "low", "suit"}), ("low", {"low"})])
def test_the_bidder_names_how_doubles_rank_in_nello_or_the_house_does(house, ranks):
    state, _ = do(game(contracts="nello", nello_doubles=house), dealt(), Bid(42, 1), PASS, PASS, PASS)

    assert {name.doubles for name in state.legal if name.kind == "nello"} == ranks


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


def test_nello_is_set_by_the_first_trick_the_bidder_takes():
    table, state = playing(NELLO, *LOWS, bid=Bid(42, 2), contracts="nello")
    state, _ = lay(table, state, "6|5 5|4 3|0")

    assert result(state).points == (0, 2)


def test_nello_is_made_when_the_bidder_takes_none_of_seven():
    table, state = playing(NELLO, *LOWS, bid=Bid(42, 1), contracts="nello")
    tricks = (fake_trick(11, 1),) * 7

    assert table.settled(replace(state, tricks=tricks[:6])).result is None
    assert result(table.settled(replace(state, tricks=tricks))).points == (1, 0)


def test_in_the_points_game_a_nello_pays_what_was_bid_to_the_side_that_wins_it():
    table, state = playing(NELLO, *LOWS, bid=Bid(42, 2), contracts="nello", score="points")
    assert result(table.settled(replace(state, tricks=(fake_trick(1, 1),) * 7))).points == (84, 0)
    assert result(table.settled(replace(state, tricks=(fake_trick(1, 0),)))).points == (0, 84)


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
        assert plunges(table.settled(raised)) == marks


def test_splash_needs_three_doubles_and_is_two_or_three_marks_above_the_standing_bid():
    state = holding("6|6 5|5 4|4 2|1 1|0 2|0 3|0", contracts="splash")
    table = game(contracts="splash")
    for standing, marks in ((1, [2, 3]), (2, [3]), (3, [])):
        raised = table.settled(replace(state, calls=(Call(3, Bid(42, standing)),)))
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


def test_in_sevens_everybody_plays_their_nearest_tile_and_the_first_of_equals_wins():
    hands = ("6|1 6|6 0|0", "5|2 4|3 1|1", "5|3 6|0 0|1", "6|5 4|4 2|0")
    table, state = playing(SEVENS, *hands, bid=Bid(42, 1), contracts="sevens")
    assert layable(state) == "6|1", "the leader too"
    state, _ = lay(table, state, "6|1")
    assert layable(state) == "5|2 4|3"
    state, _ = lay(table, state, "5|2")
    assert layable(state) == "6|0 5|3"
    state, events = lay(table, state, "5|3 4|4")

    assert events[-1].seat == 0


def test_a_lost_trick_sets_sevens():
    hands = ("6|6 0|0", "5|2 4|3", "5|3 6|0", "6|5 4|4")
    table, state = playing(SEVENS, *hands, bid=Bid(42, 1), contracts="sevens")

    assert result(lay(table, state, "6|6 5|2 6|0 4|4")[0]).how == "set"


def test_the_first_lead_may_ask_for_its_small_end_where_the_house_allows_it():
    table, state = playing(number(5), "6|4 6|5 3|3", "6|2 4|1 1|1", "2|2 4|4 2|0", "3|1 3|0 2|1", small_end="on")
    assert [action.tile for action in state.legal if action.small] == [tile("6|4")], "no double and no trump"
    state, _ = do(table, state, Lay(tile("6|4"), True))

    assert state.suit == 4
    assert layable(state) == "4|1"
    state, _ = lay(table, state, "4|1 4|4 3|1")
    assert not any(action.small for action in state.legal), "only the first lead"
