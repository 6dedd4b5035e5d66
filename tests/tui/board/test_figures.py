"""The figures of the numbers above nine on the largest tiles."""

import pytest

from tui.board.faces import figure_rows, has_figure


@pytest.mark.parametrize("number", range(10, 19))
def test_every_number_of_the_largest_set_has_a_figure_of_five_columns_and_three_rows(number):
    assert has_figure(number)
    assert [len(row) for row in figure_rows(number)] == [5, 5, 5]


def test_every_number_has_a_figure_of_its_own():
    assert len({figure_rows(number) for number in range(10, 19)}) == 9


def test_pips_and_stars_have_no_figure():
    assert not any(map(has_figure, (-1, 0, 9, 19)))
