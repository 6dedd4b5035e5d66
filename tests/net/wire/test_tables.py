"""Tables on the wire: free seats, the settings of a wish, and numbers within bounds."""

import msgspec
import pytest

from core.actions import Pass
from core.tiles import LARGE
from net.wire.messages import Proposal, SeatInfo, Times


def round_trip(value, value_type):
    """Encode a value and decode it again."""
    return msgspec.msgpack.decode(msgspec.msgpack.encode(value), type=value_type)


def test_a_seat_without_a_player_is_free():
    assert SeatInfo().free
    assert not SeatInfo("ada").free
    assert not SeatInfo("Rosa", bot="easy").free


@pytest.mark.parametrize("proposal", [Proposal(0, Pass()), Proposal(2, None, (1, 3))])
def test_a_proposal_of_hints_has_no_action_to_take_back(proposal):
    assert round_trip(proposal, Proposal) == proposal


@pytest.mark.parametrize("time", [-1, LARGE + 1])
def test_a_clock_shows_at_least_zero_and_at_most_the_maximum_of_a_match(time):
    with pytest.raises(msgspec.ValidationError):
        round_trip([True, time, []], Times)
