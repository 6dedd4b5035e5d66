"""Exports a recorded match as a film for asciinema, as an SVG picture, or as text, into a complete file."""

import json
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from net.storage.atomic import replace_atomically
from tui.board.canvas import Picture, Style, plain, printable
from tui.board.diff import Ink, Inks, diff_pictures, ink_of
from tui.draw.panels import wrap
from tui.draw.replay import draw_replay, moment_of, place_words
from tui.draw.review import TEXT_WIDTH, picture_lines
from tui.draw.svg import svg_of
from tui.i18n import _
from tui.model.look import Look
from tui.model.playback import Frame, Playback
from tui.model.presenter import presenter_of
from tui.plain.replay import event_lines, hand_lines, opening_lines
from tui.text.names import game_name

Kind = Literal["cast", "svg", "txt"]


class Export(Struct, frozen=True):
    """The settings of an export."""

    kind: Kind
    playback: Playback
    look: Look
    width: int
    height: int

    def text(self) -> Iterator[str]:
        """Yield the parts of the file."""
        match self.kind:
            case "cast":
                for line in cast_lines(self.playback, self.width, self.height, self.look):
                    yield line + "\n"
            case "svg":
                picture = draw_replay(self.playback, self.width, self.height, self.look)
                title = f"{game_name(self.playback.frame.match.variant.id)}: {place_words(self.playback)}"
                yield svg_of(picture, title)
            case "txt":
                for line in replay_lines(self.playback, self.look):
                    yield printable(line).rstrip() + "\n"


def write_export(export: Export, path: Path, *, overwrite: bool) -> None:
    """Write an export to a file that others may read. Raises OSError; without `overwrite`, FileExistsError."""
    with replace_atomically(path, overwrite=overwrite) as part:
        with part.open("w", encoding="utf-8") as file:
            file.writelines(export.text())
        part.chmod(0o644)


BEGIN_CODES, END_CODES = "\x1b[?25l\x1b[H\x1b[2J", "\x1b[0m\x1b[?25h"
"""Hides the cursor and clears the screen; shows the cursor again."""


def cast_lines(playback: Playback, width: int, height: int, look: Look) -> Iterator[str]:
    """Yield the lines of the file: a header, then a line for each step from the present one to the last."""
    title = game_name(playback.frame.match.variant.id)
    yield json.dumps(
        {"version": 2, "width": width, "height": height, "title": title, "env": {"TERM": "xterm-256color"}}
    )
    seconds = 0.0
    previous: Picture | None = None
    playback = replace(playback, is_playing=not playback.is_at_end)
    while True:
        picture = draw_replay(playback, width, height, look)
        yield _event(seconds, ("" if previous else BEGIN_CODES) + diff_pictures(previous, picture, INKS))
        previous = picture
        seconds += playback.seconds
        if playback.is_at_end:
            break
        playback = playback.go(playback.at + 1)
    yield _event(seconds, END_CODES)


def _event(seconds: float, text: str) -> str:
    return json.dumps([round(seconds, 3), "o", text], ensure_ascii=False)


def _ink(style: Style) -> Ink:
    weight = ";1" * style.bold + ";4" * style.underlined
    return ink_of(f"0{weight};38;2;{_rgb(style.fg)};48;2;{_rgb(style.bg)}")


def _rgb(colour: str) -> str:
    return ";".join(str(int(colour[index : index + 2], 16)) for index in (1, 3, 5))


INKS = Inks(_ink)
"""The colours of a terminal that shows all."""


BOARD_SIZE = (80, 39)
"""Columns and rows for a board, enough for many trains; empty rows are left out."""


def replay_lines(playback: Playback, look: Look) -> Iterator[str]:
    """Yield the lines of the text, from the present step to the last; none is wider than 80 columns."""
    recording = playback.recording
    numbered_frames = enumerate(recording.frames[playback.at :], playback.at)
    number = 0
    for _round, group in groupby(numbered_frames, key=lambda item: (item[1].number, item[1].match.round)):
        group_frames = list(group)
        frames = [frame for _at, frame in group_frames]
        if frames[0].number != number:
            number = frames[0].number
            yield from _wrap(opening_lines(recording, frames[0]), look)
        yield ""
        yield from _round_lines(frames, replace(playback, at=group_frames[-1][0]), look)
    if recording.problem:
        yield from _wrap(["", _("The record ends here: {problem}.", problem=recording.problem)], look)


def _round_lines(frames: list[Frame], last: Playback, look: Look) -> Iterator[str]:
    last_deal = max((index for index, frame in enumerate(frames) if frame.is_deal), default=-1)
    frames_to_deal, frames_after_deal = frames[: last_deal + 1], frames[last_deal + 1 :]
    yield from _wrap(event_lines(frames_to_deal), look)
    if frames_to_deal:
        yield from _wrap(hand_lines(frames_to_deal[-1], last.open_hand), look)
        yield ""
    yield from _wrap(event_lines(frames_after_deal), look)
    board = _board_lines(last, look)
    if board:
        yield from ("", *board)


def _board_lines(playback: Playback, look: Look) -> list[str]:
    """Return the final table."""
    moment = moment_of(playback)
    view = moment.view
    if view is None:
        return []
    picture = presenter_of(view).table(moment, *BOARD_SIZE, replace(look, largest="small"))
    return [plain(line.removeprefix("  "), look.ascii) for line in picture_lines(picture)]


def _wrap(lines: list[str], look: Look) -> list[str]:
    return [plain(line, look.ascii) for line in wrap("\n".join(lines), TEXT_WIDTH)]
