"""Connections to the database have the settings on which the statements rely."""

import pytest

from net.cluster.database import ClusterError, Database


async def test_every_connection_is_set_up(database):
    connection = await database.connect(synchronous_commit="off")
    async with database.pooled_connection() as shared:
        for db in (connection, shared):
            assert await db.fetchval("SHOW jit") == "off"
            assert await db.fetchval("SHOW search_path") == "boneyard"
            assert await db.fetchval("SHOW idle_in_transaction_session_timeout") == "2s"
        assert await connection.fetchval("SHOW synchronous_commit") == "off"
    await connection.close()


async def test_a_shared_connection_that_broke_is_replaced(database):
    async with database.pooled_connection() as db:
        process = await db.fetchval("SELECT pg_backend_pid()")
    administrator = await database.connect()
    await administrator.execute("SELECT pg_terminate_backend($1)", process)
    await administrator.close()
    for _ in range(5):  # a connection may be borrowed once before it is known to be broken
        try:
            async with database.pooled_connection() as db:
                assert await db.fetchval("SELECT 1") == 1
                break
        except ClusterError:
            continue
    else:
        pytest.fail("it was not replaced")


async def test_a_database_that_is_not_open_says_so(url):
    with pytest.raises(ClusterError, match="is not open"):
        async with Database(url).pooled_connection():
            pass
