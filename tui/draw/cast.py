"""Makes a film for asciinema (asciicast, version 2) of a playback: the frames of the replay, each at its time."""

import json
from collections.abc import Iterator

from msgspec.structs import replace

from tui.board.canvas import Picture, Style
from tui.board.diff import Ink, Inks, ink_of, repainted
from tui.draw.look import Look
from tui.draw.replay import draw_replay
from tui.model.playback import Playback
from tui.text.names import game_name

BEGIN, END = "\x1b[?25l\x1b[H\x1b[2J", "\x1b[0m\x1b[?25h"
"""Hides the cursor and clears the screen; shows the cursor again."""


def cast_lines(playback: Playback, width: int, height: int, look: Look) -> Iterator[str]:
    """Yield the lines of the file: first what it is, then one for each step from the one on view to the last."""
    title = game_name(playback.frame.match.variant.id)
    yield json.dumps(
        {"version": 2, "width": width, "height": height, "title": title, "env": {"TERM": "xterm-256color"}}
    )
    seconds = 0.0
    before: Picture | None = None
    form = None
    playback = replace(playback, playing=not playback.ended)
    while True:
        picture = draw_replay(playback, width, height, look, form)
        yield _event(seconds, ("" if before else BEGIN) + repainted(before, picture, _INKS))
        before, form = picture, picture.form
        seconds += playback.seconds
        if playback.ended:
            break
        here, playback = playback.frame, playback.go(playback.at + 1)
        if (here.number, here.match.round) != (playback.frame.number, playback.frame.match.round):
            form = None
    yield _event(seconds, END)


def _event(seconds: float, text: str) -> str:
    return json.dumps([round(seconds, 3), "o", text], ensure_ascii=False)


def _ink(style: Style) -> Ink:
    weight = ";1" * style.bold + ";4" * style.underlined
    return ink_of(f"0{weight};38;2;{_parts(style.fg)};48;2;{_parts(style.bg)}")


def _parts(colour: str) -> str:
    return ";".join(str(int(colour[at : at + 2], 16)) for at in (1, 3, 5))


_INKS = Inks(_ink)
