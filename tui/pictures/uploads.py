"""The pictures that one terminal has been given: each once, when it is first shown, by kitty's graphics protocol."""

from base64 import standard_b64encode
from collections.abc import Iterable, Iterator
from typing import Protocol

from themes import Theme
from tui.board.canvas import PART, Picture, Run
from tui.board.faces import TileImage, piece_of

_PART_OF_DATA = 4096
"""Characters of data that a terminal takes in one sequence."""


class TerminalImages(Protocol):
    """The pictures of one terminal."""

    def needed(self, rows: Iterable[tuple[Run, ...]], theme: Theme) -> list[str]:
        """Return what it must be sent before these rows, for each picture."""

    def shown(self, written: str) -> str:
        """Return what it is sent for what was written."""

    def forget(self) -> None:
        """Take it that the terminal has none: some may not have reached it."""

    def farewell(self) -> str:
        """Return what removes all pictures."""


class Uploads:
    """What a terminal has, and what it still needs. It answers nothing to any of it."""

    def __init__(self, cell: tuple[int, int]) -> None:
        """`cell` is the width and height of one in pixels."""
        self._cell = cell
        self._theme: Theme | None = None
        self._has: set[str] = set()
        """The pictures it has, by the colours of the cells that show them."""
        self._given: set[str] = set()
        """All that it was ever given, in whatever colours of the theme."""

    def needed(self, rows: Iterable[tuple[Run, ...]], theme: Theme) -> list[str]:
        """Return what gives it each of the pictures that some rows show and that it does not have yet."""
        if theme != self._theme:
            self._theme = theme
            self._has.clear()  # a picture that comes again takes the place of the one before
        inks = {style.fg for row in rows for text, style in row if PART in text} - self._has
        self._has |= inks
        self._given |= inks
        return [_upload(piece_of(ink), theme, self._cell) for ink in sorted(inks)]

    def shown(self, written: str) -> str:
        """Return what was written: the terminal knows what marked cells mean."""
        return written

    def forget(self) -> None:
        """Take it that the terminal has none: some may not have reached it."""
        self._has.clear()

    def farewell(self) -> str:
        """Return what removes all pictures."""
        removed = "".join(f"\x1b_Ga=d,d=I,i={int(ink[1:], 16)},q=2;\x1b\\" for ink in sorted(self._given))
        self._has, self._given = set(), set()
        return removed


class ImageDriver(Protocol):
    """A terminal that may show pictures."""

    uploads: TerminalImages | None

    def upload_images(self, pictures: str, count: int) -> None:
        """Send so many pictures before the next frame."""


def supply(output: ImageDriver, picture: Picture, theme: Theme) -> None:
    """Give a terminal the pictures of tiles that are about to be shown."""
    if output.uploads and (needed := output.uploads.needed(picture.rows, theme)):
        output.upload_images("".join(needed), len(needed))


def _upload(piece: TileImage, theme: Theme, cell: tuple[int, int]) -> str:
    """Return what gives a terminal one picture, and the cells that it covers wherever it is shown."""
    from tui.pictures.painting import painted  # noqa: PLC0415 - whoever sees no pictures need not load Pillow

    data = standard_b64encode(painted(piece, theme, cell)).decode()
    about = f"a=T,U=1,q=2,f=100,i={piece.number},c={piece.columns},r={piece.rows},"
    return "".join(f"\x1b_G{head}m={int(more)};{part}\x1b\\" for head, more, part in _parts(about, data))


def _parts(about: str, data: str) -> Iterator[tuple[str, bool, str]]:
    """Cut data as terminals want it: the first part says what it is, each whether more follows."""
    for start in range(0, len(data), _PART_OF_DATA):
        end = start + _PART_OF_DATA
        yield about if start == 0 else "q=2,", end < len(data), data[start:end]
