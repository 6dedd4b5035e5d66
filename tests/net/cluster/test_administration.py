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


class Somewhere:
    """A node that is administered; requests arrive as `boneyard admin` sends them."""

    def __init__(self, database, member, front=None, directory=None, server=None):
        self.member = member
        self.front = front
        self.beating = asyncio.ensure_future(member.run())
        self.here = Administration(
            database, member, lambda: "Drained.", front=front, directory=directory, server=server
        )

    async def perform(self, wish, **more):
        return "\n".join(await self.here.perform({"do": wish, **more}))


@pytest.fixture
async def anywhere(database, join_node):
    """Yield two gateways, with ada at one and bela, who has no key, at the other; and a table host."""
    names = ((ADA, "ada", None), (token_of("bela"), "bela", 2))
    places = {}
    north = await join_node("north", role="gateway", address="")
    south = await join_node("south", role="gateway", address="")
    async with database.pooled_connection() as db:
        for token, name, host in names:
            await db.execute("INSERT INTO names VALUES ($1, $2, $3)", token, name, host and south.id)
    directory = SimpleNamespace(tables={})
    places["north"] = Somewhere(database, north, Front(guest(1, "ada", ADA, "10.0.0.1")), directory)
    places["south"] = Somewhere(database, south, Front(guest(1, "bela", "", "10.0.0.2")), directory)
    yield SimpleNamespace(**places, directory=directory, database=database)
    for place in places.values():
        place.beating.cancel()
        await asyncio.gather(place.beating, return_exceptions=True)


async def test_each_gateway_lists_the_guests_and_the_nodes(anywhere):
    assert await anywhere.north.perform("guests") == f"1  ada  10.0.0.1  {ADA}  lobby"
    assert await anywhere.south.perform("guests") == "1  bela  10.0.0.2  no key  lobby"
    await until(lambda: len(anywhere.north.member.peers) == 2)
    assert await anywhere.north.perform("status") == (
        "1 guest is connected to this gateway.\nnorth  gateway\nsouth  gateway"
    )
    assert await anywhere.north.perform("tables") == "No tables are open."


async def test_a_ban_made_at_one_node_is_in_force_at_all_nodes(anywhere):
    for name in ("ada", ADA):
        assert (await anywhere.south.perform("ban", who=name, why="floods")).endswith("is banned at every gateway.")
    today = (await anywhere.north.perform("bans")).split("since ")[1][:10]
    assert await anywhere.north.perform("bans") == f"{ADA}  ada  since {today}  floods"
    assert await anywhere.north.perform("pardon", who=ADA) == f"{ADA} is no longer banned."
    assert await anywhere.south.perform("bans") == "Nobody is banned."
    with pytest.raises(AdminError, match="is not banned"):
        await anywhere.south.perform("pardon", who=ADA)


async def test_a_guest_without_a_key_is_banned_by_the_address_that_their_gateway_shows(anywhere):
    with pytest.raises(AdminError, match="bela has no key, and is not at this gateway"):
        await anywhere.north.perform("ban", who="bela")
    with pytest.raises(AdminError, match=r"bela has no key, only the address 10\.0\.0\.2"):
        await anywhere.south.perform("ban", who="bela")
    assert await anywhere.north.perform("ban", who="10.0.0.2") == "The address 10.0.0.2 is banned at every gateway."
    assert "10.0.0.2" in await anywhere.south.perform("bans")


async def test_a_ban_with_an_end_is_lifted_by_any_node(anywhere, monkeypatch):
    monkeypatch.setattr(administration, "BAN_CHECK_INTERVAL", 0.0)
    assert " at every gateway until 20" in await anywhere.north.perform("ban", who="10.0.0.2", **{"for": "7d"})
    await anywhere.south.here._write_entries(
        [Banned(ADA, "", "2026-01-01/2026-01-08T12:00Z"), Banned(OTHER, "", "2026-01-01")]
    )
    await anywhere.south.here.end_bans()
    bans = await anywhere.north.perform("bans")
    assert ADA not in bans
    assert OTHER in bans
    assert "10.0.0.2" in bans


async def test_a_pardon_takes_the_name_of_a_key(anywhere):
    await anywhere.north.perform("ban", who="ada")
    assert (await anywhere.north.perform("bans")).startswith(f"{ADA}  ada  since 20")
    assert await anywhere.south.perform("pardon", who="ada") == f"{ADA} is no longer banned."


async def test_an_announcement_and_a_notice_of_the_operator_reach_every_lobby(anywhere):
    await anywhere.north.perform("announce", text="Tea is ready.")
    await until(lambda: anywhere.south.front.announced == anywhere.north.front.announced == ["Tea is ready."])
    await anywhere.south.perform("notice", text="Cup on Friday")
    await until(lambda: anywhere.north.front.announced[1:] == ["Cup on Friday"])
    async with anywhere.database.pooled_connection() as db:
        assert await db.fetchval("SELECT text FROM notice") == "Cup on Friday"
    assert await anywhere.north.perform("notice", text="") == "There is no notice any more."
    async with anywhere.database.pooled_connection() as db:
        assert await db.fetchval("SELECT text FROM notice") is None


async def test_a_maintenance_is_announced_at_every_gateway(anywhere):
    assert "countdown of 5 minutes" in await anywhere.north.perform("maintenance", minutes="5")
    await until(lambda: anywhere.south.front.announced == anywhere.north.front.announced != [])
    assert "in 5 minutes" in anywhere.south.front.announced[0]
    with pytest.raises(AdminError, match="write 1 to"):
        await anywhere.north.perform("maintenance", minutes="soon")


async def test_a_disconnected_key_is_disconnected_at_every_gateway(anywhere):
    await anywhere.north.perform("kick", who="bela")
    await until(lambda: anywhere.south.front.removed == ["bela"])
    await anywhere.south.perform("kick", who="10.0.0.1", kind="address")
    await until(lambda: anywhere.north.front.removed == ["ada"])
    with pytest.raises(AdminError, match="the name of anybody connected or known"):
        await anywhere.north.perform("kick", who="nobody")


async def test_tables_are_closed_and_spoken_to_from_anywhere(anywhere):
    node = await Node(anywhere.database, "east").start()
    here = Administration(anywhere.database, node.keeper.member, lambda: "", server=node.server)
    try:
        chen = await node.add_guest("chen")
        chen.client.make_table(MakeTable("draw", 2, {}))
        await until(lambda: node.tables)
        (number,) = node.tables
        await anywhere.north.perform("announce", text="Tea is ready.")
        await until(lambda: any(getattr(message, "text", "") == "Tea is ready." for message in chen.received))
        assert str(number) in "\n".join(await here.perform({"do": "tables"}))
        with pytest.raises(AdminError, match="no table twelve"):
            await anywhere.north.perform("close", who="twelve")
        await anywhere.north.perform("close", who=str(number))
        await until(lambda: not node.tables)
        await gone(anywhere.database, number)
        with pytest.raises(AdminError, match=f"no table {number}"):
            await anywhere.north.perform("close", who=str(number))

        async with anywhere.database.pooled_connection() as db:
            await db.execute("INSERT INTO tables VALUES (77, 0, 1, 1, '', 0, 'it is broken')")
        node.keeper.lobby.quarantined_tables.add(77, [])
        answer = await anywhere.south.perform("close", who="77")
        assert answer == "Table 77, which could not be resumed, is dropped; its record so far is kept."
        await gone(anywhere.database, 77)
        assert 77 not in node.keeper.lobby.quarantined_tables.tables
        assert "Everything is saved." in await here.perform({"do": "status"})
    finally:
        await node.stop()


async def gone(database, number):
    """Wait until the database no longer has a table."""

    async def is_gone():
        async with database.pooled_connection() as db:
            return not await db.fetchval("SELECT 1 FROM tables WHERE number = $1", number)

    await until(is_gone, interval=0.02)


async def test_an_invalid_request_is_refused(anywhere):
    for request in (7, {}, {"do": "dance"}):
        with pytest.raises(AdminError):
            await anywhere.north.here.perform(request)
    with pytest.raises(AdminError, match="is none of"):
        await anywhere.north.perform("kick", who="ada", kind="shoe")


async def test_a_malformed_order_of_another_node_is_ignored(anywhere):
    for order in ("order ", "order {}", 'order {"do": "kick", "kind": "shoe", "value": "ada"}', "order [1]"):
        anywhere.north.here._on_notice(order)
    assert anywhere.north.front.removed == []


async def test_a_node_drains_on_request(anywhere):
    assert await anywhere.north.perform("drain") == "Drained."


async def test_without_the_database_the_operator_gets_a_sentence(anywhere):
    await anywhere.database.__aexit__()
    with pytest.raises(AdminError, match=r"\.$"):
        await anywhere.north.perform("bans")


async def test_all_keys_of_an_account_are_banned_and_parted(anywhere):
    async with anywhere.database.pooled_connection() as db:
        await db.execute("INSERT INTO bound VALUES ($1, $2)", OTHER, ADA)
    assert OTHER in await anywhere.south.perform("ban", who=ADA)
    assert OTHER in await anywhere.north.perform("bans")
    assert await anywhere.north.perform("unbind", who="ada") == f"{OTHER} has an account of its own again."
    with pytest.raises(AdminError, match="joined no account"):
        await anywhere.south.perform("unbind", who="ada")


async def test_a_parted_key_is_disconnected_at_any_gateway_and_loses_its_codes(anywhere):
    async with anywhere.database.pooled_connection() as db:
        await db.execute("INSERT INTO bound VALUES ($1, $2)", ADA, OTHER)
        await db.execute("INSERT INTO offers VALUES ('code', $1, clock_timestamp() + interval '1 hour')", OTHER)
    await anywhere.south.perform("unbind", who=ADA)
    await until(lambda: anywhere.north.front.removed == ["ada"])
    async with anywhere.database.pooled_connection() as db:
        assert await db.fetchval("SELECT count(*) FROM offers") == 0, "whoever has left may have asked for it"


async def test_a_player_is_exported_and_forgotten_from_any_node(anywhere):
    async with anywhere.database.pooled_connection() as db:
        await db.execute("INSERT INTO bound VALUES ($1, $2)", OTHER, ADA)
        await db.execute("INSERT INTO tables VALUES (7, 0, 1, 1, $1, 0)", f'{{"maker":"{ADA}"}}')
    person = {"name": "ada", "keys": [ADA, OTHER], "bans": [], "tables": [{"table": 7}]}
    assert json.loads(await anywhere.south.perform("export", who="ada")) == person
    with pytest.raises(AdminError, match="ada is still part of table 7"):
        await anywhere.south.perform("forget", who="ada")
    async with anywhere.database.pooled_connection() as db:
        await db.execute("DELETE FROM tables")
    await anywhere.south.perform("forget", who=OTHER)
    await until(lambda: anywhere.north.front.removed == ["ada"])
    with pytest.raises(AdminError, match="No name is stored for “ada”"):
        await anywhere.north.perform("export", who="ada")
    async with anywhere.database.pooled_connection() as db:
        assert await db.fetchval("SELECT count(*) FROM bound") == 0
