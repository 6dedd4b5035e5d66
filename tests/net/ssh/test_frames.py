"""Frames over a stream: whole, in order, with a limit on buffered ones."""

import asyncio
import os

from net.limits import MAX_FRAME, MAX_UNREAD, MAX_UNSENT
from net.ssh.server.session import SUBSYSTEM
from net.wire.link import StreamLink, WireError, frame
from tests.net.ssh_room import Pipe, connect_link, serve_room, with_timeout


async def test_frames_travel_both_ways_whole_and_in_order(server, room, tmp_path):
    async with connect_link(server, tmp_path) as link:
        payloads = [b"", b"\x00\x01", os.urandom(MAX_FRAME), *(bytes([n]) * n for n in range(256))]
        for payload in payloads:
            link.send(payload)
        for payload in payloads:
            assert await with_timeout(link.receive()) == payload[::-1]
        identity, _ = await with_timeout(room.players.get())
        assert identity.user == "bob"
    await with_timeout(room.gone.get())


async def test_the_last_message_still_arrives(server, room, tmp_path):
    async with connect_link(server, tmp_path) as link:
        _, host = await with_timeout(room.players.get())
        host.send(b"goodbye")
        host.close()
        assert await with_timeout(link.receive()) == b"goodbye"
        assert await with_timeout(link.receive()) is None
        assert await with_timeout(link.receive()) is None


async def test_openssh_can_carry_frames_and_nonsense_is_a_wire_error(client, room, tmp_path):
    errors = asyncio.Queue()

    async def echo_or_report(identity, link):
        try:
            while (payload := await link.receive()) is not None:
                link.send(payload)
        except WireError as error:
            errors.put_nowait(error)

    room.on_link = echo_or_report
    async with serve_room(room, tmp_path) as server:
        good = frame(b"6|4")
        _, out, _ = await client.run(server.port, "-s", "127.0.0.1", SUBSYSTEM, stdin=good)
        assert out.encode() == good
        await client.run(server.port, "-s", "127.0.0.1", SUBSYSTEM, stdin=b"GET / HTTP/1.0\r\n")
        assert "longer than" in str(await with_timeout(errors.get()))


async def test_a_slow_reader_is_dropped_and_the_others_play_on(server, room, tmp_path):
    async with connect_link(server, tmp_path, "sleeper"), connect_link(server, tmp_path) as player:
        (_, first_link), (_, second_link) = (
            await with_timeout(room.players.get()),
            await with_timeout(room.players.get()),
        )
        for number in range(200):  # 12 MiB, of which `sleeper` reads nothing and `player` all
            for link in (first_link, second_link):
                link.send(bytes([number]) * 65536)
            assert await with_timeout(player.receive()) == bytes([number]) * 65536
        assert (await with_timeout(room.gone.get())).user == "sleeper"
        player.send(b"ab")
        assert await with_timeout(player.receive()) == b"ba"


def test_a_link_buffers_up_to_its_cap_for_a_paused_connection():
    pipe = Pipe()
    link = StreamLink(pipe)
    link.pause()
    for _ in range(MAX_UNSENT // 65536 - 1):
        link.send(b"x" * 65536)
    assert (pipe.state, pipe.sent) == ("open", b"")
    link.send(b"x" * 65536)
    assert pipe.state == "cut"
    link.send(b"more")
    assert pipe.sent == b""


def test_buffered_messages_follow_in_order_after_a_pause():
    pipe = Pipe()
    link = StreamLink(pipe)
    link.send(b"one")
    link.pause()
    link.send(b"two")
    link.send(b"three")
    assert pipe.sent == frame(b"one")
    link.resume()
    assert pipe.sent == frame(b"one") + frame(b"two") + frame(b"three")


async def test_a_sender_waits_until_the_receiver_reads():
    pipe = Pipe()
    link = StreamLink(pipe)
    size = MAX_UNREAD // 2
    link.feed(frame(b"x" * size) + frame(b"y" * size))
    assert not pipe.reading
    await link.receive()
    await link.receive()
    assert pipe.reading
