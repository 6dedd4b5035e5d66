"""The usual names of the games lead to them, and to no other game."""

import pytest

from core.games import GAMES, OTHER_NAMES, game_called, games_named
from core.words import BadOption

NAMES = {name: game for game, names in OTHER_NAMES.items() for name in names.split(", ")}


@pytest.mark.parametrize(("name", "meant"), NAMES.items())
def test_every_other_name_leads_to_its_game_however_it_is_written(name, meant):
    assert game_called(name).id == meant
    assert game_called(name.upper().replace(" ", "-")).id == meant


def test_no_other_name_takes_the_place_of_a_games_own():
    own = {name for game in GAMES.values() for name in (game.id.replace("-", " "), game.name.lower())}

    assert own & set(NAMES) == set()


@pytest.mark.parametrize(("name", "meant"), [("la e lo", "brazilian"), ("capicua", "partners"), ("козел", "kozel")])
def test_a_name_is_found_without_its_accents(name, meant):
    assert game_called(name).id == meant


def test_an_ampersand_is_read_as_and():
    assert game_called("5s & 3s").id == "fives-and-threes"


def test_a_part_of_a_name_is_enough_where_no_other_game_has_it():
    assert game_called("train").id == "mexican-train"
    assert game_called("texas").id == "forty-two"


def test_an_ambiguous_part_of_a_name_is_refused_with_the_matching_games():
    with pytest.raises(BadOption) as refused:
        game_called("fives")
    assert "all-fives, fives-and-threes" in str(refused.value)


@pytest.mark.parametrize("name", ["", " ", "chess", "*"])
def test_an_unknown_name_is_refused_in_one_sentence(name):
    with pytest.raises(BadOption) as refused:
        game_called(name)
    assert len(str(refused.value).split(", ")) <= 3


@pytest.mark.parametrize(
    ("typed", "games"),
    [
        ("42", ["forty-two"]),
        ("MUG", ["all-fives"]),
        ("fives", ["all-fives", "fives-and-threes"]),
        ("foot", ["chickenfoot"]),
        ("chess", []),
        ("", list(GAMES)),
    ],
)
def test_a_search_finds_all_games_with_a_word_that_begins_so(typed, games):
    assert [variant.id for variant in games_named(typed)] == games
