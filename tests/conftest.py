"""What several test files need: the real OpenSSH client, kept away from the tester's own files."""

import pytest

from tests.ptys import Client


@pytest.fixture
async def client(tmp_path):
    home = tmp_path / "home"
    home.mkdir(mode=0o700)
    client = Client(home)
    yield client
    client.close()
