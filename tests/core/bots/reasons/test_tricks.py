"""Reasons for a bid, a trump and a tile: each is true of the hand for which it is given."""

from core.actions import Bid, Lay, Name
from core.bots.reasons.hints import reasons_in_tricks
from core.tiles import tile
from tests.core.tricks.hands import ALL
from tests.tui.hands import BID_BY_ADA, FIVES, PASS, hand_of

BID_BY_BELA = (Bid(30, 1), PASS, PASS, PASS)  # of a hand whose bidding begins at seat 1


def reasons(match, action):
    """Return the reasons for an action of the seat on turn; a text is a tile to lay."""
    action = Lay(tile(action)) if isinstance(action, str) else action
    assert action in match.legal
    reasoning = reasons_in_tricks(match.view(match.turn).play, match.rules.tiles, action)
    return [str(effect) for effect in reasoning.effects], [str(fact) for fact in reasoning.facts]


def test_a_bid_rests_on_the_longest_suit():
    assert reasons(hand_of(), Bid(30, 1)) == (["rests on three fives"], ["you hold three doubles"])


def test_a_pass_fits_a_hand_without_a_long_suit():
    assert reasons(hand_of(turn=1), PASS)[0] == ["fits a hand with no more than two of a suit"]


def test_a_name_for_trumps_says_how_many_the_bidder_holds():
    match = hand_of(Bid(42, 1), PASS, PASS, PASS)

    assert reasons(match, FIVES) == (["gives you three trumps"], ["you hold three doubles"])


def test_a_contract_without_trumps_has_no_reasons():
    assert reasons(hand_of(Bid(42, 1), PASS, PASS, PASS, contracts=ALL), Name("sevens")) == ([], [])


def test_a_lead_of_a_trump_draws_trumps():
    effects, facts = reasons(hand_of(*BID_BY_ADA, FIVES), "5|5")

    assert effects == ["draws trumps", "beats all fives that are still out"]
    assert facts == ["four trumps are still out"]


def test_a_lead_beats_the_lower_tiles_of_its_suit_if_it_is_the_highest_left():
    match = hand_of(*BID_BY_ADA, FIVES)

    assert reasons(match, "6|6")[0] == ["beats all sixes that are still out"]
    assert reasons(match, "2|0")[0] == []


def test_a_low_tile_leaves_the_trick_to_the_partner_who_wins_so_far():
    assert reasons(hand_of(*BID_BY_ADA, FIVES, "6|6 6|2"), "6|1")[0] == ["leaves the trick to 0, your partner"]


def test_the_only_legal_tile_has_no_reasons():
    match = hand_of(*BID_BY_ADA, FIVES, "5|5")

    assert match.legal == (Lay(tile("6|5")),)
    assert reasons(match, "6|5")[0] == []


def test_a_tile_that_wins_so_far_takes_the_lead_and_the_last_one_takes_the_trick():
    assert reasons(hand_of(*BID_BY_BELA, FIVES, "3|1", turn=1), "3|2")[0] == ["takes the lead in the trick"]
    assert reasons(hand_of(*BID_BY_BELA, FIVES, "3|1 3|2 4|3", turn=1), "3|3")[0] == ["takes the trick for 6"]


def test_a_low_tile_saves_counts_from_a_trick_that_an_opponent_wins():
    assert reasons(hand_of(*BID_BY_BELA, FIVES, "4|4", turn=1), "4|0")[0] == [
        "saves your counts, as 4|4 wins the trick so far"
    ]


def test_a_tile_adds_its_count_to_a_trick_of_the_partner():
    hands = (
        "5|5 5|4 5|1 6|6 3|3 6|0 2|0",
        "6|5 6|2 4|4 3|1 2|2 1|0 0|0",
        "5|3 5|2 6|1 6|4 4|0 3|2 1|1",
        "5|0 6|3 4|2 4|3 4|1 3|0 2|1",
    )

    assert reasons(hand_of(*BID_BY_ADA, FIVES, "6|6 6|2", hands=hands), "6|4")[0] == [
        "adds 10 to the trick of 0, your partner"
    ]


def test_in_nello_a_lower_tile_stays_under_the_winning_one():
    match = hand_of(Bid(42, 1), PASS, PASS, PASS, Name("nello"), "2|0 6|2 2|1 6|5 6|3", contracts=ALL)

    assert reasons(match, "6|4")[0] == ["stays under 6|5"]
