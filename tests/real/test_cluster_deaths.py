"""Table hosts of a real cluster are killed, stopped and restarted under play: nothing told is lost, or done twice."""

import asyncio
import random
import signal
from types import SimpleNamespace

import pytest

from net.wire.messages import MakeTable
from tests.real.joined import joined
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


def door(node):
    """A gateway as what `joined` comes to, whatever key it shows."""

    class Any(str):
        __slots__ = ()
        __hash__ = str.__hash__

        def __eq__(self, _other):
            return True

    return SimpleNamespace(port=node.port, fingerprint=Any())


async def test_the_guests_of_a_gateway_that_hangs_are_away_lose_no_time_and_are_back_when_it_goes_on(tmp_path):
    async with proving(tmp_path) as proof:
        east, west = proof.cluster.gateways.values()
        async with joined(door(east), tmp_path, "ada") as ada, joined(door(west), tmp_path, "bela") as bela:
            ada.make_table(MakeTable("draw", 2, {}, turn_time=300, match_time=600))
            await ada.until(lambda now: now.update)
            await bela.until(lambda now: now.tables.tables)
            bela.sit(ada.update.table.id)
            await bela.until(lambda now: now.update and now.update.match)
            while bela.update.match.play.turn != 0:
                before = bela.update.number
                bela.act(bela.update.match.play.legal[0])
                await bela.until(lambda now, before=before: now.update.number > before)
            east.signals(signal.SIGSTOP)
            await bela.until(lambda now: now.update.table.seats[0].away)
            assert not bela.update.times.running
            left = bela.update.times.match[0]
            await asyncio.sleep(5)
            assert not bela.gone
            east.signals(signal.SIGCONT)
            await bela.until(lambda now: not now.update.table.seats[0].away)
            assert bela.update.times.running
            assert left - bela.update.times.match[0] < 1
            await ada.until(lambda now: now.update and now.update.number == bela.update.number)
            ada.act(ada.update.match.play.legal[0])
            await bela.until(lambda now: now.update.match.play.turn != 0 or now.update.events)
        assert "line-silent" in proof.log
        assert "Traceback" not in proof.log, proof.log


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
