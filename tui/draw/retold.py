"""Retells a recorded match as text: its sentences, and the board once at the end of each round."""

from collections.abc import Iterator
from itertools import groupby

from msgspec.structs import replace

from tui.board.canvas import Form
from tui.draw.lists import wrap
from tui.draw.look import Look
from tui.draw.panels import plain
from tui.draw.replay import moment_of
from tui.draw.reviewed import WIDTH, drawn_lines
from tui.families import presenter_of
from tui.i18n import _
from tui.model.playback import Frame, Playback
from tui.plain.retold import hand_lines, happened, opening_lines

TABLE = (80, 39)
"""Columns and rows for a board, enough for many trains; rows that stay empty are left out."""


def retold(playback: Playback, look: Look) -> Iterator[str]:
    """Yield the lines of the text, from the step on view to the last; none is wider than 80 columns."""
    recording = playback.recording
    ahead = enumerate(recording.frames[playback.at :], playback.at)
    number = 0
    for _round, group in groupby(ahead, key=lambda item: (item[1].number, item[1].match.round)):
        numbered = list(group)
        frames = [frame for _at, frame in numbered]
        if frames[0].number != number:
            number = frames[0].number
            yield from _wrapped(opening_lines(recording, frames[0]), look)
        yield ""
        yield from _round_lines(frames, replace(playback, at=numbered[-1][0]), look)
    if recording.problem:
        yield from _wrapped(["", _("The record ends here: {problem}.", problem=recording.problem)], look)


def _round_lines(frames: list[Frame], last: Playback, look: Look) -> Iterator[str]:
    deals = max((at for at, frame in enumerate(frames) if frame.deals), default=-1)
    before, after = frames[: deals + 1], frames[deals + 1 :]
    yield from _wrapped(happened(before), look)
    if before:
        yield from _wrapped(hand_lines(before[-1], last.whose), look)
        yield ""
    yield from _wrapped(happened(after), look)
    board = _board(last, look)
    if board:
        yield from ("", *board)


def _board(playback: Playback, look: Look) -> list[str]:
    """The table as it was at the end."""
    moment = moment_of(playback)
    view = moment.view
    if view is None:
        return []
    picture = presenter_of(view).table(moment, *TABLE, look, Form("small"))
    return [plain(line.removeprefix("  "), look.ascii) for line in drawn_lines(picture)]


def _wrapped(lines: list[str], look: Look) -> list[str]:
    return [plain(line, look.ascii) for line in wrap("\n".join(lines), WIDTH)]
