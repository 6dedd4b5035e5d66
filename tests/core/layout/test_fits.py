"""What fits is looked up, and is what the game's own function says."""

import pytest

from core.layout.line import equal_halves
from core.layout.state import fits_of
from core.tiles import STAR, full_set, tile
from tests.core.positions import rules

KINDS = [("block", 4, {}), *(("wildstar", 2, {"ws__wild_end": kind}) for kind in ("declared", "open", "same"))]
KINDS += [("matador", 2, {"mat__sum": total}) for total in (7, 10, 13)]


@pytest.mark.parametrize(("name", "players", "options"), KINDS)
def test_every_tile_fits_where_its_game_says(name, players, options):
    game = rules(name, players, **options)

    for pips in range(-1, game.tiles[-1].high + 1):
        for a_tile in game.tiles:
            assert game.fits.on_end[pips].get(a_tile, ()) == game.meets(a_tile, pips)


def test_where_something_is_owed_only_what_answers_fits():
    assert STAR in rules("wildstar", 2).fits.on_end[9]
    assert STAR not in rules("wildstar", 2).answers.on_end[9]
    assert rules("chickenfoot", 2).answers is rules("chickenfoot", 2).fits


def test_on_a_line_a_tile_goes_to_the_left_end_first():
    ways = fits_of(equal_halves, full_set(6)).on_line(4, 6)

    assert ways[tile("6|4")] == ((0, 6), (1, 4))
    assert ways[tile("4|1")] == ((0, 1),)
    assert ways[tile("6|6")] == ((1, 6),)
    assert tile("5|5") not in ways


def test_a_tile_that_fits_both_ways_round_does_so_on_each_end():
    ways = rules("matador", 2).fits.on_line(1, 2)

    assert ways[tile("6|1")] == ((0, 1), (0, 6), (1, 1), (1, 6))


@pytest.mark.parametrize("name", ["block", "matador", "wildstar"])
def test_matches_of_a_game_share_what_was_looked_up(name):
    assert rules(name, 2).fits is rules(name, 2).fits
