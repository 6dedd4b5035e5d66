"""A tile chosen in advance, while others play."""

import pytest

from core.actions import Play
from core.tiles import Tile
from tests.tui.tables import match_at
from tui.text.queued_tile import QueuedTile

NAMES = ("ada", "bela")
FITS, NOT, TWICE = Tile(4, 6), Tile(2, 3), Tile(1, 6)


def view(turn=0):
    return match_at((6, 1), "6|4 3|2 6|1", "0|0 5|5", game="block", turn=turn).view(0).play


def queued(tile):
    ahead = QueuedTile()
    ahead.raised = True
    ahead.press(tile)
    return ahead


def test_enter_first_names_the_action_of_a_raised_tile_and_then_its_later_play():
    ahead = QueuedTile()
    assert ahead.sentence(FITS) == ""
    ahead.raised = True
    assert ahead.sentence(FITS) == "Enter: play 6|4 when it is your turn."
    ahead.press(FITS)
    assert ahead.sentence(NOT) == "6|4 will be played on your turn; Enter cancels that."


def test_enter_again_cancels_it():
    ahead = queued(FITS)
    ahead.press(FITS)

    assert ahead.due(view(), NAMES) == (None, "")


def test_only_raised_tiles_are_queued():
    ahead = QueuedTile()
    ahead.press(FITS)

    assert ahead.queued is None


def test_it_is_played_at_once_if_it_still_fits():
    action, words = queued(FITS).due(view(), NAMES)

    assert isinstance(action, Play)
    assert (action.tile, words) == (FITS, "")


def test_if_it_no_longer_fits_a_sentence_says_why():
    action, words = queued(NOT).due(view(), NAMES)

    assert action is None
    assert "3|2" in words


def test_if_it_fits_in_two_places_the_player_chooses():
    action, words = queued(TWICE).due(view(), NAMES)

    assert action.tile == TWICE
    assert words == "6|1 fits in more than one place; choose one."


@pytest.mark.parametrize("tile", [FITS, NOT, Tile(5, 5)])
def test_it_is_forgotten_then_and_a_tile_that_is_not_held_is_no_matter(tile):
    ahead = queued(tile)
    ahead.due(view(), NAMES)

    assert ahead.due(view(), NAMES) == (None, "")
    assert not ahead.raised
