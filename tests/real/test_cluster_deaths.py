"""A real cluster is killed, stopped, restarted, insulted and cut off under play: no sent play is lost or doubled.

Its gateways decide together about names and bans. All of this happens to one cluster.
"""

import asyncio
import random
import signal
from contextlib import AsyncExitStack, asynccontextmanager
from types import SimpleNamespace

import asyncpg
import asyncssh
import pytest
import pytest_asyncio

from net.client.client import Client
from net.wire.messages import Bye, Entered, Greeting, MakeTable, Refused
from scripts.people import Person
from scripts.postgres import throwaway
from tests.databases import need_postgres
from tests.net.cluster.cutting_line import CuttingLine
from tests.real.joined import joined
from tests.real.proofs import LONG, Proof, boneyard, now, proving, repetitions
from tests.waiting import until

pytestmark = pytest.mark.asyncio(loop_scope="module")
KILLED, STOPPED, RESTARTED = 1.0, 3.0, 1.0
"""Seconds for which a player may wait for their table."""
SECOND = 1.0


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def shared(tmp_path_factory):
    """Yield a cluster, and the connection of its table hosts to PostgreSQL."""
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


async def test_matches_survive_the_kill_of_their_table_hosts(proof):
    rng, kills = random.Random(1), repetitions(1, 50)
    async with proof.under_play():
        for _ in range(kills):
            await asyncio.sleep(rng.uniform(0, 0.3))
            node, since = await proof.owner(), now()
            await asyncio.to_thread(node.end, signal.SIGKILL)
            await proof.record_waits(since)
            node.start()
            await asyncio.to_thread(node.wait_until_ready)
    await proof.check_promises(f"{kills} table hosts killed", wait=KILLED)


async def test_table_hosts_suspended_for_five_seconds_are_fenced(proof):
    rng, stops = random.Random(2), repetitions(1, 20)
    async with proof.under_play():
        for _ in range(stops):
            await asyncio.sleep(rng.uniform(0, 0.3))
            node, since = await proof.owner(), now()
            node.send_signal(signal.SIGSTOP)
            await proof.record_waits(since)
            await asyncio.sleep(max(0, since + 5 - now()))
            node.send_signal(signal.SIGCONT)
            await proof.wait_for_plays(10)
    assert proof.log.count("was-taken-for-dead") >= stops
    await proof.check_promises(f"{stops} table hosts stopped for 5 s", wait=STOPPED)


def door(node):
    """Return a gateway as a target of `joined`, which accepts any host key."""

    class Any(str):
        __slots__ = ()
        __hash__ = str.__hash__

        def __eq__(self, _other):
            return True

    return SimpleNamespace(port=node.port, fingerprint=Any())


async def test_guests_of_a_hanging_gateway_are_away_without_losing_time_and_return_with_it(proof):
    east, west = proof.cluster.gateways.values()
    async with joined(door(east), proof.folder, "ada") as ada, joined(door(west), proof.folder, "bela") as bela:
        table_request, refusals = MakeTable("draw", 2, {}, turn_time=300, match_time=600), -1
        async with asyncio.timeout(60):
            while not ada.update:  # the table hosts of the test before may not save yet
                if len(ada.refusals) > refusals:
                    refusals = len(ada.refusals)
                    ada.make_table(table_request)
                await asyncio.sleep(SECOND / 10)
        theirs = ada.update.table.id
        await bela.until(lambda client: theirs in [table.id for table in client.tables.tables])
        bela.sit(theirs)
        await bela.until(lambda client: client.update and client.update.match)
        while bela.update.match.play.turn != 0:
            before = bela.update.number
            bela.act(bela.update.match.play.legal[0])
            await bela.until(lambda client, before=before: client.update.number > before)
        east.send_signal(signal.SIGSTOP)
        await bela.until(lambda client: client.update.table.seats[0].away)
        assert not bela.update.times.running
        left = bela.update.times.match[0]
        await asyncio.sleep(5)
        assert not bela.gone
        east.send_signal(signal.SIGCONT)
        await bela.until(lambda client: not client.update.table.seats[0].away)
        assert bela.update.times.running
        assert left - bela.update.times.match[0] < 1
        await ada.until(lambda client: client.update and client.update.number == bela.update.number)
        ada.act(ada.update.match.play.legal[0])
        await bela.until(lambda client: client.update.match.play.turn != 0 or client.update.events)
    assert "line-silent" in proof.log
    assert "Traceback" not in proof.log, proof.log


async def test_matches_survive_the_restart_of_every_node_in_turn(proof):
    rounds = repetitions(1, 5)
    async with proof.under_play():
        for _ in range(rounds):
            for node in proof.cluster.nodes:
                assert await asyncio.to_thread(node.end, signal.SIGTERM) == 0
                node.start()
                await asyncio.to_thread(node.wait_until_ready)
                await proof.wait_for_plays()
        proof.waits = [wait for person in proof.people for wait in person.lost]
    await proof.check_promises(f"{rounds} rolling restarts of four nodes", wait=RESTARTED)


class Guest:
    """A guest with a separate key, and their last message."""

    def __init__(self, link, name):
        self.client = Client(link, "test")
        self.name = name
        self.answer = asyncio.get_running_loop().create_future()
        self.greeted = asyncio.Event()
        self.client.subscribe(self._handle)
        self.running = asyncio.ensure_future(self.client.run())

    def _handle(self, message):
        if isinstance(message, Greeting):
            self.greeted.set()
        if isinstance(message, Entered | Refused) and not self.answer.done():
            self.answer.set_result(message)


@asynccontextmanager
async def guests(proof, *names):
    """Yield a guest at each gateway, after the greeting."""
    ports = [node.port for node in proof.cluster.gateways.values()]
    async with AsyncExitStack() as stack:
        here = []
        for name, port in zip(names, ports, strict=True):
            link = await stack.enter_async_context(Person(name, [port], proof.folder).connect_to_any())
            here.append(Guest(link, name))
            await asyncio.wait_for(here[-1].greeted.wait(), 30)
        yield here
        for guest in here:
            guest.running.cancel()


async def test_of_two_simultaneous_requests_for_a_name_at_two_gateways_one_succeeds(proof):
    for number in range(repetitions(2, 50)):
        async with guests(proof, f"one {number}", f"other {number}") as both:
            for guest in both:
                guest.client.enter(f"Ada {'abcdefghij'[number % 10] * (1 + number // 10)}")
            answers = await asyncio.wait_for(asyncio.gather(*(guest.answer for guest in both)), 30)
            assert sorted(type(answer).__name__ for answer in answers) == ["Entered", "Refused"], answers
            refused = next(answer for answer in answers if isinstance(answer, Refused))
            assert "Ada" in str(refused.reason)
    assert "Traceback" not in proof.log


async def _out(guest):
    """Return the host's last message to a guest, and its time."""
    return await guest.running, now()


async def test_a_ban_reaches_the_guests_of_every_gateway_within_a_second(proof):
    waits, times = [], []
    db = await asyncpg.connect(proof.cluster.url)
    await db.add_listener("boneyard", lambda *said: said[-1] == "bans" and times.append(now()))
    for number in range(repetitions(1, 20)):
        async with guests(proof, f"banned {number}", f"also {number}") as both:
            for guest in both:
                guest.client.enter(guest.name)
                await asyncio.wait_for(guest.answer, 30)
            for guest in both:
                node = next(iter(proof.cluster.tables.values()))
                key = asyncssh.read_private_key(proof.folder / f"{guest.name} key").get_fingerprint()
                out = asyncio.ensure_future(_out(guest))
                times.clear()
                await boneyard("admin", "--data", node.data, "ban", "--key", key)
                bye, at = await asyncio.wait_for(out, 30)
                await until(lambda: times)
                waits.append(at - times[0])  # since the database has it
                assert isinstance(bye, Bye)
                assert "banned" in str(bye.reason)
    await db.close()
    print(f"\n{len(waits)} bans, the longest until its guest was out {max(waits):.2f} s")
    assert max(waits) < SECOND or not LONG  # a busy machine proves nothing about time


async def test_matches_survive_the_kill_of_postgresql(proof):
    rng, kills = random.Random(3), repetitions(1, 20)
    async with proof.under_play():
        for _ in range(kills):
            await asyncio.sleep(rng.uniform(0, 0.3))
            await asyncio.to_thread(proof.server.stop, signal.SIGKILL)
            await asyncio.to_thread(proof.server.start)
            await proof.wait_for_plays()
    await proof.check_promises(f"PostgreSQL killed {kills} times")


async def test_matches_survive_a_connection_to_postgresql_cut_during_a_commit(shared, proof):
    rng, cuts, line = random.Random(4), repetitions(2, 40), shared[1]
    line.only = b'"chairs"'  # the stored data of a table
    async with proof.under_play():
        for number in range(cuts):
            await asyncio.sleep(rng.uniform(0, 0.3))
            line.cut_next(after=number % 2 == 0)
            await proof.wait_for_plays()
    assert line.cuts == cuts
    await proof.check_promises(f"the line to PostgreSQL cut during {cuts} commits")
