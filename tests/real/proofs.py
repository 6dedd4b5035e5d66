"""A cluster of real processes under play, a disturbance, and the check of its promises after that."""

import asyncio
import json
import os
import statistics
import time
from contextlib import asynccontextmanager, nullcontext, suppress
from itertools import count
from subprocess import DEVNULL, PIPE

import asyncpg

from net.wire.messages import MakeTable
from scripts.cluster_nodes import Cluster, start_process
from scripts.people import Person
from scripts.postgres import throwaway
from scripts.throwaway import temporary
from tests.databases import need_postgres
from tests.forked import COMMAND, Child, can_fork, fork_program, forkable_environment, start_program
from tests.real.programs import ROOT
from tests.real.recorded import plays_in, proofs_of_record
from tests.waiting import until

LONG = os.environ.get("BONEYARD_CLUSTER_PROOFS") == "long"
"""True to repeat each disturbance as in `scripts/long cluster`; otherwise a few times."""
GAMES = {"draw": {"target": 50}} | ({"block": {"target": 50}, "all-fives": {}} if LONG else {})
TIMEOUT = 60
"""Seconds for everybody to play on."""
_numbers = count()
_OWNERS = "SELECT node FROM tables JOIN hosts ON id = owner GROUP BY node ORDER BY count(*) DESC, node"


def repetitions(short, long):
    """Return `long` in a long run, `short` in any other."""
    return long if LONG else short


class Proof:
    """Two players at each of some tables of a cluster, who use both gateways and are new there."""

    def __init__(self, cluster, server, folder):
        self.cluster, self.server, self.folder = cluster, server, folder
        ports = [node.port for node in cluster.gateways.values()]
        self.people = []
        for game, options in GAMES.items():
            opens, sits = (f"{game} {next(_numbers)}" for _ in range(2))
            table_request = MakeTable(game, 2, options)
            self.people += [
                Person(opens, ports, folder, table_request=table_request, opener=opens, think_seconds=0.03),
                Person(sits, ports[::-1], folder, opener=opens, think_seconds=0.03),
            ]
        self._log_sizes = {node: len(node.log.read_bytes()) if node.log.exists() else 0 for node in cluster.nodes}
        self.waits = []
        """Seconds that each player waited after each disturbance, if their table was away then."""

    @asynccontextmanager
    async def under_play(self):
        """Let everybody play for the length of the block, and then to the end of their matches."""
        async with asyncio.TaskGroup() as group:
            playing = [group.create_task(person.play()) for person in self.people]
            await self.wait_for_plays()
            yield self
            await self.wait_for_plays()
            for person in self.people:
                person.last_match = True
            async with asyncio.timeout(3 * TIMEOUT):
                await asyncio.wait(playing)

    async def wait_for_plays(self, plays=2):
        """Wait until everybody has received `plays` more plays."""
        counts = [len(person.received) for person in self.people]
        try:
            async with asyncio.timeout(TIMEOUT):
                for person, count in zip(self.people, counts, strict=True):
                    while len(person.received) < count + plays:
                        person.news.clear()
                        await person.news.wait()
        except TimeoutError:
            raise AssertionError("\n".join(map(str, self.people)) + self.log) from None

    async def record_waits(self, since):
        """Wait until everybody plays on; record how long players waited whose tables were gone `since` a time."""
        await self.wait_for_plays()
        ended = [back for person in self.people for _, back in person.outages if back > since]
        self.waits += [back - since for back in ended]

    async def owner(self):
        """Return the node that has the most tables."""

        async def owners():
            with suppress(OSError, asyncpg.PostgresError):
                return await self.ask(_OWNERS)

        return self.cluster.tables[(await until(owners, interval=0.1))[0][0]]

    async def ask(self, query):
        """Return the result of a query of the database."""
        db = await asyncpg.connect(self.cluster.url, server_settings={"search_path": "boneyard"})
        try:
            return await db.fetch(query)
        finally:
            await db.close()

    @property
    def log(self):
        """Return the log of all nodes since this proof began."""
        logs = {node.name: node.log.read_bytes()[self._log_sizes[node] :] for node in self.cluster.nodes}
        return "".join(f"\n== {name}\n{log.decode(errors='replace')}" for name, log in logs.items())

    async def check_promises(self, disturbance, *, wait=None):
        """Check that every play sent is stored once and every record is right; in a long run, check the waiting
        times.
        """
        acts = {}
        for table, match, line in await self.ask('SELECT "table", match, line FROM lines ORDER BY 1, 2, number'):
            acts.setdefault((table, match), []).append(json.loads(line))
        stored = {lines[0]["fair"]["commitment"]: list(plays_in(lines)) for lines in acts.values()}
        assert len(stored) == len(acts), "no two matches have one deal"
        sent_plays = lost_plays = doubled_plays = 0
        for person in self.people:
            for commitment, *play in person.received:
                times = stored.get(commitment, []).count(tuple(play))
                sent_plays, lost_plays, doubled_plays = (
                    sent_plays + 1,
                    lost_plays + (times == 0),
                    doubled_plays + (times > 1),
                )
        records = await self.records()
        waits = sorted(self.waits) or [0.0]
        print(
            f"\n{disturbance}: {len(records)} matches, {sent_plays} plays told, {lost_plays} lost, "
            f"{doubled_plays} done twice; "
            f"{len(self.waits)} waits, median {statistics.median(waits):.2f} s, longest {waits[-1]:.2f} s"
        )
        assert sent_plays
        assert (lost_plays, doubled_plays) == (0, 0)
        assert "Traceback" not in self.log, self.log
        if wait is not None and LONG:  # a busy machine proves nothing about time
            assert waits[-1] <= wait, waits

    async def records(self):
        """Return the records of these players' matches, which are verified."""
        folder = self.folder / "records"
        await boneyard("admin", "records", self.cluster.url, folder)
        played = {commitment for person in self.people for commitment, *_ in person.received}
        record_files = [
            record_file for record_file in sorted(folder.glob("*.jsonl")) if commitment_of(record_file) in played
        ]
        assert record_files
        for record in record_files:
            proofs_of_record(record)
        return record_files


def begin(place, words, environment, *out):
    """Start a node as `scripts.cluster_nodes.start_process` does; fork it if possible."""
    environment = forkable_environment(environment)
    if not can_fork(words, environment):
        return start_process(place, words, environment, *out)
    with open(os.devnull) as nothing:
        pid = fork_program(words, environment, ROOT, *(stream.fileno() for stream in (nothing, *out)))
    place.write_text(f"{pid}\n")
    return Child(pid)


@asynccontextmanager
async def proving(folder, *, server=None, change=None):
    """Yield a cluster with players for the length of the block; `change` may change it before it starts."""
    need_postgres()
    with nullcontext(server) if server else throwaway(durable=True) as database_server, temporary("by-") as place:
        cluster = Cluster(
            database_server.url(), place, fast=True, words=["--limit", "handshakes_per_second=1000"], begin=begin
        )
        try:
            if change is not None:
                change(cluster)
            await asyncio.to_thread(cluster.start)
            yield Proof(cluster, database_server, folder)
        finally:
            await asyncio.to_thread(cluster.stop)


def commitment_of(record):
    """Return the host's commitment before the match of a record."""
    with record.open() as lines:
        return json.loads(next(lines))["fair"]["commitment"]


async def boneyard(*words):
    """Run a command of the program."""
    streams = {"stdin": DEVNULL, "stdout": PIPE, "stderr": PIPE}
    process = await start_program(
        *COMMAND, *map(str, words), env=forkable_environment(os.environ), cwd=ROOT, **streams
    )
    said = await process.communicate()
    assert process.returncode == 0, said


now = time.monotonic
