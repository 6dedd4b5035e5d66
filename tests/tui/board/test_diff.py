"""The output that changes a terminal from one picture to another: the changed cells and colours."""

import sys
from functools import cache

import pyte
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.tui.test_incremental_output import seen
from tui.board.canvas import Canvas, Picture, Style, beside, stack
from tui.board.diff import Ink, Inks, changed_spans, diff_pictures, ink_change, ink_of, shortest_ink_change

WHITE, RED, ON_RED = Style("#ffffff", "#000000"), Style("#ff0000", "#000000"), Style("#ffffff", "#ff0000")
BOLD, LINED = Style("#ffffff", "#000000", True), Style("#ffffff", "#000000", False, True)
STYLES = (WHITE, RED, ON_RED, BOLD, LINED)
WIDTH = 24


def ink(style):
    weight = ";1" * style.bold + ";4" * style.underlined
    colours = (";".join(str(int(colour[at : at + 2], 16)) for at in (1, 3, 5)) for colour in (style.fg, style.bg))
    return ink_of("0{};38;2;{};48;2;{}".format(weight, *colours))


INKS = Inks(ink)


def row(*runs):
    return tuple(runs)


@pytest.mark.parametrize(
    ("old", "new", "spans"),
    [
        (row(("abc", WHITE)), row(("abc", WHITE)), []),
        (row(("abc", WHITE)), row(("abd", WHITE)), [(2, (("d", WHITE),))]),
        (row(("abc", WHITE)), row(("a", WHITE), ("b", RED), ("c", WHITE)), [(1, (("b", RED),))]),
        (row(("a c", WHITE)), row(("a", WHITE), (" ", RED), ("c", WHITE)), []),  # a red space is invisible
        (row(("a c", WHITE)), row(("a", WHITE), (" ", LINED), ("c", WHITE)), [(1, ((" ", LINED),))]),
        (row(("四b", WHITE)), row(("四c", WHITE)), [(2, (("c", WHITE),))]),
        (row(("ab四", WHITE)), row(("四ab", WHITE)), [(0, (("四ab", WHITE),))]),
        (
            row(("abcdefghijkl", WHITE)),
            row(("Abcdefghijkl", WHITE)),
            [(0, (("A", WHITE),))],
        ),
        (
            row(("abcdefghijkl", WHITE)),
            row(("AbcdefghijkL", WHITE)),
            [(0, (("A", WHITE),)), (11, (("L", WHITE),))],
        ),
        (row(("abcd", WHITE)), row(("AbcD", WHITE)), [(0, (("AbcD", WHITE),))]),  # skipping two cells costs more
    ],
)
def test_only_visible_differences_are_written(old, new, spans):
    assert changed_spans(old, new, INKS) == spans


def test_the_body_of_a_tile_is_written_reversed_as_that_names_fewer_colours():
    edge, body = Style("#fff8f0", "#145030"), Style("#a01010", "#fff8f0")
    codes, way = shortest_ink_change(ink(edge), ink(body))

    assert codes == "\x1b[7;48;2;160;16;16m"
    assert way == ink(body).reversed
    assert shortest_ink_change(way, ink(edge)) == ("\x1b[27;48;2;20;80;48m", ink(edge))


def test_only_the_colours_that_change_are_named():
    assert ink_change(None, ink(BOLD)) == "\x1b[0;1;38;2;255;255;255;48;2;0;0;0m"
    assert ink_change(ink(WHITE), ink(RED)) == "\x1b[38;2;255;0;0m"
    assert ink_change(ink(WHITE), ink(ON_RED)) == "\x1b[48;2;255;0;0m"
    assert ink_change(ink(WHITE), ink(BOLD)) == "\x1b[1m"
    assert ink_change(ink(BOLD), ink(LINED)) == "\x1b[22;4m"
    assert ink_change(ink(WHITE), ink(WHITE)) == ""


@pytest.mark.parametrize(
    ("codes", "expected"),
    [
        ("", Ink()),
        ("0;1;7", Ink(frozenset("17"))),
        ("38;5;120;48;5;7", Ink(fg="38;5;120", bg="48;5;7")),
        ("1;31;107", Ink(frozenset("1"), "31", "107")),
        ("97;40", Ink(fg="97", bg="40")),
    ],
)
def test_every_way_to_name_a_colour_is_read(codes, expected):
    assert ink_of(codes) == expected


@st.composite
def pictures(draw):
    """Draw three rows with some words in some styles, also wide ones; often made of parts, some of them alike."""
    if draw(st.booleans()):
        return draw(drawn(WIDTH, 3))
    left, height = draw(st.sampled_from([(8, 3), (12, 2)]))
    above = beside(draw(drawn(left, height)), draw(drawn(WIDTH - left, height)))
    return stack(above, draw(drawn(WIDTH, 3 - height)))


@cache
def drawn(width, height):
    """Draw pictures of this size; the same words are the same picture."""
    words = st.tuples(
        st.integers(0, width - 1),
        st.integers(0, max(0, height - 1)),
        st.sampled_from(["a", "b c", "     ", "四", "▐●▌", "é", "abcdefghijk"]),
        st.sampled_from(STYLES),
    )
    return st.lists(words, max_size=5).map(lambda words: _drawn(width, height, tuple(words)))


@cache
def _drawn(width, height, words):
    canvas = Canvas(width, height, WHITE)
    for x, y, text, style in words:
        canvas.put(x, y, text, style)
    return Picture(canvas.rows())


def appearance(screen):
    """Return every cell as it appears."""
    return [seen(screen.buffer[y][x]) for y in range(3) for x in range(WIDTH)]


@given(pictures(), pictures())
def test_a_terminal_that_is_sent_the_changes_shows_the_new_picture(old, new):
    screen = pyte.Screen(WIDTH, 3)
    stream = pyte.Stream(screen)
    stream.feed(diff_pictures(None, old, INKS))
    fresh = pyte.Screen(WIDTH, 3)
    pyte.Stream(fresh).feed(diff_pictures(None, new, INKS))

    stream.feed(diff_pictures(old, new, INKS))

    assert appearance(screen) == appearance(fresh)


def test_old_images_are_evicted():
    def show(first):
        for number in range(first, first + 1100):
            changed_spans(row((f"before {number}", WHITE)), row((f"after {number}", RED)), INKS)

    for first in (10_000, 20_000, 30_000):
        show(first)
    before = sys.getallocatedblocks()
    show(40_000)
    assert sys.getallocatedblocks() < before + 500


def test_unused_styles_of_themes_are_evicted():
    inks = Inks(lambda _style: Ink())
    for number in range(10_000):
        assert inks[Style(f"#{number:06x}", "#000000")] == Ink()
    assert len(inks) <= 1024
