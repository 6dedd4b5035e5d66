"""Worker processes in which bots think, so that the event loop never waits for them."""

import asyncio
import contextlib
import heapq
import importlib
import logging
import os
import signal
from itertools import count
from time import monotonic

import msgspec
from msgspec.structs import replace

from core.bots.thinking import Question, Thought, answer
from net.logs import fields

THINKING = 0.7
"""Seconds after which a worker answers with what it has found out so far."""
WAITING = 2.0
"""Seconds after which a question is not waited for any more, and a worker that thinks about it is replaced."""
NICE = 5
"""By how much workers let other processes go first, those that serve people above all."""
log = logging.getLogger(__name__)


class Thinkers:
    """A pool of workers, one for each core but one; each starts when it is first needed."""

    def __init__(self, workers: int | None = None) -> None:
        self._workers = workers or max(1, (os.cpu_count() or 2) - 1)
        self._waiting: list[tuple[bool, int, Question, asyncio.Future[Thought | None]]] = []
        self._numbers = count()
        self._tasks: set[asyncio.Task[None]] = set()
        self._started = 0
        """Workers that may be there: as many as have worked at the same time."""

    def ask(self, question: Question, *, urgent: bool = True) -> "asyncio.Future[Thought | None]":
        """Let a worker think about a question; those that are not `urgent` wait for all others.

        The answer is None if there is none in time. To cancel the future withdraws the question.
        """
        loop = asyncio.get_running_loop()
        future: asyncio.Future[Thought | None] = loop.create_future()
        timer = loop.call_later(WAITING, _resolve, future, None)
        future.add_done_callback(lambda _: timer.cancel())
        heapq.heappush(self._waiting, (not urgent, next(self._numbers), question, future))
        if len(self._tasks) < self._workers:
            task = asyncio.create_task(self._work())
            self._tasks.add(task)
            self._started = max(self._started, len(self._tasks))
            task.add_done_callback(self._tasks.discard)
        return future

    def close(self) -> None:
        """Stop thinking; what was asked is not answered any more."""
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
        if not self._started:
            return
        from anyio import BrokenWorkerProcess, to_process  # noqa: PLC0415

        # A worker that is gone is killed once more by anyio, and asyncio wonders who has waited for it.
        asyncios = logging.getLogger("asyncio")
        asyncios.setLevel(logging.ERROR)
        for _ in range(self._started):
            with contextlib.suppress(BrokenWorkerProcess):
                await to_process.run_sync(signal.raise_signal, signal.SIGKILL)
        asyncios.setLevel(logging.NOTSET)
        self._started = 0

    async def _work(self) -> None:
        """Start a worker unless one is free, and let it answer questions while there are any."""
        await asyncio.to_thread(importlib.import_module, "anyio.to_process")  # this takes a while the first time
        from anyio import BrokenWorkerProcess, to_process  # noqa: PLC0415

        future: asyncio.Future[Thought | None] | None = None
        try:
            await to_process.run_sync(begin, cancellable=True)
            while self._waiting:
                share = 1 / (1 + len(self._waiting) // (2 * self._workers))
                _, _, question, future = heapq.heappop(self._waiting)
                if not future.done():
                    payload = msgspec.msgpack.encode(replace(question, share=share))
                    async with asyncio.timeout(WAITING):
                        answered = await to_process.run_sync(answer_to, payload, cancellable=True)
                    _resolve(future, _ANSWERS.decode(answered))
        except (TimeoutError, BrokenWorkerProcess) as error:
            log.warning("bot-worker-lost", extra=fields(error=type(error).__name__))
        except Exception:  # about one question; a hint may be about what another's program shows
            log.exception("bot-question-failed")
        finally:
            if future is not None:
                _resolve(future, None)


def _resolve(future: "asyncio.Future[Thought | None]", thought: Thought | None) -> None:
    if not future.done():
        future.set_result(thought)


_QUESTIONS = msgspec.msgpack.Decoder(Question)
_ANSWERS = msgspec.msgpack.Decoder(Thought)


def begin() -> None:
    """Prepare this process to be a worker."""
    with contextlib.suppress(OSError):  # where the system does not let us, workers go on like all others
        if os.nice(0) < NICE:
            os.nice(NICE)


def answer_to(payload: bytes) -> bytes:
    """Answer a question, both packed; this runs in a worker."""
    until = monotonic() + THINKING
    return msgspec.msgpack.encode(answer(_QUESTIONS.decode(payload), lambda: monotonic() > until))
