"""Replaying: a recorded match, read and refereed, on the same board as a live one."""

from collections.abc import Callable, Iterable
from contextlib import aclosing
from pathlib import Path

from core.records import RecordError, Step, referee
from net.host.workers import Workers
from net.loop import run
from tui.draw.look import Look
from tui.failures import Failed, failing
from tui.model.playback import Recording
from tui.plain.local import Printer
from tui.plain.retold import ReplayTalk
from tui.records.lines import Unreadable, lines_of
from tui.run.plain import next_line
from tui.run.settings import remember
from tui.run.shown import shown_here

MAX_STEPS = 100_000
"""Lines that are shown, each with the match as it stood: some 300 matches, in 200 MiB at the most."""


def replay_file(file: Path, look: Look, need_terminal: Callable[[], None], *, pictures: bool = True) -> None:
    """Show the matches in a file. Raises Failed when not even their beginning holds."""
    recording = recording_of(file)
    need_terminal()
    from tui.run.reviewing import Coach  # noqa: PLC0415 - sentences and exports need no Textual
    from tui.run.terminal import look_here  # noqa: PLC0415
    from tui.screens.base import OneScreen  # noqa: PLC0415
    from tui.screens.replay import ReplayScreen  # noqa: PLC0415

    look = look_here(look, pictures=pictures)

    async def show() -> None:
        async with aclosing(Workers()) as workers:
            await shown_here(OneScreen(ReplayScreen(recording, look, Coach(workers).judge, remember)))

    run(show())


def retell_file(file: Path, *, ascii: bool) -> None:
    """Tell the matches in a file in sentences, as far as lines are typed. Raises Failed as above."""
    printer = Printer(ascii=ascii)
    talk = ReplayTalk(recording_of(file), printer.say)
    talk.open()
    while not (talk.left or printer.broken) and (line := next_line()) is not None:
        talk.typed(line)


def recording_of(file: Path) -> Recording:
    """Return what is shown of a record. Raises Failed when not even its beginning holds."""
    with failing(Unreadable):
        recording = recorded(lines_of(file))
    if not recording.frames:
        raise Failed(f"{file}, {recording.problem}.")
    return recording


def recorded(lines: Iterable[str]) -> Recording:
    """Return what is shown of the lines of a record: as far as they hold, and why they go no further."""
    steps: list[Step] = []
    problem = ""
    try:
        for step in referee(lines):
            if len(steps) == MAX_STEPS:
                problem = f"line {step.number}: only the first {MAX_STEPS:,} lines are shown"
                break
            steps.append(step)
    except RecordError as error:
        problem = str(error)
    return Recording(steps, problem)
