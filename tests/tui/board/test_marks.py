"""Marks: their words and their places."""

from tui.board.canvas import Box, Direction, Size, TilePlace
from tui.board.marks import Mark, place_labels

AREA = Size(40, 9)
TILE = TilePlace(Box(20, 4, 5, 1), Direction.RIGHT, standing=False)


def labels(mark, *, place=TILE, area=AREA):
    return place_labels([mark], [place], area)


def test_a_mark_is_a_key_a_number_and_a_note():
    mark = Mark(0, 1, 6, "b", "scores 5")

    assert mark.text() == " b 6 scores 5 "
    assert mark.text(short=True) == " b 6 "
    assert mark.text(leftward=True) == " scores 5 b 6 ", "the number stands next to the tile"


def test_a_chosen_mark_has_arrows():
    assert Mark(0, 1, 6, "b", chosen=True).text() == "▶b 6◀"
    assert Mark(0, 1, 6, "b", chosen=True).text(ascii=True) == ">b 6<"


def test_a_mark_without_number_key_or_note_is_empty():
    assert labels(Mark(-1, 0, -1)).labels == []


def test_an_end_that_any_number_fits_shows_a_star():
    assert Mark(0, 1, -1, "b").text() == " b ★ "
    assert Mark(0, 1, -1, "b").text(ascii=True) == " b * "


def test_a_label_stands_outside_the_outward_half():
    assert [label.box for label in labels(Mark(0, 1, 6, "b")).labels] == [Box(25, 4, 5, 1)]
    assert [label.box for label in labels(Mark(0, 0, 6, "b")).labels] == [Box(15, 4, 5, 1)]


def test_a_label_stands_below_where_there_is_no_room_beside():
    (label,) = labels(Mark(0, 1, 6, "b"), area=Size(26, 9)).labels

    assert label.box == Box(20, 5, 5, 1)


def test_the_label_of_a_corner_tile_stands_beside_its_lower_half():
    corner = TilePlace(Box(30, 2, 3, 3), Direction.DOWN, standing=True)
    (label,) = labels(Mark(0, 1, 6, "b"), place=corner).labels

    assert label.box == Box(25, 4, 5, 1)


def test_an_end_without_room_for_a_label_has_none():
    assert list(labels(Mark(0, 1, 6, "b"), area=Size(6, 1)).labels) == []


def test_accents_are_dropped_on_a_terminal_without_utf8():
    assert Mark(0, 1, 6, "b", "à côté 牌").text(ascii=True) == " b 6 a cote ? "


def test_the_label_of_wide_characters_is_as_wide_as_it_looks():
    (label,) = labels(Mark(0, 0, 6, "b", "得五")).labels

    assert (label.box.w, label.box.right) == (10, TILE.box.x)
