"""A statement of a running host fails: only what it was about ends. `./scripts/long faults` does it 2,000 times."""

import os

import pytest

from tests.injection.run import inject

FAULTS = int(os.environ.get("BONEYARD_FAULTS", "0"))
pytestmark = [
    pytest.mark.real,
    pytest.mark.skipif(
        not FAULTS, reason="of two hundred faults one still does more than it should; BONEYARD_FAULTS"
    ),
]


@pytest.mark.parametrize(
    ("seed", "words"), [(1, ()), (2, ()), (3, ("--workers", "1"))], ids=["one", "another", "workers"]
)
async def test_a_statement_that_fails_ends_what_it_was_about_and_nothing_else(seed, words):
    assert await inject(FAULTS, seed, *words) == []
