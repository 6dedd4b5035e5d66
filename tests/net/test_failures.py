"""A failure ends only the work that failed."""

import asyncio

import pytest

from net.limits import MAX_CRASHES
from net.loop import (
    CALL_OVERDUE,
    CrashCounter,
    DeferredCall,
    Tasks,
    is_failure,
    log_failures,
    release_frames,
    run_forever,
)


async def raise_error(error):
    raise error


async def test_a_failure_is_logged_and_the_next_work_continues(failures):
    with log_failures("step-failed", table=3) as step:
        raise MemoryError

    assert step.failed
    assert failures == [("step-failed", MemoryError)]
    with log_failures("step-failed") as step:
        pass
    assert not step.failed


async def test_a_future_that_is_cancelled_under_its_waiter_is_a_failure(failures):
    future = asyncio.get_running_loop().create_future()
    future.cancel()
    with log_failures("waited"):
        await future  # cancelled, but this task was not

    assert failures == [("waited", asyncio.CancelledError)]


async def test_the_cancellation_of_a_task_is_no_failure(failures):
    async def wait_forever():
        with log_failures("waited"):
            await asyncio.Event().wait()

    task = asyncio.create_task(wait_forever())
    await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert failures == []


def test_exceptions_that_end_the_process_pass():
    for error in (KeyboardInterrupt, SystemExit, GeneratorExit):
        with pytest.raises(error), log_failures("never"):
            raise error
    assert not is_failure(None)


async def test_one_task_that_fails_ends_no_other_of_the_same_owner(failures):
    ended = []
    async with Tasks() as tasks:
        unaffected = tasks.start(asyncio.Event().wait(), "other-failed")
        tasks.start(
            raise_error(ValueError("bad")), "one-failed", on_failure=lambda: ended.append("one"), address="192.0.2.1"
        )
        await asyncio.sleep(0)
        await asyncio.sleep(0)

        assert (failures, ended) == ([("one-failed", ValueError)], ["one"])
        assert not unaffected.done()
        assert len(tasks) == 1
    assert unaffected.cancelled()


async def test_a_logged_failure_and_its_causes_hold_no_frames():
    async def fail_twice():
        try:
            await raise_error(ValueError("bad"))
        except ValueError:
            await raise_error(RuntimeError("worse"))

    with pytest.raises(RuntimeError) as error:
        await fail_twice()
    failure = error.value
    assert failure.__traceback__.tb_next
    release_frames(failure)
    assert (failure.__traceback__, failure.__context__.__traceback__) == (None, None)


async def test_run_forever_continues_after_a_failure_and_stops_at_a_cancellation(failures, monkeypatch):
    monkeypatch.setattr("net.loop.RETRY_DELAY", 0)
    steps = iter([None, RuntimeError("once"), None, KeyError("the end")])

    async def step():
        if (error := next(steps)) is not None:
            raise error

    with pytest.raises(KeyError):
        await run_forever(step, "step-failed", raises=(KeyError,))
    assert failures == [("step-failed", RuntimeError)]


async def test_at_most_one_deferred_call_is_due_also_after_one_that_failed(failures):
    calls = []

    def call():
        calls.append(len(calls))
        if len(calls) == 1:
            raise RuntimeError("once")

    due = DeferredCall(call, "call-failed")
    due.schedule(3600)
    due.schedule(0)
    assert due
    await asyncio.sleep(0)
    assert calls == [0]
    assert not due
    assert failures == [("call-failed", RuntimeError)]


async def test_a_deferred_call_that_the_loop_lost_is_no_longer_due(monkeypatch):
    calls = []
    due = DeferredCall(lambda: calls.append(1), "call-failed")
    due.schedule(0)
    assert due
    loop = asyncio.get_running_loop()
    now = loop.time()
    monkeypatch.setattr(loop, "time", lambda: now + CALL_OVERDUE + 1)
    assert not due
    due.cancel()
    await asyncio.sleep(0)
    assert calls == []


async def test_repeated_failures_in_a_short_time_are_given_up():
    breakdowns = CrashCounter()
    assert [breakdowns.record_crash() for _ in range(MAX_CRASHES)] == [False] * (MAX_CRASHES - 1) + [True]
