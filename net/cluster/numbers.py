"""Numbers for new tables, reserved in blocks, so that opening one asks nobody."""

from net.cluster.database import Database

BLOCK = 100
"""Numbers in one block, as the sequence in the database counts."""
ENOUGH = 50
"""Numbers in hand below which another block is reserved."""


class Numbers:
    """The numbers that no other host will ever give a table."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._free: list[int] = []

    @property
    def next(self) -> int:
        """The number of the next table; 0 when none is in hand."""
        return self._free[0] if self._free else 0

    def take(self) -> int:
        """Give a table the next number."""
        return self._free.pop(0)

    def skip(self, number: int) -> None:
        """Note that a table has this number: in a cluster nobody else can be given it anyway."""

    async def reserve(self) -> None:
        """See that there are enough for a while. Raises ClusterError."""
        while len(self._free) < ENOUGH:
            async with self._database.borrowed() as db:
                first = int(await db.fetchval("SELECT nextval('table_numbers')"))
            self._free += range(first, first + BLOCK)
