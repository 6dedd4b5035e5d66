"""The form for a new table: a question for each important setting, and a list of the others."""

import pytest

from core.games import GAMES
from core.presets import PRESETS
from tui.model.new_table import NewTable
from tui.plain.form import NewTableForm


def fill_form(*lines, free_seats=True):
    form = NewTableForm(NewTable(), free_seats=free_seats)
    sentences = [form.question()]
    sentences += [form.answer(line) for line in lines]
    return form, sentences


def test_enter_alone_takes_the_default():
    form, _ = fill_form("", "", "", "")
    assert (form.table.game, form.table.players, form.table.bots) == ("draw", 2, 0)


def test_every_game_can_be_chosen_by_number_and_by_name():
    for number, (name, variant) in enumerate(GAMES.items(), 1):
        for line in (str(number), name, variant.name):
            form, sentences = fill_form(line)
            assert sentences[0][number] == f"{number}. {variant.name}: {variant.pitch}"
            while form.table is None:
                form.answer("")
            assert form.table.game == name


def test_a_preset_can_be_typed_for_the_game_and_seats_its_players():
    form, sentences = fill_form("a la capicúa", "", "")

    assert any("As played in: Dominican (patio)." in line for lines in sentences for line in lines)
    assert (form.table.game, form.table.options) == ("partners", PRESETS["dominican"].options)


def test_a_choice_among_numbers_is_typed_as_it_is():
    _, sentences = fill_form("draw")
    assert sentences[-1] == ["Players: press Enter for 2 players.", "Or type one of 2, 3, 4."]


def test_an_invalid_answer_is_asked_again():
    form, sentences = fill_form("draw", "9")
    assert sentences[-1] == ["That is not one of the choices.", *sentences[-2]]
    assert form.table is None


def test_a_solo_player_is_not_asked_for_the_number_of_bots():
    form, _ = fill_form("block", "4", "easy", "", free_seats=False)
    assert (form.table.players, form.table.bots, form.table.level) == (4, 3, "easy")


def test_without_bots_no_level_is_asked_for():
    _, sentences = fill_form("block", "2", "0")
    assert sentences[-1][0] == "Block for 2 players."


def test_a_house_rule_is_changed_by_its_number():
    _, sentences = fill_form("draw", "2", "0", "more")
    number = next(line.partition(".")[0] for line in sentences[-1] if "Tiles drawn in one turn" in line)
    assert f"{number}. Tiles drawn in one turn, at most: as many as needed." in sentences[-1]
    form, _ = fill_form("draw", "2", "0", "more", number, "3", "")
    assert form.table.options == {"draw.max": 3}


def test_rare_rules_are_listed_on_request():
    _, sentences = fill_form("draw", "2", "0", "more")
    assert len(sentences[-1]) > len(sentences[-2])
    assert any(line.startswith("Type “more” for ") for line in sentences[-2])
    assert not any(line.startswith("Type “more” for ") for line in sentences[-1])


def test_limits_of_time_and_privacy_are_set_like_house_rules():
    form, sentences = fill_form("draw", "2", "0", "2", "yes", "3", "yes", "4", "30", "")
    assert (form.table.take_back, form.table.private, form.table.turn_time) == (True, True, 30)
    assert all(line.endswith(".") or line.startswith(tuple("123456789")) for lines in sentences for line in lines)


@pytest.mark.parametrize("word", ["back", "leave", "q"])
def test_the_form_can_be_left_at_any_time(word):
    form, _ = fill_form("draw", word)
    assert form.cancelled
    assert form.table is None
