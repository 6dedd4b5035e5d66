"""A tile chosen in advance, while others play."""

import pytest

from core.actions import Play
from core.tiles import Tile
from tests.tui.tables import match_at
from tui.text.queued_tile import QueuedTile

NAMES = ("ada", "bela")
FITTING, UNFITTING, FITTING_TWICE = Tile(4, 6), Tile(2, 3), Tile(1, 6)


def view(turn=0):
    return match_at((6, 1), "6|4 3|2 6|1", "0|0 5|5", game="block", turn=turn).view(0).play


def queued(tile):
    queued_tile = QueuedTile()
    queued_tile.is_raised = True
    queued_tile.press(tile)
    return queued_tile


def test_the_sentence_offers_to_queue_a_raised_tile_and_then_to_cancel():
    queued_tile = QueuedTile()
    assert queued_tile.sentence(FITTING) == ""
    queued_tile.is_raised = True
    assert queued_tile.sentence(FITTING) == "Enter: play 6|4 when it is your turn."
    queued_tile.press(FITTING)
    assert queued_tile.sentence(UNFITTING) == "6|4 will be played on your turn; Enter cancels that."


def test_enter_again_cancels_the_queued_tile():
    queued_tile = queued(FITTING)
    queued_tile.press(FITTING)

    assert queued_tile.due(view(), NAMES) == (None, "")


def test_only_raised_tiles_are_queued():
    queued_tile = QueuedTile()
    queued_tile.press(FITTING)

    assert queued_tile.tile is None


def test_a_queued_tile_that_still_fits_is_played_at_once():
    action, words = queued(FITTING).due(view(), NAMES)

    assert isinstance(action, Play)
    assert (action.tile, words) == (FITTING, "")


def test_a_queued_tile_that_no_longer_fits_is_explained():
    action, words = queued(UNFITTING).due(view(), NAMES)

    assert (action, words) == (None, "3|2 fits nowhere: ends 6, 1.")


def test_a_queued_tile_that_fits_in_two_places_asks_for_a_choice():
    action, words = queued(FITTING_TWICE).due(view(), NAMES)

    assert action.tile == FITTING_TWICE
    assert words == "6|1 fits in more than one place; choose one."


@pytest.mark.parametrize("tile", [FITTING, UNFITTING, Tile(5, 5)])
def test_the_queue_is_empty_after_the_turn_whatever_the_tile(tile):
    queued_tile = queued(tile)
    queued_tile.due(view(), NAMES)

    assert queued_tile.due(view(), NAMES) == (None, "")
    assert not queued_tile.is_raised
