"""Bots against bots for `boneyard sim`: plays the matches, in several processes if wished, with a progress bar."""

import contextlib
import secrets
import time
from collections import Counter
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from random import Random
from typing import NamedTuple

from msgspec import Struct

from core.actions import Action
from core.bots.levels import BOTS, Bot
from core.games import GAMES
from core.match import MatchView, new_match
from core.options import Options
from core.records import ActionLine, write
from core.selfplay import play_match
from core.variant import Variant
from net.host.workers import mapped, worker_pool
from tui.cli.progress import progress
from tui.cli.tally import Outcome, Tally, outcome_of


class Plan(Struct, frozen=True):
    """What all the matches have in common; a process can be given it."""

    game: str
    options: Options
    levels: tuple[str, ...]
    """By seat."""
    seatings: int
    """How often each deal is played; every time the levels move down by one seat."""
    seed: int
    software: str
    record: bool


class Dealt(NamedTuple):
    """What came of one deal, or one series of deals: the matches that were played with it."""

    outcomes: tuple[Outcome, ...]
    thought: dict[str, Counter[int]]
    """By level, how often it took how many microseconds to decide between several actions."""
    lines: list[str]
    """The records, if they are wanted."""


def seatings_of(levels: tuple[str, ...]) -> int:
    """Count the different ways to move the levels round the table."""
    return next(turn for turn in range(1, len(levels) + 1) if _turned(levels, turn) == levels)


def simulate(
    variant: Variant,
    options: dict[str, str | int],
    levels: tuple[str, ...],
    matches: int,
    seed: int | None,
    record: Path | None,
    software: str,
    duplicate: bool = False,
    jobs: int = 1,
) -> Tally:
    """Play the matches. The same seed gives the same matches, whatever the number of jobs.

    With `duplicate`, each is played once for each seating of the levels, always with the same deals.
    Raises OSError when the record cannot be written.
    """
    seed = secrets.randbelow(2**31) if seed is None else seed
    fresh = new_match(variant, len(levels), options)
    seatings = seatings_of(levels) if duplicate else 1
    plan = Plan(variant.id, fresh.options, levels, seatings, seed, software, record is not None)
    tally = Tally(variant.id, len(levels), levels, fresh.options, matches * seatings, seed, seatings)
    tally.wins = [0] * fresh.rules.sides
    start = time.perf_counter()
    deals, thought = [], {level: Counter[int]() for level in dict.fromkeys(levels)}
    with contextlib.ExitStack() as stack:
        file = stack.enter_context(record.open("w", encoding="utf-8")) if record else None
        played = stack.enter_context(_all_played(plan, matches, jobs))
        for dealt in stack.enter_context(progress(played, matches, "playing")):
            deals.append(dealt.outcomes)
            for level, times in dealt.thought.items():
                thought[level].update(times)
            if file:
                file.writelines(line + "\n" for line in dealt.lines)
    tally.seconds = round(time.perf_counter() - start, 3)
    tally.add(deals)
    tally.time(thought)
    return tally


@contextlib.contextmanager
def _all_played(plan: Plan, matches: int, jobs: int) -> Iterator[Iterator[Dealt]]:
    """Play all deals, and give them back in their order."""
    jobs = min(jobs, matches)
    play = partial(play_deal, plan)
    if jobs == 1:
        yield map(play, range(matches))
        return
    with worker_pool(jobs) as pool:
        # Some at a time spare messages, but all processes must be busy to the end.
        yield mapped(pool, play, range(matches), together=max(1, min(10, matches // (4 * jobs))))


def play_deal(plan: Plan, number: int) -> Dealt:
    """Play one deal with every seating."""
    seed = f"{plan.seed} {number}".encode()
    fresh = new_match(GAMES[plan.game], len(plan.levels), plan.options)
    thought = {level: Counter[int]() for level in plan.levels}
    bots = {level: partial(_timed, BOTS[level], times) for level, times in thought.items()}
    outcomes, lines = [], []
    for turn in range(plan.seatings):
        match, actions = fresh, 0
        for step in play_match(fresh, _turned(plan.levels, turn), seed, plan.software, bots):
            match = step.match
            actions += isinstance(step.line, ActionLine)
            if plan.record:
                lines.append(write(step.line))
        outcomes.append(outcome_of(match, actions, turn))
    return Dealt(tuple(outcomes), thought, lines)


def _timed(bot: Bot, times: Counter[int], view: MatchView, rng: Random) -> Action:
    """Ask a bot, and note how long it took, unless there was nothing to decide."""
    start = time.thread_time_ns()
    action = bot(view, rng)
    if view.play and len(view.play.legal) > 1:
        times[(time.thread_time_ns() - start) // 1000] += 1
    return action


def _turned(levels: tuple[str, ...], turn: int) -> tuple[str, ...]:
    return levels[turn:] + levels[:turn]
