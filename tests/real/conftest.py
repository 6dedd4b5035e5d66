"""The programs that these tests start, and end."""

import pytest

from tests.real.programs import Programs


@pytest.fixture
async def programs(tmp_path):
    home = tmp_path / "player"
    home.mkdir(mode=0o700)
    programs = Programs(home)
    yield programs
    await programs.close()
