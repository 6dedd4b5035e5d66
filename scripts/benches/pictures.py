"""Tiles as pictures beside tiles of characters: what they cost a real host, for guests over real SSH."""

import argparse
import asyncio
import sys
from collections.abc import Callable, Sequence
from statistics import median

from figures import show, title
from full_house import SEATS, moved, typed
from guests import DOWN, ENTER, RIGHT, Guest
from host_process import HostProcess, hosted

CELLS = b"\x1b[?62c"
PICTURES = b"\x1b_Gi=1;OK\x1b\\\x1bP>|kitty(0.41.1)\x1b\\\x1b[6;20;10t" + CELLS
"""What a terminal says that shows pictures, in cells of 10 by 20 pixels."""
SIZES = ((80, 24), (140, 45))
KEYS = 400
MOVES = 24
"""At each table, or less if its round ends before."""


async def main(tables: int) -> None:
    """Measure both, in two sizes of window, each with a host of its own."""
    title(f"pictures: {tables * SEATS} guests over SSH at {tables} tables of Block")
    for size in SIZES:
        for kind, answer in (("characters", CELLS), ("pictures", PICTURES)):
            async with hosted() as host:
                await measure(host, tables, f"{size[0]}×{size[1]}, {kind}", size, answer)


async def measure(host: HostProcess, tables: int, about: str, size: tuple[int, int], answer: bytes) -> None:
    """Fill a host, choose tiles, make moves."""

    def guest() -> Guest:
        return Guest(terminal="xterm-kitty", size=size, answer=answer)

    warm = guest()
    await warm.come(host.port, "warm")
    await warm.types(ENTER, b"n", ENTER, b"z")  # a table with a bot: what is loaded and painted for all is there
    empty = host.mib
    full = [await fill(host, guest, table) for table in range(tables)]
    guests = [each for table in full for each in table]
    show(f"{about}: bytes to the first round, median", f"{median(each.bytes for each in guests):,.0f}")
    before = host.cpu
    took, _, sent = await typed([each for each in guests if each.chooses], KEYS)
    show("… bytes and CPU for each key", f"{sent / len(took):,.0f}, {(host.cpu - before) / len(took) * 1e3:.2f} ms")
    costs, sizes = await moves(host, full)
    first, last = sizes[: len(sizes) // 2], sizes[len(sizes) // 2 :]
    show(
        f"… bytes for each of {len(sizes)} moves and screen: first half, second half",
        f"{sum(first) / len(first):,.0f}, {sum(last) / len(last):,.0f}",
    )
    show("… CPU for a move that four screens show: median", f"{median(costs) * 1e3:.1f} ms")
    show("… memory per session at the end", f"{(host.mib - empty) / len(guests):.2f} MiB")
    for each in (warm, *guests):
        each.go()


async def fill(host: HostProcess, guest: Callable[[], Guest], number: int) -> list[Guest]:
    """Seat four guests at a table of their own."""
    seated = []
    for seat in range(SEATS):
        each = guest()
        await each.come(host.port, f"guest{number * SEATS + seat}")
        await each.types(ENTER)
        if seat:
            await each.sits()
        else:
            await each.types(b"n", RIGHT, DOWN, *[RIGHT] * (SEATS - 2), ENTER)
        seated.append(each)
    return seated


async def moves(host: HostProcess, tables: Sequence[Sequence[Guest]]) -> tuple[list[float], list[float]]:
    """Have whoever is on turn move; return what each move cost in CPU, and in bytes for each screen."""
    costs: list[float] = []
    sizes: list[float] = []
    for _ in range(MOVES):
        for table in tables:
            before = sum(each.bytes for each in table)
            cost = await moved(host, table)
            if cost:
                costs.append(cost)
                sizes.append((sum(each.bytes for each in table) - before) / SEATS)
    return costs, sizes


if __name__ == "__main__":
    if not sys.platform.startswith("linux"):
        sys.exit("boneyard: this benchmark reads /proc, so it needs Linux.")
    parser = argparse.ArgumentParser(prog="./scripts/bench pictures", description=__doc__)
    parser.add_argument("--tables", type=int, default=6, help="tables of four guests (default 6)")
    asyncio.run(main(parser.parse_args().tables))
