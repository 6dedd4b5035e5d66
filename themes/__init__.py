"""Themes: a TOML file each, those of the user in their settings directory, and the loader."""

import os
from functools import cache, lru_cache
from pathlib import Path

from themes.numbers import Depth
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
    "config_directory",
    "current_name",
    "load_theme",
    "theme_choices",
    "theme_names",
]

DEFAULT_THEME = "felt"
_NAMES = ("felt", "light", "wood", "night", "high-contrast", "okabe-ito", "amber", "mono")
_ALIASES = {"dark": "felt"}
"""Former names of themes."""
_MAX_BYTES = 100_000
"""Maximum bytes of a theme; real ones have about a thousand."""


def theme_names() -> tuple[str, ...]:
    """Return the names of the themes that come with Boneyard."""
    return _NAMES


def current_name(name: str) -> str:
    """Return the current name of a theme."""
    return name if name in _user_theme_names() else _ALIASES.get(name, name)


def all_names() -> tuple[str, ...]:
    """Return the names of all themes on this machine: Boneyard's, then the user's own."""
    return (*_NAMES, *(name for name in _user_theme_names() if name not in _NAMES))


def theme_choices() -> str:
    """Return the names of all themes on this machine, joined for a sentence."""
    *names, last = all_names()
    return f"{', '.join(names)} or {last}"


def load_theme(name: str, depth: Depth = Depth.ALL) -> Theme:
    """Return a theme for terminals of a colour depth; a theme of the user overrides Boneyard's of the same name.

    Raises BadTheme, with a sentence that lists the choices, or names the file and its error.
    """
    if name in _user_theme_names():
        return _load_user_theme(*_read_user_theme(name), depth)
    return _load_built_in(_ALIASES.get(name, name), depth)


@lru_cache(maxsize=32)  # a host loads the theme for each guest; an edited file has another text
def _load_user_theme(text: str, source: str, depth: Depth) -> Theme:
    return read_theme(text, source, _built_in).at_depth(depth)


@cache
def _load_built_in(name: str, depth: Depth) -> Theme:
    return _built_in(name).at_depth(depth)


def _built_in(name: str) -> Palettes:
    name = _ALIASES.get(name, name)
    if name not in _NAMES:
        raise BadTheme(f"“{name[:40]}” is not a theme; choose {theme_choices()}.")
    return _read_file(name)


@cache
def _read_file(name: str) -> Palettes:
    file = Path(__file__).with_name(f"{name}.toml")
    return read_theme(file.read_text("utf-8"), f"{name}.toml", _built_in)


def config_directory() -> Path:
    """Return the settings directory of the user: in XDG_CONFIG_HOME, which must be absolute, or in ~/.config."""
    config_home = Path(os.environ.get("XDG_CONFIG_HOME", ""))
    return (config_home if config_home.is_absolute() else Path.home() / ".config") / "boneyard"


def _user_theme_names() -> tuple[str, ...]:
    """Return the names of the user's own themes, in alphabetical order."""
    try:
        files = [file.name for file in (config_directory() / "themes").iterdir()]
    except (OSError, RuntimeError):  # no directory, or no home
        return ()
    return tuple(sorted(name.removesuffix(".toml") for name in files if name.endswith(".toml") and name[0] != "."))


def _read_user_theme(name: str) -> tuple[str, str]:
    """Return the text of the user's own theme, and its file for error messages. Raises BadTheme."""
    file = config_directory() / "themes" / f"{name}.toml"
    try:
        with file.open("rb") as theme_file:
            return theme_file.read(_MAX_BYTES).decode("utf-8"), str(file)
    except OSError as error:
        raise BadTheme(f"{file} cannot be read: {error.strerror or error}.") from error
    except UnicodeDecodeError as error:
        raise BadTheme(f"{file} cannot be read: it is not UTF-8.") from error
