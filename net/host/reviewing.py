"""Computes the parts of a review in several processes, so that neither the event loop nor the terminal waits."""

import asyncio
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from typing import TYPE_CHECKING

from net.host.workers import WorkerLostError, Workers, map_in_pool, worker_pool

if TYPE_CHECKING:
    from core.coach.review import Decision, Found, Judgement, Part


def find_out(part: "Part") -> "Found":
    """Compute a part. The coach is imported here, usually in another process."""
    from core.coach import review  # noqa: PLC0415

    return review.find_out(part)


@contextmanager
def compute_parts(parts: "Sequence[Part]", jobs: int) -> "Iterator[Iterator[Found]]":
    """Compute all parts in `jobs` processes, and yield an iterator of the results, in order and as they come."""
    if jobs == 1 or len(parts) < 2:
        yield map(find_out, parts)
        return
    with worker_pool(min(jobs, len(parts))) as pool:
        yield map_in_pool(pool, find_out, parts)


class Coach:
    """Computes parts of reviews in one worker at a time; callers take turns, a part each."""

    def __init__(self, workers: Workers) -> None:
        self._workers = workers
        self._free = asyncio.Semaphore()

    async def find(self, part: "Part") -> "Found":
        """Compute a part. Raises WorkerLostError if two workers died over it.

        A part that has begun is finished even if its caller is cancelled: ending a worker and starting another takes
        longer than most parts.
        """
        await self._free.acquire()
        task = asyncio.create_task(self._find(part))
        task.add_done_callback(self._on_done)
        return await asyncio.shield(task)

    async def judge(self, decision: "Decision") -> "Judgement | None":
        """Judge a decision; None if that is impossible."""
        from core.coach.review import Judgement  # noqa: PLC0415 - not before it is needed

        with suppress(WorkerLostError):
            result = await self.find(decision)
            return result if isinstance(result, Judgement) else None
        return None

    async def _find(self, part: "Part") -> "Found":
        with suppress(WorkerLostError):
            return await self._workers.start(partial(find_out, part))
        return await self._workers.start(partial(find_out, part))

    def _on_done(self, task: "asyncio.Task[Found]") -> None:
        self._free.release()
        if not task.cancelled():
            task.exception()  # mark the exception as retrieved: the caller may be gone
