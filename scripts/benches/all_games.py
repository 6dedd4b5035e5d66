"""Every game at random: actions per second, packed sizes of updates, matches that end, and blocker searches."""

import argparse
import statistics
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import suppress
from random import Random

from figures import show, title

from core.actions import RoundOver
from core.bots.levels import random_choices
from core.fair import deal_order
from core.games import GAMES
from core.match import Match, new_match
from core.presets import PRESETS
from core.tricks.rules import TrickRules
from core.variant import Variant
from core.words import BadOption
from net.wire.link import pack
from net.wire.messages import SeatInfo, TableInfo, Update

SPEED_GOAL, TRICK_GOAL = 15_000, 20_000
MAX_ROUNDS = 2_000
"""Rounds after which a match between random players is given up; none should need them."""


def play_at_random(match: Match, seed: str) -> Iterator[tuple[Match, tuple[object, ...], float]]:
    """Play a match at random; yield every moment with its events and the seconds that it took."""
    rng = Random(seed)
    while not match.over and match.round <= MAX_ROUNDS:
        start = time.perf_counter()
        if match.is_deal_due:
            match, events = match.deal(
                *deal_order(match.rules.tiles, match.rules.seats, seed.encode(), match.deals + 1)
            )
        else:
            match, events = match.apply(rng.choice(random_choices(match.legal)))
        yield match, events, time.perf_counter() - start


def players_of(variant: Variant) -> range:
    """Return all numbers of players."""
    fewest, most = variant.seats
    return range(fewest, most + 1)


def actions_per_second(variant: Variant, seconds: float = 1.0) -> float:
    """Return random actions per second of CPU time through the public `legal` and `apply` of the rules, deals
    included.
    """
    rng = Random(1)
    actions = number = 0
    start = time.process_time()
    while time.process_time() - start < seconds:
        number += 1
        players = list(players_of(variant))[number % len(players_of(variant))]
        match = new_match(variant, players, {})
        match, _ = match.deal(*deal_order(match.rules.tiles, players, str(number).encode(), 1))
        rules, state = match.rules, match.state
        while legal := rules.legal(state):
            state, _ = rules.apply(state, rng.choice(legal))
            actions += 1
    return actions / (time.process_time() - start)


def update_sizes(variant: Variant, matches: int = 2) -> list[int]:
    """Return the packed bytes of whole updates for the seat on turn of the largest table."""
    players = variant.seats[1]
    seats = tuple(SeatInfo(f"player number {number}") for number in range(players))
    packed = []
    for number in range(matches):
        for match, events, _ in play_at_random(new_match(variant, players, {}), f"size {number}"):
            if match.round > 4:
                break
            table = TableInfo(1, "player number 0", variant.id, match.options, seats, 2, "playing")
            seat = max(match.turn, 0)
            packed.append(len(pack(Update(1000, table, seat, match.view(seat), events))))  # type: ignore[arg-type]
    return packed


def tables_of(name: str) -> list[Match]:
    """Return a new match of a game or preset for each possible number of players."""
    preset = PRESETS.get(name)
    variant = GAMES[preset.game if preset else name]
    tables = []
    for players in players_of(variant):
        with suppress(BadOption):  # Cyprus needs four
            tables.append(new_match(variant, players, preset.options_for(players) if preset else {}))
    return tables


def count_ended(name: str, numbers: range) -> tuple[int, int]:
    """Play matches at random, over all numbers of players; return the number that ended, and the number played."""
    tables = tables_of(name)
    ended = sum(
        any(match.over for match, _, _ in play_at_random(tables[number % len(tables)], f"match {number}"))
        for number in numbers
    )
    return ended, len(numbers)


def blame_times(rounds: int) -> list[float]:
    """Return the seconds that the last action of a blocked round took, including the search for the sealing play."""
    seconds: list[float] = []
    variant = GAMES["stakes"]
    number = 0
    while number < rounds:
        match = new_match(variant, 2 + number % 3, {"sm.debts": "on"})
        for _, events, action_seconds in play_at_random(match, f"blame {number}"):
            results = [event for event in events if isinstance(event, RoundOver)]
            number += len(results)
            seconds += [action_seconds for event in results if event.how == "blocked"]
    return seconds


def main() -> None:
    """Print all measurements."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--matches", type=int, default=500, help="matches of each game and preset (goal: 10,000)")
    parser.add_argument("--rounds", type=int, default=2_000, help="rounds of stakes (goal: 10,000)")
    options = parser.parse_args()
    title("every game, random play through legal and apply")
    for variant in GAMES.values():
        tricks = isinstance(tables_of(variant.id)[0].rules, TrickRules)
        goal = TRICK_GOAL if tricks else SPEED_GOAL
        show(variant.id, f"{actions_per_second(variant):,.0f} actions/s", f"≥ {goal:,}")
    title("a whole update, packed, at the largest table")
    for variant in GAMES.values():
        packed = update_sizes(variant)
        show(variant.id, f"median {statistics.median(packed):,.0f} B, most {max(packed):,} B", "≤ 2 KB, ≤ 6 KB")
    title(f"{options.matches:,} random matches of each game and preset, all numbers of players")
    half = options.matches // 2
    with ProcessPoolExecutor(2) as pool:
        for name in (*GAMES, *PRESETS):
            start = time.perf_counter()
            ranges = (range(half), range(half, options.matches))
            parts = list(pool.map(count_ended, (name, name), ranges))
            ended, played = (sum(column) for column in zip(*parts, strict=True))
            show(name, f"{ended:,} of {played:,} ended, {time.perf_counter() - start:.0f} s", "all")
    title(f"who blocked: {options.rounds:,} random rounds of stakes")
    seconds = sorted(blame_times(options.rounds))
    for share in (0.5, 0.95, 0.99, 1.0):
        show(
            f"the {share:.0%} of {len(seconds)} blocks",
            f"{1000 * seconds[int(share * (len(seconds) - 1))]:.1f} ms",
            "≤ 1 s",
        )


if __name__ == "__main__":
    main()
