"""Bots against bots for `boneyard sim`: a progress bar on a terminal, and a tally at the end."""

import contextlib
import json
import secrets
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TextIO

import click
from msgspec import Struct

from core.match import MOST_ACTIONS, MOST_ROUNDS, Match, new_match
from core.options import Options
from core.records import ActionLine, write
from core.selfplay import play_match
from core.variant import Variant
from net.players.text import counted


class Tally(Struct):
    """What came out of the matches; `wins` and `scores` (the mean) are by side."""

    game: str
    players: int
    bots: tuple[str, ...]
    options: Options
    matches: int
    seed: int
    unfinished: int = 0
    """Matches that were stopped, as they might never have ended; they are not among the wins and scores."""
    rounds: int = 0
    actions: int = 0
    seconds: float = 0.0
    wins: list[int] = []
    shared: int = 0
    """Matches with more than one winner; they count as a win for each."""
    scores: list[float] = []

    def json(self) -> str:
        """Everything, for programs."""
        return json.dumps({field: getattr(self, field) for field in self.__struct_fields__}, ensure_ascii=False)

    def text(self) -> str:
        """A few lines, for people."""
        rate = self.actions / self.seconds if self.seconds else 0
        lines = [
            f"{self.game}: {counted(self.matches, 'match', 'matches')},"
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
        return "\n".join(lines)


def simulate(
    variant: Variant,
    options: dict[str, str | int],
    levels: tuple[str, ...],
    matches: int,
    seed: int | None,
    record: Path | None,
    software: str,
) -> Tally:
    """Play the matches. The same seed gives the same matches. Raises OSError when the record cannot be written."""
    seed = secrets.randbelow(2**31) if seed is None else seed
    fresh = new_match(variant, len(levels), options)
    sides = fresh.rules.sides
    tally = Tally(
        variant.id, len(levels), levels, fresh.options, matches, seed, wins=[0] * sides, scores=[0.0] * sides
    )
    start = time.perf_counter()
    with contextlib.ExitStack() as stack:
        file = stack.enter_context(record.open("w", encoding="utf-8")) if record else None
        for number in stack.enter_context(_progress(matches)):
            _play(tally, f"{seed} {number}".encode(), file, fresh, software)
    tally.seconds = round(time.perf_counter() - start, 3)
    finished = matches - tally.unfinished
    tally.scores = [round(score / finished, 2) if finished else 0.0 for score in tally.scores]
    return tally


def _play(tally: Tally, seed: bytes, file: TextIO | None, fresh: Match, software: str) -> None:
    match = None
    for step in play_match(fresh, tally.bots, seed, software):
        match = step.match
        tally.actions += isinstance(step.line, ActionLine)
        if file:
            file.write(write(step.line) + "\n")
    tally.rounds += match.round if match else 0
    if match is None or match.unfinished:
        tally.unfinished += 1
        return
    for side in match.winners:
        tally.wins[side] += 1
    tally.shared += len(match.winners) > 1
    for side, score in enumerate(match.scores):
        tally.scores[side] += score


@contextlib.contextmanager
def _progress(matches: int) -> Iterator[Iterator[int]]:
    """Count through the matches, on a terminal with a bar."""
    if matches < 2 or not sys.stderr.isatty():
        yield iter(range(matches))
        return
    with click.progressbar(range(matches), label="playing", file=sys.stderr) as bar:
        yield iter(bar)
