"""The policies of lines: how halves meet, which ends are open, who leads (`docs/rules` §0, §2.1)."""

import pytest
from msgspec.structs import replace

from core.layout.line import (
    double_or_redeal,
    equal_halves,
    first_held,
    leader_of,
    lot_then_winner,
    lowest_double_or_redeal,
    two_ends,
)
from core.layout.state import Before, End, Opening, Placed
from core.tiles import hand, tile
from tests.core.positions import position, rules


@pytest.mark.parametrize(
    ("text", "end", "out"), [("6|4", 6, (4,)), ("6|4", 4, (6,)), ("5|5", 5, (5,)), ("6|4", 5, ())]
)
def test_touching_halves_are_equal_and_the_other_half_lies_outward(text, end, out):
    assert equal_halves(tile(text), end) == out


def test_a_first_tile_opens_both_its_halves_and_a_later_one_takes_the_place_of_its_end():
    first = (Placed(tile("6|4"), -1, 0, 6, 0),)
    ends = two_ends(first, (), None)
    assert [end.pips for end in ends] == [4, 6]

    right = two_ends((*first, Placed(tile("6|6"), 0, 1, 6, 1)), ends, ends[1])
    assert right == (ends[0], End(1, 1, 6))
    left = two_ends((*first, Placed(tile("4|1"), 0, 0, 1, 1)), ends, ends[0])
    assert left == (End(1, 1, 1), ends[1])


def test_without_a_double_the_tiles_are_dealt_again_where_only_a_double_leads():
    assert double_or_redeal((hand("6|5 4|1"), hand("3|2")), Before(lot=0)).reason == "redeal"
    assert double_or_redeal((hand("6|5 1|1"), hand("3|2")), Before(lot=0)).tiles == hand("1|1")


def test_after_a_round_that_nobody_won_a_lead_by_lot_is_by_lot_again():
    hands = (hand("6|5"), hand("4|4"), hand("3|2"))

    assert lot_then_winner(hands, Before(lot=2)).seat == 2
    assert lot_then_winner(hands, Before(lot=2, leader=2, winner=1)).seat == 1
    assert lot_then_winner(hands, Before(lot=0, leader=1)).seat == 0


def blocked(*hands, laid, leader=0):
    """Partners in a block: seats 0 and 2 against 1 and 3."""
    state = position(rules("draw", 4, partners="yes"), (6, 6), *hands, laid=laid)
    return replace(state, opening=Opening(leader, (), "lot"))


def test_the_lighter_hand_of_the_winning_side_leads_next():
    assert leader_of(blocked("1|0", "5|4", "3|0", "5|5", laid=(2, 2)), 2, 0) == 0


def test_of_equally_light_partners_the_one_who_laid_a_tile_later_leads_next():
    assert leader_of(blocked("1|0", "5|4", "1|0", "5|5", laid=(0, 2, 1)), 2, 0) == 2
    assert leader_of(blocked("1|0", "5|4", "1|0", "5|5", laid=(2, 0, 1)), 2, 0) == 0


@pytest.mark.parametrize(("leader", "first"), [(0, 0), (1, 2), (2, 2), (3, 0)])
def test_of_those_who_laid_nothing_the_first_from_the_leader_on_leads_next(leader, first):
    assert leader_of(blocked("1|0", "5|4", "1|0", "5|5", laid=(1, 3), leader=leader), 2, 0) == first


def test_the_lowest_double_must_be_led_and_without_one_the_tiles_are_dealt_again():
    opening = lowest_double_or_redeal((hand("6|6 1|1 1|0"), hand("2|2 3|0")), Before(lot=0))

    assert (opening.seat, opening.tiles, opening.reason) == (0, hand("1|1"), "lowest_double")
    assert lowest_double_or_redeal((hand("6|5"), hand("1|0")), Before(lot=0)).reason == "redeal"


def test_the_first_tile_of_a_list_that_anybody_holds_must_be_led():
    hands = (hand("6|5 4|1"), hand("3|2 1|1"))
    opening = first_held(hands, Before(lot=0), tiles=hand("6|6 1|1 3|2"), otherwise="heaviest")

    assert (opening.seat, opening.tiles, opening.reason) == (1, hand("1|1"), "first_tile")


def test_without_any_of_them_the_heaviest_or_the_lightest_tile_is_led():
    hands = (hand("6|5 4|1"), hand("3|2 5|0"))

    assert first_held(hands, Before(lot=0), tiles=(), otherwise="heaviest").tiles == hand("6|5")
    assert first_held(hands, Before(lot=0), tiles=(), otherwise="lightest").tiles == hand("3|2")


def test_whoever_won_before_leads_any_tile_whatever_the_list_says():
    opening = first_held((hand("6|5"), hand("1|1")), Before(lot=0, winner=0), tiles=hand("1|1"), otherwise="heaviest")

    assert (opening.seat, opening.reason) == (0, "winner")
