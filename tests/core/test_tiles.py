"""Tiles and sets (`docs/rules` §0)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.tiles import Tile, full_set, hand, in_order, pips, tile, weight

tiles = st.tuples(st.integers(0, 18), st.integers(0, 18)).map(lambda halves: Tile(*sorted(halves)))


@pytest.mark.parametrize(
    ("highest", "tiles", "total"),
    [(6, 28, 168), (7, 36, 252), (9, 55, 495), (12, 91, 1092), (15, 136, 2040), (18, 190, 3420)],
)
def test_a_double_n_set_has_its_known_tiles_and_pips(highest, tiles, total):
    assert len(set(full_set(highest))) == tiles
    assert pips(full_set(highest)) == total


def test_every_number_of_a_double_n_set_is_on_n_plus_1_tiles():
    assert all(sum(number in t for t in full_set(9)) == 10 for number in range(10))


@given(tiles)
def test_parsing_is_the_inverse_of_the_text_of_a_tile(a_tile):
    assert tile(str(a_tile)) == a_tile


@pytest.mark.parametrize(("text", "halves", "pips_", "wild"), [("7|*", (-1, 7), 7, 1), ("*", (-1, -1), 0, 2)])
def test_a_wild_half_has_no_pips_and_sorts_first(text, halves, pips_, wild):
    assert (tuple(tile(text)), str(tile(text))) == (halves, text)
    assert (tile(text).pips, tile(text).wild_halves, tile(text).is_double) == (pips_, wild, False)
    assert hand(f"0|0 {text}")[0] == tile(text)


def test_a_hand_is_sorted_and_a_boneyard_keeps_its_order():
    assert hand("6|4, 0-1 1|1") == (Tile(0, 1), Tile(1, 1), Tile(4, 6))
    assert in_order("6|4 0|1") == (Tile(4, 6), Tile(0, 1))


@pytest.mark.parametrize("text", ["", "6", "6|4|2", "a|b", "6|-1", "６|", "6|4.0"])
def test_text_that_names_no_tile_is_refused_in_a_sentence(text):
    with pytest.raises(ValueError, match="not a tile"):
        tile(text)


def test_the_heaviest_tile_has_most_pips_then_the_larger_bigger_half():
    assert max(in_order("5|4 6|3 4|4"), key=weight) == tile("6|3")
