"""Faces: how tiles of each size look, as text."""

from textwrap import dedent

import pytest

from themes import load_theme
from tui.board.canvas import Box, Canvas, Direction, Style
from tui.board.faces import draw_tile, faces, faces_up_to

THEME = load_theme("dark")


def drawn(name, first, second, *, standing=False, highest=9, ascii=False, theme=THEME):
    face = next(face for face in faces_up_to(None, highest, ascii=ascii) if face.name == name)
    size = face.standing if standing else face.lying
    canvas = Canvas(*size, Style(THEME.text, THEME.felt))
    draw_tile(canvas, Box(0, 0, *size), face, (first, second), theme=theme)
    return "\n".join("".join(text for text, _ in row) for row in canvas.rows())


def test_a_small_tile_shows_its_numbers():
    assert drawn("small", 6, 4) == drawn("line", 6, 4) == "▐6│4▌"
    assert drawn("small", 6, 4, standing=True).split() == ["▐6▌", "▐─▌", "▐4▌"]


def test_a_small_tile_is_wider_where_numbers_have_two_digits():
    assert drawn("small", 12, 4, highest=12) == "▐12│4 ▌"
    assert drawn("small", 4, 12, highest=12) == "▐ 4│12▌"
    assert drawn("small", 12, 4, standing=True, highest=12).splitlines() == ["▐12▌", "▐──▌", "▐ 4▌"]


def test_a_medium_tile_has_pips_of_four_small_dots():
    assert drawn("medium", 5, 1).splitlines() == ["▐⠛⣀⠛│ ⣀ ▌", "▐⣤⠉⣤│ ⠉ ▌"]
    assert drawn("medium", 6, 0, standing=True).splitlines() == ["▐⣛ ⣛▌", "▐⣭ ⣭▌", "▐   ▌", "▐   ▌"]


def test_a_large_tile_has_its_pips_on_a_grid_of_three_by_three():
    expected = dedent("""\
        ▐●    │● ● ●▌
        ▐  ●  │●   ●▌
        ▐    ●│● ● ●▌""")

    assert drawn("large", 3, 8) == expected


def test_a_large_tile_stands_with_a_groove_between_its_halves():
    expected = dedent("""\
        ▐●   ●▌
        ▐● ● ●▌
        ▐●   ●▌
        ▐─────▌
        ▐█ ▀▀█▌
        ▐█ █▀▀▌
        ▐▀ ▀▀▀▌""")

    assert drawn("large", 7, 12, standing=True, highest=12) == expected


@pytest.mark.parametrize("name", ["line", "small", "medium"])
@pytest.mark.parametrize("standing", [False, True])
def test_a_terminal_without_utf8_gets_digits_and_brackets(name, standing):
    text = drawn(name, 18, 4, standing=standing, highest=18, ascii=True)

    assert text.isascii()
    assert {"18", "4"} <= set(text.replace("[", " ").replace("]", " ").replace("|", " ").split())


def test_a_large_tile_without_utf8_has_letters_for_pips():
    assert drawn("large", 2, 1, ascii=True).splitlines() == ["[o    |     ]", "[     |  o  ]", "[    o|     ]"]


def test_an_ascii_tile_reads_like_its_text():
    assert drawn("small", 6, 4, ascii=True) == "[6|4]"


@pytest.mark.parametrize("ascii", [False, True])
@pytest.mark.parametrize("highest", [6, 9, 12, 18])
def test_every_number_fits_every_face(highest, ascii):
    for face in faces(highest, ascii=ascii):
        for number in range(highest + 1):
            for groove in Direction:
                rows = face.halves(number, face.half, groove)
                assert len(rows) == face.half.h
                assert {len(row) for row in rows} == {face.half.w}


def test_every_number_up_to_nine_shows_as_many_pips():
    *_, medium, tall, large = faces(9)
    for number in range(10):
        dots = "".join(medium.halves(number, medium.half, Direction.RIGHT)).replace(" ", "\u2800")
        assert sum((ord(cell) - 0x2800).bit_count() for cell in dots) == number * (4 if number < 7 else 2)
        for face in (tall, large):
            assert "".join(face.halves(number, face.half, Direction.RIGHT)).count("●") == number


def narrow_face():
    return next(face for face in faces(6) if face.name == "narrow")


def test_a_narrow_tile_has_pips_for_the_numbers_up_to_six():
    narrow = narrow_face()
    for number in range(7):
        dots = "".join(narrow.halves(number, narrow.half, Direction.RIGHT)).replace(" ", "\u2800")
        middle = 2 * (number % 2)
        assert sum((ord(cell) - 0x2800).bit_count() for cell in dots) == 2 * number + middle


def test_a_narrow_tile_has_digits_for_the_numbers_above_six():
    narrow = narrow_face()
    assert narrow.halves(7, narrow.half, Direction.RIGHT) == (" 7", "  ")


def test_the_double_twelve_set_has_no_narrow_tiles():
    assert "narrow" not in [face.name for face in faces(12)]


def test_a_wild_half_is_a_star():
    assert drawn("small", -1, 6) == "▐★│6▌"


def test_a_huge_tile_has_pips_a_row_apart_and_figures_in_the_middle():
    assert drawn("huge", 3, 12, highest=12).splitlines() == [
        "▐ ●     │       ▌",
        "▐       │ █ ▀▀█ ▌",
        "▐   ●   │ █ █▀▀ ▌",
        "▐       │ ▀ ▀▀▀ ▌",
        "▐     ● │       ▌",
    ]


def test_a_medium_tile_has_digits_for_the_numbers_above_nine():
    assert drawn("medium", 10, 12, highest=12).splitlines() == ["▐ 10│   ▌", "▐   │12 ▌"]


def test_digits_without_utf8_stand_in_opposite_corners():
    assert drawn("large", 10, 12, highest=12, ascii=True).splitlines() == [
        "[     |     ]",
        "[  10 | 12  ]",
        "[     |     ]",
    ]


@pytest.mark.parametrize("name", ["line", "small", "medium", "large"])
@pytest.mark.parametrize("ascii", [False, True])
@pytest.mark.parametrize("standing", [False, True])
def test_the_halves_of_a_chinese_tile_have_no_bar(name, ascii, standing):
    usual = drawn(name, 6, 4, ascii=ascii, standing=standing)
    chinese = drawn(name, 6, 4, ascii=ascii, standing=standing, theme=THEME.of_chinese_tiles)

    assert chinese == usual.translate(dict.fromkeys(map(ord, "│|─-"), " "))


def test_ones_and_fours_are_red_on_chinese_tiles_and_all_other_pips_dark():
    pips = THEME.of_chinese_tiles.pips

    assert (pips[1], pips[4]) == ("#b91c1c", "#b91c1c")
    assert {pips[number] for number in (2, 3, 5, 6)} == {THEME.pips[0]}


@pytest.mark.parametrize("theme", ["mono", "amber", "high-contrast"])
def test_where_there_are_no_hues_only_the_figures_tell_chinese_numbers_apart(theme):
    assert len(set(load_theme(theme).of_chinese_tiles.pips)) == 1
