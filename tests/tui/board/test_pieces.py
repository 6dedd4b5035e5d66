"""Tiles as images: each cell encodes image, row and column, and stays text to everything else."""

from itertools import product

import pytest
from msgspec.structs import replace

from core.tiles import Tile
from themes import HIGHEST, load_theme
from tui.board.canvas import PART, Box, Canvas, Style, cells, columns
from tui.board.faces import TileImage, draw_tile, faces, tile_image_of
from tui.draw.hands import draw_hand

THEME = load_theme("felt")
PICTURES = replace(THEME, pictures=True)
# The first row and column diacritics of kitty's graphics protocol.
MARKS = [*"\u0305\u030d\u030e\u0310\u0312\u033d\u033e\u033f\u0346\u034a\u034b\u034c\u0350\u0351"]
HAND = (Tile(0, 3), Tile(1, 1), Tile(4, 6), Tile(-1, -1))


def drawn(face, standing, tone="ivory", theme=PICTURES, halves=(6, 4), at=0, width=20):
    size = face.standing if standing else face.lying
    canvas = Canvas(width, size.h, Style(theme.text, theme.felt))
    draw_tile(canvas, Box(at, 0, *size), face, halves, theme=theme, tone=tone)
    return canvas.rows()


@pytest.mark.parametrize("highest", [6, 18])
@pytest.mark.parametrize("standing", [False, True])
@pytest.mark.parametrize("number", range(5))
def test_every_cell_of_a_tile_encodes_its_row_and_its_column(highest, standing, number):
    face = faces(highest)[number]
    size = face.standing if standing else face.lying
    for y, row in enumerate(drawn(face, standing)):
        text, style = row[0]
        assert text == "".join(PART + MARKS[y] + MARKS[x] for x in range(size.w))
        assert style.bg == THEME.felt, "the background shows around its corners"
        assert int(style.fg[1:], 16) == int(drawn(face, standing)[0][0][1].fg[1:], 16) > 0


def test_the_colour_of_a_cell_encodes_its_part_of_an_image_uniquely():
    tile_images = [
        TileImage(*size, pose, tone, first, second)
        for size, pose, tone, first, second in product(
            [(13, 3), (7, 7), (3, 3), (5, 1), (7, 1)],
            ["lying", "standing", "half"],
            ["ivory", "ivory_shade", "glow", "greyed", "back"],
            range(-1, 19),
            range(-1, 19),
        )
    ]

    assert [tile_image_of(tile_image.ink) for tile_image in tile_images] == tile_images
    assert len({tile_image.ink for tile_image in tile_images}) == len(tile_images)
    assert all(0 < tile_image.number < 1 << 24 for tile_image in tile_images)


@pytest.mark.parametrize("tone", ["ivory", "ivory_shade", "glow", "greyed", "back"])
def test_the_image_of_a_tile_encodes_its_colour(tone):
    style = drawn(faces(6)[-1], False, tone)[0][0][1]

    assert tile_image_of(style.fg) == TileImage(13, 3, "lying", tone, 6, 4)


def test_half_a_tile_shows_its_second_number_alone():
    canvas = Canvas(7, 3, Style(THEME.text, THEME.felt))
    draw_tile(canvas, Box(0, 0, 7, 3), faces(6)[-1], (6, 4), theme=PICTURES)

    assert tile_image_of(canvas.rows()[0][0][1].fg) == TileImage(7, 3, "half", "ivory", 4, 4)


@pytest.mark.parametrize(("at", "left"), [(-3, range(3, 13)), (12, range(8))])
def test_a_tile_at_the_edge_keeps_the_columns_that_are_seen(at, left):
    row = drawn(faces(6)[-1], False, at=at)[1]

    assert "".join(PART + MARKS[1] + MARKS[x] for x in left) in [text for text, _ in row]
    assert sum(columns(text) for text, _ in row) == 20


def test_a_hand_of_pictures_takes_the_same_cells_and_answers_the_same_clicks():
    drawn = draw_hand(HAND, 80, 9, THEME, playable=(0, 2), chosen=2)
    pictured = draw_hand(HAND, 80, 9, PICTURES, playable=(0, 2), chosen=2)

    assert pictured.hits == drawn.hits
    assert {sum(columns(text) for text, _ in row) for row in pictured.rows} == {80}
    assert not any("●" in text for row in pictured.rows for text, _ in row)
    tile_images = {tile_image_of(style.fg) for row in pictured.rows for text, style in row if PART in text}
    assert {(tile_image.first, tile_image.second): tile_image.tone for tile_image in tile_images} == {
        (3, 0): "ivory",
        (1, 1): "greyed",
        (6, 4): "ivory",
        (-1, -1): "greyed",
    }


def test_negative_numbers_are_stars():
    _, style = drawn(faces(6)[-1], False, "back", halves=(-3, 1))[0][0]

    assert tile_image_of(style.fg) == TileImage(13, 3, "lying", "back", -1, 1)


def test_in_ascii_there_are_no_images():
    face = faces(6, ascii=True)[-1]

    assert "".join(text for text, _ in drawn(face, False)[0]).isascii()


def test_text_of_a_player_cannot_contain_a_part_of_an_image():
    canvas = Canvas(20, 1, Style(THEME.text, THEME.felt))
    canvas.put(0, 0, f"a{PART}{MARKS[0]}{MARKS[0]}b", Style("#800000", THEME.felt))

    assert PART not in "".join(text for text, _ in canvas.rows()[0])
    assert PART not in "".join(cells(PART))


def test_the_image_of_a_chinese_tile_has_numbers_beyond_those_of_dominoes():
    style = drawn(faces(6)[-1], False, theme=PICTURES.of_chinese_tiles)[0][0][1]
    tile_image = tile_image_of(style.fg)

    assert (tile_image.first, tile_image.second) == (HIGHEST + 6, HIGHEST + 4)
    assert tile_image_of(TileImage(13, 3, "lying", "back", HIGHEST + 1, HIGHEST + 6).ink).first == HIGHEST + 1
