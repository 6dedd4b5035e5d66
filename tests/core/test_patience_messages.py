"""Actions and events of patience survive packing and unpacking."""

import msgspec
import pytest

from core.actions import Action, Event, Fill, GiveUp, Moved, Removed, Take, Turned
from core.tiles import in_order, tile


@pytest.mark.parametrize("action", [Take(in_order("6|1 3|2")), Fill(tile("4|4")), GiveUp()])
def test_an_action_survives_packing_and_unpacking(action):
    assert msgspec.msgpack.decode(msgspec.msgpack.encode(action), type=Action) == action


@pytest.mark.parametrize("event", [Removed(0, in_order("6|1")), Moved(0, tile("4|4")), Turned(0, in_order("0|0"))])
def test_an_event_survives_packing_and_unpacking(event):
    assert msgspec.msgpack.decode(msgspec.msgpack.encode(event), type=Event) == event
