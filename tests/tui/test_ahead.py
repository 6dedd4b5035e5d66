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


def test_the_sentence_offers_to_queue_a_raised_tile_and_then_to_cancel():
    ahead = QueuedTile()
    assert ahead.sentence(FITS) == ""
    ahead.raised = True
    assert ahead.sentence(FITS) == "Enter: play 6|4 when it is your turn."
    ahead.press(FITS)
    assert ahead.sentence(NOT) == "6|4 will be played on your turn; Enter cancels that."


def test_enter_again_cancels_the_queued_tile():
    ahead = queued(FITS)
    ahead.press(FITS)

    assert ahead.due(view(), NAMES) == (None, "")


def test_only_raised_tiles_are_queued():
    ahead = QueuedTile()
    ahead.press(FITS)

    assert ahead.queued is None


def test_a_queued_tile_that_still_fits_is_played_at_once():
    action, words = queued(FITS).due(view(), NAMES)

    assert isinstance(action, Play)
    assert (action.tile, words) == (FITS, "")


def test_a_queued_tile_that_no_longer_fits_is_explained():
    action, words = queued(NOT).due(view(), NAMES)

    assert action is None
    assert "3|2" in words


def test_a_queued_tile_that_fits_in_two_places_asks_for_a_choice():
    action, words = queued(TWICE).due(view(), NAMES)

    assert action.tile == TWICE
    assert words == "6|1 fits in more than one place; choose one."


@pytest.mark.parametrize("tile", [FITS, NOT, Tile(5, 5)])
def test_the_queue_is_empty_after_the_turn_whatever_the_tile(tile):
    ahead = queued(tile)
    ahead.due(view(), NAMES)

    assert ahead.due(view(), NAMES) == (None, "")
    assert not ahead.raised
