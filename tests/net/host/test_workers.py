"""Worker processes do long work; they may die, and none is left behind."""

import asyncio
import os
import pickle
import signal
import subprocess
import sys
from functools import partial
from pathlib import Path

import pytest

from net.host.workers import NICE, WorkerLostError, Workers, worker_pool
from tests.net.host.processes import adopted_workers, workers  # noqa: F401 - a fixture
from tests.waiting import until


@pytest.fixture
async def pool():
    pool = Workers()
    yield pool
    await pool.aclose()


async def test_a_call_runs_in_another_process(pool):
    assert await pool.start(os.getpid) in workers()


async def test_a_worker_is_reused_for_the_next_call(pool):
    assert await pool.start(os.getpid) == await pool.start(os.getpid)


async def test_two_calls_at_once_take_two_workers(pool):
    first, second = await asyncio.gather(pool.start(os.getpid), pool.start(os.getpid))

    assert {first, second} == set(workers())


async def test_an_exception_in_a_worker_is_raised_in_the_caller(pool):
    with pytest.raises(ValueError, match="invalid literal"):
        await pool.start(partial(int, "spinner"))


async def test_workers_let_other_processes_go_first(pool):
    assert await pool.start(partial(os.nice, 0)) >= min(19, NICE)


async def test_a_worker_that_dies_is_reported_and_replaced(pool):
    dead_worker = await pool.start(os.getpid)
    with pytest.raises(WorkerLostError):
        await pool.start(partial(signal.raise_signal, signal.SIGKILL))

    assert await pool.start(os.getpid) != dead_worker


async def test_cancelling_a_running_task_kills_its_worker(pool):
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


async def test_no_process_is_started_in_order_to_be_ended(monkeypatch):
    pool = Workers()
    worker = await pool.start(os.getpid)
    os.kill(worker, signal.SIGKILL)  # it dies while it is idle
    busy = [pool.start(signal.pause) for _ in range(3)]
    monkeypatch.setattr("asyncio.create_subprocess_exec", None)
    await pool.aclose()

    assert not workers()
    assert all(task.cancelled() for task in busy)


async def test_cancelling_a_task_that_waits_for_a_new_worker_leaves_none(pool):
    task = pool.start(os.getpid)
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)

    assert task.cancelled()
    assert not workers()


async def test_output_printed_in_a_worker_is_no_answer(pool):
    await pool.start(partial(print, "spinner", flush=True))

    assert await pool.start(partial(sum, [6, 4])) == 10


async def test_a_worker_is_in_a_group_of_its_own_so_that_ctrl_c_is_not_for_it(pool):
    assert await pool.start(os.getpgrp) != os.getpgrp()


ORPHANS = """
import asyncio, os, signal
from functools import partial
from net.host.workers import Workers, worker_pool

def busy():
    os.write(1, b"%d\\n" % os.getpid())
    signal.pause()

async def run_worker():
    workers = Workers()
    print(await workers.start(os.getpid), flush=True)
    await workers.start(signal.pause)

if __name__ == "__main__":
    HOW
"""


@pytest.mark.parametrize(
    "how",
    ["asyncio.run(run_worker())", "with worker_pool(2) as pool: [pool.submit(busy) for _ in range(2)][0].result()"],
    ids=["workers", "a pool"],
)
async def test_workers_end_with_a_killed_parent_whatever_they_do(how, tmp_path):
    script = tmp_path / "script.py"
    script.write_text(ORPHANS.replace("HOW", how))
    parent = await asyncio.create_subprocess_exec(
        *(sys.executable, str(script)),
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[3])},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
    )
    pids = [int(await parent.stdout.readline()) for _ in range(1 + ("pool" in how))]
    assert parent.pid not in pids
    parent.kill()
    await parent.wait()
    await until(lambda: not any(os.path.exists(f"/proc/{pid}") for pid in pids))


def test_leaving_a_pool_by_an_exception_does_not_wait_for_it():
    tasks = []

    def leave():
        with worker_pool(2) as pool:
            tasks.append(pool.submit(signal.pause))
            pool.submit(os.getpid).result()
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        leave()
    assert tasks[0].done()


INTERRUPTED = """
import os, signal
from net.host.workers import map_in_pool, worker_pool

signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell ignores SIGINT for its background jobs
interrupts = iter([lambda: os.kill(os.getpid(), signal.SIGINT)])
os.register_at_fork(after_in_parent=lambda: next(interrupts, bool)())
try:
    with worker_pool(2) as pool:
        list(map_in_pool(pool, abs, range(4)))
except KeyboardInterrupt:
    print("interrupted")
"""


def test_ctrl_c_while_a_pool_forks_interrupts_its_command():
    completed = subprocess.run(
        [sys.executable, "-c", INTERRUPTED], capture_output=True, text=True, timeout=60, cwd=Path(__file__).parents[3]
    )
    assert (completed.stdout, completed.stderr, completed.returncode) == ("interrupted\n", "", 0)


def test_a_worker_whose_parent_is_killed_ends_silently():
    command = [sys.executable, "-c", "from net.host.workers import work; work()"]
    request = pickle.dumps(os.getpid)
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with subprocess.Popen(command, cwd=Path(__file__).parents[3], **pipes) as worker:
        worker.stdout.close()  # nobody reads the answer, as if the parent had died while the worker thought
        worker.stdin.write(len(request).to_bytes(8) + request)
        worker.stdin.flush()
        assert worker.stderr.read() == b""
        assert worker.wait(30) == 0
