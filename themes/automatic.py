"""Finds numbered colours for a theme in which nobody has chosen them."""

from themes.numbers import FIRST, VGA, XTERM, colour_of_256, contrast, darker, luminance, nearest, number_of_256
from themes.theme import GROUNDS, WORDS, Numbers, Theme

READABLE = 4.5
"""The least contrast of words."""
SEEN = 3.0
"""The least contrast of pips on a tile."""
_MIDDLE = 0.18
"""Above this luminance a ground is light: black is read better on it than white."""
_TILES = ("ivory", "ivory_shade", "glow", "greyed")
_ALL = {number: colour_of_256(number) for number in range(FIRST, 256)}

# In the order of GROUNDS, then of WORDS.
_DARK_16 = (0, 0, 0, 4, 15, 15, 15, 8, 7, 11, 9, 15, 7, 7)
_LIGHT_16 = (2, 2, 7, 4, 15, 15, 15, 8, 7, 0, 0, 0, 0, 0)


def automatic_256(theme: Theme, chosen: Numbers) -> Numbers:
    """Return the numbers among 256 that look most like a theme's colours, and can be read; `chosen` ones stay.

    No two surfaces become one, where the theme has two.
    """
    found = dict(chosen)
    for field in GROUNDS:
        twins = [each for each in GROUNDS if each in found and getattr(theme, each) == getattr(theme, field)]
        taken = {found.get(each) for each in GROUNDS}
        free = {number: colour for number, colour in _ALL.items() if number not in taken}
        found.setdefault(field, found[twins[0]] if twins else nearest(getattr(theme, field), free))
    seen = {field: _ALL[number] for field, number in found.items() if isinstance(number, int)}
    for word in WORDS:
        grounds = [seen[field] for field in ("felt", "band", "bar")]
        found.setdefault(word, _readable(getattr(theme, word), grounds, READABLE, _ALL))
    tiles = [seen[field] for field in _TILES]
    tiles += [_ALL[number_of_256(darker(tile))] for tile in tiles]
    pips: dict[str, int] = {}
    for colour in theme.pips:
        if colour not in pips:
            pips[colour] = _readable(colour, tiles, SEEN, {n: c for n, c in _ALL.items() if n not in pips.values()})
    found.setdefault("pips", tuple(pips[colour] for colour in theme.pips))
    return found


def _readable(colour: str, grounds: list[str], least: float, choices: dict[int, str]) -> int:
    """Return the number of the colour most like another that can be read on all grounds, as far as any can."""

    def worst(number: int) -> float:
        return min(contrast(choices[number], ground) for ground in grounds)

    fit = {number: choices[number] for number in choices if worst(number) >= least}
    return nearest(colour, fit) if fit else max(choices, key=worst)


def automatic_16(theme: Theme, chosen: Numbers) -> Numbers:
    """Return numbers among 16, of which `chosen` ones stay; one choice is good for dark felt, and one for light."""
    light = luminance(theme.felt) > _MIDDLE
    found: Numbers = dict(zip((*GROUNDS, *WORDS), _LIGHT_16 if light else _DARK_16, strict=True))
    dark = {n: XTERM[n] for n in (0, 1, 4, 8) if contrast(VGA[n], VGA[7]) >= SEEN}
    found["pips"] = tuple(nearest(colour, dark) for colour in theme.pips)
    return {**found, **chosen}
