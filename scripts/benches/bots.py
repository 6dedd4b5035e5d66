"""The ladder of the bots: whole matches on duplicate deals, with 95 % intervals, beside their goals."""

import argparse
import os
from fnmatch import fnmatch
from typing import NamedTuple

from figures import title

from core.games import GAMES
from tui.cli.simulate import simulate

BASELINE = "greedy-1"
"""The bot that never changes."""


class Rung(NamedTuple):
    """Two bots at one game, the goal of the first, and the number of deals that tells them apart."""

    game: str
    players: int
    rule: str
    bot: str
    goal: str
    deals: int
    against: str = BASELINE


def _make_rungs() -> list[Rung]:
    """Return all rungs, the quickest first within each game."""
    goals_for_two = {
        "block": ("65", "80", 200),
        "draw": ("75", "88", 200),
        "matador": ("70", "85", 100),
        "cross": ("70", "85", 100),
        "chickenfoot": ("70", "85", 25),
        "mexican-train": ("60", "75", 20),
        "stakes": ("65", "80", 100),
        "all-fives": ("60", "72", 60),
        "wildstar": ("50", "55", 20),
        "five-up": ("50", "55", 50),
        "fives-and-threes": ("50", "55", 100),
        "four-rounds": ("50", "55", 150),
        "gaple": ("65", "75", 100),
        "kozel": ("65", "75", 100),
        "telefon": ("60", "70", 50),
        "bergen": ("50", "55", 100),
        "hungarian": ("60", "70", 100),
        "spinner": ("50", "55", 20),
        "jie-long": ("70", "75", 50),
    }
    rungs = []
    for game, (normal, hard, deals) in goals_for_two.items():
        rungs += [
            Rung(game, 2, "", "normal", f"≥ {normal} %", deals),
            Rung(game, 2, "", "hard", f"≥ {hard} %", deals),
            Rung(game, 2, "", "normal", "≥ 65 %", deals, "easy"),
            Rung(game, 2, "", "hard", "", deals, "greedy"),
        ]
    goals_for_four = {
        "block": ("64", 100),
        "draw": ("55", 100),
        "matador": ("55", 50),
        "cross": ("55", 50),
        "chickenfoot": ("55", 12),
        "mexican-train": ("55", 10),
        "stakes": ("55", 50),
        "all-fives": ("55", 25),
        "wildstar": ("55", 12),
        "five-up": ("55", 25),
        "fives-and-threes": ("55", 50),
        "gaple": ("55", 50),
        "kozel": ("55", 50),
        "telefon": ("55", 25),
        "jie-long": ("55", 50),
        "tien-gow": ("55", 12),
        "spinner": ("55", 12),
        "partners": ("55", 50),
        "brazilian": ("55", 50),
        "six-love": ("55", 50),
        "amazonense": ("55", 50),
        "blind-hughie": ("50", 50),
    }
    for game, (hard, deals) in goals_for_four.items():
        rungs += [
            Rung(game, 4, "", "normal", "≥ 50 %", deals),
            Rung(game, 4, "", "hard", f"≥ {hard} %", deals),
        ]
    for game, normal, hard, deals in (("draw", "", "≥ 75 %", 100), ("all-fives", "≥ 50 %", "≥ 58 %", 40)):
        rungs += [
            Rung(game, 4, "partners=yes", "normal", normal, deals),
            Rung(game, 4, "partners=yes", "hard", hard, deals),
        ]
    return [
        *rungs,
        Rung("forty-two", 4, "", "normal", "≥ +0.1 marks", 60),
        Rung("forty-two", 4, "", "hard", "≥ +0.25 marks", 40),
        Rung("moon", 3, "", "normal", "≥ +0.1 points", 60),
        Rung("moon", 3, "", "hard", "≥ +0.25 points", 40),
    ]


def show(rung: Rung, deal_share: float, jobs: int, seed: int) -> None:
    """Play one rung, and print its line."""
    bot, opponent = rung.bot, rung.against
    levels = tuple((bot, opponent)[seat % 2] for seat in range(rung.players))
    options = dict([rung.rule.split("=")]) if rung.rule else {}
    deals = max(2, round(rung.deals * deal_share))
    tally = simulate(GAMES[rung.game], options, levels, deals, seed, None, duplicate=True, jobs=jobs)
    name = f"{rung.game} {rung.players}{' ' + rung.rule if rung.rule else ''}"
    share = f"{tally.share:.1%} ({tally.low:.1%} to {tally.high:.1%})"
    lead = f"{tally.per_round:+.2f} ({tally.per_round_low:+.2f} to {tally.per_round_high:+.2f})"
    times = f"{tally.ms_median[bot]:.1f}, {tally.ms_most[bot]:.0f}"
    print(f"| {name} | {bot} v {opponent} | {rung.goal} | {share} | {lead} | {tally.matches} | {times} |", flush=True)


def main() -> None:
    """Print the ladder, or a part of it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", nargs="*", default=["*"], help="games, also as patterns (default: all)")
    parser.add_argument("--bot", default="*", help="only this bot's rungs")
    parser.add_argument("--against", default="*", help="only rungs against this bot")
    parser.add_argument("--part", type=float, default=1.0, help="part of the deals to play, or more than 1")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--seed", type=int, default=2026)
    options = parser.parse_args()
    title("bots: whole matches, each deal once for each seating; CPU time of a decision between several actions")
    print("| game, players | bots | goal | matches won | points a round | matches | ms median, most |")
    print("| --- | --- | --- | --- | --- | --- | --- |")
    for rung in _make_rungs():
        fits = any(fnmatch(rung.game, pattern) for pattern in options.games)
        if fits and fnmatch(rung.bot, options.bot) and fnmatch(rung.against, options.against):
            show(rung, options.part, options.jobs, options.seed)


if __name__ == "__main__":
    main()
