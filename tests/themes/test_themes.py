"""Themes: every colour is there, words can be read, and a bad name is answered in one sentence."""

from itertools import product

import pytest

from themes import HIGHEST, BadTheme, load_theme, parse_theme, theme_names

THEMES = [load_theme(name) for name in theme_names()]


def luminance(colour):
    channels = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    red, green, blue = (c / 12.92 if c <= 0.03928 else ((c + 0.055) / 1.055) ** 2.4 for c in channels)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one, other):
    """WCAG 2.1, contrast ratio."""
    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


def test_there_is_a_dark_and_a_light_theme():
    assert theme_names() == ("dark", "light")


@pytest.mark.parametrize("theme", THEMES, ids=theme_names())
def test_all_words_can_be_read_on_felt_and_band(theme):
    for word, ground in product(("text", "quiet", "accent", "warning", "dim"), ("felt", "band")):
        assert contrast(getattr(theme, word), getattr(theme, ground)) >= 4.5, (word, ground)
    for word in ("text", "quiet", "accent", "warning"):
        assert contrast(getattr(theme, word), theme.bar) >= 4.5, word


@pytest.mark.parametrize("theme", THEMES, ids=theme_names())
def test_the_words_on_a_chosen_end_can_be_read(theme):
    assert contrast(theme.felt, theme.accent) >= 4.5


@pytest.mark.parametrize("theme", THEMES, ids=theme_names())
def test_every_number_has_a_hue_that_shows_on_every_tile(theme):
    for colour, ground in product(theme.pips, ("ivory", "ivory_shade", "glow")):
        assert contrast(colour, getattr(theme, ground)) >= 3, (colour, ground)
    assert len(set(theme.pips)) == HIGHEST + 1


def test_an_unknown_theme_is_refused_with_the_choices():
    with pytest.raises(BadTheme, match=r"^“neon” is not a theme; choose dark or light\.$"):
        load_theme("neon")


@pytest.mark.parametrize("text", ["felt = ", 'felt = "green"', 'felt = "#14532d"\nwood = "#000000"'])
def test_a_broken_theme_is_refused_with_the_choices(text):
    with pytest.raises(BadTheme, match=r"“mine” cannot be read \(.*\); choose dark or light\.$"):
        parse_theme(text, "mine")
