"""Replaying: a recorded match, read and refereed, on the same board as a live one."""

from collections.abc import Callable
from pathlib import Path

from core.records import RecordError, Step, referee
from net.host.workers import Workers
from tui.draw.look import Look
from tui.run.recorded import Unreadable, lines_of
from tui.run.reviewing import Coach
from tui.run.settings import remember
from tui.run.terminal import at_home, with_pictures
from tui.screens.replay import ReplayApp

MAX_STEPS = 100_000
"""Lines that are shown, each with the match as it stood: some 300 matches, in 200 MiB at the most."""


class BadRecord(Exception):  # noqa: N818 - the sentence is for players
    """A file that cannot be replayed, and why."""


def replay_file(file: Path, look: Look, need_terminal: Callable[[], None], *, pictures: bool = True) -> None:
    """Show the matches in a file. Raises BadRecord when not even their beginning holds."""
    steps, problem = read(file)
    if problem and len(steps) < 2:
        raise BadRecord(f"{file}, {problem}.")
    need_terminal()
    look = with_pictures(look, wanted=pictures)
    at_home(ReplayApp(steps, look, problem, Coach(Workers()).judge, remember)).run()


def read(file: Path) -> tuple[list[Step], str]:
    """Return the steps of a record as far as they hold, and why they go no further; empty if to the end.

    Raises BadRecord when the file cannot be read.
    """
    steps: list[Step] = []
    try:
        for step in referee(lines_of(file)):
            if len(steps) == MAX_STEPS:
                return steps, f"line {step.number}: only the first {MAX_STEPS:,} lines are shown"
            steps.append(step)
    except RecordError as error:
        return steps, str(error)
    except Unreadable as error:
        raise BadRecord(str(error)) from error
    return steps, ""
