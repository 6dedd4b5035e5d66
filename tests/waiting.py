"""Waiting in a test for a condition that has no event."""

import asyncio
from inspect import isawaitable

LONGEST = 60
"""Seconds: a busy machine may stand still for some."""


async def until(holds, seconds=None):
    """Wait until a function, or the coroutine that it returns, is true: `seconds` at most, where that is the rule."""
    async with asyncio.timeout(seconds or LONGEST):
        while not (await value if isawaitable(value := holds()) else value):  # noqa: ASYNC110
            await asyncio.sleep(0.001)
