"""Seats of players round a drawn table (docs/rules/conventions.md, “Seats”)."""

import pytest

from core.games import GAMES
from tui.draw.tricks import FAR, LEFT, NEAR, RIGHT, places_of_seats


@pytest.mark.parametrize("seat", range(4))
def test_the_next_player_of_a_clockwise_game_is_on_the_left(seat):
    places = places_of_seats(4, seat, counter_clockwise=False)

    assert places[seat] == NEAR
    assert places[(seat + 1) % 4] == LEFT
    assert places[(seat + 2) % 4] == FAR
    assert places[(seat + 3) % 4] == RIGHT


@pytest.mark.parametrize("seat", range(4))
def test_the_next_player_of_a_counter_clockwise_game_is_on_the_right(seat):
    places = places_of_seats(4, seat, counter_clockwise=True)

    assert places[seat] == NEAR
    assert places[(seat + 1) % 4] == RIGHT
    assert places[(seat + 2) % 4] == FAR


def test_of_three_players_none_sits_opposite():
    assert places_of_seats(3, 1, counter_clockwise=False) == (RIGHT, NEAR, LEFT)
    assert places_of_seats(3, 1, counter_clockwise=True) == (LEFT, NEAR, RIGHT)


def test_a_spectator_sits_where_the_first_player_does():
    assert places_of_seats(4, -1, counter_clockwise=True) == places_of_seats(4, 0, counter_clockwise=True)


def test_the_sheets_say_which_games_go_round_counter_clockwise():
    assert {game.id for game in GAMES.values() if game.counter_clockwise} == {
        "partners",
        "amazonense",
        "tien-gow",
        "stakes",
    }
