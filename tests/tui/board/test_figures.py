"""The figures of the numbers above nine."""

import pytest

from tui.board.faces import drawable, in_blocks, in_braille


@pytest.mark.parametrize("number", range(10, 19))
def test_every_number_of_the_largest_set_has_a_figure_in_both_sizes(number):
    blocks, dots = in_blocks(number), in_braille(number)

    assert drawable(number)
    assert [len(row) for row in blocks] == [5, 5, 5]
    assert [len(row) for row in dots] == [3, 3]


def test_no_two_numbers_have_the_same_figure():
    for figure in (in_blocks, in_braille):
        assert len({figure(number) for number in range(10, 19)}) == 9


def test_pips_and_stars_have_none():
    assert not any(map(drawable, (-1, 0, 9, 19)))
