"""Names that look alike at a glance."""

import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from net.players.names_in_use import skeletons


def are_lookalikes(name, other_name):
    return bool(skeletons(name) & skeletons(other_name))


@pytest.mark.parametrize(
    ("name", "lookalike"),
    [
        # The same letters
        ("Anna", "anna"),
        ("Anna", "ANNA"),
        ("Straße", "STRASSE"),
        ("José", "Jose\u0301"),
        # Width and style
        ("Anna", "Ａｎｎａ"),
        ("Anna", "𝐀𝓷𝖓𝒂"),
        ("Bob 5", "Bob ⑤"),
        # Invisible characters
        ("Anna", "An\u200bna"),
        ("Anna", "\u202eAnna\u202c"),
        ("Anna", "\u2066Anna\u2069\ufeff"),
        ("Anna", "An\u00adna"),
        ("Anna", "Anna\ufe0f"),
        ("Anna", "Anna\u3164"),
        ("Anna", "An\u034fna"),
        ("Big Ben", "Big\u00a0\u2009Ben "),
        # ASCII
        ("Ian", "lan"),
        ("Ian", "1an"),
        ("Ian", "|an"),
        ("Ian", "lAN"),
        ("Alice", "A1ice"),
        ("Alice", "AIice"),
        ("Bob", "B0b"),
        ("Bob", "BOB"),
        ("Arnold", "Amold"),
        ("Wim", "VVim"),
        ("Ewa", "Evva"),
        ("clean", "dean"),
        ("Clara", "dara"),
        ("Adam", "Aclarn"),
        # Letters of other scripts
        ("Anna", "Аnna"),
        ("Anna", "Аnnа"),
        ("anna", "аnnа"),
        ("PAVEL", "РАVЕL"),
        ("Pavel", "РАVЕL"),
        ("Ian", "іan"),
        ("ian", "іan"),
        ("Ian", "Іan"),
        ("Ian", "Ιan"),
        ("Hopa", "Нора"),
        ("Scope", "Ѕсоре"),
        ("Kate", "Κate"),
        ("Tom", "Τοm"),
        ("Bob", "Βοb"),
        ("José", "Јоsе\u0301"),
        ("Zoë", "Zoё"),
        ("Анна", "АННА"),
        ("Анна", "Aннa"),
        ("Oleg", "Օleg"),
    ],
)
def test_names_with_confusable_letters_look_alike(name, lookalike):
    assert are_lookalikes(name, lookalike)
    assert are_lookalikes(lookalike, name)


@pytest.mark.parametrize(
    ("name", "other_name"),
    [
        ("Ian", "Jan"),
        ("Ian", "Lan"),
        ("Dean", "Dan"),
        ("Dora", "Cora"),
        ("Ian", "Ina"),
        ("Ann", "Anna"),
        ("Jose", "José"),
        ("Bjorn", "Björn"),
        ("Tim", "Tom"),
        ("Mia", "Nia"),
        ("Bob", "Rob"),
        ("Anna", "Анна"),
        ("Anna", "Άννα"),
        ("Иван", "Ivan"),
        ("Maria", "Мария"),
        ("Sara", "سارة"),
        ("花子", "太郎"),
        ("Big Ben", "BigBen"),
        ("Player 2", "Player 3"),
        ("Ann-Kathrin", "Ann Kathrin"),
    ],
)
def test_names_that_differ_in_a_visible_letter_are_different(name, other_name):
    assert not are_lookalikes(name, other_name)


@given(st.text(max_size=40))
def test_every_name_looks_like_itself_in_any_case(name):
    assert skeletons(name)
    assert are_lookalikes(name, name.casefold())


@given(st.text(max_size=20), st.sampled_from("\u200b\u200e\u202e\u2067\u00ad\u034f\u3164\ufe0f"), st.integers(0, 20))
def test_invisible_characters_distinguish_no_names(name, invisible, index):
    assert skeletons(name) == skeletons(name[:index] + invisible + name[index:])


def test_the_tables_are_loaded_when_they_are_needed():
    code = (
        "import net.players.names_in_use, sys; sys.exit(net.players.names_in_use._lookalikes.cache_info().currsize)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
