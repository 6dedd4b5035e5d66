"""Presets: every row is a playable game, and its names lead to it (`docs/rules` §B)."""

import pytest

from core.bots.levels import play_match
from core.games import GAMES
from core.match import new_match
from core.presets import PRESETS, preset_called, presets_of
from core.words import BadOption

ALL = pytest.mark.parametrize("preset", PRESETS.values(), ids=PRESETS)
MATCHES = 1


def seats_for(preset):
    fewest, most = GAMES[preset.game].seats
    return range(4 if preset.id in ("cyprus", "ce-deng", "ding-niu") else fewest, most + 1)


@ALL
def test_matches_of_every_preset_are_played_to_their_end(preset):
    players = preset.players or GAMES[preset.game].seats[1]
    for number in range(MATCHES):
        match = new_match(GAMES[preset.game], players, preset.options_for(players))
        lines = list(play_match(match, ("greedy",) * players, b"%d" % number, "test"))

        assert lines[-1].match.over


@ALL
def test_every_preset_is_possible_for_its_players_and_every_larger_number(preset):
    for players in seats_for(preset):
        options, _rules = GAMES[preset.game].rules(players, preset.options_for(players))

        assert options.items() >= preset.options_for(players).items()


def test_a_preset_for_more_players_says_so():
    with pytest.raises(BadOption, match="not 3"):
        GAMES["cross"].rules(3, PRESETS["cyprus"].options_for(3))


@ALL
def test_a_preset_lists_only_values_other_than_the_default(preset):
    players = preset.players or GAMES[preset.game].seats[0]
    usual, _rules = GAMES[preset.game].rules(players, {})

    assert all(usual[key] != value for key, value in preset.options.items())


def test_no_two_presets_of_a_game_have_the_same_rules():
    rules = [(preset.game, tuple(sorted(preset.options.items()))) for preset in PRESETS.values()]

    assert len(set(rules)) == len(rules)


def test_no_preset_has_the_id_of_a_game():
    assert not set(PRESETS) & set(GAMES)


def test_a_preset_for_pairs_has_partners_only_with_four_players():
    assert PRESETS["bones"].options_for(4)["partners"] == "yes"
    assert "partners" not in PRESETS["bones"].options_for(3)
    assert PRESETS["bones"].options_for(3)["target"] == 250


@pytest.mark.parametrize(
    ("name", "meant"),
    [("sniff", "sniff"), ("Texas Kitchen 42", "house-42"), ("DOMINA ADI", "egyptian"), ("kitchen", "house-42")],
)
def test_a_preset_is_found_by_its_id_its_name_its_local_name_or_a_part(name, meant):
    assert preset_called(name).id == meant


@pytest.mark.parametrize(("name", "near"), [("sniv", "sniff"), ("domina abi", "egyptian"), ("mugins", "muggins")])
def test_a_misspelt_name_is_refused_with_the_nearest_also_of_local_names(name, near):
    with pytest.raises(BadOption, match=f"Did you mean {near}"):
        preset_called(name)


def test_a_game_lists_its_presets_if_there_are_any():
    assert {preset.id for preset in presets_of("forty-two")} == {"straight-42", "house-42"}
    assert presets_of("chickenfoot") == []


def test_a_record_names_the_game_and_the_rules_and_no_preset():
    preset = PRESETS["sniff"]
    first, *_ = play_match(new_match(GAMES[preset.game], 2, preset.options), ("greedy",) * 2, b"1", "test")

    assert first.line.game == "all-fives"
    assert first.line.options.items() >= preset.options.items()
    assert "sniff" not in {value for key, value in first.line.options.items() if key != "af.spinner"}
