"""Layouts that grow from a centre: who leads, what the centre is owed, what hands count (`docs/rules` §2.4, §2.5)."""

import pytest
from msgspec.structs import replace

from core.actions import Term
from core.layout.line import all_out, arms_of, counted, holder_or_search, lightest, owes_arms, own_pips, round_leader
from core.layout.state import NOBODY, Before, End, Opening, Placed, bearing
from core.tiles import hand, tile
from tests.core.positions import centred, rules


def test_the_first_leader_is_drawn_by_lot():
    assert round_leader(4, Before(lot=2), "winner") == round_leader(4, Before(lot=2), "rotate") == 2


def test_the_lead_goes_to_the_winner_or_on_by_one_seat_and_stays_after_a_round_that_nobody_won():
    assert round_leader(4, Before(lot=2, leader=3, winner=1), "winner") == 1
    assert round_leader(4, Before(lot=2, leader=3, winner=1), "rotate") == 0
    assert round_leader(4, Before(lot=2, leader=3), "winner") == 3


def test_whoever_holds_the_centre_lays_it_else_the_leader_begins_the_search():
    hands = (hand("6|5 4|1"), hand("9|9 3|2"))

    held = holder_or_search(hands, tile("9|9"), leader=0)
    assert (held.seat, held.tiles, held.reason, held.leader) == (1, (tile("9|9"),), "centre", 0)
    sought = holder_or_search(hands, tile("8|8"), leader=0)
    assert (sought.seat, sought.tiles, sought.wanted) == (0, (), (tile("8|8"),))


def test_the_centre_opens_its_arms_and_every_other_tile_carries_its_arm_on():
    layout = (Placed(tile("9|9"), -1, 0, 9, NOBODY),)
    ends = arms_of(layout, (), None, arms=4)
    assert ends == tuple(End(0, arm, 9) for arm in range(4))

    layout += (Placed(tile("9|4"), 0, 2, 4, 0),)
    assert arms_of(layout, ends, ends[2], arms=4) == (End(0, 0, 9), End(0, 1, 9), End(1, 1, 4), End(0, 3, 9))


def test_only_the_centre_is_owed_its_arms():
    centre, arm = Placed(tile("9|9"), -1, 0, 9, NOBODY), Placed(tile("9|4"), 0, 0, 4, 0)

    assert owes_arms((centre,), arms=6) == 6
    assert owes_arms((centre, arm), arms=6) == 0


def test_a_double_is_dead_once_every_tile_with_its_number_lies():
    layout = tuple(Placed(tile(text), -1, 0, 0, 0) for text in ("1|1", "1|0", "2|1", "2|0"))

    assert bearing(layout, 1) == 3
    assert all_out(layout, 0, copies=3)
    assert not all_out(layout, 0, copies=4)


def test_the_double_blank_and_wildstars_count_apart_from_the_pips():
    assert counted(hand("* * 0|0 6|5"), 1, 30, 10) == (Term("pips", 1, 11), Term("blank", 1, 30), Term("star", 1, 40))
    assert counted(hand("0|0 6|5"), 1, 0) == (Term("pips", 1, 11),)
    assert counted(hand("3|0"), 1, 50) == (Term("pips", 1, 3),)


@pytest.mark.parametrize(("leader", "seat"), [(0, 1), (1, 2), (2, 1)])
def test_of_equally_low_counts_the_first_after_the_leader_is_the_lightest(leader, seat):
    state = centred(rules("chickenfoot", 3), ("6|5", "4|1", "3|2"), (5, 4, 3))
    state = replace(state, opening=Opening(0, (), "centre", leader=leader))

    assert lightest(state, [11, 5, 5]) == seat


def test_everybodys_own_pips_count_and_the_winner_is_who_went_out_or_is_lightest():
    state = centred(rules("chickenfoot", 3), ("6|5", "0|0", "3|2"), (5, 4, 3))
    blocked = own_pips(state, zero_zero=50)
    assert (blocked.how, blocked.winner, blocked.points) == ("blocked", 2, (11, 50, 5))

    out = own_pips(replace(state, hands=(state.hands[0], (), state.hands[2])), zero_zero=50)
    assert (out.how, out.winner, out.points) == ("out", 1, (11, 0, 5))
