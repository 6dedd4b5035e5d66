"""The limits on SSH connections: a client that exceeds one is refused clearly, and other guests are unaffected."""

import asyncio
import struct
from contextlib import asynccontextmanager

import asyncssh
import pytest
from asyncssh.channel import SSHClientChannel

from net.host.access import Access, Quotas
from net.limits import Limits
from net.ssh.client.connect import JoinError
from net.wire.link import unpack
from net.wire.messages import Bye, ToClient
from tests.net.ssh_room import connect_link, connect_stranger, open_terminal, serve_room, with_timeout
from tests.waiting import until


@asynccontextmanager
async def playing_witness(server):
    """Yield a guest who logged in before a limit is exceeded, and who continues to play afterwards."""
    async with connect_stranger(server, username="witness") as connection:
        channel, session = await open_terminal(connection)
        await session.wait_for(b"hello")
        yield connection
        channel.write(b"still here")
        await session.wait_for(b"still here")


async def read_denial(server):
    """Connect and send nothing; return the reason with which the host disconnects, in plain SSH."""
    reader, writer = await with_timeout(asyncio.open_connection("127.0.0.1", server.port))
    try:
        version, _, packet = (await with_timeout(reader.read())).partition(b"\r\n")
        assert version == b"SSH-2.0-Boneyard"
        length, padding, message_type, reason_code, size = struct.unpack_from(
            ">IBBII", packet
        )  # RFC 4253, 6 and 11.1
        assert (message_type, reason_code) == (1, asyncssh.DISC_BY_APPLICATION)
        assert len(packet) == 4 + length
        assert len(packet) % 8 == 0
        assert length == 1 + 1 + 4 + 4 + size + 4 + padding
        return packet[14 : 14 + size].decode()
    finally:
        writer.close()


async def connect_silently(server):
    """Connect, read the host's version and send nothing; return the writer of the open connection."""
    reader, writer = await with_timeout(asyncio.open_connection("127.0.0.1", server.port))
    assert (await with_timeout(reader.readline())).startswith(b"SSH-2.0-Boneyard")
    return writer


# Connecting


async def test_an_address_has_a_limit_of_connections_and_those_it_has_go_on(room, tmp_path):
    async with (
        serve_room(room, tmp_path, limits=Limits(per_address=2)) as server,
        connect_link(server, tmp_path),
        connect_link(server, tmp_path) as link,
    ):
        with pytest.raises(JoinError, match="Too many connections from your address"):
            async with connect_link(server, tmp_path):
                pass
        assert await read_denial(server) == "Too many connections from your address are already open."
        link.send(b"ab")
        assert await with_timeout(link.receive()) == b"ba"


async def test_an_address_may_connect_again_once_its_connections_are_closed(room, tmp_path):
    async with serve_room(room, tmp_path, limits=Limits(per_address=2)) as server:
        async with connect_link(server, tmp_path), connect_link(server, tmp_path):
            pass
        await with_timeout(room.gone.get())
        await with_timeout(room.gone.get())
        async with connect_link(server, tmp_path) as link:
            link.send(b"ab")
            assert await with_timeout(link.receive()) == b"ba"


async def test_a_full_host_refuses_a_connection_with_the_reason(room, tmp_path):
    async with serve_room(room, tmp_path, limits=Limits(connections=1)) as server, playing_witness(server):
        assert await read_denial(server) == "The host is full; try again later."


async def test_too_frequent_connections_are_closed_before_any_cryptography(room, tmp_path):
    limits = Limits(handshakes_at_once=2, handshakes_per_second=1e-6)
    async with serve_room(room, tmp_path, limits=limits) as server, playing_witness(server):
        (await connect_silently(server)).close()
        for _ in range(3):
            assert await read_denial(server) == "Too many connections from your address; wait a minute."


@pytest.mark.parametrize("limit", ["unauthenticated", "unauthenticated_per_address"])
async def test_unauthenticated_connections_take_no_place_from_players(room, tmp_path, limit):
    async with serve_room(room, tmp_path, limits=Limits(**{limit: 1})) as server, playing_witness(server):
        writer = await connect_silently(server)
        assert await read_denial(server) == "Too many people are connecting right now; wait a minute."
        writer.close()


async def test_a_silent_connection_is_evicted(room, tmp_path):
    async with serve_room(room, tmp_path, limits=Limits(login_timeout=0.1)) as server:
        reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
        await with_timeout(reader.read())  # ends with the host's goodbye
        writer.close()


async def test_a_client_that_tries_key_after_key_is_disconnected(room, tmp_path):
    keys = [asyncssh.generate_private_key("ssh-ed25519") for _ in range(4)]
    access = Access(listed_keys=lambda: {keys[3].get_fingerprint()})
    limits = Limits(login_attempts=3)
    async with (
        serve_room(room, tmp_path, access=access, limits=limits) as server,
        connect_stranger(server, keys[3]) as friend,
    ):
        with pytest.raises(asyncssh.DisconnectError, match="Too many failed attempts"):
            await with_timeout(connect_stranger(server, client_keys=keys))
        _, session = await open_terminal(friend)
        await session.wait_for(b"hello")


async def test_a_banned_address_is_closed_at_once_and_its_sessions_stay(room, tmp_path):
    bans = set()
    async with serve_room(room, tmp_path, access=Access(bans=lambda: bans)) as server, playing_witness(server):
        bans.add("127.0.0.1")
        assert await read_denial(server) == "You are banned from this server."


async def test_a_key_that_is_banned_is_sent_away_and_not_let_in_as_a_guest(room, tmp_path):
    key = asyncssh.generate_private_key("ssh-ed25519")
    access = Access(bans=lambda: {key.get_fingerprint()})
    async with serve_room(room, tmp_path, access=access) as server, playing_witness(server):
        with pytest.raises(asyncssh.DisconnectError, match="You are banned from this server"):
            await with_timeout(connect_stranger(server, key))


@pytest.mark.parametrize("target_kind", ["key", "address"])
async def test_an_expelled_guest_is_disconnected_at_once(room, tmp_path, target_kind):
    key = asyncssh.generate_private_key("ssh-ed25519")
    async with serve_room(room, tmp_path) as server:
        connection = await connect_stranger(server, key)
        _, session = await open_terminal(connection)
        await session.wait_for(b"hello")
        if target_kind == "key":
            async with playing_witness(server):
                assert server.disconnect(key.get_fingerprint()) == 1
                await with_timeout(session.over.wait())
        else:
            assert server.disconnect("127.0.0.1") == 1
            await with_timeout(session.over.wait())
        assert server.disconnect("SHA256:somebody else") == 0


# Inside


async def test_one_connection_opens_a_few_sessions_only(room, tmp_path):
    async with serve_room(room, tmp_path, limits=Limits(sessions=2)) as server, playing_witness(server) as connection:
        await open_terminal(connection)
        with pytest.raises(asyncssh.ChannelOpenError, match="This connection already has 2 windows open"):
            await open_terminal(connection)


async def test_one_key_opens_a_few_sessions_only_on_all_its_connections(room, tmp_path):
    key = asyncssh.generate_private_key("ssh-ed25519")
    async with (
        serve_room(room, tmp_path, limits=Limits(sessions_per_key=2)) as server,
        playing_witness(server),
        connect_stranger(server, key) as first,
        connect_stranger(server, key) as second,
        connect_stranger(server, key) as third,
    ):
        await open_terminal(first)
        channel, session = await open_terminal(second)
        with pytest.raises(asyncssh.ChannelOpenError, match="Your key already has 2 windows open"):
            await open_terminal(third)
        channel.close()
        await with_timeout(session.over.wait())
        await open_terminal(third)


class SharedQuotas(Quotas):
    """Quotas of two gateways, with at most two sessions of a key; it has `sessions_elsewhere` at the other one."""

    def __init__(self, sessions_elsewhere):
        super().__init__(Limits())
        self.sessions_elsewhere, self.sessions_here = sessions_elsewhere, 0

    async def claim_session(self, key):
        await asyncio.sleep(0.01)
        self.sessions_here += 1
        if self.sessions_elsewhere + self.sessions_here > 2:
            self.sessions_here -= 1
            return False
        return True

    def release_session(self, key):
        self.sessions_here -= 1


async def test_sessions_of_a_key_at_other_gateways_count_until_they_end(room, tmp_path):
    key, quotas = asyncssh.generate_private_key("ssh-ed25519"), SharedQuotas(1)
    async with serve_room(room, tmp_path, quotas=quotas) as server:
        async with (
            connect_stranger(server, key) as first,
            connect_stranger(server, key) as second,
            connect_stranger(server),
        ):
            await open_terminal(first)
            with pytest.raises(asyncssh.ChannelOpenError, match="Your key already has"):
                await open_terminal(second)
            assert quotas.sessions_here == 1
            quotas.sessions_elsewhere = 0
            await open_terminal(second)
            assert quotas.sessions_here == 2
        await until(lambda: not quotas.sessions_here)


async def test_a_session_whose_client_hangs_up_while_it_is_claimed_is_released(room, tmp_path):
    key, quotas = asyncssh.generate_private_key("ssh-ed25519"), SharedQuotas(0)
    async with serve_room(room, tmp_path, quotas=quotas) as server:
        async with connect_stranger(server, key) as connection:
            opening = asyncio.ensure_future(open_terminal(connection))
            await until(lambda: quotas.sessions_here)
            connection.abort()
            await asyncio.gather(opening, return_exceptions=True)
        await until(lambda: not quotas.sessions_here)
        assert quotas.sessions_here == 0


async def test_openssh_shows_why_a_session_is_refused(client, room, tmp_path):
    path, _ = client.key("ann")
    async with serve_room(room, tmp_path, limits=Limits(sessions_per_key=1)) as server:
        ann = client.start(server.port, key=path)
        await ann.wait_for("hello ann")
        status, _, err = await client.run(server.port, "-tt", "127.0.0.1", key=path)
        assert status != 0
        assert "Your key already has 1 window open; close one." in err
        ann.type("still here")
        await ann.wait_for("still here")


async def test_a_join_over_a_limit_reports_the_hosts_own_sentence(room, tmp_path):
    async with (
        serve_room(room, tmp_path, limits=Limits(sessions_per_key=1)) as server,
        connect_link(server, tmp_path) as link,
    ):
        with pytest.raises(JoinError, match=r"Your key already has 1 window open; close one\."):
            async with connect_link(server, tmp_path):
                pass
        link.send(b"ab")
        assert await with_timeout(link.receive()) == b"ba"


@pytest.mark.parametrize("size", [(10_000, 10_000), (80, 1001), (2**32 - 1, 24)])
async def test_a_terminal_that_no_display_could_show_is_refused_in_words(server, size):
    async with playing_witness(server), connect_stranger(server) as connection:
        channel, session = await open_terminal(connection, term_size=size)
        await with_timeout(session.over.wait())
        assert f"cannot draw {size[0]} columns and {size[1]} rows".encode() in session.err
        assert channel.get_exit_status() == 1


async def test_a_new_size_beyond_any_display_is_ignored_and_a_large_one_clipped(server, room):
    async with connect_stranger(server) as connection:
        channel, session = await open_terminal(connection, term_size=(80, 24))
        channel.change_terminal_size(10_000, 10_000)
        channel.change_terminal_size(999, 999)
        await session.wait_for(b"<320x100>")
        assert b"10000" not in session.out


async def test_an_idle_terminal_is_warned_and_closed(room, tmp_path):
    async with (
        serve_room(room, tmp_path, limits=Limits(idle_timeout=0.1)) as server,
        connect_stranger(server) as connection,
    ):
        _, session = await open_terminal(connection)
        await with_timeout(session.over.wait())
        assert session.out.endswith(b"bye\r\nYou were idle for too long, so the connection was closed.\r\n")


async def test_an_idle_link_is_warned_and_closed(room, tmp_path):
    limits = Limits(idle_timeout=0.1)
    async with serve_room(room, tmp_path, limits=limits) as server, connect_link(server, tmp_path) as link:
        farewell = unpack(await with_timeout(link.receive()), ToClient)
        assert isinstance(farewell, Bye)
        assert str(farewell.reason) == "You were idle for too long, so the connection was closed."
        assert await with_timeout(link.receive()) is None


async def test_a_login_without_a_session_is_evicted(client, room, tmp_path):
    async with serve_room(room, tmp_path, limits=Limits(opening_timeout=0.1)) as server:
        status, _, _ = await client.run(server.port, "-N", "127.0.0.1")
        assert status == 255


async def test_a_session_without_a_request_is_evicted(room, tmp_path):
    async with serve_room(room, tmp_path, limits=Limits(opening_timeout=0.1)) as server:
        connection = await connect_stranger(server)
        channel = SSHClientChannel(connection, asyncio.get_running_loop(), "strict", None, "strict", 65536, 32768)
        await channel._open(b"session")
        await with_timeout(connection.wait_closed())
