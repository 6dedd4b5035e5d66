"""A real host on one core and up to a thousand joined clients: the time until an action is saved and acknowledged."""

import argparse
import asyncio
import gc
import os
import resource
import time

from figures import lateness, percentile, show, show_complaints, show_spread, title
from host_process import HostProcess, hosted
from joiners import Joiner, Log, Table

PER_ADDRESS = 40
"""Clients from one address; a host takes fifty."""
TOGETHER = 2
"""Tables whose four log in and sit down at the same moment."""


async def main(steps: list[int], every: list[float], seconds: float) -> None:
    """Connect more and more clients, and have them play."""
    title(f"joined: up to {max(steps):,} clients without screens, by fours at tables of Block, a host on one core")
    cores = sorted(os.sched_getaffinity(0))
    os.sched_setaffinity(0, {cores[0]})
    resource.setrlimit(resource.RLIMIT_NOFILE, (resource.getrlimit(resource.RLIMIT_NOFILE)[1],) * 2)
    limits = [f"--limit={limit}" for limit in (f"connections={max(steps) + 50}", "handshakes_in_all=1000")]
    async with hosted(cores[-1], "--metrics", "0", *limits) as host:
        tables: list[Table] = []
        empty = host.mib
        for step in steps:
            begun = time.perf_counter()
            new = await _fill(host, tables, step // 4)
            took = time.perf_counter() - begun
            clients = [client for table in tables for client in table.clients]
            print(f"\n  {len(clients):,} clients at {len(tables)} tables; the last {new} came in {took:.1f} s")
            gc.collect()
            gc.freeze()
            show("memory per client", f"{(host.mib - empty) * 1024 / len(clients):.0f} KiB")
            for pause in every:
                await _measure(host, tables, pause, seconds)
        lost = sum(client.lost for client in clients)
        show("lost, refused, logged", f"{lost}, {sum(c.refused for c in clients)}, {len(host.complaints)}", "0, 0, 0")
        show_complaints(host.complaints)
        for client in clients:
            client.go()


async def _fill(host: HostProcess, tables: list[Table], count: int) -> int:
    """Connect clients until there are that many tables; return how many connected."""
    gate = asyncio.Semaphore(TOGETHER)

    async def seat(number: int) -> Table:
        table = Table([Joiner() for _ in range(4)])
        async with gate:
            for n, client in enumerate(table.clients, 4 * number):
                await client.come(host.port, f"c{n}", f"127.0.0.{2 + n // PER_ADDRESS}")
            await table.gather()
        return table

    new = await asyncio.gather(*(seat(number) for number in range(len(tables), count)))
    tables += new
    return 4 * len(new)


async def _measure(host: HostProcess, tables: list[Table], every: float, seconds: float) -> None:
    log, late = Log(), list[float]()
    spent, waited, own, begun = host.cpu, host.waited, time.process_time(), time.perf_counter()
    saves = await asyncio.to_thread(host.count, "saves_total")
    ticking = asyncio.create_task(lateness(late))
    until = begun + seconds
    async with asyncio.TaskGroup() as group:
        for number, table in enumerate(tables):
            group.create_task(table.plays(log, until, every, every * number / len(tables)))
    ticking.cancel()
    took = time.perf_counter() - begun
    saved = (await asyncio.to_thread(host.count, "saves_total"))[""] - saves[""]
    rate = len(log.own) / took
    print(f"  each table acts every {every:g} s: {rate:.0f} actions a second, {len(log.own):,} in all")
    show_spread("action until acknowledged", log.own, "p99 ≤ 50 ms")
    show_spread("action until all four told", log.all)
    busy, stolen = (host.cpu - spent) / took, (host.waited - waited) / took
    show("the host's core: at work, and waiting for it", f"{busy:.0%} {stolen:.0%}")
    show("the host's CPU for each action", f"{(host.cpu - spent) / max(1, len(log.own)) * 1e3:.2f} ms")
    show("actions kept in one go, on average", f"{len(log.own) / max(1, saved):.2f}")
    figures = f"{(time.process_time() - own) / took:.0%} {percentile(late, 0.99) * 1e3:.1f} ms"
    show("the clients' core at work, and their lateness: p99", figures)
    if log.errors:
        show("unanswered", str(log.errors), "0")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="./scripts/load joined", description=__doc__)
    parser.add_argument("--clients", type=int, nargs="+", default=[100, 250, 500, 1000], help="steps (… up to 1000)")
    parser.add_argument("--every", type=float, nargs="+", default=[2, 1], help="seconds between actions (2 and 1)")
    parser.add_argument("--seconds", type=float, default=30, help="of each step and rate (default 30)")
    chosen = parser.parse_args()
    asyncio.run(main(sorted(chosen.clients), chosen.every, chosen.seconds))
