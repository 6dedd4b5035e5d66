"""Tiles as images beside tiles of characters: their cost to a real host, for guests over real SSH."""

import argparse
import asyncio
from statistics import median

from crowd import MOVE_INTERVAL, SEATS, Crowd, Game
from figures import show, title
from guests import ENTER, BenchGuest
from host_process import HostProcess, run_host

CELLS = b"\x1b[?62c"
PICTURES = b"\x1b_Gi=1;OK\x1b\\\x1bP>|kitty(0.41.1)\x1b\\\x1b[6;20;10t" + CELLS
"""The answer of a terminal that shows images, in cells of 10 by 20 pixels."""
SIZES = ((80, 24), (140, 45))
SECONDS = 12.0
"""Seconds of keys, and of each half of the moves."""
KEYS = 30.0
"""Keys per second, of all together."""


async def main(tables: int) -> None:
    """Measure tiles as characters and as images, in windows of two sizes, each with a host of its own."""
    title(f"pictures: {tables * SEATS} guests over SSH at {tables} tables of Block")
    for size in SIZES:
        for kind, answer in (("characters", CELLS), ("pictures", PICTURES)):
            async with run_host() as host:
                await measure(host, tables, f"{size[0]}×{size[1]}, {kind}", size, answer)


async def measure(host: HostProcess, tables: int, label: str, size: tuple[int, int], answer: bytes) -> None:
    """Fill a host, choose tiles, make moves."""

    def make_guest() -> BenchGuest:
        return BenchGuest(terminal="xterm-kitty", size=size, answer=answer)

    first_guest = make_guest()
    await first_guest.come(host.port, "warm")
    # A table with a bot: everything shared is loaded and painted now.
    await first_guest.type_keys(ENTER, b"n", ENTER, b"z")
    mib_before = host.mib
    games = [Game([make_guest() for _ in range(SEATS)]) for _ in range(tables)]
    for number, game in enumerate(games):
        await game.gather(host.port, number * SEATS, "127.0.0.1")
    guests = [player for game in games for player in game.guests]
    show(f"{label}: bytes to the first round, median", f"{median(player.bytes for player in guests):,.0f}")
    crowd, cpu_before = Crowd(games), host.cpu
    log = await crowd.act(SECONDS, KEYS, 0)
    count = max(1, len(log.key_delays))  # with one table, no key may come in time
    show("… bytes and CPU for each key", f"{log.bytes / count:,.0f}, {(host.cpu - cpu_before) / count * 1e3:.2f} ms")
    cpu_before = host.cpu
    first_half, second_half = [await crowd.act(SECONDS, 0, MOVE_INTERVAL) for _ in range(2)]
    count = first_half.moves + second_half.moves
    show(
        f"… bytes for each of {count} moves and screen: first half, second half",
        ", ".join(f"{half.bytes / half.moves / SEATS:,.0f}" for half in (first_half, second_half)),
    )
    show("… CPU for a move that four screens show", f"{(host.cpu - cpu_before) / count * 1e3:.1f} ms")
    show("… memory per session at the end", f"{(host.mib - mib_before) / len(guests):.2f} MiB")
    for player in (first_guest, *guests):
        player.go()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="./scripts/bench pictures", description=__doc__)
    parser.add_argument("--tables", type=int, default=6, help="tables of four guests (default 6)")
    asyncio.run(main(parser.parse_args().tables))
