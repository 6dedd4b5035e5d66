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
        self.said, self.lost, self.received = [], [], []
        self.ends, self.ours = {}, {}
        self.refuse = 0
        self.opened = 0
        self.lines = TrunkPool(
            self.directory, self.open, lambda *said: self.said.append(said), self.count, self.lost.append
        )

    def count(self):
        self.opened += 1

    async def open(self, address, line):
        if self.refuse:
            self.refuse -= 1
            raise ConnectionRefusedError
        self.ends[address] = Trunk(
            DECODERS[ToTables].decode, self.received.append, lambda: None, heartbeats=TABLES_HEARTBEATS
        )
        self.ours[address] = line
        connect_in_memory(line, self.ends[address])

    def put(self, node):
        self.directory.put_host(node, TableHostInfo(f"{node}:1"))
        self.lines.reconcile()


@pytest.fixture
async def hosts():
    hosts = Hosts()
    yield hosts
    await hosts.lines.aclose()


async def test_a_trunk_is_opened_to_every_host_and_identified_by_its_name(hosts):
    hosts.put("north")
    hosts.put("south")
    await until(lambda: hosts.opened == 2)
    hosts.ends["south:1"].send(ToGuest(1, b"x"))
    hosts.lines.forward("north", GuestGone(1))
    hosts.lines.forward("nowhere", GuestGone(2))
    await until(lambda: hosts.said and hosts.received)

    assert hosts.said == [("south", ToGuest(1, b"x"))]
    assert hosts.received == [GuestGone(1)]
    assert "north" in hosts.lines
    assert "nowhere" not in hosts.lines


async def test_a_trunk_that_cannot_be_opened_or_breaks_is_retried(hosts):
    hosts.refuse = 2
    hosts.put("north")
    await until(lambda: hosts.opened == 1)

    hosts.ends["north:1"].abort()
    await until(lambda: hosts.opened == 2)

    assert hosts.lost == ["north"]
    assert "north" in hosts.lines


async def test_a_host_that_is_declared_expired_is_lost_at_once_though_its_trunk_works(hosts):
    hosts.put("north")
    await until(lambda: hosts.opened == 1)

    hosts.directory.put_host("north", None)
    hosts.lines.reconcile()

    assert hosts.lost == ["north"]
    assert "north" not in hosts.lines
    await asyncio.sleep(0.3)
    assert (hosts.opened, hosts.lost) == (1, ["north"]), "and only once"
    hosts.put("north")
    await until(lambda: hosts.opened == 2)


async def test_a_host_that_hangs_is_lost_though_its_connection_is_open(hosts):
    hosts.put("north")
    await until(lambda: hosts.opened == 1)
    await asyncio.sleep(0)  # the first heartbeats arrive
    hosts.ends["north:1"].say = lambda _said: None
    for _ in range(MISSED_HEARTBEATS + 1):
        hosts.ours["north:1"].send_heartbeat()
    await until(lambda: hosts.opened == 2)

    assert hosts.lost == ["north"]
