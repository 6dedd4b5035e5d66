"""A terminal's answers about its colours, in any pieces and among typed keys, are never mistaken for keys."""

import pytest

from net.doors.terminal_queries import (
    ASK_COLOURS,
    ASK_MANY,
    ASK_PICTURES,
    ASK_PROGRAM,
    ASK_WIDTH,
    FENCE,
    Answers,
    answer_timeout,
    build_queries,
    cell_in,
)
from net.limits import MAX_CELL

DA1 = b"\x1b[?62;22c"
XTERM = b"\x1bP0+r524742\x1b\\\x1bP1$r0;48:2::1:2:3m\x1b\\"
KITTY = b"\x1bP1+r524742=38\x1b\\"


def parse(data):
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
def test_a_terminal_that_confirms_either_colour_query_shows_all_colours(answer, all_colours):
    typed, answers = parse(answer + DA1)

    assert (typed, answers.complete, answers.all_colours) == (b"", True, all_colours)


@pytest.mark.parametrize(
    ("answer", "colours"),
    [
        (b"\x1bP1+r436f=323536\x1b\\", "256color"),
        (b"\x1bP1+r436F=323536\x1b\\", "256color"),
        (b"\x1bP1+r436f=38\x1b\\", ""),
        (b"\x1bP0+r436f\x1b\\", ""),
        (b"\x1bP1+r436f=4142\x1b\\", ""),
        (b"\x1bP>|tmux 3.3a\x1b\\", "256color"),
        (b"\x1bP>|XTerm(390)\x1b\\", ""),
        (b"\x1bP1+r436f=323536\x1b\\" + KITTY, "truecolor"),
    ],
)
def test_a_terminal_named_after_few_colours_may_report_256(answer, colours):
    typed, answers = parse(answer + DA1)

    assert (typed, answers.colours) == (b"", colours)


@pytest.mark.parametrize("size", range(1, 9))
def test_answers_come_in_pieces_and_among_keys(size):
    data = b"ab" + XTERM[:21] + b"" + XTERM[21:] + b"\x1b[A" + KITTY + b"c" + DA1 + b"d\x1b[B"
    answers, typed = Answers(), b""
    for start in range(0, len(data), size):
        typed += answers.take(data[start : start + size])

    assert typed == b"ab\x1b[Acd\x1b[B"
    assert answers.all_colours


def test_text_that_only_resembles_an_answer_is_delivered_as_typed():
    for keys in (
        b"\x1b[1;5A",
        b"\x1bOP",
        b"\x1bPx",
        b"\x1b[?x",
        b"\x1bP1+q",
        b"\x1b[200~hello\x1b[201~",
        b"\x1b\x1b[A",
    ):
        typed, answers = parse(keys)
        assert typed + answers.give_up() == keys


@pytest.mark.parametrize("keys", [b"\x1b", b"\x1b[", b"\x1bP"])
def test_possible_typing_is_delivered_if_nothing_follows(keys):
    typed, answers = parse(b"x" + keys)

    assert (typed, answers.may_be_typed, answers.give_up(), answers.give_up()) == (b"x", True, keys, b"")


def test_the_beginning_of_an_answer_is_no_key():
    assert not parse(b"\x1bP1$r48:2")[1].may_be_typed


def test_an_answer_without_end_does_not_hold_back_everything():
    answers = Answers()
    typed = [answers.take(data) for data in [b"\x1bP1$r", *[b"k"] * 100, b"q"]]

    assert typed[0] == b""
    assert typed[-1] == b"q"
    assert b"".join(typed) == b"\x1bP1$r" + b"k" * 100 + b"q"


@pytest.mark.parametrize(
    ("name", "env", "queries"),
    [
        ("xterm-256color", {}, ASK_COLOURS + ASK_PICTURES),
        ("xterm", {"LANG": "C"}, ASK_COLOURS + ASK_MANY + ASK_PICTURES),
        ("tmux-256color", {}, ASK_COLOURS + ASK_PICTURES),
        ("xterm-256color", {"COLORTERM": "truecolor"}, ASK_PICTURES),
        ("xterm-256color", {"NO_COLOR": "1"}, ""),
        ("screen-256color", {}, ""),
        ("screen", {}, ASK_PROGRAM),
    ],
)
def test_a_terminal_is_asked_only_for_what_its_environment_leaves_open(name, env, queries):
    assert build_queries(name, env, pictures=True) == queries + ASK_WIDTH + FENCE
    assert build_queries(name, env, pictures=True, utf8=False) == (queries and queries + FENCE)


@pytest.mark.parametrize("name", ["linux", "vt220"])
def test_old_terminals_are_not_queried(name):
    assert build_queries(name, {}, pictures=True) == ""


def test_guests_without_pictures_are_not_queried_about_them():
    assert build_queries("xterm", {}, pictures=False, utf8=False) == ASK_COLOURS + ASK_MANY + FENCE
    assert build_queries("xterm", {"COLORTERM": "truecolor"}, pictures=False, utf8=False) == ""


@pytest.mark.parametrize(("column", "wide"), [(2, False), (3, True), (1, False), (81, False)])
def test_the_column_tells_how_wide_ambiguous_characters_are_drawn(column, wide):
    typed, answers = parse(b"a\x1b[24;%dR" % column + DA1 + b"b")
    assert (typed, answers.wide) == (b"ab", wide)


def test_shift_f3_is_a_key_once_all_is_answered():
    _, answers = parse(DA1)
    assert answers.take(b"\x1b[1;2R") == b"\x1b[1;2R"


# Pictures

OK = b"\x1b_Gi=1;OK\x1b\\"
CELL = b"\x1b[6;18;9t"


def program(name):
    return b"\x1bP>|" + name + b"\x1b\\"


@pytest.mark.parametrize(
    ("name", "can_show"),
    [
        (b"kitty(0.41.1)", True),
        (b"kitty(0.28.0)", True),
        (b"kitty(0.26.5)", False),
        (b"ghostty 1.1.3", True),
        (b"WezTerm 20240203-110809-5046fc22", False),
        (b"Konsole 23.08.5", False),
        (b"tmux 3.4", False),
        (b"kitty", False),
        (b"", False),
    ],
)
def test_pictures_are_for_programs_that_show_them_in_cells_of_text(name, can_show):
    typed, answers = parse(OK + program(name) + CELL + DA1)

    assert typed == b""
    assert answers.cell == ((9, 18) if can_show else None)


@pytest.mark.parametrize(
    "answer",
    [
        program(b"kitty(0.41.1)") + CELL + DA1,
        b"\x1b_Gi=1;EINVAL:no\x1b\\" + program(b"kitty(0.41.1)") + CELL + DA1,
        OK + CELL + DA1,
        OK + program(b"kitty(0.41.1)") + CELL,
    ],
    ids=["does not say that it can", "says that it cannot", "does not say what it is", "has not said all"],
)
def test_pictures_need_a_complete_answer(answer):
    assert parse(answer)[1].cell is None


@pytest.mark.parametrize(
    ("answer", "cell"),
    [
        (b"", (10, 20)),
        (b"\x1b[6;0;0t", (10, 20)),
        (b"\x1b[6;34;16t", (16, 34)),
        (b"\x1b[6;96;48t", (20, 40)),
        (b"\x1b[6;99999;1t", (4, 40)),
        (b"\x1b[6;1;1t", (4, 4)),
    ],
)
def test_an_unknown_cell_has_the_usual_size_and_a_huge_one_is_scaled_down(answer, cell):
    assert parse(OK + program(b"kitty(0.41.1)") + answer + DA1)[1].cell == cell
    assert max(cell) <= MAX_CELL


@pytest.mark.parametrize("size", range(1, 9))
def test_answers_about_pictures_come_in_pieces_and_among_keys(size):
    data = b"a" + OK + b"\x1b[6~" + program(b"kitty(0.41.1)") + b"b" + CELL + b"\x1b[A" + DA1 + b"\x1b[6~"
    answers, typed = Answers(), b""
    for start in range(0, len(data), size):
        typed += answers.take(data[start : start + size])

    assert typed == b"a\x1b[6~b\x1b[A\x1b[6~"
    assert answers.cell == (9, 18)


def test_keys_that_begin_like_an_answer_about_pictures_were_typed():
    for keys in (b"\x1b[6~", b"\x1b[6;5~", b"\x1b_x", b"\x1b_Gx", b"\x1bP>x", b"\x1b[6;1;1u"):
        typed, answers = parse(keys)
        assert typed + answers.give_up() == keys


SIXEL = b"\x1b[?62;4;22c"


def test_a_terminal_that_knows_sixel_says_so_and_its_cell_must_be_known():
    assert parse(CELL + SIXEL)[1].sixel_cell == (9, 18)
    assert parse(CELL + SIXEL)[1].cell == (9, 18)
    assert parse(SIXEL)[1].sixel_cell is None
    assert parse(CELL + b"\x1b[?64;1;2c")[1].sixel_cell is None
    assert parse(b"\x1b[6;96;48t" + SIXEL)[1].sixel_cell is None, "an image of another size would not fit"
    assert parse(CELL)[1].sixel_cell is None, "the answers are incomplete"


def test_terminals_with_pictures_in_cells_need_no_sixel():
    answers = parse(OK + program(b"kitty(0.41.1)") + CELL + SIXEL)[1]

    assert (answers.cell, answers.sixel_cell) == ((9, 18), None)


def test_a_cell_may_be_known_without_asking():
    answers = Answers((9, 19))
    answers.take(SIXEL)

    assert answers.sixel_cell == (9, 19)


@pytest.mark.parametrize(
    ("window", "pixels", "cell"),
    [
        ((100, 34), (900, 646), (9, 19)),
        ((100, 34), (904, 650), (9, 19)),  # with a border
        ((100, 34), (0, 0), None),
        ((100, 34), (950, 646), None),
        ((0, 0), (900, 646), None),
        ((1, 1), (10**9, 10**9), None),
        ((80, 24), (-1, -1), None),
    ],
)
def test_a_cell_is_worked_out_from_the_pixels_of_a_window(window, pixels, cell):
    assert cell_in(window, pixels) == cell


@pytest.mark.parametrize(
    ("setting", "seconds"),
    [(None, 2.0), ("5", 5.0), ("0.5", 0.5), ("soon", 2.0), ("", 2.0), ("nan", 0.0), ("-1", 0.0), ("999", 10.0)],
)
def test_a_terminal_on_a_slow_connection_may_be_given_longer(setting, seconds):
    assert answer_timeout({} if setting is None else {"BONEYARD_ANSWERS_WITHIN": setting}, 2.0) == seconds
