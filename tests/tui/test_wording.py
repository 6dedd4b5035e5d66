"""Every option of every game, and every choice, has words for players: a label, and a line that explains it."""

import re

import pytest

from core.bots.profiles import TABLE_LEVELS
from core.games import GAMES
from tui.draw.panels import wrap
from tui.rulebook import house_rules
from tui.wording import COMMON_OPTIONS, SENTENCES, choice_words, explanations, label_of, meaning_of
from tui.wording.non_layout import TABLE_SETTINGS

BRIEF = 18
"""Columns for the few words about a game in the list of games."""
LABEL, CHOICE, LINE = 44, 26, 76
"""Columns for the label of an option, for that of a choice, and for the line that explains it."""
OPTIONS = [(variant.id, option) for variant in GAMES.values() for option in variant.options]
CHOICES = [(game, option.key, choice) for game, option in OPTIONS for choice in option.choices]
ALONE = [case for case in CHOICES if "+" not in str(case[2])]
SETTINGS = [("draw", "game", game) for game in GAMES] + [
    ("draw", key, choice)
    for key, choices in {
        "players": range(2, 9),
        "bots": range(8),
        "level": TABLE_LEVELS,
        "hints": ("no", "yes"),
        "private": ("no", "yes"),
        "turn_time": (0, 15),
        "match_time": (0, 5),
    }.items()
    for choice in choices
]


def test_every_option_has_a_label_that_is_not_its_key():
    for game, option in OPTIONS:
        where = f"{game}: {option.key}"
        assert 0 < len(option.words) <= LABEL, where
        assert option.key not in (option.words, option.words.replace(" ", "_")), where
        assert not set("_.") & set(option.words), where
        assert label_of(game, option.key, option.choices[0]), where


def test_the_few_words_about_a_game_fit_beside_its_name():
    long = [game.brief for game in GAMES.values() if len(game.brief) > BRIEF]

    assert long == [], f"shorten `brief` to {BRIEF} columns"


def test_every_choice_has_a_label_and_a_line_that_explains_it():
    for game, key, choice in ALONE + SETTINGS:
        label, line = label_of(game, key, choice), meaning_of(game, key, choice)
        where = f"{game}: {key}={choice} needs a sentence in tui/wording, as in “label: what it means.”"

        assert 0 < len(label) <= CHOICE, where
        # A word may be its own label, a number or a code may not.
        assert label != str(choice) or label.isalpha(), where
        assert not set("_/+{}") & set(label + line), where
        assert line.endswith("."), where
        assert len(wrap(line, LINE)) <= 2, where
        assert len(wrap(choice_words(game, key, choice), LINE)) <= 2, where


@pytest.mark.parametrize("contracts", ["nello+sevens", "nello+plunge+splash+sevens"])
def test_choices_that_are_made_together_are_called_by_all_their_labels(contracts):
    assert label_of("forty-two", "42.contracts", contracts) == contracts.replace("+", ", ")


def test_choices_of_one_option_have_different_labels():
    for game, option in OPTIONS:
        labels = [label_of(game, option.key, choice) for choice in option.choices]
        assert len(labels) == len(set(labels)), option.key


def test_a_number_outside_the_listed_choices_has_words():
    assert meaning_of("stakes", "sm.rounds", 77) == "the match is over after 77 rounds."


def test_unknown_options_are_shown_unchanged():
    assert label_of("draw", "from.tomorrow", "{odd}_one") == "{odd}_one"
    assert label_of("draw", "game", "no-such-game") == "no-such-game"
    assert meaning_of("draw", "tie", "by_weather") == ""


def test_every_sentence_belongs_to_an_option_or_a_choice():
    keys = {option.key for _, option in OPTIONS}
    games = {f"{game}:{option.key}" for game, option in OPTIONS}

    assert set(SENTENCES) - keys - games == set(TABLE_SETTINGS)
    assert keys >= COMMON_OPTIONS
    codes = {(option.key, str(choice)) for _, option in OPTIONS for choice in option.choices}
    explanations = {
        (key.split(":")[-1], code) for key, codes in SENTENCES.items() if key not in TABLE_SETTINGS for code in codes
    }
    assert not {pair for pair in explanations - codes if pair[1] != "n"}


def test_every_game_has_usual_rules():
    for variant in GAMES.values():
        assert any(option.key in COMMON_OPTIONS for option in variant.options)


def test_choices_that_are_mere_numbers_share_an_explanation_with_the_text_to_type():
    assert explanations("draw", "hand3", (5, 6, 7)) == ["N tiles (5, 6, 7): three players take N tiles each."]
    assert explanations("draw", "tie", ("none",), with_codes=True)[0].startswith("nobody (none): ")
    assert explanations("draw", "draw.voluntary", ("no",), with_codes=True)[0].startswith("no: ")


@pytest.mark.parametrize("game", GAMES)
def test_the_page_of_a_game_has_every_key_and_every_code_beside_its_label(game):
    page = house_rules(GAMES[game])
    for option in GAMES[game].options:
        assert f"{option.words} ({option.key})" in page
        for choice in option.choices:
            assert "+" in str(choice) or re.search(rf"[-(,] {re.escape(str(choice))}[,):]|\({choice}[,)]", page)
