"""Codes that people read and type: easy to type, hard to guess, and never stored."""

import pytest

from net.players.text import (
    ALPHABET,
    RETURN_CODE_LENGTH,
    TABLE_CODE_LENGTH,
    is_keyless,
    is_same_code,
    new_code,
    split_user,
    token_of,
)

CODE = "k7qx2m9fh3tw"


def test_a_code_has_no_two_characters_that_look_alike():
    assert not set(ALPHABET) & set("il1o0")
    assert len(set(ALPHABET)) == len(ALPHABET)


@pytest.mark.parametrize("length", [TABLE_CODE_LENGTH, RETURN_CODE_LENGTH])
def test_codes_are_as_long_as_wanted_and_none_comes_twice(length):
    codes = {new_code(length) for _ in range(200)}

    assert len(codes) == 200
    assert {len(code) for code in codes} == {length}
    assert set("".join(codes)) <= set(ALPHABET)


@pytest.mark.parametrize("typed", [CODE, CODE.upper(), f"  {CODE}\n", "k7qx-2m9f-h3tw"])
def test_a_code_is_right_however_its_letters_are_typed(typed):
    assert is_same_code(typed, CODE)
    assert token_of(typed) == token_of(CODE)


@pytest.mark.parametrize("typed", ["", CODE[:-1], CODE + "a", CODE[::-1], "\ud800"])
def test_any_other_code_is_wrong(typed):
    assert not is_same_code(typed, CODE)
    assert token_of(typed) != token_of(CODE)


def test_a_token_of_a_code_hides_the_code_and_is_told_apart_from_a_key():
    assert CODE not in token_of(CODE)
    assert is_keyless(token_of(CODE))
    assert not is_keyless("SHA256:" + "A" * 43)


@pytest.mark.parametrize(
    ("user", "name", "code"),
    [
        (f"ada+{CODE}", "ada", CODE),
        (f"ada+{CODE.upper()}", "ada", CODE),
        ("ada+k7qx-2m9f-h3tw", "ada", CODE),
        (f"c++{CODE}", "c+", CODE),
        (f"+{CODE}", "", CODE),
    ],
)
def test_a_user_name_may_end_in_a_return_code(user, name, code):
    assert split_user(user) == (name, code)


@pytest.mark.parametrize("user", ["ada", "ada+", "ada+bela", f"ada{CODE}", f"ada+{CODE}x", f"ada+{CODE[:-1]}1", ""])
def test_text_that_is_no_code_is_part_of_the_name(user):
    assert split_user(user) == (user, "")
