"""Prompts for a player of a layout game, and the reasons why a tile does not fit."""

import pytest
from msgspec.structs import replace

from core.actions import Draw
from core.layout.state import RoundContext
from core.prompts import ask, why_not
from core.tiles import full_set, tile
from tests.core.positions import deal_of, one_ended, play, position, rules


def asked(game_rules, state, seat=0):
    return str(ask(game_rules.view(state, seat)))


def test_a_player_who_is_not_on_turn_reads_whose_turn_it_is():
    game = rules("draw", 2)

    assert asked(game, position(game, (6, 1), "6|4", "0|0"), seat=1) == "0 is to play."


def test_a_stuck_player_reads_the_ends_and_that_they_must_draw():
    game = rules("draw", 2)
    state = position(game, (6, 1), "4|4", "0|0", boneyard="5|5 6|5 2|2")

    assert asked(game, state) == "Nothing fits, ends 6, 1: draw."
    assert asked(game, game.apply(state, Draw())[0]) == "You drew 2 tiles: now play."


def test_a_pass_is_asked_for_with_its_reason():
    game = rules("draw", 2)
    assert "boneyard is empty" in asked(game, position(game, (6, 1), "4|4", "1|0"))
    block = rules("block", 2)
    assert "nothing may be drawn" in asked(block, position(block, (6, 1), "4|4", "1|0", boneyard="5|5"))
    limited = rules("draw", 2, draw__max=1)
    state = position(limited, (6, 1), "4|4", "1|0", boneyard="5|5 3|3")
    assert "all you may" in asked(limited, limited.apply(state, Draw())[0])


@pytest.mark.parametrize(
    ("opener", "sentence"),
    [
        ("highest_double", "You lead 2|2: the highest double in any hand."),
        ("heaviest", "You lead 6|1: the heaviest tile in any hand."),
        ("lot", "You lead any tile: you were chosen by lot."),
        ("winner", "You lead any tile: you won the last round."),
        ("rotate", "You lead any tile: it is your turn to lead."),
    ],
)
def test_the_leader_reads_which_tile_leads_and_why(opener, sentence):
    game = rules("draw", 2, opener=opener)
    state = game.deal(full_set(6), RoundContext(lot=0, leader=0, winner=0, round=2))

    assert asked(game, state, state.turn) == sentence


def test_an_unplayable_tile_says_which_numbers_are_open():
    game = rules("draw", 2)
    view = game.view(position(game, (6, 1), "6|4 3|3", "0|0"), 0)

    assert str(why_not(view, tile("3|3"))) == "3|3 fits nowhere: ends 6, 1."
    assert why_not(view, tile("6|4")) is None


def test_a_player_who_may_continue_after_a_double_reads_so():
    game = rules("kozel", 2, koz__two_doubles="yes")
    state = play(game, position(game, (6, 4), "6|6 4|4 6|4", "0|0"), "6|6")

    assert asked(game, state) == "You may play on, or pass."


def test_a_player_who_continues_reads_so_and_why_the_other_end_must_wait():
    game = rules("hungarian", 2)
    state = play(game, replace(position(game, (4, 1), "4|2 2|2 6|1", "5|5 3|3"), turns=1), "4|2")

    assert asked(game, state) == "You go on as long as something fits: play a tile."
    assert str(why_not(game.view(state, 0), tile("6|1"))) == "6|1 does not fit the end where you go on: 2."


def test_where_a_double_must_lead_the_leader_reads_that_any_double_may():
    game, before = rules("amazonense", 4), RoundContext(0, leader=0, winner=0, round=2)
    state = deal_of(game, "3|3", "6|6 1|0", "5|5", "6|5", before=before)

    assert asked(game, state) == "You lead any of your doubles."


def test_where_a_double_must_lead_a_leader_without_one_is_asked_to_pass():
    game, before = rules("amazonense", 4), RoundContext(0, leader=0, winner=0, round=2)
    state = deal_of(game, "1|0 2|0 3|0 4|0 5|0 6|0 2|1", "6|6", "5|5", "6|5", before=before)

    assert asked(game, state) == "You have no double to lead: pass."


def test_a_player_who_turned_over_a_tile_reads_where_it_goes():
    game = rules("blind-hughie", 2)
    lead = deal_of(game, "6|2 4|1")
    assert asked(game, lead) == "You turn over 6|2: lead it."
    fitting, unfitting = (position(game, ends, "4|1 6|6", "5|5 2|1") for ends in ((4, 3), (2, 5)))

    assert asked(game, fitting) == "You turn over 4|1: lay it."
    assert asked(game, unfitting) == "4|1 does not fit, ends 5, 2: it goes to the end of your row."


def test_a_player_who_must_lead_the_lowest_double_reads_why():
    game = rules("bergen", 2, bg__lead="lowest")
    lowest = deal_of(game, "2|2 6|5 6|4 6|3 6|2 6|1", "4|4 4|3 5|4 5|3 5|2 5|1")

    assert asked(game, lowest) == "You lead 2|2: the lowest double in any hand."


def test_a_player_who_must_lead_a_listed_or_the_lightest_tile_reads_why():
    game = rules("telefon", 2)
    first = deal_of(game, "3|2 6|6 6|5 6|4 6|3 6|2 6|1", "5|5 5|4 5|3 5|2 5|1 5|0 4|4")
    lightest = deal_of(game, "4|1 6|5 6|4 6|3 6|2 6|1 6|0", "5|0 4|3 5|4 5|3 5|2 5|1 4|2")

    assert asked(game, first) == "You lead 3|2: nobody holds a tile that must lead before it."
    assert asked(game, lightest) == "You lead 4|1: the lightest tile in any hand."


def test_a_stuck_player_is_asked_to_lay_any_tile_face_down_in_games_that_have_it():
    game = rules("jie-long", 2)
    view = game.view(one_ended(game, 3, "6|6 5|4", "4|3"), 0)

    assert str(ask(view)) == "Nothing fits, the open end is 3: lay a tile face down."
    assert why_not(view, tile("6|6")) is None


def test_an_unplayable_tile_says_which_number_is_open_where_there_is_one_end():
    game = rules("jie-long", 2)
    view = game.view(one_ended(game, 3, "6|6 5|3", "4|3"), 0)

    assert str(why_not(view, tile("6|6"))) == "6|6 fits nowhere: the open end is 3."
