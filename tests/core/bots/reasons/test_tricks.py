"""Reasons for a bid, a trump and a tile: each is true of the hand for which it is given."""

from core.actions import Bid, Lay, Name
from core.bots.reasons.hints import reasons_in_tricks
from core.tiles import tile
from tests.core.tricks.hands import ALL
from tests.tui.hands import BID_BY_ADA, FIVES, PASS, hand_of


def reasons(match, action):
    """Return the reasons for an action of the seat on turn; a text is a tile to lay."""
    action = Lay(tile(action)) if isinstance(action, str) else action
    assert action in match.legal
    reasoning = reasons_in_tricks(match.view(match.turn).play, match.rules.tiles, action)
    return [str(effect) for effect in reasoning.effects], [str(fact) for fact in reasoning.facts]


def test_a_bid_rests_on_the_longest_suit():
    assert reasons(hand_of(), Bid(30, 1)) == (["rests on three fives"], ["you hold three doubles"])
    assert reasons(hand_of(turn=1), PASS)[0] == ["fits a hand with no more than two of a suit"]


def test_trumps_are_counted():
    match = hand_of(Bid(42, 1), PASS, PASS, PASS)

    assert reasons(match, FIVES) == (["gives you three trumps"], ["you hold three doubles"])
    assert reasons(hand_of(Bid(42, 1), PASS, PASS, PASS, contracts=ALL), Name("sevens")) == ([], [])


def test_a_lead_draws_trumps_or_is_the_highest_left():
    match = hand_of(*BID_BY_ADA, FIVES)

    effects, facts = reasons(match, "5|5")
    assert effects == ["draws trumps", "beats all fives that are still out"]
    assert facts == ["four trumps are still out"]
    assert reasons(match, "6|6")[0] == ["beats all sixes that are still out"]
    assert reasons(match, "2|0")[0] == []


def test_the_effect_of_a_tile_on_a_trick_is_named():
    led_by_bela = Bid(30, 1), PASS, PASS, PASS, FIVES

    assert reasons(hand_of(*BID_BY_ADA, FIVES, "6|6 6|2"), "6|1")[0] == ["leaves the trick to 0, your partner"]
    assert reasons(hand_of(*BID_BY_ADA, FIVES, "5|5"), "6|5")[0] == []
    assert reasons(hand_of(*led_by_bela, "3|1", turn=1), "3|2")[0] == ["takes the lead in the trick"]
    assert reasons(hand_of(*led_by_bela, "3|1 3|2 4|3", turn=1), "3|3")[0] == ["takes the trick for 6"]
    assert reasons(hand_of(*led_by_bela, "4|4", turn=1), "4|0")[0] == [
        "saves your counts, as 4|4 wins the trick so far"
    ]


def test_counts_are_given_to_the_partner():
    hands = (
        "5|5 5|4 5|1 6|6 3|3 6|0 2|0",
        "6|5 6|2 4|4 3|1 2|2 1|0 0|0",
        "5|3 5|2 6|1 6|4 4|0 3|2 1|1",
        "5|0 6|3 4|2 4|3 4|1 3|0 2|1",
    )

    assert reasons(hand_of(*BID_BY_ADA, FIVES, "6|6 6|2", hands=hands), "6|4")[0] == [
        "adds 10 to the trick of 0, your partner"
    ]


def test_nello_stays_under():
    match = hand_of(Bid(42, 1), PASS, PASS, PASS, Name("nello"), "2|0 6|2 2|1 6|5 6|3", contracts=ALL)

    assert reasons(match, "6|4")[0] == ["stays under 6|5"]
