"""House rules from a TOML file: for one game at the top, or for several in sections named after them."""

import tomllib
from pathlib import Path

from core.games import GAMES
from core.options import Value, resolve
from core.words import BadOption
from tui.failures import BadUse

HouseRules = dict[str, dict[str, Value]]
"""For each game the house rules that were given."""


def read_house_rules(path: Path, game: str = "") -> HouseRules:
    """Read a file of house rules; `game` is the one that rules at the top of it are for.

    Dotted keys may be written as they are (`draw.reserve = 1`) or as tables. Raises BadUse with one sentence.
    """
    try:
        tables = tomllib.loads(path.read_text("utf-8"))
    except tomllib.TOMLDecodeError as error:
        raise BadUse("{path} is not TOML: {error}.", path=path, error=error) from error
    except UnicodeDecodeError as error:
        raise BadUse("{path} is not TOML: it is not UTF-8 text.", path=path) from error
    except OSError as error:
        raise BadUse("{path} cannot be read: {reason}.", path=path, reason=error.strerror or error) from error
    house: HouseRules = {
        name: _flat(table) for name, table in tables.items() if name in GAMES and isinstance(table, dict)
    }
    top = _flat({name: value for name, value in tables.items() if name not in house})
    if top and game not in GAMES:
        raise BadUse(
            "{path} has house rules outside a section; put them under the game's name, like [draw].", path=path
        )
    if top:
        house[game] = house.get(game, {}) | top
    for name, chosen in house.items():
        try:
            resolve(GAMES[name].options, chosen)
        except BadOption as bad:
            raise BadUse(f"{path}, [{name}]: {bad}") from bad
    return house


def _flat(table: dict[str, object], prefix: str = "") -> dict[str, Value]:
    """Write nested tables as dotted keys; yes and no may be true and false."""
    flat: dict[str, Value] = {}
    for key, value in table.items():
        if isinstance(value, dict):
            flat |= _flat(value, f"{prefix}{key}.")
        elif isinstance(value, bool):
            flat[prefix + key] = "yes" if value else "no"
        else:
            flat[prefix + key] = value if isinstance(value, int) else str(value)
    return flat
