"""A test of a whole cluster: two players at two gateways play a match, and its table host is killed meanwhile."""

import asyncio
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from signal import SIGKILL
from tempfile import TemporaryDirectory

from net.wire.messages import MakeTable
from scripts.cluster_nodes import ROOT, CheckFailed, Cluster, NodeProcess, running
from scripts.people import Person

LONG, SHORT = MakeTable("mexican-train", 2, {"mt.rounds": 7}), MakeTable("draw", 2, {"target": 50})
PLAYS_BEFORE_KILL = 12
"""Plays that both receive before the host is killed."""
MAX_OUTAGE = 1.0
"""Maximum seconds for which the players may see that the connection is lost."""
THINK_TIME = 0.06
"""Seconds before a player acts: no faster than a host accepts messages."""
MATCH_TIMEOUT = 120.0
"""Seconds for the whole match; 30 are usual."""


async def _play(cluster: Cluster, table_request: MakeTable, folder: Path, say: Callable[[str], None]) -> list[float]:
    """Play the match; return how long each player waited after the kill. Raises TimeoutError, or a
    group of exceptions with CheckFailed.
    """
    ports = [node.port for node in cluster.gateways.values()]
    ada = Person("ada", ports[:1], folder, table_request=table_request, think_seconds=THINK_TIME, last_match=True)
    bela = Person("bela", ports[1:], folder, opener="ada", think_seconds=THINK_TIME, last_match=True)
    people = (ada, bela)
    async with asyncio.timeout(MATCH_TIMEOUT), asyncio.TaskGroup() as task_group:
        play_tasks = [task_group.create_task(person.play()) for person in people]
        await _until(lambda: min(len(person.received) for person in people) >= PLAYS_BEFORE_KILL)
        host = next(node for node in cluster.tables.values() if has_tables(node))
        say(f"The match is under way on the table host {host.name}, which is killed now.")
        killed_at = time.monotonic()
        host.end(SIGKILL)
        await _until(lambda: all(person.outages or person.matches for person in people))
        if any(person.matches for person in people):
            raise CheckFailed("The match was over before its table host was killed.")
        say("The players are back at their table, and play on.")
        await asyncio.wait(play_tasks)
    return [back_at - killed_at for person in people for _, back_at in person.outages]


async def _until(condition: Callable[[], bool]) -> None:
    while not condition():  # noqa: ASYNC110 - several events may make it true
        await asyncio.sleep(0.02)


def has_tables(node: NodeProcess) -> bool:
    """Return True if a table host has a table."""
    command = [sys.executable, "-m", "tui", "admin", "--data", str(node.data), "tables"]
    output = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False).stdout
    return bool(output) and "No tables" not in output


def check(*, short: bool = False) -> str:
    """Run the test; return the message of its success. Raises CheckFailed."""
    with running(fast=True) as cluster, TemporaryDirectory() as folder:
        try:
            outage_seconds = asyncio.run(_play(cluster, SHORT if short else LONG, Path(folder), print))
        except TimeoutError:
            raise CheckFailed("The match did not go on after its table host was killed.") from None
        except ExceptionGroup as errors:
            raise errors.exceptions[0] from None
        if not outage_seconds or (max(outage_seconds) > MAX_OUTAGE and not short):
            raise CheckFailed(
                f"The players waited too long for their table: {', '.join(f'{s:.2f} s' for s in outage_seconds)}."
            )
        records = Path(folder) / "records"
        boneyard("admin", "records", cluster.url, str(records))
        (record,) = records.glob("*.jsonl")
        boneyard("verify", str(record))
    return (
        f"The players were back at their table {max(outage_seconds):.2f} seconds after its host was killed, "
        "played the match to its end on another, and its record is verified."
    )


def boneyard(*words: str) -> None:
    """Run a command of the program. Raises CheckFailed."""
    process = subprocess.run(
        [sys.executable, "-m", "tui", *words], cwd=ROOT, capture_output=True, text=True, check=False
    )
    if process.returncode:
        raise CheckFailed(f"boneyard {words[0]} fails: {process.stderr.strip() or process.stdout.strip()}")
