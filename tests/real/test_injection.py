"""A failure injected into a running host ends only the work that it hits; `./scripts/long faults` injects 2,000."""

from tests.injection.run import inject


async def test_a_statement_that_fails_ends_only_the_work_it_was_about():
    assert await inject(2, 1) == []
