"""SSH sessions: how terminals and frames travel, and how sessions end."""

import asyncio
import gc
import logging
import os
import stat

import asyncssh
import pytest

from net.limits import MAX_FRAME, MAX_STUFFED, MAX_UNREAD, MAX_UNSENT, Limits
from net.ssh.frames import StreamLink
from net.ssh.server.listen import serve
from net.ssh.server.session import SUBSYSTEM
from net.ssh.server.terminal import Terminal, fitting_size, speaks_utf8
from net.wire.codec import WireError, frame
from tests.net.ssh_room import PATIENCE, Pipe, joining, opened, soon, stranger


async def until(holds):
    """Wait for what only asyncssh knows, and tells nobody."""
    async with asyncio.timeout(PATIENCE):
        while not holds():  # noqa: ASYNC110
            await asyncio.sleep(0)


# Terminals


@pytest.mark.real
async def test_sizes_and_their_changes_arrive_sane(client, room, server):
    ann = client.plays(server.port, size=(100, 30))
    await ann.sees("hello")
    _, terminal = await soon(room.guests.get())
    assert terminal.size == (100, 30)
    ann.resizes(120, 40)
    await ann.sees("<120x40>")
    ann.resizes(10_000, 10_000)
    ann.resizes(999, 999)
    await ann.sees(lambda player: b"<320x100>" in player.raw)


async def test_a_client_with_a_boundless_window_that_never_reads_pauses_the_terminal(server, room):
    async with stranger(server) as connection:
        await connection.create_session(asyncssh.SSHClientSession, term_type="xterm", window=2**31)
        _, terminal = await soon(room.guests.get())
        connection._transport.pause_reading()
        for _ in range(1000):
            if terminal.paused:
                break
            terminal.write(b"x" * 16384)
            await asyncio.sleep(0)
        assert terminal.paused
        connection._transport.resume_reading()
        connection.abort()


async def test_a_line_that_ends_and_is_cut_while_its_input_is_held_back_can_be_let_go(server, room):
    async with stranger(server) as connection:
        channel, _ = await connection.create_session(asyncssh.SSHClientSession, term_type="xterm", encoding=None)
        _, terminal = await soon(room.guests.get())
        inside = terminal._line._chan
        terminal.pause_reading()
        channel.write(b"y" * 4096)
        channel.write_eof()
        await until(lambda: inside._recv_state == "eof_pending")
        connection.abort()
    await until(lambda: terminal.ended)

    terminal.detach()


async def test_what_is_written_travels_without_an_empty_packet_before_it(server, room):
    class Reader(asyncssh.SSHClientSession):
        def data_received(self, data, _datatype):
            came.put_nowait(data)

    came = asyncio.Queue()
    async with stranger(server) as connection:
        await connection.create_session(Reader, term_type="xterm", encoding=None)
        _, terminal = await soon(room.guests.get())
        terminal.write(b"one")
        while b"one" not in await soon(came.get()):
            pass
        before = connection._recv_seq
        terminal.write(b"two")
        await soon(came.get())
        assert connection._recv_seq == before + 1


@pytest.mark.real
async def test_a_crash_ends_one_session_and_leaves_the_next_untouched(client, room, server, caplog):
    ann, bob = client.plays(server.port), client.plays(server.port)
    await ann.sees("hello")
    await bob.sees("hello")
    with caplog.at_level(logging.ERROR, "net.ssh"):
        ann.types("!")
        assert await ann.leaves() == 1
    assert b"Something broke" in ann.raw
    assert "the tile fell off the table" in caplog.text
    bob.types("still here")
    await bob.sees("still here")


@pytest.mark.real
async def test_a_host_that_closes_lets_its_guests_finish(client, room, tmp_path):
    async with opened(room, tmp_path) as server:
        ann = client.plays(server.port)
        await ann.sees("hello")
    await ann.leaves()
    assert b"bye" in ann.raw
    assert (await soon(room.gone.get())).user == "ann"


@pytest.mark.real
async def test_a_client_that_vanishes_ends_its_session(client, room, server):
    ann = client.plays(server.port)
    await ann.sees("hello")
    ann.close()
    await soon(room.gone.get())


async def test_a_cancelled_host_leaves_nothing_running(tmp_path, room):
    before = asyncio.all_tasks()
    up = asyncio.get_running_loop().create_future()

    async def host():
        async with serve("127.0.0.1", 0, tmp_path / "key", room.on_terminal, room.on_link) as server:
            up.set_result(server)
            await asyncio.Event().wait()

    task = asyncio.create_task(host())
    async with joining(await soon(up), tmp_path) as link:
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await soon(task)
        assert await soon(link.receive()) is None
    assert asyncio.all_tasks() == before


async def test_a_session_that_will_not_end_is_cancelled(tmp_path, room):
    stuck = asyncio.Event()

    async def deaf(identity, terminal):
        stuck.set()
        await asyncio.Event().wait()

    room.on_terminal = deaf
    async with opened(room, tmp_path, limits=Limits(leave_timeout=0.1)) as server:
        connection = await stranger(server)
        await connection.create_session(asyncssh.SSHClientSession, term_type="xterm")
        await soon(stuck.wait())
    await soon(connection.wait_closed())


def test_sizes_are_clipped_or_refused():
    assert fitting_size(1000, 1000) == (320, 100)
    assert fitting_size(2**32 - 1, 24) is None
    assert fitting_size(80, 1001) is None
    assert fitting_size(0, 24) is None
    assert Terminal(Pipe(), "xterm", (0, 0), {}).size == (80, 24)


@pytest.mark.parametrize(
    ("name", "env", "speaks"),
    [
        ("xterm", {}, True),
        ("linux", {}, True),
        ("vt100", {}, False),
        ("vt100", {"LANG": "de_DE.utf8@euro"}, True),
        ("xterm", {"LANG": "en_US.UTF-8", "LC_ALL": "C"}, False),
        ("xterm", {"LANG": "C.UTF-8"}, True),
    ],
)
def test_utf8_is_spoken_by_whom_says_so_and_by_most_who_do_not(name, env, speaks):
    assert speaks_utf8(name, env) is speaks


def test_what_is_typed_ahead_is_heard_and_a_flood_of_it_is_not():
    terminal = Terminal(Pipe(), "xterm", (80, 24), {})
    terminal.feed(b"ab")
    for _ in range(100):
        terminal.feed(b"x" * 1000)
    heard = []
    listener = type("L", (), {"on_data": lambda self, data: heard.append(data)})()
    terminal.attach(listener)
    assert heard[0].startswith(b"abx")
    assert len(heard[0]) == 4096


def test_old_terminals_get_question_marks_for_what_they_cannot_show():
    pipe = Pipe()
    Terminal(pipe, "vt100", (80, 24), {}).write("6|4 ⚅")
    assert pipe.sent == b"6|4 ?"


def test_a_paused_terminal_that_is_stuffed_is_cut():
    pipe = Pipe()
    terminal = Terminal(pipe, "xterm", (80, 24), {})
    terminal.pause()
    for _ in range(MAX_STUFFED // 1024):
        terminal.write(b"x" * 1024)
    assert pipe.state == "open"
    terminal.write(b"x")
    assert pipe.state == "cut"


# Links


async def test_frames_travel_both_ways_whole_and_in_order(server, room, tmp_path):
    async with joining(server, tmp_path) as link:
        payloads = [b"", b"\x00\x01", os.urandom(MAX_FRAME), *(bytes([n]) * n for n in range(256))]
        for payload in payloads:
            link.send(payload)
        for payload in payloads:
            assert await soon(link.receive()) == payload[::-1]
        identity, _ = await soon(room.players.get())
        assert identity.user == "bob"
    await soon(room.gone.get())


async def test_a_joined_player_keeps_one_key(server, room, tmp_path):
    for _ in range(2):
        async with joining(server, tmp_path):
            pass
    (one, _), (two, _) = await soon(room.players.get()), await soon(room.players.get())
    assert one.key == two.key == asyncssh.read_private_key(tmp_path / "mine/key").get_fingerprint()
    assert stat.S_IMODE((tmp_path / "mine/key").stat().st_mode) == 0o600


@pytest.mark.real
async def test_a_joined_player_with_ssh_keys_is_the_same_by_both_doors(client, server, room, tmp_path):
    path, fingerprint = client.key("ann")
    async with joining(server, tmp_path, keys=[client.home / "missing", path]):
        identity, _ = await soon(room.players.get())
    assert identity.key == fingerprint
    assert not (tmp_path / "mine/key").exists()


async def test_what_is_sent_last_still_arrives(server, room, tmp_path):
    async with joining(server, tmp_path) as link:
        _, host = await soon(room.players.get())
        host.send(b"goodbye")
        host.close()
        assert await soon(link.receive()) == b"goodbye"
        assert await soon(link.receive()) is None
        assert await soon(link.receive()) is None


@pytest.mark.real
async def test_openssh_can_carry_frames_and_nonsense_is_a_wire_error(client, room, tmp_path):
    errors = asyncio.Queue()

    async def picky(identity, link):
        try:
            while (payload := await link.receive()) is not None:
                link.send(payload)
        except WireError as error:
            errors.put_nowait(error)

    room.on_link = picky
    async with opened(room, tmp_path) as server:
        good = frame(b"6|4")
        _, out, _ = await client.runs(server.port, "-s", "127.0.0.1", SUBSYSTEM, stdin=good)
        assert out.encode() == good
        await client.runs(server.port, "-s", "127.0.0.1", SUBSYSTEM, stdin=b"GET / HTTP/1.0\r\n")
        assert "longer than" in str(await soon(errors.get()))


async def test_a_reader_who_does_not_read_is_dropped_and_the_others_play_on(server, room, tmp_path):
    async with joining(server, tmp_path, "sleeper"), joining(server, tmp_path) as player:
        (_, first), (_, second) = await soon(room.players.get()), await soon(room.players.get())
        for number in range(200):  # 12 MiB, of which `sleeper` reads nothing and `player` all
            for link in (first, second):
                link.send(bytes([number]) * 65536)
            assert await soon(player.receive()) == bytes([number]) * 65536
        assert (await soon(room.gone.get())).user == "sleeper"
        player.send(b"ab")
        assert await soon(player.receive()) == b"ba"


def test_a_link_holds_no_more_than_its_cap_for_a_paused_line():
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


def test_what_waited_for_a_paused_line_follows_in_order():
    pipe = Pipe()
    link = StreamLink(pipe)
    link.send(b"one")
    link.pause()
    link.send(b"two")
    link.send(b"three")
    assert pipe.sent == frame(b"one")
    link.resume()
    assert pipe.sent == frame(b"one") + frame(b"two") + frame(b"three")


async def test_a_sender_is_held_back_until_somebody_reads():
    pipe = Pipe()
    link = StreamLink(pipe)
    size = MAX_UNREAD // 2
    link.feed(frame(b"x" * size) + frame(b"y" * size))
    assert not pipe.reading
    await link.receive()
    await link.receive()
    assert pipe.reading


async def test_of_an_ended_connection_nothing_is_left_to_collect(room, tmp_path):
    gc.collect()
    gc.disable()
    try:
        async with opened(room, tmp_path) as server:
            reader, writer = await soon(asyncio.open_connection("127.0.0.1", server.port))
            assert (await soon(reader.readline())).startswith(b"SSH-2.0-Boneyard")
            async with stranger(server):
                pass
            writer.close()
        await asyncio.sleep(0)
        assert not [found for found in gc.get_objects() if isinstance(found, asyncssh.SSHServerConnection)]
    finally:
        gc.enable()
