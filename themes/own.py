"""A player's own themes: TOML files in the directory of their settings."""

import os
from pathlib import Path

from themes.theme import BadTheme

MOST = 100_000
"""Bytes of a theme, which needs one thousand; anything longer is another file."""


def config_directory() -> Path:
    """Return where a player's settings are: XDG_CONFIG_HOME, which must be absolute, or ~/.config."""
    named = Path(os.environ.get("XDG_CONFIG_HOME", ""))
    return (named if named.is_absolute() else Path.home() / ".config") / "boneyard"


def own_names() -> tuple[str, ...]:
    """Return the names of a player's own themes, in alphabetical order."""
    try:
        files = [file.name for file in (config_directory() / "themes").iterdir()]
    except (OSError, RuntimeError):  # no directory, or no home
        return ()
    return tuple(sorted(name.removesuffix(".toml") for name in files if name.endswith(".toml") and name[0] != "."))


def own_text(name: str) -> tuple[str, str]:
    """Return the text of a player's own theme, and its file for complaints. Raises BadTheme."""
    file = config_directory() / "themes" / f"{name}.toml"
    try:
        with file.open("rb") as opened:
            return opened.read(MOST).decode("utf-8"), str(file)
    except OSError as error:
        raise BadTheme(f"{file} cannot be read: {error.strerror or error}.") from error
    except UnicodeDecodeError as error:
        raise BadTheme(f"{file} cannot be read: it is not UTF-8.") from error
