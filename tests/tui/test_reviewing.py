"""A review is computed in other processes, with the same result as in this one."""

import asyncio
import signal
import sys
from functools import partial

import pytest

from core.coach.review import compute_part, judge, luck_of, parts_of
from net.host.reviewing import Coach, compute_parts
from net.host.workers import WorkerLostError, Workers
from tests.core.coach.matches import played


def test_every_number_of_processes_finds_the_same():
    parts = parts_of(played(), (0,))[:8]
    for jobs in (1, 2):
        with compute_parts(parts, jobs) as results:
            assert list(results) == [compute_part(part) for part in parts]


@pytest.fixture
async def workers():
    workers = Workers()
    yield workers
    await workers.aclose()


async def test_a_worker_computes_the_same_judgement_as_this_process(workers):
    match, coach = played(), Coach(workers)

    assert await coach.compute(match.deals[0]) == luck_of(match.deals[0])
    assert await coach.judge(match.decisions[0]) == judge(match.decisions[0])


async def test_if_a_worker_dies_another_does_the_work(workers, monkeypatch):
    deaths = dying(monkeypatch, workers, 1)
    deal = played().deals[0]

    assert await Coach(workers).compute(deal) == luck_of(deal)
    assert not deaths


async def test_if_the_next_worker_dies_as_well_the_waiters_get_an_error(workers, monkeypatch):
    dying(monkeypatch, workers, 4)
    match, coach = played(), Coach(workers)

    with pytest.raises(WorkerLostError):
        await coach.compute(match.deals[0])
    assert await coach.judge(match.decisions[0]) is None
    assert await coach.compute(match.deals[0]) == luck_of(match.deals[0])


async def test_reviews_that_are_cancelled_do_not_disturb_others(workers):
    match, coach = played(), Coach(workers)
    first, second, third = (asyncio.create_task(coach.compute(deal)) for deal in [match.deals[0]] * 3)
    await asyncio.sleep(0)
    first.cancel()
    second.cancel()

    assert await third == luck_of(match.deals[0])
    assert first.cancelled()
    assert second.cancelled()


def dying(monkeypatch, workers, times):
    """Let the next `times` workers die over their work; return those that have not yet."""
    deaths, start = [partial(signal.raise_signal, signal.SIGKILL)] * times, workers.start
    monkeypatch.setattr(workers, "start", lambda do: start(deaths.pop() if deaths else do))
    return deaths


async def test_a_program_started_as_a_module_can_start_workers():
    program = """
import asyncio, runpy, sys
from functools import partial
import tui.cli.main
async def work():
    from net.host.workers import Workers
    workers = Workers()
    print(await workers.start(partial(abs, -7)))
    await workers.aclose()
tui.cli.main.main = lambda: asyncio.run(work())
runpy.run_module("tui", run_name="__main__", alter_sys=True)
"""
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-c", program, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE
    )
    out, errors = await process.communicate()

    assert out == b"7\n", errors.decode()
