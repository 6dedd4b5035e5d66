"""A PostgreSQL to throw away for tests: a server for each worker of pytest, a fresh database for each test."""

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
"""Set to `required`, this variable makes it a failure that there is no PostgreSQL, as CI does."""
TEMPLATE = "made"
"""The database that others are copies of."""
_numbers = count(1)


@pytest.fixture(scope="session")
def postgres():
    """A running server; without one, the test is skipped and says why."""
    need_postgres()
    with throwaway() as server:
        yield server


def need_postgres():
    """Skip the test, and say why, where no PostgreSQL can be had; or let it fail."""
    try:
        programs()
    except NoPostgres as error:
        if os.environ.get(REQUIRED) == "required":
            pytest.fail(f"{error} {REQUIRED}=required makes this a failure.")
        pytest.skip(str(error))


@pytest.fixture
def empty_database(postgres):
    """The URL of a database in which nothing is yet."""
    yield from fresh_database(postgres, "template0")


@pytest.fixture(scope="session")
def template(postgres):
    """A server with a database from which those with the cluster's tables are copied."""

    async def make():
        async with Database(postgres.url(TEMPLATE)):
            pass

    ordered(postgres, f"CREATE DATABASE {TEMPLATE} TEMPLATE template0")
    _run(make())
    return postgres


def fresh_database(server, template):
    """Yield the URL of a copy of a database."""
    name = f"test_{next(_numbers)}"
    ordered(server, f"CREATE DATABASE {name} TEMPLATE {template}")
    yield server.url(name)
    ordered(server, f"DROP DATABASE IF EXISTS {name} WITH (FORCE)")


def ordered(server, *statements, database="postgres"):
    """Have a server carry out some statements, whichever event loop runs in this thread."""

    async def ask(connection):
        for statement in statements:
            await connection.execute(statement)

    asked(server.url(database), ask)


def asked(url, what: Callable[[asyncpg.Connection], Awaitable[Any]]):
    """What a coroutine with a connection of its own returns."""

    async def ask():
        connection = await asyncpg.connect(url)
        try:
            return await what(connection)
        finally:
            await connection.close()

    return _run(ask())


def _run(coroutine):
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, coroutine).result()
