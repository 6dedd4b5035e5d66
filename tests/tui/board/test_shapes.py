"""Crosses, trains, feet and stars: rules that hold for every position of every game, on every table."""

import os
from itertools import product

import pytest
from msgspec.structs import replace

from core.layout.state import PlacedTile
from core.tiles import tile
from tests.tui.board.games import marks_of, positions, sides_of, titles_of
from tests.tui.board.test_line import share_an_edge
from themes import load_theme
from tui.board import draw_board
from tui.board.canvas import Box, Size
from tui.board.faces import faces
from tui.board.line import alternating_layout
from tui.board.marks import Mark, halves, lies_across, place_all
from tui.board.tree import ShapeTable, certain_tips, lay_tree, plan_shape, shape_frame

THEME = load_theme("dark")
SIZES = [(80, 13), (120, 28), (200, 48)]
GAMES = [
    ("all-fives", 2, ()),
    ("all-fives", 4, (("af.spinner", "all"),)),
    ("five-up", 2, ()),
    ("five-up", 4, ()),
    ("cross", 3, ()),
    ("wildstar", 2, ()),
    ("wildstar", 8, (("ws.wild_end", "open"),)),
    ("mexican-train", 2, ()),
    ("mexican-train", 5, (("mt.double", "chain"),)),
    ("mexican-train", 8, (("mt.engine", "held"),)),
    ("chickenfoot", 2, ()),
    ("chickenfoot", 4, (("cf.arms", 6),)),
    ("chickenfoot", 8, (("cf.arms", 8),)),
]
SEEDS = range(int(os.environ.get("BONEYARD_SHAPES", "1")))
"""Matches per game: with BONEYARD_SHAPES=1000 this is the long form of the test."""
STEP = 5 if len(SEEDS) > 1 else 24
"""Every `STEP`th position is drawn."""


def sampled_views(game, players, options, seed):
    views = positions(game, players, options, seed)
    return [view for number, view in enumerate(views) if number % STEP == seed % STEP or number == len(views) - 1]


def plan_of(view, players, size, marks=None):
    marks = marks or marks_of(view)
    plan, fits = plan_shape(view.layout, marks, table_of(view, players, size), titles_of(view, players), 0)
    return plan, fits, marks


def table_of(view, players, size):
    """Return the table of a view, on which all arms of the first tile may begin."""
    names = titles_of(view, players)
    return ShapeTable(Size(*size), view.highest, False, view.shape, sides_of(view), bool(names))


@pytest.mark.parametrize("size", SIZES, ids=str)
@pytest.mark.parametrize(("game", "players", "options"), GAMES)
def test_no_tile_lies_on_another_and_choosing_a_hidden_end_scrolls_it_into_view(game, players, options, size):
    for seed in SEEDS:
        for view in sampled_views(game, players, options, seed):
            plan, fits, marks = plan_of(view, players, size)
            check_places(view, plan, fits, size)
            assert {(label.mark.at, label.mark.side) for label in plan.labels.labels} == {
                (mark.at, mark.side) for mark in marks
            }
            for chosen in range(0 if fits else len(marks)):
                check_scrolls_into_view(view, marks_of(view, chosen), chosen, players, size)


def check_places(view, plan, fits, size):
    """Check that no tiles overlap, and that each touches the tile on which it was laid."""
    table = Box(0, 0, *size)
    boxes = [place.box if place else None for place in plan.places]
    visible = [box for box in boxes if box] + [label.box for label in plan.labels.labels]
    for number, box in enumerate(visible):
        assert not any(box.meets(other) for other in visible[:number])
        assert not fits or (box.meets(table) and box.right <= table.w and box.bottom <= table.h)
    for index, placed in enumerate(view.layout):
        box, on = boxes[index], boxes[placed.on] if placed.on > 0 else None
        if not plan.fixed and placed.on >= 0:
            assert share_an_edge(plan.places[index].half(0), plan.places[placed.on].half(placed.side))
        elif box and on and plan.fixed:
            assert placed.side > 1 or (box.x == on.right and box.y < on.bottom and on.y < box.bottom)


def check_scrolls_into_view(view, marks, chosen, players, size):
    """Check that the chosen end is in view, with arrows towards what is not."""
    names = titles_of(view, players)
    picture = draw_board(
        view.layout, marks, *size, THEME, shape=view.shape, titles=names, highest=view.highest, sides=sides_of(view)
    )
    end = (marks[chosen].at, marks[chosen].side)
    hit = next(hit for hit in picture.hits if (hit.at, hit.side) == end)
    assert hit.x >= 0 <= hit.y
    assert hit.x + hit.w <= size[0]
    assert hit.y + hit.h <= size[1]
    assert any(arrow in str(picture) for arrow in "▲▼◀▶")


@pytest.mark.parametrize("bends", [(), ((2, 1), (5, 3), (9, 2))], ids=str)
@pytest.mark.parametrize(("game", "players", "options"), [game for game in GAMES if game[0] != "mexican-train"])
def test_no_tile_of_a_shape_moves_when_another_is_laid(game, players, options, bends):
    views = sampled_views(game, players, options, 0)
    spec, before = table_of(views[0], players, (120, 28)).tree_spec(faces(9)[1]), ()
    for view in views:
        places, is_complete = lay_tree(view.layout, spec, bends)
        assert places[: len(before)] == before
        if not is_complete:
            break
        before = places


@pytest.mark.parametrize(("game", "players", "options"), GAMES)
def test_a_shape_keeps_its_frame_while_it_has_room(game, players, options):
    views = positions(game, players, options, 0)
    table = table_of(views[0], players, (120, 28))
    for view in views[1:]:
        before, frame = shape_frame(view.layout[:-1], table), shape_frame(view.layout, table)
        if not before.rows and frame != before:
            tree = lay_tree(view.layout, table.tree_spec(before.face), before.bends)
            assert (
                not tree.is_complete or place_all(certain_tips(view.layout, table), tree.places, table.area) is None
            )


@pytest.mark.parametrize("size", SIZES, ids=str)
@pytest.mark.parametrize(("game", "players", "options"), [game for game in GAMES if game[0] == "chickenfoot"])
def test_no_lane_moves_to_another_row_for_the_toes_of_a_double(game, players, options, size):
    before, known = None, {}
    for view in positions(game, players, options, 0):
        frame = shape_frame(view.layout, table_of(view, players, size))
        plan, fits, _ = plan_of(view, players, size)
        rows = {index: place.box.y for index, place in enumerate(plan.places) if place and index}
        if frame.rows and fits:
            assert frame != before or all(rows[index] == known[index] for index in rows.keys() & known.keys())
        before, known = frame, rows


@pytest.mark.parametrize("size", SIZES, ids=str)
@pytest.mark.parametrize(("game", "players", "options"), [game for game in GAMES if game[0] == "chickenfoot"])
def test_a_lane_of_a_double_begins_with_the_numbers_of_the_double(game, players, options, size):
    for view in sampled_views(game, players, options, 0):
        plan, _, _ = plan_of(view, players, size)
        heads = {caption.text for caption in plan.captions}
        branching = {placed.on for placed in view.layout if placed.on > 0 and placed.side > 1}
        assert not plan.fixed or {f"{view.layout[on].out}|{view.layout[on].out}" for on in branching} <= heads


@pytest.mark.parametrize("size", SIZES[:2], ids=str)
@pytest.mark.parametrize(("game", "players", "options"), GAMES)
def test_choosing_another_end_or_none_moves_no_tile(game, players, options, size):
    for view in sampled_views(game, players, options, 0):
        plan, _, marks = plan_of(view, players, size)
        shut = [
            replace(mark, key="", chosen=False, open=False, note=mark.note if mark.owed else "") for mark in marks
        ]
        scoring = [mark if mark.owed else replace(mark, note="scores 10") for mark in marks_of(view, 1)]
        for other in (shut, scoring):
            again, _, _ = plan_of(view, players, size, other)
            assert again.face == plan.face
            assert again.places == plan.places


@pytest.mark.parametrize("count", range(7, 15))
def test_a_lane_omits_the_same_tiles_whatever_number_its_end_shows(count):
    layout = alternating_layout(tile("12|12"), (0,), count)
    for width in range(60, 84):
        table = ShapeTable(Size(width, 13), 12, False, "lanes", (0, 1), has_titles=True)
        nine, twelve = ([Mark(count, 1, pips, "a")] for pips in (9, 12))
        plans = [plan_shape(layout, marks, table, ("ada", "bela"), 0)[0] for marks in (nine, twelve)]
        assert plans[0].places == plans[1].places


@pytest.mark.parametrize(("game", "players", "options"), GAMES)
def test_a_picture_of_a_shape_is_as_large_as_its_table_and_ascii_where_asked(game, players, options):
    for view, ascii in product(sampled_views(game, players, options, 0)[::2], (False, True)):
        for width, height in ((80, 13), (31, 7), (8, 2), (0, 0)):
            picture = draw_board(
                view.layout,
                marks_of(view),
                width,
                height,
                THEME,
                shape=view.shape,
                titles=titles_of(view, players),
                highest=view.highest,
                sides=sides_of(view),
                ascii=ascii,
            )
            assert len(picture.rows) == height
            assert {sum(len(text) for text, _ in row) for row in picture.rows} <= {width}
            assert not ascii or str(picture).isascii()


@pytest.mark.parametrize(
    ("text", "on", "out", "drawn"),
    [("7|*", 7, 3, (7, -1)), ("2|*", 7, 2, (-1, 2)), ("*", 7, 3, (-1, 3)), ("7|3", 7, 3, (7, 3))],
)
def test_a_wild_half_is_a_star_inward_or_outward(text, on, out, drawn):
    line = (PlacedTile(tile(f"{on}|1"), -1, 0, on, 0), PlacedTile(tile(text), 0, 1, out, 0))

    assert halves(line, 1) == drawn


def test_a_wildstar_in_place_of_a_double_lies_across():
    assert lies_across((PlacedTile(tile("*"), -1, 0, 8, 0),), 0)
