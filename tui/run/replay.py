"""Replays recorded matches, after the referee has checked them."""

from collections.abc import Callable
from contextlib import aclosing
from pathlib import Path

from net.host.workers import Workers
from net.loop import run
from tui.failures import Failed, fail_on
from tui.model.look import Look
from tui.model.playback import Recording, read_recording
from tui.plain.replay import ReplayDialog
from tui.plain.terminal_lines import Printer
from tui.records.reader import Unreadable, lines_of
from tui.run.plain import next_line
from tui.run.settings import remember_theme


def replay_file(file: Path, look: Look, require_terminal: Callable[[], None], *, pictures: bool = True) -> None:
    """Replay the matches in a file on the screen. Raises Failed if not even their beginning is valid."""
    recording = recording_of(file)
    require_terminal()

    async def show() -> None:
        from tui.run.local_session import local_session  # noqa: PLC0415 - sentences and exports need no Textual

        async with local_session(look, remember_theme, pictures=pictures) as session, aclosing(Workers()) as workers:
            from net.host.reviewing import Coach  # noqa: PLC0415
            from tui.screens.replay import ReplayScreen  # noqa: PLC0415

            screen = ReplayScreen(recording, session.look, Coach(workers).judge, session.use_look)
            await session.show_screen(screen)

    run(show())


def retell_file(file: Path, *, ascii: bool) -> None:
    """Replay the matches in a file in sentences, for each line typed. Raises Failed as `replay_file`."""
    printer = Printer(ascii=ascii)
    dialog = ReplayDialog(recording_of(file), printer.say)
    dialog.open()
    while not (dialog.has_left or printer.is_broken) and (line := next_line()) is not None:
        dialog.handle_line(line)


def recording_of(file: Path) -> Recording:
    """Return the recording of a file. Raises Failed if not even its beginning is valid."""
    with fail_on(Unreadable):
        recording = read_recording(lines_of(file))
    if not recording.frames:
        raise Failed(f"{file}, {recording.problem}.")
    return recording
