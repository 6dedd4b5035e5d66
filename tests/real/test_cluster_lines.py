"""A real table host is cut off from PostgreSQL, or from the gateways, both ways and silently, under play.

Each table host is in a network namespace, which only `./scripts/long cluster` makes, as root: the daily tests leave
the network of the machine alone, and cut connections by `tests/net/cluster/cutting_line.py`.
"""

import asyncio
from contextlib import asynccontextmanager

import pytest

from scripts.postgres import throwaway
from tests.databases import need_postgres, run_statements
from tests.real.network import DATABASE, NoNamespaces, machines
from tests.real.proofs import LONG, now, proving

pytestmark = pytest.mark.skipif(not LONG, reason="changes the network of this machine")
CUTS = 10
TAKEN_OVER, MENDED = 4.0, 10.0
"""Seconds that players may wait if their table host cannot reach the database; or if gateways cannot reach it."""


@asynccontextmanager
async def far_apart(folder):
    """Yield a proof whose table hosts are on separate machines, by node."""
    need_postgres()
    try:
        with machines(1, 2) as two, throwaway(durable=True, settings=("listen_addresses=*",)) as server:
            with (server.data / "pg_hba.conf").open("a") as rules:
                rules.write("host all all 10.231.0.0/16 scram-sha-256\n")
            await asyncio.to_thread(run_statements, server, "SELECT pg_reload_conf()")
            there = dict(zip(("far", "away"), two, strict=True))
            url = server.url().replace("127.0.0.1", DATABASE)

            def change(cluster):
                cluster.tables = {
                    name: cluster.table_host(name, url=url, address=machine.address, command_prefix=machine.inside)
                    for name, machine in there.items()
                }

            async with proving(folder, server=server, change=change) as proof:
                yield proof, there
    except NoNamespaces as error:
        pytest.skip(f"No network namespaces here: {error}")


async def test_a_table_host_is_cut_off_from_postgresql(tmp_path):
    async with far_apart(tmp_path) as (proof, machine_of):
        async with proof.under_play():
            for _ in range(CUTS):
                node, since = await proof.owner(), now()
                machine_of[node.name].cut(database=True)
                await proof.record_waits(since)
                machine_of[node.name].cut(database=True, on=False)
                await asyncio.sleep(4)  # it finds that its lease has expired, and starts anew
                await proof.wait_for_plays()
        await proof.check_promises(f"{CUTS} table hosts cut off from PostgreSQL", wait=TAKEN_OVER)


async def test_a_table_host_is_cut_off_from_the_gateways(tmp_path):
    async with far_apart(tmp_path) as (proof, machine_of):
        async with proof.under_play():
            for _ in range(CUTS):
                node, since = await proof.owner(), now()
                machine_of[node.name].cut(database=False)
                await asyncio.sleep(5)
                machine_of[node.name].cut(database=False, on=False)
                await proof.record_waits(since)
        await proof.check_promises(f"{CUTS} table hosts cut off from the gateways for 5 s", wait=MENDED)
