"""A real host on one core with 200 guests over SSH who type and play: keys, moves, first paint, memory."""

import argparse
import asyncio
import gc
import os
import sys
import time
from statistics import median

from crowd import Crowd, Game
from figures import percentile, rise, show, show_stages, title
from guests import ENTER, Guest
from host_process import HostProcess, hosted

KEYS = 1.0
"""A second, for each guest."""
MOVES_EVERY = 2.0
"""Seconds, at each table."""
APART = 10.0
"""Seconds of keys alone and of moves alone, for what each of them costs."""
PER_ADDRESS = 40
"""Guests from one address; a host takes fifty."""


async def main(minutes: float, sessions: int, tables: int, workers: int) -> None:
    """Start a host, fill it, and measure."""
    gateways = f" with {workers} workers" if workers else ""
    title(f"served: {sessions} guests over SSH, {tables} tables, 80×24, a host{gateways} on one core")
    here, there = _cores()
    os.sched_setaffinity(0, {here})
    async with hosted(there, "--metrics", "0", *(["--workers", str(workers)] if workers else [])) as host:
        warm = Guest()
        await warm.come(host.port, "warm")  # imports and caches that the first guest pays for all
        await warm.types(ENTER)
        empty = host.mib
        games = await _fill(host, sessions, tables)
        gc.collect()
        gc.freeze()  # the load generator's own collections are not the host's doing
        crowd = Crowd(games)
        show("memory per session", f"{(host.mib - empty) / sessions:.2f} MiB", "≤ 1.5 MiB")
        keys = KEYS * sessions
        await _alone(host, crowd, keys)
        await _all_together(host, crowd, keys, minutes * 60)
        await _rush(host, crowd, "a quiet house", keys=0, every=0)
        await _rush(host, crowd, "all typing and playing", keys=keys, every=MOVES_EVERY)
        show("memory per session at the end", f"{(host.mib - empty) / sessions:.2f} MiB", "≤ 1.5 MiB")
        lost = sum(guest.lost for game in games for guest in game.guests)
        show("errors: unanswered, lost, logged", f"{crowd.errors}, {lost}, {len(host.complaints)}", "0, 0, 0")
        for complaint in host.complaints[:5]:
            print(complaint, file=sys.stderr)
        warm.go()
        for guest in [guest for game in games for guest in game.guests]:
            guest.go()


def _cores() -> tuple[int, int]:
    """Return a core for this process and one for the host; the same if there is only one."""
    cores = sorted(os.sched_getaffinity(0))
    return cores[0], cores[-1]


async def _fill(host: HostProcess, sessions: int, tables: int) -> list[Game]:
    """Log all guests in, and seat them."""
    waits: list[float] = []
    games = []
    seats = sessions // tables
    for number in range(tables):
        first = number * seats
        game = Game([Guest() for _ in range(seats)])
        address = f"127.0.0.{2 + first // PER_ADDRESS}"
        waits += await game.gather(host.port, first, address)
        games.append(game)
    show("first paint while the house fills: median", f"{median(waits) * 1e3:.0f} ms")
    return games


async def _alone(host: HostProcess, crowd: Crowd, keys: float) -> None:
    """Measure what a key costs, and what a move."""
    await crowd.act(APART / 2, keys, MOVES_EVERY)
    before, own = host.cpu, host.own_cpu
    log = await crowd.act(APART, keys, 0)
    show("CPU for each key", f"{(host.cpu - before) / max(1, len(log.keys)) * 1e3:.2f} ms")
    show(
        "… of that the process that keeps the tables", f"{(host.own_cpu - own) / max(1, len(log.keys)) * 1e3:.2f} ms"
    )
    show("… bytes", f"{log.bytes / max(1, len(log.keys)):,.0f}")
    before, own = host.cpu, host.own_cpu
    log = await crowd.act(APART, 0, MOVES_EVERY)
    show("CPU for each move, which four screens show", f"{(host.cpu - before) / max(1, log.moves) * 1e3:.2f} ms")
    show("… of that the process that keeps the tables", f"{(host.own_cpu - own) / max(1, log.moves) * 1e3:.2f} ms")


async def _all_together(host: HostProcess, crowd: Crowd, keys: float, seconds: float) -> None:
    """Measure keys and moves at once, and whether memory grows."""
    spent, waited, own, begun = host.cpu, host.waited, time.process_time(), time.perf_counter()
    sizes: list[tuple[float, float]] = []

    async def watch() -> None:
        while True:
            sizes.append(((time.perf_counter() - begun) / 60, host.mib))
            await asyncio.sleep(1.0)

    watching = asyncio.create_task(watch())
    before = await asyncio.to_thread(host.stages)
    log = await crowd.act(seconds, keys, MOVES_EVERY)
    after = await asyncio.to_thread(host.stages)
    watching.cancel()
    took = time.perf_counter() - begun
    print(f"\n  {len(log.keys):,} keys and {len(log.moved):,} moves in {took:.0f} s")
    for share, goal in ((0.5, "≤ 3 ms"), (0.95, "≤ 10 ms"), (0.99, "≤ 20 ms"), (1.0, "")):
        name = f"p{share * 100:.0f}" if share < 1 else "the slowest"
        show(f"key to the first byte of its repaint: {name}", f"{percentile(log.keys, share) * 1e3:.1f} ms", goal)
    for share in (0.5, 0.99):
        took_all = percentile(log.moved, share) * 1e3
        show(f"move until all four screens show it: p{share * 100:.0f}", f"{took_all:.1f} ms")
    show("the host's core at work", f"{(host.cpu - spent) / took:.0%}")
    show("… and waiting for it while other programs had it", f"{(host.waited - waited) / took:.0%}")
    show("the load generator's core at work", f"{(time.process_time() - own) / took:.0%}")
    show("… its own lateness, not counted: p99", f"{percentile(log.late, 0.99) * 1e3:.1f} ms")
    show_stages(before, after)
    slope, give = rise(sizes)
    show("memory: MiB per minute, with 95 % confidence", f"{slope:+.2f} ± {give:.2f}", "0 within it")
    quarters = [sizes[len(sizes) * n // 4][1] for n in range(4)] + [sizes[-1][1]]
    show("… MiB at the beginning, each quarter and the end", " ".join(f"{size:.0f}" for size in quarters))


async def _rush(host: HostProcess, crowd: Crowd, when: str, *, keys: float, every: float) -> None:
    """Log guests in four at once, four times."""

    async def come() -> list[float]:
        waits = []
        for wave in range(4):
            newcomers = [Guest() for _ in range(4)]
            calls = [guest.come(host.port, f"late{wave}{n}") for n, guest in enumerate(newcomers)]
            waits += [wait for wait, _ in await asyncio.gather(*calls)]
            await asyncio.sleep(0.5)
            for guest in newcomers:
                guest.go()
        return waits

    waits, log = await asyncio.gather(come(), crowd.act(4.0, keys, every))
    print(f"\n  four guests at once, four times, in {when}")
    show("first paint after connecting: median", f"{median(waits) * 1e3:.0f} ms")
    show("… the slowest", f"{max(waits) * 1e3:.0f} ms", "≤ 200 ms")
    if keys:
        for share in (0.5, 0.95, 0.99):
            show(f"key to first byte meanwhile: p{share * 100:.0f}", f"{percentile(log.keys, share) * 1e3:.1f} ms")
        show("… the load generator's own lateness: p99", f"{percentile(log.late, 0.99) * 1e3:.1f} ms")


if __name__ == "__main__":
    if not sys.platform.startswith("linux"):
        sys.exit("boneyard: this benchmark reads /proc, so it needs Linux.")
    parser = argparse.ArgumentParser(prog="./scripts/load served", description=__doc__)
    parser.add_argument(
        "--minutes", type=float, default=1, help="of keys and moves at once (default 1; written down: 10)"
    )
    parser.add_argument("--sessions", type=int, default=200, help="guests in all (default 200)")
    parser.add_argument("--tables", type=int, default=50, help="tables that they share (default 50)")
    parser.add_argument("--workers", type=int, default=0, help="gateways of the host, on the same core (default 0)")
    chosen = parser.parse_args()
    if chosen.sessions != 4 * chosen.tables:
        parser.error("four guests sit at each table: --sessions must be four times --tables.")
    asyncio.run(main(chosen.minutes, chosen.sessions, chosen.tables, chosen.workers))
