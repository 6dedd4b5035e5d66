"""How the last tile lay, and who wins a block: what Partners and its kin share (`docs/rules` §C.1)."""

import pytest
from msgspec.structs import replace

from core.layout.blocking import last_tile, passes_in, winner_of
from core.tiles import hand, tile
from tests.core.positions import play, position, rules

BLOCK = rules("block", 4)


@pytest.mark.parametrize(
    ("ends", "laid", "on", "other", "both"),
    [
        ((3, 5), "5|3@3", 3, 5, True),
        ((3, 5), "5|3@5", 5, 3, True),
        ((3, 5), "6|3", 3, 5, False),
        ((3, 3), "6|3", 3, 3, True),
        ((3, 3), "3|3", 3, 3, True),
        ((0, 4), "0|0", 0, 4, False),
    ],
)
def test_the_last_tile_lay_on_one_number_while_the_other_end_showed_another(ends, laid, on, other, both):
    name = laid.partition("@")[0]
    last = last_tile(play(BLOCK, position(BLOCK, ends, f"{name} 1|1", "2|2", "2|2", "2|2"), laid))

    assert (last.tile, last.on, last.other, last.fits_both) == (tile(name), on, other, both)


def over(*hands, last=3, opening=0):
    state = position(BLOCK, (6, 6), "6|5", "5|5", "4|4", "3|3", laid=(last,))
    state = replace(state, hands=tuple(map(hand, hands)), result=None)
    return replace(state, opening=state.opening._replace(seat=opening))


def test_who_goes_out_has_won_whatever_the_others_hold():
    assert winner_of(over("0|0", "", "6|6", "1|0", last=1), 2, "void") == (1, ())


@pytest.mark.parametrize(
    ("block", "found"), [("team", (2, ())), ("single", (1, ())), ("duel", (0, ())), ("void", (-1, ()))]
)
def test_a_block_goes_to_a_pair_a_hand_a_neighbour_or_nobody(block, found):
    assert winner_of(over("5|4", "4|0", "5|3", "5|4 5|0"), 2, block) == found


@pytest.mark.parametrize("block", ["team", "single", "duel"])
def test_equal_hands_are_a_tie_of_both_sides(block):
    assert winner_of(over("5|0", "4|1", "6|6", "5|5 2|0", last=2), 2, block) == (-1, (0, 1))


def test_partners_whose_hands_tie_for_the_lightest_win_by_the_one_who_laid_later():
    assert winner_of(over("5|0", "6|1", "4|1", "6|5", last=2), 2, "single") == (2, ())
    assert winner_of(over("5|0", "6|1", "4|1", "6|5", last=1, opening=2), 2, "single") == (2, ())


def test_with_single_players_the_lightest_wins_alone_and_two_of_them_tie():
    assert winner_of(over("5|2", "6|6", "4|3", last=1), 3) == (-1, (0, 2))
    assert winner_of(over("5|2", "6|6", "4|2", last=1), 3) == (2, ())


def test_turns_that_laid_nothing_were_passes():
    game = rules("block", 4)
    state = position(game, (6, 1), "5|5", "6|2 3|0", "4|4", "2|2")
    state = replace(state, turns=1)
    assert passes_in(state) == 0
    for action in (state.legal[0], None):
        state, _ = game.apply(state, action or state.legal[0])

    assert passes_in(state) == 1
