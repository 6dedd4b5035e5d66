"""Reads the TOML of a theme; an error is one sentence that names the key."""

import re
import tomllib
from collections.abc import Callable
from difflib import get_close_matches

from msgspec import Struct

from themes.numbers import (
    FIRST,
    VGA,
    XTERM,
    Depth,
    colour_of_16,
    colour_of_256,
    contrast,
    darker,
    luminance,
    nearest,
    number_of_256,
)
from themes.theme import GROUNDS, HIGHEST, MONO, WORDS, BadTheme, Numbers, Theme

_FIELDS = (*GROUNDS, *WORDS, "pips")
_TABLES = {"256": (FIRST, 255), "16": (0, 15)}
"""The tables of numbered colours, with their lowest and highest numbers."""
_KEYS = (*_FIELDS, *_TABLES, "base")
_COLOUR = re.compile(r"#[0-9a-f]{6}", re.IGNORECASE)


class Palettes(Struct, frozen=True):
    """A theme for every colour depth."""

    colours: Theme
    of_256: Numbers
    """Numbers chosen by hand; missing ones are computed."""
    of_16: Numbers

    def at(self, depth: Depth) -> Theme:
        """Return the colours for a depth; numbered ones are the stand-ins of `themes.numbers`."""
        if depth is Depth.NONE:
            return MONO
        if depth is Depth.MANY:
            return _shown(self.of_256, _TABLES["256"], lambda: automatic_256(self.colours, self.of_256))
        if depth is Depth.FEW:
            return _shown(self.of_16, _TABLES["16"], lambda: automatic_16(self.colours, self.of_16))
        return self.colours


def _shown(chosen: Numbers, span: tuple[int, int], compute: Callable[[], Numbers]) -> Theme:
    """Return a theme of stand-ins; `compute` returns the numbers if some are not chosen."""
    numbers = chosen if len(chosen) == len(_FIELDS) else compute()

    def colour(field: str, number: int) -> str:
        return colour_of_256(number) if span[0] == FIRST else colour_of_16(number, word=field in WORDS)

    colours = {
        field: tuple(colour(field, part) for part in number) if isinstance(number, tuple) else colour(field, number)
        for field, number in numbers.items()
    }
    return Theme(**colours)  # type: ignore[arg-type]


def read_theme(text: str, where: str, base: Callable[[str], Palettes]) -> Palettes:
    """Read a theme; `where` names its file in error messages, `base` returns the theme on which it builds.

    Raises BadTheme.
    """
    try:
        table = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise BadTheme(f"{where} is not TOML: {error}.") from error
    _known(table, _KEYS, where, "")
    beginning = _base(table, where, base)
    before = {field: getattr(beginning.colours, field) for field in _FIELDS} if beginning else {}
    colours = {field: _colours(table[field], field, where) for field in _FIELDS if field in table}
    if missing := [field for field in _FIELDS if field not in colours and field not in before]:
        raise BadTheme(f'{where} has no “{missing[0]}”; add it, or begin with another theme, like base = "felt".')
    tables = {name: _numbers(table.get(name, {}), name, where) for name in _TABLES}
    if beginning:  # a colour of its own must not have the other theme's number
        tables["256"] = {f: n for f, n in beginning.of_256.items() if f not in colours} | tables["256"]
        tables["16"] = {f: n for f, n in beginning.of_16.items() if f not in colours} | tables["16"]
    return Palettes(Theme(**{**before, **colours}), tables["256"], tables["16"])


def _known(table: dict[str, object], keys: tuple[str, ...], where: str, inside: str) -> None:
    """Raise BadTheme for an unknown key."""
    for key in table:
        if key not in keys:
            near = get_close_matches(key, keys, 1)
            hint = f"did you mean “{near[0]}”?" if near else "see docs/playing.md for the keys of a theme."
            raise BadTheme(f"{where} has an unknown key “{key}”{inside}; {hint}")


def _base(table: dict[str, object], where: str, base: Callable[[str], Palettes]) -> Palettes | None:
    name = table.get("base")
    if name is None:
        return None
    try:
        return base(str(name))
    except BadTheme as error:
        raise BadTheme(f"{where}, base: {error}") from error


def _colours(value: object, field: str, where: str) -> str | tuple[str, ...]:
    if field != "pips":
        return _colour(value, field, where)
    if not isinstance(value, list) or len(value) != HIGHEST + 1:
        raise BadTheme(f"{where}, pips: it must be a list of {HIGHEST + 1} colours, for the numbers 0 to {HIGHEST}.")
    return tuple(_colour(colour, f"pips, number {number}", where) for number, colour in enumerate(value))


def _colour(value: object, field: str, where: str) -> str:
    if not isinstance(value, str) or not _COLOUR.fullmatch(value):
        raise BadTheme(f'{where}, {field}: {_quoted(value)} is not a colour like "#14532d".')
    return value.lower()


def _numbers(table: object, name: str, where: str) -> Numbers:
    """Read the numbered colours of one table."""
    if not isinstance(table, dict):
        raise BadTheme(f"{where}, {name}: it must be a table, [{name}], of colour numbers.")
    _known(table, _FIELDS, where, f" in [{name}]")
    return {field: _number(value, field, name, where) for field, value in table.items()}


def _number(value: object, field: str, name: str, where: str) -> int | tuple[int, ...]:
    low, high = _TABLES[name]
    several = field == "pips"
    values: list[object] = value if several and isinstance(value, list) else [value]
    if several and len(values) != HIGHEST + 1:
        raise BadTheme(f"{where}, pips in [{name}]: it must be a list of {HIGHEST + 1} numbers.")
    numbers = []
    for entry in values:
        if not isinstance(entry, int) or isinstance(entry, bool) or not low <= entry <= high:
            raise BadTheme(f"{where}, {field} in [{name}]: {_quoted(entry)} is not a number from {low} to {high}.")
        numbers.append(entry)
    return tuple(numbers) if several else numbers[0]


def _quoted(value: object) -> str:
    """Return a value as in TOML, cut to 40 characters."""
    text = f'"{value}"' if isinstance(value, str) else str(value)
    return text if len(text) <= 40 else f"{text[:39]}…"


READABLE = 4.5
"""Minimum contrast of words."""
SEEN = 3.0
"""Minimum contrast of pips on a tile."""
_MIDDLE = 0.18
"""Luminance from which black is more readable on a background than white."""
_TILES = ("ivory", "ivory_shade", "glow", "greyed")
_ALL = {number: colour_of_256(number) for number in range(FIRST, 256)}

# In the order of GROUNDS, then WORDS.
_DARK_16 = (0, 0, 0, 4, 15, 15, 15, 8, 7, 11, 9, 15, 7, 7)
_LIGHT_16 = (2, 2, 7, 4, 15, 15, 15, 8, 7, 0, 0, 0, 0, 0)


def automatic_256(theme: Theme, chosen: Numbers) -> Numbers:
    """Return the numbers among 256 that are most similar to a theme's colours, yet readable; `chosen` ones stay.

    Surfaces that differ in the theme get different numbers.
    """
    numbers = dict(chosen)
    for field in GROUNDS:
        twins = [
            ground for ground in GROUNDS if ground in numbers and getattr(theme, ground) == getattr(theme, field)
        ]
        taken = {numbers.get(ground) for ground in GROUNDS}
        free = {number: colour for number, colour in _ALL.items() if number not in taken}
        numbers.setdefault(field, numbers[twins[0]] if twins else nearest(getattr(theme, field), free))
    seen = {field: _ALL[number] for field, number in numbers.items() if isinstance(number, int)}
    for word in WORDS:
        grounds = [seen[field] for field in ("felt", "band", "bar")]
        numbers.setdefault(word, _readable(getattr(theme, word), grounds, READABLE, _ALL))
    tiles = [seen[field] for field in _TILES]
    tiles += [_ALL[number_of_256(darker(tile))] for tile in tiles]
    pips: dict[str, int] = {}
    for colour in theme.pips:
        if colour not in pips:
            pips[colour] = _readable(colour, tiles, SEEN, {n: c for n, c in _ALL.items() if n not in pips.values()})
    numbers.setdefault("pips", tuple(pips[colour] for colour in theme.pips))
    return numbers


def _readable(colour: str, grounds: list[str], least: float, choices: dict[int, str]) -> int:
    """Return the most similar colour that is readable on all `grounds`; if there is none, the most readable one."""

    def worst(number: int) -> float:
        return min(contrast(choices[number], ground) for ground in grounds)

    fit = {number: choices[number] for number in choices if worst(number) >= least}
    return nearest(colour, fit) if fit else max(choices, key=worst)


def automatic_16(theme: Theme, chosen: Numbers) -> Numbers:
    """Return numbers among 16, one set for dark and one for light felt; `chosen` ones stay."""
    light = luminance(theme.felt) > _MIDDLE
    numbers: Numbers = dict(zip((*GROUNDS, *WORDS), _LIGHT_16 if light else _DARK_16, strict=True))
    dark = {n: XTERM[n] for n in (0, 1, 4, 8) if contrast(VGA[n], VGA[7]) >= SEEN}
    numbers["pips"] = tuple(nearest(colour, dark) for colour in theme.pips)
    return {**numbers, **chosen}
