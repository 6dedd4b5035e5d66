"""Each flood alone against a real host on one core: how long two honest guests wait, and what stays in memory.

One guest is there by SSH and one in a browser. Both press a key ten times a second, in the form of a new table,
before the flood, under it and after it. Newcomers try to come in by both doors while it lasts.
"""

import asyncio
import contextlib
import os
import resource
import sys
from pathlib import Path

import aiohttp
import asyncssh
from figures import percentile, show_complaints
from guests import ENTER, RIGHT, Guest
from host_process import ROOT, HostProcess, hosted
from web import COLOURS, Browser

LEFT = b"\x1b[D"
PRESS_EVERY = 0.1
"""Seconds between two keys of one guest."""
_WARM = 3.0
"""Seconds of a flood before its figures count: the first burst of every address is let through."""
_NEWCOMER_WAITS = 10.0
"""Seconds in which a newcomer has to come in."""


async def attacked(ports: str, kinds: list[str], seconds: float) -> asyncio.subprocess.Process:
    """Start attackers of these `kinds`, in a process of their own on this core with a lower priority than ours."""
    return await asyncio.create_subprocess_exec(
        "nice",
        "-n",
        "19",
        sys.executable,
        str(Path(__file__).with_name("attackers.py")),
        ports,
        *kinds,
        f"{seconds:g}",
        stdout=asyncio.subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )


class Waits:
    """Seconds from each key of the honest guests to the first byte of its repaint, by door."""

    def __init__(self) -> None:
        self.seconds: dict[str, list[float]] = {"ssh": [], "web": []}

    def of(self, share: float) -> float:
        """The percentile of all, in milliseconds."""
        return percentile([*self.seconds["ssh"], *self.seconds["web"]], share) * 1e3


async def _presses(guest: Guest, seconds: list[float], lost: list[str], stop: asyncio.Event, door: str) -> None:
    while not stop.is_set() and not guest.lost:
        try:
            seconds.append(await guest.press(LEFT if len(seconds) % 2 else RIGHT))
        except TimeoutError:
            seconds.append(5.0)
        await asyncio.sleep(PRESS_EVERY)
    if guest.lost:
        lost.append(door)


async def _pressing(guests: dict[str, Guest], seconds: float, lost: list[str]) -> Waits:
    waits, stop = Waits(), asyncio.Event()
    tasks = [
        asyncio.create_task(_presses(guest, waits.seconds[door], lost, stop, door)) for door, guest in guests.items()
    ]
    await asyncio.sleep(seconds)
    stop.set()
    await asyncio.gather(*tasks)
    return waits


async def _newcomers(host: HostProcess, tries: int) -> int:
    """Come in from new addresses, by both doors in turns; return how many of `tries` did.

    Each tries again every second, as people do, for `_NEWCOMER_WAITS`.
    """
    came = 0
    for number in range(tries):
        port = host.web if number % 2 else host.port
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(_NEWCOMER_WAITS):
                while not await _comes_in(Browser() if number % 2 else Guest(env=COLOURS), port, number):  # noqa: ASYNC110 - a person tries again
                    await asyncio.sleep(1)
                came += 1
    return came


async def _comes_in(guest: Guest, port: int, number: int) -> bool:
    try:
        await guest.come(port, f"new{number}", f"127.0.200.{number + 1}")
    except (OSError, TimeoutError, asyncssh.Error, aiohttp.ClientError):
        return False
    finally:
        with contextlib.suppress(AttributeError):
            guest.go()
    return True


async def _flooded(kind: str, seconds: float, rest: float, core: int, tree: Path) -> tuple[str, list[str]]:
    """Return the row of one flood, and what the host complained of."""
    async with hosted(core, "--web", "127.0.0.1:0", tree=tree) as host:
        guests: dict[str, Guest] = {"ssh": Guest(env=COLOURS), "web": Browser()}
        for number, (door, guest) in enumerate(guests.items()):
            await guest.come(host.web if door == "web" else host.port, f"honest{number}", f"127.0.0.{number + 2}")
            await guest.gets(ENTER, "lobby")
            await guest.gets(b"n", "a new table")
        lost: list[str] = []
        idle = await _pressing(guests, 5.0, lost)
        before = host.mib
        flood = await attacked(f"{host.port},{host.web}", [f"flood={kind}"], seconds + _WARM)
        await _pressing(guests, _WARM, lost)
        tries = 6
        coming = asyncio.create_task(_newcomers(host, tries))
        under = await _pressing(guests, seconds, lost)
        peak = host.mib
        came = await coming
        await flood.wait()
        after = await _pressing(guests, rest, lost)
        row = (
            f"  {kind:11}{idle.of(0.5):6.1f}{idle.of(0.99):7.1f}{under.of(0.5):8.1f}{under.of(0.99):8.1f}"
            f"{under.of(1.0):8.0f}{under.of(0.99) / idle.of(0.99):7.1f} ×{after.of(1.0):8.0f}"
            f"{before:8.0f}{peak:7.0f}{host.mib:7.0f}{host.mib / before:6.2f} ×{came:5}/{tries}{len(lost):6}"
        )
        for guest in guests.values():
            guest.go()
        return row, host.complaints


async def table(kinds: list[str], seconds: float, rest: float, tree: Path = ROOT) -> None:
    """Print a row for each flood. `rest` is in seconds after it; `tree` is the checkout that the host is run from."""
    cores = sorted(os.sched_getaffinity(0))
    os.sched_setaffinity(0, {cores[0]})
    resource.setrlimit(resource.RLIMIT_NOFILE, (resource.getrlimit(resource.RLIMIT_NOFILE)[1],) * 2)
    print(
        f"\nfloods of {seconds:.0f} s, then {rest:.0f} s of rest; two honest guests; key to first byte in ms, MiB\n"
    )
    print(
        f"  {'flood':11}{'idle p50':>6}{'p99':>5}{'p50':>8}{'p99':>8}{'max':>8}{'p99÷idle':>9}{'after':>8}"
        f"{'before':>8}{'peak':>7}{'rest':>7}{'÷':>8}{'came in':>8}{'lost':>6}"
    )
    for kind in kinds:
        row, complaints = await _flooded(kind, seconds, rest, cores[-1], tree)
        print(row, flush=True)
        show_complaints(complaints)
