"""Screens are opened one at a time, only so many a second, and the rarest comer is next."""

import asyncio

from tui.serve.openings import Openings

PATIENCE = 30


async def comes(openings, home, order):
    async with openings.turn(home):
        order.append(home)
        await asyncio.sleep(0)


async def test_one_is_opened_at_a_time():
    openings, within = Openings(), []

    async def come(number):
        async with openings.turn(str(number)):
            within.append(number)
            await asyncio.sleep(0)
            assert within == [number]
            within.clear()

    async with asyncio.timeout(PATIENCE):
        await asyncio.gather(*map(come, range(20)))


async def test_a_flood_of_them_is_opened_no_faster_than_the_house_can_bear():
    openings, order = Openings(rate=20, at_once=2), []
    loop = asyncio.get_running_loop()
    begun = loop.time()
    async with asyncio.timeout(PATIENCE):
        await asyncio.gather(*(comes(openings, "flood", order) for _ in range(8)))
    assert loop.time() - begun > (8 - 2 - 1) / 20


async def test_of_those_who_wait_the_one_from_whose_address_fewest_came_is_next():
    openings, order = Openings(rate=20, at_once=1), []
    tasks = [asyncio.create_task(comes(openings, "flood", order)) for _ in range(5)]
    await asyncio.sleep(0)
    friend = asyncio.create_task(comes(openings, "friend", order))
    async with asyncio.timeout(PATIENCE):
        await asyncio.gather(*tasks, friend)
    assert order.index("friend") == 1


async def test_who_hangs_up_while_waiting_costs_nobody_his_turn():
    openings, order = Openings(), []
    async with asyncio.timeout(PATIENCE):
        async with openings.turn("first"):
            gone = asyncio.create_task(comes(openings, "gone", order))
            friend = asyncio.create_task(comes(openings, "friend", order))
            await asyncio.sleep(0)
            gone.cancel()
        await friend
    assert order == ["friend"]
