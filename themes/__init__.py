"""One TOML file per theme, and the loader."""

from functools import cache, lru_cache
from pathlib import Path

from themes.depth import Depth
from themes.own import own_names, own_text
from themes.reading import Palettes, read_theme
from themes.theme import HIGHEST, MONO, BadTheme, Theme

__all__ = [
    "DEFAULT_THEME",
    "HIGHEST",
    "MONO",
    "BadTheme",
    "Depth",
    "Theme",
    "all_names",
    "choices",
    "load_theme",
    "proper_name",
    "theme_names",
]

DEFAULT_THEME = "felt"
_NAMES = ("felt", "light", "wood", "night", "high-contrast", "okabe-ito", "amber", "mono")
_ALIASES = {"dark": "felt"}
"""Other names of themes: those that they once had."""


def theme_names() -> tuple[str, ...]:
    """Return the names of the themes that come with Boneyard."""
    return _NAMES


def proper_name(name: str) -> str:
    """Return the name of a theme that may be called by another one."""
    return name if name in own_names() else _ALIASES.get(name, name)


def all_names() -> tuple[str, ...]:
    """Return the names of all themes here: those that come with Boneyard, then the player's own."""
    return (*_NAMES, *(name for name in own_names() if name not in _NAMES))


def choices() -> str:
    """Return the names of all themes here, for a sentence."""
    *names, last = all_names()
    return f"{', '.join(names)} or {last}"


def load_theme(name: str, depth: Depth = Depth.ALL) -> Theme:
    """Return a theme for terminals of one kind; a player's own goes before one that comes with Boneyard.

    Raises BadTheme, with a sentence that names the choices or says what is wrong in which file.
    """
    if name in own_names():
        return _own(*own_text(name), depth)
    return _cached(_ALIASES.get(name, name), depth)


@lru_cache(maxsize=32)  # a host asks for each guest; an edit is another text
def _own(text: str, where: str, depth: Depth) -> Theme:
    return read_theme(text, where, _built_in).at(depth)


@cache
def _cached(name: str, depth: Depth) -> Theme:
    return _built_in(name).at(depth)


def _built_in(name: str) -> Palettes:
    name = _ALIASES.get(name, name)
    if name not in _NAMES:
        raise BadTheme(f"“{name[:40]}” is not a theme; choose {choices()}.")
    return _read(name)


@cache
def _read(name: str) -> Palettes:
    file = Path(__file__).with_name(f"{name}.toml")
    return read_theme(file.read_text("utf-8"), f"{name}.toml", _built_in)
