"""Thinkers work beside the event loop: they answer, they may die, and no request waits for long."""

import asyncio
import os
import signal

import pytest
from msgspec import msgpack

from core.bots.levels import answer
from core.bots.profiles import Question, Thought
from core.fair import deal_order
from core.games import GAMES
from core.match import new_match
from net.host import thinkers as module
from net.host.thinkers import Thinkers, answer_to
from tests.net.host.processes import adopted_workers, workers  # noqa: F401 - a fixture

START_TIMEOUT = 60.0
"""Seconds that a busy machine may take to start a worker."""


@pytest.fixture(autouse=True)
def long_timeouts(monkeypatch):
    monkeypatch.setattr(module, "ANSWER_TIMEOUT", START_TIMEOUT)
    monkeypatch.setattr(module, "ANSWER_AFTER", START_TIMEOUT)


@pytest.fixture
async def pool():
    thinkers = Thinkers(1)
    yield thinkers
    await thinkers.aclose()


def make_question(seed=b"1", level="normal"):
    match = new_match(GAMES["draw"], 2, {})
    order, lot = deal_order(match.rules.tiles, 2, b"deal", 1)
    match, _ = match.deal(order, lot)
    match, _ = match.apply(match.legal[0])
    return Question(match.view(match.turn), level, seed)


def test_a_packed_question_has_the_answer_of_the_question():
    question = make_question()

    assert msgpack.decode(answer_to(msgpack.encode(question)), type=Thought) == answer(question)


async def test_a_worker_answers(pool):
    assert await pool.ask(make_question()) == answer(make_question())


async def test_a_question_that_is_asked_on_hearing_an_answer_is_answered_too(pool):
    assert [await pool.ask(make_question()) for _ in range(3)] == [answer(make_question())] * 3


async def test_many_questions_are_all_answered(pool):
    answers = await asyncio.gather(*(pool.ask(make_question(b"%d" % number)) for number in range(6)))

    assert all(answers)


async def test_urgent_questions_come_first(pool):
    order = []
    questions = [(pool.ask(make_question(), urgent=urgent), urgent) for urgent in (True, False, False, True)]
    for future, urgent in questions:
        future.add_done_callback(lambda _, urgent=urgent: order.append(urgent))
    await asyncio.gather(*(future for future, _ in questions))

    assert order == [True, True, False, False]


async def test_a_question_that_waits_too_long_gets_no_answer(pool, monkeypatch):
    monkeypatch.setattr(module, "ANSWER_TIMEOUT", 0.0)

    assert await pool.ask(make_question()) is None


async def test_a_worker_that_dies_is_replaced(pool):
    await pool.ask(make_question())
    (worker,) = workers()
    os.kill(worker, signal.SIGKILL)

    assert await pool.ask(make_question()) == answer(make_question()), (
        "the question that meets the dead worker is not lost"
    )
    assert workers() != [worker]


async def test_a_withdrawn_question_occupies_no_worker(pool):
    first, second, third = (pool.ask(make_question()) for _ in range(3))
    second.cancel()

    assert await first
    assert await third


async def test_a_closed_pool_answers_nothing(pool):
    waiting = [pool.ask(make_question()) for _ in range(3)]
    pool.close()

    assert await asyncio.gather(*waiting) == [None] * 3
