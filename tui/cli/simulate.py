"""Bots against bots for `boneyard sim`: plays matches, in several processes if requested, and reports statistics."""

import contextlib
import json
import secrets
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import partial
from math import sqrt
from pathlib import Path
from random import Random
from typing import NamedTuple

from msgspec import Struct

from core.actions import Action
from core.bots.levels import BOTS, Bot, play_match
from core.games import GAMES
from core.match import MOST_ACTIONS, MOST_ROUNDS, Match, MatchView, new_match
from core.records import ActionLine, write
from core.variant import Options, Variant
from net.host.workers import map_in_pool, worker_pool
from net.players.text import quantity
from tui.failures import progress
from tui.version import SOFTWARE

STANDARD_ERRORS = 1.96
"""Standard errors on either side of a mean that enclose 95 % of all means."""


class Interval(NamedTuple):
    """An estimate, and the bounds between which the true value lies in 95 of 100 cases."""

    mean: float
    low: float
    high: float

    def within(self, lowest: float, highest: float) -> "Interval":
        """Return the interval cut to the possible values."""
        return Interval(self.mean, max(self.low, lowest), min(self.high, highest))


def wilson(share: float, count: int) -> Interval:
    """Return Wilson's score interval of a share of independent cases; it holds for few cases and extreme shares."""
    scale = 1 + STANDARD_ERRORS**2 / count
    middle = (share + STANDARD_ERRORS**2 / (2 * count)) / scale
    reach = STANDARD_ERRORS / scale * sqrt(share * (1 - share) / count + STANDARD_ERRORS**2 / (4 * count**2))
    return Interval(share, middle - reach, middle + reach).within(0, 1)


def per_unit(amounts: Sequence[float], sizes: Sequence[float]) -> Interval | None:
    """Return the mean amount per unit of size, over cases of different sizes; None for fewer than two cases.

    Dependent observations, such as one deal that was played several times, must be one case.
    """
    cases, total_size = len(amounts), sum(sizes)
    if cases < 2 or not total_size:
        return None
    mean = sum(amounts) / total_size
    deviations = sum((amount - mean * size) ** 2 for amount, size in zip(amounts, sizes, strict=True))
    error = sqrt(deviations * cases / (cases - 1)) / total_size
    return Interval(mean, mean - STANDARD_ERRORS * error, mean + STANDARD_ERRORS * error)


class MatchOutcome(NamedTuple):
    """The end of one match. Sides are numbered in the order in which their bots were named, whatever their seats."""

    winners: tuple[int, ...]
    scores: tuple[int, ...]
    rounds: int
    actions: int
    unfinished: bool
    lowest_wins: bool


def outcome_of(match: Match, actions: int, rotation: int) -> MatchOutcome:
    """Return the outcome of a match whose levels were moved down by `rotation` seats."""
    sides = match.rules.sides
    return MatchOutcome(
        tuple(sorted((side + rotation) % sides for side in match.winners)),
        tuple(match.scores[(side - rotation) % sides] for side in range(sides)),
        match.round,
        actions,
        match.unfinished,
        match.rules.goal.lowest,
    )


class Tally(Struct):
    """Statistics of the matches; `wins` and `scores` (the mean) are by side, as the bots were named."""

    game: str
    players: int
    bots: tuple[str, ...]
    options: Options
    matches: int
    seed: int
    seatings: int = 1
    """Number of times that each deal was played, with the bots on other seats."""
    unfinished: int = 0
    """Matches that were stopped because they might never have ended; wins and scores exclude them."""
    rounds: int = 0
    actions: int = 0
    seconds: float = 0.0
    wins: list[int] = []
    shared: int = 0
    """Matches with more than one winner; they count as a win for each."""
    scores: list[float] = []
    share: float | None = None
    """Matches won by the first bot named, 0 to 1; of a match with several winners each has a part."""
    low: float | None = None
    high: float | None = None
    """The 95 % interval of the share."""
    per_round: float | None = None
    """Advantage of the first bot over the others in a round: the difference of their mean scores, positive if the
    first is better, also where the lowest score wins.
    """
    per_round_low: float | None = None
    per_round_high: float | None = None
    ms_median: dict[str, float] = {}
    """Milliseconds of CPU time for a decision between several actions, by level."""
    ms_most: dict[str, float] = {}

    def add(self, deals: list[tuple[MatchOutcome, ...]]) -> None:
        """Count the matches; those of one deal belong together."""
        outcomes = [outcome for deal in deals for outcome in deal]
        finished = [outcome for outcome in outcomes if not outcome.unfinished]
        self.unfinished = len(outcomes) - len(finished)
        self.rounds = sum(outcome.rounds for outcome in outcomes)
        self.actions = sum(outcome.actions for outcome in outcomes)
        self.shared = sum(len(outcome.winners) > 1 for outcome in finished)
        sides = range(len(self.wins))
        self.wins = [sum(side in outcome.winners for outcome in finished) for side in sides]
        totals = [sum(outcome.scores[side] for outcome in finished) for side in sides]
        self.scores = [round(total / max(1, len(finished)), 2) for total in totals]
        # Only a deal that was played to its end with every seating is fair to all bots.
        finished_deals = [deal for deal in deals if not any(outcome.unfinished for outcome in deal)]
        if finished_deals:
            self._compare(finished_deals)

    def _compare(self, deals: list[tuple[MatchOutcome, ...]]) -> None:
        """Compare the first bot with the others."""
        sides = len(self.wins)
        first_sides = {seat % sides for seat, level in enumerate(self.bots) if level == self.bots[0]}
        first_sides = first_sides if len(first_sides) < sides else {0}
        shares = [sum(_share_won(outcome, first_sides) for outcome in deal) / len(deal) for deal in deals]
        mean = sum(shares) / len(shares)
        if self.seatings > 1:
            share = per_unit(shares, [1] * len(shares)) or Interval(mean, 0, 1)
        else:
            share = wilson(mean, len(shares))
        self.share, self.low, self.high = (round(value, 4) for value in share.within(0, 1))
        leads = [sum(_lead(outcome, first_sides) for outcome in deal) for deal in deals]
        rounds = [sum(outcome.rounds for outcome in deal) for deal in deals]
        if per_round := per_unit(leads, rounds):
            self.per_round, self.per_round_low, self.per_round_high = (round(value, 4) for value in per_round)

    def time(self, times_by_level: dict[str, Counter[int]]) -> None:
        """Record the thinking times of each level: counts by microseconds."""
        for level, times in times_by_level.items():
            self.ms_median[level] = _median(times) / 1000
            self.ms_most[level] = max(times, default=0) / 1000

    def json(self) -> str:
        """Return all statistics for programs."""
        return json.dumps({field: getattr(self, field) for field in self.__struct_fields__}, ensure_ascii=False)

    def text(self) -> str:
        """Return a few lines for people."""
        rate = self.actions / self.seconds if self.seconds else 0
        seatings = f" ({self.matches // self.seatings} deals, {self.seatings} seatings)" if self.seatings > 1 else ""
        lines = [
            f"{self.game}: {quantity(self.matches, 'match', 'matches')}{seatings},"
            f" {quantity(self.rounds, 'round', 'rounds')}, {self.actions} actions"
            f" in {self.seconds:.1f} s ({rate:,.0f} actions/s), seed {self.seed}."
        ]
        finished = self.matches - self.unfinished
        if self.unfinished:
            lines.append(
                f"  {self.unfinished} of {self.matches} unfinished: without a result after {MOST_ROUNDS:,} rounds"
                f" or {MOST_ACTIONS:,} actions, and counted apart"
            )
        if not finished:
            return "\n".join(lines)
        sides = len(self.wins)
        for side, (wins, score) in enumerate(zip(self.wins, self.scores, strict=True)):
            levels = " + ".join(self.bots[side::sides])
            lines.append(f"  side {side + 1} ({levels}): {wins} won ({wins / finished:.1%}), mean score {score:.1f}")
        if self.share is not None and len(set(self.bots)) > 1:
            lines.append(f"  {self.bots[0]} won {self.share:.1%} (95% interval {self.low:.1%} to {self.high:.1%})")
            if self.per_round is not None:
                lines[-1] += (
                    f", and was better by {self.per_round:.2f} a round"
                    f" ({self.per_round_low:.2f} to {self.per_round_high:.2f})"
                )
        for level, median in self.ms_median.items():
            lines.append(f"  {level} thought {median:.2f} ms (median), at most {self.ms_most[level]:.1f} ms")
        return "\n".join(lines)


def _share_won(outcome: MatchOutcome, sides: set[int]) -> float:
    """Return the part of a match that `sides` won. A match without winners is shared by all; a solo one counts as
    lost.
    """
    if not outcome.winners:
        return len(sides) / len(outcome.scores) if len(outcome.scores) > 1 else 0
    return len(sides.intersection(outcome.winners)) / len(outcome.winners)


def _lead(outcome: MatchOutcome, sides: set[int]) -> float:
    """Return by how much the mean score of `sides` is better than that of the others, or than 0 without others."""
    own_scores = [score for side, score in enumerate(outcome.scores) if side in sides]
    other_scores = [score for side, score in enumerate(outcome.scores) if side not in sides]
    lead = sum(own_scores) / len(own_scores) - (sum(other_scores) / len(other_scores) if other_scores else 0)
    return -lead if outcome.lowest_wins else lead


def _median(times: Counter[int]) -> int:
    middle = times.total() / 2
    for microseconds in sorted(times):
        middle -= times[microseconds]
        if middle <= 0:
            return microseconds
    return 0


class SimulationPlan(Struct, frozen=True):
    """The settings that all matches share; it can be sent to a process."""

    game: str
    options: Options
    levels: tuple[str, ...]
    """By seat."""
    seatings: int
    """Number of times that each deal is played; each time the levels move down by one seat."""
    seed: int
    record: bool


class DealResult(NamedTuple):
    """The results of one deal, or of one series of deals."""

    outcomes: tuple[MatchOutcome, ...]
    times_by_level: dict[str, Counter[int]]
    """By level, the number of decisions between several actions by their microseconds."""
    lines: list[str]
    """The records, if requested."""


def seatings_of(levels: tuple[str, ...]) -> int:
    """Return the number of different ways to move the levels round the table."""
    return next(rotation for rotation in range(1, len(levels) + 1) if _rotate_levels(levels, rotation) == levels)


def simulate(
    variant: Variant,
    options: dict[str, str | int],
    levels: tuple[str, ...],
    matches: int,
    seed: int | None,
    record: Path | None,
    duplicate: bool = False,
    jobs: int = 1,
) -> Tally:
    """Play the matches and return their statistics. The same seed gives the same matches, whatever the number of
    jobs.

    With `duplicate`, each deal is played once for each seating of the levels. Raises OSError if the record cannot be
    written.
    """
    seed = secrets.randbelow(2**31) if seed is None else seed
    initial_match = new_match(variant, len(levels), options)
    seatings = seatings_of(levels) if duplicate else 1
    plan = SimulationPlan(variant.id, initial_match.options, levels, seatings, seed, record is not None)
    tally = Tally(variant.id, len(levels), levels, initial_match.options, matches * seatings, seed, seatings)
    tally.wins = [0] * initial_match.rules.sides
    started_at = time.perf_counter()
    outcomes_by_deal, times_by_level = [], {level: Counter[int]() for level in dict.fromkeys(levels)}
    with contextlib.ExitStack() as stack:
        file = stack.enter_context(record.open("w", encoding="utf-8")) if record else None
        deal_results = stack.enter_context(_play_all_deals(plan, matches, jobs))
        for deal_result in stack.enter_context(progress(deal_results, matches, "playing")):
            outcomes_by_deal.append(deal_result.outcomes)
            for level, times in deal_result.times_by_level.items():
                times_by_level[level].update(times)
            if file:
                file.writelines(line + "\n" for line in deal_result.lines)
    tally.seconds = round(time.perf_counter() - started_at, 3)
    tally.add(outcomes_by_deal)
    tally.time(times_by_level)
    return tally


@contextlib.contextmanager
def _play_all_deals(plan: SimulationPlan, matches: int, jobs: int) -> Iterator[Iterator[DealResult]]:
    """Play all deals while the block runs; yield their results in order."""
    jobs = min(jobs, matches)
    play = partial(play_deal, plan)
    if jobs == 1:
        yield map(play, range(matches))
        return
    with worker_pool(jobs) as pool:
        # Several deals per task spare messages, but all processes must be busy to the end.
        yield map_in_pool(pool, play, range(matches), batch_size=max(1, min(10, matches // (4 * jobs))))


def play_deal(plan: SimulationPlan, number: int) -> DealResult:
    """Play one deal with every seating."""
    seed = f"{plan.seed} {number}".encode()
    initial_match = new_match(GAMES[plan.game], len(plan.levels), plan.options)
    times_by_level = {level: Counter[int]() for level in plan.levels}
    bots = {level: partial(_time_decision, BOTS[level], times) for level, times in times_by_level.items()}
    outcomes, lines = [], []
    for seating in range(plan.seatings):
        match, actions = initial_match, 0
        for step in play_match(initial_match, _rotate_levels(plan.levels, seating), seed, SOFTWARE, bots):
            match = step.match
            actions += isinstance(step.line, ActionLine)
            if plan.record:
                lines.append(write(step.line))
        outcomes.append(outcome_of(match, actions, seating))
    return DealResult(tuple(outcomes), times_by_level, lines)


def _time_decision(bot: Bot, times: Counter[int], view: MatchView, rng: Random) -> Action:
    """Ask a bot for an action; record the time if there were several to choose from."""
    start = time.thread_time_ns()
    action = bot(view, rng)
    if view.play and len(view.play.legal) > 1:
        times[(time.thread_time_ns() - start) // 1000] += 1
    return action


def _rotate_levels(levels: tuple[str, ...], rotation: int) -> tuple[str, ...]:
    return levels[rotation:] + levels[:rotation]
