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


class End:
    """End of a trunk, and the messages that it received."""

    def __init__(self, kind):
        self.received, self.over = asyncio.Queue(), asyncio.Event()
        self.trunk = Trunk(DECODERS[kind].decode, self.received.put_nowait, self.over.set)


async def connected_ends():
    (here, giving), (there, taking) = socket_pairs()
    host, gateway = End(FromGateway), End(ToGateway)
    await open_trunk(host.trunk, here)
    await open_trunk(gateway.trunk, there)
    return host, gateway, giving, taking


async def test_messages_of_one_end_reach_the_other_in_order():
    host, gateway, *sockets = await connected_ends()
    said = [ToGuest(1, b"6|4"), CloseHost(), ToGuest(2, b"x" * 200_000)]
    for message in said:
        host.trunk.send(message)
    gateway.trunk.send(FromGuest(1, b"pass"))

    assert [await with_timeout(gateway.received.get()) for _ in said] == said
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
        (here, giving), (there, taking) = socket_pairs()
        host = End(FromGateway)
        await open_trunk(host.trunk, here)
        there.sendall(nonsense)
        await with_timeout(host.over.wait())
        assert host.received.empty()
        for end in (giving, there, taking):
            end.close()


SPOKEN = msgspec.msgpack.Decoder(FromGuest | GuestGone | Credit)
ONE, OTHER = HeartbeatPair(Credit(0, 0), GuestGone(0)), HeartbeatPair(GuestGone(0), Credit(0, 0))


class Beating:
    """Two ends of a trunk within this process, which send heartbeats when the test tells them to."""

    def __init__(self, monkeypatch, theirs=OTHER):
        monkeypatch.setattr("net.trunk.HEARTBEAT", 1e6)  # the clock is controlled by the test
        self.received, self.over = [], asyncio.Event()
        self.trunk = Trunk(SPOKEN.decode, self.received.append, self.over.set, heartbeats=ONE)
        self.other = Trunk(SPOKEN.decode, self.received.append, lambda: None, heartbeats=theirs)
        connect_in_memory(self.trunk, self.other)

    async def settle(self):
        for _ in range(10):
            await asyncio.sleep(0)


async def test_a_trunk_ends_after_missed_heartbeats_and_lives_with_heartbeats(monkeypatch):
    both = Beating(monkeypatch)
    for _ in range(5 * MISSED_HEARTBEATS):
        both.other.send_heartbeat()
        both.trunk.send_heartbeat()
        await both.settle()
    assert not both.over.is_set()
    assert both.received == [], "nobody else hears it"

    for _ in range(MISSED_HEARTBEATS):
        both.trunk.send_heartbeat()
        await both.settle()
    assert not both.over.is_set()
    both.trunk.send_heartbeat()
    await with_timeout(both.over.wait())


async def test_an_end_that_has_hung_itself_counts_no_time_but_its_own_beats(monkeypatch):
    both = Beating(monkeypatch)
    await both.settle()
    for _ in range(MISSED_HEARTBEATS):
        both.trunk.send_heartbeat()
    both.other.send(OTHER.ours)  # it lay there while this end hung
    await both.settle()
    both.trunk.send_heartbeat()
    await both.settle()
    assert not both.over.is_set()


async def test_any_message_proves_that_the_other_end_is_alive(monkeypatch):
    both = Beating(monkeypatch)
    for _ in range(5 * MISSED_HEARTBEATS):
        both.other.send(FromGuest(1, b"pass"))
        await both.settle()
        both.trunk.send_heartbeat()
    assert not both.over.is_set()


async def test_an_older_version_that_does_not_beat_is_not_taken_to_hang(monkeypatch):
    both = Beating(monkeypatch, theirs=None)
    for _ in range(5 * MISSED_HEARTBEATS):
        both.trunk.send_heartbeat()
        await both.settle()
    assert not both.over.is_set()
    both.trunk.abort()
