"""A real cluster's PostgreSQL is killed, and replaced by its standby, under play."""

import asyncio
import signal
from contextlib import contextmanager

import asyncpg

from scripts.postgres import Postgres, throwaway
from scripts.throwaway import temporary
from tests.databases import need_postgres
from tests.real.proofs import now, proving, repetitions


class Pair:
    """A primary and its standby, which commit together."""

    def __init__(self, primary, standby):
        self.primary, self.standby = primary, standby

    def url(self):
        both = f"127.0.0.1:{self.primary.port},127.0.0.1:{self.standby.port}"
        return self.primary.url().replace(f"127.0.0.1:{self.primary.port}", both) + "?target_session_attrs=read-write"


@contextmanager
def replicated():
    """Return a server whose commits wait for its standby."""
    need_postgres()
    with throwaway(durable=True) as primary, temporary("by-standby-") as folder:
        standby = Postgres(folder, durable=True)
        standby.follow(primary)
        standby.start()
        try:
            yield Pair(primary, standby)
        finally:
            standby.stop()


async def run_statements(server, *orders):
    db = await asyncpg.connect(server.url())
    try:
        for order in orders:
            await db.execute(order)
    finally:
        await db.close()


async def test_matches_go_on_once_a_standby_of_postgresql_is_promoted(tmp_path):
    waits = []
    for number in range(repetitions(1, 5)):
        folder = tmp_path / str(number)
        folder.mkdir()
        with replicated() as pair:
            await run_statements(
                pair.primary, "ALTER SYSTEM SET synchronous_standby_names = '*'", "SELECT pg_reload_conf()"
            )
            async with proving(folder, server=pair) as proof:
                async with proof.under_play():
                    since = now()
                    await asyncio.to_thread(pair.primary.stop, signal.SIGKILL)
                    await run_statements(pair.standby, "SELECT pg_promote()")
                    await proof.wait_for_plays()
                    waits.append(now() - since)
                await proof.check_promises("a standby promoted")
    print("\nfrom the kill until everybody had played on:", ", ".join(f"{wait:.1f} s" for wait in waits))
