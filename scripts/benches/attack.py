"""A real host on one core under attack: the delay that sixty attackers cause for four players at a table."""

import argparse
import asyncio
import gc
import json
import os
import resource
import sys
import time
from pathlib import Path

import asyncssh
from crowd import Crowd, CrowdLog, Game
from figures import lateness, percentile, show, show_complaints, show_spread, show_stages, title
from floods import FLOODS, start_attackers, table
from guests import BenchGuest
from host_process import HostProcess, run_host
from joiners import Joiner

from net.wire.messages import MakeTable, Sit

KEYS = 4.0
"""Keys per second of the four together."""
MOVE_INTERVAL = 0.3
"""Seconds between two moves."""
_WARM = 3.0
"""Seconds of an attack before its figures count: the first burst of every address is let through."""
GRACE = 30.0
"""Seconds for which a seat stays reserved for a player whose connection broke."""
ATTACKERS = {
    "silent": (20, "guests who stop reading"),
    "junk": (20, "who send junk"),
    "droppers": (20, "who come and go"),
    "mashers": (10, "who mash keys in windows up to 500 by 200"),
    "rekeyers": (20, "who ask for new keys without end"),
    "watchers": (20, "who look on and leave without end"),
    "idle": (100, "idle sockets, twenty from each of five addresses"),
    "web": (20, "who attack the page for browsers"),
    "sockets": (200, "idle sockets at the port of browsers"),
}
"""Default number of attackers of each kind, and their actions."""
_ROOT = Path(__file__).parents[2]


async def main(seconds: float, rest_seconds: float, attackers: dict[str, int]) -> None:
    """Measure four players alone on a host, and again under attack by a number of attackers of each kind.

    Then wait `rest_seconds`.
    """
    title(
        f"attack: four players; {', '.join(f'{count} {ATTACKERS[kind][1]}' for kind, count in attackers.items())}; "
        "a host on one core, with its usual limits"
    )
    cores = sorted(os.sched_getaffinity(0))
    own_core, host_core = cores[0], cores[-1]
    os.sched_setaffinity(0, {own_core})
    resource.setrlimit(resource.RLIMIT_NOFILE, (resource.getrlimit(resource.RLIMIT_NOFILE)[1],) * 2)
    async with run_host(host_core, "--metrics", "0", "--web", "127.0.0.1:0") as host:
        game = Game([BenchGuest() for _ in range(4)])
        await game.gather(host.port, 0, "127.0.0.2")
        gc.collect()
        gc.freeze()
        crowd = Crowd([game])
        await crowd.act(3.0, KEYS, MOVE_INTERVAL)
        mib_before = host.mib
        idle_log = await _measure(host, crowd, seconds, "nobody else")
        kinds = [f"{kind}={count}" for kind, count in attackers.items()]
        attacker_process = await start_attackers(
            "attackers.py", f"{host.port},{host.web}", kinds, seconds + _WARM + 5
        )
        await crowd.act(_WARM, KEYS, MOVE_INTERVAL)
        mib_samples = [host.mib]

        async def watch() -> None:
            while True:
                await asyncio.sleep(1.0)
                mib_samples.append(host.mib)

        watch_task = asyncio.create_task(watch())
        return_task = asyncio.create_task(_come_back(host.port, seconds / 2))
        attacked_log = await _measure(host, crowd, seconds, "under attack")
        watch_task.cancel()
        return_seconds = await return_task
        output, _ = await attacker_process.communicate()
        await crowd.act(3.0, KEYS, MOVE_INTERVAL)
        mib_at_end = host.mib
        await crowd.act(rest_seconds, KEYS, MOVE_INTERVAL)
        print()
        for name, idle_times, attacked_times in (
            ("move until all four screens show it", idle_log.move_delays, attacked_log.move_delays),
            ("key to the first byte of its repaint", idle_log.key_delays, attacked_log.key_delays),
        ):
            for share in (0.5, 0.99):
                ratio = percentile(attacked_times, share) / percentile(idle_times, share)
                show(f"{name}: p{share * 100:.0f}, attacked / idle", f"{ratio:.2f} ×", "≤ 2 ×" if share > 0.9 else "")
        quarters = [mib_samples[len(mib_samples) * quarter // 4] for quarter in range(4)] + [mib_samples[-1]]
        figures = " ".join(f"{size:.0f}" for size in (mib_before, *quarters, mib_at_end))
        show("memory, MiB: before, five times during, at the end", figures)
        show(
            f"… {rest_seconds:.0f} s after they left, and that by what it was before",
            f"{host.mib:.0f}, {host.mib / mib_before:.2f} ×",
            "≤ 1.20 ×",
        )
        show("slowest second: its slowest move", f"{max(attacked_log.move_delays) * 1e3:.0f} ms", "≤ 200 ms")
        return_time = f"{return_seconds:.1f} s" if return_seconds is not None else "not at all"
        show("a player who dropped was back at their table, from a new address", return_time, f"≤ {GRACE:.0f} s")
        lost_guests = sum(guest.lost for guest in game.guests)
        show("the four: unanswered, lost", f"{crowd.errors}, {lost_guests}", "0, 0")
        show("what the host logged that went wrong", str(len(host.logged_errors)), "0")
        for reason, count in (await asyncio.to_thread(host.count, "connections_refused_total")).items():
            show(f"turned away, {reason}", f"{count:,.0f}")
        print("  the attackers: " + ", ".join(f"{k} {v:,}" for k, v in sorted(json.loads(output or b"{}").items())))
        show_complaints(host.logged_errors)
        for guest in game.guests:
            guest.go()


async def _come_back(port: int, delay: float) -> float | None:
    """Drop out of a table, return from another address, and sit down.

    Return the seconds from the drop to the seat; None if that took more than the grace.
    """
    dropped = await _go_to_table(port, "127.0.0.3", MakeTable("draw", 2, {}, bots=1))
    if dropped is None:
        return None
    await asyncio.sleep(delay)
    dropped.go()
    start = time.perf_counter()
    returned = await _go_to_table(port, "127.0.0.4", Sit(dropped.update["table"]["id"]), dropped.resume)
    elapsed = time.perf_counter() - start
    if returned is None or returned.update["seat"] != 0:
        return None
    returned.go()
    return elapsed


async def _go_to_table(port: int, address: str, request: MakeTable | Sit, resume: str = "") -> Joiner | None:
    """Enter and go to a table, retrying as `boneyard join` does; None if that takes more than the grace."""
    end_time = time.perf_counter() + GRACE
    while time.perf_counter() < end_time:
        player = Joiner()
        try:
            async with asyncio.timeout(GRACE):
                await player.come(port, "dropped", address, resume)
                player.send(request)
                await player.wait_until(lambda player=player: player.update)
        except (OSError, asyncssh.Error, TimeoutError):
            await asyncio.sleep(1)
        else:
            return player
    return None


async def _measure(host: HostProcess, crowd: Crowd, seconds: float, when: str) -> CrowdLog:
    cpu_before, waited_before, own_cpu_before, start = (
        host.cpu,
        host.waited_seconds,
        time.process_time(),
        time.perf_counter(),
    )
    delays: list[float] = []
    ticking = asyncio.create_task(lateness(delays))
    stages_before = await asyncio.to_thread(host.stages)
    log = await crowd.act(seconds, KEYS, MOVE_INTERVAL)
    stages_after = await asyncio.to_thread(host.stages)
    ticking.cancel()
    elapsed = time.perf_counter() - start
    print(f"\n  {when}: {len(log.move_delays)} moves and {len(log.key_delays)} keys in {elapsed:.0f} s")
    show_spread("move until all four screens show it", log.move_delays)
    show_spread("key to its repaint", log.key_delays)
    show("the host's core at work", f"{(host.cpu - cpu_before) / elapsed:.0%}")
    show("… and waiting for it while other programs had it", f"{(host.waited_seconds - waited_before) / elapsed:.0%}")
    show("the players' own process at work", f"{(time.process_time() - own_cpu_before) / elapsed:.0%}")
    show("… its lateness, not counted: p99", f"{percentile(delays, 0.99) * 1e3:.1f} ms")
    show_stages(stages_before, stages_after)
    return log


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="./scripts/load attack", description=__doc__)
    parser.add_argument("--seconds", type=float, default=60, help="alone, and as many under attack (default 60)")
    for kind, (count, who) in ATTACKERS.items():
        parser.add_argument(f"--{kind}", type=int, default=count, help=f"{who} (default {count})")
    parser.add_argument("--floods", nargs="*", choices=FLOODS, help="only these floods, each alone; none: all")
    parser.add_argument("--tree", type=Path, default=_ROOT, help="the checkout whose host the floods attack")
    parser.add_argument("--rest", type=float, default=60, help="seconds after they left (default 60)")
    chosen = parser.parse_args()
    if chosen.floods is not None:
        asyncio.run(table(chosen.floods or list(FLOODS), chosen.seconds, chosen.rest, chosen.tree))
        sys.exit()
    asyncio.run(main(chosen.seconds, chosen.rest, {kind: getattr(chosen, kind) for kind in ATTACKERS}))
