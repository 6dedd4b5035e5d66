"""The clock of a table: time runs for one seat, and a new turn has its whole time."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.layout.state import NOBODY
from net.table.table import Clock

SEATS = 3


def test_time_runs_for_one_seat_alone():
    clock = Clock.of(20, 60, SEATS).run(1, 100.0, fresh=True).run(NOBODY, 107.0)

    assert clock.remaining(500.0) == (13.0, (60.0, 53.0, 60.0))
    assert not clock.running


def test_a_new_turn_has_its_whole_time_and_the_match_the_rest_of_its_own():
    clock = Clock.of(20, 60, SEATS).run(1, 100.0, fresh=True).run(2, 107.0, fresh=True)

    assert (clock.seconds_left(2, 107.0), clock.remaining(107.0)) == (20, (20.0, (60.0, 53.0, 60.0)))


@pytest.mark.parametrize(("turn", "match", "left"), [(0, 0, None), (20, 0, 15), (0, 60, 55), (20, 9, 4)])
def test_the_remaining_time_is_the_least_of_the_limits(turn, match, left):
    assert Clock.of(turn, match, SEATS).run(0, 10.0, fresh=True).seconds_left(0, 15.0) == left


def test_a_new_match_gives_all_players_the_whole_time():
    clock = Clock.of(20, 60, SEATS).run(0, 0.0, fresh=True).run(NOBODY, 45.0).begin()

    assert clock.remaining(45.0) == (20.0, (60.0, 60.0, 60.0))


def test_a_player_who_returns_to_an_ended_turn_has_the_time_left_then():
    clock = Clock.of(20, 60, SEATS).run(1, 100.0, fresh=True).run(2, 107.0, fresh=True)

    assert clock.return_to(1, 110.0).run(1, 110.0).seconds_left(1, 112.0) == 11
    assert clock.return_to(1, 110.0).remaining(110.0) == (13.0, (60.0, 53.0, 57.0))
    again = clock.run(1, 110.0, fresh=True)
    assert again.return_to(1, 128.0).remaining(128.0)[0] == 2, "taking back gives no time either"


@given(st.lists(st.tuples(st.sampled_from((NOBODY, 0, 1, 2)), st.floats(-5, 30), st.booleans()), max_size=20))
def test_within_a_match_time_only_decreases_down_to_zero(turns):
    clock, now = Clock.of(20, 60, SEATS), 0.0
    for seat, seconds, fresh in turns:
        now += seconds  # a clock may also step back
        left_before, clock = clock.match_left, clock.run(seat, now, fresh=fresh)
        assert all(0 <= left <= previous for previous, left in zip(left_before, clock.match_left, strict=True))
        assert 0 <= clock.turn_left <= 20
