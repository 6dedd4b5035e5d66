"""Measures this checkout and a revision of it in turns, A B B A …, and prints both, their ratio and its range."""

import argparse
import asyncio
import os
import platform
import sys
from collections.abc import Sequence
from contextlib import AsyncExitStack
from pathlib import Path
from statistics import median

from crowd import cores
from measures import MAX_TURNS, MEASURES, Measure, MeasuredTree, Rows

from scripts.weigh import ROOT, check_out

TURNS = 5
"""Number of turns of each side, unless --turns is given."""


async def main(revision: str, tree: Path, names: Sequence[str], turns: int) -> None:
    """Measure this tree and that of `revision` in turns; print the rows of each benchmark."""
    own_core, hosts_core = cores()
    os.sched_setaffinity(0, {own_core})
    print(f"Each side {turns} times in turns; Python {platform.python_version()}, {os.cpu_count()} cores.\n")
    print(f"{'':50}{revision[:12]:>12}{'own_tree':>10}{'ratio':>8}  in single turns", flush=True)
    async with AsyncExitStack() as hosts:
        before, own_tree = MeasuredTree(tree, hosts_core, hosts), MeasuredTree(ROOT, hosts_core, hosts)
        for name in names:
            pairs = await in_turns(MEASURES[name], before, own_tree, min(turns, MAX_TURNS.get(name, turns)))
            for line in table(pairs):
                print(line, flush=True)
        for side, name in ((before, revision), (own_tree, "here")):
            if side.errors:
                print(f"\n{name}: unanswered, lost, logged: {side.errors}")


async def in_turns(
    measure: Measure, before: MeasuredTree, own_tree: MeasuredTree, turns: int
) -> list[tuple[Rows, Rows]]:
    """Measure both sides `turns` times; each is first in every other turn."""
    pairs = []
    for turn in range(turns):
        sides = [before, own_tree] if turn % 2 == 0 else [own_tree, before]
        rows = {side: await measure(side) for side in sides}
        pairs.append((rows[before], rows[own_tree]))
    return pairs


def table(pairs: Sequence[tuple[Rows, Rows]]) -> list[str]:
    """Return a line for each row: the medians of both sides, and the median and the range of the turns' ratios."""
    lines = []
    for row in pairs[0][0]:
        old_figures, new_figures = [before[row] for before, _ in pairs], [own_tree[row] for _, own_tree in pairs]
        ratios = [new / old for old, new in zip(old_figures, new_figures, strict=True) if old]
        compared = f"{median(ratios):8.2f}  {min(ratios):.2f} to {max(ratios):.2f}" if ratios else f"{'–':>8}"
        lines.append(f"{row:50}{_short(median(old_figures)):>12}{_short(median(new_figures)):>10}{compared}")
    return lines


def _short(value: float) -> str:
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"


def refuse(reason: str) -> None:
    """Print the error in the command, and exit."""
    print(f"boneyard: {reason}", file=sys.stderr)
    sys.exit(2)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="./scripts/bench against", description=__doc__)
    parser.add_argument("revision", metavar="REV", help="what to compare with, as Git names it")
    parser.add_argument("names", metavar="NAME", nargs="*", help=f"what to measure: {', '.join(MEASURES)} (all)")
    parser.add_argument("--turns", type=int, default=TURNS, help=f"of each side (default {TURNS})")
    chosen = parser.parse_args()
    if unknown := [name for name in chosen.names if name not in MEASURES]:
        refuse(f"there is no figure “{unknown[0]}”; choose {', '.join(MEASURES)}.")
    with check_out(chosen.revision) as folder:
        names = [name for name in MEASURES if name in (chosen.names or MEASURES)]
        asyncio.run(main(chosen.revision, folder, names, max(1, chosen.turns)))
