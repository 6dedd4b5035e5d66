"""Themes: in every palette, words and pips are readable, and different things are distinguishable."""

from itertools import combinations, product
from operator import mul

import pytest

from themes import HIGHEST, BadTheme, Depth, current_name, load_theme, theme_names
from themes.numbers import colour_of_256, contrast, darker, distance, linear, number_of_256
from themes.theme import SURFACE_COLOURS, WORD_COLOURS

MONOCHROME = {"high-contrast", "amber", "mono"}
"""Themes in which all numbers have one colour: their dots tell them apart."""
SOFT = {("felt", Depth.ALL): 2.2}
"""Palettes that were approved although pips on greyed tiles, which cannot be played, are softer than the others'."""
TILES = ("ivory", "ivory_shade", "glow", "greyed")

palettes = pytest.mark.parametrize(
    ("name", "depth"),
    list(product(theme_names(), (Depth.ALL, Depth.MANY))),
    ids=[f"{name}-{depth.value}" for name, depth in product(theme_names(), (Depth.ALL, Depth.MANY))],
)
"""Colour depths with known colours; 16 colours look different on each terminal (`tests/tui/test_palettes.py`)."""


BLIND = {
    "protanopia": ((0.152, 1.053, -0.205), (0.115, 0.786, 0.099), (-0.004, -0.048, 1.052)),
    "deuteranopia": ((0.367, 0.861, -0.228), (0.280, 0.673, 0.047), (-0.012, 0.043, 0.969)),
    "tritanopia": ((1.256, -0.077, -0.179), (-0.078, 0.931, 0.148), (0.005, 0.691, 0.304)),
}
"""The parts of red, green and blue light that remain (Machado, Oliveira and Fernandes 2009)."""


def as_the_colour_blind_see(matrix, colour):
    """Return a colour as a colour-blind person sees it; `matrix` is that of the deficiency."""
    light = linear(colour)
    seen = [min(1.0, max(0.0, sum(map(mul, row, light)))) for row in matrix]
    return "#" + "".join(
        f"{round(255 * (12.92 * c if c <= 0.0031308 else 1.055 * c ** (1 / 2.4) - 0.055)):02x}" for c in seen
    )


def lower_half(colour, depth):
    """Return the lower half of a tile without a groove, as the terminal shows it."""
    return darker(colour) if depth is Depth.ALL else colour_of_256(number_of_256(darker(colour)))


def test_there_are_eight_themes_and_the_first_is_felt():
    assert theme_names() == ("felt", "light", "wood", "night", "high-contrast", "okabe-ito", "amber", "mono")


def test_felt_may_still_be_called_dark():
    assert load_theme("dark") == load_theme("felt")
    assert current_name("dark") == "felt"


@palettes
def test_all_words_can_be_read_on_felt_band_and_bar(name, depth):
    theme = load_theme(name, depth)

    for word, background in product(WORD_COLOURS, ("felt", "band", "bar")):
        if (word, background) != ("dim", "bar"):  # no bar has a closed end
            assert contrast(getattr(theme, word), getattr(theme, background)) >= 4.5, (word, background)


@palettes
def test_tiles_or_their_rims_stand_out_from_the_felt_and_from_the_band_of_the_hand(name, depth):
    theme = load_theme(name, depth)

    for tile, background in product(TILES, ("felt", "band")):
        edge = theme.rim or getattr(theme, tile)
        assert contrast(edge, getattr(theme, background)) >= 3, (tile, background)


def test_only_a_theme_whose_ivory_does_not_stand_out_has_rims():
    rims = {name: load_theme(name).rim for name in theme_names()}

    assert rims == {name: load_theme("light").dim if name == "light" else "" for name in theme_names()}


@palettes
def test_the_words_on_a_chosen_end_can_be_read(name, depth):
    theme = load_theme(name, depth)

    assert contrast(theme.felt, theme.accent) >= 4.5


@palettes
def test_pips_of_every_number_contrast_with_every_tile(name, depth):
    theme = load_theme(name, depth)

    for (number, colour), tile in product(enumerate(theme.pips), TILES):
        least = SOFT.get((name, depth), 3) if tile == "greyed" else 3
        assert contrast(colour, getattr(theme, tile)) >= least, (number, tile)
        if tile != "greyed" or (name, depth) not in SOFT:
            assert contrast(colour, lower_half(getattr(theme, tile), depth)) >= least, (number, f"lower {tile}")


@palettes
def test_every_number_has_its_own_colour(name, depth):
    assert len(set(load_theme(name, depth).pips)) == (1 if name in MONOCHROME else HIGHEST + 1)


@palettes
def test_playable_tiles_greyed_ones_and_the_band_are_distinguishable(name, depth):
    theme = load_theme(name, depth)

    assert contrast(theme.ivory, theme.greyed) >= 1.4
    assert contrast(theme.greyed, theme.band) >= 1.2, "and it is still a tile"


@palettes
def test_surfaces_are_distinguishable(name, depth):
    theme = load_theme(name, depth)

    assert (
        len({getattr(theme, field) for field in ("felt", "band", "bar", "ivory", "ivory_shade", "greyed", "edge")})
        == 7
    )
    assert contrast(theme.ivory, theme.felt) >= 1.5
    assert theme.back != theme.felt
    if name != "mono":
        assert theme.accent != theme.warning


@pytest.mark.parametrize("depth", [Depth.ALL, Depth.MANY, Depth.FEW])
@pytest.mark.parametrize("name", ["amber", "mono"])
def test_a_theme_of_one_hue_has_no_other(name, depth):
    theme = load_theme(name, depth)

    for field in (*SURFACE_COLOURS, *(word for word in WORD_COLOURS if word != "warning")):
        red, green, blue = (int(getattr(theme, field)[i : i + 2], 16) for i in (1, 3, 5))
        if name == "mono":
            assert max(red, green, blue) - min(red, green, blue) <= 1, field
        else:
            assert red >= green >= blue - 1, field


@pytest.mark.parametrize(("depth", "apart"), [(Depth.ALL, 0.06), (Depth.MANY, 0.02)])
@pytest.mark.parametrize("matrix", BLIND.values(), ids=BLIND)
def test_the_first_numbers_of_okabe_ito_differ_for_the_colour_blind(matrix, depth, apart):
    seen = [as_the_colour_blind_see(matrix, colour) for colour in load_theme("okabe-ito", depth).pips[:9]]

    for first, other in combinations(range(9), 2):
        assert distance(seen[first], seen[other]) >= apart, (first, other)


@pytest.mark.parametrize("name", theme_names())
def test_with_256_colours_the_felt_keeps_its_hue(name):
    """The felt may also become a grey, but never a teal, which is the nearest number to many a dark green."""
    seen, meant = load_theme(name, Depth.MANY).felt, load_theme(name).felt
    order = [
        max("rgb", key=lambda part: int(colour[1 + 2 * "rgb".index(part) :][:2], 16)) for colour in (seen, meant)
    ]

    assert seen[1:3] == seen[3:5] == seen[5:7] or order[0] == order[1]
    if name == "felt":
        assert seen == "#005f00"


def test_a_terminal_without_colours_gets_the_same_palette_in_every_theme():
    assert len({load_theme(name, Depth.NONE) for name in theme_names()}) == 1


def test_an_unknown_theme_is_refused_with_the_choices():
    with pytest.raises(BadTheme) as refused:
        load_theme("neon")

    assert str(refused.value) == (
        "“neon” is not a theme; choose felt, light, wood, night, high-contrast, okabe-ito, amber or mono."
    )
