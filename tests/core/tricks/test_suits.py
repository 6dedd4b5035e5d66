"""What a tile is in a game of tricks: its suit, its rank, its points (`docs/rules` §2.6)."""

import pytest

from core.actions import Name
from core.tiles import full_set, tile
from core.tricks.state import count, strength, suit_of
from tests.core.tricks.hands import DOUBLES, FOLLOW, NELLO, number


@pytest.mark.parametrize(
    ("trump", "led", "suit"),
    [
        (number(5), "6|4", 6),
        (number(5), "6|5", 5),
        (number(4), "4|2", 4),
        (DOUBLES, "6|3", 6),
        (DOUBLES, "2|2", 7),
        (FOLLOW, "2|2", 2),
        (FOLLOW, "4|0", 4),
        (NELLO, "4|4", 7),
        (Name("nello", doubles="low"), "4|4", 4),
    ],
)
def test_a_lead_asks_for_its_trump_suit_or_else_its_higher_number(trump, led, suit):
    assert suit_of(tile(led), trump) == suit


def order_of(trump, suit, text):
    return sorted(text.split(), key=lambda word: strength(tile(word), suit, trump), reverse=True)


def test_the_double_is_the_highest_of_its_suit_then_by_the_other_half():
    assert order_of(number(6), 3, "3|0 3|3 5|3 4|3 6|3") == ["6|3", "3|3", "5|3", "4|3", "3|0"]


def test_doubles_as_trumps_rank_from_the_six_down():
    assert order_of(DOUBLES, 6, "6|5 0|0 6|4 6|6") == ["6|6", "0|0", "6|5", "6|4"]


@pytest.mark.parametrize(("doubles", "order"), [("high", "4|4 5|4 4|0"), ("low", "5|4 4|0 4|4")])
def test_in_follow_me_doubles_are_high_or_low_by_the_house(doubles, order):
    assert order_of(Name("follow_me", doubles=doubles), 4, "5|4 4|4 4|0") == order.split()


def test_count_tiles_and_tricks_make_42():
    counts = {str(t): count(t) for t in full_set(6) if count(t)}

    assert counts == {"5|5": 10, "6|4": 10, "5|0": 5, "4|1": 5, "3|2": 5}
    assert sum(counts.values()) + 7 == 42
