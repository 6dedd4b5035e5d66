"""Who has opened how many of a cluster's tables: limits that hold however many gateways are asked at once."""

from collections.abc import Mapping

from net.cluster.database import Database
from net.cluster.directory import Listed
from net.host.table_host import check_room

LASTS = 10.0
"""Seconds for which a table counts that is about to be opened: by then it is noted, or listed, or there is none."""
# Of two gateways that ask at once for one player or one address, one waits for the other.
_ALONE = """
SELECT pg_advisory_xact_lock(key) FROM (
    SELECT DISTINCT hashtextextended('tables of ' || whose, 0) AS key FROM unnest($1::text[]) AS whose ORDER BY key
) AS keys
"""
_OPENED = """
SELECT coalesce("table", -id), maker = $1, address = $2 AND address <> '' FROM openings
WHERE (maker = $1 OR address = $2) AND CASE WHEN "table" IS NULL
    THEN at > clock_timestamp() - $3::float8 * interval '1 s'
    ELSE EXISTS (SELECT FROM tables WHERE number = "table" AND unresumed = '') END
"""
_CLAIM = "INSERT INTO openings (maker, address) VALUES ($1, $2) RETURNING id"
_NOTE = """
WITH there AS (SELECT number FROM tables WHERE number = $2 FOR KEY SHARE)
UPDATE openings SET "table" = there.number FROM there WHERE id = $1
"""
_RELEASE = 'DELETE FROM openings WHERE id = $1 AND "table" IS NULL'
_FORGET = """
DELETE FROM openings WHERE "table" IS NULL AND at < clock_timestamp() - 60 * $1::float8 * interval '1 s'
"""


class Opened:
    """The tables that are open or about to be, by who opened them and from where. All raise ClusterError."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def claim(self, maker: str, address: str, listed: Mapping[int, Listed]) -> int:
        """Count one more table of a player, from an address; return the number of the claim.

        Those that are `listed` count as well: the database does not know from where older programs opened them.
        Raises Illegal when there are as many as there may be.
        """
        own, near = by(maker, address, listed)
        async with self._database.borrowed() as db, db.transaction():
            await db.execute(_ALONE, [maker, address] if address else [maker])
            for number, is_own, is_near in await db.fetch(_OPENED, maker, address, LASTS):
                own |= {number} if is_own else set()
                near |= {number} if is_near else set()
            check_room(0, len(own), len(near))  # how many a host has in all, that host counts
            return int(await db.fetchval(_CLAIM, maker, address))

    async def note(self, claim: int, number: int) -> None:
        """The table is open, and counts as long as it is."""
        async with self._database.borrowed() as db, db.transaction():
            await db.execute(_NOTE, claim, number)
            await db.execute(_RELEASE, claim)  # where it is closed already

    async def release(self, claim: int) -> None:
        """No table is opened after all."""
        async with self._database.borrowed() as db:
            await db.execute(_RELEASE, claim)

    async def forget(self) -> None:
        """Forget claims of which nobody has said what became of them."""
        async with self._database.borrowed() as db:
            await db.execute(_FORGET, LASTS)


def by(maker: str, address: str, listed: Mapping[int, Listed]) -> tuple[set[int], set[int]]:
    """The listed tables of a player, and those opened from an address."""
    own = {number for number, table in listed.items() if table.maker == maker}
    near = {number for number, table in listed.items() if address and table.address == address}
    return own, near
