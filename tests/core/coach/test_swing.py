"""The threshold for a blunder is a share of the points of a usual round of the game."""

import pytest

from core.coach.review import _swing, threshold_of
from core.games import GAMES
from core.match import new_match


def threshold(name, players, **options):
    return threshold_of(new_match(GAMES[name], players, options).view(0))


def test_a_blunder_costs_3_to_4_points_in_block_and_about_6_in_draw():
    assert 3 <= threshold("block", 2) <= 4
    assert 5 <= threshold("draw", 2) <= 7


def test_a_blunder_costs_part_of_a_mark_in_forty_two():
    assert 0.1 < threshold("forty-two", 4) < 0.5


@pytest.mark.parametrize("name", ["chickenfoot", "stakes", "blind-hughie", "moon", "tien-gow", "patience"])
def test_every_game_has_a_threshold(name):
    assert threshold(name, GAMES[name].seats[0]) > 0


def test_a_threshold_that_is_computed_again_is_the_same():
    first = threshold("draw", 3)
    _swing.cache_clear()

    assert threshold("draw", 3) == first
