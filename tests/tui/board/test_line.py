"""The line layout: rules that hold for every chain, on every table."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.tiles import Tile
from tests.tui.board.chains import chain, chains
from tui.board import line
from tui.board.canvas import Direction, Size
from tui.board.faces import faces, faces_up_to
from tui.board.line import EDGE, LineFrame, LineTable, alternating_layout, line_frame, line_places

FACES = faces(9)
SIZES = st.one_of(
    st.sampled_from([(80, 12), (84, 28), (164, 48)]), st.tuples(st.integers(21, 210), st.integers(3, 60))
)
TABLES = SIZES.map(lambda size: LineTable(Size(*size), 9, ascii=False))
ENDLESS = 1000


def share_an_edge(first, other):
    """Return True if two rectangles share a part of an edge."""
    across = min(first.right, other.right) - max(first.x, other.x)
    down = min(first.bottom, other.bottom) - max(first.y, other.y)
    return (across > 0 and down == 0) or (across == 0 and down > 0)


def places_on_endless_table(layout, width, face):
    """Return the places of a chain on a table that is high enough for any, with the first tile in the middle."""
    table = LineTable(Size(width, 2 * ENDLESS), 9, ascii=False)
    return line_places(layout, LineFrame(face, (width - face.lying.w) // 2, ENDLESS), table)


@pytest.mark.parametrize("highest", [6, 9])
@settings(max_examples=40)
@given(data=st.data(), width=st.integers(21, 210), face=st.sampled_from(FACES))
def test_tiles_touch_the_tiles_they_were_laid_on_and_no_others(highest, data, width, face):
    layout = data.draw(chains(highest))
    places = places_on_endless_table(layout, width, face)

    for index, (placed, place) in enumerate(zip(layout, places, strict=True)):
        for earlier in range(index):
            assert not place.box.meets(places[earlier].box)
            if earlier != placed.on:
                assert not share_an_edge(place.box, places[earlier].box)
        if placed.on >= 0:
            assert share_an_edge(place.half(0), places[placed.on].half(placed.side))


@settings(max_examples=40)
@given(layout=chains(6), table=TABLES)
def test_no_tile_moves_while_the_ends_have_room(layout, table):
    for length in range(2, len(layout) + 1):
        before, frame = line_frame(layout[: length - 1], table), line_frame(layout[:length], table)
        places = line_places(layout[:length], before, table)

        assert places[:-1] == line_places(layout[: length - 1], before, table)
        if frame != before:
            assert not before.fits or not line._fits(layout[:length], before, table)


@settings(max_examples=20)
@given(layout=chains(6), table=TABLES)
def test_a_line_is_drawn_alike_after_a_reload(layout, table):
    step_by_step = [line_frame(layout[:length], table) for length in range(len(layout) + 1)][-1]
    for cache in (line._frame, line._lay_tiles, line._first_frame):
        cache.cache_clear()

    assert line_frame(layout, table) == step_by_step


@settings(max_examples=40)
@given(layout=chains(9), table=TABLES)
def test_all_tiles_are_on_the_table_and_clear_of_its_sides(layout, table):
    frame = line_frame(layout, table)

    for place in line_places(layout, frame, table) if frame.fits else ():
        assert place.box.x >= EDGE
        assert place.box.right <= table.area.w - EDGE
        assert place.box.y >= 0
        assert place.box.bottom <= table.area.h


@settings(max_examples=40)
@given(layout=chains(6), width=st.integers(61, 210), face=st.sampled_from(FACES[1:]))
def test_a_double_lies_crosswise_unless_it_turns_a_corner_or_touches_another_row(layout, width, face):
    places = places_on_endless_table(layout, width, face)

    for index, (placed, place) in enumerate(zip(layout, places, strict=True)):
        if not placed.tile.is_double or place.heading.upright:
            assert not place.across
        elif not place.across:
            top = place.box.y - (face.standing.h - face.lying.h) // 2
            crosswise = place.box._replace(y=top - 1, h=face.standing.h + 2)
            after_corner = placed.on >= 0 and places[placed.on].heading.upright
            others = [other.box for number, other in enumerate(places[:index]) if number != placed.on]
            assert after_corner or any(crosswise.meets(box) for box in others)


@settings(max_examples=40)
@given(layout=chains(6), width=st.integers(61, 210), face=st.sampled_from(FACES[1:]))
def test_rows_are_one_standing_tile_apart(layout, width, face):
    places = places_on_endless_table(layout, width, face)
    rows = {place.box.y for place in places if not place.standing}

    assert {(y - ENDLESS) % face.standing.h for y in rows} <= {0}


@settings(max_examples=40)
@given(layout=chains(6), width=st.integers(61, 210), face=st.sampled_from(FACES[1:]))
def test_a_corner_tile_stands_beside_the_row_and_the_next_row_begins_beyond_it(layout, width, face):
    places = places_on_endless_table(layout, width, face)

    for placed, place in zip(layout, places, strict=True):
        if not place.heading.upright:
            continue
        last = places[placed.on].box
        assert place.box.x in (last.right, last.x - face.standing.w)
        after = next((other for piece, other in zip(layout, places, strict=True) if _on(piece, place, places)), None)
        if after:
            assert after.box.y == (
                place.box.bottom if place.heading is Direction.DOWN else place.box.y - face.lying.h
            )


def _on(piece, place, places):
    """Return True if a tile was laid on the tile at `place`."""
    return piece.on >= 0 and places[piece.on] is place


def test_the_first_tile_lies_in_the_middle():
    table = LineTable(Size(81, 13), 9, ascii=False)

    for text in ("6|4", "6|6"):
        (place,) = line_places(chain(text), line_frame(chain(text), table), table)
        assert abs(2 * place.box.x + place.box.w - 81) <= 1


def test_the_right_arm_bends_down_and_the_left_arm_up():
    layout = chain("1|2 2|3 3|4 4|5 5|6 6|0 0|1 1|3 3|5", start=4)
    corners = [place for place in places_on_endless_table(layout, 33, FACES[1]) if place.heading.upright]

    assert {(place.heading, place.box.x > 16) for place in corners} == {(Direction.DOWN, True), (Direction.UP, False)}


def test_tiles_of_a_face_that_never_stands_turn_corners_lying():
    layout = chain("1|2 2|3 3|4 4|5 5|6 6|0 0|1 1|1 1|3 3|5")

    assert not any(place.standing for place in places_on_endless_table(layout, 40, FACES[0]))


def test_evicting_cached_faces_does_not_change_the_next_frame():
    table = LineTable(Size(118, 31), 6, ascii=False)
    layout = alternating_layout(Tile(0, 1), (1,), 40)
    frames = [line_frame(layout[:length], table) for length in range(len(layout) + 1)]
    moves = next(length for length in range(1, len(frames)) if frames[length] != frames[length - 1])
    line._frame.cache_clear()
    line_frame(layout[: moves - 1], table)
    faces.cache_clear()
    faces_up_to.cache_clear()

    assert line_frame(layout[:moves], table) == frames[moves]


def test_the_first_size_has_room_for_the_tiles_of_most_rounds():
    sizes = {
        area: line_frame((), LineTable(Size(*area), 6, ascii=False)).face.name
        for area in ((80, 12), (84, 28), (164, 48))
    }

    assert sizes == {(80, 12): "medium", (84, 28): "large", (164, 48): "huge"}


def test_a_line_that_grows_at_one_end_begins_where_that_end_has_room():
    table = LineTable(Size(80, 12), 6, ascii=False, sides=(1,))
    layout = chain("1|2 2|3 3|4 4|5 5|6 6|0 0|1 1|3 3|5 5|0 0|2 2|4 4|6 6|1 1|5 5|2 2|6 6|3")
    frame = line_frame(layout, table)

    assert frame.fits
    assert frame.face.name == "medium"
