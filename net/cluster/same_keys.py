"""Keeps out of a cluster a node whose secret or host key is another than that of all others.

PostgreSQL has the fingerprints of those of the first node, and nothing from which a key could be made.
"""

from collections.abc import Mapping
from pathlib import Path

from net.cluster.database import Database
from net.cluster.errors import ClusterError


async def check_keys(database: Database, fingerprints: Mapping[Path, str]) -> None:
    """Compare the key files of a node, by path, with those of the cluster; those of its first node are noted.

    Raises ClusterError for a file that differs.
    """
    async with database.borrowed() as db, db.transaction():
        for path, fingerprint in sorted(fingerprints.items()):
            await db.execute(
                "INSERT INTO keys (name, fingerprint) VALUES ($1, $2) ON CONFLICT DO NOTHING", path.name, fingerprint
            )
            noted = await db.fetchval("SELECT fingerprint FROM keys WHERE name = $1", path.name)
            if noted != fingerprint:
                raise ClusterError(
                    f"{path} is {fingerprint}, but that of this cluster is {noted}; copy it from another node."
                )
