"""The operator's commands work at any node of a cluster, and reach guests and tables at every node."""

import asyncio
import json
from types import SimpleNamespace

import pytest

from net.cluster import administration
from net.cluster.administration import Administration
from net.host.admin import AdminError
from net.host.presence import Presence, Visitor
from net.players.accounts import Banned
from net.players.text import token_of
from net.table.table import Guest
from net.wire.messages import MakeTable
from tests.net.cluster.nodes import Node
from tests.waiting import until

ADA, OTHER = "SHA256:" + "A" * 43, "SHA256:" + "B" * 43


def guest(number, name, key="", address=""):
    token = key or token_of(name)
    return Presence(Visitor(name, key, address=address), guest=Guest(number, name, token))


class Front:
    """The front of a gateway, as far as an operator sees it."""

    def __init__(self, *guests):
        self.present = dict(enumerate(guests, 1))
        self.removed = []
        self.announced = []

    def announce(self, message, *, at_tables):
        self.announced.append(message.text)

    def remove_players(self, kind, value, _reason):
        self.removed += [guest.guest.name for guest in self.present.values() if guest.is_identified_by(kind, value)]


class AdministeredNode:
    """A node that receives requests as `boneyard admin` sends them."""

    def __init__(self, database, member, front=None, directory=None, server=None):
        self.member = member
        self.front = front
        self.heartbeats = asyncio.ensure_future(member.run())
        self.administration = Administration(
            database, member, lambda: "Drained.", front=front, directory=directory, server=server
        )

    async def perform(self, command, **arguments):
        return "\n".join(await self.administration.perform({"do": command, **arguments}))


@pytest.fixture
async def nodes(database, join_node):
    """Yield two gateways, with ada at one and bela, who has no key, at the other; and a table host."""
    names = ((ADA, "ada", None), (token_of("bela"), "bela", 2))
    north = await join_node("north", role="gateway", address="")
    south = await join_node("south", role="gateway", address="")
    async with database.pooled_connection() as db:
        for token, name, host in names:
            await db.execute("INSERT INTO names VALUES ($1, $2, $3)", token, name, host and south.id)
    directory = SimpleNamespace(tables={})
    north_node = AdministeredNode(database, north, Front(guest(1, "ada", ADA, "10.0.0.1")), directory)
    south_node = AdministeredNode(database, south, Front(guest(1, "bela", "", "10.0.0.2")), directory)
    yield SimpleNamespace(north=north_node, south=south_node, directory=directory, database=database)
    for node in (north_node, south_node):
        node.heartbeats.cancel()
        await asyncio.gather(node.heartbeats, return_exceptions=True)


async def test_each_gateway_lists_the_guests_and_the_nodes(nodes):
    assert await nodes.north.perform("guests") == f"1  ada  10.0.0.1  {ADA}  lobby"
    assert await nodes.south.perform("guests") == "1  bela  10.0.0.2  no key  lobby"
    await until(lambda: len(nodes.north.member.peers) == 2)
    assert await nodes.north.perform("status") == (
        "1 guest is connected to this gateway.\nnorth  gateway\nsouth  gateway"
    )
    assert await nodes.north.perform("tables") == "No tables are open."


async def test_a_ban_made_at_one_node_is_in_force_at_all_nodes(nodes):
    for name in ("ada", ADA):
        assert (await nodes.south.perform("ban", who=name, why="floods")).endswith("is banned at every gateway.")
    today = (await nodes.north.perform("bans")).split("since ")[1][:10]
    assert await nodes.north.perform("bans") == f"{ADA}  ada  since {today}  floods"
    assert await nodes.north.perform("pardon", who=ADA) == f"{ADA} is no longer banned."
    assert await nodes.south.perform("bans") == "Nobody is banned."
    with pytest.raises(AdminError, match="is not banned"):
        await nodes.south.perform("pardon", who=ADA)


async def test_a_guest_without_a_key_is_banned_by_the_address_that_their_gateway_shows(nodes):
    with pytest.raises(AdminError, match="bela has no key, and is not at this gateway"):
        await nodes.north.perform("ban", who="bela")
    with pytest.raises(AdminError, match=r"bela has no key, only the address 10\.0\.0\.2"):
        await nodes.south.perform("ban", who="bela")
    assert await nodes.north.perform("ban", who="10.0.0.2") == "The address 10.0.0.2 is banned at every gateway."
    assert "10.0.0.2" in await nodes.south.perform("bans")


async def test_a_ban_with_an_end_is_lifted_by_any_node(nodes, monkeypatch):
    monkeypatch.setattr(administration, "BAN_CHECK_INTERVAL", 0.0)
    assert " at every gateway until 20" in await nodes.north.perform("ban", who="10.0.0.2", **{"for": "7d"})
    await nodes.south.administration._write_entries(
        [Banned(ADA, "", "2026-01-01/2026-01-08T12:00Z"), Banned(OTHER, "", "2026-01-01")]
    )
    await nodes.south.administration.end_bans()
    bans = await nodes.north.perform("bans")
    assert ADA not in bans
    assert OTHER in bans
    assert "10.0.0.2" in bans


async def test_a_pardon_takes_the_name_of_a_key(nodes):
    await nodes.north.perform("ban", who="ada")
    assert (await nodes.north.perform("bans")).startswith(f"{ADA}  ada  since 20")
    assert await nodes.south.perform("pardon", who="ada") == f"{ADA} is no longer banned."


async def test_an_announcement_and_a_notice_of_the_operator_reach_every_lobby(nodes):
    await nodes.north.perform("announce", text="Tea is ready.")
    await until(lambda: nodes.south.front.announced == nodes.north.front.announced == ["Tea is ready."])
    await nodes.south.perform("notice", text="Cup on Friday")
    await until(lambda: nodes.north.front.announced[1:] == ["Cup on Friday"])
    async with nodes.database.pooled_connection() as db:
        assert await db.fetchval("SELECT text FROM notice") == "Cup on Friday"
    assert await nodes.north.perform("notice", text="") == "There is no notice any more."
    async with nodes.database.pooled_connection() as db:
        assert await db.fetchval("SELECT text FROM notice") is None


async def test_a_maintenance_is_announced_at_every_gateway(nodes):
    assert "countdown of 5 minutes" in await nodes.north.perform("maintenance", minutes="5")
    await until(lambda: nodes.south.front.announced == nodes.north.front.announced != [])
    assert "in 5 minutes" in nodes.south.front.announced[0]
    with pytest.raises(AdminError, match="write 1 to"):
        await nodes.north.perform("maintenance", minutes="soon")


async def test_a_disconnected_key_is_disconnected_at_every_gateway(nodes):
    await nodes.north.perform("kick", who="bela")
    await until(lambda: nodes.south.front.removed == ["bela"])
    await nodes.south.perform("kick", who="10.0.0.1", kind="address")
    await until(lambda: nodes.north.front.removed == ["ada"])
    with pytest.raises(AdminError, match="the name of anybody connected or known"):
        await nodes.north.perform("kick", who="nobody")


async def test_an_operator_at_any_node_closes_tables_and_announces_to_them(nodes):
    node = await Node(nodes.database, "east").start()
    administration = Administration(nodes.database, node.keeper.member, lambda: "", server=node.server)
    try:
        chen = await node.add_guest("chen")
        chen.client.make_table(MakeTable("draw", 2, {}))
        await until(lambda: node.tables)
        (number,) = node.tables
        await nodes.north.perform("announce", text="Tea is ready.")
        await until(lambda: any(getattr(message, "text", "") == "Tea is ready." for message in chen.received))
        assert str(number) in "\n".join(await administration.perform({"do": "tables"}))
        with pytest.raises(AdminError, match="no table twelve"):
            await nodes.north.perform("close", who="twelve")
        await nodes.north.perform("close", who=str(number))
        await until(lambda: not node.tables)
        await wait_until_closed(nodes.database, number)
        with pytest.raises(AdminError, match=f"no table {number}"):
            await nodes.north.perform("close", who=str(number))

        async with nodes.database.pooled_connection() as db:
            await db.execute("INSERT INTO tables VALUES (77, 0, 1, 1, '', 0, 'it is broken')")
        node.keeper.lobby.quarantined_tables.add(77, [])
        answer = await nodes.south.perform("close", who="77")
        assert answer == "Table 77, which could not be resumed, is dropped; its record so far is kept."
        await wait_until_closed(nodes.database, 77)
        assert 77 not in node.keeper.lobby.quarantined_tables.tables
        assert "Everything is saved." in await administration.perform({"do": "status"})
    finally:
        await node.stop()


async def wait_until_closed(database, number):
    """Wait until the database no longer has a table."""

    async def is_gone():
        async with database.pooled_connection() as db:
            return not await db.fetchval("SELECT 1 FROM tables WHERE number = $1", number)

    await until(is_gone, interval=0.02)


async def test_an_invalid_request_is_refused(nodes):
    for request in (7, {}, {"do": "dance"}):
        with pytest.raises(AdminError):
            await nodes.north.administration.perform(request)
    with pytest.raises(AdminError, match="is none of"):
        await nodes.north.perform("kick", who="ada", kind="shoe")


async def test_a_malformed_order_of_another_node_is_ignored(nodes):
    for order in ("order ", "order {}", 'order {"do": "kick", "kind": "shoe", "value": "ada"}', "order [1]"):
        nodes.north.administration._on_notice(order)
    assert nodes.north.front.removed == []


async def test_a_node_drains_on_request(nodes):
    assert await nodes.north.perform("drain") == "Drained."


async def test_without_the_database_the_operator_gets_a_sentence(nodes):
    await nodes.database.__aexit__()
    with pytest.raises(AdminError, match=r"\.$"):
        await nodes.north.perform("bans")


async def test_all_keys_of_an_account_are_banned_and_parted(nodes):
    async with nodes.database.pooled_connection() as db:
        await db.execute("INSERT INTO bound VALUES ($1, $2)", OTHER, ADA)
    assert OTHER in await nodes.south.perform("ban", who=ADA)
    assert OTHER in await nodes.north.perform("bans")
    assert await nodes.north.perform("unbind", who="ada") == f"{OTHER} has an account of its own again."
    with pytest.raises(AdminError, match="joined no account"):
        await nodes.south.perform("unbind", who="ada")


async def test_a_parted_key_is_disconnected_at_any_gateway_and_loses_its_codes(nodes):
    async with nodes.database.pooled_connection() as db:
        await db.execute("INSERT INTO bound VALUES ($1, $2)", ADA, OTHER)
        await db.execute("INSERT INTO offers VALUES ('code', $1, clock_timestamp() + interval '1 hour')", OTHER)
    await nodes.south.perform("unbind", who=ADA)
    await until(lambda: nodes.north.front.removed == ["ada"])
    async with nodes.database.pooled_connection() as db:
        assert await db.fetchval("SELECT count(*) FROM offers") == 0, "the parted key may have asked for the code"


async def test_a_player_is_exported_and_forgotten_from_any_node(nodes):
    async with nodes.database.pooled_connection() as db:
        await db.execute("INSERT INTO bound VALUES ($1, $2)", OTHER, ADA)
        await db.execute("INSERT INTO tables VALUES (7, 0, 1, 1, $1, 0)", f'{{"maker":"{ADA}"}}')
    export = {"name": "ada", "keys": [ADA, OTHER], "bans": [], "tables": [{"table": 7}]}
    assert json.loads(await nodes.south.perform("export", who="ada")) == export
    with pytest.raises(AdminError, match="ada is still part of table 7"):
        await nodes.south.perform("forget", who="ada")
    async with nodes.database.pooled_connection() as db:
        await db.execute("DELETE FROM tables")
    await nodes.south.perform("forget", who=OTHER)
    await until(lambda: nodes.north.front.removed == ["ada"])
    with pytest.raises(AdminError, match="No name is stored for “ada”"):
        await nodes.north.perform("export", who="ada")
    async with nodes.database.pooled_connection() as db:
        assert await db.fetchval("SELECT count(*) FROM bound") == 0
