"""The table as a picture: its face, its marks, and its layout when room runs out."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from tests.tui.board.chains import chain, chains, face_of, marks_of_ends, random_matching_line, text_of_tiles
from themes import load_theme
from tui.board import Mark, draw_board
from tui.board.canvas import Box, Style
from tui.board.picture import Slide

THEME = load_theme("dark")
SIZES = [(80, 13), (120, 28), (200, 48)]


def styles(picture, text):
    return {style for row in picture.rows for part, style in row if text in part}


def test_a_chain_lies_in_a_row_with_its_doubles_crosswise():
    picture = draw_board(chain("6|4 4|4 4|1", start=1), [], 40, 7, THEME, largest="small")

    assert text_of_tiles(picture) == "\n".join([
        "     ▐4▌",
        "▐6│4▌▐─▌▐4│1▌",
        "     ▐4▌",
    ])  # fmt: skip
    assert face_of(picture) == "small"


def test_a_corner_tile_stands_beside_the_row_flush_with_its_outer_edge():
    picture = draw_board(chain("3|4 4|6 6|1 1|2 2|5"), [], 24, 13, THEME, largest="small")

    assert text_of_tiles(picture) == "\n".join([
        "▐3│4▌▐4│6▌▐6▌",
        "          ▐─▌",
        "          ▐1▌",
        "   ▐5│2▌▐2│1▌",
    ])  # fmt: skip


def test_after_a_double_the_corner_tile_stands_beside_it():
    picture = draw_board(chain("3|4 4|4 4|1 1|2"), [], 20, 13, THEME, largest="small")

    assert text_of_tiles(picture) == "\n".join([
        "     ▐4▌",
        "▐3│4▌▐─▌▐4▌",
        "     ▐4▌▐─▌",
        "        ▐1▌",
        "      ▐2│1▌",
    ])  # fmt: skip


def test_an_end_has_its_key_its_number_and_the_points_of_a_play_there():
    layout = chain("6|4")
    ends = [Mark(0, 0, 4, "a"), Mark(0, 1, 6, "b", "scores 5", chosen=True)]

    assert text_of_tiles(draw_board(layout, ends, 60, 3, THEME, largest="small")) == "a 4 ▐4│6▌▶b 6 scores 5◀"


def test_a_closed_end_is_dim_and_an_open_one_has_the_accent():
    ends = [Mark(0, 0, 4, note="closed", open=False), Mark(0, 1, 6, "b")]
    picture = draw_board(chain("6|4"), ends, 60, 3, THEME)

    assert {style.fg for style in styles(picture, "closed")} == {THEME.dim}
    assert {style.fg for style in styles(picture, "b 6")} == {THEME.accent}


def test_a_note_is_dropped_where_there_is_no_room_for_it():
    ends = [Mark(0, 0, 4, "a", "and a very long note about this end"), Mark(0, 1, 6, "b")]

    assert text_of_tiles(draw_board(chain("6|4"), ends, 30, 1, THEME)) == "a 4 ▐4│6▌ b 6"


def test_the_tile_just_laid_glows():
    picture = draw_board(chain("4|6 6|1"), [], 40, 5, THEME, glow=1, largest="small")

    assert {style.bg for style in styles(picture, "1")} == {THEME.glow}
    assert {style.bg for style in styles(picture, "4")} == {THEME.ivory}


def test_tiles_that_have_to_move_slide_to_their_new_places():
    layout = chain("4|6 6|1 1|2")

    def columns(count, slide=None):
        board = draw_board(layout[:count], [], 26, 3, THEME, largest="small", slide=slide)
        return [hit.x for hit in board.hits if hit.side < 0]

    assert columns(2) == [10, 15]
    assert columns(3, Slide(2, 0.5)) == [6, 11, 12]
    assert columns(3) == [2, 7, 12]


def test_a_slide_of_tiles_that_keep_their_places_draws_the_table_as_it_is():
    layout, ends = chain("4|6 6|1 1|2"), [Mark(0, 0, 4), Mark(2, 1, 2)]

    assert (
        draw_board(layout, ends, 60, 9, THEME, slide=Slide(2, 0.5)).rows
        == draw_board(layout, ends, 60, 9, THEME).rows
    )


def test_tiles_that_touch_one_above_the_other_differ_in_shade():
    picture = draw_board(chain("4|6 6|1 1|2"), [], 14, 7, THEME, largest="small")

    assert {style.bg for style in styles(picture, "─")} == {THEME.ivory_shade}
    assert {style.bg for style in styles(picture, "4") | styles(picture, "2")} == {THEME.ivory}


@pytest.mark.parametrize("name", ["felt", "light", "wood", "night", "okabe-ito"])
def test_the_groove_of_a_tile_shows(name):
    theme = load_theme(name)

    assert len({theme.edge, theme.ivory, theme.ivory_shade, theme.glow}) == 4


@pytest.mark.parametrize("seed", range(20))
def test_all_of_double_six_fits_eighty_columns_by_thirteen_rows(seed):
    rng = random.Random(seed)
    layout = chain(random_matching_line(rng, 6), start=rng.choice([0, 27, rng.randrange(28)]))
    picture = draw_board(layout, marks_of_ends(layout, notes=("scores 10", "scores 15")), 80, 13, THEME)

    assert len(layout) == 28
    assert face_of(picture) == "small"
    assert "▲" not in str(picture)
    assert "▼" not in str(picture)


@pytest.mark.parametrize("highest", [6, 9])
@settings(max_examples=15)
@given(data=st.data(), size=st.sampled_from(SIZES))
def test_after_every_move_both_ends_are_marked_and_no_tile_is_outside_the_table(highest, data, size):
    width, height = size
    layout = data.draw(chains(highest))

    for length in range(1, len(layout) + 1):
        part = layout[:length]
        left, right = marks_of_ends(part, notes=("scores 10", ""))
        picture = draw_board(part, [left, right], width, height, THEME)
        text = str(picture)

        assert f"a {left.pips}" in text
        assert f"▶b {right.pips}◀" in text
        assert "▲" not in text
        assert "▼" not in text
        assert {hit.at for hit in picture.hits if hit.side < 0} == set(range(length))
        assert all(Box(0, 0, width, height).holds(Box(hit.x, hit.y, hit.w, hit.h)) for hit in picture.hits)


@settings(max_examples=40)
@given(layout=chains(9), width=st.integers(0, 210), height=st.integers(0, 50))
def test_a_picture_is_exactly_as_large_as_its_table(layout, width, height):
    picture = draw_board(layout, marks_of_ends(layout), width, height, THEME)

    assert len(picture.rows) == height
    assert {sum(len(text) for text, _ in row) for row in picture.rows} <= {width}


@settings(max_examples=40)
@given(layout=chains(9), width=st.integers(24, 50), height=st.integers(3, 8), which=st.integers(0, 1))
def test_a_view_too_small_for_the_layout_scrolls_to_the_chosen_end(layout, width, height, which):
    ends = marks_of_ends(layout)
    ends = [replace(end, chosen=number == which) for number, end in enumerate(ends)]
    picture = draw_board(layout, ends, width, height, THEME)

    assert face_of(picture) == "line"
    assert f"{ends[which].key} {ends[which].pips}" in str(picture)
    assert "▲" in str(picture) or "▼" in str(picture)


def test_the_face_is_kept_until_something_no_longer_fits():
    layout = chain(random_matching_line(random.Random(1), 6))
    names = [face_of(draw_board(layout[:length], [], 90, 20, THEME, highest=6)) for length in range(2, 29)]

    assert names[0] == "tall"
    assert sorted(names, key=["tall", "medium", "narrow", "small", "line"].index) == names
    assert face_of(draw_board(layout[:2], [], 140, 30, THEME, largest="small")) in ("line", "small")
    assert face_of(draw_board(layout[:2], [], 140, 30, THEME)) == "large"


def test_an_empty_table_shows_where_the_first_tile_goes():
    picture = draw_board((), [Mark(-1, 0, -1, "a", "lead", chosen=True)], 40, 9, THEME)

    assert "▶a lead◀" in str(picture)
    assert picture.hit(20, 4) == picture.hits[1]
    assert {hit.at for hit in picture.hits} == {-1}
    assert str(draw_board((), [], 40, 9, THEME)).strip()


def test_a_click_on_an_end_or_on_its_half_of_the_tile_means_that_end():
    layout = chain("6|4 4|4 4|1", start=1)
    picture = draw_board(layout, marks_of_ends(layout), 40, 7, THEME, largest="small")
    y, row = next((y, line) for y, line in enumerate(str(picture).splitlines()) if "a 6" in line)

    for text, end in (("a 6", (2, 1)), ("▐6", (2, 1)), ("b 1", (1, 1)), ("1▌", (1, 1))):
        hit = picture.hit(row.index(text), y)
        assert hit is not None
        assert (hit.at, hit.side) == end
    middle = picture.hit(row.index("─"), y)
    assert middle is not None
    assert (middle.at, middle.side) == (0, -1)


def test_each_long_side_of_a_lone_double_is_an_end():
    layout = chain("4|4")
    picture = draw_board(layout, [Mark(0, 0, 4), Mark(0, 1, 4)], 20, 3, THEME)
    row = str(picture).splitlines()[1]
    left, right = (picture.hit(row.index(half), 1) for half in "▐▌")

    assert left is not None
    assert right is not None
    assert (left.side, right.side) == (0, 1)


@settings(max_examples=20)
@given(layout=chains(6), width=st.integers(1, 140), height=st.integers(1, 40))
def test_a_terminal_without_utf8_gets_only_ascii(layout, width, height):
    picture = draw_board(
        layout, marks_of_ends(layout, notes=("points à gagner", "")), width, height, THEME, ascii=True
    )

    assert str(picture).isascii()


def test_numbers_of_two_digits_have_room():
    layout = chain("12|10 10|10 10|3", start=1)

    assert text_of_tiles(draw_board(layout, [], 60, 8, THEME, largest="small", highest=12)) == "\n".join([
        "       ▐10▌",
        "▐12│10▌▐──▌▐10│3 ▌",
        "       ▐10▌",
    ])  # fmt: skip


def test_every_tile_has_a_shadow_where_no_other_lies_below_it():
    picture = draw_board(chain("3|4 4|6 6|1 1|2 2|5"), [], 24, 13, THEME, largest="small")

    assert [line.strip() for line in str(picture).splitlines() if line] == [
        "▐3│4▌▐4│6▌▐6▌",
        "▝▀▀▀▘▝▀▀▀▘▐─▌",
        "▐1▌",
        "▐5│2▌▐2│1▌",
        "▝▀▀▀▘▝▀▀▀▘",
    ]


def test_a_shadow_has_the_colour_of_the_bars_and_is_left_out_where_tiles_are_letters():
    assert styles(draw_board(chain("3|4"), [], 40, 5, THEME), "▝") == {Style(THEME.bar, THEME.felt)}
    assert str(draw_board(chain("3|4"), [], 40, 5, THEME, ascii=True)).strip() == "[ 3|4 ]"


def test_a_seam_parts_a_tile_from_the_one_below_it_and_no_others():
    picture = draw_board(chain("3|4 4|6 6|1 1|2 2|5"), [], 24, 13, THEME, largest="small")
    lines = str(picture).splitlines()
    seams = [lines[y] for y, row in enumerate(picture.rows) if any(style.underlined for _, style in row)]

    assert [line.strip() for line in seams] == ["▐1▌"]
