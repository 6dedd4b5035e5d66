"""A gateway's trunks: opened to every host, reopened when they break, and ended for expired hosts."""

import asyncio

import pytest

from net.cluster.directory import TableHostInfo
from net.cluster.routes import TrunkPool
from net.trunk import (
    DECODERS,
    MISSED_HEARTBEATS,
    TABLES_HEARTBEATS,
    GuestGone,
    ToGuest,
    ToTables,
    Trunk,
    connect_in_memory,
)
from tests.net.cluster.memory import MemoryDirectory
from tests.waiting import until


class Hosts:
    """The hosts of a test, and the events of their trunks."""

    def __init__(self):
        self.directory = MemoryDirectory()
        self.messages, self.lost, self.received = [], [], []
        """Messages of the hosts with their names, hosts that were lost, and messages that the hosts received."""
        self.host_ends, self.gateway_ends = {}, {}
        """Both ends of each trunk, by the host's address."""
        self.refusals_left = 0
        self.opened = 0
        self.pool = TrunkPool(
            self.directory, self.open, lambda *message: self.messages.append(message), self.count, self.lost.append
        )

    def count(self):
        self.opened += 1

    async def open(self, address, trunk):
        if self.refusals_left:
            self.refusals_left -= 1
            raise ConnectionRefusedError
        self.host_ends[address] = Trunk(
            DECODERS[ToTables].decode, self.received.append, lambda: None, heartbeats=TABLES_HEARTBEATS
        )
        self.gateway_ends[address] = trunk
        connect_in_memory(trunk, self.host_ends[address])

    def put(self, node):
        self.directory.put_host(node, TableHostInfo(f"{node}:1"))
        self.pool.reconcile()


@pytest.fixture
async def hosts():
    hosts = Hosts()
    yield hosts
    await hosts.pool.aclose()


async def test_a_trunk_is_opened_to_every_host_and_identified_by_its_name(hosts):
    hosts.put("north")
    hosts.put("south")
    await until(lambda: hosts.opened == 2)
    hosts.host_ends["south:1"].send(ToGuest(1, b"x"))
    hosts.pool.forward("north", GuestGone(1))
    hosts.pool.forward("nowhere", GuestGone(2))
    await until(lambda: hosts.messages and hosts.received)

    assert hosts.messages == [("south", ToGuest(1, b"x"))]
    assert hosts.received == [GuestGone(1)]
    assert "north" in hosts.pool
    assert "nowhere" not in hosts.pool


async def test_a_trunk_that_cannot_be_opened_or_breaks_is_retried(hosts):
    hosts.refusals_left = 2
    hosts.put("north")
    await until(lambda: hosts.opened == 1)

    hosts.host_ends["north:1"].abort()
    await until(lambda: hosts.opened == 2)

    assert hosts.lost == ["north"]
    assert "north" in hosts.pool


async def test_a_host_that_is_declared_expired_is_lost_at_once_though_its_trunk_works(hosts):
    hosts.put("north")
    await until(lambda: hosts.opened == 1)

    hosts.directory.put_host("north", None)
    hosts.pool.reconcile()

    assert hosts.lost == ["north"]
    assert "north" not in hosts.pool
    await asyncio.sleep(0.3)
    assert (hosts.opened, hosts.lost) == (1, ["north"]), "it is not reopened, nor lost twice"
    hosts.put("north")
    await until(lambda: hosts.opened == 2)


async def test_a_host_that_hangs_is_lost_though_its_connection_is_open(hosts):
    hosts.put("north")
    await until(lambda: hosts.opened == 1)
    await asyncio.sleep(0)  # the first heartbeats arrive
    hosts.host_ends["north:1"].send = lambda _message: None
    for _ in range(MISSED_HEARTBEATS + 1):
        hosts.gateway_ends["north:1"].send_heartbeat()
    await until(lambda: hosts.opened == 2)

    assert hosts.lost == ["north"]
