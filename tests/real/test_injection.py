"""A statement of a running host fails: only the work it was about ends. `./scripts/long failures` repeats it 2,000
times.
"""

from tests.injection.run import inject


async def test_a_statement_that_fails_ends_only_the_work_it_was_about():
    assert await inject(2, 1) == []
