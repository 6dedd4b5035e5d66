"""Tiles as pictures, on terminals that show them: what they look like, and how a terminal is told."""

from tui.pictures.uploads import TerminalImages, Uploads


def pictures_of(cell: tuple[int, int] | None, sixel: tuple[int, int] | None) -> TerminalImages | None:
    """Return the pictures of a terminal, None for one that shows none.

    `cell` is how many pixels one has, where there are pictures; `sixel` the same where they are sixel images.
    """
    if sixel is None:
        return Uploads(cell) if cell else None
    from tui.pictures.sixels import Sixels  # noqa: PLC0415 - few terminals know sixel

    return Sixels(sixel)
