"""A review: the luck of a match, its decisions, and the three moments that decided it."""

import pytest
from msgspec.structs import replace

from core.actions import Pass
from core.coach.review import Deal, Judgement, Luck, Review, parts_of, people_of
from core.records import Seat
from tests.core.coach.matches import played


def judged(number, loss, kind, seat=0):
    return Judgement(1, number, seat, Pass(), Pass(), loss, 1.0, kind)


def review(*judgements):
    return Review("block", ("a", "b"), (1, 2), (1,), (0, 1), False, 3.0, judgements, Luck.of([], 2))


def test_people_are_reviewed_and_bots_only_in_matches_without_people():
    match = played()

    assert people_of(match) == (0, 1)
    assert people_of(replace(match, seats=(Seat("greedy", "greedy"), Seat("ann")))) == (1,)


def test_the_luck_of_every_deal_belongs_to_a_review_and_the_decisions_of_some_seats():
    match = played()
    parts = parts_of(match, (1,))

    assert [part for part in parts if isinstance(part, Deal)] == list(match.deals)
    assert {part.seat for part in parts if not isinstance(part, Deal)} == {1}


def test_three_moments_are_in_order_of_play_and_certain_losses_are_preferred():
    reviewed = review(
        judged(1, 9.0, "close"),
        judged(2, 4.0, "exact"),
        judged(3, 1.0, "fine"),
        judged(4, 8.0, "blunder"),
        judged(5, 3.5, "blunder"),
        judged(6, 3.6, "blunder"),
    )

    assert [moment.number for moment in reviewed.moments] == [2, 4, 6]
    assert [moment.number for moment in review(judged(3, 5.0, "close"), judged(4, 1.0, "fine")).moments] == [3]


def test_the_loss_of_a_seat_is_the_sum_of_its_losses_without_those_of_other_seats():
    reviewed = review(judged(1, 3.0, "fine"), judged(2, -1.0, "fine"), judged(3, 9.0, "close", seat=1))

    assert reviewed.total_loss(0) == (2.0, pytest.approx(2**0.5))
