"""Tiles as images, on terminals that show them: their painting, and the protocols of terminals."""

from tui.pictures.uploads import TerminalImages, Uploads


def make_uploads(cell: tuple[int, int] | None, sixel: tuple[int, int] | None) -> TerminalImages | None:
    """Return the images of a terminal; None if it shows none.

    `cell` is the size of a cell in pixels if the terminal has kitty's protocol, `sixel` if it shows sixel images.
    """
    if sixel is None:
        return Uploads(cell) if cell else None
    from tui.pictures.sixels import Sixels  # noqa: PLC0415 - few terminals know sixel

    return Sixels(sixel)
