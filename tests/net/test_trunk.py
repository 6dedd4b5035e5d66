"""A trunk: messages arrive whole and in order, and nonsense ends it."""

import asyncio

import msgspec

from net.ssh.gateways.messages import DECODERS, CloseHost, FromGateway, ToGateway, socket_pairs
from net.trunk import (
    MISSED_HEARTBEATS,
    Credit,
    FromGuest,
    GuestGone,
    HeartbeatPair,
    ToGuest,
    Trunk,
    connect_in_memory,
    open_trunk,
)
from net.wire.link import frame
from tests.net.ssh_room import with_timeout
from tests.waiting import run_loop


class End:
    """End of a trunk, and the messages that it received."""

    def __init__(self, kind):
        self.received, self.over = asyncio.Queue(), asyncio.Event()
        self.trunk = Trunk(DECODERS[kind].decode, self.received.put_nowait, self.over.set)


async def connected_ends():
    (host_socket, giving), (gateway_socket, taking) = socket_pairs()
    host, gateway = End(FromGateway), End(ToGateway)
    await open_trunk(host.trunk, host_socket)
    await open_trunk(gateway.trunk, gateway_socket)
    return host, gateway, giving, taking


async def test_messages_of_one_end_reach_the_other_in_order():
    host, gateway, *sockets = await connected_ends()
    messages = [ToGuest(1, b"6|4"), CloseHost(), ToGuest(2, b"x" * 200_000)]
    for message in messages:
        host.trunk.send(message)
    gateway.trunk.send(FromGuest(1, b"pass"))

    assert [await with_timeout(gateway.received.get()) for _ in messages] == messages
    assert await with_timeout(host.received.get()) == FromGuest(1, b"pass")
    host.trunk.close()
    await with_timeout(gateway.over.wait())
    await with_timeout(host.over.wait())
    gateway.trunk.send(GuestGone(1))  # nobody receives it, and nothing happens
    for sock in sockets:
        sock.close()


async def test_nonsense_ends_the_trunk():
    deep, no_text = b"\x94\xa9GuestGone\x01\xa0" + b"\x91" * 20_000 + b"\xc0", b"\x93\xa9GuestGone\x01\xa2\xc3\x28"
    for nonsense in (
        b"\xff\xff\xff\xff",
        *map(frame, (b"\xc1", b"\x91\xa5Ready\x01", deep, no_text)),
    ):
        (host_socket, giving), (gateway_socket, taking) = socket_pairs()
        host = End(FromGateway)
        await open_trunk(host.trunk, host_socket)
        gateway_socket.sendall(nonsense)
        await with_timeout(host.over.wait())
        assert host.received.empty()
        for end in (giving, gateway_socket, taking):
            end.close()


DECODER = msgspec.msgpack.Decoder(FromGuest | GuestGone | Credit)
ONE, OTHER = HeartbeatPair(Credit(0, 0), GuestGone(0)), HeartbeatPair(GuestGone(0), Credit(0, 0))


class HeartbeatTrunk:
    """Two ends of a trunk within this process, which send heartbeats when the test tells them to."""

    def __init__(self, monkeypatch, other_heartbeats=OTHER):
        monkeypatch.setattr("net.trunk.HEARTBEAT", 1e6)  # the clock is controlled by the test
        self.received, self.over = [], asyncio.Event()
        self.trunk = Trunk(DECODER.decode, self.received.append, self.over.set, heartbeats=ONE)
        self.other = Trunk(DECODER.decode, self.received.append, lambda: None, heartbeats=other_heartbeats)
        connect_in_memory(self.trunk, self.other)

    async def settle(self):
        await run_loop(10)


async def test_a_trunk_ends_after_missed_heartbeats_and_lives_with_heartbeats(monkeypatch):
    ends = HeartbeatTrunk(monkeypatch)
    for _ in range(5 * MISSED_HEARTBEATS):
        ends.other.send_heartbeat()
        ends.trunk.send_heartbeat()
        await ends.settle()
    assert not ends.over.is_set()
    assert ends.received == [], "heartbeats are no messages"

    for _ in range(MISSED_HEARTBEATS):
        ends.trunk.send_heartbeat()
        await ends.settle()
    assert not ends.over.is_set()
    ends.trunk.send_heartbeat()
    await with_timeout(ends.over.wait())


async def test_an_end_that_hung_itself_reads_waiting_heartbeats_before_it_gives_up(monkeypatch):
    ends = HeartbeatTrunk(monkeypatch)
    await ends.settle()
    for _ in range(MISSED_HEARTBEATS):
        ends.trunk.send_heartbeat()
    ends.other.send(OTHER.ours)  # it was waiting while this end hung
    await ends.settle()
    ends.trunk.send_heartbeat()
    await ends.settle()
    assert not ends.over.is_set()


async def test_any_message_proves_that_the_other_end_is_alive(monkeypatch):
    ends = HeartbeatTrunk(monkeypatch)
    for _ in range(5 * MISSED_HEARTBEATS):
        ends.other.send(FromGuest(1, b"pass"))
        await ends.settle()
        ends.trunk.send_heartbeat()
    assert not ends.over.is_set()


async def test_an_older_version_without_heartbeats_is_not_taken_to_hang(monkeypatch):
    ends = HeartbeatTrunk(monkeypatch, other_heartbeats=None)
    for _ in range(5 * MISSED_HEARTBEATS):
        ends.trunk.send_heartbeat()
        await ends.settle()
    assert not ends.over.is_set()
    ends.trunk.abort()
