"""A real host on one core under attack: what four people at a table feel of sixty who mean it ill."""

import argparse
import asyncio
import gc
import json
import os
import resource
import sys
import time
from pathlib import Path

from crowd import Crowd, Game, Log
from figures import lateness, percentile, show, title
from guests import Guest
from host_process import HostProcess, hosted

KEYS = 4.0
"""A second, of the four together."""
MOVES_EVERY = 0.3
"""Seconds."""
_WARM = 3.0
"""Seconds of an attack before its figures count: the first burst of every address is let through."""
_ROOT = Path(__file__).parents[2]


async def main(seconds: float, rest: float, *attackers: int) -> None:
    """Measure four players alone in a house, and again under attack; then let the house `rest` for some seconds.

    The attackers are silent ones, senders of junk, droppers and mashers, so many of each.
    """
    silent, junk, droppers, mashers = attackers
    title(
        f"attack: four players; {silent} guests who stop reading, {junk} who send junk, {droppers} who come and go, "
        f"{mashers} who mash keys in windows up to 500 by 200; a host on one core, with its usual limits"
    )
    cores = sorted(os.sched_getaffinity(0))
    here, there = cores[0], cores[-1]
    os.sched_setaffinity(0, {here})
    resource.setrlimit(resource.RLIMIT_NOFILE, (resource.getrlimit(resource.RLIMIT_NOFILE)[1],) * 2)
    async with hosted(there, "--metrics", "0") as host:
        game = Game([Guest() for _ in range(4)])
        await game.gather(host.port, 0, "127.0.0.2")
        gc.collect()
        gc.freeze()
        crowd = Crowd([game])
        await crowd.act(3.0, KEYS, MOVES_EVERY)
        before = host.mib
        idle = await _measured(host, crowd, seconds, "nobody else")
        attack = await _attacked(host.port, *attackers, seconds + _WARM + 5)
        await crowd.act(_WARM, KEYS, MOVES_EVERY)
        sizes = [host.mib]

        async def watch() -> None:
            while True:
                await asyncio.sleep(1.0)
                sizes.append(host.mib)

        watching = asyncio.create_task(watch())
        attacked = await _measured(host, crowd, seconds, "under attack")
        watching.cancel()
        out, _ = await attack.communicate()
        await crowd.act(3.0, KEYS, MOVES_EVERY)
        ended = host.mib
        await crowd.act(rest, KEYS, MOVES_EVERY)
        print()
        for what, one, other in (
            ("move until all four screens show it", idle.moved, attacked.moved),
            ("key to the first byte of its repaint", idle.keys, attacked.keys),
        ):
            for share in (0.5, 0.99):
                ratio = percentile(other, share) / percentile(one, share)
                show(f"{what}: p{share * 100:.0f}, attacked / idle", f"{ratio:.2f} ×", "≤ 2 ×" if share > 0.9 else "")
        quarters = [sizes[len(sizes) * n // 4] for n in range(4)] + [sizes[-1]]
        figures = " ".join(f"{size:.0f}" for size in (before, *quarters, ended))
        show("memory, MiB: before, five times during, at the end", figures)
        show(
            f"… {rest:.0f} s after they left, and that by what it was before",
            f"{host.mib:.0f}, {host.mib / before:.2f} ×",
            "≤ 1.20 ×",
        )
        lost = sum(guest.lost for guest in game.guests)
        show("the four: unanswered, lost", f"{crowd.errors}, {lost}", "0, 0")
        show("what the host logged that went wrong", str(len(host.complaints)), "0")
        for reason, count in (await asyncio.to_thread(host.count, "connections_refused_total")).items():
            show(f"turned away, {reason}", f"{count:,.0f}")
        print("  the attackers: " + ", ".join(f"{k} {v:,}" for k, v in sorted(json.loads(out or b"{}").items())))
        for complaint in host.complaints[:5]:
            print(complaint, file=sys.stderr)
        for guest in game.guests:
            guest.go()


async def _attacked(port: int, *words: float) -> asyncio.subprocess.Process:
    """Let the attackers loose, in a process of their own on this core, which gives way to ours."""
    return await asyncio.create_subprocess_exec(
        sys.executable,
        str(Path(__file__).with_name("attackers.py")),
        *(f"{word:g}" for word in (port, *words)),
        stdout=asyncio.subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": str(_ROOT)},
    )


async def _measured(host: HostProcess, crowd: Crowd, seconds: float, when: str) -> Log:
    spent, waited, own, begun = host.cpu, host.waited, time.process_time(), time.perf_counter()
    late: list[float] = []
    ticking = asyncio.create_task(lateness(late))
    log = await crowd.act(seconds, KEYS, MOVES_EVERY)
    ticking.cancel()
    took = time.perf_counter() - begun
    print(f"\n  {when}: {len(log.moved)} moves and {len(log.keys)} keys in {took:.0f} s")
    for what, times in (("move until all four screens show it", log.moved), ("key to its repaint", log.keys)):
        found = " ".join(f"{percentile(times, share) * 1e3:.1f}" for share in (0.5, 0.95, 0.99, 1))
        show(f"{what}, ms: p50 p95 p99 most", found)
    show("the host's core at work", f"{(host.cpu - spent) / took:.0%}")
    show("… and waiting for it while other programs had it", f"{(host.waited - waited) / took:.0%}")
    show("the players' own process at work", f"{(time.process_time() - own) / took:.0%}")
    show("… its lateness, not counted: p99", f"{percentile(late, 0.99) * 1e3:.1f} ms")
    return log


if __name__ == "__main__":
    if not sys.platform.startswith("linux"):
        sys.exit("boneyard: this benchmark reads /proc, so it needs Linux.")
    parser = argparse.ArgumentParser(prog="./scripts/load attack", description=__doc__)
    parser.add_argument("--seconds", type=float, default=60, help="alone, and as many under attack (default 60)")
    parser.add_argument("--silent", type=int, default=20, help="guests who stop reading (default 20)")
    parser.add_argument("--junk", type=int, default=20, help="who send junk (default 20)")
    parser.add_argument("--droppers", type=int, default=20, help="who open and drop connections (default 20)")
    parser.add_argument("--mashers", type=int, default=10, help="who mash keys in huge windows (default 10)")
    parser.add_argument("--rest", type=float, default=60, help="seconds after they left (default 60)")
    chosen = parser.parse_args()
    asyncio.run(main(chosen.seconds, chosen.rest, chosen.silent, chosen.junk, chosen.droppers, chosen.mashers))
