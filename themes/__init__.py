"""One TOML file per theme, and the loader."""

import tomllib
from functools import cache
from importlib import resources
from typing import Annotated

import msgspec
from msgspec import Meta, Struct

HIGHEST = 18
"""The highest number on any domino that is sold."""

Colour = Annotated[str, Meta(pattern=r"^#[0-9a-f]{6}$")]


class BadTheme(Exception):  # noqa: N818 - the sentence is for players
    """A theme that does not exist or cannot be read, in a sentence that names the choices."""


class Theme(Struct, frozen=True, forbid_unknown_fields=True):
    """The colours of the table, each as `#rrggbb`."""

    felt: Colour
    """The table itself."""
    band: Colour
    """Where the hand stands; a little off the felt."""
    bar: Colour
    """Title and status lines."""
    back: Colour
    """A tile from behind."""
    ivory: Colour
    ivory_shade: Colour
    """Every second of two tiles that touch one above the other."""
    glow: Colour
    """The tile just laid."""
    edge: Colour
    """The groove between the halves of a tile."""
    greyed: Colour
    """A tile of the hand that fits nowhere now."""
    accent: Colour
    warning: Colour
    text: Colour
    quiet: Colour
    """Words that can wait."""
    dim: Colour
    """Ends that are closed."""
    pips: Annotated[tuple[Colour, ...], Meta(min_length=HIGHEST + 1, max_length=HIGHEST + 1)]
    """One hue per number, from nought to `HIGHEST`."""


def theme_names() -> tuple[str, ...]:
    """Return the names of all themes, in alphabetical order."""
    files = (file.name for file in resources.files(__name__).iterdir())
    return tuple(sorted(name.removesuffix(".toml") for name in files if name.endswith(".toml")))


@cache
def load_theme(name: str) -> Theme:
    """Read the theme called `name`.

    Raises BadTheme, with a sentence that names the choices.
    """
    names = theme_names()
    choices = " or ".join(names)
    if name not in names:
        raise BadTheme(f"“{name}” is not a theme; choose {choices}.")
    return parse_theme(resources.files(__name__).joinpath(f"{name}.toml").read_text("utf-8"), name)


def parse_theme(text: str, name: str) -> Theme:
    """Parse the TOML of a theme; `name` is for the complaint.

    Raises BadTheme, with a sentence that names the choices.
    """
    try:
        return msgspec.convert(tomllib.loads(text), Theme)
    except (tomllib.TOMLDecodeError, msgspec.ValidationError) as error:
        choices = " or ".join(theme_names())
        raise BadTheme(f"The theme “{name}” cannot be read ({error}); choose {choices}.") from error
