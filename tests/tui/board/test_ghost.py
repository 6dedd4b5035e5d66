"""The chosen tile is drawn where Enter would lay it, and nothing else changes."""

from itertools import cycle

import pytest

from core.actions import Play
from core.layout.state import PlacedTile
from tests.tui.board.chains import cells_of
from tests.tui.board.games import marks_of, positions, sides_of, titles_of
from tests.tui.board.test_shapes import GAMES
from themes import load_theme
from tui.board import draw_board
from tui.board.canvas import Size
from tui.board.tree import ShapeTable, plan_shape

THEME = load_theme("dark")
BACK = THEME.back


def drawn(view, players, marks, ghost, size, *, ascii=False):
    return draw_board(
        view.layout,
        marks,
        *size,
        THEME,
        shape=view.shape,
        titles=titles_of(view, players),
        highest=view.highest,
        sides=sides_of(view),
        ghost=ghost,
        ascii=ascii,
    )


def tiles(picture):
    """Return the places of the tiles on the table."""
    return {hit for hit in picture.hits if hit.side == -1}


def ghosts(view):
    """Yield every play of the view: its marks, with the end chosen, and the tile as it would lie."""
    for play in view.legal:
        if isinstance(play, Play) and play.at >= 0:
            chosen = next(n for n, end in enumerate(view.ends) if (end.at, end.side) == (play.at, play.side))
            yield marks_of(view, chosen), PlacedTile(play.tile, play.at, play.side, play.out, view.seat)


@pytest.mark.parametrize(("game", "players", "options"), [("draw", 2, ()), *GAMES])
def test_a_ghost_moves_no_tile_and_covers_none(game, players, options):
    visible = 0
    for view, size in zip(positions(game, players, options, 2)[1::11], cycle([(80, 13), (140, 28)])):
        for marks, ghost in ghosts(view):
            without, with_one = (drawn(view, players, marks, laid, size) for laid in (None, ghost))
            for before, after in zip(without.rows, with_one.rows, strict=True):
                for old, new in zip(cells_of(before), cells_of(after), strict=True):
                    assert old == new or old[1].bg in (THEME.felt, THEME.accent)
            assert tiles(with_one) == tiles(without)
            visible += str(with_one) != str(without)
    assert visible


def test_the_mark_of_the_chosen_end_stands_beside_the_ghost_and_answers_to_the_mouse():
    view = positions("draw", 2, (), 2)[5]
    marks, ghost = next(ghosts(view))
    picture = drawn(view, 2, marks, ghost, (80, 13))
    row = next(y for y, line in enumerate(str(picture).splitlines()) if "▶" in line)
    hit = picture.hit(str(picture).splitlines()[row].index("▶") + 1, row)

    assert (hit.at, hit.side) == (ghost.on, ghost.side)


def test_the_ghost_in_a_lane_is_as_large_as_the_tile_once_it_is_laid():
    doubles = 0
    for view in positions("mexican-train", 2, (), 2)[4::3]:
        table = ShapeTable(Size(140, 28), view.highest, False, "lanes", sides_of(view), has_titles=True)
        names = titles_of(view, 2)
        for marks, ghost in ghosts(view):
            before, _fits = plan_shape(view.layout, marks, table, names, 0, ghost)
            after, _fits = plan_shape((*view.layout, ghost), marks, table, names, 0)
            if before.ghost and after.places[-1] and before.face == after.face:
                assert before.ghost.box[2:] == after.places[-1].box[2:]
                doubles += ghost.tile.is_double
    assert doubles
