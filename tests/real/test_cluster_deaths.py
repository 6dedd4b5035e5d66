"""Table hosts of a real cluster are killed, stopped and restarted under play: nothing told is lost, or done twice."""

import asyncio
import random
import signal

import pytest

from tests.real.proofs import now, often, proving

pytestmark = pytest.mark.real
KILLED, STOPPED, RESTARTED = 1.0, 3.0, 1.0
"""Seconds for which a player may wait for their table."""


async def test_table_hosts_are_killed(tmp_path):
    rng, kills = random.Random(1), often(2, 50)
    async with proving(tmp_path) as proof:
        async with proof.under_play():
            for _ in range(kills):
                await asyncio.sleep(rng.uniform(0, 0.3))
                node, since = await proof.owner(), now()
                await asyncio.to_thread(node.ends, signal.SIGKILL)
                await proof.happened(since)
                node.start()
                await asyncio.to_thread(node.opens)
        await proof.holds(f"{kills} table hosts killed", wait=KILLED)


async def test_table_hosts_are_stopped_for_five_seconds_and_nothing_that_they_do_then_counts(tmp_path):
    rng, stops = random.Random(2), often(1, 20)
    async with proving(tmp_path) as proof:
        async with proof.under_play():
            for _ in range(stops):
                await asyncio.sleep(rng.uniform(0, 0.3))
                node, since = await proof.owner(), now()
                node.signals(signal.SIGSTOP)
                await proof.happened(since)
                await asyncio.sleep(max(0, since + 5 - now()))
                node.signals(signal.SIGCONT)
                await proof.all_go_on(10)
        assert proof.log.count("was-taken-for-dead") >= stops
        await proof.holds(f"{stops} table hosts stopped for 5 s", wait=STOPPED)


async def test_every_node_is_restarted_one_after_the_other(tmp_path):
    rounds = often(1, 5)
    async with proving(tmp_path) as proof:
        async with proof.under_play():
            for _ in range(rounds):
                for node in proof.cluster.nodes:
                    assert await asyncio.to_thread(node.ends, signal.SIGTERM) == 0
                    node.start()
                    await asyncio.to_thread(node.opens)
                    await proof.all_go_on()
            proof.waits = [wait for person in proof.people for wait in person.lost]
        await proof.holds(f"{rounds} rolling restarts of four nodes", wait=RESTARTED)
