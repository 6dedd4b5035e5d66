"""Exports a recorded match as a film for asciinema, as a picture in SVG, or as text, into a file that is whole."""

from collections.abc import Iterator
from pathlib import Path
from typing import Literal

from msgspec import Struct

from net.storage.atomic import whole
from tui.board.canvas import printable
from tui.draw.cast import cast_lines
from tui.draw.look import Look
from tui.draw.replay import draw_replay, place_words
from tui.draw.retold import retold
from tui.draw.svg import svg_of
from tui.model.playback import Playback
from tui.text.names import game_name

Kind = Literal["cast", "svg", "txt"]


class Export(Struct, frozen=True):
    """What is exported, and how."""

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
                for line in retold(self.playback, self.look):
                    yield printable(line).rstrip() + "\n"


def write_export(export: Export, out: Path, *, overwrite: bool) -> None:
    """Write an export to a file that others may read. Raises OSError; FileExistsError where it may not overwrite."""
    with whole(out, overwrite=overwrite) as part:
        with part.open("w", encoding="utf-8") as file:
            file.writelines(export.text())
        part.chmod(0o644)
