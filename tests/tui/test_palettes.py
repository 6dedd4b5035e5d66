"""Themes on terminals with fewer colours: they use the colours chosen by hand, and are readable."""

from itertools import pairwise, product

import pytest
from rich.color import ColorSystem
from rich.style import Style
from textual.color import Color

from themes import MONO, Depth, load_theme, theme_names
from themes.numbers import VGA, XTERM, colour_of_256, contrast, darker
from themes.theme import SURFACE_COLOURS, WORD_COLOURS
from tui.terminal.colours import Colours, fit

EIGHT_BIT, STANDARD = Colours(ColorSystem.EIGHT_BIT), Colours(ColorSystem.STANDARD)
BARE = Colours(None)
MONOCHROME = {"high-contrast", "amber", "mono"}
TILES = ("ivory", "ivory_shade", "glow", "greyed")
themes = pytest.mark.parametrize("name", theme_names())
palettes = pytest.mark.parametrize("palette", [XTERM, VGA], ids=["xterm", "vga"])


def colours_of(theme, ink, paper, colours):
    """Return the numbers of the colours that a terminal shows for two colours of a theme."""
    style = fit(Style(color=getattr(theme, ink, ink), bgcolor=getattr(theme, paper, paper)), colours)
    return style.color.number, style.bgcolor.number


@themes
def test_with_256_colours_every_colour_is_sent_by_its_number(name):
    theme = load_theme(name, Depth.MANY)

    for ink, paper in product((*WORD_COLOURS, "ivory", *theme.pips), SURFACE_COLOURS):
        sent = colours_of(theme, ink, paper, EIGHT_BIT)
        assert [colour_of_256(number) for number in sent] == [getattr(theme, ink, ink), getattr(theme, paper)]


def shown_contrast(theme, palette, ink, paper):
    """Return the contrast of two colours of a theme on a terminal with the 16 colours of `palette`."""
    return contrast(*(palette[number] for number in colours_of(theme, ink, paper, STANDARD)))


@themes
@palettes
def test_with_16_colours_words_have_a_contrast_of_4_5(name, palette):
    theme = load_theme(name, Depth.FEW)

    for word, background in product(WORD_COLOURS, ("felt", "band", "bar")):
        if background != "bar" or word in ("text", "accent"):  # no bar has warnings or quiet words
            assert shown_contrast(theme, palette, word, background) >= 4.5, (word, background)
    assert shown_contrast(theme, palette, "felt", "accent") >= 4.5


@themes
@palettes
def test_with_16_colours_pips_have_a_contrast_of_3(name, palette):
    theme = load_theme(name, Depth.FEW)

    for pips, background in product(theme.pips, TILES):
        assert shown_contrast(theme, palette, pips, background) >= 3, (theme.pips.index(pips), background)
        lower_half = darker(getattr(theme, background))
        assert shown_contrast(theme, palette, pips, lower_half) >= 3, (theme.pips.index(pips), background)


@themes
@palettes
def test_with_16_colours_tiles_have_a_contrast_of_3_with_the_table(name, palette):
    theme = load_theme(name, Depth.FEW)

    for parts in product(TILES, ("felt", "band")):
        assert contrast(*(palette[colours_of(theme, "text", part, STANDARD)[1]] for part in parts)) >= 3, parts


@themes
def test_with_16_colours_the_parts_of_a_table_have_different_colours(name):
    theme = load_theme(name, Depth.FEW)
    felt, ivory, greyed = (colours_of(theme, "text", field, STANDARD)[1] for field in ("felt", "ivory", "greyed"))

    assert len({felt, ivory, greyed, colours_of(theme, "edge", "ivory", STANDARD)[0]}) == 4


@pytest.mark.parametrize("name", [name for name in theme_names() if name not in MONOCHROME])
def test_with_16_colours_no_number_is_grey(name):
    greys = {colour_of_256(number) for number in (7, 8)}

    assert not greys & set(load_theme(name, Depth.FEW).pips)


@pytest.mark.parametrize("name", [name for name in theme_names() if name not in MONOCHROME])
def test_with_16_colours_numbers_that_follow_one_another_have_different_colours(name):
    assert all(first != other for first, other in pairwise(load_theme(name, Depth.FEW).pips))


def test_with_16_colours_felt_is_dark_and_its_accents_are_green():
    assert colours_of(load_theme("felt", Depth.FEW), "accent", "felt", STANDARD) == (10, 0), "2 is a glaring green"


def test_without_colours_all_tiles_except_unplayable_ones_are_reversed():
    def bare(ink, paper, **more):
        style = fit(Style(color=getattr(MONO, ink, ink), bgcolor=getattr(MONO, paper), **more), BARE)
        assert style.color is None
        assert style.bgcolor is None
        return {name for name in ("reverse", "bold", "underline") if getattr(style, name)}

    assert bare(MONO.pips[6], "ivory") == {"reverse"}
    assert bare(MONO.pips[6], "ivory_shade") == {"reverse", "underline"}
    assert bare(MONO.pips[6], "greyed") == set()
    assert bare("text", "bar") == {"reverse"}
    assert bare("text", "felt") == bare("ivory", "felt") == set()
    assert bare("accent", "felt") == {"bold"}
    assert bare("warning", "felt") == {"bold", "underline"}
    assert bare("felt", "accent") == {"reverse"}, "a chosen end"


@pytest.mark.parametrize("system", [ColorSystem.TRUECOLOR, ColorSystem.EIGHT_BIT, ColorSystem.STANDARD])
def test_a_user_without_colours_gets_the_unchanged_greys_of_mono(system):
    depth = {ColorSystem.TRUECOLOR: Depth.ALL, ColorSystem.EIGHT_BIT: Depth.MANY, ColorSystem.STANDARD: Depth.FEW}
    theme = load_theme("mono", depth[system])

    for word, background in product(WORD_COLOURS, SURFACE_COLOURS):
        style = Style(color=getattr(theme, word), bgcolor=getattr(theme, background))
        assert fit(style, Colours(system, uses_grey=True)) == fit(style, Colours(system))


def test_with_16_colours_dark_words_are_never_bold_because_bold_black_may_be_grey():
    light, dark = load_theme("light", Depth.FEW), load_theme("felt", Depth.FEW)

    assert not fit(Style(color=light.accent, bgcolor=light.felt, bold=True), STANDARD).bold
    assert fit(Style(color=dark.accent, bgcolor=dark.felt, bold=True), STANDARD).bold


@pytest.mark.parametrize("colours", [EIGHT_BIT, STANDARD])
def test_a_colour_of_no_theme_becomes_the_nearest(colours):
    style = fit(Style(color="#f01010", bgcolor="#020004"), colours)

    assert (style.color.number, style.bgcolor.number) == ((196, 16) if colours == EIGHT_BIT else (9, 0))
    assert Color.from_rich_color(fit(Style(color="#123456"), Colours(ColorSystem.TRUECOLOR)).color).hex == "#123456"
