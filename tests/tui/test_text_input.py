"""Text typed into a picture, and the field for it."""

import pytest
from hypothesis import given
from hypothesis.strategies import integers, lists, sampled_from, text

from tests.tui.tables import DARK
from tui.board.canvas import Canvas, Style, columns
from tui.draw.typed_text import draw_typed_line, put_text_input
from tui.model.text_input import ChatInput, LineInput, TextInput

KEYS = ("left", "right", "home", "end", "backspace", "delete", "ctrl+u", "ctrl+w", "a", " ", "é", "字", "enter", "up")


def press(typed, *keys):
    for key in keys:
        typed.handle_key(key, key if len(key) == 1 else None)
    return typed


@pytest.mark.parametrize(
    ("keys", "left"),
    [
        (["left", "left", "x"], "two thrxee"),
        (["home", "x"], "xtwo three"),
        (["home", "delete", "end", "x"], "wo threex"),
        (["left", "backspace"], "two thre"),
        (["ctrl+w"], "two "),
        (["ctrl+w", "ctrl+w"], ""),
        (["left", "ctrl+u"], "e"),
    ],
)
def test_keys_that_edit_a_line_change_it_at_the_cursor(keys, left):
    assert press(LineInput("two three", limit=20), *keys).text == left


def test_typing_replaces_a_marked_text_with_any_key():
    for key, left in (("x", "x"), ("backspace", ""), ("ctrl+w", ""), ("ctrl+u", "")):
        assert press(TextInput("ada", 5, marked=True), key).text == left


def test_of_pasted_text_the_first_line_is_taken_as_far_as_there_is_room():
    typed = TextInput("ab", 5)
    typed.add("cdefg\nhij")

    assert typed.text == "abcde"
    assert press(TextInput("abcdefgh", 5), "x").text == "abcdefgh", "there was more than room"


def test_a_digit_sends_its_phrase_only_in_an_empty_field():
    empty, begun = (ChatInput(("Hello!", "Bye!"), limit=20, prompt="") for _ in range(2))

    press(empty, "2")
    press(begun, "x", "2")

    assert (empty.text, empty.done) == ("Bye!", True)
    assert (begun.text, begun.done) == ("x2", False)


def test_a_digit_without_a_phrase_is_typed():
    line = ChatInput(("Hello!", "Bye!"), limit=20, prompt="")

    press(line, "3")

    assert (line.text, line.done) == ("3", False)


@given(lists(sampled_from(KEYS), max_size=40), integers(4, 30), text(max_size=6))
def test_any_keys_keep_the_length_of_the_text_and_the_cursor_in_the_field(keys, width, typed):
    line = press(LineInput(limit=12, prompt=typed, empty="nothing yet"), *keys)
    field = draw_typed_line(line, width, DARK)

    assert len(line.text) <= 12
    assert {sum(columns(run) for run, _ in row) for row in field.rows} == {width}
    if not line.after:
        assert "▏" in str(field)


def test_in_the_middle_of_a_text_the_cursor_is_on_a_letter():
    canvas = Canvas(12, 1, Style("#ffffff", "#000000"))
    put_text_input(canvas, 0, 0, 12, press(LineInput("ada", limit=9), "left"), DARK, DARK.theme.bar)
    runs = dict(canvas.rows()[0])

    assert runs["a"].bg == DARK.theme.accent
