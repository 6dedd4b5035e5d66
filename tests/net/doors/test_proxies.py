"""Behind a proxy, limits, bans and names use the real addresses; the header of an unknown proxy is ignored."""

import asyncio

import pytest

from net.doors import listener
from net.doors.listener import Proxies
from net.host.access import Access
from net.limits import Limits
from net.ssh.client.connect import JoinError
from tests.net.ssh.proxying import LOCAL, block, line, proxy
from tests.net.ssh_room import connect_link, connect_stranger, open_terminal, serve_room, with_timeout

PROXIES = ["127.0.0.0/8"]


class ProxiedServer:
    """The port of a proxy, in place of the server behind it."""

    def __init__(self, port):
        self.port = port


async def read_until_closed(port, data=b""):
    """Connect, send `data`, and return everything received until the host closes."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(data)
    try:
        return await with_timeout(reader.read())
    except ConnectionResetError:
        return b""
    finally:
        writer.close()


@pytest.mark.parametrize("header", [line("203.0.113.9"), block("203.0.113.9"), block("203.0.113.9", b"\4\0\3abc")])
async def test_a_guest_comes_from_where_the_proxy_says(room, tmp_path, header):
    async with serve_room(room, tmp_path, proxied_by=PROXIES) as server, proxy(server.port, header) as port:
        async with connect_stranger(ProxiedServer(port)) as connection:
            await open_terminal(connection)
            identity, _ = await with_timeout(room.guests.get())
            assert identity.address == "203.0.113.9"
        async with connect_link(ProxiedServer(port), tmp_path):
            identity, _ = await with_timeout(room.players.get())
            assert identity.address == "203.0.113.9"


async def test_a_header_with_an_ipv6_address_may_come_in_pieces(room, tmp_path):
    pieces = [bytes((byte,)) for byte in block("2001:db8::9")]
    async with (
        serve_room(room, tmp_path, proxied_by=PROXIES) as server,
        proxy(server.port, pieces) as port,
        connect_stranger(ProxiedServer(port)) as connection,
    ):
        await open_terminal(connection)
        assert (await with_timeout(room.guests.get()))[0].address == "2001:db8::9"


async def test_a_health_check_of_the_proxy_is_answered(room, tmp_path):
    async with serve_room(room, tmp_path, proxied_by=PROXIES) as server:
        reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
        writer.write(LOCAL)
        assert (await with_timeout(reader.readline())).startswith(b"SSH-2.0-Boneyard")
        writer.close()


async def test_limits_and_bans_are_those_of_the_real_address(room, tmp_path):
    bans = {"203.0.113.66"}
    limits = Limits(per_address=1)
    async with (
        serve_room(
            room, tmp_path, proxied_by=PROXIES, limits=limits, access=Access(bans=lambda: bans, limits=limits)
        ) as server,
        proxy(server.port, block("203.0.113.9")) as port_of_9,
        proxy(server.port, block("203.0.113.10")) as port_of_10,
        proxy(server.port, block("203.0.113.66")) as port_of_66,
        connect_link(ProxiedServer(port_of_9), tmp_path) as link,
    ):
        with pytest.raises(JoinError):
            async with connect_link(ProxiedServer(port_of_9), tmp_path):
                pass
        assert b"from your address are already open" in await read_until_closed(port_of_9)
        assert b"You are banned" in await read_until_closed(port_of_66)
        async with connect_link(ProxiedServer(port_of_10), tmp_path):
            pass
        assert server.disconnect("203.0.113.9") == 1
        assert await with_timeout(link.receive()) is None


async def test_an_unknown_proxy_is_not_believed(room, tmp_path):
    async with serve_room(room, tmp_path, proxied_by=["192.0.2.0/24"]) as server:
        async with connect_stranger(server) as connection:
            await open_terminal(connection)
            assert (await with_timeout(room.guests.get()))[0].address == "127.0.0.1"
        assert (await read_until_closed(server.port, line("203.0.113.9") + b"SSH-2.0-x\r\n")).startswith(
            b"SSH-2.0-Boneyard"
        )


async def test_a_proxy_connection_without_a_valid_header_is_closed_and_logged(room, tmp_path, monkeypatch, caplog):
    monkeypatch.setattr(listener, "PROXY_HEADER_TIMEOUT", 0.2)
    async with serve_room(room, tmp_path, proxied_by=PROXIES) as server:
        for data in (b"SSH-2.0-OpenSSH\r\n", b"", b"PROXY ", b"PROXY TCP4 1 2 3 4\r\n"):
            assert await read_until_closed(server.port, data) == b""
        monkeypatch.setattr(listener, "PROXY_HEADERS", 0)
        assert await read_until_closed(server.port, line("203.0.113.9")) == b""
    assert sum(record.message == "no-proxy-header" for record in caplog.records) == 5


async def test_a_silent_proxy_connection_blocks_no_other_and_ends_with_the_host(room, tmp_path):
    limits = Limits(leave_timeout=0.1)
    async with (
        serve_room(room, tmp_path, proxied_by=PROXIES, limits=limits) as server,
        proxy(server.port, line("203.0.113.9")) as port,
    ):
        silent = [await asyncio.open_connection("127.0.0.1", server.port) for _ in range(20)]
        async with connect_stranger(ProxiedServer(port)) as connection:
            await open_terminal(connection)
    for reader, writer in silent:
        assert await with_timeout(reader.read()) == b""
        writer.close()


def test_proxies_are_known_by_their_networks():
    proxies = Proxies(["10.0.0.0/8", "192.0.2.7", "2001:db8::/32"])
    assert all(address in proxies for address in ("10.1.2.3", "::ffff:10.1.2.3", "192.0.2.7", "2001:db8::7"))
    assert not any(address in proxies for address in ("11.0.0.1", "192.0.2.8", "2001:db9::1", "?", ""))
    assert "127.0.0.1" not in Proxies()


def test_a_proxy_that_is_no_address_or_network_is_an_error():
    with pytest.raises(ValueError, match=r"proxy\.example"):
        Proxies(["proxy.example"])


async def test_openssh_comes_through_a_proxy(client, room, tmp_path):
    path, _ = client.key("ann")
    async with (
        serve_room(room, tmp_path, proxied_by=PROXIES) as server,
        proxy(server.port, block("203.0.113.9")) as port,
    ):
        ann = client.start(port, key=path)
        await ann.wait_for("hello ann")
        assert (await with_timeout(room.guests.get()))[0].address == "203.0.113.9"
        ann.type("still here")
        await ann.wait_for("still here")
