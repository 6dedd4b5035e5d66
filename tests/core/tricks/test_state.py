"""The values of a hand of tricks: what a bid is worth, who takes a trick, what a side has (`docs/rules` §2.6)."""

import pytest

from core.actions import Bid, Laid
from core.tiles import full_set, hand, tile
from core.tricks.state import Trick, taken, unseen_in_tricks, winning, worth
from tests.core.tricks.hands import FOLLOW, LOWS, SEVENS, lay, number, playing


def trick(text):
    """Tiles laid by seats 0, 1, 2 and so on."""
    return tuple(Laid(seat, tile(word)) for seat, word in enumerate(text.split()))


@pytest.mark.parametrize(
    ("bid", "points"), [(None, 0), (Bid(30, 1), 30), (Bid(42, 1), 42), (Bid(42, 2), 84), (Bid(42, 4, "plunge"), 168)]
)
def test_a_mark_is_worth_42_in_the_bidding_and_a_pass_nothing(bid, points):
    assert worth(bid) == points


def test_the_highest_trump_takes_a_trick_or_else_the_highest_of_the_suit_led():
    assert winning(trick("6|4 6|2 5|1 5|3"), 6, number(5)).seat == 3
    assert winning(trick("6|4 3|3 6|5 2|1"), 6, number(0)).seat == 2


def test_in_sevens_the_first_of_equally_near_tiles_takes_the_trick():
    assert winning(trick("6|6 4|2 6|2 5|5"), -1, SEVENS).seat == 1


def test_a_seat_does_not_see_what_the_others_still_hold():
    table, state = playing(FOLLOW, *LOWS)
    state, _ = lay(table, state, "6|5 5|4 6|0 3|0 6|4")
    seen = {*hand(LOWS[1]), *hand("6|5 6|0 3|0 6|4")}

    assert unseen_in_tricks(table.view(state, 1), full_set(6)) == [each for each in full_set(6) if each not in seen]


def test_partners_count_their_tricks_and_the_counts_in_them_together():
    tricks = (
        Trick(trick("6|4 6|2 6|1 6|0"), 0, 11),
        Trick(trick("5|5 5|0 1|1 3|2"), 2, 21),
        Trick(trick("4|1 4|2 4|0 4|3"), 3, 6),
    )

    assert taken(tricks, 0, 2) == (2, 30)
    assert taken(tricks, 1, 2) == (1, 5)
