"""House rules: keys, choices, and sentences for unknown ones."""

import json
from pathlib import Path

import pytest

from core.games import GAMES, game
from core.match import new_match
from core.variant import RULES, Option, resolve, with_former_defaults
from core.words import BadOption

DRAW = GAMES["draw"]


def test_an_option_that_is_not_chosen_has_its_default():
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


FIRST = json.loads((Path(__file__).parent / "first_options.json").read_text())
"""By game, the options of its first version with their choices. Nothing here is ever removed."""


@pytest.mark.parametrize("game", GAMES)
def test_the_first_options_of_a_game_are_listed(game):
    row = json.dumps({game: {option.key: option.choices for option in GAMES[game].options}}, ensure_ascii=False)

    assert game in FIRST, f"add to tests/core/first_options.json: {row[1:-1]}"


@pytest.mark.parametrize("variant", GAMES.values(), ids=GAMES)
def test_a_later_option_has_its_version_and_the_former_default(variant):
    for option in variant.options:
        if option.key in FIRST.get(variant.id, {option.key}):
            assert option.since == 1
            assert option.before is None
        else:
            assert 1 < option.since <= RULES, f"{variant.id}: {option.key} needs `since`, and RULES to grow"
            assert option.before in option.choices, f"{variant.id}: {option.key} needs `before`, for older matches"


@pytest.mark.parametrize("variant", GAMES.values(), ids=GAMES)
def test_every_option_and_choice_of_earlier_releases_is_kept(variant):
    now = {option.key: option.choices for option in variant.options}
    for key, choices in FIRST.get(variant.id, {}).items():
        assert set(choices) <= set(now[key]), (
            f"{variant.id}: {key} must keep its choices; matches were played by them"
        )


def test_records_older_than_an_option_have_its_former_value():
    later = Option("later", ("new", "old"), "", since=2, before="old")

    assert with_former_defaults((later,), {}, version=1) == {"later": "old"}
    assert with_former_defaults((later,), {"later": "new"}, version=1) == {"later": "new"}
    assert with_former_defaults((later,), {}, version=3) == {}  # an option of that version is never missing


def test_the_options_of_a_match_name_the_rules_only_if_these_have_changed():
    assert "rules" not in new_match(GAMES["mexican-train"], 4, {}).options
    assert new_match(GAMES["mexican-train"], 4, {"rules": 1}).options["rules"] == 1
    assert "rules" not in new_match(GAMES["block"], 4, {"rules": 1}).options


@pytest.mark.parametrize("version", [0, RULES + 1, "1"])
def test_an_unknown_version_of_the_rules_is_refused(version):
    with pytest.raises(BadOption, match="no version"):
        new_match(GAMES["block"], 4, {"rules": version})


def test_a_stored_table_keeps_rules_that_are_refused_today():
    train, too_many = GAMES["mexican-train"], {"set": 9}
    with pytest.raises(BadOption, match="no boneyard"):
        train.rules(6, too_many)

    assert train.resolve_stored(6, too_many)["rules"] == 1
    assert "rules" not in train.resolve_stored(4, too_many)
    with pytest.raises(BadOption):
        GAMES["block"].resolve_stored(4, {"set": 7})
