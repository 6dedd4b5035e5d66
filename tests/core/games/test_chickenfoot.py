"""Chickenfoot, rule by rule (`docs/rules` §2.5)."""

import pytest
from msgspec.structs import replace

from core.actions import Draw, Pass, Play
from core.layout.state import Before, Placed
from core.tiles import full_set, tile
from tests.core.positions import centred as table
from tests.core.positions import result, rules

DRAW, PASS = Draw(), Pass()


def tiles(state):
    return sorted({str(a.tile) for a in state.legal if isinstance(a, Play)})


def lay(game, state, text, on=None):
    shown = {(end.at, end.side): end.pips for end in state.ends}
    return game.apply(
        state,
        next(
            a
            for a in state.legal
            if isinstance(a, Play) and a.tile == tile(text) and on in (None, shown[a.at, a.side])
        ),
    )[0]


def ends(state):
    return sorted(end.pips for end in state.ends)


def test_cf_1_until_the_four_arms_exist_only_the_centre_may_be_played_on():
    game = rules("chickenfoot", 2)

    assert tiles(table(game, ("9|0 5|5 5|2 9|7", "1|1"), (5, 2))) == ["9|0", "9|7"]


def test_cf_2_a_double_wants_three_toes_before_any_other_play():
    game = rules("chickenfoot", 2)
    state = table(game, ("5|5 5|8 6|6", "5|1 0|4 7|7 5|0"), (5, 2, 0, 7))
    state = lay(game, state, "5|5")
    assert tiles(state) == ["5|0", "5|1"]
    for text in ("5|1", "8|5", "5|0"):
        state = lay(game, state, text)

    assert ends(state) == [0, 0, 1, 2, 7, 8]


def test_cf_3_a_stuck_player_draws_one_and_must_play_it_as_a_toe_if_it_fits():
    game = rules("chickenfoot", 2)
    for head, fits in (("6|2", False), ("5|3", True)):
        state = table(game, ("5|5 1|1", "0|4 7|7"), (5, 2, 0, 7), boneyard=f"{head} 8|8 5|6")
        state = lay(game, state, "5|5")
        state, _ = game.apply(state, DRAW)
        assert (tiles(state) == ["5|3"]) is fits
        assert (state.legal == (PASS,)) is not fits


@pytest.mark.parametrize(("zero", "points"), [(50, 70), (25, 45), (0, 20)])
def test_cf_4_own_pips_count_and_the_double_blank_fifty(zero, points):
    game = rules("chickenfoot", 2, zero_zero=zero)
    state = lay(game, table(game, ("5|1", "0|0 9|8 3|0"), (5, 2, 0, 7)), "5|1")

    assert result(state).points == (0, points)


def test_cf_blank_half_every_blank_half_of_a_single_counts_25():
    game = rules("chickenfoot", 2, cf__blank_half=25)
    state = lay(game, table(game, ("5|1", "0|0 9|8 3|0"), (5, 2, 0, 7)), "5|1")

    assert [(term.what, term.amount) for term in result(state).sums[1]] == [
        ("pips", 20),
        ("blank", 50),
        ("blank_halves", 25),
    ]


def test_a_short_foot_is_finished_with_the_toes_it_has():
    game = rules("chickenfoot", 2)
    state = table(game, ("5|5 1|1", "8|8 2|1"), (5, 2, 0, 7))
    fives = tuple(Placed(tile(f"{n}|5"), 1, 9, n, 0) for n in range(10) if n not in (5, 9))
    state = lay(game, game.settled(replace(state, layout=state.layout + fives)), "5|5")

    assert state.owed == ()
    assert ends(state) == [0, 2, 7]
    assert tiles(state) == ["2|1"]


def test_going_out_with_a_double_ends_the_round_at_once():
    game = rules("chickenfoot", 2)

    assert result(lay(game, table(game, ("5|5", "1|1"), (5, 2, 0, 7)), "5|5")).how == "out"


@pytest.mark.parametrize("arms", [4, 6, 8])
def test_the_centre_may_have_more_arms(arms):
    game = rules("chickenfoot", 2, cf__arms=arms)
    state = table(game, ("9|1", "1|1"), ())

    assert len(state.owed) == len(state.ends) == arms
    assert len(state.legal) == 1, "free arms are mirror places"


@pytest.mark.parametrize(("players", "size"), [(2, 21), (3, 14), (4, 11), (5, 8), (6, 7), (7, 6), (8, 5)])
def test_hand_sizes(players, size):
    assert rules("chickenfoot", players).start.hand == size


def test_the_holder_of_the_rounds_double_lays_it_and_the_next_seat_moves():
    game = rules("chickenfoot", 3)
    centre = tile("8|8")
    rest = [t for t in full_set(9) if t != centre]
    order = (*rest[:20], centre, *rest[20:])
    state = game.deal(tuple(order), Before(lot=0, leader=0, winner=2, round=2))

    assert (state.turn, [a.tile for a in state.legal]) == (1, [centre])
    assert game.apply(state, state.legal[0])[0].turn == 2


def test_a_centre_that_nobody_holds_is_drawn_for_from_the_previous_winner_on():
    game = rules("chickenfoot", 3)
    rest = [t for t in full_set(9) if t != tile("8|8")]
    order = (*rest[:44], tile("8|8"), *rest[44:])
    state = game.deal(tuple(order), Before(lot=0, leader=0, winner=2, round=2))
    seen = []
    while not state.layout:
        seen.append(state.turn)
        state, _ = game.apply(state, DRAW)

    assert seen == [2, 0, 1]
    assert state.turn == 2


def test_with_the_centre_aside_the_leader_moves_first_and_moves_on():
    game = rules("chickenfoot", 3, cf__center="aside")
    state = game.deal(full_set(9), Before(lot=0, leader=2, winner=1, round=3))

    assert state.turn == 0
    assert state.layout[0].tile == tile("7|7")


def test_cf_yard_empty_end_round_ends_at_the_first_stuck_turn():
    game = rules("chickenfoot", 2, cf__yard_empty="end_round")
    state = table(game, ("5|1 8|8", "6|6"), (5, 2, 0, 7))

    assert result(lay(game, state, "5|1")).how == "blocked"


def test_a_blocked_round_is_led_next_by_the_lowest_count():
    game = rules("chickenfoot", 3)

    assert result(table(game, ("8|8", "6|6", "4|4"), (5, 2, 0, 7))).winner == 2
