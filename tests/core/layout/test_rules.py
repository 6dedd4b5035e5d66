"""The engine of layouts: legal actions, and the end of a round (`docs/rules` §0)."""

import pytest
from msgspec.structs import replace

from core.actions import Draw, Pass, Passed, Play, Scored
from core.tiles import tile
from core.words import Illegal
from tests.core.positions import play, position, rules

DRAW, PASS = Draw(), Pass()


def test_a_limit_of_draws_never_blocks_while_the_boneyard_stands_above_its_reserve():
    game = rules("draw", 2, draw__max=1, draw__reserve=2)
    state = position(game, (5, 5), "0|0", "6|4", boneyard="2|1 6|6 4|4 3|3")

    seen = []
    while state.result is None:
        state, events = game.apply(state, state.legal[0])
        seen += events

    assert [type(event).__name__ for event in seen] == ["Drew", "Passed", "Drew", "RoundOver"]


def test_an_action_that_is_not_legal_is_refused():
    game = rules("draw", 2)
    state = position(game, (6, 1), "6|4", "0|0", boneyard="5|5")

    for tile_, at, side, out in [("6|4", 1, 1, 4), ("6|4", 0, 0, 6), ("6|2", 0, 0, 2), ("6|4", 7, 0, 4)]:
        with pytest.raises(Illegal):
            game.apply(state, Play(tile(tile_), at, side, out))


def price_passes(game, points=20):
    """Return the same rules, except that every pass brings the next seat's side some points."""

    def awards(state):
        return (Scored((state.turn + 1) % game.seats, points, reason="first_pass"),) if points else ()

    return replace(game, turns=replace(game.turns, awards=awards))


def test_a_pass_may_bring_points_to_another_seat_with_a_reason():
    game = price_passes(rules("block", 4))
    state = position(game, (6, 1), "5|5", "6|2", "4|4", "3|3")

    after, events = game.apply(state, PASS)

    assert events == (Passed(0, "no_drawing"), Scored(1, 20, reason="first_pass"))
    assert after.made == (0, 20, 0, 0)
    assert after.turn == 1


def test_a_pass_without_points_is_only_a_pass():
    for game in (rules("block", 4), price_passes(rules("block", 4), points=0)):
        after, events = game.apply(position(game, (6, 1), "5|5", "6|2", "4|4", "3|3"), PASS)

        assert events == (Passed(0, "no_drawing"),)
        assert after.made == ()


def test_the_points_of_a_side_are_its_earlier_ones_and_those_of_the_round():
    game = price_passes(rules("draw", 4, partners="yes", draw__reserve=2))
    state = position(game, (6, 1), "5|5", "6|2 3|0", "4|4", "2|2")
    state = replace(state, before=replace(state.before, scores=(100, 7)))
    assert (state.score(0), state.score(1)) == (100, 7)

    passed, _ = game.apply(state, PASS)
    again, _ = game.apply(play(game, passed, "6|2"), PASS)

    assert (passed.score(0), passed.score(1)) == (100, 27)
    assert (again.score(0), again.score(1)) == (100, 47)
