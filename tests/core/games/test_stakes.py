"""Stakes, rule by rule (`docs/rules` §2.9)."""

from core.actions import Play
from core.tiles import tile
from tests.core.positions import position, result, rules

ON = {"sm__debts": "on"}


def lay(game, state, text, on=None):
    pips = {(end.at, end.side): end.pips for end in state.ends}
    action = next(
        a for a in state.legal if isinstance(a, Play) and a.tile == tile(text) and on in (None, pips[a.at, a.side])
    )
    return game.apply(state, action)[0]


def apply_only(game, state):
    return game.apply(state, state.legal[0])[0]


def test_sm_1_every_loser_pays_their_dots_to_the_player_who_goes_out():
    game = rules("stakes", 4, **ON)
    state = lay(game, position(game, (4, 2), "4|1", "6|3", "6|6 2|0", "3|0"), "4|1")

    assert result(state).points == (26, -9, -14, -3)


def sm_2(**options):
    game = rules("stakes", 4, **ON, **options)
    state = position(game, (5, 6), "0|0 5|6", "6|6", "4|4", "1|1", turn=3)
    state = apply_only(game, state)
    return result(lay(game, state, "6|5", on=6))


def test_sm_2_a_blocker_with_the_lowest_hand_wins_double_and_a_pass_is_no_assistance():
    over = sm_2()

    assert (over.blocker, over.assistant) == (0, -1)
    assert over.points == (44, -24, -16, -4)


def sm_3(**options):
    game = rules("stakes", 4, **ON, **options)
    state = position(game, (0, 5), "6|6", "1|5 5|5", "0|5 5|6", "1|6", turn=1)
    return result(lay(game, lay(game, state, "5|5"), "5|0", on=5))


def test_sm_3_a_losing_blocker_pays_all_to_the_assistant():
    over = sm_3()

    assert (over.blocker, over.assistant) == (2, 1)
    assert over.points == (0, 25, -25, 0)
    assert sm_3(sm__k=2).points == (0, 50, -50, 0)


def sm_4(**options):
    game = rules("stakes", 4, **ON, **options)
    state = position(game, (3, 4), "2|5 2|6", "3|3", "1|6", "1|5 3|4", turn=2)
    state = apply_only(game, state)
    return result(lay(game, state, "4|3", on=3))


def test_sm_4_a_blocker_who_ties_for_the_lowest_does_not_win():
    over = sm_4()

    assert (over.blocker, over.assistant) == (3, -1)
    assert over.points == (15, 6, 7, -28)


def test_sm_4_inverse_pays_most_to_the_lightest():
    assert sm_4(sm__share="inverse").points == (7, 11, 10, -28)
