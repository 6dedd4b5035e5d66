"""A real host on one core with 200 guests over SSH who type and play: keys, moves, first paint, memory."""

import argparse
import asyncio
import os
import time
from statistics import median

from crowd import SEATS, BusyHost, cores
from figures import percentile, rise, show, show_complaints, show_stages, title
from host_process import run_host

SEPARATE_SECONDS = 10.0
"""Seconds of keys alone and of moves alone, for the cost of each."""


async def main(minutes: float, sessions: int, workers: int) -> None:
    """Start a host, fill it, and measure."""
    gateways = f" with {workers} workers" if workers else ""
    title(f"served: {sessions} guests over SSH by fours at tables, 80×24, a host{gateways} on one core")
    own_core, host_core = cores()
    os.sched_setaffinity(0, {own_core})
    async with run_host(host_core, "--metrics", "0", *(["--workers", str(workers)] if workers else [])) as host:
        busy_host = BusyHost(host)
        await busy_host.warm()
        mib_before = host.mib
        waits = await busy_host.fill(sessions)
        show("first paint while the host fills: median", f"{median(waits) * 1e3:.0f} ms")
        show("memory per session", f"{(host.mib - mib_before) / sessions:.2f} MiB", "≤ 1.5 MiB")
        await _measure_alone(busy_host)
        await _measure_together(busy_host, minutes * 60)
        await _rush(busy_host, "a quiet host", busy=False)
        await _rush(busy_host, "all typing and playing", busy=True)
        show("memory per session at the end", f"{(host.mib - mib_before) / sessions:.2f} MiB", "≤ 1.5 MiB")
        show("errors: unanswered, lost, logged", busy_host.errors or "none", "none")
        show_complaints(host.logged_errors)
        busy_host.go()


async def _measure_alone(busy_host: BusyHost) -> None:
    """Measure the cost of a key, and of a move."""
    await busy_host.act(SEPARATE_SECONDS / 2)
    host = busy_host.host
    cpu_before, own_cpu_before = host.cpu, host.own_cpu
    log = await busy_host.act(SEPARATE_SECONDS, moves=False)
    count = max(1, len(log.key_delays))
    show("CPU for each key", f"{(host.cpu - cpu_before) / count * 1e3:.2f} ms")
    show("… of that the process that keeps the tables", f"{(host.own_cpu - own_cpu_before) / count * 1e3:.2f} ms")
    show("… bytes", f"{log.bytes / count:,.0f}")
    cpu_before, own_cpu_before = host.cpu, host.own_cpu
    log = await busy_host.act(SEPARATE_SECONDS, keys=False)
    show("CPU for each move, which four screens show", f"{(host.cpu - cpu_before) / max(1, log.moves) * 1e3:.2f} ms")
    show(
        "… of that the process that keeps the tables",
        f"{(host.own_cpu - own_cpu_before) / max(1, log.moves) * 1e3:.2f} ms",
    )


async def _measure_together(busy_host: BusyHost, seconds: float) -> None:
    """Measure keys and moves at once, and the growth of memory."""
    host = busy_host.host
    cpu_before, waited_before, own_cpu_before, start = (
        host.cpu,
        host.waited_seconds,
        time.process_time(),
        time.perf_counter(),
    )
    sizes: list[tuple[float, float]] = []

    async def watch() -> None:
        while True:
            sizes.append(((time.perf_counter() - start) / 60, host.mib))
            await asyncio.sleep(1.0)

    watching = asyncio.create_task(watch())
    stages_before = await asyncio.to_thread(host.stages)
    log = await busy_host.act(seconds)
    stages_after = await asyncio.to_thread(host.stages)
    watching.cancel()
    elapsed = time.perf_counter() - start
    print(f"\n  {len(log.key_delays):,} keys and {len(log.move_delays):,} moves in {elapsed:.0f} s")
    for share, goal in ((0.5, "≤ 3 ms"), (0.95, "≤ 10 ms"), (0.99, "≤ 20 ms"), (1.0, "")):
        name = f"p{share * 100:.0f}" if share < 1 else "the slowest"
        show(
            f"key to the first byte of its repaint: {name}", f"{percentile(log.key_delays, share) * 1e3:.1f} ms", goal
        )
    for share in (0.5, 0.99):
        seconds_to_all = percentile(log.move_delays, share) * 1e3
        show(f"move until all four screens show it: p{share * 100:.0f}", f"{seconds_to_all:.1f} ms")
    show("the host's core at work", f"{(host.cpu - cpu_before) / elapsed:.0%}")
    show("… and waiting for it while other programs had it", f"{(host.waited_seconds - waited_before) / elapsed:.0%}")
    show("the load generator's core at work", f"{(time.process_time() - own_cpu_before) / elapsed:.0%}")
    show("… its own lateness, not counted: p99", f"{percentile(log.send_delays, 0.99) * 1e3:.1f} ms")
    show_stages(stages_before, stages_after)
    slope, margin = rise(sizes)
    show("memory: MiB per minute, with 95 % confidence", f"{slope:+.2f} ± {margin:.2f}", "0 within it")
    quarters = [sizes[len(sizes) * n // 4][1] for n in range(4)] + [sizes[-1][1]]
    show("… MiB at the beginning, each quarter and the end", " ".join(f"{size:.0f}" for size in quarters))


async def _rush(busy_host: BusyHost, when: str, *, busy: bool) -> None:
    """Log guests in four at once, four times."""
    waits, log = await asyncio.gather(
        busy_host.rush(4, 4, 0.5, ["127.0.0.1"]), busy_host.act(4.0, keys=busy, moves=busy)
    )
    print(f"\n  four guests at once, four times, in {when}")
    show("first paint after connecting: median", f"{median(waits) * 1e3:.0f} ms")
    show("… the slowest", f"{max(waits) * 1e3:.0f} ms", "≤ 200 ms")
    if busy:
        for share in (0.5, 0.95, 0.99):
            show(
                f"key to first byte meanwhile: p{share * 100:.0f}",
                f"{percentile(log.key_delays, share) * 1e3:.1f} ms",
            )
        show("… the load generator's own lateness: p99", f"{percentile(log.send_delays, 0.99) * 1e3:.1f} ms")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="./scripts/load served", description=__doc__)
    parser.add_argument(
        "--minutes", type=float, default=1, help="of keys and moves at once (default 1; written down: 10)"
    )
    parser.add_argument("--sessions", type=int, default=200, help="guests in all, by fours (default 200)")
    parser.add_argument("--workers", type=int, default=0, help="gateways of the host, on the same core (default 0)")
    chosen = parser.parse_args()
    if chosen.sessions % SEATS:
        parser.error("four guests sit at each table: --sessions must be a multiple of four.")
    asyncio.run(main(chosen.minutes, chosen.sessions, chosen.workers))
