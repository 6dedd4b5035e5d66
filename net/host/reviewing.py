"""Reviewing: finds out what a review needs in several processes, without the event loop or the terminal waiting."""

import asyncio
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from typing import TYPE_CHECKING

from net.host.workers import WorkerLostError, Workers, mapped, worker_pool

if TYPE_CHECKING:
    from core.coach.review import Decision, Found, Judgement, Part


def find_out(part: "Part") -> "Found":
    """Find out about a part. The coach is loaded here, mostly in another process."""
    from core.coach import review  # noqa: PLC0415

    return review.find_out(part)


@contextmanager
def found_out(parts: "Sequence[Part]", jobs: int) -> "Iterator[Iterator[Found]]":
    """Find out about all parts in so many processes, and give the results in their order, as they come."""
    if jobs == 1 or len(parts) < 2:
        yield map(find_out, parts)
        return
    with worker_pool(min(jobs, len(parts))) as pool:
        yield mapped(pool, find_out, parts)


class Coach:
    """Finds out what reviews need in one worker at a time, a part for each who waits in turn."""

    def __init__(self, workers: Workers) -> None:
        self._workers = workers
        self._free = asyncio.Semaphore()

    async def find(self, part: "Part") -> "Found":
        """Find out about a part. Raises WorkerLostError if two workers died over it.

        What has begun is done to its end even if nobody waits for it any more: to end a worker and to start another
        takes longer than most parts.
        """
        await self._free.acquire()
        task = asyncio.create_task(self._find(part))
        task.add_done_callback(self._done)
        return await asyncio.shield(task)

    async def judge(self, decision: "Decision") -> "Judgement | None":
        """Judge a decision; None where nothing can be said of it."""
        from core.coach.review import Judgement  # noqa: PLC0415 - not before somebody asks

        with suppress(WorkerLostError):
            found = await self.find(decision)
            return found if isinstance(found, Judgement) else None
        return None

    async def _find(self, part: "Part") -> "Found":
        with suppress(WorkerLostError):
            return await self._workers.start(partial(find_out, part))
        return await self._workers.start(partial(find_out, part))

    def _done(self, task: "asyncio.Task[Found]") -> None:
        self._free.release()
        if not task.cancelled():
            task.exception()  # whoever waited is told; perhaps nobody does any more
