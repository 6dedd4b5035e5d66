"""The image of a tile: its size, its pips, its colours, and its few bytes."""

from io import BytesIO

import pytest
from msgspec.structs import replace
from PIL import Image

from themes import HIGHEST, load_theme
from tui.board.faces import TileImage
from tui.pictures import can_paint
from tui.pictures.painting import paint_tile

# Black pips on white are distinct from everything else on a tile.
PLAIN = replace(load_theme("felt"), ivory="#ffffff", edge="#ffffff", pips=("#000000",) * (HIGHEST + 1))
CELL = (10, 20)


def picture(tile_image, theme=PLAIN, cell=CELL):
    return Image.open(BytesIO(paint_tile(tile_image, theme, cell))).convert("RGBA")


def spots(image, box):
    """Count the separate dark spots in a box."""
    dark = {(x, y) for x in range(box[0], box[2]) for y in range(box[1], box[3]) if image.getpixel((x, y))[0] < 110}
    count = 0
    while dark:
        count += 1
        edge = [dark.pop()]
        while edge:
            x, y = edge.pop()
            near = {(x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)} & dark
            dark -= near
            edge += near
    return count


@pytest.mark.parametrize("number", range(HIGHEST + 1))
def test_a_large_half_has_as_many_pips_as_its_number(number):
    lying = picture(TileImage(13, 3, "lying", "ivory", number, 0))
    standing = picture(TileImage(7, 7, "standing", "ivory", 0, number))

    assert spots(lying, (6, 6, 124, 52)) == number
    assert spots(standing, (6, 72, 64, 130)) == number


@pytest.mark.parametrize("number", range(10))
@pytest.mark.parametrize("cell", [(9, 18), (10, 20), (16, 34)])
def test_a_middle_half_has_as_many_pips_as_its_number(number, cell):
    image = picture(TileImage(9, 2, "lying", "ivory", number, 0), cell=cell)

    assert spots(image, (4, 4, image.width - 4, image.height - 6)) == number


@pytest.mark.parametrize(("columns", "rows"), [(13, 3), (7, 7), (5, 1), (3, 3)])
@pytest.mark.parametrize("cell", [(9, 18), (24, 48)])
def test_a_picture_has_the_pixels_of_its_cells(columns, rows, cell):
    pose = "standing" if rows >= columns else "lying"

    assert picture(TileImage(columns, rows, pose, "ivory", 6, 4), cell=cell).size == (
        columns * cell[0],
        rows * cell[1],
    )


def test_the_corners_of_a_tile_are_transparent():
    image = picture(TileImage(13, 3, "lying", "ivory", 6, 4))
    corners = [(0, 0), (129, 0), (0, 59), (129, 59)]

    assert {image.getpixel(corner)[3] for corner in corners} == {0}
    assert image.getpixel((65, 10))[3] == 255


@pytest.mark.parametrize("tone", ["ivory", "ivory_shade", "glow", "greyed", "back"])
def test_a_tile_has_the_colour_of_its_tone(tone):
    theme = load_theme("felt")
    red, green, blue, _ = picture(TileImage(7, 7, "standing", tone, 0, 0), theme).getpixel((35, 30))
    wanted = bytes.fromhex(getattr(theme, tone)[1:])

    assert all(abs(actual - other) <= 6 for actual, other in zip((red, green, blue), wanted, strict=True))


def test_a_star_is_neither_blank_nor_a_number():
    assert spots(picture(TileImage(13, 3, "lying", "ivory", -1, 0)), (6, 6, 124, 52)) == 1
    assert picture(TileImage(13, 3, "lying", "ivory", -1, 0)) != picture(TileImage(13, 3, "lying", "ivory", 1, 0))


@pytest.mark.parametrize(("number", "figures"), [(1, 1), (6, 1), (9, 1), (11, 2), (17, 2)])
def test_where_pips_are_too_small_to_be_counted_there_are_figures(number, figures):
    lying = picture(TileImage(7, 1, "lying", "ivory", number, -1))
    standing = picture(TileImage(4, 3, "standing", "ivory", -1, number))

    assert spots(lying, (3, 3, 34, 17)) == figures
    assert spots(standing, (3, 32, 37, 56)) == figures


def test_on_a_fine_screen_small_tiles_have_pips_too():
    assert spots(picture(TileImage(5, 1, "lying", "ivory", 6, 0), cell=(20, 40)), (4, 4, 48, 36)) == 6


def test_a_picture_is_about_a_kilobyte():
    sizes = [
        len(paint_tile(TileImage(*size, pose, "ivory", first, 6), load_theme("felt"), CELL))
        for size, pose in (((13, 3), "lying"), ((7, 7), "standing"), ((5, 1), "lying"))
        for first in range(19)
    ]

    assert max(sizes) < 1500


@pytest.mark.parametrize("number", range(1, 7))
@pytest.mark.parametrize("pose", ["lying", "standing"])
def test_a_chinese_half_shows_its_number_in_pips_without_a_groove(number, pose):
    theme = replace(PLAIN, edge="#000000")
    size = (13, 3) if pose == "lying" else (7, 7)
    image = picture(TileImage(*size, pose, "ivory", HIGHEST + number, HIGHEST + number), theme)

    assert spots(image, (6, 6, 124, 52) if pose == "lying" else (6, 6, 64, 130)) == 2 * number


@pytest.mark.parametrize(("number", "red"), [(1, True), (2, False), (4, True), (6, False)])
def test_ones_and_fours_of_a_chinese_tile_are_red_in_a_picture_too(number, red):
    image = picture(TileImage(13, 3, "lying", "ivory", HIGHEST + number, HIGHEST + number), load_theme("felt"))
    inks = {pixel[:3] for _, pixel in image.getcolors(1 << 16) if max(pixel[1:3]) < 60 and pixel[3] == 255}

    assert inks
    assert any(ink[0] > 150 for ink in inks) == red


@pytest.mark.parametrize(("spec", "paints"), [(None, False), (object(), True)], ids=["without Pillow", "with Pillow"])
def test_tiles_are_painted_where_pillow_is_installed(spec, paints, monkeypatch):
    monkeypatch.setattr("tui.pictures.find_spec", lambda _name: spec)

    assert can_paint.__wrapped__() == paints
