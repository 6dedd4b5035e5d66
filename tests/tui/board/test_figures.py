"""The figures of the numbers above nine on the largest tiles."""

import pytest

from tui.board.faces import drawable, in_blocks


@pytest.mark.parametrize("number", range(10, 19))
def test_every_number_of_the_largest_set_has_a_figure_of_five_columns_and_three_rows(number):
    assert drawable(number)
    assert [len(row) for row in in_blocks(number)] == [5, 5, 5]


def test_every_number_has_a_figure_of_its_own():
    assert len({in_blocks(number) for number in range(10, 19)}) == 9


def test_pips_and_stars_have_no_figure():
    assert not any(map(drawable, (-1, 0, 9, 19)))
