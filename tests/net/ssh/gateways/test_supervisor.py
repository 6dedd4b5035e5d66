"""A host with gateways: shared limits are counted in one place, and a dying gateway ends only its guests'
connections.

The tests of `tests/net/ssh/server` also run with gateways and show that guests notice no other difference.
"""

import asyncio
from contextlib import AsyncExitStack, asynccontextmanager

import asyncssh
import pytest

from core.words import words
from net.doors.listener import HostError
from net.host.access import Access
from net.host.admin import perform
from net.host.lobby import Lobby
from net.host.presence import Visitor
from net.host.server import Server
from net.limits import GUEST_WINDOW, Limits
from net.loop import Tasks
from net.players.accounts import Accounts
from net.ssh.client.connect import JoinError
from net.ssh.gateways import supervisor
from net.storage.record_index import RecordIndex
from net.table.table import INSTANT
from net.wire.link import memory_pair, pack, unpack
from net.wire.messages import PROTOCOL, Enter, Greeting, Hello, MakeTable, ToClient
from tests.net.cluster.machines import Player, open_cluster
from tests.net.ssh_room import (
    TIMEOUT,
    InProcessGateway,
    Room,
    connect_link,
    connect_stranger,
    open_terminal,
    serve_room,
    with_timeout,
)
from tests.waiting import until

KEY = asyncssh.generate_private_key("ssh-ed25519")


@pytest.fixture
def room():
    return Room(gateways=2)


@pytest.fixture(autouse=True)
def restart_at_once(monkeypatch):
    monkeypatch.setattr(supervisor, "RESTART_DELAY", 0.01)


def connection_counts(room):
    """Return the number of connections that each gateway serves."""
    return [len(server.home.connections.numbers) for server in room.running]


@asynccontextmanager
async def join_players(room, server, tmp_path, *names, enters=True):
    """Yield players who join with their own Boneyard and key; without `enters` they stop at the greeting."""
    room.plays = True
    async with AsyncExitStack() as stack, Tasks() as tasks:
        players = []
        for name in names:
            mine = {"known_hosts": tmp_path / "known_hosts", "own_key": tmp_path / f"{name}/key"}
            link = await stack.enter_async_context(connect_link(server, tmp_path, name, **mine))
            player = Player(tasks, link, name if enters else "")
            players.append(player)
            await until(lambda player=player: player.client.tables is not player.tables_at_start or not enters)
            await until(lambda player=player: player.count(Greeting))
        yield players
        for player in players:
            player.link.close()
        await tasks.wait(TIMEOUT)


async def sit_at_one_table(opener, joiner):
    opener.client.make_table(MakeTable("draw", 2, {"target": 50}))
    await until(lambda: opener.client.update)
    await until(lambda: joiner.client.tables.tables)
    await joiner.sit_down(opener.client.update.table.id)


async def is_echoing(link):
    link.send(b"ab")
    return await with_timeout(link.receive()) == b"ba"


async def test_a_connection_goes_to_the_gateway_that_serves_the_fewest(room, tmp_path):
    async with serve_room(room, tmp_path) as server, connect_stranger(server), connect_stranger(server):
        assert connection_counts(room) == [1, 1]
        async with connect_stranger(server):
            assert sorted(connection_counts(room)) == [1, 2]
            async with connect_stranger(server):
                assert connection_counts(room) == [2, 2]


async def test_guests_of_two_gateways_play_at_one_table(room, tmp_path):
    async with (
        serve_room(room, tmp_path) as server,
        join_players(room, server, tmp_path, "ada", "bela") as (ada, bela),
    ):
        assert connection_counts(room) == [1, 1]
        await sit_at_one_table(ada, bela)
        for player in (ada, bela):
            await until(lambda player=player: player.match and player.match.play)
        on_turn, waiting = (ada, bela) if ada.match.play.legal else (bela, ada)
        number = waiting.client.update.number
        await on_turn.act()
        await until(lambda: waiting.client.update.number > number)


async def test_the_host_treats_guests_of_gateways_like_its_own(room, tmp_path):
    async with (
        serve_room(room, tmp_path) as server,
        join_players(room, server, tmp_path, "ada", "bela") as (ada, bela),
    ):
        await sit_at_one_table(ada, bela)
        guests = perform(room.server, {"do": "guests"})
        assert [(name, address, where) for _, name, address, _, where in (line.split("  ") for line in guests)] == [
            ("ada", "127.0.0.1", "table 1"),
            ("bela", "127.0.0.1", "table 1"),
        ]
        assert perform(room.server, {"do": "status"})[0].startswith("2 connections, 1 table, ")
        assert perform(room.server, {"do": "kick", "who": "bela"}) == ["With the name bela: 1 disconnected: bela."]
        await with_timeout(bela.running)
        assert "The operator of the server disconnected you." in str(bela.received[-1].reason)
        assert room.server.lobby.accounts.key_of("ada")

        guest = ada.client.name
        key = room.server.lobby.accounts.key_of(guest)
        assert perform(room.server, {"do": "ban", "who": guest, "kind": "name"})[0].endswith("1 disconnected: ada.")
        await with_timeout(ada.running)
        assert "You are banned from this server." in str(ada.received[-1].reason)
        await until(lambda: all(key in process.home.bans for process in room.running))


async def test_a_link_to_a_match_that_is_over_leads_to_it_from_every_gateway(room, tmp_path):
    lines = ('{"type":"match"}', "ä" * 50_000, "\u2028" * 40_000, '{"type":"seal","chain":"' + "ab" * 32 + '"}')
    (tmp_path / "one.jsonl").write_text("".join(f"{line}\n" for line in lines))
    lobby = Lobby(Accounts(), new_secret=lambda: b"seed", software="test", pace=INSTANT)
    room.server = Server(lobby, records=RecordIndex(tmp_path))
    async with serve_room(room, tmp_path):
        for gateway in room.running:
            lines_read = []
            while chunk := await gateway.server.registry.record("ab" * 16, len(lines_read)):
                lines_read += chunk
            assert tuple(lines_read) == lines
            assert await gateway.server.registry.record("cd" * 16) == ()


async def test_a_name_belongs_to_one_player_at_all_gateways_and_at_the_host_itself(room, tmp_path):
    async with serve_room(room, tmp_path) as server, join_players(room, server, tmp_path, "ada", "bela"):
        async with join_players(room, server, tmp_path, "Adа", enters=False) as (eve,):  # with a Cyrillic letter
            assert "belongs to somebody else" in await eve.refusal(lambda: eve.client.enter("Adа"))
        ours, theirs = memory_pair()
        local_session = asyncio.create_task(room.server.serve(theirs, Visitor("ada", "SHA256:here")))
        ours.send(pack(Hello(PROTOCOL, "test")))
        ours.send(pack(Enter("ada")))
        assert isinstance(unpack(await with_timeout(ours.receive()), ToClient), Greeting)
        refused = unpack(await with_timeout(ours.receive()), ToClient)
        assert "belongs to somebody else" in str(refused.reason)
        ours.close()
        await with_timeout(local_session)


async def check_common_lobby(*players):
    """Wait until all see each other in the lobby, and each receives the chat of each once."""
    everybody = {player.client.name for player in players}
    for player in players:
        await until(lambda player=player: set(player.client.tables.names) == everybody)
        player.client.say(f"I am {player.client.name}")
    for player in players:
        await until(lambda player=player: len(player.chat()) >= len(players))
    for player in players:
        assert sorted(player.chat()) == sorted((name, f"I am {name}") for name in everybody)


async def test_the_lobby_includes_all_gateways_and_the_local_player(room, tmp_path):
    async with serve_room(room, tmp_path) as server, Tasks() as tasks:
        ours, theirs = memory_pair()
        tasks.start(room.server.serve(theirs, Visitor("host's own", "SHA256:here")), "broken")
        local_player = Player(tasks, ours, "cid")
        async with join_players(room, server, tmp_path, "ada", "bela") as (ada, bela):
            assert connection_counts(room) == [1, 1]
            await check_common_lobby(ada, bela, local_player)
        await until(lambda: local_player.client.tables.names == ())
        ours.close()
        await tasks.wait(TIMEOUT)


async def test_the_lobby_of_a_cluster_includes_all_processes_of_all_gateways(room, tmp_path):
    async with open_cluster("north") as cluster, cluster.gateway() as room.server, cluster.gateway() as other_gateway:
        cid = await cluster.enter(other_gateway, "cid")
        async with (
            serve_room(room, tmp_path) as server,
            join_players(room, server, tmp_path, "ada", "bela") as (ada, bela),
        ):
            assert connection_counts(room) == [1, 1]
            await check_common_lobby(ada, bela, cid)
        await until(lambda: cid.client.tables.names == ())


async def test_gateway_processes_of_a_cluster_refuse_a_name_that_looks_like_another(room, tmp_path):
    lookalike = "Ad\u0430"  # with a Cyrillic a
    async with (
        open_cluster("north") as cluster,
        cluster.gateway() as room.server,
        serve_room(room, tmp_path) as server,
        join_players(room, server, tmp_path, "ada"),
        join_players(room, server, tmp_path, lookalike, enters=False) as (eve,),
    ):
        assert "belongs to somebody else" in await eve.refusal(lambda: eve.client.enter(lookalike))


async def test_gateway_processes_of_a_cluster_follow_a_table_to_another_machine(room, tmp_path):
    async with (
        open_cluster("north", "south") as cluster,
        cluster.gateway() as room.server,
        serve_room(room, tmp_path) as server,
        join_players(room, server, tmp_path, "ada", "bela") as (ada, bela),
    ):
        await sit_at_one_table(ada, bela)
        number = ada.client.update.table.id
        cluster.machines["north"].die()
        for player in (ada, bela):
            await until(lambda player=player: player.client.lost)
        cluster.machines["south"].take_over(number)
        for player in (ada, bela):
            await until(lambda player=player: not player.client.lost)
        assert [presence.table for presence in room.server.present.values()] == [number, number]


async def test_gateway_processes_of_a_cluster_remove_players_and_free_their_names(room, tmp_path):
    async with open_cluster("north") as cluster, cluster.gateway() as room.server:
        async with (
            serve_room(room, tmp_path) as server,
            join_players(room, server, tmp_path, "ada", "bela") as (_ada, bela),
        ):
            assert connection_counts(room) == [1, 1]
            room.server.remove_players("name", "bela", words("Enough."))
            await with_timeout(bela.running)
            assert str(bela.received[-1].reason) == "Enough."
        assert not room.server.present
        assert not cluster.directory.in_use


async def test_a_player_of_a_quarantined_table_is_informed_when_they_enter(room, tmp_path):
    async with serve_room(room, tmp_path) as server:
        async with join_players(room, server, tmp_path, "ada") as (ada,):
            room.server.lobby.quarantined_tables.add(9, [room.server.lobby.accounts.key_of("ada")])
            assert "could not be resumed" in await ada.refusal(lambda: ada.client.sit(9))
        async with join_players(room, server, tmp_path, "ada") as (ada,):
            await until(lambda: any("could not be resumed" in reason for reason in ada.departures()))


async def test_a_guest_whose_messages_the_host_does_not_read_gets_only_a_little_ahead(room, tmp_path, monkeypatch):
    links = asyncio.Queue()

    async def read_nothing(_connection, link, _visitor):
        links.put_nowait(link)
        await asyncio.Event().wait()

    async with serve_room(room, tmp_path, limits=Limits(leave_timeout=0.1)) as server:
        monkeypatch.setattr(room.server, "serve_attached", read_nothing)
        async with join_players(room, server, tmp_path, "ada") as (ada,):
            host_link = await with_timeout(links.get())
            for _ in range(3 * GUEST_WINDOW):
                ada.link.send(pack(MakeTable("draw", 2, {})))
            await until(lambda: host_link._inbox.qsize() == GUEST_WINDOW)
            async with join_players(
                room, server, tmp_path, "bela"
            ):  # bela joins after all other messages have arrived
                assert host_link._inbox.qsize() == GUEST_WINDOW


async def test_sessions_of_one_key_are_counted_on_all_gateways(room, tmp_path):
    async with (
        serve_room(room, tmp_path, limits=Limits(sessions_per_key=1)) as server,
        connect_stranger(server, KEY) as first,
        connect_stranger(server, KEY) as second,
    ):
        assert connection_counts(room) == [1, 1]
        channel, _ = await open_terminal(first)
        with pytest.raises(asyncssh.ChannelOpenError, match="Your key already has 1 window open"):
            await open_terminal(second)
        channel.close()
        await until(lambda: can_open_window(second))


async def can_open_window(connection):
    try:
        await open_terminal(connection)
    except asyncssh.ChannelOpenError:
        return False
    return True


async def test_wrong_codes_are_counted_on_all_gateways(room, tmp_path):
    limits = Limits(wrong_invitations=2, wrong_invitation_forgiven=1e6)
    access = Access(invite="double six", limits=limits)
    async with serve_room(room, tmp_path, access=access, limits=limits) as server:
        for _ in range(2):
            with pytest.raises(asyncssh.PermissionDenied):
                await connect_stranger(server, password="double five")
        with pytest.raises(asyncssh.DisconnectError, match="Too many wrong invitations"):
            await connect_stranger(server, password="double six")


async def test_a_banned_guest_is_denied_at_every_gateway_and_disconnected_at_once(room, tmp_path):
    bans = set()
    async with serve_room(room, tmp_path, access=Access(bans=lambda: bans)) as server:
        connections = [await connect_stranger(server, KEY) for _ in range(2)]
        fingerprint = KEY.convert_to_public().get_fingerprint()
        bans.add(fingerprint)
        assert server.disconnect(fingerprint) == 2
        for banned in connections:
            await with_timeout(banned.wait_closed())
        for _ in range(2):
            with pytest.raises((asyncssh.DisconnectError, asyncssh.ChannelOpenError, BrokenPipeError)):
                async with connect_stranger(server, KEY) as connection:
                    await open_terminal(connection)
        async with connect_stranger(server) as friend:
            await open_terminal(friend)


async def test_a_dying_gateway_ends_only_the_connections_of_its_guests_and_is_restarted(room, tmp_path):
    async with (
        serve_room(room, tmp_path) as server,
        connect_link(server, tmp_path) as first,
        connect_link(server, tmp_path) as other,
    ):
        assert connection_counts(room) == [1, 1]
        room.running[0].kill()
        lost, surviving = (first, other) if await _is_lost(first, room) else (other, first)
        assert await is_echoing(surviving)
        assert await with_timeout(lost.receive()) is None
        await until(lambda: len(room.running) == 3 and getattr(room.running[2], "home", None))
        await until(lambda: room.running[2].home.connections is not None)
        async with connect_link(server, tmp_path) as new_link:
            assert await is_echoing(new_link)
            assert connection_counts(room)[1:] == [1, 1]


async def _is_lost(link, room):
    """Return True if the guest of this link was served by the first gateway."""
    await with_timeout(room.gone.get())
    link.send(b"ab")
    return await with_timeout(link.receive()) is None


async def test_where_no_gateway_starts_the_host_says_so(room, tmp_path, monkeypatch):
    async def fail_to_start(*_):
        raise OSError("no such program")

    monkeypatch.setattr(InProcessGateway, "run", fail_to_start)
    with pytest.raises(HostError, match="A gateway could not start"):
        async with serve_room(room, tmp_path):
            pass


async def test_each_gateway_has_its_part_of_the_handshakes_that_may_begin_in_a_second(room, tmp_path):
    async with serve_room(room, tmp_path, limits=Limits(handshakes_in_all=30)):
        assert [server.begin.door.access.limits.handshakes_in_all for server in room.running] == [15, 15]
        assert [server.begin.number for server in room.running] == [1, 2]


async def test_a_closing_host_admits_no_guest(room, tmp_path):
    async with serve_room(room, tmp_path) as server, connect_link(server, tmp_path) as link:
        assert await is_echoing(link)
    with pytest.raises(JoinError):
        async with connect_link(server, tmp_path):
            pass
    assert all(process.task.done() for process in room.running)
