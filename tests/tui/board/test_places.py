"""Places of tiles laid beside each other, in every direction."""

import pytest

from tui.board.canvas import Box, Direction, Size, TilePlace, around

TILE = Box(10, 10, 5, 1)


@pytest.mark.parametrize(
    ("direction", "flush", "at"),
    [
        (Direction.RIGHT, None, (15, 9)),
        (Direction.LEFT, None, (7, 9)),
        (Direction.DOWN, None, (11, 11)),
        (Direction.UP, None, (11, 7)),
        (Direction.DOWN, Direction.RIGHT, (12, 11)),
        (Direction.UP, Direction.LEFT, (10, 7)),
        (Direction.RIGHT, Direction.UP, (15, 10)),
        (Direction.LEFT, Direction.DOWN, (7, 8)),
    ],
)
def test_a_tile_is_placed_in_a_direction_centred_or_flush(direction, flush, at):
    assert TILE.beside(Size(3, 3), direction, flush) == Box(*at, 3, 3)


def test_the_halves_of_a_lying_tile_are_left_and_right():
    place = TilePlace(TILE, Direction.LEFT, standing=False)

    assert (place.half(0), place.half(1)) == (Box(13, 10, 2, 1), Box(10, 10, 2, 1))


def test_the_halves_of_a_standing_tile_are_above_and_below():
    place = TilePlace(Box(0, 0, 3, 3), Direction.DOWN, standing=True)

    assert (place.half(0), place.half(1)) == (Box(0, 0, 3, 1), Box(0, 2, 3, 1))


def test_a_tile_that_lies_crosswise_looks_outward_with_its_whole_side():
    place = TilePlace(Box(0, 0, 3, 3), Direction.RIGHT, standing=True)

    assert place.across
    assert place.half(0) == place.half(1) == place.box


def test_the_reverse_direction_is_opposite():
    assert [direction.back for direction in Direction] == [
        Direction.LEFT,
        Direction.UP,
        Direction.RIGHT,
        Direction.DOWN,
    ]


def test_a_rectangle_around_others_holds_them_all():
    assert around([Box(0, 5, 1, 1), Box(4, -2, 2, 2)]) == Box(0, -2, 6, 8)
