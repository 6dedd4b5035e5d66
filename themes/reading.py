"""Reads the TOML of a theme; an error is one sentence that names the key."""

import re
import tomllib
from collections.abc import Callable
from difflib import get_close_matches

from msgspec import Struct

from themes.numbers import (
    FIRST_FIXED,
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
from themes.theme import HIGHEST, MONO, SURFACE_COLOURS, WORD_COLOURS, BadTheme, Numbers, Theme

_FIELDS = (*SURFACE_COLOURS, *WORD_COLOURS, "pips")
_TABLES = {"256": (FIRST_FIXED, 255), "16": (0, 15)}
"""The tables of numbered colours, with their lowest and highest numbers."""
_KEYS = (*_FIELDS, *_TABLES, "base")
_COLOUR = re.compile(r"#[0-9a-f]{6}", re.IGNORECASE)


class Palettes(Struct, frozen=True):
    """A theme, with its variants for every colour depth."""

    colours: Theme
    of_256: Numbers
    """Numbers chosen by hand; missing ones are computed."""
    of_16: Numbers

    def at_depth(self, depth: Depth) -> Theme:
        """Return the theme for a colour depth; its numbered colours are replaced as in `themes.numbers`."""
        if depth is Depth.NONE:
            return MONO
        if depth is Depth.MANY:
            return _theme_of_numbers(self.of_256, _TABLES["256"], lambda: automatic_256(self.colours, self.of_256))
        if depth is Depth.FEW:
            return _theme_of_numbers(self.of_16, _TABLES["16"], lambda: automatic_16(self.colours, self.of_16))
        return self.colours


def _theme_of_numbers(chosen: Numbers, number_range: tuple[int, int], compute: Callable[[], Numbers]) -> Theme:
    """Return a theme of stand-ins for the `chosen` numbers, or for those of `compute` if any number is not chosen."""
    numbers = chosen if len(chosen) == len(_FIELDS) else compute()

    def colour(field: str, number: int) -> str:
        return (
            colour_of_256(number)
            if number_range[0] == FIRST_FIXED
            else colour_of_16(number, is_word=field in WORD_COLOURS)
        )

    colours = {
        field: tuple(colour(field, entry) for entry in number) if isinstance(number, tuple) else colour(field, number)
        for field, number in numbers.items()
    }
    return Theme(**colours)  # type: ignore[arg-type]


def read_theme(text: str, source: str, base: Callable[[str], Palettes]) -> Palettes:
    """Read a theme; `source` names its file in error messages, `base` returns the theme on which it builds.

    Raises BadTheme.
    """
    try:
        table = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise BadTheme(f"{source} is not TOML: {error}.") from error
    _check_keys(table, _KEYS, source, "")
    base_theme = _read_base(table, source, base)
    base_colours = {field: getattr(base_theme.colours, field) for field in _FIELDS} if base_theme else {}
    colours = {field: _read_colours(table[field], field, source) for field in _FIELDS if field in table}
    if missing := [field for field in _FIELDS if field not in colours and field not in base_colours]:
        raise BadTheme(f'{source} has no “{missing[0]}”; add it, or begin with another theme, like base = "felt".')
    tables = {name: _read_numbers(table.get(name, {}), name, source) for name in _TABLES}
    if base_theme:  # a colour of its own must not have the other theme's number
        tables["256"] = {f: n for f, n in base_theme.of_256.items() if f not in colours} | tables["256"]
        tables["16"] = {f: n for f, n in base_theme.of_16.items() if f not in colours} | tables["16"]
    return Palettes(Theme(**{**base_colours, **colours}), tables["256"], tables["16"])


def _check_keys(table: dict[str, object], keys: tuple[str, ...], source: str, table_note: str) -> None:
    """Raise BadTheme for an unknown key."""
    for key in table:
        if key not in keys:
            similar_keys = get_close_matches(key, keys, 1)
            hint = (
                f"did you mean “{similar_keys[0]}”?"
                if similar_keys
                else "see docs/playing.md for the keys of a theme."
            )
            raise BadTheme(f"{source} has an unknown key “{key}”{table_note}; {hint}")


def _read_base(table: dict[str, object], source: str, base: Callable[[str], Palettes]) -> Palettes | None:
    """Return the theme named by `base`; None if the table names none. Raises BadTheme."""
    name = table.get("base")
    if name is None:
        return None
    try:
        return base(str(name))
    except BadTheme as error:
        raise BadTheme(f"{source}, base: {error}") from error


def _read_colours(value: object, field: str, source: str) -> str | tuple[str, ...]:
    if field != "pips":
        return _read_colour(value, field, source)
    if not isinstance(value, list) or len(value) != HIGHEST + 1:
        raise BadTheme(f"{source}, pips: it must be a list of {HIGHEST + 1} colours, for the numbers 0 to {HIGHEST}.")
    return tuple(_read_colour(colour, f"pips, number {number}", source) for number, colour in enumerate(value))


def _read_colour(value: object, field: str, source: str) -> str:
    if not isinstance(value, str) or not _COLOUR.fullmatch(value):
        raise BadTheme(f'{source}, {field}: {_quote(value)} is not a colour like "#14532d".')
    return value.lower()


def _read_numbers(table: object, name: str, source: str) -> Numbers:
    """Read the numbered colours of one table."""
    if not isinstance(table, dict):
        raise BadTheme(f"{source}, {name}: it must be a table, [{name}], of colour numbers.")
    _check_keys(table, _FIELDS, source, f" in [{name}]")
    return {field: _read_number(value, field, name, source) for field, value in table.items()}


def _read_number(value: object, field: str, name: str, source: str) -> int | tuple[int, ...]:
    low, high = _TABLES[name]
    is_list = field == "pips"
    values: list[object] = value if is_list and isinstance(value, list) else [value]
    if is_list and len(values) != HIGHEST + 1:
        raise BadTheme(f"{source}, pips in [{name}]: it must be a list of {HIGHEST + 1} numbers.")
    numbers = []
    for entry in values:
        if not isinstance(entry, int) or isinstance(entry, bool) or not low <= entry <= high:
            raise BadTheme(f"{source}, {field} in [{name}]: {_quote(entry)} is not a number from {low} to {high}.")
        numbers.append(entry)
    return tuple(numbers) if is_list else numbers[0]


def _quote(value: object) -> str:
    """Return a value as in TOML, cut to 40 characters."""
    text = f'"{value}"' if isinstance(value, str) else str(value)
    return text if len(text) <= 40 else f"{text[:39]}…"


WORD_CONTRAST = 4.5
"""Minimum contrast of words."""
PIP_CONTRAST = 3.0
"""Minimum contrast of pips on a tile."""
_MIN_LIGHT_FELT = 0.18
"""Luminance from which black is more readable on a background than white."""
_TILE_COLOURS = ("ivory", "ivory_shade", "glow", "greyed")
_COLOURS_OF_256 = {number: colour_of_256(number) for number in range(FIRST_FIXED, 256)}

# In the order of SURFACE_COLOURS, then WORD_COLOURS.
_DARK_16 = (0, 0, 0, 4, 15, 15, 15, 8, 7, 11, 9, 15, 7, 7)
_LIGHT_16 = (2, 2, 7, 4, 15, 15, 15, 8, 7, 0, 0, 0, 0, 0)


def automatic_256(theme: Theme, chosen: Numbers) -> Numbers:
    """Return the numbers among 256 that are most similar to a theme's colours, yet readable; `chosen` ones stay.

    Surfaces that differ in the theme get different numbers.
    """
    numbers = dict(chosen)
    for field in SURFACE_COLOURS:
        same_coloured = [
            background
            for background in SURFACE_COLOURS
            if background in numbers and getattr(theme, background) == getattr(theme, field)
        ]
        used_numbers = {numbers.get(background) for background in SURFACE_COLOURS}
        free_colours = {number: colour for number, colour in _COLOURS_OF_256.items() if number not in used_numbers}
        numbers.setdefault(
            field, numbers[same_coloured[0]] if same_coloured else nearest(getattr(theme, field), free_colours)
        )
    colours_used = {field: _COLOURS_OF_256[number] for field, number in numbers.items() if isinstance(number, int)}
    for word in WORD_COLOURS:
        backgrounds = [colours_used[field] for field in ("felt", "band", "bar")]
        numbers.setdefault(
            word, _most_similar_readable(getattr(theme, word), backgrounds, WORD_CONTRAST, _COLOURS_OF_256)
        )
    tiles = [colours_used[field] for field in _TILE_COLOURS]
    tiles += [_COLOURS_OF_256[number_of_256(darker(tile))] for tile in tiles]
    pips: dict[str, int] = {}
    for colour in theme.pips:
        if colour not in pips:
            pips[colour] = _most_similar_readable(
                colour, tiles, PIP_CONTRAST, {n: c for n, c in _COLOURS_OF_256.items() if n not in pips.values()}
            )
    numbers.setdefault("pips", tuple(pips[colour] for colour in theme.pips))
    return numbers


def _most_similar_readable(colour: str, backgrounds: list[str], min_contrast: float, choices: dict[int, str]) -> int:
    """Return the most similar colour that is readable on all `backgrounds`; if none is, the most readable one."""

    def worst_contrast(number: int) -> float:
        return min(contrast(choices[number], background) for background in backgrounds)

    readable = {number: choices[number] for number in choices if worst_contrast(number) >= min_contrast}
    return nearest(colour, readable) if readable else max(choices, key=worst_contrast)


def automatic_16(theme: Theme, chosen: Numbers) -> Numbers:
    """Return numbers among 16: fixed ones for dark or light felt, the nearest for pips; `chosen` ones stay."""
    is_light = luminance(theme.felt) > _MIN_LIGHT_FELT
    numbers: Numbers = dict(zip((*SURFACE_COLOURS, *WORD_COLOURS), _LIGHT_16 if is_light else _DARK_16, strict=True))
    dark_colours = {n: XTERM[n] for n in (0, 1, 4, 8) if contrast(VGA[n], VGA[7]) >= PIP_CONTRAST}
    numbers["pips"] = tuple(nearest(colour, dark_colours) for colour in theme.pips)
    return {**numbers, **chosen}
