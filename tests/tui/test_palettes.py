"""Themes on terminals with 256 and with 16 colours: the felt is green, bars are seen, and everything can be read."""

from itertools import pairwise, product

import pytest
from rich.color import ColorSystem
from rich.style import Style
from textual.color import Color

from tests.themes.test_themes import contrast
from themes import load_theme, theme_names
from tui.serve.colours import Colours, fit
from tui.serve.palettes import GROUNDS, PIPS_16, WORDS

EIGHT_BIT, STANDARD = Colours(ColorSystem.EIGHT_BIT), Colours(ColorSystem.STANDARD)
XTERM = [
    "#000000",
    "#cd0000",
    "#00cd00",
    "#cdcd00",
    "#0000ee",
    "#cd00cd",
    "#00cdcd",
    "#e5e5e5",
    "#7f7f7f",
    "#ff0000",
    "#00ff00",
    "#ffff00",
    "#5c5cff",
    "#ff00ff",
    "#00ffff",
    "#ffffff",
]
VGA = [
    "#000000",
    "#aa0000",
    "#00aa00",
    "#aa5500",
    "#0000aa",
    "#aa00aa",
    "#00aaaa",
    "#aaaaaa",
    "#555555",
    "#ff5555",
    "#55ff55",
    "#ffff55",
    "#5555ff",
    "#ff55ff",
    "#55ffff",
    "#ffffff",
]
THEMES = [load_theme(name) for name in theme_names()]
themes = pytest.mark.parametrize("theme", THEMES, ids=theme_names())


def shown(theme, ink, paper, colours):
    """The numbers of what a terminal shows for two colours of a theme."""
    style = fit(Style(color=getattr(theme, ink, ink), bgcolor=getattr(theme, paper)), colours)
    return style.color.number, style.bgcolor.number


def rgb(number):
    """A colour of the 256 from 16 on, which are the same everywhere."""
    if number >= 232:
        return "#" + f"{8 + 10 * (number - 232):02x}" * 3
    assert number >= 16, "below that every terminal has its own"
    parts = divmod(number - 16, 36)[0], (number - 16) // 6 % 6, (number - 16) % 6
    return "#" + "".join(f"{part * 40 + 55 if part else 0:02x}" for part in parts)


def green(colour):
    return int(colour[3:5], 16) > max(int(colour[1:3], 16), int(colour[5:7], 16))


@themes
def test_with_256_colours_the_felt_is_green_and_what_lies_on_it_is_seen(theme):
    number = {field: shown(theme, "text", field, EIGHT_BIT)[1] for field in GROUNDS}

    assert green(rgb(number["felt"]))
    assert len({number[field] for field in ("felt", "band", "bar", "ivory", "ivory_shade", "greyed", "edge")}) == 7


@themes
def test_with_256_colours_words_and_pips_are_as_readable_as_with_all(theme):
    for word, ground in product(WORDS, ("felt", "band", "bar")):
        if (word, ground) != ("dim", "bar"):
            assert contrast(*map(rgb, shown(theme, word, ground, EIGHT_BIT))) >= 4.5, (word, ground)
    for pips, ground in product(theme.pips, ("ivory", "ivory_shade", "glow")):
        assert contrast(*map(rgb, shown(theme, pips, ground, EIGHT_BIT))) >= 3, (theme.pips.index(pips), ground)
    assert len({shown(theme, pips, "ivory", EIGHT_BIT)[0] for pips in theme.pips}) == len(theme.pips)
    assert contrast(*map(rgb, shown(theme, "felt", "accent", EIGHT_BIT))) >= 4.5


@themes
@pytest.mark.parametrize("palette", [XTERM, VGA], ids=["xterm", "vga"])
def test_with_16_colours_words_and_pips_can_be_read_and_parts_are_told_apart(theme, palette):
    def seen(ink, paper):
        return contrast(*(palette[number] for number in shown(theme, ink, paper, STANDARD)))

    for word, ground in product(WORDS, ("felt", "band", "bar")):
        if (word, ground) != ("warning", "bar"):  # no bar warns
            assert seen(word, ground) >= 4, (word, ground)
    for pips, ground in product(theme.pips, ("ivory", "ivory_shade", "glow", "greyed")):
        assert seen(pips, ground) >= (2.5 if ground == "greyed" else 3), (theme.pips.index(pips), ground)
    assert seen("felt", "accent") >= 4.5
    felt, band, bar, ivory = (shown(theme, "text", field, STANDARD)[1] for field in ("felt", "band", "bar", "ivory"))
    assert felt == 2, "green"
    assert len({felt, band, bar, ivory, shown(theme, "edge", "ivory", STANDARD)[0]}) == 5
    assert all(one != other for one, other in pairwise(PIPS_16))


def test_with_16_colours_dark_words_are_not_bold_for_bold_black_is_grey_on_many_terminals():
    theme = load_theme("dark")
    style = Style(color=theme.accent, bgcolor=theme.felt, bold=True)

    assert not fit(style, STANDARD).bold
    assert fit(Style(color=theme.accent, bgcolor=theme.band, bold=True), STANDARD).bold


@pytest.mark.parametrize("colours", [EIGHT_BIT, STANDARD])
def test_a_colour_of_no_theme_becomes_the_nearest(colours):
    style = fit(Style(color="#ff0000", bgcolor="#000001"), colours)

    assert (style.color.number, style.bgcolor.number) == ((196, 16) if colours == EIGHT_BIT else (1, 0))
    assert Color.from_rich_color(fit(Style(color="#123456"), Colours(ColorSystem.TRUECOLOR)).color).hex == "#123456"
