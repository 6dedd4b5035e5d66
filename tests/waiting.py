"""Waiting in a test: for a condition that has no event, and for a message in a queue."""

import asyncio
from inspect import isawaitable

LONGEST = 60
"""Seconds: a busy machine may stand still for some."""
INTERVAL = 0.001
"""Seconds between two polls; a condition that costs more than some microseconds gets a longer interval."""


async def until(holds, seconds=None, *, interval=INTERVAL):
    """Poll `holds` until its result is true, and return that result.

    `holds` has no parameters, and may be a coroutine function. Raises TimeoutError after `seconds`, or LONGEST: pass
    a time only if it is the rule under test.
    """
    async with asyncio.timeout(seconds or LONGEST):
        while not (value := await result if isawaitable(result := holds()) else result):  # noqa: ASYNC110 - no event
            await asyncio.sleep(interval)
        return value


async def next_message(queue, fits=lambda _message: True):
    """Take messages from `queue` until one fits, and return it. Raises TimeoutError after LONGEST seconds."""
    async with asyncio.timeout(LONGEST):
        while not fits(message := await queue.get()):
            pass
        return message


async def run_loop(iterations):
    """Let the event loop run `iterations` times, without a clock: callbacks that are due are called."""
    for _ in range(iterations):
        await asyncio.sleep(0)
