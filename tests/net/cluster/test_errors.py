"""Every database error is reported in one sentence, without the password."""

import asyncio

import asyncpg
import pytest

from net.cluster.database import ClusterError, ConnectionLostError, Database, redacted_address, translate_errors
from tests.databases import run_statements


async def connection_error(url):
    """Return the sentence with which a connection to a database fails."""
    with pytest.raises(ClusterError) as error:
        async with Database(url) as database, database.pooled_connection() as db:
            await db.execute("SELECT 1")
    assert "\n" not in str(error.value)
    return str(error.value)


def translated_error(error, where="db:5432/boneyard"):
    """Return the error as which an error of the database is reported."""
    with pytest.raises(ClusterError) as reported, translate_errors(where):
        raise error
    return reported.value


@pytest.mark.parametrize(
    "url", ["boneyard", "http://here/x", "postgresql://u:secret@[::1/x", "postgresql://u@h:port/x"]
)
async def test_an_invalid_address_is_named(url):
    message = await connection_error(url)

    assert "is not the address of a PostgreSQL database" in message
    assert "secret" not in message


async def test_a_wrong_password_is_reported_without_repeating_it(postgres):
    message = await connection_error(postgres.url().replace(postgres.password, "guessed"))

    assert "refuses the user or the password" in message
    assert "guessed" not in message


async def test_a_missing_database_is_reported_with_the_command_that_creates_it(postgres):
    assert "There is no database chess" in await connection_error(postgres.url("chess"))
    assert "createdb chess" in await connection_error(postgres.url("chess"))


async def test_an_unreachable_server_is_reported():
    assert "cannot be reached" in await connection_error("postgresql://u:p@127.0.0.1:1/x")


async def test_a_missing_permission_is_reported(postgres, empty_database):
    run_statements(postgres, "DROP ROLE IF EXISTS guest", f"CREATE ROLE guest LOGIN PASSWORD '{postgres.password}'")

    assert "The user may not do that" in await connection_error(empty_database.replace("//boneyard:", "//guest:"))


async def test_a_server_without_a_free_connection_is_reported_for_a_retry(postgres, empty_database):
    name = empty_database.rpartition("/")[2]
    run_statements(
        postgres,
        "DROP ROLE IF EXISTS few",
        f"CREATE ROLE few LOGIN PASSWORD '{postgres.password}' CONNECTION LIMIT 1",
    )
    run_statements(postgres, f"GRANT ALL ON DATABASE {name} TO few")
    url = empty_database.replace("//boneyard:", "//few:")
    async with Database(url) as database:
        connection = await database.connect()
        with pytest.raises(ConnectionLostError, match="has no connection left"):
            await database.connect()
        await connection.close()


async def test_a_pool_without_a_free_connection_is_reported_for_a_retry(empty_database, monkeypatch):
    monkeypatch.setattr("net.cluster.database.POOL_SIZE", 1)
    monkeypatch.setattr("net.cluster.database.CONNECT_TIMEOUT", 0.5)
    async with Database(empty_database) as database, database.pooled_connection():
        with pytest.raises(ConnectionLostError, match="does not answer in time"):
            async with database.pooled_connection():
                pass


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (asyncpg.DiskFullError("could not extend file"), "The disk of PostgreSQL at db:5432/boneyard is full"),
        (asyncpg.OutOfMemoryError("no memory"), "has no room left: no memory."),
    ],
)
def test_a_server_without_room_is_reported_for_a_retry(error, words):
    reported = translated_error(error)

    assert words in str(reported)
    assert isinstance(reported, ConnectionLostError)


def test_an_error_that_a_retry_cannot_fix_is_reported_as_such():
    reported = translated_error(asyncpg.UndefinedTableError("no table"))

    assert "fails: no table (42P01)." in str(reported)
    assert not isinstance(reported, ConnectionLostError)


@pytest.mark.parametrize(
    "error",
    [
        asyncpg.ReadOnlySQLTransactionError("read-only"),
        asyncpg.AdminShutdownError("terminating"),
        asyncpg.CannotConnectNowError("starting up"),
        asyncpg.DeadlockDetectedError("deadlock"),
        asyncpg.InterfaceError("connection is closed"),
        asyncpg.InternalClientError("cannot switch to state 12; another operation (2) is in progress"),
        asyncpg.ForeignKeyViolationError("violates foreign key constraint names_host_fkey"),
        asyncpg.ConnectionDoesNotExistError("closed"),
        ConnectionResetError("reset"),
        TimeoutError(),
        asyncio.IncompleteReadError(b"", 1),
    ],
)
def test_an_error_that_a_new_connection_may_fix_is_reported_for_a_retry(error):
    assert isinstance(translated_error(error), ConnectionLostError)


def test_states_of_asyncpg_and_names_of_constraints_become_sentences():
    broken = asyncpg.InternalClientError("cannot switch to state 12; another operation (2) is in progress")
    assert str(translated_error(broken)).endswith(
        "reached: a statement was interrupted, and its connection was closed."
    )
    expired = str(
        translated_error(asyncpg.ForeignKeyViolationError("violates foreign key constraint names_host_fkey"))
    )
    assert expired == "This node's lease has expired at db:5432/boneyard; it joins the cluster again by itself."


def test_an_error_with_a_sentence_of_its_own_passes_unchanged():
    error = ClusterError("That is so.")

    assert translated_error(error) is error


def test_an_address_is_shown_without_user_and_password():
    assert redacted_address("postgresql://ada:secret@db:5432/boneyard?sslmode=require") == "db:5432/boneyard"
    assert redacted_address("postgresql:///boneyard") == "/boneyard"
