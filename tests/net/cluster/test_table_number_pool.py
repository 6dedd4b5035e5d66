"""No two tables get the same number, and a host always has some numbers in reserve."""

import asyncio

from net.cluster.keeper import BLOCK, LOW_WATER_MARK, TableNumberPool


async def test_no_two_hosts_have_a_number_in_common(database):
    hosts = [TableNumberPool(database) for _ in range(5)]
    given = []
    for _ in range(3):
        await asyncio.gather(*(host.reserve() for host in hosts))
        given += [host.take() for host in hosts for _ in range(60)]

    assert len(set(given)) == len(given) == 900
    assert min(given) >= 1


async def test_a_block_is_reserved_when_few_are_left(database):
    host = TableNumberPool(database)
    assert host.next == 0
    await host.reserve()
    first = host.next
    assert host.take() == first
    for _ in range(BLOCK - LOW_WATER_MARK):
        host.take()
    await host.reserve()
    assert [host.take() for _ in range(BLOCK)] == sorted(
        set(range(first + BLOCK - LOW_WATER_MARK + 1, first + 2 * BLOCK - LOW_WATER_MARK + 1))
    )
