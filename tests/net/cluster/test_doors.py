"""Two real gateways on one PostgreSQL: sessions and codes of a guest count at both."""

import asyncio
from contextlib import asynccontextmanager

from net.cluster.database import Database
from net.cluster.tls import CLUSTER_FILE, Secret, make_secret
from net.limits import Limits
from net.options import AccessOptions
from net.ssh.client.connect import Invitation, JoinError, connect
from tests.net.cluster.doors import gateway
from tests.waiting import until


@asynccontextmanager
async def two_gateways(url, folder, access):
    """Yield the ports of two gateways, and their database."""
    make_secret(folder / CLUSTER_FILE)
    secret = Secret(folder / CLUSTER_FILE)
    async with (
        Database(url) as database,
        gateway(database, secret, "north", folder / "north", access) as north,
        gateway(database, secret, "south", folder / "south", access) as south,
    ):
        yield (north, south), database


def join_gateway(port, folder, code="", key="key"):
    return connect(
        "127.0.0.1",
        port,
        "ada",
        known_hosts=folder / f"known {port}",
        own_key=folder / key,
        on_new_host=lambda *_: True,
        invitation=Invitation(code),
    )


async def try_to_enter(port, folder, code="", key="key"):
    """Enter and leave at once; return the reason for a denial, empty if the guest was admitted."""
    try:
        async with join_gateway(port, folder, code, key):
            return ""
    except JoinError as error:
        return str(error)


async def is_admitted(port, folder):
    return await try_to_enter(port, folder) == ""


async def test_the_session_limit_of_a_key_counts_all_gateways(url, tmp_path):
    access = AccessOptions(limits=Limits(sessions_per_key=1))
    async with two_gateways(url, tmp_path, access) as ((north, south), _):
        async with join_gateway(north, tmp_path):
            assert "Your key already has 1 window open" in await try_to_enter(south, tmp_path)
            assert await try_to_enter(south, tmp_path, key="another") == ""
        await until(lambda: is_admitted(south, tmp_path))


async def test_wrong_codes_at_one_gateway_shut_the_doors_of_all(url, tmp_path):
    limits = Limits(wrong_invitations=2, wrong_invitation_forgiven=1e6)
    access = AccessOptions(invite="double six", limits=limits)
    async with two_gateways(url, tmp_path, access) as ((north, south), _):
        assert await try_to_enter(north, tmp_path, "double six") == ""
        for _ in range(2):
            assert await try_to_enter(north, tmp_path, "guess") != ""
        assert await try_to_enter(south, tmp_path, "double six") != ""


async def test_a_ban_closes_connections_at_every_gateway(url, tmp_path):
    async with two_gateways(url, tmp_path, AccessOptions()) as ((north, south), database):
        async with join_gateway(north, tmp_path) as north_link, join_gateway(south, tmp_path) as south_link:
            async with database.pooled_connection() as db:
                await db.execute("INSERT INTO bans VALUES ('127.0.0.1', '', '2026-11-23')")
                await db.execute("SELECT pg_notify('boneyard', 'bans')")
            for link in (north_link, south_link):
                async with asyncio.timeout(30):
                    while await link.receive() is not None:
                        pass
        assert [await try_to_enter(port, tmp_path) != "" for port in (north, south)] == [True, True]
        async with database.pooled_connection() as db:
            await db.execute("DELETE FROM bans")
            await db.execute("SELECT pg_notify('boneyard', 'bans')")
        await until(lambda: is_admitted(north, tmp_path))


async def test_without_its_database_a_gateway_counts_alone_without_blocking(url, tmp_path, monkeypatch):
    access = AccessOptions(limits=Limits(sessions_per_key=1, leave_timeout=0.1))
    async with two_gateways(url, tmp_path, access) as ((north, south), database):
        pooled_connection = database.pooled_connection

        @asynccontextmanager
        async def hang():
            await asyncio.sleep(60)
            yield

        async with join_gateway(north, tmp_path):
            monkeypatch.setattr(database, "pooled_connection", hang)
            async with join_gateway(south, tmp_path):
                assert "Your key already has" in await try_to_enter(south, tmp_path), "its own limit holds"
            monkeypatch.setattr(database, "pooled_connection", pooled_connection)
            await until(lambda: try_to_enter(south, tmp_path))
