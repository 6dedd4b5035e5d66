"""Screens are opened one at a time, only so many a second, and the rarest comer is next."""

import asyncio

import pytest

from tui.serve.opening_queue import OpeningQueue

PATIENCE = 30


async def comes(opening_queue, network, order):
    async with opening_queue.turn(network):
        order.append(network)
        await asyncio.sleep(0)


async def test_one_is_opened_at_a_time():
    opening_queue, within = OpeningQueue(), []

    async def come(number):
        async with opening_queue.turn(str(number)):
            within.append(number)
            await asyncio.sleep(0)
            assert within == [number]
            within.clear()

    async with asyncio.timeout(PATIENCE):
        await asyncio.gather(*map(come, range(20)))


async def test_a_flood_of_them_is_opened_no_faster_than_the_house_can_bear():
    opening_queue, order = OpeningQueue(rate=20, at_once=2), []
    loop = asyncio.get_running_loop()
    begun = loop.time()
    async with asyncio.timeout(PATIENCE):
        await asyncio.gather(*(comes(opening_queue, "flood", order) for _ in range(8)))
    assert loop.time() - begun > (8 - 2 - 1) / 20


async def test_of_those_who_wait_the_one_from_whose_address_fewest_came_is_next():
    opening_queue, order = OpeningQueue(rate=20, at_once=1), []
    tasks = [asyncio.create_task(comes(opening_queue, "flood", order)) for _ in range(5)]
    await asyncio.sleep(0)
    friend = asyncio.create_task(comes(opening_queue, "friend", order))
    async with asyncio.timeout(PATIENCE):
        await asyncio.gather(*tasks, friend)
    assert order.index("friend") == 1


async def test_a_guest_who_hangs_up_while_waiting_costs_nobody_a_turn():
    opening_queue, order = OpeningQueue(), []
    async with asyncio.timeout(PATIENCE):
        async with opening_queue.turn("first"):
            gone = asyncio.create_task(comes(opening_queue, "gone", order))
            friend = asyncio.create_task(comes(opening_queue, "friend", order))
            await asyncio.sleep(0)
            gone.cancel()
        await friend
    assert order == ["friend"]


async def test_a_turn_that_does_not_end_holds_up_nobody_for_long(monkeypatch):
    monkeypatch.setattr("tui.serve.opening_queue._LONGEST", 0.05)
    opening_queue, order = OpeningQueue(), []
    async with asyncio.timeout(PATIENCE), opening_queue.turn("first"):
        await comes(opening_queue, "second", order)
    assert order == ["second"]


async def test_a_fault_while_asking_for_a_turn_takes_nobody_elses(monkeypatch):
    opening_queue, order = OpeningQueue(), []
    with monkeypatch.context() as broken:
        broken.setattr(opening_queue, "_next", lambda: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            await comes(opening_queue, "victim", order)
    async with asyncio.timeout(PATIENCE):
        await comes(opening_queue, "next", order)
    assert order == ["next"]
