"""The story that a cluster is for: two people on two gateways play a match whose table host is killed in the middle."""

import asyncio
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import AbstractContextManager, AsyncExitStack
from pathlib import Path
from random import Random
from signal import SIGKILL
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from net.client.client import Client
from net.client.reconnect import run_reconnecting
from net.ssh.client.connect import connect
from net.wire.messages import Greeting, Interrupted, MakeTable, Refused, Resumed, Tables, Update

if TYPE_CHECKING:
    from scripts.cluster import Cluster

WISH = MakeTable("mexican-train", 2, {"mt.rounds": "short"})
BEFORE = 12
"""Updates that a player hears before the host is killed."""
MOST = 1.0
"""Seconds for which the players may see that the connection is lost."""
PATIENCE = 300.0
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
        self.client = Client(link, "check", entropy=lambda count: self._rng.randbytes(count))
        self.client.subscribe(self._hear)
        group = await stack.enter_async_context(_ended())
        group.append(asyncio.ensure_future(run_reconnecting(self.client, link, self._way_in)))
        group.append(asyncio.ensure_future(self._insists()))

    def _way_in(self) -> AbstractContextManager:  # type: ignore[type-arg]
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
            case Interrupted():
                self._since = time.monotonic()
            case Resumed():
                pass
            case Update():
                if self._since:
                    self.lost.append(time.monotonic() - self._since)
                    self._since = 0.0
                self.updates += 1
                self._act(message)
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
        if update.match is None:
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
