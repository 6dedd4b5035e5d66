"""A data directory, and a house that keeps everything in it."""

import pytest

from tests.net.kept import Kept


@pytest.fixture
def data(tmp_path):
    (tmp_path / "data").mkdir()
    return tmp_path / "data"


@pytest.fixture
def house(data):
    house = Kept(data, seeds=iter([b"first secret", b"second secret"] + [b"more"] * 100).__next__)
    yield house
    house.disk.close()
