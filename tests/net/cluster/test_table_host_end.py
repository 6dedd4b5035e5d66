"""The table host's end of a trunk: guests whom a gateway attaches, and a gateway that sends nonsense."""

import asyncio

import pytest

from net.cluster import table_host_end
from net.cluster.table_host_end import TableHostEnd
from net.host.lobby import Lobby
from net.host.presence import Visitor
from net.host.server import Server
from net.loop import Tasks
from net.players.accounts import Accounts
from net.table.table import INSTANT, Pace
from net.trunk import (
    DECODERS,
    FRONT_HEARTBEATS,
    MISSED_HEARTBEATS,
    AttachGuest,
    CloseGuest,
    FromGuest,
    GuestGone,
    ToFront,
    ToGuest,
    Trunk,
    connect_in_memory,
)
from net.wire.link import pack, unpack
from net.wire.messages import MakeTable, Refused, Sit, Tables, ToClient, Update
from tests.net.ssh_room import with_timeout
from tests.waiting import until


class Gateway:
    """A gateway's end, controlled by the test."""

    def __init__(self, tasks, server=None, pace=INSTANT):
        self.tasks = tasks
        self.server = server or Server(Lobby(Accounts(), new_secret=lambda: b"seed", software="test", pace=pace))
        self.end = TableHostEnd(self.server, tasks)
        self.received, self.over = asyncio.Queue(), asyncio.Event()
        self.trunk = Trunk(
            DECODERS[ToFront].decode, self.received.put_nowait, self.over.set, heartbeats=FRONT_HEARTBEATS
        )
        connect_in_memory(self.trunk, self.end.trunk)

    def attach(self, number, name):
        self.trunk.send(AttachGuest(number, Visitor(name, f"key {name}", address="192.0.2.1"), name, f"key {name}"))

    async def receive(self, message_type):
        """Return the next message of a type to any guest, and the guest; no list of tables may precede it."""
        while True:
            trunk_message = await with_timeout(self.received.get())
            if not isinstance(trunk_message, ToGuest):
                continue
            message = unpack(trunk_message.payload, ToClient)
            if isinstance(message, message_type):
                return trunk_message.guest, message
            assert not isinstance(message, Tables)


@pytest.fixture
async def gateway():
    async with Tasks() as tasks:
        gateway = Gateway(tasks)
        yield gateway
        gateway.server.close()
        gateway.trunk.close()
        await tasks.wait()


async def test_an_attached_guest_needs_no_greeting_and_gets_no_lists(gateway):
    gateway.attach(7, "ada")
    gateway.attach(8, "bela")
    gateway.trunk.send(FromGuest(7, pack(MakeTable("draw", 2, {}))))
    number, update = await gateway.receive(Update)
    assert (number, update.table.name, update.seat) == (7, "ada", 0)

    gateway.trunk.send(FromGuest(8, pack(Sit(update.table.id))))
    while (await gateway.receive(Update))[0] != 8:
        pass

    assert [presence.guest.name for presence in gateway.server.lobby.present.values()] == ["ada", "bela"]


async def test_a_guest_gone_from_the_gateway_is_away_at_the_table_as_are_all_when_it_dies(gateway):
    gateway.attach(7, "ada")
    gateway.attach(8, "bela")
    gateway.trunk.send(FromGuest(7, pack(MakeTable("draw", 2, {}))))
    _, update = await gateway.receive(Update)
    gateway.trunk.send(FromGuest(8, pack(Sit(update.table.id))))
    while (await gateway.receive(Update))[0] != 8:
        pass
    gateway.trunk.send(GuestGone(8))
    while not (await gateway.receive(Update))[1].table.seats[1].away:
        pass

    gateway.trunk.abort()
    await until(lambda: not gateway.server.lobby.present)
    assert gateway.server.lobby.tables[update.table.id].deserted


async def test_a_guest_number_is_attached_once_and_up_to_the_limit(gateway, monkeypatch):
    gateway.attach(7, "ada")
    gateway.attach(7, "eve")
    assert await with_timeout(gateway.received.get()) == CloseGuest(7)
    monkeypatch.setattr(table_host_end, "GUESTS_PER_LINE", 1)
    gateway.attach(8, "bela")
    assert await with_timeout(gateway.received.get()) == CloseGuest(8)

    gateway.trunk.send(FromGuest(9, pack(Sit(1))))
    gateway.trunk.send(GuestGone(9))
    gateway.trunk.send(FromGuest(7, pack(Sit(1))))

    assert (await gateway.receive(Refused))[0] == 7, "messages of unattached guests are ignored"


async def test_a_guest_who_cannot_be_attached_is_sent_back(gateway, monkeypatch, failures):
    monkeypatch.setattr(gateway.server, "_add_guest", lambda _connection, _link: 1 / 0)
    gateway.attach(7, "ada")

    assert await with_timeout(gateway.received.get()) == CloseGuest(7)
    assert not gateway.server.present


async def test_nonsense_of_a_guest_ends_only_that_guest(gateway):
    gateway.attach(7, "ada")
    gateway.trunk.send(FromGuest(7, b"\xc1"))
    messages = [await with_timeout(gateway.received.get()) for _ in range(2)]
    assert messages[-1] == CloseGuest(7)
    assert not gateway.over.is_set()


async def test_nonsense_of_a_gateway_ends_its_trunk(gateway):
    gateway.attach(7, "ada")
    gateway.trunk.send(ToGuest(7, b"which only a table host may say"))
    await with_timeout(gateway.over.wait())


async def test_the_guests_of_a_gateway_that_hangs_are_away_and_lose_no_time():
    async with Tasks() as tasks:
        gateway = Gateway(tasks, pace=Pace(0, 0, 0, grace=1e9))
        gateway.attach(7, "ada")
        gateway.trunk.send(FromGuest(7, pack(MakeTable("draw", 2, {}, turn_time=20))))
        _, update = await gateway.receive(Update)
        live_gateway = Gateway(tasks, gateway.server)
        live_gateway.attach(8, "bela")
        live_gateway.trunk.send(FromGuest(8, pack(Sit(update.table.id))))
        while (update := (await live_gateway.receive(Update))[1]).table.phase != "playing":
            pass
        assert update.times.running

        gateway.trunk.send = lambda _said: None  # its process hangs, and its connection stays open
        for _ in range(MISSED_HEARTBEATS + 1):
            gateway.end.trunk.send_heartbeat()
        while not (update := (await live_gateway.receive(Update))[1]).table.seats[0].away:
            pass

        table = gateway.server.lobby.tables[update.table.id]
        assert update.times.running == (table.recorded.turn == 1)
        assert [chair.excused for chair in table.seats.chairs] == [True, False]
        assert not live_gateway.over.is_set(), "the gateway that sends heartbeats keeps its trunk"
        gateway.server.close()
        live_gateway.trunk.close()
        await tasks.wait()
