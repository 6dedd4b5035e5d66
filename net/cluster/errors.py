"""What can be wrong with a cluster's database, in one sentence for the operator."""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager

import asyncpg

from net.storage.permissions import StoreError

DISK_FULL, TOO_MANY_CONNECTIONS = "53100", "53300"
READ_ONLY = "25006"
"""What a standby answers that takes no writes, also one that was the primary a moment ago."""


class ClusterError(StoreError, OSError):
    """The cluster's database cannot be used as asked."""


class ConnectionLostError(ClusterError):
    """No answer came, or not now: what was asked may have been done or not, and a later try may help."""


@contextmanager
def in_words(where: str) -> Iterator[None]:
    """Turn everything that asyncpg raises into a ClusterError; `where` names the database, without its password."""
    try:
        yield
    except ClusterError:
        raise
    except asyncpg.PostgresError as error:
        raise _refused(error, where) from error
    except (OSError, asyncpg.InterfaceError, asyncpg.InternalClientError, asyncio.IncompleteReadError) as error:
        reason = "it does not answer in time" if isinstance(error, TimeoutError) else _brief(error)
        raise ConnectionLostError(f"PostgreSQL at {where} cannot be reached: {reason}.") from error


def no_address(where: str, error: ValueError) -> ClusterError:
    """What to say of a URL that means nothing."""
    return ClusterError(
        f"“{where}” is not the address of a PostgreSQL database ({_brief(error)}); "
        "write postgresql://USER:PASSWORD@HOST:PORT/DATABASE."
    )


def _refused(error: asyncpg.PostgresError, where: str) -> ClusterError:
    """What PostgreSQL says no to, by its SQLSTATE."""
    state = str(getattr(error, "sqlstate", None) or "")
    match state:
        case "28P01" | "28000":
            return ClusterError(f"PostgreSQL at {where} refuses the user or the password: {_brief(error)}.")
        case "3D000":
            name = where.rpartition("/")[2]
            return ClusterError(f"There is no database {name} at {where}; create it with: createdb {name}")
        case "42501":
            return ClusterError(f"The user may not do that at {where}: {_brief(error)}.")
        case _ if state == TOO_MANY_CONNECTIONS:
            return ConnectionLostError(f"PostgreSQL at {where} has no connection left; raise its max_connections.")
        case _ if state == DISK_FULL:
            return ConnectionLostError(f"The disk of PostgreSQL at {where} is full; free some space.")
        case _ if state.startswith("53"):
            return ConnectionLostError(f"PostgreSQL at {where} has no room left: {_brief(error)}.")
        case _ if state == READ_ONLY or state.startswith(("08", "57P")):
            return ConnectionLostError(f"PostgreSQL at {where} takes no writes now: {_brief(error)}.")
        case _ if state.startswith(("40", "55", "57")):  # a deadlock, a lock that somebody holds, a time limit
            return ConnectionLostError(f"PostgreSQL at {where} is too busy: {_brief(error)}.")
    return ClusterError(f"PostgreSQL at {where} fails: {_brief(error)} ({state or 'no code'}).")


def _brief(error: BaseException) -> str:
    """The first line of an error, without the stop at its end."""
    lines = str(error).strip().splitlines()
    return lines[0].rstrip(".") if lines else type(error).__name__
