"""The figures of `./scripts/bench against`: each is a function that measures a side once; it is called in turns."""

import asyncio
import os
import pty
import select
import sys
import time
from collections.abc import Callable, Coroutine
from contextlib import AsyncExitStack
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any

from crowd import SEATS, BusyHost, CrowdLog
from figures import percentile
from host_process import ROOT, hosted

Rows = dict[str, float]
"""What was measured, by what it is called and its unit."""
PART = 20
"""Guests who come in one turn of `opening`: few, as a host opens ten screens a second, after fifty at once."""
FULL, CROWDED = 200, 400
SECONDS = {"key": 4.0, "move": 6.0, "echo": 8.0, "crowd": 8.0, "rush": 4.0}
"""How long a turn of each takes."""
STARTS = 3
"""Starts in a turn, of which the median counts."""
FLOOD = [f"127.0.2.{number}" for number in range(1, 21)]
"""Where those who come all at once come from: a host lets twenty from one address log in at the same time."""
LIMITS = ("connections=1000", "unauthenticated=400", "handshakes_in_all=1000")
"""Raised, as a host is not made for two hundred at once; handshakes get no more of the core than ever."""


PATIENCE = 30.0
SIZE = (24, 80)
COMMANDS = {
    "a bare Textual app": (["-c", "BARE"], b"ready"),
    "boneyard play": (["-m", "tui", "play", "block", "--players", "4", "--seed", "1"], b"BONEYARD"),
}
"""What is started, and the word that stands in its first paint and nowhere before."""
WHAT, ANSWER = b"\x1b[c", b"\x1b[?62;22c"
"""The question which terminal this is, as every terminal here answers it at once."""
BARE = """
from textual.app import App
from textual.widgets import Static

class Bare(App):
    def compose(self):
        yield Static("ready")

Bare().run()
"""


def first_paint(arguments: list[str], word: bytes, data: str, tree: Path = ROOT) -> float:
    """Start Python in a checkout and a terminal of its own; return the seconds until the word is on its screen.

    What it keeps, it keeps in a directory `data`.
    """
    arguments = [BARE if argument == "BARE" else argument for argument in arguments]
    start = time.perf_counter()
    process, terminal = pty.fork()
    if process == 0:
        os.environ.pop("PYTHONDONTWRITEBYTECODE", None)  # an installed program is compiled once, not every time
        os.environ.update(TERM="xterm-256color", COLUMNS=str(SIZE[1]), LINES=str(SIZE[0]), XDG_DATA_HOME=data)
        os.environ["PYTHONPATH"] = str(tree)
        os.chdir(tree)
        os.execv(sys.executable, [sys.executable, *arguments])
    seen = b""
    try:
        while word not in seen:
            if not select.select([terminal], [], [], PATIENCE)[0]:
                raise TimeoutError(f"{word!r} never came, but {seen[-300:]!r}")
            said = os.read(terminal, 65536)
            seen += said
            if WHAT in said:
                os.write(terminal, ANSWER)
        return time.perf_counter() - start
    finally:
        os.kill(process, 9)
        os.waitpid(process, 0)
        os.close(terminal)


class MeasuredTree:
    """A checkout, and a host that runs from it as soon as a figure needs one."""

    def __init__(self, tree: Path, core: int, hosts: AsyncExitStack) -> None:
        self.tree = tree
        self._core = core
        self._hosts = hosts
        self._house: BusyHost | None = None

    async def house(self, guests: int = 0) -> BusyHost:
        """Return the host, with at least so many guests, who have played a little."""
        if self._house is None:
            limits = [word for limit in LIMITS for word in ("--limit", limit)]
            host = await self._hosts.enter_async_context(hosted(self._core, *limits, tree=self.tree))
            self._house = BusyHost(host)
            self._hosts.callback(self._house.go)
            await self._house.warm()
        if guests > SEATS * len(self._house.games):
            await self._house.fill(guests)
            await self._house.act(4.0)
        return self._house

    @property
    def errors(self) -> str:
        """What went wrong at its host, if it has one."""
        return self._house.errors if self._house else ""


async def start(side: MeasuredTree) -> Rows:
    """Start the program, and a bare Textual app."""
    with TemporaryDirectory(prefix="boneyard-start-") as data:
        found = {
            name: median(first_paint(arguments, word, data, side.tree) for _ in range(STARTS))
            for name, (arguments, word) in COMMANDS.items()
        }
    bare, ours = found.values()
    return {"start: to the first picture, ms": ours * 1e3, "start ÷ a bare Textual app": ours / bare}


async def opening(side: MeasuredTree) -> Rows:
    """Let more guests in and seat them: handshake, name, lobby, table and the first deal."""
    house = await side.house()
    spent, empty = house.host.cpu, house.host.mib
    waits = await house.fill(SEATS * len(house.games) + PART)
    return {
        "opening: CPU from connecting to a seat, ms": (house.host.cpu - spent) / PART * 1e3,
        "opening: to the first picture, median, ms": median(waits) * 1e3,
        "memory of a session, MiB": (house.host.mib - empty) / PART,
    }


async def key(side: MeasuredTree) -> Rows:
    """Have guests choose tiles, and nothing else happen."""
    house = await side.house(FULL)
    spent = house.host.cpu
    log = await house.act(SECONDS["key"], moves=False)
    return {
        "key: CPU, ms": (house.host.cpu - spent) / len(log.keys) * 1e3,
        "key: bytes": log.bytes / len(log.keys),
    }


async def move(side: MeasuredTree) -> Rows:
    """Have guests move, with the keys that choosing takes, and nothing else happen."""
    house = await side.house(FULL)
    spent = house.host.cpu
    log = await house.act(SECONDS["move"], keys=False)
    return {
        "move on four screens: CPU, ms": (house.host.cpu - spent) / log.moves * 1e3,
        "move on four screens: bytes": log.bytes / log.moves,
    }


async def echo(side: MeasuredTree) -> Rows:
    """Have 200 guests type and play."""
    return await _echo("echo", await side.house(FULL))


async def crowd(side: MeasuredTree) -> Rows:
    """Have 400 guests type and play."""
    return await _echo("crowd", await side.house(CROWDED))


async def rush(side: MeasuredTree) -> Rows:
    """Have four connect at once, four times, while 200 type and play."""
    house = await side.house(FULL)
    waits, log = await asyncio.gather(
        house.rush(4, 4, SECONDS["rush"] / 8, ["127.0.0.1"]), house.act(SECONDS["rush"])
    )
    return _pictures("rush of 4", waits, log)


async def flood(side: MeasuredTree) -> Rows:
    """Have 200 connect at once while 200 type and play, until all have a picture."""
    house = await side.house(FULL)
    coming = asyncio.create_task(house.rush(1, FULL, 0, FLOOD))
    log = CrowdLog()
    while not coming.done():
        log.keys += (await house.act(1.0)).keys
    return _pictures("flood of 200", await coming, log)


async def _echo(name: str, house: BusyHost) -> Rows:
    spent, begun = house.host.cpu, time.perf_counter()
    log = await house.act(SECONDS[name])
    busy = (house.host.cpu - spent) / (time.perf_counter() - begun)
    what = f"{SEATS * len(house.games)} guests: "
    return {
        f"{what}key to first byte, p50, ms": percentile(log.keys, 0.5) * 1e3,
        f"{what}… p95, ms": percentile(log.keys, 0.95) * 1e3,
        f"{what}… p99, ms": percentile(log.keys, 0.99) * 1e3,
        f"{what}move on four screens, p50, ms": percentile(log.moved, 0.5) * 1e3,
        f"{what}the host's core at work, %": busy * 100,
        f"{what}lateness of the load itself, p99, ms": percentile(log.late, 0.99) * 1e3,
    }


def _pictures(what: str, waits: list[float], log: CrowdLog) -> Rows:
    return {
        f"{what}: to the first picture, median, ms": median(waits) * 1e3,
        f"{what}: … the slowest, ms": max(waits) * 1e3,
        f"{what}: keys of players meanwhile, p99, ms": percentile(log.keys, 0.99) * 1e3,
    }


Measure = Callable[[MeasuredTree], Coroutine[Any, Any, Rows]]
MEASURES: dict[str, Measure] = {each.__name__: each for each in (start, opening, key, move, echo, rush, flood, crowd)}
"""In the order in which they are measured: those of `crowd` stay."""
MOST_TURNS = {"flood": 1}
"""Of what takes half a minute, as a host opens ten screens a second."""
