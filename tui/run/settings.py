"""What is remembered of a player's choices from one start to the next: the theme, in a small file."""

import json
import os
import re
import tomllib
from contextlib import suppress
from pathlib import Path
from tempfile import NamedTemporaryFile

from themes import DEFAULT_THEME, BadTheme, load_theme
from themes.own import config_directory
from tui.draw.look import Look

_LINE = re.compile(r"^theme\s*=.*\n?", re.MULTILINE)


def _file() -> Path:
    return config_directory() / "settings.toml"


def remembered() -> str:
    """Return the name of the theme that was chosen last; the usual one where none was, or it is there no more."""
    try:
        name = tomllib.loads(_file().read_text("utf-8")).get("theme")
        if isinstance(name, str):
            load_theme(name)
            return name
    except (OSError, RuntimeError, UnicodeDecodeError, tomllib.TOMLDecodeError, BadTheme):
        pass  # nobody asked for it now, so nothing is in the way of a game
    return DEFAULT_THEME


def remember(look: Look) -> None:
    """Keep the theme of a look for the next start; what else is in the file stays.

    Where nothing can be written, nothing is remembered.
    """
    with suppress(OSError, RuntimeError, UnicodeDecodeError):
        file = _file()
        before = file.read_text("utf-8") if file.exists() else ""
        file.parent.mkdir(parents=True, exist_ok=True)
        with NamedTemporaryFile("w", encoding="utf-8", dir=file.parent, delete=False) as written:
            written.write(f"theme = {json.dumps(look.name, ensure_ascii=False)}\n" + _LINE.sub("", before))
        os.replace(written.name, file)
