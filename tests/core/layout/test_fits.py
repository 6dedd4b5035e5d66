"""What fits is looked up, and is what the game's own function says."""

import pytest

from core.games import GAMES
from core.layout.line import equal_halves
from core.layout.parts import fits_of
from core.layout.rules import LayoutRules
from core.layout.state import End
from core.tiles import full_set, tile
from tests.core.positions import rules

KINDS = [("block", 4, {}), *(("wildstar", 2, {"ws__wild_end": kind}) for kind in ("declared", "open", "same"))]
KINDS += [("matador", 2, {"mat__sum": total}) for total in (7, 10, 13)]


@pytest.mark.parametrize(("name", "players", "options"), KINDS)
def test_every_tile_fits_where_its_game_says(name, players, options):
    game = rules(name, players, **options)

    for pips in range(-1, game.tiles[-1].high + 1):
        for at, side in ((0, 0), (0, 1), (0, 2), (5, 1), (7, 4)):
            fitting = game.fits.on_end[pips, at == 0]
            for a_tile in game.tiles:
                assert fitting.get(a_tile, ()) == game.meets(a_tile, End(at, side, pips, 3))


def test_what_fits_does_not_depend_on_the_side_or_whose_train_it_is():
    for variant in GAMES.values():
        game = variant.rules(variant.seats[1], {})[1]
        for a_tile in game.tiles if isinstance(game, LayoutRules) else ():
            for at in (0, 5):
                ends = [End(at, side, 3, owner) for side in range(6) for owner in (-1, 0, 1)]
                assert len({game.meets(a_tile, end) for end in ends}) == 1


def test_on_a_line_a_tile_goes_to_the_left_end_first():
    ways = fits_of(equal_halves, full_set(6)).on_line[4, True, 6, False]

    assert ways[tile("6|4")] == ((0, 6), (1, 4))
    assert ways[tile("4|1")] == ((0, 1),)
    assert ways[tile("6|6")] == ((1, 6),)
    assert tile("5|5") not in ways


def test_a_tile_that_fits_both_ways_round_does_so_on_each_end():
    ways = rules("matador", 2).fits.on_line[1, False, 2, False]

    assert ways[tile("6|1")] == ((0, 1), (0, 6), (1, 1), (1, 6))


@pytest.mark.parametrize("name", ["block", "matador", "wildstar"])
def test_matches_of_a_game_share_what_was_looked_up(name):
    assert rules(name, 2).fits is rules(name, 2).fits
