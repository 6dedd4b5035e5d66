"""Reviewing: finds out what a review needs in several processes, without the event loop or the terminal waiting."""

import asyncio
import importlib
import signal
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager

from core.coach.judging import Judgement
from core.coach.recorded import Decision
from core.coach.review import Found, Part, find_out


@contextmanager
def found_out(parts: Sequence[Part], jobs: int) -> Iterator[Iterator[Found]]:
    """Find out about all parts in so many processes, and give the results in their order, as they come.

    Whoever leaves early waits for what has begun, and for nothing else.
    """
    if jobs == 1 or len(parts) < 2:
        yield map(find_out, parts)
        return
    pool = ProcessPoolExecutor(min(jobs, len(parts)), initializer=_leave_the_keyboard)
    try:
        yield pool.map(find_out, parts)
    finally:
        pool.shutdown(cancel_futures=True)


async def judge_apart(decision: Decision) -> Judgement | None:
    """Judge a decision in another process; None where nothing can be said of it."""
    found = await find_apart(decision)
    return found if isinstance(found, Judgement) else None


async def find_apart(part: Part) -> Found:
    """Find out about a part in another process; in a thread, which makes the screen slow, if that process died."""
    await asyncio.to_thread(importlib.import_module, "anyio.to_process")  # this takes a while the first time
    from anyio import BrokenWorkerProcess, to_process  # noqa: PLC0415

    try:
        return await to_process.run_sync(find_out, part, cancellable=True)
    except BrokenWorkerProcess:
        return await asyncio.to_thread(find_out, part)


def _leave_the_keyboard() -> None:
    """Ctrl-C reaches every process of a terminal, but only the one that shows something is to answer."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
