"""Tiles as images, on terminals that show them: their painting, and the protocols of terminals."""

from functools import cache
from importlib.util import find_spec

from tui.pictures.uploads import TerminalImages, Uploads


@cache
def can_paint() -> bool:
    """Return True if the extra `pictures` is installed; without it tiles are drawn with characters."""
    return find_spec("PIL") is not None


def make_uploads(cell: tuple[int, int] | None, sixel: tuple[int, int] | None) -> TerminalImages | None:
    """Return the images of a terminal; None if it shows none.

    `cell` is the size of a cell in pixels if the terminal has kitty's protocol, `sixel` if it shows sixel images.
    """
    if sixel is None:
        return Uploads(cell) if cell else None
    from tui.pictures.sixels import Sixels  # noqa: PLC0415 - few terminals know sixel

    return Sixels(sixel)
