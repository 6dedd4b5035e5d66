"""Eviction: connections that do not log in cannot keep out somebody who would."""

import asyncio
import socket
from contextlib import ExitStack
from types import SimpleNamespace

import asyncssh
import pytest

from net.doors.connections import choose_to_evict
from net.limits import Limits
from tests.net.ssh_room import opened, soon, stranger, window

IDLERS = 4
PLACES = 3


def one(network, read_since, exchanged=False):
    return SimpleNamespace(network=network, read_since=read_since, exchanged=exchanged)


def test_of_the_address_that_holds_the_most_places_the_oldest_gives_way():
    oldest, other = one("many", 1), one("few", 0)
    assert choose_to_evict([other, one("many", 3), oldest, one("many", 2)], "new", silent_since=-1) is oldest


def test_who_has_exchanged_keys_goes_after_who_is_silent():
    silent = one("many", 2)
    assert choose_to_evict([one("many", 1, exchanged=True), silent], "new", silent_since=-1) is silent


def test_nobody_gives_way_to_an_address_that_holds_as_much_itself():
    unauthenticated = [one("a", 1), one("a", 2), one("b", 3)]
    assert choose_to_evict(unauthenticated, "b", silent_since=-1) is None
    assert choose_to_evict(unauthenticated, "a", silent_since=-1) is None


def test_who_was_silent_too_long_goes_from_whatever_address():
    silent = one("a", 1)
    assert choose_to_evict([silent, one("b", 0, exchanged=True), one("c", 4)], "b", silent_since=3) is silent


def test_who_is_not_heard_yet_is_not_silent():
    waits = one("a", float("inf"))
    assert choose_to_evict([waits, one("b", 9)], "c", silent_since=5) is None


@pytest.mark.parametrize("room", [0], indirect=True, ids=["one process"])  # it looks into one queue
async def test_a_connection_that_waits_for_its_handshake_is_read_from_its_turn_on(room, tmp_path, monkeypatch):
    seen = []
    monkeypatch.setattr(
        "net.doors.connections.choose_to_evict",
        lambda unauthenticated, *_: seen.extend(each.read_since for each in unauthenticated),
    )
    monkeypatch.setattr("net.scheduler.HANDSHAKES_AT_ONCE", 1)
    limits = Limits(unauthenticated=2, handshakes_in_all=0.001)
    async with opened(room, tmp_path, limits=limits) as server:
        with await idle(server, "127.0.0.2") as first, await idle(server, "127.0.0.3") as second:
            for idler in (first, second):
                assert (await until_taken(idler)).startswith(b"SSH-2.0")
            with await idle(server, "127.0.0.4") as third:
                assert b"Too many people are connecting" in await until_taken(third)
    assert seen[0] < float("inf") == seen[1]


async def idle(server, address):
    """Hold a connection open without a word."""
    idler = socket.socket()
    idler.setblocking(False)
    idler.bind((address, 0))
    await asyncio.get_running_loop().sock_connect(idler, ("127.0.0.1", server.port))
    return idler


async def until_taken(idler):
    """Wait for what the host sends first: its version, or why it refuses."""
    return await soon(asyncio.get_running_loop().sock_recv(idler, 100))


@pytest.mark.parametrize("address", ["127.0.0.1", "127.0.0.99"])
async def test_a_player_comes_back_while_many_addresses_hold_idle_sockets(room, tmp_path, address):
    limits = Limits(unauthenticated=IDLERS * PLACES, unauthenticated_per_address=PLACES + 1)
    async with opened(room, tmp_path, limits=limits) as server:
        key = asyncssh.generate_private_key("ssh-ed25519")
        with ExitStack() as stack:
            for number in range(IDLERS * PLACES):
                idler = stack.enter_context(await idle(server, f"127.0.0.{2 + number % IDLERS}"))
                assert (await until_taken(idler)).startswith(b"SSH-2.0")
            async with stranger(server, key, local_addr=(address, 0)) as friend:
                _, session = await window(friend)
                await session.sees(b"hello")


@pytest.mark.parametrize("limit", ["unauthenticated", "unauthenticated_per_address"])
async def test_who_exchanges_no_keys_gives_way_to_any_newcomer_after_some_seconds(room, tmp_path, limit):
    limits = Limits(silent_timeout=0.05, **{limit: 1})
    async with opened(room, tmp_path, limits=limits) as server:
        with await idle(server, "127.0.0.1") as idler:
            assert (await until_taken(idler)).startswith(b"SSH-2.0")
            await asyncio.sleep(0.1)  # what is tested is that time goes by
            async with stranger(server) as friend:
                await window(friend)
            assert await until_taken(idler) == b"", "the silent one was shown out"


async def test_for_whom_a_seat_is_kept_there_is_room_in_a_full_house(room, tmp_path, caplog):
    caplog.set_level("INFO")

    async def expects(who):
        return who.user == "ann"

    limits = Limits(connections=1)
    async with (
        opened(room, tmp_path, limits=limits, expects=expects) as server,
        stranger(server, username="ben") as ben,
    ):
        _, seen = await window(ben)
        await seen.sees(b"hello ben")
        with pytest.raises(asyncssh.Error):
            await window(await soon(stranger(server, username="cid")))
        reasons = [record.fields["reason"] for record in caplog.records if record.msg == "turned-away"]
        assert reasons == ["host-full"]
        async with stranger(server, username="ann") as ann:
            _, seen = await window(ann)
            await seen.sees(b"hello ann")
