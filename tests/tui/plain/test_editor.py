"""The line editor of guests over ssh: input becomes lines, and only characters are echoed."""

import pytest

from net.limits import MAX_LINE
from tui.serve.plain_session import LineEditor


def typed(*parts, **options):
    editor = LineEditor(is_typed=True, **options)
    done = [editor.feed(part) for part in parts]
    return (
        [line for effect in done for line in effect.lines],
        "".join(effect.echo for effect in done),
        done[-1].has_ended,
    )


def test_enter_ends_a_line_and_every_character_is_echoed():
    assert typed(b"say hi\r1\r") == (["say hi", "1"], "say hi\r\n1\r\n", False)


def test_a_return_and_a_newline_are_one_enter_also_in_two_parts():
    assert typed(b"1\r", b"\n2\n")[0] == ["1", "2"]


@pytest.mark.parametrize("key", [b"\x7f", b"\b"])
def test_backspace_takes_the_last_character_back(key):
    assert typed(b"64" + key + b"3\r") == (["63"], "64\b \b3\r\n", False)


def test_backspace_on_an_empty_line_does_nothing():
    assert typed(b"\x7f\x7f1\r") == (["1"], "1\r\n", False)


def test_a_wide_character_is_erased_whole():
    assert typed("骨".encode() + b"\x7f\r") == ([""], "骨" + "\b \b" * 2 + "\r\n", False)


def test_control_u_takes_the_whole_line_back():
    assert typed(b"new\x15\r") == ([""], "new" + "\b \b" * 3 + "\r\n", False)


@pytest.mark.parametrize("key", [b"\x1b[A", b"\x1b[15~", b"\x1bOP", b"\x1b[1;5C", b"\x00", b"\x1bx"])
def test_keys_without_characters_do_nothing_and_are_not_echoed(key):
    assert typed(b"1", *(bytes([byte]) for byte in key), b"2\r") == (["12"], "12\r\n", False)


@pytest.mark.parametrize("key", [b"\x03", b"\x04"])
def test_control_c_and_control_d_end_the_input(key):
    assert typed(key + b"1\r") == ([], "\r\n", True)


def test_control_d_after_text_ends_nothing():
    assert typed(b"1\x04\r") == (["1"], "1\r\n", False)


def test_lines_of_a_pipe_are_not_echoed_and_the_last_need_not_end():
    assert LineEditor(is_typed=False).feed(b"new\nleave\x04") == (["new", "leave"], "", True)


def test_a_line_has_a_maximum_length():
    (line,), _, _ = typed(b"x" * (MAX_LINE + 500) + b"\r")
    assert len(line) == MAX_LINE


def test_bytes_outside_utf8_are_letters_of_latin_1_or_dropped():
    assert typed(b"\xff1\r")[0] == ["ÿ1"]
    assert typed("Jörgé\r".encode("latin-1"))[0] == ["Jörgé"]
    assert typed(b"a\x9bb\r")[0] == ["ab"]
