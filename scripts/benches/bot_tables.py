"""A real host with tables at which only bots play: what their thinking costs, and whether people notice."""

import argparse
import asyncio
import os
import re
import sys
import time
from pathlib import Path

from figures import percentile, show, title
from host_process import HostProcess, hosted
from joiners import Joiner, Log, Table

from net.wire.messages import Leave, MakeTable, Watch

PER_ADDRESS = 40
"""Clients from one address; a host takes fifty."""
PEOPLE = 5
"""Tables of four people, who act all the time."""
EVERY = 0.5
"""Seconds between their actions, at each table."""


def thinking(host: HostProcess) -> tuple[float, float, int]:
    """CPU seconds and MiB of the processes in which bots think, and how many there are."""
    seconds = mib = 0.0
    children = Path(f"/proc/{host.process.pid}/task/{host.process.pid}/children").read_text().split()
    for child in children:
        folder = Path("/proc") / child
        seconds += sum(int(each.read_text().split()[0]) for each in folder.glob("task/*/schedstat")) / 1e9
        (kib,) = re.findall(r"VmRSS:\s+(\d+)", (folder / "status").read_text())
        mib += int(kib) / 1024
    return seconds, mib, len(children)


async def bots_alone(port: int, number: int, game: str, level: str) -> Joiner:
    """Open a table with bots and leave it; somebody else watches, so that it goes on. Return who watches."""
    maker, watcher = Joiner(), Joiner()
    for each, name in ((maker, "m"), (watcher, "w")):
        await each.come(port, f"{name}{number}", f"127.0.0.{20 + 2 * number // PER_ADDRESS}")
    maker.says(MakeTable(game, 4, {}, bots=3, level=level))
    await maker.until(lambda: maker.update.get("match"))
    watcher.says(Watch(maker.update["table"]["id"]))
    await watcher.until(lambda: watcher.update)
    maker.says(Leave())
    await asyncio.sleep(0)
    return watcher


async def main(tables: int, seconds: float, game: str, level: str) -> None:
    """Measure people alone, then beside the bots."""
    title(f"bots: {tables} tables of {game} at which only bots play ({level}), a move a second at each")
    cores = sorted(os.sched_getaffinity(0))
    async with hosted(None, "--metrics", "0") as host:
        people = [Table([Joiner() for _ in range(4)]) for _ in range(PEOPLE)]
        for number, table in enumerate(people):
            for n, client in enumerate(table.clients):
                await client.come(host.port, f"p{number}-{n}", "127.0.0.2")
            await table.gather()
        await _measure("people alone", host, people, [], seconds)
        watchers = [await bots_alone(host.port, number, game, level) for number in range(tables)]
        await _measure("beside the bots", host, people, watchers, seconds)
        lost = sum(client.lost for table in people for client in table.clients) + sum(w.lost for w in watchers)
        show("lost, logged", f"{lost}, {len(host.complaints)}", "0, 0")
        for complaint in host.complaints[:5]:
            print(complaint, file=sys.stderr)
    print(f"  ({len(cores)} cores, shared with this load generator)")


async def _measure(what: str, host: HostProcess, people: list[Table], bots: list[Joiner], seconds: float) -> None:
    log, before, spent = Log(), [bot.number for bot in bots], host.cpu
    thought, _, _ = thinking(host)
    begun = time.perf_counter()
    async with asyncio.TaskGroup() as group:
        for number, table in enumerate(people):
            group.create_task(table.plays(log, begun + seconds, EVERY, EVERY * number / len(people)))
    took = time.perf_counter() - begun
    print(f"\n  {what}")
    found = " ".join(f"{percentile(log.own, share) * 1e3:.1f}" for share in (0.5, 0.95, 0.99, 1))
    show("action until acknowledged, ms: p50 p95 p99 most", found)
    show("the host's core at work", f"{(host.cpu - spent) / took:.0%}")
    if bots:
        moves = sum(bot.number - number for bot, number in zip(bots, before, strict=True))
        after, mib, count = thinking(host)
        show("updates of the bots' tables, a second", f"{moves / took:.0f}")
        show("the workers' CPU, in cores", f"{(after - thought) / took:.0%}", "≤ 60 % with the host's")
        show("workers, and their memory", f"{count}, {mib:.0f} MiB")
    if log.errors:
        show("unanswered", str(log.errors), "0")


if __name__ == "__main__":
    if not sys.platform.startswith("linux"):
        sys.exit("boneyard: this benchmark reads /proc, so it needs Linux.")
    parser = argparse.ArgumentParser(prog="./scripts/load bots", description=__doc__)
    parser.add_argument("--tables", type=int, default=50)
    parser.add_argument("--seconds", type=float, default=30)
    parser.add_argument("--game", default="draw")
    parser.add_argument("--level", default="normal")
    chosen = parser.parse_args()
    asyncio.run(main(chosen.tables, chosen.seconds, chosen.game, chosen.level))
