"""Taking over the tables that nobody runs: those of a host that died, or that handed them over."""

from collections.abc import Iterable

from msgspec import Struct

from net.cluster.batches import Held
from net.cluster.database import Database
from net.storage.sqlite import Unresumed
from net.table.snapshot import Snapshot, decoded

MOST_AT_ONCE = 50
"""Tables that a host takes over in one go: it has to referee their matches, some 20 ms for a long one."""
_NOBODYS = "unresumed = '' AND NOT EXISTS (SELECT FROM hosts WHERE id = tables.owner)"
_ORPHANS = f"SELECT number FROM tables WHERE {_NOBODYS} ORDER BY number"
_CLAIM = f"""
WITH orphans AS (
    SELECT number FROM tables WHERE number = ANY ($2::bigint[]) AND ({_NOBODYS} OR owner = $1)
        AND EXISTS (SELECT FROM hosts WHERE id = $1)
    ORDER BY number LIMIT $3 FOR UPDATE OF tables SKIP LOCKED
)
UPDATE tables SET owner = $1, epoch = epoch + 1, changed = pg_current_xact_id()
FROM orphans WHERE tables.number = orphans.number
RETURNING tables.number, epoch, sequence, match, kept
"""
_LINES = """
SELECT "table", line FROM lines JOIN unnest($1::bigint[], $2::integer[]) AS given (number, match)
    ON lines."table" = given.number AND lines.match = given.match
ORDER BY "table", lines.number
"""


class Claimed(Struct, frozen=True):
    """A table that is this host's now, as it was when it was last saved."""

    number: int
    held: Held
    kept: str
    lines: tuple[str, ...]

    def snapshot(self) -> Snapshot:
        """The table but for its match. Raises msgspec.DecodeError."""
        return decoded(self.kept)


class Claims:
    """Claims orphans for one host."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._doubtful: set[int] = set()
        """Tables that a claim may have made this host's, had the answer not been lost."""

    async def claim(self, owner: int, hosts: int) -> list[Claimed]:
        """Take over this host's share of the orphans, of so many hosts that may; an empty list when there are none.

        Raises ClusterError.
        """
        async with self._database.borrowed() as db:
            orphans = {number for (number,) in await db.fetch(_ORPHANS)}
            wanted = orphans | self._doubtful
            if not wanted:
                return []
            share = min(MOST_AT_ONCE, -(-len(wanted) // max(1, hosts)))
            self._doubtful = wanted
            async with db.transaction():
                rows = sorted(await db.fetch(_CLAIM, owner, sorted(wanted), share))
                lines: dict[int, list[str]] = {row["number"]: [] for row in rows}
                for number, line in await db.fetch(
                    _LINES, [row["number"] for row in rows], [row["match"] for row in rows]
                ):
                    lines[number].append(line)
            self._doubtful = set()
        return [
            Claimed(number, Held(epoch, sequence, match), kept, tuple(lines[number]))
            for number, epoch, sequence, match, kept in rows
        ]

    async def release(self, owner: int, numbers: Iterable[int]) -> None:
        """Let other hosts take over these tables. Raises ClusterError."""
        async with self._database.borrowed() as db:
            await db.execute(
                "UPDATE tables SET owner = 0 WHERE owner = $1 AND number = ANY ($2::bigint[])", owner, sorted(numbers)
            )
            await db.execute("SELECT pg_notify('boneyard', 'orphans')")

    async def set_aside(self, owner: int, lost: Unresumed) -> None:
        """Note that a table of this host cannot be restored; its lines are a record. Raises ClusterError."""
        async with self._database.borrowed() as db, db.transaction():
            await db.execute(
                """UPDATE tables SET unresumed = $3, owner = 0, tokens = $4, changed = pg_current_xact_id()
                    WHERE number = $2 AND owner = $1""",
                owner,
                lost.table,
                lost.reason,
                list(lost.tokens),
            )
            await db.execute(
                """UPDATE matches SET over = coalesce(matches.over, clock_timestamp()) FROM tables
                    WHERE number = $1 AND matches."table" = number AND matches.match = tables.match
                        AND unresumed <> ''""",
                lost.table,
            )

    async def unresumed(self) -> list[Unresumed]:
        """All tables of the cluster that could not be restored. Raises ClusterError."""
        async with self._database.borrowed() as db:
            rows = await db.fetch(
                "SELECT number, unresumed, tokens FROM tables WHERE unresumed <> '' ORDER BY number"
            )
        return [Unresumed(number, reason, tuple(tokens)) for number, reason, tokens in rows]
