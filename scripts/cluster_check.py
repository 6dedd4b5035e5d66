"""The story of a cluster: two people at two gateways play a match, and its table host is killed meanwhile."""

import asyncio
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager, AbstractContextManager, AsyncExitStack
from pathlib import Path
from random import Random
from signal import SIGKILL
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from net.client.client import Client, Disconnected, Reconnected
from net.client.reconnect import run_reconnecting
from net.cluster.membership import NEWCOMER
from net.ssh.client.connect import connect
from net.wire.link import Link
from net.wire.messages import Greeting, MakeTable, Refused, Tables, Update

if TYPE_CHECKING:
    from scripts.cluster import Cluster

ROOT = Path(__file__).parents[1]
WISH = MakeTable("mexican-train", 2, {"mt.rounds": 7})
BEFORE = 12
"""Updates that a player hears before the host is killed."""
MOST = 1.0
"""Seconds for which the players may see that the connection is lost."""
THINKS = 0.06
"""Seconds before a player acts: no faster than a host accepts messages."""
PATIENCE = 300.0
"""Seconds for the whole match; 60 are usual."""
AGAIN = 0.5
"""Seconds after which a player presses a key again where nothing came of it, as people do."""


class Person:
    """A joined client that plays at random, and notes how long its table was away."""

    def __init__(self, name: str, port: int, folder: Path) -> None:
        self.name = name
        self.lost: list[float] = []
        """Seconds of each time that the table was away."""
        self.news = asyncio.Event()
        self.over = False
        self.updates = 0
        self.refused = ""
        self._since = 0.0
        self._port = port
        self._folder = folder
        self._rng = Random(name)
        self._to_do: Callable[[Tables], None] = lambda _: None

    async def comes(self, stack: AsyncExitStack, to_do: Callable[["Person", Tables], None]) -> None:
        """Come in, and do something in the lobby whenever its list comes."""
        self._to_do = lambda tables: to_do(self, tables)
        link = await stack.enter_async_context(self._way_in())
        self.client = Client(link, "check", entropy=self._rng.randbytes)
        self.client.subscribe(self._hear)
        for work in (run_reconnecting(self.client, link, self._way_in), self._insists()):
            stack.callback(asyncio.ensure_future(work).cancel)

    def _way_in(self) -> AbstractAsyncContextManager[Link]:
        return connect(
            "127.0.0.1",
            self._port,
            self.name,
            known_hosts=self._folder / f"{self.name} known",
            own_key=self._folder / f"{self.name} key",
            on_new_host=lambda *_: True,
        )

    def _hear(self, message: object) -> None:
        match message:
            case Greeting():
                self.client.enter(self.name)
            case Tables(yours=-1):
                self._to_do(message)
            case Disconnected():
                self._since = time.monotonic()
            case Reconnected():
                self.lost.append(time.monotonic() - self._since)
            case Update():
                self.updates += 1
                asyncio.get_running_loop().call_later(THINKS, self._act, message)
            case Refused(reason=reason):
                self.refused = str(reason)
        self.news.set()

    async def _insists(self) -> None:
        while True:
            before = self.client.update
            await asyncio.sleep(AGAIN)
            if before is not None and self.client.update is before and not self.client.lost:
                self._act(before)

    def _act(self, update: Update) -> None:
        if update.match is None or update is not self.client.update:
            return
        self.over = self.over or update.match.over
        if update.match.play.legal:
            self.client.act(self._rng.choice(update.match.play.legal))
        elif update.match.play.result and not update.match.over and update.seat not in update.ready:
            self.client.ready()

    async def until(self, what: Callable[[], object]) -> None:
        """Wait for something. Raises TimeoutError."""
        async with asyncio.timeout(PATIENCE):
            while not what():
                self.news.clear()
                await self.news.wait()


async def _play(cluster: "Cluster", folder: Path, say: Callable[[str], None]) -> list[float]:
    """Play the match; return for how long each time the players' table was away. Raises TimeoutError."""
    ada, bela = (
        Person(name, node.port, folder) for name, node in zip(("ada", "bela"), cluster.gateways.values(), strict=True)
    )
    made: list[int] = []

    def opens(person: Person, _tables: Tables) -> None:
        if not made:
            made.append(0)
            person.client.make_table(WISH)

    def follows(person: Person, tables: Tables) -> None:
        for table in tables.tables:
            if table.name == ada.name or any(seat.name == ada.name for seat in table.seats):
                person.client.sit(table.id)

    async with AsyncExitStack() as stack:
        await ada.comes(stack, opens)
        await bela.comes(stack, follows)
        await ada.until(lambda: ada.updates >= BEFORE)
        await asyncio.sleep(NEWCOMER)  # before that, nobody calls another node dead
        host = next(node for node in cluster.tables.values() if _runs_tables(node.data))
        say(f"The match is under way on the table host {host.name}, which is killed now.")
        host.ends(SIGKILL)
        before = ada.updates
        await ada.until(lambda: ada.lost and ada.updates > before + BEFORE)
        await ada.until(lambda: ada.over)
        await bela.until(lambda: bela.over)
    return [*ada.lost, *bela.lost]


def _runs_tables(data: Path) -> bool:
    command = [sys.executable, "-m", "tui", "admin", "--data", str(data), "tables"]
    told = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False).stdout
    return bool(told) and "No tables" not in told


def check(running: Callable[..., AbstractContextManager["Cluster"]]) -> str:
    """Play through the story; return the sentence that it went well. Raises `scripts.cluster.Failed`."""
    from scripts.cluster import Failed  # noqa: PLC0415

    with running(fast=True) as cluster, TemporaryDirectory() as folder:
        try:
            lost = asyncio.run(_play(cluster, Path(folder), print))
        except TimeoutError:
            raise Failed("The match did not go on after its table host was killed.") from None
        if not lost or max(lost) > MOST:
            raise Failed(f"The players waited too long for their table: {', '.join(f'{s:.2f} s' for s in lost)}.")
        records = Path(folder) / "records"
        _boneyard("admin", "records", cluster.url, str(records))
        (record,) = records.glob("*.jsonl")
        _boneyard("verify", str(record))
    return (
        f"The match was played to its end on another table host, {max(lost):.2f} seconds after its own was killed, "
        "and its record is verified."
    )


def _boneyard(*words: str) -> None:
    from scripts.cluster import Failed  # noqa: PLC0415

    done = subprocess.run(
        [sys.executable, "-m", "tui", *words], cwd=ROOT, capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise Failed(f"boneyard {words[0]} fails: {done.stderr.strip() or done.stdout.strip()}")
