"""No two tables get the same number, and a host always has some numbers in reserve."""

import asyncio

from net.cluster.keeper import BLOCK, LOW_WATER_MARK, TableNumberPool


async def test_no_two_hosts_have_a_number_in_common(database):
    pools = [TableNumberPool(database) for _ in range(5)]
    numbers = []
    for _ in range(3):
        await asyncio.gather(*(pool.reserve() for pool in pools))
        numbers += [pool.take() for pool in pools for _ in range(60)]

    assert len(set(numbers)) == len(numbers) == 900
    assert min(numbers) >= 1


async def test_a_block_is_reserved_when_few_are_left(database):
    pool = TableNumberPool(database)
    assert pool.next == 0
    await pool.reserve()
    first_number = pool.next
    assert pool.take() == first_number
    for _ in range(BLOCK - LOW_WATER_MARK):
        pool.take()
    await pool.reserve()
    assert [pool.take() for _ in range(BLOCK)] == sorted(
        set(range(first_number + BLOCK - LOW_WATER_MARK + 1, first_number + 2 * BLOCK - LOW_WATER_MARK + 1))
    )
