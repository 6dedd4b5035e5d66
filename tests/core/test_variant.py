"""A game in the list: its numbers of players, and the values of its house rules."""

from pathlib import Path

import pytest

from core.games import _MODULES, GAMES
from core.variant import Option, Variant
from core.words import BadOption

GAMES_TESTS = Path(__file__).parent / "games"
PAIRS = Variant(
    id="pairs",
    name="Pairs",
    pitch="Two by two.",
    brief="in pairs",
    seats=(2, 4),
    options=(Option("target", (100, 50), "points that end the match"),),
    build=lambda players, options: (players, options),
)


def test_every_option_that_was_not_chosen_has_its_default():
    assert PAIRS.rules(3, {}) == ({"target": 100}, (3, {"target": 100}))
    assert PAIRS.rules(3, {"target": "50"}) == ({"target": 50}, (3, {"target": 50}))


@pytest.mark.parametrize("players", [0, 1, 5, -2])
def test_a_number_of_players_out_of_range_is_refused_with_the_range(players):
    with pytest.raises(BadOption) as refused:
        PAIRS.rules(players, {})
    assert str(refused.value) == f"Pairs is for 2 to 4 players, not {players}."


def test_a_game_for_an_exact_number_of_players_says_so():
    with pytest.raises(BadOption) as refused:
        GAMES["forty-two"].rules(3, {})
    assert str(refused.value) == "Forty-Two is for 4 players, not 3."


def test_a_house_rule_of_another_game_is_refused():
    with pytest.raises(BadOption, match=r"There is no house rule “mt\.double” here"):
        PAIRS.rules(2, {"mt.double": "chain"})


@pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: game.id)
def test_every_game_can_be_built_for_every_number_of_players_that_it_names(game):
    for players in range(game.seats[0], game.seats[1] + 1):
        options, rules = game.rules(players, {})
        assert rules.seats == players
        assert list(options) == [option.key for option in game.options]


@pytest.mark.parametrize("game", GAMES)
def test_a_game_has_tests_of_its_own(game):
    own = game.replace("-", "_")
    files = [GAMES_TESTS / f"test_{module}.py" for module in (own, _MODULES.get(game, own))]

    assert any(file.exists() for file in files), f"write tests/core/games/test_{own}.py, a test for each rule"
