"""House rules: keys, choices, and sentences for what does not exist."""

import pytest

from core.games import GAMES, game
from core.options import resolve
from core.words import BadOption

DRAW = GAMES["draw"]


def test_what_is_not_chosen_has_its_default():
    options = resolve(DRAW.options, {})

    assert options["target"] == 100
    assert options["draw.max"] == "∞"
    assert list(options) == [option.key for option in DRAW.options]


@pytest.mark.parametrize("text", ["∞", "unlimited", "INF"])
def test_infinity_may_be_typed_in_words(text):
    assert resolve(DRAW.options, {"draw.max": text})["draw.max"] == "∞"


def test_numbers_may_come_as_text_and_keep_their_type():
    assert resolve(DRAW.options, {"target": "150"})["target"] == 150


def test_an_unknown_key_is_named_with_the_nearest_one():
    with pytest.raises(BadOption, match=r"draw\.reserv.*Did you mean draw\.reserve"):
        resolve(DRAW.options, {"draw.reserv": 1})


def test_a_wrong_choice_is_named_with_the_choices():
    with pytest.raises(BadOption, match=r"draw\.reserve cannot be “9”; choose one of: 0, 1, 2"):
        resolve(DRAW.options, {"draw.reserve": 9})


def test_an_unknown_game_is_answered_with_the_nearest_names():
    with pytest.raises(BadOption, match="Did you mean block"):
        game("blok")
    assert game(" Draw ").id == "draw"


def test_every_option_that_the_rule_book_asks_for_is_there():
    asked = "partners hand3 hand4 draw.reserve draw.max draw.voluntary opener blocked_winner blocked_score tie target"
    assert set(asked.split()) <= {option.key for option in DRAW.options}
    not_in_block = {"partners", "draw.reserve", "draw.max", "draw.voluntary"}
    assert set(asked.split()) - not_in_block <= {option.key for option in GAMES["block"].options}


@pytest.mark.parametrize(("text", "value"), [("7", 7), (1000, 1000), ("10", 10)])
def test_where_any_number_may_be_chosen_the_choices_are_suggestions(text, value):
    assert resolve(GAMES["stakes"].options, {"sm.rounds": text})["sm.rounds"] == value


@pytest.mark.parametrize("text", ["0", "1001", "-1", "x", "1" * 50])
def test_any_number_has_its_limits(text):
    with pytest.raises(BadOption, match=r"sm\.rounds cannot be .* … 1000"):
        resolve(GAMES["stakes"].options, {"sm.rounds": text})
