"""Wildstar, rule by rule (`docs/rules` §2.8)."""

import pytest

from core.actions import Draw, Pass, Play
from core.games import GAMES
from core.layout.line import counted
from core.layout.state import Before
from core.tiles import STAR, hand, tile
from core.words import BadOption
from tests.core.positions import centred as table
from tests.core.positions import result, rules


def plays(state):
    return [a for a in state.legal if isinstance(a, Play)]


def test_the_set_counts_625_in_all():
    assert sum(term.amount for term in counted(tuple(rules("wildstar", 2).tiles), 0, 30, 10)) == 625
    assert len(rules("wildstar", 2).tiles) == 60


def test_ws_1_in_the_star_phase_only_the_centre_number_and_no_star():
    state = table(rules("wildstar", 2), ("9|4 * 6|6 9|0", "1|1"), (1, 2))

    assert sorted(str(a.tile) for a in plays(state)) == ["9|0", "9|4"]


@pytest.mark.parametrize(("wild_end", "moves"), [("declared", 51), ("open", 6), ("same", 6)])
def test_ws_2_a_star_goes_on_any_end_and_names_its_outer_number(wild_end, moves):
    state = table(rules("wildstar", 2, ws__wild_end=wild_end), ("* 4|4 3|5", "6|6"), (4, 0, 7, 2, 1))

    assert len(plays(state)) == moves


def test_two_stars_in_a_hand_are_one_choice():
    one = table(rules("wildstar", 2), ("* 4|4 3|5", "6|6"), (4, 0, 7, 2, 1))
    two = table(rules("wildstar", 2), ("* * 4|4 3|5", "6|6"), (4, 0, 7, 2, 1))

    assert plays(one) == plays(two)


def test_ws_3_counts():
    assert sum(term.amount for term in counted(tuple(hand("* * 0|0 6|5")), 0, 30, 10)) == 81


def ws_4(**options):
    game = rules("wildstar", 4, **options)
    state = table(game, ("9|3", "* 9|8", "9|4", "* * 0|0 6|5"), (4, 0, 7, 2, 1), turn=2)
    return result(game.apply(state, next(a for a in plays(state)))[0])


def test_ws_4_everybody_else_adds_their_own_count():
    assert ws_4().points == (12, 37, 0, 81)
    assert ws_4().winner == 2


def test_ws_4_collect_pays_the_winner_all_of_it():
    assert ws_4(ws__score="collect").points == (0, 0, 130, 0)


def test_in_teams_only_the_other_teams_hands_count():
    assert ws_4(ws__teams="on").points == (0, 118)
    assert ws_4(ws__teams="on", ws__score="collect").points == (118, 0)


def test_teams_need_an_even_number():
    with pytest.raises(BadOption, match="even number"):
        GAMES["wildstar"].rules(5, {"ws.teams": "on"})


def test_blocked_everybody_adds_their_own_count():
    state = table(rules("wildstar", 2), ("6|6", "5|5"), (4, 0, 7, 2, 1))

    assert result(state).points == (12, 10)
    assert result(state).winner == 1


def test_a_drawn_tile_may_be_kept_or_must_be_played():
    for drawn, legal in (("may", True), ("must", False)):
        game = rules("wildstar", 2, ws__drawn=drawn)
        state = table(game, ("6|6", "5|5"), (4, 0, 7, 2, 1), boneyard="4|3 8|8")
        state, _ = game.apply(state, Draw())
        assert (Pass() in state.legal) is legal


def test_ws_draw_until_a_stuck_player_draws_until_a_tile_fits():
    game = rules("wildstar", 2, ws__draw="until")
    state = table(game, ("6|6", "5|5"), (4, 0, 7, 2, 1), boneyard="3|3 5|3 9|4")

    after, _ = game.apply(state, Draw())

    assert (len(after.hands[0]), after.boneyard) == (4, ())
    assert Draw() not in after.legal


def test_on_an_open_wild_end_any_tile_goes_either_way_round():
    game = rules("wildstar", 2, ws__wild_end="open")
    state = table(game, ("* 6|5 3|3", "6|5 8|8 *"), (4, 0, 7, 2, 1))
    star = next(a for a in plays(state) if a.tile == STAR)
    state, _ = game.apply(state, star)
    on_star = [(str(a.tile), a.out) for a in plays(state) if a.at == len(state.layout) - 1]

    assert sorted(on_star) == [("*", -1), ("6|5", 5), ("6|5", 6), ("8|8", 8)]


def test_a_declared_star_shows_the_named_number():
    game = rules("wildstar", 2)
    state = table(game, ("* 6|5", "8|3 1|1"), (4, 0, 7, 2, 1))
    named = next(a for a in plays(state) if a.tile == STAR and a.out == 8)
    state, _ = game.apply(state, named)

    assert [a.out for a in plays(state) if a.tile == tile("8|3")] == [3]


@pytest.mark.parametrize(
    ("players", "size", "pile"),
    [(2, 20, 20), (3, 10, 30), (4, 10, 20), (5, 10, 10), (6, 7, 18), (7, 7, 11), (8, 7, 4)],
)
def test_deals(players, size, pile):
    game = rules("wildstar", players)
    state = game.deal(game.tiles, Before(lot=0))

    assert [len(h) for h in state.hands] == [size] * players
    assert len(state.boneyard) == pile


def test_with_opener_previous_winner_the_shuffler_makes_the_first_star_play():
    game = rules("wildstar", 3, ws__opener="previous_winner")
    rest = [t for t in game.tiles if t != tile("8|8")]
    order = (*rest[:15], tile("8|8"), *rest[15:])
    state = game.deal(tuple(order), Before(lot=0, leader=0, winner=0, round=2))
    assert state.turn == 1

    assert game.apply(state, state.legal[0])[0].turn == 0
