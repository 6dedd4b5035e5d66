"""A review is found out in other processes, with the same result as in this one."""

import asyncio
import sys

from anyio import BrokenWorkerProcess, to_process

from core.coach.judging import judge
from core.coach.luck import luck_of
from core.coach.recorded import Deal
from core.coach.review import find_out, parts_of
from tests.core.coach.matches import played
from tui.run.reviewing import find_apart, found_out, judge_apart


def test_every_number_of_processes_finds_the_same():
    parts = parts_of(played(), (0,))[:8]
    for jobs in (1, 2):
        with found_out(parts, jobs) as found:
            assert list(found) == [find_out(part) for part in parts]


async def test_another_process_finds_the_same():
    match = played()

    assert await find_apart(match.deals[0]) == luck_of(match.deals[0])
    assert await judge_apart(match.decisions[0]) == judge(match.decisions[0])


async def test_if_the_other_process_dies_the_work_is_done_here(monkeypatch):
    async def dies(*_, **__):
        raise BrokenWorkerProcess

    monkeypatch.setattr(to_process, "run_sync", dies)
    deal = played().deals[0]

    assert isinstance(deal, Deal)
    assert await find_apart(deal) == luck_of(deal)


async def test_the_program_started_as_a_module_can_have_such_processes():
    program = """
import asyncio, runpy, sys
import tui.cli.main
async def work():
    from anyio import to_process
    print(await to_process.run_sync(abs, -7))
tui.cli.main.main = lambda: asyncio.run(work())
runpy.run_module("tui", run_name="__main__", alter_sys=True)
"""
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-c", program, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE
    )
    out, errors = await process.communicate()

    assert out == b"7\n", errors.decode()
