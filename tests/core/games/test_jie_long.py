"""Jie Long and related games, rule by rule (`docs/rules` §C.5)."""

import pytest
from msgspec.structs import replace

from core.actions import Play, PutDown, Shed
from core.layout.state import NOBODY
from core.tiles import CHINESE_SET, hand, in_order, pips, tile
from core.words import BadOption
from tests.core.positions import deal_of, one_ended, rules

DOUBLES = "6|6 6|6 1|1 1|1 4|4 4|4 5|5 3|1"


def settled(game, *counts, leader=0, laid=(0, 1, 2, 3)):
    """Return the result of a round in which each seat has laid `counts` pips face down, and holds nothing."""
    tiles = {0: "", 2: "1|1", 5: "4|1", 10: "6|4", 12: "6|6", 18: "6|6 5|1", 34: "6|6 6|6 6|4"}
    shed = tuple(in_order(tiles[count]) for count in counts)
    state = one_ended(game, 2, *[""] * len(counts), leader=leader, laid=laid)
    assert [pips(down) for down in shed] == list(counts)
    return game.ending.settle(replace(state, shed=shed))


def test_the_chinese_set_has_32_tiles_and_227_pips():
    assert len(CHINESE_SET) == 32
    assert pips(CHINESE_SET) == 227
    assert len(set(CHINESE_SET)) == 21
    assert [CHINESE_SET.count(tile(text)) for text in ("6|6", "3|1", "5|1", "6|3", "2|1")] == [2, 2, 2, 1, 1]


def test_jl_1_every_two_players_settle_their_difference():
    over = settled(rules("jie-long", 4), 2, 12, 34, 18)

    assert (over.winner, over.points) == (0, (58, 18, -70, -6))


def test_jl_1_with_chips_each_loser_gives_the_winner_one():
    over = settled(rules("jie-long", 4, jl__pay="chip"), 2, 12, 34, 18)

    assert over.points == (3, -1, -1, -1)


def test_jl_1_with_own_counts_each_player_writes_theirs_and_the_lowest_wins():
    game = rules("jie-long", 4, jl__pay="own")

    assert settled(game, 2, 12, 34, 18).points == (2, 12, 34, 18)
    assert (game.goal.target, game.goal.lowest) == (100, True)


def test_jl_2_equal_tiles_are_one_choice():
    game = rules("jie-long", 4)
    state = one_ended(game, 6, "6|6 6|6 6|1 5|4", "4|4", "4|4", "3|3")

    assert [(play.tile, play.out) for play in state.legal] == [(tile("6|1"), 1), (tile("6|6"), 6)]


def test_jl_2_a_stuck_player_lays_any_tile_face_down():
    game = rules("jie-long", 4)
    state = one_ended(game, 3, "6|6 5|4 1|1", "4|3", "4|4", "3|3")

    assert set(state.legal) == {Shed(tile("6|6")), Shed(tile("5|4")), Shed(tile("1|1"))}


def test_jl_2_the_leader_says_which_half_is_open():
    game = rules("jie-long", 4)
    leads = deal_of(game, "6|1 5|5 5|5").legal

    plays = [play for play in leads if play.tile in (tile("6|1"), tile("5|5"))]
    assert plays == [
        Play(tile("6|1"), -1, 0, 6),
        Play(tile("6|1"), -1, 0, 1),
        Play(tile("5|5"), -1, 0, 5),
    ]


def test_jl_3_ce_deng_doubles_payments_to_seats_that_laid_no_tile_face_down():
    game = rules("jie-long", 4, jl__game="ce-deng")
    state = one_ended(game, 2, "", "", "", "", laid=(0, 1, 1, 2, 2, 3, 1))
    shed = ("6|6 6|6 4|1 3|1 2|1 1|1 1|1", "", "6|4", "6|6 6|4")
    over = game.ending.settle(replace(state, shed=tuple(map(in_order, shed))))
    paid = {
        (seat, term.seat): term.amount for seat, terms in enumerate(over.sums) for term in terms if term.amount < 0
    }

    assert [pips(own) for own in over.hands] == [40, 0, 10, 22]
    assert paid == {(0, 1): -160, (0, 2): -60, (0, 3): -36, (2, 1): -20, (3, 1): -44, (3, 2): -12}
    assert over.points == (-256, 224, 52, -20)


def test_jl_3_tiles_that_are_still_held_count_as_laid_down():
    game = rules("jie-long", 4, jl__game="ce-deng")
    state = one_ended(game, 2, "", "1|1", "6|4", "5|5", laid=(0, 2, 3, 0))
    over = game.ending.settle(state)

    assert over.points[1] == -2 * 2 * 2 + 8 + 8, "P1 holds what it was dealt, and pays P0 double twice"


def test_jl_4_ding_niu_pays_by_places_and_ties_favour_the_later_seat():
    over = settled(rules("jie-long", 4, jl__game="ding-niu"), 10, 5, 5, 10)

    assert (over.winner, over.points) == (1, (-3, 6, -1, -2))


def test_a_tile_face_down_ends_the_turn_and_is_hidden_from_others():
    game = rules("jie-long", 4)
    state, events = game.apply(one_ended(game, 3, "6|6 5|4", "4|3", "4|4", "3|3"), Shed(tile("5|4")))

    assert events == (PutDown(0, tile("5|4")),)
    assert (state.turn, state.hands[0], state.shed) == (1, hand("6|6"), (hand("5|4"), (), (), ()))
    assert (game.view(state, 0).own_shed, game.view(state, 1).own_shed) == (hand("5|4"), ())
    assert game.view(state, 1).shed == (1, 0, 0, 0)
    assert "5|4" not in repr(game.view(state, NOBODY))


@pytest.mark.parametrize("kind", ["ce-deng", "ding-niu"])
@pytest.mark.parametrize("players", [2, 3])
def test_ce_deng_and_ding_niu_are_for_four_players(kind, players):
    with pytest.raises(BadOption, match="four players"):
        rules("jie-long", players, jl__game=kind)


def test_ce_deng_deals_again_if_a_hand_has_seven_doubles():
    again = deal_of(rules("jie-long", 4, jl__game="ce-deng"), DOUBLES).result

    assert (again.how, again.points) == ("doubles", (0, 0, 0, 0))
    assert deal_of(rules("jie-long", 4), DOUBLES).result is None
