"""Worker processes do what takes long; they may die, and none is left behind."""

import asyncio
import os
import signal
from functools import partial

import pytest

from net.host.workers import NICE, WorkerLostError, Workers
from tests.net.host.processes import workers


@pytest.fixture
async def pool():
    pool = Workers()
    yield pool
    await pool.aclose()


async def test_something_is_done_in_another_process(pool):
    assert await pool.start(os.getpid) in workers()


async def test_one_worker_does_one_thing_after_the_other(pool):
    assert await pool.start(os.getpid) == await pool.start(os.getpid)


async def test_two_things_at_once_take_two_workers(pool):
    first, second = await asyncio.gather(pool.start(os.getpid), pool.start(os.getpid))

    assert {first, second} == set(workers())


async def test_what_goes_wrong_in_a_worker_is_raised_here(pool):
    with pytest.raises(ValueError, match="invalid literal"):
        await pool.start(partial(int, "spinner"))


async def test_workers_let_other_processes_go_first(pool):
    assert await pool.start(partial(os.nice, 0)) >= min(19, NICE)


async def test_a_worker_that_dies_is_reported_and_replaced(pool):
    before = await pool.start(os.getpid)
    with pytest.raises(WorkerLostError):
        await pool.start(partial(signal.raise_signal, signal.SIGKILL))

    assert await pool.start(os.getpid) != before


async def test_to_cancel_what_is_done_kills_its_worker(pool):
    await pool.start(os.getpid)
    task = pool.start(signal.pause)
    await pool.start(os.getpid)  # another worker, which had time to start
    assert len(workers()) == 2
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task

    assert len(workers()) == 1


async def test_no_worker_is_left_once_all_are_closed_be_they_busy_or_not():
    pool = Workers()
    await pool.start(os.getpid)
    task = pool.start(signal.pause)
    await pool.start(os.getpid)
    await pool.aclose()

    assert not workers()
    assert task.cancelled()


async def test_workers_that_were_never_needed_are_closed_at_once():
    await Workers().aclose()

    assert not workers()
