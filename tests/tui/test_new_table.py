"""The settings of a new table: presets fill the form in, and later changes are named."""

import pytest

from core.presets import PRESETS
from tui.model.new_table import DEFAULT_RULES, PRESET, NewTable


def row(new_table):
    return next(row for row in new_table.settings(free_seats=True) if row.key == PRESET)


def test_a_game_without_presets_has_no_row_of_them():
    assert all(setting.key != PRESET for setting in NewTable(game="chickenfoot").settings(free_seats=True))


@pytest.mark.parametrize("preset", PRESETS.values(), ids=PRESETS)
def test_a_preset_fills_the_form_in(preset):
    new_table = NewTable().with_preset(preset)

    assert new_table.game == preset.game
    assert new_table.all_options.items() >= preset.options_for(new_table.players).items()
    assert (new_table.rules, new_table.problem()) == (preset.name, "")
    assert new_table.table(free_seats=False).options == preset.options_for(new_table.players)


def test_a_changed_rule_of_a_preset_is_named_until_it_is_changed_back():
    sniff = NewTable().with_preset(PRESETS["sniff"])
    changed = sniff.set("target", 500)

    assert row(changed).value_words(changed.game) == changed.rules == "Sniff, changed"
    assert changed.set("target", 150).rules == "Sniff"


def test_the_row_of_the_presets_chooses_one_or_the_usual_rules():
    usual = NewTable(game="all-fives")
    muggins = usual.set(PRESET, "muggins")

    assert row(usual).choices == (DEFAULT_RULES, "muggins", "sniff", "bones", "all-threes")
    assert (usual.rules, muggins.rules) == ("as usual", "Muggins")
    assert muggins.set("target", 500).set(PRESET, DEFAULT_RULES) == usual
    assert muggins.set("game", "draw").rules == "as usual"


def test_a_preset_for_pairs_seats_four():
    assert NewTable().with_preset(PRESETS["bones"]).players == 4
    assert NewTable().with_preset(PRESETS["bones"]).set("players", 3).problem().startswith("partners=yes needs four")


def test_the_last_table_is_known_by_its_preset_though_only_its_rules_are_remembered():
    table = NewTable().with_preset(PRESETS["sniff"]).table(free_seats=False)

    assert NewTable().like(table).rules == "Sniff"
    assert NewTable().like(NewTable(game="forty-two", players=4).table(free_seats=False)).rules == "as usual"


def test_after_a_hosts_default_preset_another_preset_starts_from_the_defaults():
    host = {"partners": dict(PRESETS["dominican"].options)}
    usual = NewTable(game="partners", players=4, house_rules=host)
    mexican = usual.set(PRESET, "mexican")

    assert (usual.rules, usual.set("target", 500).rules) == ("Dominican (patio)", "as usual, changed")
    assert (mexican.rules, mexican.all_options) == ("Mexican", NewTable(game="partners", players=4).all_options)
    assert mexican.set(PRESET, DEFAULT_RULES).rules == "Dominican (patio)"
