"""Prompts for the player of a patience, and the reasons why a tile cannot be laid (`docs/rules` §C.8)."""

import pytest

from core.prompts import ask, why_not
from core.tiles import tile
from tests.core.patience.tables import laid, rules


@pytest.mark.parametrize(
    ("kind", "table", "asked"),
    [
        ("luzon", "6|1/3|2/4|4/2|0/5|5/3|1/6|6/0|0", "Take two free tiles that make 12."),
        (
            "luzon",
            "/3|2 6|1/4|4/2|0 5|0/5|5/3|1/1|1/0|0",
            "Take two free tiles that make 12, or fill the empty column.",
        ),
        (
            "luzon",
            "/1|1 1|0/2|2/2|0/3|3/3|1/2|1/0|0",
            "No two free tiles make 12: fill the empty column, or give up.",
        ),
        ("castle-rock", "3|3 1|1 5|3", "Capture a tile between two that share a number."),
        ("good-neighbors", "3|3 3|1", "Take two tiles that touch and share a number."),
    ],
)
def test_the_player_is_asked_for_the_action_of_the_game(kind, table, asked):
    game = rules(kind)

    assert str(ask(game.view(game.complete(laid(table)), 0))) == asked


def test_a_draw_is_asked_for_if_no_capture_is_possible():
    game = rules("castle-rock")

    assert "turn over the next one" in str(ask(game.view(game.complete(laid("5|2 4|1 6|0", boneyard="1|1")), 0)))


def test_the_reason_against_a_tile_names_the_ends():
    game = rules("draw-five")
    view = game.view(game.complete(laid("6|3", "6|6 5|5")), 0)

    assert str(ask(view)) == "Lay a tile at an end of the line: 6 or 3."
    assert why_not(view, tile("6|6")) is None
    assert str(why_not(view, tile("5|5"))) == "5|5 fits neither end: 6 or 3."


def test_a_spectator_reads_who_is_to_play():
    game = rules("draw-five")

    assert str(ask(game.view(game.complete(laid("6|3", "6|6 5|5")), -1))) == "0 is to play."
