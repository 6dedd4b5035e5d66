"""What the commands do for a cluster: its table hosts, and moving what one host had into it."""

from pathlib import Path

from net.players.text import counted
from net.storage.database import StoreError

MISSING = "A cluster needs the package asyncpg; install it with: pip install 'boneyard[cluster]'"


async def import_into(url: str, data: Path) -> list[str]:
    """Move everything from a data directory into a cluster; return what to say. Raises StoreError."""
    need_asyncpg()
    from net.cluster.database import Database  # noqa: PLC0415 - without asyncpg there is none
    from net.cluster.importing import MOVED, move  # noqa: PLC0415

    async with Database(url) as database:
        moved = await move(data, database)
    lines = [
        f"{counted(moved.names, 'name', 'names')}, {counted(moved.bans, 'ban', 'bans')} and "
        f"{counted(len(moved.tables), 'table', 'tables')} are in the cluster; the old database is now {data / MOVED}."
    ]
    lines += [f"Table {old} is now table {new}." for old, new in moved.tables.items() if old != new]
    if moved.unreadable:
        lines.append(
            f"{counted(moved.unreadable, 'table', 'tables')} could not be read and stay in the old database."
        )
    return lines


def need_asyncpg() -> None:
    """Raise StoreError, with a sentence, where a cluster's database cannot be spoken to."""
    from importlib.util import find_spec  # noqa: PLC0415

    if find_spec("asyncpg") is None:
        raise StoreError(MISSING)
