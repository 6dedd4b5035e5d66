"""Thinkers: worker processes in which bots think, for hints and turns, urgent questions first and with a timeout."""

import asyncio
import heapq
import logging
import os
from functools import partial
from itertools import count
from time import monotonic

import msgspec
from msgspec.structs import replace

from core.bots.profiles import Question, Thought
from net.host.workers import WorkerLostError, Workers
from net.logs import fields

ANSWER_AFTER = 0.7
"""Seconds after which a worker answers with its best result so far."""
ANSWER_TIMEOUT = 2.0
"""Seconds after which a question is given up, and the worker that thinks about it is replaced."""
log = logging.getLogger(__name__)


class Thinkers:
    """Answers questions in several workers: one less than there are cores."""

    def __init__(self, threads: int | None = None) -> None:
        self.workers = Workers()
        """Other code may use these workers, too."""
        self._threads = threads or max(1, (os.cpu_count() or 2) - 1)
        self._waiting: list[tuple[bool, int, Question, asyncio.Future[Thought | None]]] = []
        self._numbers = count()
        self._tasks: set[asyncio.Task[None]] = set()

    def ask(self, question: Question, *, urgent: bool = True) -> "asyncio.Future[Thought | None]":
        """Have a worker think about a question; those that are not `urgent` wait for all others.

        The answer is None if there is none in time. Cancelling the future withdraws the question.
        """
        loop = asyncio.get_running_loop()
        future: asyncio.Future[Thought | None] = loop.create_future()
        timer = loop.call_later(ANSWER_TIMEOUT, _resolve, future, None)
        future.add_done_callback(lambda _: timer.cancel())
        heapq.heappush(self._waiting, (not urgent, next(self._numbers), question, future))
        if len(self._tasks) < self._threads:
            self._tasks.add(asyncio.create_task(self._work()))
        return future

    def close(self) -> None:
        """Stop thinking; pending questions are resolved with None or cancelled."""
        for *_, future in self._waiting:
            _resolve(future, None)
        self._waiting.clear()
        for task in self._tasks:
            task.cancel()

    async def aclose(self) -> None:
        """Stop thinking, and end the workers."""
        tasks = set(self._tasks)
        self.close()
        await asyncio.gather(*tasks, return_exceptions=True)
        await self.workers.aclose()

    async def _work(self) -> None:
        """Answer questions while there are any, in an idle worker or a new one."""
        task = asyncio.current_task()
        future: asyncio.Future[Thought | None] | None = None
        try:
            await self._wait_for_worker()
            while self._waiting:
                share = 1 / (1 + len(self._waiting) // (2 * self._threads))
                _, _, question, future = heapq.heappop(self._waiting)
                if not future.done():
                    payload = msgspec.msgpack.encode(replace(question, share=share))
                    async with asyncio.timeout(ANSWER_TIMEOUT):
                        answer = await self.workers.start(partial(answer_to, payload))
                    _resolve(future, msgspec.msgpack.decode(answer, type=Thought))
        except (TimeoutError, WorkerLostError) as error:
            _log_lost(error)
        except Exception:  # about one question; a hint may depend on data from another program
            log.exception("bot-question-failed")
        finally:
            self._tasks.discard(task)  # before the last answer is delivered and the next question asked
            if future is not None:
                _resolve(future, None)

    async def _wait_for_worker(self) -> None:
        """Wait until a worker runs, so that the timeout of a question excludes its start.

        Also replace the workers that died while idle, one at a time.
        """
        while True:
            try:
                await self.workers.start(os.getpid)
            except WorkerLostError as error:
                if all(future.done() for *_, future in self._waiting):
                    raise
                _log_lost(error)
            else:
                return


def _log_lost(error: Exception) -> None:
    log.warning("bot-worker-lost", extra=fields(error=type(error).__name__))


def _resolve(future: "asyncio.Future[Thought | None]", thought: Thought | None) -> None:
    if not future.done():
        future.set_result(thought)


def answer_to(payload: bytes) -> bytes:
    """Answer a question, both packed; this runs in a worker."""
    from core.bots.levels import answer  # noqa: PLC0415 - callers need not load the bots

    deadline = monotonic() + ANSWER_AFTER
    return msgspec.msgpack.encode(
        answer(msgspec.msgpack.decode(payload, type=Question), lambda: monotonic() > deadline)
    )
