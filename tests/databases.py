"""A temporary PostgreSQL for tests: a server for each worker of pytest, a fresh database for each test."""

import asyncio
import os
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import count
from typing import Any

import asyncpg
import pytest

from net.cluster.database import Database
from scripts.postgres import NoPostgres, programs, throwaway

REQUIRED = "BONEYARD_POSTGRES"
"""If this variable is `required`, a missing PostgreSQL is a failure, as in CI."""
TEMPLATE = "made"
"""The database that others are copies of."""
_numbers = count(1)
_unused_databases: dict[int, list[str]] = {}
"""Databases for the next tests, by the port of their server."""
_own_additions: set[str] = set()
"""Names of the constraints and functions that the cluster itself makes."""
ADDITIONS = """SELECT conname FROM pg_constraint WHERE contype = 'c' AND connamespace = 'boneyard'::regnamespace
UNION ALL SELECT proname FROM pg_proc WHERE pronamespace = 'boneyard'::regnamespace"""


@pytest.fixture(scope="session")
def postgres():
    """Yield a running server; without PostgreSQL, the test is skipped with the reason."""
    need_postgres()
    with throwaway() as server:
        yield server


def need_postgres():
    """Skip the test with the reason if there is no PostgreSQL; fail it if one is required."""
    try:
        programs()
    except NoPostgres as error:
        if os.environ.get(REQUIRED) == "required":
            pytest.fail(f"{error} {REQUIRED}=required makes this a failure.")
        pytest.skip(str(error))


@pytest.fixture
def empty_database(postgres):
    """Yield the URL of an empty database."""
    yield from fresh_database(postgres, "template0")


@pytest.fixture(scope="session")
def template(postgres):
    """Return a server with a database from which those with the cluster's tables are copied."""

    async def make():
        async with Database(postgres.url(TEMPLATE)):
            pass

    run_statements(postgres, f"CREATE DATABASE {TEMPLATE} TEMPLATE template0")
    _run(make())
    _own_additions.update(query_database(postgres.url(TEMPLATE), _additions))
    return postgres


def fresh_database(server, template):
    """Yield the URL of a copy of a database."""
    name = f"test_{next(_numbers)}"
    run_statements(server, f"CREATE DATABASE {name} TEMPLATE {template}")
    yield server.url(name)
    run_statements(server, f"DROP DATABASE IF EXISTS {name} WITH (FORCE)")


def reusable_database(server):
    """Yield the URL of an empty database with the cluster's tables: it may be reused after its test.

    A copy of a database costs ten times as much.
    """
    unused = _unused_databases.setdefault(server.port, [])
    if unused:
        name = unused.pop()
    else:
        name = f"made_{next(_numbers)}"
        run_statements(server, f"CREATE DATABASE {name} TEMPLATE {TEMPLATE}")
    yield server.url(name)
    if query_database(server.url(name), _empty_tables):
        unused.append(name)


async def _empty_tables(db):
    """Empty all tables; return True if they are unchanged otherwise."""
    await db.execute(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
        "WHERE datname = current_database() AND pid <> pg_backend_pid()"
    )
    tables = await db.fetch(
        "SELECT tablename FROM pg_tables WHERE schemaname = 'boneyard' AND tablename <> 'version'"
    )
    for table in tables:
        await db.execute(f'DELETE FROM boneyard."{table[0]}"')
    for sequence in await db.fetch("SELECT sequencename FROM pg_sequences WHERE schemaname = 'boneyard'"):
        await db.execute(f'ALTER SEQUENCE boneyard."{sequence[0]}" RESTART')
    return await _additions(db) == _own_additions


async def _additions(db):
    """Return the names of all constraints and functions; a test may have made more."""
    return {row[0] for row in await db.fetch(ADDITIONS)}


def run_statements(server, *statements, database="postgres"):
    """Run some statements at a server, whichever event loop runs in this thread."""

    async def ask(connection):
        for statement in statements:
            await connection.execute(statement)

    query_database(server.url(database), ask)


def query_database(url, query: Callable[[asyncpg.Connection], Awaitable[Any]]):
    """Return the result of `query(connection)` over a connection of its own, whichever event loop runs here."""

    async def ask():
        connection = await asyncpg.connect(url)
        try:
            return await query(connection)
        finally:
            await connection.close()

    return _run(ask())


def _run(coroutine):
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, coroutine).result()
