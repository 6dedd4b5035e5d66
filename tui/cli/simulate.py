"""Bots against bots for `boneyard sim`: plays them, in several processes if wished, and says what came of it."""

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
from net.host.workers import mapped, worker_pool
from net.players.text import counted
from tui.failures import progress
from tui.version import SOFTWARE

SURE = 1.96
"""Standard errors on either side of a mean between which 95 % of all means lie."""


class Interval(NamedTuple):
    """An estimate, and the bounds between which the true value lies in 95 of 100 cases."""

    mean: float
    low: float
    high: float

    def within(self, least: float, most: float) -> "Interval":
        """Cut off what cannot be."""
        return Interval(self.mean, max(self.low, least), min(self.high, most))


def wilson(share: float, count: int) -> Interval:
    """Of a share of independent cases: Wilson's score interval, which holds for few cases and for extreme shares."""
    scale = 1 + SURE**2 / count
    middle = (share + SURE**2 / (2 * count)) / scale
    reach = SURE / scale * sqrt(share * (1 - share) / count + SURE**2 / (4 * count**2))
    return Interval(share, middle - reach, middle + reach).within(0, 1)


def per_unit(amounts: Sequence[float], sizes: Sequence[float]) -> Interval | None:
    """Of the amount for each unit of size, over cases that may have different sizes; None for less than two cases.

    What belongs together, such as one deal that was played several times, must be one case.
    """
    cases, size = len(amounts), sum(sizes)
    if cases < 2 or not size:
        return None
    mean = sum(amounts) / size
    strays = sum((amount - mean * own) ** 2 for amount, own in zip(amounts, sizes, strict=True))
    error = sqrt(strays * cases / (cases - 1)) / size
    return Interval(mean, mean - SURE * error, mean + SURE * error)


class MatchOutcome(NamedTuple):
    """How one match ended; sides as they were named, wherever they sat."""

    winners: tuple[int, ...]
    scores: tuple[int, ...]
    rounds: int
    actions: int
    unfinished: bool
    lowest_wins: bool


def outcome_of(match: Match, actions: int, turned: int) -> MatchOutcome:
    """Return how a match ended whose levels were moved down by so many seats."""
    sides = match.rules.sides
    return MatchOutcome(
        tuple(sorted((side + turned) % sides for side in match.winners)),
        tuple(match.scores[(side - turned) % sides] for side in range(sides)),
        match.round,
        actions,
        match.unfinished,
        match.rules.goal.lowest,
    )


class Tally(Struct):
    """What came out of the matches; `wins` and `scores` (the mean) are by side, as the bots were named."""

    game: str
    players: int
    bots: tuple[str, ...]
    options: Options
    matches: int
    seed: int
    seatings: int = 1
    """How often each deal was played, with the bots on other seats."""
    unfinished: int = 0
    """Matches that were stopped, as they might never have ended; they are not among the wins and scores."""
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
    """By how much the first bot does better than the others in a round: the difference of their mean scores,
    above 0 if it is better, also where the lowest score wins."""
    per_round_low: float | None = None
    per_round_high: float | None = None
    ms_median: dict[str, float] = {}
    """Milliseconds of CPU time for a decision between several actions, by level."""
    ms_most: dict[str, float] = {}

    def add(self, deals: list[tuple[MatchOutcome, ...]]) -> None:
        """Count the matches; those of one deal belong together."""
        each = [outcome for deal in deals for outcome in deal]
        finished = [outcome for outcome in each if not outcome.unfinished]
        self.unfinished = len(each) - len(finished)
        self.rounds = sum(outcome.rounds for outcome in each)
        self.actions = sum(outcome.actions for outcome in each)
        self.shared = sum(len(outcome.winners) > 1 for outcome in finished)
        sides = range(len(self.wins))
        self.wins = [sum(side in outcome.winners for outcome in finished) for side in sides]
        totals = [sum(outcome.scores[side] for outcome in finished) for side in sides]
        self.scores = [round(total / max(1, len(finished)), 2) for total in totals]
        # Only a deal that was played to its end with every seating is the same for everybody.
        whole = [deal for deal in deals if not any(outcome.unfinished for outcome in deal)]
        if whole:
            self._compare(whole)

    def _compare(self, deals: list[tuple[MatchOutcome, ...]]) -> None:
        """The first bot with the others."""
        sides = len(self.wins)
        first = {seat % sides for seat, level in enumerate(self.bots) if level == self.bots[0]}
        first = first if len(first) < sides else {0}
        shares = [sum(_won(outcome, first) for outcome in deal) / len(deal) for deal in deals]
        mean = sum(shares) / len(shares)
        if self.seatings > 1:
            share = per_unit(shares, [1] * len(shares)) or Interval(mean, 0, 1)
        else:
            share = wilson(mean, len(shares))
        self.share, self.low, self.high = (round(value, 4) for value in share.within(0, 1))
        leads = [sum(_lead(outcome, first) for outcome in deal) for deal in deals]
        rounds = [sum(outcome.rounds for outcome in deal) for deal in deals]
        if per_round := per_unit(leads, rounds):
            self.per_round, self.per_round_low, self.per_round_high = (round(value, 4) for value in per_round)

    def time(self, thought: dict[str, Counter[int]]) -> None:
        """Note how often each level thought for how many microseconds."""
        for level, times in thought.items():
            self.ms_median[level] = _median(times) / 1000
            self.ms_most[level] = max(times, default=0) / 1000

    def json(self) -> str:
        """Everything, for programs."""
        return json.dumps({field: getattr(self, field) for field in self.__struct_fields__}, ensure_ascii=False)

    def text(self) -> str:
        """A few lines, for people."""
        rate = self.actions / self.seconds if self.seconds else 0
        each = f" ({self.matches // self.seatings} deals, {self.seatings} seatings)" if self.seatings > 1 else ""
        lines = [
            f"{self.game}: {counted(self.matches, 'match', 'matches')}{each},"
            f" {counted(self.rounds, 'round', 'rounds')}, {self.actions} actions"
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


def _won(outcome: MatchOutcome, sides: set[int]) -> float:
    """The part of a match that some sides have won; nobody's match is everybody's, but alone it is lost."""
    if not outcome.winners:
        return len(sides) / len(outcome.scores) if len(outcome.scores) > 1 else 0
    return len(sides.intersection(outcome.winners)) / len(outcome.winners)


def _lead(outcome: MatchOutcome, sides: set[int]) -> float:
    """By how much the scores of some sides are better than those of the others, or than nothing."""
    own = [score for side, score in enumerate(outcome.scores) if side in sides]
    others = [score for side, score in enumerate(outcome.scores) if side not in sides]
    lead = sum(own) / len(own) - (sum(others) / len(others) if others else 0)
    return -lead if outcome.lowest_wins else lead


def _median(times: Counter[int]) -> int:
    middle = times.total() / 2
    for taken in sorted(times):
        middle -= times[taken]
        if middle <= 0:
            return taken
    return 0


class SimulationPlan(Struct, frozen=True):
    """What all the matches have in common; a process can be given it."""

    game: str
    options: Options
    levels: tuple[str, ...]
    """By seat."""
    seatings: int
    """How often each deal is played; every time the levels move down by one seat."""
    seed: int
    record: bool


class DealResult(NamedTuple):
    """What came of one deal, or one series of deals: the matches that were played with it."""

    outcomes: tuple[MatchOutcome, ...]
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
    plan = SimulationPlan(variant.id, fresh.options, levels, seatings, seed, record is not None)
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
def _all_played(plan: SimulationPlan, matches: int, jobs: int) -> Iterator[Iterator[DealResult]]:
    """Play all deals, and give them back in their order."""
    jobs = min(jobs, matches)
    play = partial(play_deal, plan)
    if jobs == 1:
        yield map(play, range(matches))
        return
    with worker_pool(jobs) as pool:
        # Some at a time spare messages, but all processes must be busy to the end.
        yield mapped(pool, play, range(matches), together=max(1, min(10, matches // (4 * jobs))))


def play_deal(plan: SimulationPlan, number: int) -> DealResult:
    """Play one deal with every seating."""
    seed = f"{plan.seed} {number}".encode()
    fresh = new_match(GAMES[plan.game], len(plan.levels), plan.options)
    thought = {level: Counter[int]() for level in plan.levels}
    bots = {level: partial(_timed, BOTS[level], times) for level, times in thought.items()}
    outcomes, lines = [], []
    for turn in range(plan.seatings):
        match, actions = fresh, 0
        for step in play_match(fresh, _turned(plan.levels, turn), seed, SOFTWARE, bots):
            match = step.match
            actions += isinstance(step.line, ActionLine)
            if plan.record:
                lines.append(write(step.line))
        outcomes.append(outcome_of(match, actions, turn))
    return DealResult(tuple(outcomes), thought, lines)


def _timed(bot: Bot, times: Counter[int], view: MatchView, rng: Random) -> Action:
    """Ask a bot, and note how long it took, unless there was nothing to decide."""
    start = time.thread_time_ns()
    action = bot(view, rng)
    if view.play and len(view.play.legal) > 1:
        times[(time.thread_time_ns() - start) // 1000] += 1
    return action


def _turned(levels: tuple[str, ...], turn: int) -> tuple[str, ...]:
    return levels[turn:] + levels[:turn]
