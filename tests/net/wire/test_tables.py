"""Tables on the wire: free seats, the settings of a wish, and numbers within bounds."""

import msgspec
import pytest

from core.actions import Pass
from core.tiles import LARGE
from net.wire.messages import Proposal, SeatInfo, Times


def sent(value, kind):
    return msgspec.msgpack.decode(msgspec.msgpack.encode(value), type=kind)


def test_a_seat_without_a_player_is_free():
    assert SeatInfo().free
    assert not SeatInfo("ada").free
    assert not SeatInfo("Rosa", bot="easy").free


@pytest.mark.parametrize("wanted", [Proposal(0, Pass()), Proposal(2, None, (1, 3))])
def test_a_wish_for_hints_has_no_action_to_take_back(wanted):
    assert sent(wanted, Proposal) == wanted


@pytest.mark.parametrize("time", [-1, LARGE + 1])
def test_a_clock_shows_at_least_zero_and_at_most_the_maximum_of_a_match(time):
    with pytest.raises(msgspec.ValidationError):
        sent([True, time, []], Times)
