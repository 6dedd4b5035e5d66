"""Text from players becomes one printable line of limited length, and no name looks like the host's words."""

import unicodedata

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from net.limits import NAME_LENGTH
from net.players.text import HOST_MARK, clean, clean_name, quantity
from tui.board.canvas import columns


@pytest.mark.parametrize(
    ("raw", "cleaned"),
    [
        ("  two\n\twords\r ", "two words"),
        ("a\u00a0\u3000b", "a b"),
        ("\x1b[31mred\x07", "[31mred"),
        ("ab\u202ecd\u200b", "abcd"),
        ("\ud800\ue000", ""),
        ("\u3164\u115f\u1160\uffa0\u2800", ""),
        ("a\u3164b", "ab"),
        ("e\u0301", "\u00e9"),
        ("e\u200b\u0301", "\u00e9"),
        ("z" + "\u0308" * 9, "z\u0308\u0308"),
        ("", ""),
    ],
    ids=[
        "blanks",
        "wide blanks",
        "controls",
        "hidden",
        "no characters",
        "letters without ink",
        "letters without ink among others",
        "composed",
        "composed without what is hidden",
        "piled marks",
        "nothing",
    ],
)
def test_unprintable_characters_are_dropped_and_blanks_collapse(raw, cleaned):
    assert clean(raw, 100) == cleaned


def test_names_are_cleaned_of_the_replacement_character():
    assert clean_name("J\ufffdrg") == "Jrg"
    assert clean_name("\ufffd") == ""


@given(st.text(), st.integers(0, 30))
def test_any_text_becomes_one_printable_line_no_longer_than_allowed(raw, length):
    cleaned = clean(raw, length)

    assert len(cleaned) <= length
    assert cleaned == cleaned.strip()
    assert not any(unicodedata.category(char) in ("Cc", "Cf", "Cs", "Zl", "Zp") for char in cleaned)


@given(
    st.text(alphabet=st.one_of(st.characters(), st.sampled_from("eaz \u0301\u0308\u0327\u200b\u202e\u1100\u1161")))
)
def test_clean_text_is_unchanged(raw):
    cleaned = clean(raw, 100)

    assert clean(cleaned, 100) == cleaned


@given(st.text())
def test_any_name_fits_its_columns_and_has_no_star(raw):
    name = clean_name(raw)

    assert columns(name) <= NAME_LENGTH
    assert not set(name) & set(HOST_MARK)


@pytest.mark.parametrize("stars", ["*", "✱", "∗", "＊", "٭", "⁎"])
def test_no_star_of_any_kind_stays_in_a_name(stars):
    assert clean_name(f"{stars * 3} host") == "host"


def test_a_wide_name_is_cut_by_its_columns():
    assert clean_name("中" * 20) == "中" * (NAME_LENGTH // 2)
    assert clean_name("a" + "☰" * 20) == "a" + "☰" * (NAME_LENGTH // 2 - 1)
    assert clean_name("a" + "🙂" * 20) == "a" + "🙂" * (NAME_LENGTH // 2 - 1)


@given(st.text(alphabet=st.sampled_from("中🙂a \u0308"), min_size=12, max_size=30))
@example("中中中中中中中 中")
def test_a_cleaned_name_is_unchanged_by_cleaning_it_again(raw):
    assert clean_name(clean_name(raw)) == clean_name(raw)


def test_marks_on_a_letter_take_no_column():
    assert clean_name("中\u0308" * 8) == "中\u0308" * 8


@pytest.mark.parametrize("raw", ["", "   ", "***", "!?", "\u200b"])
def test_a_name_without_a_letter_or_a_digit_is_empty(raw):
    assert clean_name(raw) == ""


@pytest.mark.parametrize(("count", "text"), [(0, "0 matches"), (1, "1 match"), (2, "2 matches")])
def test_a_quantity_is_singular_for_one_and_plural_otherwise(count, text):
    assert quantity(count, "match", "matches") == text


@pytest.mark.parametrize("char", "\u3164\u115f\u1160\uffa0\u2800\u1161\u034f\ufe0f")
def test_an_invisible_name_is_empty(char):
    assert clean_name(char * 3) == ""
