"""The line layout: rules that hold for every chain, on every table."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.tui.board.chains import chain, chains
from tui.board.canvas import Direction
from tui.board.faces import faces
from tui.board.picture import MARGIN, snake

FACES = faces(9)
WIDTHS = st.one_of(st.sampled_from([80, 120, 140, 200]), st.integers(21, 210))


def touch(first, other):
    """Return True if two rectangles share a part of an edge."""
    across = min(first.right, other.right) - max(first.x, other.x)
    down = min(first.bottom, other.bottom) - max(first.y, other.y)
    return (across > 0 and down == 0) or (across == 0 and down > 0)


@pytest.mark.parametrize("highest", [6, 9])
@settings(max_examples=40)
@given(data=st.data(), width=WIDTHS, face=st.sampled_from(FACES))
def test_tiles_touch_the_tiles_they_were_laid_on_and_no_others(highest, data, width, face):
    layout = data.draw(chains(highest))
    places = snake(layout, width, face)

    for index, (placed, place) in enumerate(zip(layout, places, strict=True)):
        for earlier in range(index):
            assert not place.box.meets(places[earlier].box)
            if earlier != placed.on:
                assert not touch(place.box, places[earlier].box)
        if placed.on >= 0:
            assert touch(place.half(0), places[placed.on].half(placed.side))


@settings(max_examples=40)
@given(layout=chains(6), width=WIDTHS, face=st.sampled_from(FACES))
def test_no_tile_moves_when_another_is_laid(layout, width, face):
    places = snake(layout, width, face)

    for length in range(1, len(layout)):
        assert snake(layout[:length], width, face) == places[:length]


@settings(max_examples=40)
@given(layout=chains(9), width=st.integers(60, 200), face=st.sampled_from(FACES))
def test_a_margin_is_kept_at_both_sides_of_the_table(layout, width, face):
    for place in snake(layout, width, face):
        assert place.box.x >= MARGIN
        assert place.box.right <= width - MARGIN


@settings(max_examples=40)
@given(layout=chains(6), width=st.integers(61, 210), face=st.sampled_from(FACES[1:]))
def test_a_double_lies_crosswise_except_at_a_corner_or_after_a_corner_tile_or_double(layout, width, face):
    places = snake(layout, width, face)

    for placed, place in zip(layout, places, strict=True):
        upright_parent = placed.on >= 0 and places[placed.on].heads.upright
        after_double = placed.on >= 0 and layout[placed.on].tile.is_double
        if placed.tile.is_double and not (place.heads.upright or upright_parent or after_double):
            assert place.across
        if not placed.tile.is_double:
            assert not place.across


def test_the_first_tile_lies_in_the_middle():
    small = FACES[1]

    assert snake(chain("6|4"), 81, small)[0].box == (38, 0, 5, 1)
    assert snake(chain("6|6"), 81, small)[0].box == (39, -1, 3, 3)


def test_the_right_arm_bends_down_and_the_left_arm_up():
    layout = chain("1|2 2|3 3|4 4|5 5|6 6|0 0|1 1|3 3|5", start=4)
    places = snake(layout, 33, FACES[1])
    corners = [place for place in places if place.heads.upright]

    assert {(place.heads, place.box.x > 16) for place in corners} == {(Direction.DOWN, True), (Direction.UP, False)}


def test_tiles_that_only_lie_turn_the_corner_lying():
    layout = chain("1|2 2|3 3|4 4|5 5|6 6|0 0|1 1|1 1|3 3|5")

    assert not any(place.standing for place in snake(layout, 40, FACES[0]))
