"""The images that one terminal has received: each once, before it is first shown, by kitty's graphics protocol."""

from base64 import standard_b64encode
from collections.abc import Iterable, Iterator
from typing import Protocol

from themes import Theme
from tui.board.canvas import PART, Picture, Run
from tui.board.faces import TileImage, tile_image_of

_MAX_SEQUENCE_DATA = 4096
"""Characters of data that a terminal accepts in one sequence."""


class TerminalImages(Protocol):
    """The images of one terminal."""

    def new_image_sequences(self, rows: Iterable[tuple[Run, ...]], theme: Theme) -> list[str]:
        """Return the sequences to send before these rows, one for each image."""

    def convert_output(self, written: str) -> str:
        """Return the output that replaces `written`."""

    def forget(self) -> None:
        """Forget what the terminal has: some output may not have reached it."""

    def farewell(self) -> str:
        """Return the sequence that removes all images."""


class Uploads:
    """The images that a terminal has, and those that it still needs. Each command asks the terminal for no reply."""

    def __init__(self, cell: tuple[int, int]) -> None:
        """`cell` is the width and height of a cell in pixels."""
        self._cell = cell
        self._theme: Theme | None = None
        self._sent_inks: set[str] = set()
        """Colours of the cells whose images the terminal has."""
        self._all_inks: set[str] = set()
        """Colours of the cells of all images that the terminal ever received, in any theme."""

    def new_image_sequences(self, rows: Iterable[tuple[Run, ...]], theme: Theme) -> list[str]:
        """Return the sequences of the images in these rows that the terminal does not have yet."""
        if theme != self._theme:
            self._theme = theme
            self._sent_inks.clear()  # an image sent again replaces the one before
        inks = {style.fg for row in rows for text, style in row if PART in text} - self._sent_inks
        self._sent_inks |= inks
        self._all_inks |= inks
        return [_upload(tile_image_of(ink), theme, self._cell) for ink in sorted(inks)]

    def convert_output(self, written: str) -> str:
        """Return the output unchanged: the terminal knows the marked cells."""
        return written

    def forget(self) -> None:
        """Forget what the terminal has: some output may not have reached it."""
        self._sent_inks.clear()

    def farewell(self) -> str:
        """Return the sequence that removes all images."""
        removal = "".join(f"\x1b_Ga=d,d=I,i={int(ink[1:], 16)},q=2;\x1b\\" for ink in sorted(self._all_inks))
        self._sent_inks, self._all_inks = set(), set()
        return removal


class ImageDriver(Protocol):
    """A terminal that may show images."""

    uploads: TerminalImages | None

    def upload_images(self, sequences: str, count: int) -> None:
        """Send `count` images by their escape `sequences` before the next frame."""


def upload_missing(output: ImageDriver, picture: Picture, theme: Theme) -> None:
    """Send a terminal the images of tiles that are about to be shown."""
    if output.uploads and (sequences := output.uploads.new_image_sequences(picture.rows, theme)):
        output.upload_images("".join(sequences), len(sequences))


def _upload(tile_image: TileImage, theme: Theme, cell: tuple[int, int]) -> str:
    """Return the sequences that send an image and state its size in cells."""
    from tui.pictures.painting import paint_tile  # noqa: PLC0415 - sessions without images do not load Pillow

    data = standard_b64encode(paint_tile(tile_image, theme, cell)).decode()
    header = f"a=T,U=1,q=2,f=100,i={tile_image.number},c={tile_image.columns},r={tile_image.rows},"
    return "".join(
        f"\x1b_G{head}m={int(has_more)};{chunk}\x1b\\" for head, has_more, chunk in _split_data(header, data)
    )


def _split_data(header: str, data: str) -> Iterator[tuple[str, bool, str]]:
    """Split data into sequences; yield the header of each, whether more follow, and its part of the data."""
    for start in range(0, len(data), _MAX_SEQUENCE_DATA):
        end = start + _MAX_SEQUENCE_DATA
        yield header if start == 0 else "q=2,", end < len(data), data[start:end]
