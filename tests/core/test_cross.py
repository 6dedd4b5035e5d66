"""Cross, rule by rule (`rules.md` §4.14)."""

from core.actions import Draw, Play
from core.state import Before
from core.tiles import full_set
from tests.core.positions import centred, rules


def test_cross_1_until_it_has_four_arms_only_the_centre_may_be_played_on():
    state = centred(rules("cross", 2), ("6|1 5|2", "0|0"), (5, 4, 3), centre="6|6")

    assert {str(a.tile) for a in state.legal if isinstance(a, Play)} == {"6|1"}


def test_while_the_cross_is_built_one_tile_is_drawn_and_afterwards_as_many_as_needed():
    game = rules("cross", 2)
    building = centred(game, ("5|2", "0|0"), (5, 4, 3), centre="6|6", boneyard="1|1 2|2 6|0 3|0 3|3")
    assert game.apply(building, Draw())[1][0].count == 1
    open_ = centred(game, ("2|2", "0|0"), (5, 4, 3, 1), centre="6|6", boneyard="6|6 2|0 5|0 3|0 3|3")

    assert game.apply(open_, Draw())[1][0].count == 3


def test_two_tiles_are_never_drawn():
    game = rules("cross", 2)
    state = centred(game, ("2|2", "5|1"), (5, 4, 3, 1), centre="6|6", boneyard="6|0 2|0")

    assert Draw() not in state.legal


def test_without_a_double_in_any_hand_the_tiles_are_dealt_again():
    game = rules("cross", 2)
    singles = [t for t in full_set(6) if not t.is_double]
    doubles = [t for t in full_set(6) if t.is_double]
    state = game.deal((*singles, *doubles), Before(lot=0))

    assert state.result.how == "redeal"
    assert state.result.points == (0, 0)
