"""The long comparison of `core` with the rule sheet: `python -m tests.rules.run [GAME…] --matches 1000 --seed 7`."""

import argparse
import secrets
import sys
import time
from collections import Counter

from tests.rules.compare import SHEETS, compare
from tests.rules.settling import compare_blocks


def main() -> int:
    parser = argparse.ArgumentParser(description="Play random matches by core and by the rule sheet, and compare.")
    parser.add_argument("games", nargs="*", metavar="GAME", help=f"of {', '.join(SHEETS)}; without any, all")
    parser.add_argument("--matches", type=int, default=200, help="matches of each game (200)")
    parser.add_argument("--rounds", type=int, default=40, help="deals of a match, at most (40)")
    parser.add_argument("--seed", default=secrets.token_hex(4), help="what fixes everything")
    parser.add_argument("--again", metavar="SEED", help="one match alone, by the seed that a disagreement names")
    wish = parser.parse_args()
    if unknown := set(wish.games) - set(SHEETS):
        parser.error(f"there is no game {', '.join(unknown)}")
    if wish.again and len(wish.games) != 1:
        parser.error("--again needs the one game that it is of")
    counted: Counter = Counter()
    disagreements = 0
    for name in wish.games or SHEETS:
        begun = time.monotonic()
        seeds = [wish.again] if wish.again else [f"{wish.seed} {number}" for number in range(wish.matches)]
        these, disagreed = compare(name, seeds, rounds=wish.rounds)
        counted += these
        disagreements += len(disagreed)
        print(f"{name}: {_report(these, len(disagreed))} in {time.monotonic() - begun:.0f} s", flush=True)
        for text in disagreed[:5]:
            print(f"  {text}")
    if not wish.games:
        number, disagreed = compare_blocks(f"{wish.seed} {number}" for number in range(10 * wish.matches))
        disagreements += len(disagreed)
        print(f"blocks and ties: {number:,} settled, {len(disagreed)} disagreements")
        for text in disagreed[:5]:
            print(f"  {text}")
    print(f"seed {wish.again or wish.seed}: {_report(counted, disagreements)}")
    return 1 if disagreements else 0


def _report(counted: Counter, disagreements: int) -> str:
    return (
        f"{counted['matches']:,} matches, {counted['rounds']:,} rounds, {counted['positions']:,} positions, "
        f"{disagreements} disagreements"
    )


if __name__ == "__main__":
    sys.exit(main())
