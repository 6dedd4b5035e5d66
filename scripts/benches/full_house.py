"""A real host with fifty guests at tables, over real SSH: memory, time to the first paint, keys and moves."""

import asyncio
import sys
import time
from collections.abc import Sequence
from random import Random
from statistics import median

from figures import percentile, show, title
from guests import DOWN, ENTER, RIGHT, Guest
from host_process import HostProcess, hosted

GUESTS = 50
"""As many as a host takes from one address."""
SEATS = 4
RATE = 50.0
"""Keys in a second, of all players together."""
KEYS = 1000
IDLE = 5.0
MOVES = 4
"""At each table."""


async def main() -> None:
    """Start a host, fill it, and measure."""
    title(f"host: `boneyard host` with {GUESTS} guests over SSH, real table screens of 80×24")
    async with hosted() as host:
        warm = Guest()
        await warm.come(host.port, "warm")  # imports and caches that the first guest pays for all
        await warm.types(ENTER)
        empty, spent = host.mib, host.cpu
        tables = await fill(host)
        guests = [guest for table in tables for guest in table]
        show("memory per guest at a table", f"{(host.mib - empty) / len(guests):.2f} MiB", "≤ 2 MiB")
        show("CPU to let one in and seat them", f"{(host.cpu - spent) / len(guests) * 1e3:.0f} ms")
        before = host.cpu
        await asyncio.sleep(IDLE)
        show(f"CPU while all {len(guests)} only look", f"{(host.cpu - before) / IDLE:.2%}", "near 0")
        await measure_keys(host, guests)
        await measure_moves(host, tables)
        await measure_rush(host, guests)
        warm.go()
        for guest in guests:
            guest.go()


async def fill(host: HostProcess) -> list[list[Guest]]:
    """Log all guests in one after the other, through the real screens, and seat four at each table."""
    tables: list[list[Guest]] = []
    waits: list[float] = []
    sessions: list[float] = []
    for number in range(GUESTS - 1):  # one is there already
        guest = Guest()
        wait, session = await guest.come(host.port, f"guest{number}")
        waits.append(wait)
        sessions.append(session)
        await guest.types(ENTER)  # the name as it is
        if number % SEATS == 0:
            await guest.types(b"n", RIGHT, DOWN, *[RIGHT] * (SEATS - 2), ENTER)
            tables.append([guest])
        else:
            await guest.sits()
            tables[-1].append(guest)
    show("first paint after connecting, SSH and all: median", f"{median(waits) * 1e3:.0f} ms", "≤ 300 ms")
    show("… the slowest", f"{max(waits) * 1e3:.0f} ms", "≤ 300 ms")
    show("… from the session's opening: median", f"{median(sessions) * 1e3:.0f} ms")
    return tables


async def measure_keys(host: HostProcess, guests: Sequence[Guest]) -> None:
    """Have all guests on turn choose another tile, repeatedly."""
    players = [guest for guest in guests if guest.chooses]
    before = host.cpu
    took, late, sent = await typed(players, KEYS)
    show(
        f"key to first byte, {RATE:.0f} keys/s of {len(players)} players: p50",
        f"{percentile(took, 0.5) * 1e3:.1f} ms",
        "≤ 4 ms",
    )
    show("… p99", f"{percentile(took, 0.99) * 1e3:.1f} ms", "≤ 30 ms")
    show("… the slowest", f"{max(took) * 1e3:.1f} ms")
    show("… CPU for each key", f"{(host.cpu - before) / len(took) * 1e3:.1f} ms")
    show("… bytes for each key", f"{sent / len(took):.0f}")
    show("… the guests' own lateness, not counted: p99", f"{percentile(late, 0.99) * 1e3:.1f} ms")


async def typed(players: Sequence[Guest], count: int) -> tuple[list[float], list[float], int]:
    """Press keys at random moments, `RATE` a second; return what each took, how late it was sent, and bytes.

    The guests take turns, as nobody presses keys faster than screens are painted. The moments are fixed
    beforehand, so a slow answer delays no later key; only if all guests wait for an answer, the next key is due
    when the first is answered. The time starts when a key is handed to SSH and stops when the answer arrives; how
    late this process sends it is measured separately.
    """
    rng = Random(7)
    took: list[float] = []
    late: list[float] = []
    bytes_before = sum(player.bytes for player in players)
    free: asyncio.Queue[Guest] = asyncio.Queue()
    for player in players:
        free.put_nowait(player)

    async def press(player: Guest) -> None:
        took.append(await player.press(RIGHT))
        free.put_nowait(player)

    due = time.perf_counter()
    async with asyncio.TaskGroup() as group:
        for _ in range(count):
            due += rng.expovariate(RATE)
            await asyncio.sleep(max(0.0, due - time.perf_counter()))
            late.append(time.perf_counter() - due)
            group.create_task(press(await free.get()))
    return took, late, sum(player.bytes for player in players) - bytes_before


async def measure_moves(host: HostProcess, tables: Sequence[Sequence[Guest]]) -> None:
    """Have one guest after the other play a tile or pass, at full tables, until a round is over or enough moved."""
    costs = []
    for table in [table for table in tables if len(table) == SEATS]:
        for _ in range(MOVES):
            cost = await moved(host, table)
            if cost:
                costs.append(cost)
    show(
        f"CPU for a move that repaints {SEATS} screens: median of {len(costs)}",
        f"{median(costs) * 1e3:.1f} ms",
        "≤ 30 ms",
    )
    show("… p95", f"{percentile(costs, 0.95) * 1e3:.1f} ms")


async def moved(host: HostProcess, table: Sequence[Guest]) -> float:
    """Have the player on turn at a table press Enter on one tile after the other until that moves the game.

    Returns the seconds of CPU that this key cost the host; 0 if nobody could move, as after a round.
    """
    player = next((guest for guest in table if guest.on_turn), None)
    for _ in range(8 if player else 0):
        before, sizes = host.cpu, [guest.bytes for guest in table]
        await player.types(ENTER)
        if all(guest.bytes > size for guest, size in zip(table, sizes, strict=True)):
            return host.cpu - before
        await player.types(RIGHT)
    return 0.0


async def measure_rush(host: HostProcess, guests: Sequence[Guest]) -> None:
    """Log guests in, four at once, while others type."""
    leaving = [guest for guest in guests if not guest.on_turn][:16]
    for guest in leaving:
        guest.go()
    await asyncio.sleep(1.0)
    players = [guest for guest in guests if guest.chooses]

    async def rush() -> list[float]:
        waits = []
        for wave in range(4):
            newcomers = [Guest() for _ in range(4)]
            names = [f"late{wave}{number}" for number in range(4)]
            both = await asyncio.gather(*(g.come(host.port, n) for g, n in zip(newcomers, names, strict=True)))
            waits += [wait for wait, _ in both]
            await asyncio.sleep(0.5)
            for guest in newcomers:
                guest.go()
        return waits

    (took, _, _), waits = await asyncio.gather(typed(players, int(RATE * 4)), rush())
    show("first paint when four come at once: median", f"{median(waits) * 1e3:.0f} ms")
    show("… the slowest", f"{max(waits) * 1e3:.0f} ms")
    show("… key to first byte meanwhile: p50", f"{percentile(took, 0.5) * 1e3:.1f} ms")
    show("… p99", f"{percentile(took, 0.99) * 1e3:.1f} ms")


if __name__ == "__main__":
    if not sys.platform.startswith("linux"):
        sys.exit("boneyard: this benchmark reads /proc, so it needs Linux.")
    asyncio.run(main())
