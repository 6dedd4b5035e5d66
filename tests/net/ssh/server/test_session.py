"""SSH sessions: their data, and their end."""

import asyncio
import gc
import logging
import stat

import asyncssh
import pytest

from net.doors.terminal import END_OF_INPUT
from net.limits import Limits
from net.ssh.server.listen import serve
from tests.net.ssh_room import connect_link, connect_stranger, serve_room, with_timeout
from tests.waiting import until


async def test_a_client_with_a_boundless_window_that_never_reads_pauses_the_terminal(server, room):
    async with connect_stranger(server) as connection:
        await connection.create_session(asyncssh.SSHClientSession, term_type="xterm", window=2**31)
        _, terminal = await with_timeout(room.guests.get())
        connection._transport.pause_reading()
        for _ in range(1000):
            if terminal.paused:
                break
            terminal.write(b"x" * 16384)
            await asyncio.sleep(0)
        assert terminal.paused
        connection._transport.resume_reading()
        connection.abort()


async def test_a_connection_that_is_cut_while_its_input_is_paused_is_freed(server, room):
    async with connect_stranger(server) as connection:
        channel, _ = await connection.create_session(asyncssh.SSHClientSession, term_type="xterm", encoding=None)
        _, terminal = await with_timeout(room.guests.get())
        server_channel = terminal._transport._chan
        terminal.pause_reading()
        channel.write(b"y" * 4096)
        channel.write_eof()
        await until(lambda: server_channel._recv_state == "eof_pending")
        connection.abort()
    await until(lambda: terminal.ended)

    terminal.detach()


async def test_output_is_sent_without_empty_packets(server, room):
    class Reader(asyncssh.SSHClientSession):
        def data_received(self, data, _datatype):
            received.put_nowait(data)

    received = asyncio.Queue()
    async with connect_stranger(server) as connection:
        await connection.create_session(Reader, term_type="xterm", encoding=None)
        _, terminal = await with_timeout(room.guests.get())
        terminal.write(b"one")
        while b"one" not in await with_timeout(received.get()):
            pass
        packets_before = connection._recv_seq
        terminal.write(b"two")
        await with_timeout(received.get())
        assert connection._recv_seq == packets_before + 1


@pytest.mark.parametrize(("option", "pty"), [("-t", True), ("-T", False)])
async def test_the_command_plain_gives_plain_lines_with_or_without_a_terminal(client, room, server, option, pty):
    ann = client.start(server.port, option, "127.0.0.1", "plain", TERM="dumb")
    await ann.wait_for("hello")
    _, terminal = await with_timeout(room.guests.get())
    assert (terminal.lines, terminal.pty) == (True, pty)


async def test_the_end_of_plain_input_arrives_after_the_earlier_input(server, room):
    class Reader(asyncssh.SSHClientSession):
        def data_received(self, data, _datatype):
            received.put_nowait(data)

    received, echo = asyncio.Queue(), b""
    async with connect_stranger(server) as connection:
        channel, _ = await connection.create_session(Reader, "plain", encoding=None)
        channel.write(b"1\n2\n")
        channel.write_eof()
        while END_OF_INPUT not in echo:
            echo += await with_timeout(received.get())
        assert echo.endswith(b"\r\n1\n2\n" + END_OF_INPUT)
        _, terminal = await with_timeout(room.guests.get())
        assert not terminal.ended


async def test_a_crash_ends_one_session_and_leaves_the_next_untouched(client, room, server, caplog, failures):
    ann, bob = client.start(server.port), client.start(server.port)
    await ann.wait_for("hello")
    await bob.wait_for("hello")
    with caplog.at_level(logging.ERROR, "net.ssh"):
        ann.type("!")
        assert await ann.wait_for_exit() == 1
    assert b"Something went wrong" in ann.raw
    assert "the tile fell off the table" in caplog.text
    bob.type("still here")
    await bob.wait_for("still here")


async def test_a_host_that_closes_lets_its_guests_finish(client, room, tmp_path):
    async with serve_room(room, tmp_path) as server:
        ann = client.start(server.port)
        await ann.wait_for("hello")
    await ann.wait_for_exit()
    assert b"bye" in ann.raw
    assert (await with_timeout(room.gone.get())).user == "ann"


async def test_a_client_that_vanishes_ends_its_session(client, room, server):
    ann = client.start(server.port)
    await ann.wait_for("hello")
    ann.close()
    await with_timeout(room.gone.get())


async def test_a_cancelled_host_leaves_nothing_running(tmp_path, room):
    tasks_before = asyncio.all_tasks()
    opened = asyncio.get_running_loop().create_future()

    async def run_host():
        async with serve("127.0.0.1", 0, tmp_path / "key", room.on_terminal, room.on_link) as server:
            opened.set_result(server)
            await asyncio.Event().wait()

    task = asyncio.create_task(run_host())
    async with connect_link(await with_timeout(opened), tmp_path) as link:
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await with_timeout(task)
        assert await with_timeout(link.receive()) is None
    assert asyncio.all_tasks() == tasks_before


async def test_a_session_that_ignores_the_end_of_its_terminal_is_cancelled(tmp_path, room):
    has_begun = asyncio.Event()

    async def ignore_end(identity, terminal):
        has_begun.set()
        await asyncio.Event().wait()

    room.on_terminal = ignore_end
    async with serve_room(room, tmp_path, limits=Limits(leave_timeout=0.1)) as server:
        connection = await connect_stranger(server)
        await connection.create_session(asyncssh.SSHClientSession, term_type="xterm")
        await with_timeout(has_begun.wait())
    await with_timeout(connection.wait_closed())


async def test_a_joined_player_keeps_one_key(server, room, tmp_path):
    for _ in range(2):
        async with connect_link(server, tmp_path):
            pass
    (first_identity, _), (second_identity, _) = (
        await with_timeout(room.players.get()),
        await with_timeout(room.players.get()),
    )
    assert (
        first_identity.key
        == second_identity.key
        == asyncssh.read_private_key(tmp_path / "mine/key").get_fingerprint()
    )
    assert stat.S_IMODE((tmp_path / "mine/key").stat().st_mode) == 0o600


async def test_join_uses_the_players_ssh_key_and_creates_none(client, server, room, tmp_path):
    path, fingerprint = client.key("ann")
    async with connect_link(server, tmp_path, keys=[client.home / "missing", path]):
        identity, _ = await with_timeout(room.players.get())
    assert identity.key == fingerprint
    assert not (tmp_path / "mine/key").exists()


async def test_an_ended_connection_leaves_nothing_to_collect(room, tmp_path, fresh_heap):
    gc.collect()
    gc.disable()
    try:
        async with serve_room(room, tmp_path) as server:
            reader, writer = await with_timeout(asyncio.open_connection("127.0.0.1", server.port))
            assert (await with_timeout(reader.readline())).startswith(b"SSH-2.0-Boneyard")
            async with connect_stranger(server):
                pass
            writer.close()
        await asyncio.sleep(0)
        assert not [
            connection for connection in gc.get_objects() if isinstance(connection, asyncssh.SSHServerConnection)
        ]
    finally:
        gc.enable()
