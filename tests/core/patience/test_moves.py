"""What may be done in games for one, where positions are at their edges (`docs/rules` §C.8)."""

from tests.core.patience.tables import moves


def test_one_tile_from_aside_goes_with_one_from_a_column():
    assert moves("luzon", "6|6/1|1/1|0/2|1/3|1/0|0/4|4/6|5") == ["6|6 0|0", "1|0 6|5", "3|1 4|4"]


def test_a_column_of_one_does_not_fill_another():
    assert moves("luzon", "/6|1/1|1/1|0/3|1/2|2/1|0/2|0") == []


def test_three_in_a_row_are_the_fewest_for_a_capture():
    assert moves("castle-rock", "3|3 3|1") == []
    assert moves("castle-rock", "6|3 6|6 6|0 5|5 2|0") == ["6|6", "6|3 6|6 6|0", "5|5"]


def test_tiles_at_the_ends_of_two_rows_do_not_touch():
    assert moves("good-neighbors", "0|0 2|1 4|3 6|5 6|6 8|7 9|8 10|9") == ["8|7 9|8", "9|8 10|9"]


def test_equal_ends_are_one_choice_and_different_ones_two():
    assert moves("draw-five", "6|4 5|4 6|5", "6|0") == ["play 6|0"]
    assert moves("draw-five", "4|3", "4|4 3|2 5|5") == ["play 3|2", "play 4|4"]
    assert moves("draw-five", "6|3 3|1", "6|1") == ["play 6|1", "play 6|1"]
