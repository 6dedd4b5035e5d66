"""Spinner, rule by rule (`docs/rules` §C.14)."""

import pytest
from msgspec.structs import replace

from core.actions import Led
from core.games.spinner import ANY, fits
from core.layout.state import End, Opening, PlacedTile, RoundContext, State
from core.tiles import STAR, hand, in_order, pips, tile
from tests.core.positions import play, plays, position, rules

GAME = rules("spinner", 4)


def opened(*hands, round=1, boneyard="9|8", game=GAME):
    """Return a round that begins with `hands`."""
    held = tuple(map(hand, hands))
    before = RoundContext(0, leader=0, winner=0, round=round)
    opening = game.start.opener(held, before)
    return game.complete(State(held, in_order(boneyard), (), (), opening.seat, opening, before))


@pytest.mark.parametrize(("text", "worth"), [("7|*", 17), ("*", 20), ("4|4", 8), ("0|0", 0), ("3|* * 1|0", 34)])
def test_sn_1_a_wild_half_counts_ten(text, worth):
    over = GAME.ending.settle(position(GAME, (9, 8), text, "1|1", "1|1", "1|1", boneyard="5|5"))

    assert over.points[0] == worth


def test_sn_1_the_whole_set_counts_660():
    over = GAME.ending.settle(replace(position(GAME, (9, 8), "1|0", "", "", ""), hands=(GAME.tiles, (), (), ())))

    assert (len(GAME.tiles), over.points[0]) == (66, 660)
    assert sum(term.amount for term in over.sums[0] if term.kind == "star") == 120
    assert pips(tuple(t for t in GAME.tiles if t.low >= 0)) == 495


def test_sn_2_moves_are_counted_by_the_number_that_lies_outward():
    line = (
        PlacedTile(tile("9|9"), -1, 0, 9, 0),
        PlacedTile(tile("9|4"), 0, 0, 4, 1),
        PlacedTile(tile("4|4"), 1, 1, 4, 2),
    )
    ends = tuple(End(2, side, 4) for side in (1, 4, 5))
    held = tuple(map(hand, ("4|1 2|* * 5|5", "1|1", "2|2", "3|3")))
    state = State(held, (), line, ends, 0, Opening(0, (), "centre"), RoundContext(0), owed=(2, 2, 2))

    assert plays(GAME.complete(state)) == sorted(["4|1@4→1", "2|*@4→2", *(f"*@4→{number}" for number in range(10))])


@pytest.mark.parametrize(("text", "outs"), [("7|*", ANY), ("3|*", (3,)), ("*", ANY), ("7|4", (4,)), ("5|4", ())])
def test_sn_2_a_wild_half_fits_any_number_and_shows_one_that_is_named(text, outs):
    assert fits(tile(text), 7) == outs


def test_sn_3_the_wildstar_is_laid_if_the_centre_is_in_no_hand():
    state = opened("1|0 2|0 5|4", "8|1 8|2 3|0", "* 8|* 4|3", "8|3 5|*", round=2)
    assert (state.turn, [action.tile for action in state.legal]) == (2, [STAR])

    state, events = GAME.apply(state, state.legal[0])
    assert events == (Led(2, STAR, "centre"),)
    assert (state.layout[0].out, state.owed, state.turn) == (8, (0, 0), 3)
    assert plays(state) == ["5|*@8→5", "8|3@8→3"]


def test_sn_3_a_later_double_of_the_centre_is_an_ordinary_one_with_a_foot_of_its_own():
    state = opened("1|0 2|0 5|4", "8|1 8|2 3|0", "* 8|* 4|3", "8|3 5|*", round=2)
    state, _ = GAME.apply(state, state.legal[0])
    state = play(GAME, state, "8|3")
    held = (hand("8|8 8|5"), *state.hands[1:])
    state = GAME.complete(replace(state, hands=held))
    assert plays(state) == ["8|5@8→5"]

    line = (*state.layout, PlacedTile(tile("8|5"), 0, 1, 5, 0), PlacedTile(tile("8|*"), 1, 1, 8, 1))
    state = replace(
        state, layout=line, ends=(End(2, 1, 5), End(3, 1, 8)), owed=(), hands=(hand("8|8 1|0"), *held[1:])
    )
    state = play(GAME, GAME.complete(state), "8|8")
    assert state.owed == (4, 4, 4)


@pytest.mark.parametrize(("players", "size"), [(2, 14), (3, 7), (8, 7)])
def test_two_take_fourteen_tiles_and_more_take_seven(players, size):
    game = rules("spinner", players)
    state = game.deal(game.tiles, RoundContext(lot=0))

    assert [len(hand) for hand in state.hands] == [size] * players
