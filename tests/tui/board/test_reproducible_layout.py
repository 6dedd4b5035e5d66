"""A table depends on the order of its tiles alone: a reload, a restart and a replay draw it alike."""

import pytest

from core.games import GAMES
from core.layout.state import LayoutView
from core.match import new_match
from tests.tui.board.games import marks_of, positions, sides_of, titles_of
from themes import load_theme
from tui.board import draw_board, line, picture, tree

THEME = load_theme("dark")
CACHES = (
    line._frame,
    line._lay_tiles,
    line._first_frame,
    tree._frame,
    tree._first_face,
    tree._search_bends,
    tree._lay_cached,
    picture._draw,
)


def is_laid_out(game):
    """Return True if a game lays tiles on a table."""
    match = new_match(GAMES[game], GAMES[game].seats[0], {})
    return hasattr(match.rules, "opens")


def drawn(view, players, size):
    return draw_board(
        view.layout,
        marks_of(view),
        *size,
        THEME,
        shape=view.shape,
        titles=titles_of(view, players),
        highest=view.highest,
        sides=sides_of(view),
    )


@pytest.mark.parametrize("size", [(80, 12), (84, 28)])
@pytest.mark.parametrize("game", filter(is_laid_out, GAMES))
def test_a_moment_is_drawn_alike_after_a_reload(game, size):
    players = GAMES[game].seats[0]
    views = [view for view in positions(game, players, (), 1) if isinstance(view, LayoutView) and view.ends]
    step_by_step = [drawn(view, players, size).rows for view in views]

    for number in range(len(views) - 1, 0, -9):
        for cache in CACHES:
            cache.cache_clear()
        assert drawn(views[number], players, size).rows == step_by_step[number]
