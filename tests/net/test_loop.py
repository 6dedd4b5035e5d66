"""Background work runs when the loop is idle, always gets done, and in its own order."""

import asyncio
import socket
from time import monotonic

import pytest

from net import loop as module
from net.host.guest_server import ScheduledLink
from net.loop import CALL_OVERDUE, LoopScheduler, enter_background, run_on_background_loop
from net.scheduler import OPENING_TIMEOUT, FullError, Work, new_owner
from net.wire.link import memory_pair


async def log_steps(log, name, count):
    for number in range(count):
        log.append(f"{name}{number}")
        await asyncio.sleep(0)


async def log_background_steps(log, name, count):
    enter_background()
    await asyncio.sleep(0)
    await log_steps(log, name, count)


def test_background_work_waits_until_the_loop_is_idle():
    log = []

    async def main():
        asyncio.get_running_loop()._stepped_at = asyncio.get_running_loop().time() + 60  # it has just run
        async with asyncio.TaskGroup() as group:
            group.create_task(log_background_steps(log, "p", 3))
            group.create_task(log_steps(log, "a", 10))

    run_on_background_loop(main())

    assert log == [*(f"a{n}" for n in range(10)), "p0", "p1", "p2"]


def test_background_work_makes_progress_beside_endless_other_work():
    log = []

    async def main():
        foreground = asyncio.create_task(log_steps([], "a", 1_000_000))
        await asyncio.create_task(log_background_steps(log, "p", 5))
        foreground.cancel()

    run_on_background_loop(main())

    assert log == ["p0", "p1", "p2", "p3", "p4"]


def test_tasks_of_background_work_are_background_work():
    log = []

    async def parent():
        enter_background()
        await asyncio.create_task(log_steps(log, "p", 2))

    async def main():
        asyncio.get_running_loop()._stepped_at = asyncio.get_running_loop().time() + 60
        async with asyncio.TaskGroup() as group:
            group.create_task(parent())
            group.create_task(log_steps(log, "a", 8))

    run_on_background_loop(main())

    assert log[-2:] == ["p0", "p1"]


def test_work_that_is_no_longer_background_keeps_its_order():
    log = []

    async def main():
        loop = asyncio.get_running_loop()
        loop._stepped_at = loop.time() + 60
        background = enter_background()
        loop.call_soon(log.append, 1)
        loop.call_soon(log.append, 2)
        background.end()
        loop.call_soon(log.append, 3)
        await asyncio.sleep(0)
        assert log == [1, 2, 3]

    run_on_background_loop(main())


def test_cancelled_background_work_is_not_done():
    log = []

    async def main():
        background = enter_background()
        handle = asyncio.get_running_loop().call_soon(log.append, 1)
        handle.cancel()
        background.end()
        await asyncio.sleep(0.01)

    run_on_background_loop(main())

    assert log == []


def test_an_error_of_background_work_is_reported_like_any():
    errors = []

    async def main():
        loop = asyncio.get_running_loop()
        loop.set_exception_handler(lambda _loop, context: errors.append(context["exception"]))
        enter_background()
        loop.call_soon(int, "no number")
        await asyncio.sleep(0.01)

    run_on_background_loop(main())

    assert [type(error) for error in errors] == [ValueError]


@pytest.mark.parametrize("run", [asyncio.run, run_on_background_loop])
def test_background_work_runs_on_every_loop(run):
    log = []

    async def main():
        await log_background_steps(log, "p", 3)

    run(main())

    assert log == ["p0", "p1", "p2"]


def test_two_background_sessions_take_turns():
    log = []

    async def main():
        async with asyncio.TaskGroup() as group:
            group.create_task(log_background_steps(log, "p", 3))
            group.create_task(log_background_steps(log, "q", 3))

    run_on_background_loop(main())

    assert log == ["p0", "q0", "p1", "q1", "p2", "q2"]


def test_a_failure_in_measuring_does_not_end_the_loop(monkeypatch, failures):
    async def main():
        clock, broken = module.perf_counter, [RuntimeError("broken")]

        def read_clock():
            if broken:
                raise broken.pop()
            return clock()

        monkeypatch.setattr(module, "perf_counter", read_clock)
        await asyncio.sleep(0.01)
        reader, writer = socket.socketpair()
        with reader, writer:
            reader.setblocking(False)
            writer.send(b"x")
            return await asyncio.get_running_loop().sock_recv(reader, 1)

    assert run_on_background_loop(main()) == b"x"
    assert failures == [("look-not-noted", RuntimeError)]


# Turns


async def test_a_waiter_that_is_cancelled_takes_no_turn():
    scheduler, order = LoopScheduler(), []

    async def take_turn(name):
        async with scheduler.turn(Work.OPENING, scheduler.owner(Work.OPENING, name)):
            order.append(name)

    async with asyncio.timeout(30):
        async with scheduler.turn(Work.OPENING, scheduler.owner(Work.OPENING, "first")):
            cancelled, friend = asyncio.create_task(take_turn("gone")), asyncio.create_task(take_turn("friend"))
            await asyncio.sleep(0)
            cancelled.cancel()
        await friend
    assert order == ["friend"]


async def test_a_block_that_fails_gives_the_turn_back():
    scheduler = LoopScheduler()
    with pytest.raises(ZeroDivisionError):
        async with scheduler.turn(Work.OPENING, scheduler.owner(Work.OPENING, "victim")):
            1 / 0  # noqa: B018
    start = asyncio.get_running_loop().time()
    async with scheduler.turn(Work.OPENING, scheduler.owner(Work.OPENING, "next")):
        assert asyncio.get_running_loop().time() - start < OPENING_TIMEOUT


async def test_a_request_for_a_turn_that_fails_takes_no_turn(monkeypatch):
    scheduler = LoopScheduler()
    with monkeypatch.context() as broken:
        broken.setattr(scheduler, "run_turn", lambda: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            await scheduler.wait_for_turn(Work.LIST, new_owner())
    async with asyncio.timeout(30):
        await scheduler.wait_for_turn(Work.LIST, new_owner())


async def test_a_refused_waiter_gets_an_error(monkeypatch):
    monkeypatch.setattr("net.scheduler.OPENINGS_WAITING", 2)
    scheduler = LoopScheduler()

    async def take_turn(name):
        async with scheduler.turn(Work.OPENING, scheduler.owner(Work.OPENING, name)):
            pass

    async with scheduler.turn(Work.OPENING, scheduler.owner(Work.OPENING, "first")):
        waiting = [asyncio.create_task(take_turn("flood")) for _ in range(3)]
        await asyncio.sleep(0)
        friend = asyncio.create_task(take_turn("friend"))
        await asyncio.sleep(0)
    results = await asyncio.gather(*waiting, friend, return_exceptions=True)
    assert [type(error) for error in results] == [type(None), FullError, FullError, type(None)]


async def test_the_next_waiter_replaces_a_turn_that_never_comes():
    """A failure may lose the loop's callback that gives the next turn."""
    scheduler = LoopScheduler()
    scheduler._waker._imminent_since = monotonic()  # and no turn comes
    waiting = asyncio.create_task(scheduler.wait_for_turn(Work.KEY, new_owner()))
    await asyncio.sleep(0)
    assert not waiting.done()
    scheduler._waker._imminent_since -= CALL_OVERDUE + 1
    async with asyncio.timeout(30):
        await scheduler.wait_for_turn(Work.KEY, new_owner())
        await waiting


async def test_each_listener_runs_in_its_own_turn():
    scheduler, log = LoopScheduler(), []

    async def receive_move(name):
        link, other_end = memory_pair()
        other_end.send(b"move")
        assert await ScheduledLink(link, scheduler, new_owner()).receive() == b"move"
        log.append(name)

    async with asyncio.timeout(30), asyncio.TaskGroup() as group:
        cancelled = [group.create_task(receive_move(name)) for name in ("ann", "ben", "gone", "cid")][2]
        max_per_iteration = 0
        while len(log) < 3:
            count_before = len(log)
            await asyncio.sleep(0)
            cancelled.cancel()
            max_per_iteration = max(max_per_iteration, len(log) - count_before)
    assert max_per_iteration == 1
    assert log == ["ann", "ben", "cid"]


def test_the_opening_of_a_screen_is_measured():
    async def main():
        background = enter_background()
        for _ in range(3):
            await asyncio.sleep(0)
            sum(range(100_000))
        background.end()
        return background.cpu_seconds

    assert run_on_background_loop(main()) > 0
