"""Plays bots against bots without a table: one match, step by step, as in its record."""

from collections.abc import Iterator, Mapping
from random import Random

from core.bots.levels import BOTS, Bot
from core.fair import Fair, Share, commit, deal_key, deal_order
from core.match import Match
from core.records import ActionLine, Closing, DealLine, MatchLine, Seat, Step, results, unsigned, write


def play_match(
    match: Match, levels: tuple[str, ...], seed: bytes, software: str, bots: Mapping[str, Bot] = BOTS
) -> Iterator[Step]:
    """Play a match to its end, with a bot of the given level on each seat; the same seed gives the same match.

    A match that might never end is stopped (`core.match.Match.endless`).
    The seed is the host's secret; bots add nothing to it, and nobody signs the record.
    """
    closing = Closing()
    for step in _played(match, levels, seed, software, bots):
        closing = closing.add(write(step.line))
        yield step
    if step.match.over:
        yield Step(step.number + 1, closing.seal(unsigned), step.match)


def _played(
    match: Match, levels: tuple[str, ...], seed: bytes, software: str, bots: Mapping[str, Bot]
) -> Iterator[Step]:
    rng = Random(seed)
    fair = Fair(commit(seed), (Share(),) * len(levels))
    key = deal_key(seed, fair.shares)
    seats = tuple(Seat(f"{level} {seat + 1}", level) for seat, level in enumerate(levels))
    number = 1
    yield Step(number, MatchLine.of(match, seats, software, fair), match)
    while not match.over:
        number += 1
        if match.endless:
            match, events = match.stop()
            number -= 1  # it has no line of its own, but for the last
        elif match.awaits_deal:
            order, lot = deal_order(match.rules.tiles, match.rules.seats, key, match.deals + 1)
            match, events = match.deal(order, lot)
            yield Step(number, DealLine(match.round, lot, order), match, events)
        else:
            seat = match.turn
            action = bots[levels[seat]](match.view(seat), rng)
            match, events = match.apply(action)
            yield Step(number, ActionLine(seat, action), match, events)
        for line in results(match, events, seed):
            number += 1
            yield Step(number, line, match)
