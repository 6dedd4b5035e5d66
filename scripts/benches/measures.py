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
from host_process import ROOT, run_host

Rows = dict[str, float]
"""Measurements by name and unit."""
NEWCOMERS = 20
"""Guests who enter in one turn of `opening`: few, because a host opens ten screens a second, after fifty at once."""
FULL_HOST, CROWDED_HOST = 200, 400
SECONDS = {"key": 4.0, "move": 6.0, "echo": 8.0, "crowd": 8.0, "rush": 4.0}
"""Seconds of a turn, by measurement."""
STARTS_PER_TURN = 3
"""Starts in a turn, of which the median counts."""
FLOOD_ADDRESSES = [f"127.0.2.{number}" for number in range(1, 21)]
"""Addresses of guests who connect all at once: a host lets twenty from one address log in at the same time."""
LIMITS = ("connections=1000", "unauthenticated=400", "handshakes_in_all=1000")
"""Raised limits, because a host is not made for two hundred at once; handshakes get no more of the core."""


PAINT_TIMEOUT = 30.0
SIZE = (24, 80)
COMMANDS = {
    "a bare Textual app": (["-c", "BARE_APP"], b"ready"),
    "boneyard play": (["-m", "tui", "play", "block", "--players", "4", "--seed", "1"], b"BONEYARD"),
}
"""The commands to start, and the word that stands in their first paint and nowhere before."""
TERMINAL_QUERY, TERMINAL_ANSWER = b"\x1b[c", b"\x1b[?62;22c"
"""The query of the terminal's kind, and the answer that every terminal here gives at once."""
BARE_APP = """
from textual.app import App
from textual.widgets import Static

class Bare(App):
    def compose(self):
        yield Static("ready")

Bare().run()
"""


def first_paint(arguments: list[str], awaited_word: bytes, data: str, tree: Path = ROOT) -> float:
    """Start Python in a checkout and a terminal of its own; return the seconds until the word is on its screen.

    It stores its data in the directory `data`.
    """
    arguments = [BARE_APP if argument == "BARE_APP" else argument for argument in arguments]
    start = time.perf_counter()
    process, terminal = pty.fork()
    if process == 0:
        os.environ.pop("PYTHONDONTWRITEBYTECODE", None)  # an installed program is compiled once, not every time
        os.environ.update(TERM="xterm-256color", COLUMNS=str(SIZE[1]), LINES=str(SIZE[0]), XDG_DATA_HOME=data)
        os.environ["PYTHONPATH"] = str(tree)
        os.chdir(tree)
        os.execv(sys.executable, [sys.executable, *arguments])
    received = b""
    try:
        while awaited_word not in received:
            if not select.select([terminal], [], [], PAINT_TIMEOUT)[0]:
                raise TimeoutError(f"{awaited_word!r} never came, but {received[-300:]!r}")
            output = os.read(terminal, 65536)
            received += output
            if TERMINAL_QUERY in output:
                os.write(terminal, TERMINAL_ANSWER)
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
        self._busy_host: BusyHost | None = None

    async def busy_host(self, guests: int = 0) -> BusyHost:
        """Return the host, with at least `guests` guests, who have played a little."""
        if self._busy_host is None:
            limits = [word for limit in LIMITS for word in ("--limit", limit)]
            host = await self._hosts.enter_async_context(run_host(self._core, *limits, tree=self.tree))
            self._busy_host = BusyHost(host)
            self._hosts.callback(self._busy_host.go)
            await self._busy_host.warm()
        if guests > SEATS * len(self._busy_host.games):
            await self._busy_host.fill(guests)
            await self._busy_host.act(4.0)
        return self._busy_host

    @property
    def errors(self) -> str:
        """The errors at its host, if it has one."""
        return self._busy_host.errors if self._busy_host else ""


async def start(side: MeasuredTree) -> Rows:
    """Start the program, and a bare Textual app."""
    with TemporaryDirectory(prefix="boneyard-start-") as data:
        times = {
            name: median(first_paint(arguments, word, data, side.tree) for _ in range(STARTS_PER_TURN))
            for name, (arguments, word) in COMMANDS.items()
        }
    bare_seconds, own_seconds = times.values()
    return {
        "start: to the first picture, ms": own_seconds * 1e3,
        "start ÷ a bare Textual app": own_seconds / bare_seconds,
    }


async def opening(side: MeasuredTree) -> Rows:
    """Let more guests in and seat them: handshake, name, lobby, table and the first deal."""
    busy_host = await side.busy_host()
    cpu_before, mib_before = busy_host.host.cpu, busy_host.host.mib
    waits = await busy_host.fill(SEATS * len(busy_host.games) + NEWCOMERS)
    return {
        "opening: CPU from connecting to a seat, ms": (busy_host.host.cpu - cpu_before) / NEWCOMERS * 1e3,
        "opening: to the first picture, median, ms": median(waits) * 1e3,
        "memory of a session, MiB": (busy_host.host.mib - mib_before) / NEWCOMERS,
    }


async def key(side: MeasuredTree) -> Rows:
    """Let guests choose tiles, with no other load."""
    busy_host = await side.busy_host(FULL_HOST)
    cpu_before = busy_host.host.cpu
    log = await busy_host.act(SECONDS["key"], moves=False)
    return {
        "key: CPU, ms": (busy_host.host.cpu - cpu_before) / len(log.key_delays) * 1e3,
        "key: bytes": log.bytes / len(log.key_delays),
    }


async def move(side: MeasuredTree) -> Rows:
    """Let guests move, with the keys that choosing takes, and no other load."""
    busy_host = await side.busy_host(FULL_HOST)
    cpu_before = busy_host.host.cpu
    log = await busy_host.act(SECONDS["move"], keys=False)
    return {
        "move on four screens: CPU, ms": (busy_host.host.cpu - cpu_before) / log.moves * 1e3,
        "move on four screens: bytes": log.bytes / log.moves,
    }


async def echo(side: MeasuredTree) -> Rows:
    """Let 200 guests type and play."""
    return await _measure_echo("echo", await side.busy_host(FULL_HOST))


async def crowd(side: MeasuredTree) -> Rows:
    """Let 400 guests type and play."""
    return await _measure_echo("crowd", await side.busy_host(CROWDED_HOST))


async def rush(side: MeasuredTree) -> Rows:
    """Let four connect at once, four times, while 200 type and play."""
    busy_host = await side.busy_host(FULL_HOST)
    waits, log = await asyncio.gather(
        busy_host.rush(4, 4, SECONDS["rush"] / 8, ["127.0.0.1"]), busy_host.act(SECONDS["rush"])
    )
    return _picture_rows("rush of 4", waits, log)


async def flood(side: MeasuredTree) -> Rows:
    """Let 200 connect at once while 200 type and play, until all have a picture."""
    busy_host = await side.busy_host(FULL_HOST)
    arrivals = asyncio.create_task(busy_host.rush(1, FULL_HOST, 0, FLOOD_ADDRESSES))
    log = CrowdLog()
    while not arrivals.done():
        log.key_delays += (await busy_host.act(1.0)).key_delays
    return _picture_rows("flood of 200", await arrivals, log)


async def _measure_echo(name: str, busy_host: BusyHost) -> Rows:
    cpu_before, start_time = busy_host.host.cpu, time.perf_counter()
    log = await busy_host.act(SECONDS[name])
    busy_share = (busy_host.host.cpu - cpu_before) / (time.perf_counter() - start_time)
    prefix = f"{SEATS * len(busy_host.games)} guests: "
    return {
        f"{prefix}key to first byte, p50, ms": percentile(log.key_delays, 0.5) * 1e3,
        f"{prefix}… p95, ms": percentile(log.key_delays, 0.95) * 1e3,
        f"{prefix}… p99, ms": percentile(log.key_delays, 0.99) * 1e3,
        f"{prefix}move on four screens, p50, ms": percentile(log.move_delays, 0.5) * 1e3,
        f"{prefix}the host's core at work, %": busy_share * 100,
        f"{prefix}lateness of the load itself, p99, ms": percentile(log.send_delays, 0.99) * 1e3,
    }


def _picture_rows(name: str, waits: list[float], log: CrowdLog) -> Rows:
    return {
        f"{name}: to the first picture, median, ms": median(waits) * 1e3,
        f"{name}: … the slowest, ms": max(waits) * 1e3,
        f"{name}: keys of players meanwhile, p99, ms": percentile(log.key_delays, 0.99) * 1e3,
    }


Measure = Callable[[MeasuredTree], Coroutine[Any, Any, Rows]]
MEASURES: dict[str, Measure] = {
    measure.__name__: measure for measure in (start, opening, key, move, echo, rush, flood, crowd)
}
"""In the order of measurement: the guests of `crowd` stay."""
MAX_TURNS = {"flood": 1}
"""Maximum number of turns for measurements that take half a minute, because a host opens ten screens a second."""
