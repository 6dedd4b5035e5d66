"""Prompts for a player of tricks, and the reasons why a tile may not be laid (`docs/rules` §2.6)."""

import pytest

from core.actions import Bid, Name
from core.prompts import ask, bid_words, suit_words, trump_words, why_not
from core.tiles import tile
from tests.core.tricks.hands import DOUBLES, FOLLOW, NELLO, PASS, SEVENS, dealt, do, game, lay, number, playing

HANDS = ("6|4 4|2 0|0", "6|5 6|2 1|1", "2|2 3|3 2|0", "3|1 3|0 2|1")


def asked(table, state, seat=None):
    return str(ask(table.view(state, state.turn if seat is None else seat)))


def refused(table, state, text):
    return str(why_not(table.view(state, state.turn), tile(text)))


def test_the_first_is_asked_for_thirty_and_the_next_for_more_than_the_standing_bid():
    table, state = game(), dealt()
    assert asked(table, state) == "Bid 30 or more, or pass."
    state, _ = do(table, state, Bid(31, 1))
    assert asked(table, state) == "Bid more than 31, or pass."
    state, _ = do(table, state, PASS, Bid(42, 2))

    assert asked(table, state) == "Bid more than 2 marks, or pass."


def test_a_shaker_who_may_not_pass_reads_so():
    state, _ = do(game(all_pass="dealer_30"), dealt(all_pass="dealer_30"), PASS, PASS, PASS)

    assert asked(game(all_pass="dealer_30"), state) == "Everybody else passed: you must bid."


def test_a_player_who_waits_reads_whose_turn_it_is_and_for_which_action():
    table, state = game(), dealt()
    assert asked(table, state, 2) == f"{state.turn} is to bid."
    state, _ = do(table, state, Bid(30, 1), PASS, PASS, PASS)
    assert asked(table, state, 2) == f"{state.turn} is to name trumps."
    assert asked(table, state) == "Name trumps, then you lead."
    state, _ = do(table, state, number(6))

    assert asked(table, state, 2) == f"{state.turn} is to play."
    assert asked(table, state) == "You lead: play any tile."


def test_a_player_reads_the_suit_to_follow_or_that_any_tile_may_be_laid():
    table, state = playing(number(5), *HANDS)
    state, _ = lay(table, state, "6|4")
    assert asked(table, state) == "Follow the suit led: sixes."
    state, _ = lay(table, state, "6|2")
    assert asked(table, state) == "You have no sixes: play any tile."

    table, state = playing(number(2), *HANDS)
    state, _ = lay(table, state, "4|2")
    assert asked(table, state) == "Follow the trump led: twos."


def test_in_sevens_the_nearest_tile_is_asked_for_and_any_other_refused():
    table, state = playing(SEVENS, *HANDS, bid=Bid(42, 1), contracts="sevens")

    assert asked(table, state) == "Play your tile nearest to seven."
    assert refused(table, state, "6|4") == "6|4 is not your tile nearest to seven."
    assert why_not(table.view(state, 0), tile("4|2")) is None


def test_a_trump_with_the_number_led_is_refused_as_a_trump():
    table, state = playing(number(5), *HANDS)
    state, _ = lay(table, state, "6|4")

    assert refused(table, state, "6|5") == "6|5 is a trump; you must follow the suit led: sixes."


def test_a_double_that_is_a_suit_of_its_own_does_not_follow_its_number():
    table, state = playing(DOUBLES, "6|3 2|1", "6|6 6|0", "6|5 2|0", "3|3 4|0")
    state, _ = lay(table, state, "6|3")

    assert refused(table, state, "6|6") == "6|6 is a double, and doubles are a suit of their own; follow the sixes."


def test_a_tile_of_another_suit_is_refused_with_the_suit_to_play():
    table, state = playing(number(5), *HANDS)
    state, _ = lay(table, state, "6|4")

    assert refused(table, state, "1|1") == "1|1 does not follow; you must play one of the sixes."


@pytest.mark.parametrize(
    ("bid", "phrase"),
    [
        (Bid(34, 1), "34"),
        (Bid(42, 1), "1 mark"),
        (Bid(42, 2), "2 marks"),
        (Bid(42, 4, "plunge"), "plunge, 4 marks"),
        (Bid(42, 3, "splash"), "splash, 3 marks"),
    ],
)
def test_a_bid_is_named_as_it_is_said_aloud(bid, phrase):
    assert str(bid_words(bid)) == phrase


@pytest.mark.parametrize(
    ("trump", "phrase"),
    [
        (number(0), "blanks"),
        (number(6), "sixes"),
        (DOUBLES, "doubles"),
        (FOLLOW, "follow me"),
        (Name("follow_me", doubles="suit"), "follow me, doubles a suit"),
        (NELLO, "nello, doubles a suit"),
        (Name("nello", doubles="low"), "nello, doubles low"),
        (SEVENS, "sevens"),
    ],
)
def test_a_trump_is_named_with_the_rank_of_doubles_if_that_was_chosen(trump, phrase):
    assert str(trump_words(trump)) == phrase


def test_a_suit_beyond_six_is_named_by_its_number():
    assert [str(suit_words(suit)) for suit in (6, 7, 9)] == ["sixes", "doubles", "9s"]
