"""Key exchanges, first ones and later ones: they are cheap, few, and share a small part of the core."""

import asyncio

import asyncssh
import pytest

from net.limits import Limits
from net.scheduler import Scheduler, Work
from tests.net.ssh_room import TIMEOUT, connect_stranger, open_terminal, serve_room, with_timeout

CHEAP_EXCHANGES = ("mlkem768x25519-sha256", "curve25519-sha256", "curve25519-sha256@libssh.org", "ecdh-sha2-nistp256")


@pytest.mark.parametrize(
    "costly", ["diffie-hellman-group18-sha512", "diffie-hellman-group14-sha256", "ecdh-sha2-nistp521"]
)
async def test_expensive_key_exchanges_are_not_offered(server, costly):
    with pytest.raises(asyncssh.KeyExchangeFailed):
        await with_timeout(connect_stranger(server, kex_algs=[costly]))


@pytest.mark.parametrize("cheap", CHEAP_EXCHANGES)
async def test_every_current_client_knows_an_offered_key_exchange(server, cheap):
    async with connect_stranger(server, kex_algs=[cheap]) as connection:
        _, session = await open_terminal(connection)
        await session.wait_for(b"hello")


class Caller(asyncssh.SSHClient):
    """A client that notes the reason for the end of its connection."""

    def connection_made(self, connection):
        self.ended = asyncio.get_running_loop().create_future()

    def connection_lost(self, error):
        self.ended.set_result(error)


def request_new_keys(connection, channel, word):
    """Ask for new keys, and send a word once they are in use."""
    connection._rekey_bytes_sent = connection._rekey_bytes  # so that the next packet asks for them first
    channel.write(word)


async def test_occasional_new_keys_are_harmless(room, tmp_path):
    async with (
        serve_room(room, tmp_path, limits=Limits(exchanges_at_once=3)) as server,
        connect_stranger(server) as connection,
    ):
        channel, session = await open_terminal(connection)
        for word in (b"one", b"two"):
            old_encryption = connection._send_encryption
            request_new_keys(connection, channel, word)
            await session.wait_for(word)
            assert connection._send_encryption is not old_encryption


async def exceed_exchanges(server):
    """Ask for new keys three times, once too often; return the error and the output of the session."""
    connection = await connect_stranger(server, client_factory=Caller)
    channel, session = await open_terminal(connection)
    for word in (b"one", b"two"):
        request_new_keys(connection, channel, word)
        await session.wait_for(word)
    request_new_keys(connection, channel, b"three")
    return await with_timeout(connection.get_owner().ended), session.out


async def test_a_guest_who_asks_for_new_keys_too_often_is_disconnected_with_the_reason(room, tmp_path):
    async with serve_room(room, tmp_path, limits=Limits(exchanges_at_once=3)) as server:
        error, output = await exceed_exchanges(server)

        assert "renegotiated keys too often" in str(error)
        assert b"three" not in output


async def test_too_many_exchanges_close_the_address_to_new_connections_alone(room, tmp_path):
    limits = Limits(exchanges_at_once=3)
    async with serve_room(room, tmp_path, limits=limits) as server, connect_stranger(server) as witness:
        witness_channel, witness_session = await open_terminal(witness)
        await exceed_exchanges(server)

        witness_channel.write(b"still here")
        await witness_session.wait_for(b"still here")
        with pytest.raises(asyncssh.Error):
            await connect_stranger(server)


async def test_a_client_that_does_not_finish_a_key_exchange_is_disconnected(room, tmp_path, caplog):
    caplog.set_level("INFO")
    async with serve_room(room, tmp_path, limits=Limits(exchange_timeout=0.2)) as server:
        connection = await connect_stranger(server, client_factory=Caller)
        _, session = await open_terminal(connection)
        await session.wait_for(b"hello")
        connection._send_kexinit()  # and gets no answer
        connection._process_kexinit = None
        connection._packet_handlers = {}
        await with_timeout(connection.get_owner().ended)
        assert [record.fields["reason"] for record in caplog.records if record.msg == "turned-away"] == ["exchanges"]


async def test_computation_for_strangers_is_measured_and_that_for_players_is_not(room, tmp_path, monkeypatch):
    """asyncssh has no hook for this: it must call the replacements of its own functions."""
    charges = []
    monkeypatch.setattr(Scheduler, "charge", lambda self, work, owner, seconds: charges.append(seconds))
    async with serve_room(room, tmp_path) as server, connect_stranger(server) as connection:
        channel, session = await open_terminal(connection)
        login_seconds, count = sum(charges), len(charges)
        assert login_seconds > 0.0005
        channel.write(b"a word")
        await session.wait_for(b"a word")
        assert len(charges) == count
        request_new_keys(connection, channel, b"new keys")
        await session.wait_for(b"new keys")
        assert sum(charges) > login_seconds + 0.0002


@pytest.mark.parametrize("room", [0], indirect=True, ids=["one process"])  # it looks into one queue
async def test_a_guest_who_sends_more_than_others_waits_for_them(room, tmp_path, monkeypatch):
    charged_work, paused = [], []
    monkeypatch.setattr("net.doors.connections.BUSY_AT_ONCE", 0.05)
    monkeypatch.setattr(Scheduler, "charge", lambda self, work, owner, seconds: charged_work.append(work))
    monkeypatch.setattr(Scheduler, "is_exhausted", lambda self, work: work is Work.INPUT)
    submit = Scheduler.submit
    monkeypatch.setattr(
        Scheduler,
        "submit",
        lambda self, piece: paused.append(piece) if piece.work is Work.INPUT else submit(self, piece),
    )
    async with (
        serve_room(room, tmp_path) as server,
        connect_stranger(server) as busy,
        connect_stranger(server) as calm,
    ):
        busy_channel, _ = await open_terminal(busy)
        calm_channel, session = await open_terminal(calm)
        async with asyncio.timeout(TIMEOUT):
            while not paused:
                busy_channel.write(b"x" * 1000)
                await asyncio.sleep(0)
        assert charged_work[-1] is Work.INPUT, "a busy guest is charged as input, apart from strangers"
        calm_channel.write(b"a word")
        await session.wait_for(b"a word")
        assert len(paused) == 1


async def test_a_handshake_that_fails_is_logged_once_with_its_reason(room, tmp_path, caplog):
    caplog.set_level("INFO")
    async with serve_room(room, tmp_path) as server:
        for _ in range(2):
            with pytest.raises(asyncssh.KeyExchangeFailed):
                await with_timeout(connect_stranger(server, kex_algs=["diffie-hellman-group14-sha256"]))
        await connect_and_hang_up(server)
    (failed,) = [record for record in caplog.records if record.getMessage() == "handshake-failed"]
    assert failed.fields["address"] == "127.0.0.1"
    assert "No matching key exchange algorithm found" in failed.fields["reason"]


async def connect_and_hang_up(server):
    reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
    await with_timeout(reader.readline())
    writer.close()
    await with_timeout(writer.wait_closed())
