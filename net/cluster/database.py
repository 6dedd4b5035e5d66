"""Connections to a cluster's database: how they are opened, and a few that many share."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, Self

import asyncpg

from net.cluster.errors import ClusterError, in_words, no_address
from net.cluster.schema import migrate

CONNECT_PATIENCE = 3.0
"""Seconds to wait for a connection; in one building it takes some milliseconds."""
ANSWER_PATIENCE = 5.0
"""Seconds to wait for the answer to one statement."""
SHARED = 4
"""Connections for what is rare. Who saves and who is alive have connections of their own."""
_SETTINGS = {
    "search_path": "boneyard",
    "application_name": "boneyard",
    "jit": "off",  # compiling a plan takes longer than any statement here
    "idle_in_transaction_session_timeout": "2000",  # milliseconds: who sleeps must not keep others out
    "lock_timeout": "4000",
    "tcp_keepalives_idle": "2",  # seconds: what a dead machine has locked is free soon
    "tcp_keepalives_interval": "1",
    "tcp_keepalives_count": "3",
}


class Database:
    """One database of PostgreSQL, with tables of the right version once it is open."""

    def __init__(self, url: str) -> None:
        """`url` is as libpq takes it: postgresql://USER:PASSWORD@HOST:PORT/DATABASE, also with several hosts."""
        self._url = url
        self.where = shown(url)
        """How the database is called in sentences: without user and password."""
        self._pool: asyncpg.Pool | None = None

    async def __aenter__(self) -> Self:
        """Connect, and make or migrate the tables. Raises ClusterError."""
        with in_words(self.where):
            db = await self.connect()
            try:
                await migrate(db, self.where)
            finally:
                await db.close()
            self._pool = await asyncpg.create_pool(min_size=0, max_size=SHARED, **self._options({}))
        return self

    async def __aexit__(self, *_: object) -> None:
        if self._pool is not None:
            self._pool.terminate()

    async def connect(self, **settings: str) -> asyncpg.Connection:
        """Open a connection of one's own; `settings` are PostgreSQL's. Raises ClusterError."""
        with in_words(self.where):
            try:
                return await asyncpg.connect(**self._options(settings))
            except ValueError as error:
                raise no_address(self.where, error) from error

    @asynccontextmanager
    async def borrowed(self) -> AsyncIterator[asyncpg.Connection]:
        """Use one of the shared connections for the length of the block. Raises ClusterError."""
        if self._pool is None:
            raise ClusterError(f"The connection to {self.where} is not open.")
        with in_words(self.where):
            async with self._pool.acquire(timeout=CONNECT_PATIENCE) as db:
                yield db

    def _options(self, settings: dict[str, str]) -> dict[str, Any]:
        return {
            "dsn": self._url,
            "timeout": CONNECT_PATIENCE,
            "command_timeout": ANSWER_PATIENCE,
            "server_settings": {**_SETTINGS, **settings},
        }


def shown(url: str) -> str:
    """A database's address without user, password and parameters."""
    return url.partition("://")[2].partition("?")[0].rpartition("@")[2] or "no address"
