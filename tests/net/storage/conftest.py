"""A data directory, and a host that stores everything in it."""

import pytest

from tests.net.stored_party import StoredParty


@pytest.fixture
def data(tmp_path):
    (tmp_path / "data").mkdir()
    return tmp_path / "data"


@pytest.fixture
def host(data):
    host = StoredParty(data, new_secret=iter([b"first secret", b"second secret"] + [b"more"] * 100).__next__)
    yield host
    host.disk.close()
