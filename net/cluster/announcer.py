"""Tells the gateways how the tables of a host are now, a few times a second at most."""

from collections.abc import Callable, Iterable, Mapping

import msgspec

from net.cluster.database import Database
from net.cluster.directory import Listed
from net.cluster.errors import ClusterError
from net.table.table import Table

TABLES = "tables"
"""What is told when the lists of tables are others."""
_encode = msgspec.msgpack.Encoder().encode
_LIST = """
INSERT INTO listed (number, listed)
SELECT given.number, given.listed FROM unnest($2::bigint[], $3::bytea[]) AS given (number, listed)
    JOIN tables ON tables.number = given.number AND tables.owner = $1
ON CONFLICT (number) DO UPDATE SET listed = excluded.listed, changed = pg_current_xact_id()
RETURNING number
"""


class Announcer:
    """What the gateways have been told of the tables of one host, and what they have yet to be told."""

    def __init__(
        self,
        database: Database,
        tables: Callable[[], Mapping[int, Table]],
        clock: Callable[[], float],
        opened_from: Callable[[int], str] = lambda _number: "",
    ) -> None:
        """`clock` tells the time of the tables, in seconds, and `opened_from` from which address one was opened."""
        self._database = database
        self._tables = tables
        self._clock = clock
        self._opened_from = opened_from
        self._touched: set[int] = set()
        self._told: dict[int, bytes] = {}

    def touch(self, numbers: Iterable[int]) -> None:
        """Note tables that may look different now."""
        self._touched.update(numbers)

    def forget(self, numbers: Iterable[int]) -> None:
        """Note tables that are no longer this host's."""
        for number in numbers:
            self._touched.discard(number)
            self._told.pop(number, None)

    async def announce(self, owner: int, node: str) -> bool:
        """Write what is different; return whether anything was. What could not be written waits.

        Raises ClusterError.
        """
        tables, now = self._tables(), self._clock()
        touched, self._touched = self._touched, set()
        fresh = {
            number: _encode(listed(tables[number], node, now, self._opened_from(number)))
            for number in touched
            if number in tables
        }
        fresh = {number: told for number, told in fresh.items() if told != self._told.get(number)}
        if not fresh:
            return False
        try:
            async with self._database.borrowed() as db:
                rows = await db.fetch(_LIST, owner, list(fresh), list(fresh.values()))
        except ClusterError:
            self._touched |= fresh.keys()
            raise
        written = {number for (number,) in rows}
        self._told |= {number: fresh[number] for number in written}
        self._touched |= fresh.keys() - written  # not saved yet
        return bool(written)


def listed(table: Table, node: str, now: float, address: str = "") -> Listed:
    """A table as gateways know it, opened from an address."""
    return Listed(table.info(now), node, tuple(chair.token for chair in table.seats.chairs), table.maker, address)
