"""Who writes what where the loser's own pips count against them (`docs/rules` §4.2)."""

from tests.core.positions import play, position, result, rules


def test_whoever_wins_a_block_writes_nothing():
    over = result(position(rules("gaple", 2), (6, 6), "5|4", "2|1"))

    assert (over.how, over.winner, over.points) == ("gaple", 1, (9, 0))
    assert over.tied == ()


def test_all_with_the_lightest_hand_win_and_the_last_of_them_to_lay_a_tile_leads():
    over = result(position(rules("gaple", 3), (6, 6), "5|4", "2|1", "3|0", laid=(1, 0, 2, 0)))

    assert (over.winner, over.points, over.tied) == (2, (9, 0, 0), (1, 2))


def test_where_none_of_the_lightest_has_laid_a_tile_the_first_from_the_leader_on_leads():
    assert result(position(rules("gaple", 3), (6, 6), "5|4", "2|1", "3|0", laid=(0, 0))).winner == 1


def test_where_all_write_the_lightest_hand_wins_and_equal_ones_share_that():
    game = rules("hungarian", 3)
    alone, shared = (
        result(position(game, (6, 6), *hands)) for hands in (("5|4", "2|1", "4|0"), ("5|4", "2|1", "3|0"))
    )

    assert (alone.winner, alone.tied, alone.points) == (1, (), (9, 3, 4))
    assert (shared.winner, shared.tied, shared.points) == (-1, (1, 2), (9, 3, 3))


def test_a_hand_of_nothing_but_the_double_blank_writes_nothing():
    game = rules("gaple", 2)

    assert result(play(game, position(game, (4, 2), "4|1", "0|0"), "4|1")).points == (0, 0)
