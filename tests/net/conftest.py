"""What many tests of the network begin with: a lobby, a table for two, and a host to connect to."""

import pytest

from tests.net.party import Party
from tests.net.ssh_room import Room, opened


@pytest.fixture(params=[0, 2], ids=["one process", "two gateways"])
def room(request):
    """A host's guests, served by it alone or by gateways: nobody is to notice a difference."""
    return Room(request.param)


@pytest.fixture
async def server(room, tmp_path):
    async with opened(room, tmp_path) as server:
        yield server


@pytest.fixture
def party():
    """A lobby in which nobody is yet."""
    return Party()


@pytest.fixture
def pair(party):
    """Two guests at a table for two."""
    party.come(1, "ada")
    party.come(2, "bela")
    party.table(1, 2)
    return party
