"""A host with gateways: what all share is counted in one place, and one that dies takes only its own guests' lines.

That nobody else notices a difference, the tests of `tests/net/ssh/server` show: they run with gateways as well.
"""

import asyncio

import asyncssh
import pytest

from net.host.access import Access, MemoryBans
from net.limits import GUEST_AHEAD, Limits
from net.loop import LoopScheduler
from net.ssh.client.errors import JoinError
from net.ssh.gateways import gateways
from net.ssh.server.listen import HostError
from tests.net.ssh_room import PATIENCE, GatewayHere, Room, joining, opened, soon, stranger, window

KEY = asyncssh.generate_private_key("ssh-ed25519")


@pytest.fixture
def room():
    return Room(gateways=2)


@pytest.fixture(autouse=True)
def soon_again(monkeypatch):
    monkeypatch.setattr(gateways, "AGAIN", 0.01)


def served(room):
    """How many connections each gateway serves."""
    return [len(each.server.connections.numbers) for each in room.running]


async def until(true):
    async with asyncio.timeout(PATIENCE):
        while not true():  # noqa: ASYNC110 - nothing tells when a gateway has heard
            await asyncio.sleep(0.001)


async def echoes(link):
    link.send(b"ab")
    return await soon(link.receive()) == b"ba"


async def test_a_connection_goes_to_the_gateway_that_serves_the_fewest(room, tmp_path):
    async with opened(room, tmp_path) as server, stranger(server), stranger(server):
        assert served(room) == [1, 1]
        async with stranger(server):
            assert sorted(served(room)) == [1, 2]
            async with stranger(server):
                assert served(room) == [2, 2]


async def test_what_a_guest_says_over_a_link_reaches_the_host_and_its_answers_come_back_in_order(room, tmp_path):
    async with opened(room, tmp_path) as server, joining(server, tmp_path) as link:
        for number in range(5 * GUEST_AHEAD):
            link.send(b"%04d" % number)
        heard = [await soon(link.receive()) for _ in range(5 * GUEST_AHEAD)]

    assert heard == [(b"%04d" % number)[::-1] for number in range(5 * GUEST_AHEAD)]


async def test_a_guest_whom_the_host_does_not_hear_gets_only_a_little_ahead(room, tmp_path):
    links = asyncio.Queue()

    async def deaf(_identity, link):
        links.put_nowait(link)
        await asyncio.Event().wait()

    room.on_link = deaf
    async with opened(room, tmp_path) as server, joining(server, tmp_path) as link:
        for _ in range(3 * GUEST_AHEAD):
            link.send(b"hello?")
        there = await soon(links.get())
        await until(lambda: there._inbox.qsize() == GUEST_AHEAD)
        async with joining(server, tmp_path):  # by which time all that could come has come
            assert there._inbox.qsize() == GUEST_AHEAD


async def test_sessions_of_one_key_are_counted_on_all_gateways(room, tmp_path):
    async with (
        opened(room, tmp_path, limits=Limits(sessions_per_key=1)) as server,
        stranger(server, KEY) as first,
        stranger(server, KEY) as second,
    ):
        assert served(room) == [1, 1]
        channel, _ = await window(first)
        with pytest.raises(asyncssh.ChannelOpenError, match="Your key already has 1 window open"):
            await window(second)
        channel.close()
        async with asyncio.timeout(PATIENCE):
            while not await opens(second):  # noqa: ASYNC110 - nor when the host has
                await asyncio.sleep(0)


async def opens(connection):
    try:
        await window(connection)
    except asyncssh.ChannelOpenError:
        return False
    return True


async def test_wrong_codes_are_counted_on_all_gateways(room, tmp_path):
    limits = Limits(wrong_invitations=2, wrong_invitation_forgiven=1e6)
    access = Access(invite="double six", limits=limits)
    async with opened(room, tmp_path, access=access, limits=limits) as server:
        for _ in range(2):
            with pytest.raises(asyncssh.PermissionDenied):
                await stranger(server, password="double five")
        with pytest.raises((asyncssh.ConnectionLost, ConnectionResetError)):
            await stranger(server, password="double six")


async def test_who_is_banned_cannot_come_in_by_any_gateway_and_is_cut_off_at_once(room, tmp_path):
    bans = MemoryBans()
    async with opened(room, tmp_path, access=Access(bans=bans)) as server:
        ours = [await stranger(server, KEY) for _ in range(2)]
        fingerprint = KEY.convert_to_public().get_fingerprint()
        bans.add(fingerprint)
        assert server.disconnect(fingerprint) == 2
        for each in ours:
            await soon(each.wait_closed())
        for _ in range(2):
            with pytest.raises((asyncssh.DisconnectError, asyncssh.ChannelOpenError, BrokenPipeError)):
                async with stranger(server, KEY) as connection:
                    await window(connection)
        async with stranger(server) as other:
            await window(other)


async def test_a_gateway_that_dies_takes_only_the_lines_of_its_own_guests_and_is_started_again(room, tmp_path):
    async with opened(room, tmp_path) as server, joining(server, tmp_path) as one, joining(server, tmp_path) as other:
        assert served(room) == [1, 1]
        room.running[0].kill()
        lost, kept = (one, other) if await _is_lost(one, room) else (other, one)
        assert await echoes(kept)
        assert await soon(lost.receive()) is None
        await until(lambda: len(room.running) == 3 and getattr(room.running[2], "server", None))
        await until(lambda: room.running[2].server.connections is not None)
        async with joining(server, tmp_path) as again:
            assert await echoes(again)
            assert served(room)[1:] == [1, 1]


async def _is_lost(link, room):
    """Whether the guest of this link was served by the first gateway."""
    await soon(room.gone.get())
    link.send(b"ab")
    return await soon(link.receive()) is None


async def test_where_no_gateway_starts_the_host_says_so(room, tmp_path, monkeypatch):
    async def fails(*_):
        raise OSError("no such program")

    monkeypatch.setattr(GatewayHere, "run", fails)
    with pytest.raises(HostError, match="A gateway could not start"):
        async with opened(room, tmp_path):
            pass


async def test_every_gateway_hears_of_a_move(room, tmp_path):
    moves = LoopScheduler()
    async with opened(room, tmp_path, moves=moves):
        assert [each.server.moves.moving for each in room.running] == [0.0, 0.0]
        moves.move()
        await until(lambda: all(each.server.moves._moving_until for each in room.running))


async def test_each_gateway_has_its_part_of_the_handshakes_that_may_begin_in_a_second(room, tmp_path):
    async with opened(room, tmp_path, limits=Limits(handshakes_in_all=30)):
        assert [each.begin.door.access.limits.handshakes_in_all for each in room.running] == [15, 15]
        assert [each.begin.number for each in room.running] == [1, 2]


async def test_when_the_host_closes_nobody_else_comes_in(room, tmp_path):
    async with opened(room, tmp_path) as server, joining(server, tmp_path) as link:
        assert await echoes(link)
    with pytest.raises(JoinError):
        async with joining(server, tmp_path):
            pass
    assert all(each.task.done() for each in room.running)
