"""Computes the parts of a review in several processes, so that neither the event loop nor the terminal waits."""

import asyncio
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from typing import TYPE_CHECKING

from net.host.workers import WorkerLostError, Workers, map_in_pool, worker_pool

if TYPE_CHECKING:
    from core.coach.review import Decision, Judgement, Part, PartResult


def compute_part(part: "Part") -> "PartResult":
    """Compute a part. The coach is imported here, usually in another process."""
    from core.coach import review  # noqa: PLC0415

    return review.compute_part(part)


@contextmanager
def compute_parts(parts: "Sequence[Part]", jobs: int) -> "Iterator[Iterator[PartResult]]":
    """Compute all parts in `jobs` processes, and yield an iterator of the results, in order and as they come."""
    if jobs == 1 or len(parts) < 2:
        yield map(compute_part, parts)
        return
    with worker_pool(min(jobs, len(parts))) as pool:
        yield map_in_pool(pool, compute_part, parts)


class Coach:
    """Computes parts of reviews in one worker at a time; callers take turns, a part each."""

    def __init__(self, workers: Workers) -> None:
        self._workers = workers
        self._turn = asyncio.Semaphore()

    async def compute(self, part: "Part") -> "PartResult":
        """Compute a part. Raises WorkerLostError if two workers died over it.

        A part that has begun is finished even if its caller is cancelled: ending a worker and starting another takes
        longer than most parts.
        """
        await self._turn.acquire()
        task = asyncio.create_task(self._compute(part))
        task.add_done_callback(self._on_done)
        return await asyncio.shield(task)

    async def judge(self, decision: "Decision") -> "Judgement | None":
        """Judge a decision; None if that is impossible."""
        from core.coach.review import Judgement  # noqa: PLC0415 - not before it is needed

        with suppress(WorkerLostError):
            result = await self.compute(decision)
            return result if isinstance(result, Judgement) else None
        return None

    async def _compute(self, part: "Part") -> "PartResult":
        with suppress(WorkerLostError):
            return await self._workers.start(partial(compute_part, part))
        return await self._workers.start(partial(compute_part, part))

    def _on_done(self, task: "asyncio.Task[PartResult]") -> None:
        self._turn.release()
        if not task.cancelled():
            task.exception()  # mark the exception as retrieved: the caller may be gone
