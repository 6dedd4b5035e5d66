"""The greedy bot in layout games: the tiles that it plays first, and those that it keeps."""

from random import Random

import pytest
from msgspec.structs import replace

from core.bots.greedy import greedy_bot
from core.games import GAMES
from core.layout.state import PlacedTile
from core.match import new_match
from core.tiles import tile
from tests.core.positions import position, rules


def asked(state, game="draw", players=2):
    match = replace(new_match(GAMES[game], players, {}), state=state)
    return greedy_bot(match.view(state.turn), Random(1))


def test_greedy_lays_the_heaviest_tile_that_fits():
    state = position(rules("draw", 2), (6, 1), "6|5 6|2", "0|0")

    assert asked(state).tile == tile("6|5")


def test_greedy_keeps_an_answer_to_the_open_numbers():
    state = position(rules("draw", 2), (6, 1), "6|5 6|4 4|2 4|3 3|1", "0|0")

    assert asked(state).tile == tile("6|4")


def test_greedy_draws_only_when_it_cannot_play():
    voluntary = rules("draw", 2, draw__voluntary="yes")

    assert asked(position(voluntary, (6, 1), "6|5", "0|0", boneyard="4|4")).tile == tile("6|5")
    assert type(asked(position(voluntary, (6, 1), "5|5", "0|0", boneyard="4|4"))).__name__ == "Draw"


def test_greedy_keeps_answers_by_the_rules_of_the_game():
    # In Matador, 3|3 answers the 4 of 6|4, but 5|5 does not answer the 5 of 6|5.
    state = position(rules("matador", 2), (6, 1), "6|4 6|5 5|5 3|3", "0|0")

    assert asked(state, "matador").tile == tile("6|4")


def test_greedy_keeps_its_matadors_while_anything_else_fits():
    state = position(rules("matador", 2), (6, 1), "6|1 5|2 2|1 6|3", "0|0")

    assert asked(state, "matador").tile not in {tile("6|1"), tile("5|2")}


def last_six(hand):
    """Return a line with the ends 6 and 5, where all sixes but 6|5 lie: laying it on the 5 blocks the round."""
    state = position(rules("stakes", 2), (6, 5), hand, "1|0")
    laid = tuple(PlacedTile(tile(f"6|{number}"), 0, 1, number, 0) for number in (0, 1, 2, 3, 4, 6))
    return replace(state, layout=(state.layout[0], *laid))


def test_greedy_shuts_the_line_with_the_lightest_hand_alone():
    assert asked(last_six("6|5 0|0"), "stakes").out == 6
    assert asked(last_six("6|5 5|5 4|4 3|3 4|3"), "stakes").out != 6


def test_greedy_leaves_the_others_few_places():
    # One three is unseen, and five fours.
    state = position(rules("block", 2), (6, 6), "6|4 6|3", "0|0 1|1")
    laid = tuple(PlacedTile(tile(f"3|{number}"), 0, 1, number, 0) for number in (0, 1, 2, 3, 4))

    assert asked(replace(state, layout=(state.layout[0], *laid)), "block").tile == tile("6|3")


@pytest.mark.parametrize(("number", "laid"), [(4, "6|0"), (6, "5|4")])
def test_greedy_does_not_bury_the_number_that_its_partner_laid_first(number, laid):
    state = position(rules("draw", 4, partners="yes"), (6, 4), "6|0 5|4", "1|1", "2|2", "3|3")
    layout = (replace(state.layout[0], seat=1), PlacedTile(tile("4|1"), 0, 1, number, 2))
    match = replace(new_match(GAMES["draw"], 4, {"partners": "yes"}), state=replace(state, layout=layout))

    assert greedy_bot(match.view(0), Random(1)).tile == tile(laid)
