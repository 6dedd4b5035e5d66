"""Patient work goes on when nothing else is to do, gets done all the same, and in its own order."""

import asyncio
import socket

import pytest

from net import loop as module
from net.loop import be_patient, run_patiently


async def steps(log, name, count):
    for number in range(count):
        log.append(f"{name}{number}")
        await asyncio.sleep(0)


async def patient_steps(log, name, count):
    be_patient()
    await asyncio.sleep(0)
    await steps(log, name, count)


def test_patient_work_waits_until_nothing_else_is_to_do():
    log = []

    async def main():
        asyncio.get_running_loop()._went = asyncio.get_running_loop().time() + 60  # it has just gone on
        async with asyncio.TaskGroup() as group:
            group.create_task(patient_steps(log, "p", 3))
            group.create_task(steps(log, "a", 10))

    run_patiently(main())

    assert log == [*(f"a{n}" for n in range(10)), "p0", "p1", "p2"]


def test_patient_work_gets_done_beside_others_that_never_rest():
    log = []

    async def main():
        others = asyncio.create_task(steps([], "a", 1_000_000))
        await asyncio.create_task(patient_steps(log, "p", 5))
        others.cancel()

    run_patiently(main())

    assert log == ["p0", "p1", "p2", "p3", "p4"]


def test_tasks_of_patient_work_are_patient():
    log = []

    async def parent():
        be_patient()
        await asyncio.create_task(steps(log, "p", 2))

    async def main():
        asyncio.get_running_loop()._went = asyncio.get_running_loop().time() + 60
        async with asyncio.TaskGroup() as group:
            group.create_task(parent())
            group.create_task(steps(log, "a", 8))

    run_patiently(main())

    assert log[-2:] == ["p0", "p1"]


def test_when_its_patience_ends_work_goes_on_beside_others_and_in_its_order():
    log = []

    async def main():
        loop = asyncio.get_running_loop()
        loop._went = loop.time() + 60
        patience = be_patient()
        loop.call_soon(log.append, 1)
        loop.call_soon(log.append, 2)
        patience.end()
        loop.call_soon(log.append, 3)
        await asyncio.sleep(0)
        assert log == [1, 2, 3]

    run_patiently(main())


def test_patient_work_that_is_cancelled_is_not_done():
    log = []

    async def main():
        patience = be_patient()
        handle = asyncio.get_running_loop().call_soon(log.append, 1)
        handle.cancel()
        patience.end()
        await asyncio.sleep(0.01)

    run_patiently(main())

    assert log == []


def test_an_error_of_patient_work_is_reported_like_any():
    errors = []

    async def main():
        loop = asyncio.get_running_loop()
        loop.set_exception_handler(lambda _loop, context: errors.append(context["exception"]))
        be_patient()
        loop.call_soon(int, "no number")
        await asyncio.sleep(0.01)

    run_patiently(main())

    assert [type(error) for error in errors] == [ValueError]


@pytest.mark.parametrize("run", [asyncio.run, run_patiently])
def test_on_another_loop_nothing_waits(run):
    log = []

    async def main():
        await patient_steps(log, "p", 3)

    run(main())

    assert log == ["p0", "p1", "p2"]


def test_two_patient_sessions_take_turns():
    log = []

    async def main():
        async with asyncio.TaskGroup() as group:
            group.create_task(patient_steps(log, "p", 3))
            group.create_task(patient_steps(log, "q", 3))

    run_patiently(main())

    assert log == ["p0", "q0", "p1", "q1", "p2", "q2"]


def test_a_fault_in_measuring_does_not_end_the_loop(monkeypatch, faults):
    async def main():
        clock, broken = module.perf_counter, [RuntimeError("broken")]

        def tells():
            if broken:
                raise broken.pop()
            return clock()

        monkeypatch.setattr(module, "perf_counter", tells)
        await asyncio.sleep(0.01)
        reader, writer = socket.socketpair()
        with reader, writer:
            reader.setblocking(False)
            writer.send(b"x")
            return await asyncio.get_running_loop().sock_recv(reader, 1)

    assert run_patiently(main()) == b"x"
    assert faults == [("look-not-noted", RuntimeError)]
