"""The characters of the bots: unique names, existing tempers, and a fast pace."""

from core.bots.profiles import CHARACTERS, pace_of
from core.bots.tempers import PREFERENCES


def test_every_character_has_an_existing_temper_and_every_temper_is_used():
    assert {character.temper for character in CHARACTERS.values()} == set(PREFERENCES)


def test_there_are_bots_for_the_largest_table_each_under_its_own_name():
    assert len(CHARACTERS) >= 8
    assert all(name == character.name for name, character in CHARACTERS.items())


def test_the_pace_of_a_bot_is_between_half_and_one_and_a_half_of_the_usual():
    paces = [pace_of(name) for name in CHARACTERS]

    assert min(paces) < 1 < max(paces)
    assert all(0.5 <= pace <= 1.5 for pace in paces)
    assert pace_of("ada") == 1
