"""The directory in the database: every gateway soon learns of every change at any node."""

import asyncio
import contextlib

import msgspec
import pytest
from msgspec.structs import replace

from core.layout.state import NOBODY
from net.cluster.database import ClusterError
from net.cluster.database_directory import StoredDirectory, forget_closed
from net.cluster.directory import DirectoryEntry
from net.cluster.keeper import TABLES, Announcer, OrphanClaims
from net.cluster.membership import CHANNEL
from net.cluster.store import ClusterStore
from net.host.presence import Roster
from net.limits import CHAT_LENGTH, PEOPLE_NAMED
from net.players.accounts import BanLifted, Banned
from net.storage.sqlite import QuarantinedTable
from net.table.persistence import Batch, Change
from net.wire.link import pack, unpack
from net.wire.messages import MakeTable, Said, ToHost, Watch
from tests.net.cluster.test_membership import send_heartbeats, until
from tests.net.party import Party


class TableNode:
    """A node with some tables, which it stores and announces."""

    def __init__(self, database, member):
        self.member = member
        self.party = Party()
        self.store = ClusterStore(database, lambda: member.id, lambda _: None)
        self.announcer = Announcer(database, lambda: self.party.lobby.tables, lambda: 0.0)
        for number in (1, 2, 3):
            self.party.come(number, f"player {number}", f"key {number}")
            self.party.say(number, MakeTable("draw", 2, {}))

    async def announce(self, *changes):
        """Save these changes, or all tables, and announce all tables."""
        numbers = list(self.party.lobby.tables)
        await self.store.write(Batch(list(changes or self.party.lobby.save_all().changes)))
        self.announcer.mark_changed(numbers)
        if await self.announcer.announce(self.member.id, self.member.node) or changes:
            self.member.notify(TABLES)


@contextlib.asynccontextmanager
async def keep_directories(database, *members):
    """Yield a directory for each member, which follows the changes in the database."""
    directories = [StoredDirectory(database, member) for member in members]
    for directory in directories:
        await directory.open()
    tasks = [asyncio.ensure_future(directory.keep()) for directory in directories]
    try:
        yield directories
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


@pytest.fixture
async def cluster(database, join_node):
    """Yield a node with tables, a gateway with its directory, and the changes that it was notified of."""
    host, gateway = (
        await join_node("north", address="10.0.0.1:2"),
        await join_node("gate", role="gateway", address=""),
    )
    node = TableNode(database, host)
    async with send_heartbeats(host, gateway), keep_directories(database, gateway) as (directory,):
        yield node, directory, gateway
    await node.store.aclose()


async def test_a_table_that_cannot_be_read_hides_no_other(cluster, database):
    node, directory, _ = cluster
    await node.announce()
    await until(lambda: len(directory.tables) == 3)
    async with database.pooled_connection() as db:
        await db.execute("UPDATE listed SET listed = $1, changed = pg_current_xact_id() WHERE number = 2", b"\xc1")
        await db.execute("DELETE FROM tables WHERE number = 3")
        await db.execute("INSERT INTO closed (number) VALUES (3)")
    node.member.notify(TABLES)
    await until(lambda: 3 not in directory.tables)
    assert 1 in directory.tables


async def test_a_cluster_may_have_had_more_than_a_million_tables(cluster, database):
    node, directory, _ = cluster
    await node.announce()
    async with database.pooled_connection() as db:
        first_entry = msgspec.msgpack.decode(
            await db.fetchval("SELECT listed FROM listed WHERE number = 1"), type=DirectoryEntry
        )
        entry = replace(first_entry, info=replace(first_entry.info, id=10**9))
        await db.execute("UPDATE tables SET number = $1 WHERE number = 1", entry.info.id)
        await db.execute(
            "INSERT INTO listed (number, listed) VALUES ($1, $2)", entry.info.id, msgspec.msgpack.encode(entry)
        )
    await until(lambda: entry.info.id in directory.tables)
    assert unpack(pack(Watch(entry.info.id)), ToHost) == Watch(entry.info.id)


async def test_a_gateway_learns_of_tables_of_their_changes_and_of_their_end(cluster):
    node, directory, _ = cluster
    changes = []
    stop = directory.changes.add(changes.append)
    await node.announce()
    await until(lambda: len(directory.tables) == 3)
    assert {1, 2, 3} <= set().union(*changes)
    assert directory.tables[2].host == "north"
    assert directory.tables[2].tokens == ("key 2", "")
    assert directory.hosts["north"].address == "10.0.0.1:2"

    changes.clear()
    node.party.come(9, "watcher", "key 9")
    node.party.say(9, Watch(2))
    await node.announce()
    await until(lambda: directory.tables[2].info.watchers == 1)
    assert set().union(*changes) == {2}
    await node.announce(Change(3, None))
    await until(lambda: 3 not in directory.tables)
    stop()
    changes.clear()
    await node.announce(Change(2, None))
    await until(lambda: 2 not in directory.tables)
    assert changes == []


async def test_a_table_has_no_host_until_another_takes_it_over(cluster, join_node, database):
    node, directory, _ = cluster
    await node.announce()
    await until(lambda: len(directory.tables) == 3)
    south = await join_node("south")
    async with send_heartbeats(south):
        await node.member.leave()
        await until(lambda: {table.host for table in directory.tables.values()} == {""})
        await OrphanClaims(database).claim(south.id, 1)
        south.notify(TABLES)
        await until(lambda: {table.host for table in directory.tables.values()} == {"south"})


async def test_a_change_that_is_committed_late_is_not_missed(cluster, database):
    """Its number is lower than those of changes that were seen meanwhile."""
    node, directory, _ = cluster
    await node.announce()
    await until(lambda: len(directory.tables) == 3)
    late = await database.connect()
    transaction = late.transaction()
    await transaction.start()
    await late.execute("DELETE FROM tables WHERE number = 1")
    await late.execute("INSERT INTO closed (number) VALUES (1)")
    for watcher in (11, 12, 13):
        node.party.come(watcher, f"watcher {watcher}", f"key {watcher}")
        node.party.say(watcher, Watch(2))
        await node.announce(*[change for change in node.party.lobby.save_all().changes if change.table == 2])
        await until(lambda watcher=watcher: directory.tables[2].info.watchers == watcher - 10)
    assert 1 in directory.tables
    await transaction.commit()
    await until(lambda: 1 not in directory.tables)
    await late.close()


async def test_a_table_that_cannot_be_resumed_is_not_listed(cluster, database):
    node, directory, _ = cluster
    await node.announce()
    await until(lambda: len(directory.tables) == 3)
    await OrphanClaims(database).quarantine(node.member.id, QuarantinedTable(2, "broken", ()))
    await until(lambda: set(directory.tables) == {1, 3})


async def test_a_ban_reaches_every_gateway_within_a_second(cluster, database, join_node):
    node, directory, _ = cluster
    other_gateway = await join_node("other gate", role="gateway", address="")
    async with send_heartbeats(other_gateway), keep_directories(database, other_gateway) as (other_directory,):
        await node.store.write(Batch(account_entries=[Banned("key E", "floods", "2026-11-20")]))
        await until(lambda: "key E" in directory.bans and "key E" in other_directory.bans, 1.0)
        assert other_directory.bans["key E"].why == "floods"
        await node.store.write(Batch(account_entries=[BanLifted("key E")]))
        await until(lambda: not directory.bans and not other_directory.bans, 1.0)


async def test_guests_of_a_gateway_are_known_at_all_others_as_long_as_it_lives(cluster, join_node, database):
    _, directory, gateway = cluster
    other_gateway, changes = await join_node("other gate", role="gateway", address=""), []
    async with (
        send_heartbeats(other_gateway) as (heartbeats,),
        keep_directories(database, other_gateway) as (other_directory,),
    ):
        directory.changes.add(changes.append)
        directory.publish_roster(Roster.from_names(["ada", "bela"]))
        assert directory.roster == Roster(("ada", "bela"), 2), "at once"
        other_directory.publish_roster(
            Roster.from_names(["bela", *(f"guest {number}" for number in range(PEOPLE_NAMED))])
        )
        await until(lambda: other_directory.roster.count == directory.roster.count == PEOPLE_NAMED + 2)
        assert other_directory.roster.names[0] == "bela"
        assert directory.roster.names[:3] == ("ada", "bela", "guest 0")
        assert changes == [set()]

        expired_id = gateway.id
        async with database.pooled_connection() as db:
            await db.execute("DELETE FROM hosts WHERE id = $1", expired_id)
        await until(lambda: gateway.id != expired_id)
        await until(lambda: other_directory.roster.count == PEOPLE_NAMED + 2)  # it has published its names again
        heartbeats.cancel()  # a heartbeat on its way would find that the node is gone, and register it again
        await asyncio.wait([heartbeats])
        await other_gateway.leave()
        await until(lambda: directory.roster == Roster(("ada", "bela"), 2))


async def test_chat_of_one_lobby_reaches_all_others_once_whatever_its_text(cluster, join_node, database):
    _, directory, _ = cluster
    other_gateway, received, received_elsewhere = await join_node("other gate", role="gateway", address=""), [], []
    async with send_heartbeats(other_gateway), keep_directories(database, other_gateway) as (other_directory,):
        directory.chat.add(received.append)
        stop = other_directory.chat.add(received_elsewhere.append)
        messages = [Said("ada", NOBODY, text) for text in ("'); DROP TABLE boneyard.hosts --", '{"}', "\\ é 🂡" * 30)]
        messages.append(Said("ᄁ" * 16, NOBODY, "🁫" * CHAT_LENGTH))
        for message in messages:
            directory.say(message)
        await until(lambda: len(received_elsewhere) == len(messages))
        async with database.pooled_connection() as db:
            for payload in ("", "{", '{"node": 7}', '{"node": "x", "name": "eve", "text": 3}'):
                await db.execute("SELECT pg_notify($1, $2)", CHANNEL, f"said {payload}")
        other_directory.say(Said("bela", NOBODY, "and me"))
        await until(lambda: received)
        assert received_elsewhere == messages
        assert received == [Said("bela", NOBODY, "and me")]
        stop()


async def test_chat_during_an_outage_of_the_database_stays_local_and_is_not_sent_later(cluster):
    _, directory, gateway = cluster
    read_changes, attempts = directory._read_changes, []

    async def fail():
        attempts.append(1)
        raise ClusterError("gone")

    directory._read_changes = fail
    directory.say(Said("ada", NOBODY, "hello"))
    await until(lambda: attempts)
    notices = []
    gateway.notices.add(notices.append)
    directory._read_changes = read_changes
    directory.say(Said("ada", NOBODY, "again"))
    await until(lambda: any("again" in notice for notice in notices))
    assert not any("hello" in notice for notice in notices)


async def test_of_two_gateways_that_want_one_name_one_gets_it(cluster, database, join_node):
    _, directory, _ = cluster
    other_gateway = await join_node("other gate", role="gateway", address="")
    async with keep_directories(database, other_gateway) as (other_directory,):
        owners = await asyncio.gather(
            directory.claim_name("code 1", "Ada", remember=False),
            other_directory.claim_name("key 2", "Ada", remember=True),
        )
        assert sorted(owners) in (["", "code 1"], ["", "key 2"])
        await directory.release_name("code 1")
        await other_directory.release_name("key 2")
        assert await other_directory.claim_name("key 2", "Ada", remember=True) == ""
        assert await directory.name_of("key 2") == "Ada"


async def test_a_gateway_whose_lease_expired_claims_the_names_of_its_guests_again(cluster, database):
    _, directory, gateway = cluster
    await directory.claim_name("code 1", "Ada", remember=False)
    expired_id = gateway.id
    async with database.pooled_connection() as db:
        await db.execute("DELETE FROM hosts WHERE id = $1", expired_id)
    await until(lambda: gateway.id != expired_id)
    await until(lambda: not directory._must_reclaim_names)

    assert await directory.claim_name("key B", "Ada", remember=True) == "code 1"


async def test_without_an_answer_a_name_is_refused_with_an_error_and_the_lists_stay(cluster, database):
    node, directory, _ = cluster
    await node.announce()
    await until(lambda: len(directory.tables) == 3)
    database._pool.terminate()
    with pytest.raises(ClusterError):
        await directory.claim_name("key A", "Ada", remember=True)
    with pytest.raises(OSError, match="cannot be reached"):
        await directory.name_of("key A")
    await until(lambda: directory._error is not None)
    assert len(directory.tables) == 3


async def test_tables_closed_long_ago_are_deleted(cluster, database):
    node, _, _ = cluster
    await node.announce()
    await node.announce(Change(3, None))
    await forget_closed(database)
    async with database.pooled_connection() as db:
        assert await db.fetchval("SELECT count(*) FROM closed") == 1
        await db.execute("UPDATE closed SET at = at - interval '1 hour'")
    await forget_closed(database)
    async with database.pooled_connection() as db:
        assert await db.fetchval("SELECT count(*) FROM closed") == 0


async def test_a_key_joins_an_account_by_a_code_from_any_gateway_and_parts_again(database, join_node):
    async with keep_directories(database, await join_node("one"), await join_node("two")) as (north, south):
        code = await north.offer("SHA256:A")
        assert await south.bind("SHA256:B", "wrong") == ""
        assert await south.bind("SHA256:B", code.upper()) == "SHA256:A"
        assert await north.bind("SHA256:C", code) == ""
        assert await north.account_of("SHA256:B") == "SHA256:A"
        assert await south.bind("SHA256:A", await north.offer("SHA256:Z")) == "SHA256:Z"
        assert await north.account_of("SHA256:B") == "SHA256:Z"
        assert await north.unbind("SHA256:B")
        assert not await north.unbind("SHA256:B")
        assert await south.account_of("SHA256:B") == "SHA256:B"


async def test_the_codes_of_an_account_are_void_once_a_key_leaves_it(database, join_node):
    async with keep_directories(database, await join_node("one")) as (directory,):
        assert await directory.bind("B", await directory.offer("A")) == "A"
        code_of_a, code_of_c = await directory.offer("A"), await directory.offer("C")
        await directory.unbind("B")
        assert await directory.bind("D", code_of_a) == ""
        assert await directory.bind("C", await directory.offer("A")) == "A"
        assert await directory.bind("D", code_of_c) == ""


async def test_keys_are_limited_per_account_and_in_the_whole_cluster(database, join_node, monkeypatch):
    monkeypatch.setattr("net.cluster.database_directory.KEYS_PER_ACCOUNT", 3)
    async with keep_directories(database, await join_node("one")) as (directory,):
        for key, token in (("B", "A"), ("C", "A"), ("E", "D")):
            assert await directory.bind(key, await directory.offer(token)) == token
        assert await directory.bind("F", await directory.offer("A")) == ""
        assert await directory.bind("A", await directory.offer("D")) == "", "it would bring two more along"
        assert await directory.bind("B", await directory.offer("A")) == "A", "it is one of them"

        monkeypatch.setattr("net.cluster.database_directory.MAX_CLUSTER_NAMES", 3)
        async with database.pooled_connection() as db:
            await db.execute("ANALYZE bound")
        assert await directory.bind("F", await directory.offer("D")) == ""
        assert await directory.bind("B", await directory.offer("D")) == "D", "it is bound already"
