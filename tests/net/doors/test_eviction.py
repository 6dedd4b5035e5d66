"""Eviction: connections that do not log in cannot keep out a guest who would."""

import asyncio
import math
import socket
from contextlib import AsyncExitStack, ExitStack, suppress
from functools import partial
from types import SimpleNamespace

import asyncssh
import pytest

from net.doors.connections import choose_to_evict
from net.limits import Limits
from net.loop import Tasks
from tests.net.ssh_room import connect_stranger, open_terminal, serve_room, with_timeout
from tests.net.web_room import browsing, web_room

IDLE_ADDRESSES = 4
PLACES_PER_ADDRESS = 3


NOW, GRACE = 100.0, 5.0


def waiting_connection(network, seconds, exchanged=False, idle=None):
    """Return a connection that has been read for `seconds`, and perhaps idle between two requests for `idle`."""
    since = None if idle is None else NOW - idle
    return SimpleNamespace(
        network=network, read_since=NOW - seconds, exchanged=exchanged, idle_since=since, identity=None
    )


def choose_evicted(unauthenticated, network, **last_logins):
    """Return the connection that is evicted for a newcomer; `last_logins` are times by network."""
    return choose_to_evict(unauthenticated, network, NOW, GRACE, lambda name: last_logins.get(name, 0.0))


def test_of_the_address_that_holds_the_most_places_the_oldest_is_evicted():
    oldest, other = waiting_connection("many", 3), waiting_connection("few", 4)
    assert (
        choose_evicted([other, waiting_connection("many", 1), oldest, waiting_connection("many", 2)], "new") is oldest
    )


def test_a_connection_without_a_key_exchange_is_evicted_before_one_with():
    silent = waiting_connection("many", 2)
    assert choose_evicted([waiting_connection("many", 3, exchanged=True), silent], "new") is silent


def test_an_address_that_holds_as_many_places_leaves_others_alone():
    unauthenticated = [waiting_connection("a", 3), waiting_connection("a", 2), waiting_connection("b", 1)]
    assert choose_evicted(unauthenticated, "b") is None
    assert choose_evicted(unauthenticated, "a") is None


def test_a_connection_that_was_silent_too_long_is_evicted_from_any_address():
    silent = waiting_connection("a", 6)
    assert (
        choose_evicted([silent, waiting_connection("b", 9, exchanged=True), waiting_connection("c", 4)], "b")
        is silent
    )


def test_a_connection_counts_as_silent_only_once_it_is_read():
    assert choose_evicted([waiting_connection("a", -math.inf), waiting_connection("b", 4)], "c") is None


def test_a_browser_between_two_requests_is_evicted_first_and_for_any_newcomer():
    longest = waiting_connection("b", 9, exchanged=True, idle=3)
    unauthenticated = [waiting_connection("a", 50), longest, waiting_connection("a", 9, exchanged=True, idle=2)]
    assert choose_evicted(unauthenticated, "a") is longest


def test_of_addresses_without_a_login_the_one_that_waited_longest_is_evicted():
    stalled = [waiting_connection(f"stalled {number}", 20 + number, exchanged=True) for number in range(100)]
    assert choose_evicted(stalled, "new") is stalled[-1]
    assert choose_evicted(stalled, "new", **{"stalled 7": 100.0}) is stalled[7]


def test_an_address_that_keeps_stalling_leaves_others_alone():
    stalled = [waiting_connection(f"stalled {number}", 20, exchanged=True) for number in range(100)]
    assert choose_evicted(stalled, "again", again=16.0) is None
    assert (
        choose_evicted([waiting_connection(str(number), 3, exchanged=True) for number in range(100)], "new") is None
    )


async def test_places_are_free_for_newcomers_while_browsers_hold_idle_connections(tmp_path):
    limits = Limits(unauthenticated=3)
    async with web_room(tmp_path, limits=limits) as (_, url, server):
        port = int(url.rpartition(":")[2])
        async with AsyncExitStack() as stack:
            for number in range(5):
                reader, writer = await asyncio.open_connection(
                    "127.0.0.1", port, local_addr=(f"127.0.0.{number + 2}", 0)
                )
                stack.callback(writer.close)
                writer.write(f"GET /icon.svg HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n".encode())
                assert b" 200 " in await with_timeout(reader.readline())
                assert await with_timeout(reader.readuntil(b"</svg>"))
            async with connect_stranger(server) as friend:
                await open_terminal(friend)
            async with browsing(url) as page:
                await page.enter()
                await page.wait_for_message("in")


async def test_an_idle_connection_of_a_browser_is_closed_after_the_login_timeout(tmp_path):
    async with web_room(tmp_path, limits=Limits(login_timeout=0.0)) as (_, url, _):
        port = int(url.rpartition(":")[2])
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(f"GET /icon.svg HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n".encode())
        assert b"Connection: close" in await with_timeout(reader.read())
        writer.close()


@pytest.mark.parametrize("room", [0], indirect=True, ids=["one process"])  # it looks into one queue
async def test_a_connection_that_waits_for_its_handshake_is_read_from_its_turn_on(room, tmp_path, monkeypatch):
    read_times = []
    monkeypatch.setattr(
        "net.doors.connections.choose_to_evict",
        lambda unauthenticated, *_: read_times.extend(connection.read_since for connection in unauthenticated),
    )
    monkeypatch.setattr("net.scheduler.HANDSHAKES_AT_ONCE", 1)
    limits = Limits(unauthenticated=2, handshakes_in_all=0.001)
    async with serve_room(room, tmp_path, limits=limits) as server:
        with (
            await connect_idle(server, "127.0.0.2") as first_idler,
            await connect_idle(server, "127.0.0.3") as second_idler,
        ):
            for idler in (first_idler, second_idler):
                assert (await first_bytes(idler)).startswith(b"SSH-2.0")
            with await connect_idle(server, "127.0.0.4") as third_idler:
                assert b"Too many people are connecting" in await first_bytes(third_idler)
    assert read_times[0] < float("inf") == read_times[1]


async def connect_idle(server, address):
    """Hold a connection open without sending anything."""
    idler = socket.socket()
    idler.setblocking(False)
    idler.bind((address, 0))
    await asyncio.get_running_loop().sock_connect(idler, ("127.0.0.1", server.port))
    return idler


async def first_bytes(idler):
    """Wait for the first bytes that the host sends: its version, or the reason of a denial."""
    return await with_timeout(asyncio.get_running_loop().sock_recv(idler, 100))


@pytest.mark.parametrize("address", ["127.0.0.1", "127.0.0.99"])
async def test_a_player_comes_back_while_many_addresses_hold_idle_sockets(room, tmp_path, address):
    limits = Limits(
        unauthenticated=IDLE_ADDRESSES * PLACES_PER_ADDRESS, unauthenticated_per_address=PLACES_PER_ADDRESS + 1
    )
    async with serve_room(room, tmp_path, limits=limits) as server:
        key = asyncssh.generate_private_key("ssh-ed25519")
        with ExitStack() as stack:
            for number in range(IDLE_ADDRESSES * PLACES_PER_ADDRESS):
                idler = stack.enter_context(await connect_idle(server, f"127.0.0.{2 + number % IDLE_ADDRESSES}"))
                assert (await first_bytes(idler)).startswith(b"SSH-2.0")
            async with connect_stranger(server, key, local_addr=(address, 0)) as friend:
                _, session = await open_terminal(friend)
                await session.wait_for(b"hello")


class StallingClient(asyncssh.SSHClient):
    """A client that exchanges keys and then never logs in."""

    def __init__(self, has_stalled):
        self.stalls = has_stalled

    async def kbdint_auth_requested(self):
        self.stalls.set()
        await asyncio.Event().wait()


async def test_a_newcomer_comes_in_while_other_addresses_stall_their_logins(room, tmp_path):
    limits = Limits(unauthenticated=2, silent_timeout=1e-6)  # less than a login takes
    async with serve_room(room, tmp_path, limits=limits) as server:

        async def stall(address, has_stalled):
            client = partial(StallingClient, has_stalled)
            with suppress(asyncssh.Error, OSError):  # the host ends it
                await connect_stranger(
                    server, client_keys=None, client_factory=client, username="ann", local_addr=(address, 0)
                )

        async with Tasks() as stalling:
            for address in ("127.0.0.2", "127.0.0.3"):
                has_stalled = asyncio.Event()
                stalling.start(stall(address, has_stalled), "stalled-login-failed")
                await with_timeout(has_stalled.wait())
            async with connect_stranger(server, local_addr=("127.0.0.4", 0)) as friend:
                await open_terminal(friend)


@pytest.mark.parametrize("limit", ["unauthenticated", "unauthenticated_per_address"])
async def test_a_silent_connection_is_evicted_for_any_newcomer_after_its_timeout(room, tmp_path, limit):
    limits = Limits(silent_timeout=1e-6, **{limit: 1})
    async with serve_room(room, tmp_path, limits=limits) as server:
        with await connect_idle(server, "127.0.0.1") as idler:
            assert (await first_bytes(idler)).startswith(b"SSH-2.0")
            async with connect_stranger(server) as friend:
                await open_terminal(friend)
            assert await first_bytes(idler) == b"", "the silent connection was evicted"


async def test_a_player_with_a_reserved_seat_enters_a_full_host(room, tmp_path, caplog):
    caplog.set_level("INFO")

    async def has_reserved_seat(who):
        return who.user == "ann"

    limits = Limits(connections=1)
    async with (
        serve_room(room, tmp_path, limits=limits, has_reserved_seat=has_reserved_seat) as server,
        connect_stranger(server, username="ben") as ben,
    ):
        _, session = await open_terminal(ben)
        await session.wait_for(b"hello ben")
        with pytest.raises(asyncssh.Error):
            await open_terminal(await with_timeout(connect_stranger(server, username="cid")))
        reasons = [record.fields["reason"] for record in caplog.records if record.msg == "turned-away"]
        assert reasons == ["host-full"]
        async with connect_stranger(server, username="ann") as ann:
            _, session = await open_terminal(ann)
            await session.wait_for(b"hello ann")
