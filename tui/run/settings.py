"""What is remembered from one start to the next, in a small file: theme, language, bell, last tables and hosts."""

import json
import os
import re
import tomllib
from contextlib import suppress
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Annotated

from msgspec import Meta, Struct, ValidationError, convert

from core.bots.levels import TABLE_BOTS
from core.games import GAMES
from core.options import Value
from core.words import BadOption
from net.wire.messages import MakeTable
from themes import DEFAULT_THEME, BadTheme, load_theme
from themes.own import config_directory
from tui.draw.look import Look
from tui.i18n import LANGUAGES

Place = tuple[Annotated[str, Meta(min_length=1, max_length=255)], Annotated[int, Meta(ge=1, le=65535)]]
MOST_HOSTS = 10
"""Hosts that are remembered."""


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
    _write("theme", json.dumps(look.name, ensure_ascii=False))


def language_wanted() -> str:
    """Return the language that was chosen; empty where none was."""
    with suppress(OSError, RuntimeError, UnicodeDecodeError, tomllib.TOMLDecodeError):
        language = tomllib.loads(_file().read_text("utf-8")).get("language")
        return language if isinstance(language, str) and language in LANGUAGES else ""
    return ""


def remember_language(language: str) -> None:
    """Keep the language that was chosen."""
    _write("language", json.dumps(language))


def last_tables() -> dict[str, MakeTable]:
    """Return, by game, the table that was opened last alone; what makes no sense any more is left out."""
    tables = {}
    with suppress(OSError, RuntimeError, UnicodeDecodeError, tomllib.TOMLDecodeError, AttributeError):
        for name, kept in tomllib.loads(_file().read_text("utf-8")).get("last", {}).items():
            with suppress(ValidationError, KeyError, BadOption):
                last = convert(kept, _Last)
                GAMES[name].rules(last.players, last.options)
                if last.level in TABLE_BOTS:
                    tables[name] = MakeTable(
                        name,
                        last.players,
                        last.options,
                        level=last.level,
                        hints=last.hints,
                        take_back=last.take_back,
                    )
    return tables


def remember_table(table: MakeTable) -> None:
    """Keep what was chosen for a table alone, for “as last time”."""
    options = ", ".join(f"{json.dumps(key)} = {_toml(value)}" for key, value in table.options.items())
    level, hints, take_back = _toml(table.level), _toml(table.hints), _toml(table.take_back)
    switches = f"hints = {hints}, take_back = {take_back}"
    row = f"{{players = {table.players}, level = {level}, {switches}, options = {{{options}}}}}"
    _write(f"last.{table.game}", row)


def joined_hosts() -> list[Place]:
    """Return the addresses and ports of the hosts that were joined, the latest first."""
    with suppress(OSError, RuntimeError, UnicodeDecodeError, tomllib.TOMLDecodeError, ValidationError):
        return convert(tomllib.loads(_file().read_text("utf-8")).get("hosts", []), list[Place])[:MOST_HOSTS]
    return []


def remember_host(place: Place) -> None:
    """Keep the address and port of a host that was joined."""
    places = [place, *(other for other in joined_hosts() if other != place)][:MOST_HOSTS]
    _write("hosts", json.dumps(places, ensure_ascii=False))


def bell_wanted() -> bool:
    """Return whether a bell shall ring on the player's turn; it does unless it was switched off."""
    with suppress(OSError, RuntimeError, UnicodeDecodeError, tomllib.TOMLDecodeError):
        return tomllib.loads(_file().read_text("utf-8")).get("bell") is not False
    return True


def remember_bell(on: bool) -> None:
    """Keep whether a bell shall ring."""
    _write("bell", str(on).lower())


class _Last(Struct):
    players: int
    level: str
    hints: bool
    options: dict[str, Value]
    take_back: bool = True


def _toml(value: Value | bool) -> str:
    return json.dumps(value, ensure_ascii=False)


def _write(key: str, value: str) -> None:
    """Set a key in the file, in a line of its own at the top."""
    with suppress(OSError, RuntimeError, UnicodeDecodeError):
        file = _file()
        before = file.read_text("utf-8") if file.exists() else ""
        others = re.sub(rf"^{re.escape(key)}\s*=.*\n?", "", before, flags=re.MULTILINE)
        file.parent.mkdir(parents=True, exist_ok=True)
        with NamedTemporaryFile("w", encoding="utf-8", dir=file.parent, delete=False) as written:
            written.write(f"{key} = {value}\n{others}")
        os.replace(written.name, file)
