"""The host that the tests of the SSH room knock at."""

import pytest

from tests.net.ssh_room import Room, opened


@pytest.fixture
def room():
    return Room()


@pytest.fixture
async def server(room, tmp_path):
    async with opened(room, tmp_path) as server:
        yield server
