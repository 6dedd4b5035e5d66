"""The example of every game on the first screen."""

import pytest

from core.games import GAMES
from core.layout.state import LayoutView
from core.tricks.state import TrickView
from tui.screens.menu import _example, example

TABLES = [(name, players) for name, game in GAMES.items() for players in range(game.seats[0], game.seats[1] + 1)]


@pytest.mark.parametrize(("name", "players"), TABLES)
def test_an_example_is_a_running_game_on_the_viewers_turn(name, players):
    view = example(name, players).match.play
    assert view.result is None
    assert view.seat == 0
    assert view.turn == 0
    if isinstance(view, LayoutView):
        assert len(view.layout) > 1
    elif isinstance(view, TrickView):
        assert view.trick
    else:
        assert view.legal


def test_an_example_is_always_the_same():
    before = example("chickenfoot", 4)
    _example.cache_clear()
    assert example("chickenfoot", 4) == before
