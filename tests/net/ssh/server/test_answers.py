"""What a terminal answers about its colours, in any pieces and among typed keys, is never taken for a key."""

import pytest

from net.ssh.server.answers import Answers, is_asked

FENCE = b"\x1b[?62;22c"
XTERM = b"\x1bP0+r524742\x1b\\\x1bP1$r0;48:2::1:2:3m\x1b\\"
KITTY = b"\x1bP1+r524742=38\x1b\\"


def heard(data):
    answers = Answers()
    return answers.take(data), answers


@pytest.mark.parametrize(
    ("answer", "all_colours"),
    [
        (XTERM, True),
        (KITTY, True),
        (b"\x1bP1+r5463\x1b\\", True),
        (b"\x1bP1$r48:2:1:2:3m\x1b\\", True),
        (b"\x1bP1$r0;48;2;1;2;3m\x1b\\", True),
        (b"\x1bP1$r0m\x1b\\", False),
        (b"\x1bP1$r48;5;16m\x1b\\", False),
        (b"\x1bP1$r48;2;1;2;30m\x1b\\", False),
        (b"\x1bP0+r524742\x1b\\\x1bP0$r\x1b\\", False),
        (b"", False),
    ],
)
def test_a_terminal_that_knows_either_question_shows_all_colours(answer, all_colours):
    typed, answers = heard(answer + FENCE)

    assert (typed, answers.complete, answers.all_colours) == (b"", True, all_colours)


@pytest.mark.parametrize("size", range(1, 9))
def test_answers_come_in_pieces_and_among_keys(size):
    data = b"ab" + XTERM[:21] + b"" + XTERM[21:] + b"\x1b[A" + KITTY + b"c" + FENCE + b"d\x1b[B"
    answers, typed = Answers(), b""
    for start in range(0, len(data), size):
        typed += answers.take(data[start : start + size])

    assert typed == b"ab\x1b[Acd\x1b[B"
    assert answers.all_colours


def test_what_only_looks_like_an_answer_was_typed():
    for keys in (
        b"\x1b[1;5A",
        b"\x1bOP",
        b"\x1bPx",
        b"\x1b[?x",
        b"\x1bP1+q",
        b"\x1b[200~hello\x1b[201~",
        b"\x1b\x1b[A",
    ):
        typed, answers = heard(keys)
        assert typed + answers.give_up() == keys


@pytest.mark.parametrize("keys", [b"\x1b", b"\x1b[", b"\x1bP"])
def test_what_a_player_can_have_typed_is_given_out_if_nothing_follows(keys):
    typed, answers = heard(b"x" + keys)

    assert (typed, answers.may_be_typed, answers.give_up(), answers.give_up()) == (b"x", True, keys, b"")


def test_the_beginning_of_an_answer_is_no_key():
    assert not heard(b"\x1bP1$r48:2")[1].may_be_typed


def test_an_answer_without_end_does_not_hold_back_everything():
    answers = Answers()
    typed = [answers.take(each) for each in [b"\x1bP1$r", *[b"k"] * 100, b"q"]]

    assert typed[0] == b""
    assert typed[-1] == b"q"
    assert b"".join(typed) == b"\x1bP1$r" + b"k" * 100 + b"q"


@pytest.mark.parametrize(
    ("name", "env", "asked"),
    [
        ("xterm-256color", {}, True),
        ("xterm", {"LANG": "C"}, True),
        ("tmux-256color", {}, True),
        ("xterm-256color", {"COLORTERM": "truecolor"}, False),
        ("xterm-256color", {"NO_COLOR": "1"}, False),
        ("screen-256color", {}, False),
        ("linux", {}, False),
        ("vt220", {}, False),
    ],
)
def test_only_who_may_know_and_has_not_said_is_asked(name, env, asked):
    assert is_asked(name, env) == asked
