"""The player's settings, remembered in a small file: theme, language, bell, last tables and hosts.

Invalid entries are treated as missing, and errors in writing are ignored: the player did not ask for it now, so it
must not disturb a game.
"""

import getpass
import tomllib
from contextlib import suppress
from pathlib import Path
from typing import Annotated, Any, TypeVar

from msgspec import Meta, Struct, ValidationError, convert, to_builtins

from core.bots.profiles import TABLE_LEVELS
from core.games import GAMES
from core.variant import Value
from core.words import BadOption
from net.players.text import clean_name
from net.storage.atomic import write_atomically
from net.wire.messages import MakeTable
from themes import DEFAULT_THEME, BadTheme, config_directory, load_theme
from tui.i18n import LANGUAGES, _
from tui.model.look import Look

Place = tuple[Annotated[str, Meta(min_length=1, max_length=255)], Annotated[int, Meta(ge=1, le=65535)]]
MOST_HOSTS = 10
"""Maximum number of remembered hosts."""
T = TypeVar("T")


class _LastTable(Struct):
    players: int
    level: str
    hints: bool
    options: dict[str, Value]
    take_back: bool = True


def remembered_theme() -> str:
    """Return the name of the theme chosen last; the default one if there is none, or if it cannot be loaded."""
    name = _read_setting("theme", str, DEFAULT_THEME)
    with suppress(OSError, RuntimeError, BadTheme):
        load_theme(name)
        return name
    return DEFAULT_THEME


def remember_theme(look: Look) -> None:
    """Remember the theme of a look."""
    _write_setting(look.name, "theme")


def remembered_language() -> str:
    """Return the chosen language; empty if none was chosen."""
    language = _read_setting("language", str, "")
    return language if language in LANGUAGES else ""


def remember_language(language: str) -> None:
    """Remember the chosen language."""
    _write_setting(language, "language")


def remembered_name() -> str:
    """Return the name that the player gave; empty if they gave none."""
    return clean_name(_read_setting("name", str, ""))


def solo_name() -> str:
    """Return the name of a solo player: the one that they gave, or “You” in their language."""
    return remembered_name() or _("You")


def user_name() -> str:
    """Return the name that others see: the one that the player gave, or their login on this machine."""
    if name := remembered_name():
        return name
    try:
        return clean_name(getpass.getuser()) or "you"
    except (OSError, KeyError):
        return "you"


def is_first_start() -> bool:
    """Return True if the questions of the first start have not been asked yet."""
    return not _read_setting("asked", bool, False)


def remember_player(name: str) -> None:
    """Remember the player's name, and that the questions of the first start were asked."""
    if name:
        _write_setting(name, "name")
    _write_setting(True, "asked")


def last_tables() -> dict[str, MakeTable]:
    """Return the tables opened last in solo matches, by game."""
    tables = {}
    for name, saved_table in _read_setting("last", dict[str, Any], {}).items():
        with suppress(ValidationError, KeyError, BadOption):
            settings = convert(saved_table, _LastTable)
            GAMES[name].rules(settings.players, settings.options)
            if settings.level in TABLE_LEVELS:
                tables[name] = MakeTable(
                    name,
                    settings.players,
                    settings.options,
                    level=settings.level,
                    hints=settings.hints,
                    take_back=settings.take_back,
                )
    return tables


def remember_table(table: MakeTable) -> None:
    """Remember the settings of a solo match, for “as last time”."""
    settings = _LastTable(table.players, table.level, table.hints, table.options, table.take_back)
    _write_setting(to_builtins(settings), "last", table.game)


def joined_hosts() -> list[Place]:
    """Return the addresses and ports of the hosts joined before, the latest first."""
    return _read_setting("hosts", list[Place], [])[:MOST_HOSTS]


def remember_host(place: Place) -> None:
    """Remember the address and port of a host."""
    _write_setting([place, *(other for other in joined_hosts() if other != place)][:MOST_HOSTS], "hosts")


def remembered_bell() -> bool:
    """Return True if the bell rings on the player's turn: the default, unless it was switched off."""
    return _read_setting("bell", bool, True)


def remember_bell(rings: bool) -> None:
    """Remember whether a bell shall ring."""
    _write_setting(rings, "bell")


def _settings_file() -> Path:
    return config_directory() / "settings.toml"


def _read_setting(key: str, value_type: type[T], default: T) -> T:
    with suppress(OSError, RuntimeError, UnicodeDecodeError, tomllib.TOMLDecodeError, ValidationError):
        return convert(tomllib.loads(_settings_file().read_text("utf-8")).get(key, default), value_type)
    return default


def _write_setting(value: object, key: str, *keys: str) -> None:
    """Set a key in the file, or in one of its tables; other values are preserved, comments are not."""
    import tomli_w  # noqa: PLC0415 - most starts only read

    with suppress(OSError, RuntimeError, UnicodeDecodeError, tomllib.TOMLDecodeError, AttributeError):
        file = _settings_file()
        settings: dict[str, Any] = tomllib.loads(file.read_text("utf-8")) if file.exists() else {}
        table = settings
        for name in keys:
            table, key = table.setdefault(key, {}), name
        table[key] = value
        file.parent.mkdir(parents=True, exist_ok=True)
        write_atomically(file, tomli_w.dumps(settings))
