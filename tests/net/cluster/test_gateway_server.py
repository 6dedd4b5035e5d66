"""Gateways of a cluster: guests enter and play anywhere, and hardly notice when a table host dies."""

import asyncio

import pytest

from core.layout.state import NOBODY
from net.cluster import routes
from net.cluster.directory import TableHostInfo
from net.cluster.routes import PendingRequest
from net.host.presence import Visitor
from net.limits import CHAT_AT_ONCE, TALK_AT_ONCE
from net.wire.link import memory_pair, pack, unpack
from net.wire.messages import PROTOCOL, BindCode, Browse, Bye, Hello, MakeTable, Refused, Said, Sit, Tables, ToClient
from tests.net.cluster.machines import open_cluster
from tests.waiting import until


async def seat_two_players(cluster, east, west):
    """Seat two players from two gateways at one table for two, and let a match begin."""
    ada, bela = await cluster.enter(east, "ada"), await cluster.enter(west, "bela")
    ada.client.make_table(MakeTable("draw", 2, {"target": 50}))
    await until(lambda: ada.client.update)
    number = ada.client.update.table.id
    await until(lambda: bela.client.tables.tables)
    await bela.sit_down(number)
    for player in (ada, bela):
        await until(lambda player=player: player.match and player.match.play)
    return ada, bela, number


async def play(players, max_turns=10**6):
    """Play for the players on turn, at most `max_turns` actions and readies."""
    for _ in range(max_turns):
        for player in players:
            await until(lambda player=player: not player.client.lost)
        newest = max(player.client.update.number for player in players)
        for player in players:
            await until(lambda player=player, newest=newest: player.client.update.number >= newest)
        if players[0].match.over:
            return
        turn = next((player for player in players if player.match.play.legal), None)
        if turn is not None:
            await turn.act()
        else:
            for player in players:
                player.client.ready()
            number = players[0].match.round
            for player in players:
                await until(lambda player=player, number=number: player.match.over or player.match.round > number)


async def test_two_from_two_gateways_play_a_whole_match_on_a_third_machine():
    async with open_cluster("north") as cluster, cluster.gateway() as east, cluster.gateway() as west:
        ada, bela, _ = await seat_two_players(cluster, east, west)

        await play([ada, bela])

        assert ada.match.winners == bela.match.winners
        assert ada.breaks == bela.breaks == (0, 0)


async def test_a_match_goes_on_at_another_table_host_when_its_own_dies():
    async with open_cluster("north") as cluster, cluster.gateway() as east, cluster.gateway() as west:
        ada, bela, number = await seat_two_players(cluster, east, west)
        south = cluster.machine("south")
        await play([ada, bela], 5)

        cluster.machines["north"].die()
        await until(lambda: ada.client.lost)
        await until(lambda: bela.client.lost)
        history, update_number = ada.match.history, ada.client.update.number
        ada.client.say("is anybody there?")
        south.take_over(number)
        for player in (ada, bela):
            await until(lambda player=player: not player.client.lost)

        assert ada.match.history[: len(history)] == history, (
            "every announced event is there, and an unanswered action is repeated"
        )
        assert ada.client.update.number >= update_number
        await play([ada, bela])
        assert ada.breaks == bela.breaks == (1, 1)
        assert ada.match.winners == bela.match.winners


async def test_a_host_that_was_declared_expired_is_ignored_though_it_lives():
    async with open_cluster("north", "south") as cluster, cluster.gateway() as front:
        ada, bela, number = await seat_two_players(cluster, front, front)
        north, south = cluster.machines["north"], cluster.machines["south"]
        cluster.directory.put_host("south", cluster.directory.hosts["south"])
        assert cluster.directory.tables[number].host == "north"

        north.is_dead = True  # its database is gone, but its trunks are not
        south.take_over(number)
        await until(lambda: ada.breaks == (1, 1))
        await until(lambda: bela.breaks == (1, 1))
        count = len(ada.received)
        north.server._send_all([(1, ada.client.update), (2, ada.client.update)])
        await asyncio.sleep(0.05)

        assert len(ada.received) == count
        assert north.lobby.tables[number].deserted
        await play([ada, bela])


async def test_a_trunk_that_breaks_between_two_live_nodes_is_reopened():
    async with open_cluster("north") as cluster, cluster.gateway() as front:
        ada, bela, _ = await seat_two_players(cluster, front, front)

        cluster.machines["north"].ends[0].trunk.abort()
        await until(lambda: ada.breaks == (1, 1))
        await until(lambda: bela.breaks == (1, 1))

        await play([ada, bela])
        assert ada.client.update.seat == 0


async def test_a_table_that_no_host_takes_over_is_left_after_a_while(monkeypatch):
    monkeypatch.setattr(routes, "TAKEOVER", 0.1)
    async with open_cluster("north") as cluster, cluster.gateway() as front:
        ada, bela, number = await seat_two_players(cluster, front, front)

        cluster.machines["north"].die()
        await until(ada.departures)

        assert "cannot be reached right now" in ada.departures()[0]
        assert ada.client.tables.yours == number, "and the seat is kept"
        assert (
            "cannot be reached right now" in await bela.refusal(lambda: bela.client.sit(number)) or bela.departures()
        )


async def test_a_guest_who_has_hung_up_is_attached_to_no_table():
    async with open_cluster("north") as cluster, cluster.gateway() as front:
        ada, bela, number = await seat_two_players(cluster, front, front)
        local_guest = next(
            local_guest
            for local_guest in front._routes.local_guests.values()
            if local_guest.presence.guest.name == "ada"
        )
        request = PendingRequest(number, pack(Sit(number)))
        south = cluster.machine("south")
        ada.link.close()
        await ada.running
        assert local_guest.connection not in front._routes.local_guests

        front._routes._ask_again(local_guest, request)  # as a trunk does that ends a moment later
        await front._routes._forward_to(local_guest, "south", request.payload, request)
        cluster.machines["north"].die()
        south.take_over(number)
        await until(lambda: bela.client.lost)
        await until(lambda: not bela.client.lost)

        assert local_guest.pending is None
        assert not local_guest.remotes or "south" not in local_guest.remotes


async def test_a_gateway_waits_until_a_new_table_is_listed():
    async with open_cluster("north") as cluster, cluster.gateway() as front:
        ada, bela = await cluster.enter(front, "ada"), await cluster.enter(front, "bela")
        ada.client.make_table(MakeTable("draw", 2, {}))
        await until(lambda: ada.client.update)
        number = ada.client.update.table.id
        listed = cluster.directory.tables.pop(number)  # as if its host had not announced it yet
        bela.client.sit(number)
        await until(lambda: any(guest.pending for guest in front._routes.local_guests.values()))
        cluster.directory.change()
        cluster.directory.put(listed)
        await until(lambda: bela.client.update)
        assert not any(isinstance(message, Refused) for message in bela.received)


async def test_an_unknown_table_is_refused_after_a_moment(monkeypatch):
    monkeypatch.setattr(routes, "UNLISTED_TIMEOUT", 0.01)
    async with open_cluster("north") as cluster, cluster.gateway() as front:
        ada = await cluster.enter(front, "ada")
        assert "no longer exists" in await ada.refusal(lambda: ada.client.sit(77))


async def test_a_guest_who_leaves_an_interrupted_table_is_in_the_lobby():
    async with open_cluster("north") as cluster, cluster.gateway() as front:
        ada, _, number = await seat_two_players(cluster, front, front)
        cluster.machines["north"].die()
        await until(lambda: ada.client.lost)

        ada.client.leave()
        await until(lambda: not ada.client.lost)

        assert ada.client.update is None
        south = cluster.machine("south")
        south.take_over(number)
        ada.client.sit(number)
        await until(lambda: ada.client.update)
        assert ada.client.update.seat == 0


async def test_of_two_gateways_only_one_gives_out_a_name():
    async with open_cluster("north") as cluster, cluster.gateway() as east, cluster.gateway() as west:
        await cluster.enter(east, "ada")
        late_entry = cluster.enter(west, "АDA", "SHA256:eve")
        task = asyncio.create_task(late_entry)
        await asyncio.sleep(0.05)
        assert not task.done()
        task.cancel()

        assert await cluster.directory.name_of("SHA256:eve") == ""
        returned = await cluster.enter(west, "ada", "SHA256:ada")
        assert returned.client.name == "ada"


def names(player):
    return set(player.client.tables.names)


async def test_the_lobbies_of_all_gateways_are_one():
    async with open_cluster("north") as cluster, cluster.gateway() as east, cluster.gateway() as west:
        ada, bela = await cluster.enter(east, "ada"), await cluster.enter(east, "bela")
        cid = await cluster.enter(west, "cid")
        for player in (ada, bela, cid):
            await until(lambda player=player: names(player) == {"ada", "bela", "cid"})
            assert player.client.tables.people == 3

        ada.client.say("hello\x07")
        cid.client.say("hello yourself")
        for player in (ada, bela, cid):
            await until(lambda player=player: len(player.chat()) == 2)
            assert set(player.chat()) == {("ada", "hello"), ("cid", "hello yourself")}
        bela.client.muted.add("cid")
        cid.client.say("bela?")
        await until(lambda: ("cid", "bela?") in ada.chat())
        assert bela.chat() == [("ada", "hello"), ("cid", "hello yourself")]

        cid.link.close()
        await until(lambda: names(ada) == {"ada", "bela"})


async def test_a_guest_at_a_table_gets_no_chat_of_the_lobby_at_another_gateway():
    async with open_cluster("north") as cluster, cluster.gateway() as east, cluster.gateway() as west:
        ada, bela, _ = await seat_two_players(cluster, east, east)
        cid = await cluster.enter(west, "cid")
        cid.client.say("anybody?")
        await until(cid.chat)
        ada.client.say("at the table")
        await until(bela.chat)
        assert ada.chat() == bela.chat() == [("ada", "at the table")]


async def test_the_chat_limit_of_a_lobby_counts_all_gateways():
    def stopped_clock():
        return 0.0

    async with (
        open_cluster("north") as cluster,
        cluster.gateway(stopped_clock) as east,
        cluster.gateway(stopped_clock) as west,
    ):
        east_guests = [await cluster.enter(east, f"here {number}") for number in range(3)]
        west_guests = [await cluster.enter(west, f"there {number}") for number in range(3)]
        everybody = [*east_guests, *west_guests]
        for player in everybody:
            for _ in range(CHAT_AT_ONCE):
                player.client.say("me")
        for player in everybody:
            mine = (player.client.name, "me")
            await until(
                lambda player=player, mine=mine: player.chat().count(mine) + len(player.refusals()) == CHAT_AT_ONCE
            )
        assert sum(len(player.refusals()) for player in everybody) == len(everybody) * CHAT_AT_ONCE - TALK_AT_ONCE
        for player in everybody:
            await until(lambda player=player: len(player.chat()) == TALK_AT_ONCE)


async def test_a_new_table_goes_to_the_machine_with_the_fewest_that_is_not_leaving():
    async with open_cluster("north", "south") as cluster, cluster.gateway() as front:
        ada = await cluster.enter(front, "ada")
        for node, tables, draining in (("north", 9, False), ("south", 2, True)):
            listed = cluster.directory.hosts[node]
            cluster.directory.put_host(node, type(listed)(node, tables, draining))

        ada.client.make_table(MakeTable("draw", 2, {}))
        await until(lambda: ada.client.update)

        assert list(cluster.machines["north"].lobby.tables) == [ada.client.update.table.id]
        cluster.directory.put_host("north", None)
        bela = await cluster.enter(front, "bela")
        assert "The server has no room for another table" in await bela.refusal(
            lambda: bela.client.make_table(MakeTable("draw", 2, {}))
        )


async def test_two_gateways_that_are_asked_at_once_let_a_player_open_one_table_and_no_more(monkeypatch):
    monkeypatch.setattr("net.host.table_host.TABLES_PER_PLAYER", 1)
    async with open_cluster("north") as cluster, cluster.gateway() as east, cluster.gateway() as west:
        players = [await cluster.enter(front, "ada") for front in (east, west)]
        for player in players:
            player.client.make_table(MakeTable("draw", 2, {}))
        for player in players:
            await until(lambda player=player: player.client.update or player.refusals())

        assert sum(player.client.update is not None for player in players) == 1
        ((refusal,),) = filter(None, (player.refusals() for player in players))
        assert "You already have 1 table" in refusal
        (number,) = cluster.machines["north"].lobby.tables
        assert cluster.directory.claims == {number: ("SHA256:ada", "192.0.2.1")}


async def test_a_table_that_a_host_does_not_open_does_not_count():
    async with open_cluster("north") as cluster, cluster.gateway() as front:
        ada = await cluster.enter(front, "ada")
        for _ in range(5):
            assert "no game" in await ada.refusal(lambda: ada.client.make_table(MakeTable("no game", 2, {})))
        ada.client.make_table(MakeTable("draw", 2, {}))
        await until(lambda: ada.client.update)
        ((claim, _),) = cluster.directory.claims.items()

        assert claim == ada.client.update.table.id


async def test_a_guest_who_goes_to_a_table_on_another_node_leaves_the_first():
    async with open_cluster("north", "south") as cluster, cluster.gateway() as front:
        ada, bela = await cluster.enter(front, "ada"), await cluster.enter(front, "bela")
        cluster.directory.put_host("south", type(cluster.directory.hosts["south"])("south", 9))
        ada.client.make_table(MakeTable("draw", 2, {}))
        await until(lambda: ada.client.update)
        cluster.directory.put_host("south", type(cluster.directory.hosts["south"])("south", 0, False))
        cluster.directory.put_host("north", type(cluster.directory.hosts["north"])("north", 9))
        bela.client.make_table(MakeTable("block", 3, {}))
        await until(lambda: bela.client.update)
        number = bela.client.update.table.id

        await ada.sit_down(number)
        await until(lambda: bela.client.update.table.seats[1].name == "ada")
        ada.client.say("hello")
        await until(lambda: bela.client.said)

        await until(lambda: not cluster.machines["north"].lobby.tables)
        assert ada.departures() == []
        assert "no longer exists" in await ada.refusal(lambda: ada.client.sit(9999))
        assert ada.client.update.table.id == number


async def test_leaving_shows_the_tables_first_and_news_comes_only_to_the_lobby():
    async with open_cluster("north") as cluster, cluster.gateway() as front:
        ada, bela, number = await seat_two_players(cluster, front, front)
        chen = await cluster.enter(front, "chen")
        count_before = ada.count(Tables)
        cluster.directory.put_host("north", type(cluster.directory.hosts["north"])("north", 1))
        chen.client.make_table(MakeTable("block", 2, {}))
        await until(lambda: chen.client.update)
        assert ada.count(Tables) == count_before

        bela.client.leave()
        await until(bela.departures)

        assert isinstance(bela.received[-2], Tables)
        assert bela.client.tables.yours == number
        bela.client.browse(Browse(words="chen"))
        await until(lambda: [table.name for table in bela.client.tables.tables] == ["chen"])


async def test_each_gateway_announces_to_its_own_guests_and_to_its_followers():
    async with open_cluster("north") as cluster, cluster.gateway() as east, cluster.gateway() as west:
        ada, bela = await cluster.enter(east, "ada"), await cluster.enter(west, "bela")
        followed = []
        east.follow_lobby(followed.append)
        notice = Said("", NOBODY, "Tea is ready.")

        east.announce(notice)
        bela.client.say("hello")
        await until(lambda: Said("bela", NOBODY, "hello") in ada.received)

        assert ada.received.count(notice) == followed.count(notice) == 1
        assert notice not in bela.received, "its own gateway announces it there"


async def test_a_ban_reaches_guests_at_tables_and_in_the_lobby():
    async with open_cluster("north") as cluster, cluster.gateway() as front:
        ada, bela, _ = await seat_two_players(cluster, front, front)

        cluster.directory.ban("SHA256:ada")

        bye = await ada.running
        assert "banned" in str(bye.reason)
        await until(lambda: bela.client.update.table.seats[0].away)


async def test_goodbye_at_a_table_and_in_the_lobby_is_answered():
    async with open_cluster("north") as cluster, cluster.gateway() as front:
        ada, bela, _ = await seat_two_players(cluster, front, front)
        chen = await cluster.enter(front, "chen")
        for player in (ada, chen):
            player.client.goodbye()
            assert await player.running == Bye()
        await until(lambda: bela.client.update.table.seats[0].away)


async def test_a_closing_node_says_goodbye_to_its_own_guests_only():
    async with open_cluster("north", "south") as cluster, cluster.gateway() as front:
        ada, bela, number = await seat_two_players(cluster, front, front)
        north, south = cluster.machines["north"], cluster.machines["south"]

        north.server.close()
        await until(lambda: ada.client.lost)
        north.die()
        south.take_over(number)

        await until(lambda: ada.breaks == (1, 1))
        await until(lambda: bela.breaks == (1, 1))
        await play([ada, bela], 3)


async def test_a_name_is_known_at_one_terminal_when_its_owner_leaves_another():
    async with open_cluster("north") as cluster, cluster.gateway() as front:
        ada = await cluster.enter(front, "ada", "SHA256:key")
        ours, theirs = memory_pair()
        cluster.group.create_task(front.serve(theirs, Visitor("ada", "SHA256:key", address="192.0.2.1")))
        ada.client.goodbye()
        await ada.running

        ours.send(pack(Hello(PROTOCOL, "test")))
        greeting = unpack(await ours.receive(), ToClient)

        assert (greeting.name, greeting.known) == ("ada", True)
        ours.close()


@pytest.mark.parametrize("nonsense", [b"\xc1", b"\x81\xa4type\xa3sit"])
async def test_nonsense_from_a_guest_ends_that_guest_alone(nonsense):
    async with open_cluster("north") as cluster, cluster.gateway() as front:
        ada, bela, _ = await seat_two_players(cluster, front, front)
        bela.link.send(nonsense)

        assert "not a Boneyard message" in str((await bela.running).reason)
        await until(lambda: ada.client.update.table.seats[1].away)


async def test_a_guest_far_ahead_of_a_table_host_waits_for_it():
    async with open_cluster("north") as cluster, cluster.gateway() as front:
        ada, bela, _ = await seat_two_players(cluster, front, front)
        for count in range(50):
            ada.client.say(f"{count}")
        await until(lambda: bela.client.said)
        count_before = len(ada.updates())
        await play([ada, bela], 2)

        assert len(ada.updates()) > count_before


async def open_table(player):
    """Open a table for two, and leave it with a bot that keeps it open."""
    player.client.make_table(MakeTable("draw", 2, {"target": 50}, bots=1))
    await until(lambda: player.client.update)
    number = player.client.update.table.id
    player.client.leave()
    await until(lambda: not player.client.update)
    return number


async def test_the_table_limit_of_a_player_counts_all_nodes():
    async with open_cluster("north", "south", "west", "east") as cluster, cluster.gateway() as front:
        ada = await cluster.enter(front, "ada")
        for node in ("north", "south", "west"):
            for other_node in cluster.machines:
                cluster.directory.put_host(other_node, TableHostInfo(other_node, tables=int(other_node != node)))
            await open_table(ada)
        assert [len(node.lobby.tables) for node in cluster.machines.values()] == [1, 1, 1, 0]
        cluster.directory.put_host("east", TableHostInfo("east"))

        refusal = await ada.refusal(lambda: ada.client.make_table(MakeTable("draw", 2, {"target": 50})))
        assert refusal == "You already have 3 tables open; leave one of them first."


async def test_tables_that_no_directory_lists_yet_count_as_well(monkeypatch):
    async with open_cluster("north") as cluster, cluster.gateway() as front:
        ada = await cluster.enter(front, "ada")
        monkeypatch.setattr(cluster.directory, "put", lambda _listed: None)
        monkeypatch.setattr("net.host.table_host.TABLES_PER_PLAYER", 1)
        monkeypatch.setattr("net.host.table_host.check_open_table_limits", lambda *_: None)
        ada.client.make_table(MakeTable("draw", 2, {"target": 50}))
        await until(lambda: ada.client.update)
        refusal = await ada.refusal(lambda: ada.client.make_table(MakeTable("draw", 2, {"target": 50})))
        assert refusal == "You already have 1 table open; leave it first."


async def test_the_table_limit_of_an_address_counts_all_nodes(monkeypatch):
    monkeypatch.setattr("net.host.table_host.TABLES_PER_ADDRESS", 1)
    async with open_cluster("north", "south") as cluster, cluster.gateway() as east, cluster.gateway() as west:
        ada, bela = await cluster.enter(east, "ada"), await cluster.enter(west, "bela")
        cluster.directory.put_host("south", TableHostInfo("south", tables=9))
        ada.client.make_table(MakeTable("draw", 2, {"target": 50}))
        await until(lambda: ada.client.update)
        cluster.directory.put_host("north", TableHostInfo("north", tables=99))
        refusal = await bela.refusal(lambda: bela.client.make_table(MakeTable("draw", 2, {"target": 50})))
        assert refusal == "There is already 1 table from your address."
        assert not cluster.machines["south"].lobby.tables


async def test_background_work_waits_for_a_move_that_local_guests_are_sent():
    async with open_cluster("north") as cluster, cluster.gateway() as east, cluster.gateway() as west:
        ada = await cluster.enter(east, "ada")
        assert east.scheduler.move_pause == 0
        ada.client.make_table(MakeTable("draw", 2, {"target": 50}))
        await until(lambda: ada.client.update)
        assert east.scheduler.move_pause > 0
        assert west.scheduler.move_pause == 0


async def test_a_key_that_was_parted_at_another_gateway_gets_no_code_of_its_old_account():
    async with open_cluster("north") as cluster, cluster.gateway() as east, cluster.gateway() as west:
        code = await east.registry.offer("SHA256:ada")
        assert await east.registry.bind("SHA256:phone", code.upper()) == "SHA256:ada"
        phone = await cluster.enter(east, "ada", "SHA256:phone")
        assert await west.registry.unbind("SHA256:phone")
        phone.client.bind()
        await until(lambda: isinstance(phone.received[-1], Refused))
        assert "log in again" in phone.received[-1].reason.text
        assert not any(isinstance(message, BindCode) for message in phone.received)


async def test_a_full_gateway_expects_every_key_of_an_account_that_has_a_seat_anywhere():
    async with open_cluster("north") as cluster, cluster.gateway() as east, cluster.gateway() as west:
        assert await east.registry.bind("SHA256:phone", await east.registry.offer("SHA256:ada")) == "SHA256:ada"
        ada = await cluster.enter(east, "ada", "SHA256:ada")
        assert not await west.has_reserved_seat(Visitor(key="SHA256:phone"))
        ada.client.make_table(MakeTable("draw", 2, {"target": 50}))
        await until(lambda: ada.client.update)
        for key in ("SHA256:ada", "SHA256:phone"):
            assert await west.has_reserved_seat(Visitor(key=key))
        assert not await west.has_reserved_seat(Visitor(key="SHA256:eve"))
