"""Fixtures for many tests of the network: a lobby, a table for two, and a host to connect to."""

import pytest

from tests.net.party import Party
from tests.net.ssh_room import Room, serve_room


@pytest.fixture(params=[0, 2], ids=["one process", "two gateways"])
def room(request):
    """Return a host's guests, served by the host alone or by gateways: both must behave the same."""
    return Room(request.param)


@pytest.fixture
async def server(room, tmp_path):
    async with serve_room(room, tmp_path) as server:
        yield server


@pytest.fixture
def party():
    """Return an empty lobby."""
    return Party()


@pytest.fixture
def pair(party):
    """Two guests at a table for two."""
    party.come(1, "ada")
    party.come(2, "bela")
    party.make_table(1, 2)
    return party
