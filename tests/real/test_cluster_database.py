"""A real cluster's PostgreSQL is killed, cut off while it commits, and replaced by its standby, all under play."""

import asyncio
import random
import signal
from contextlib import contextmanager

import asyncpg
import pytest
import pytest_asyncio

from scripts.postgres import Postgres, throwaway
from scripts.throwaway import temporary
from tests.databases import need_postgres
from tests.net.cluster.cutting_line import CuttingLine
from tests.real.proofs import Proof, now, often, proving

pytestmark = [pytest.mark.real, pytest.mark.asyncio(loop_scope="module")]


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def shared(tmp_path_factory):
    """A cluster, and the line by which its table hosts come to PostgreSQL."""
    need_postgres()
    with throwaway(durable=True) as server:
        async with CuttingLine(server.url()) as line:

            def change(cluster):
                cluster.tables = {name: cluster.table_host(name, url=line.url) for name in ("up", "down")}

            async with proving(tmp_path_factory.mktemp("cluster"), server=server, change=change) as proof:
                yield proof, line


@pytest.fixture
def proof(shared, tmp_path):
    return Proof(shared[0].cluster, shared[0].server, tmp_path)


async def test_postgresql_is_killed(proof):
    rng, kills = random.Random(3), often(1, 20)
    async with proof.under_play():
        for _ in range(kills):
            await asyncio.sleep(rng.uniform(0, 0.3))
            await asyncio.to_thread(proof.server.stop, signal.SIGKILL)
            await asyncio.to_thread(proof.server.start)
            await proof.all_go_on()
    await proof.holds(f"PostgreSQL killed {kills} times")


async def test_the_line_to_postgresql_is_cut_while_it_commits(shared, proof):
    rng, cuts, line = random.Random(4), often(2, 40), shared[1]
    line.only = b'"chairs"'  # what is stored of a table
    async with proof.under_play():
        for number in range(cuts):
            await asyncio.sleep(rng.uniform(0, 0.3))
            line.cut_next(after=number % 2 == 0)
            await proof.all_go_on()
    assert line.cuts == cuts
    await proof.holds(f"the line to PostgreSQL cut during {cuts} commits")


class Pair:
    """A primary and its standby, which commit together."""

    def __init__(self, primary, standby):
        self.primary, self.standby = primary, standby

    def url(self):
        both = f"127.0.0.1:{self.primary.port},127.0.0.1:{self.standby.port}"
        return self.primary.url().replace(f"127.0.0.1:{self.primary.port}", both) + "?target_session_attrs=read-write"


@contextmanager
def replicated():
    """A server whose commits wait for its standby."""
    need_postgres()
    with throwaway(durable=True) as primary, temporary("by-standby-") as folder:
        standby = Postgres(folder, durable=True)
        standby.follow(primary)
        standby.start()
        try:
            yield Pair(primary, standby)
        finally:
            standby.stop()


async def ordered(server, *orders):
    db = await asyncpg.connect(server.url())
    try:
        for order in orders:
            await db.execute(order)
    finally:
        await db.close()


async def test_a_standby_takes_over(tmp_path):
    waits = []
    for number in range(often(1, 5)):
        folder = tmp_path / str(number)
        folder.mkdir()
        with replicated() as pair:
            await ordered(pair.primary, "ALTER SYSTEM SET synchronous_standby_names = '*'", "SELECT pg_reload_conf()")
            async with proving(folder, server=pair) as proof:
                async with proof.under_play():
                    since = now()
                    await asyncio.to_thread(pair.primary.stop, signal.SIGKILL)
                    await ordered(pair.standby, "SELECT pg_promote()")
                    await proof.all_go_on()
                    waits.append(now() - since)
                await proof.holds("a standby promoted")
    print("\nfrom the kill until everybody had played on:", ", ".join(f"{wait:.1f} s" for wait in waits))
