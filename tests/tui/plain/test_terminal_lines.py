"""Lines of the local terminal or pipe: read one by one, and printed without control sequences."""

import os
from contextlib import suppress

import pytest

from tui.board.canvas import printable
from tui.plain.terminal_lines import LocalLines, Printer


@pytest.fixture
def pipe():
    ends = os.pipe()
    yield ends
    for end in ends:
        with suppress(OSError):
            os.close(end)


async def all_lines(fd):
    return [line async for line in LocalLines(fd)]


async def test_lines_come_one_by_one_and_the_last_need_not_end(pipe):
    reading, writing = pipe
    os.write(writing, b"1\n\nsay hi\r\nleave")
    os.close(writing)
    assert await all_lines(reading) == ["1", "", "say hi", "leave"]


async def test_a_file_is_read_like_a_pipe(tmp_path):
    (tmp_path / "moves").write_text("1\n2\n")
    with (tmp_path / "moves").open() as moves:
        assert await all_lines(moves.fileno()) == ["1", "2"]


async def test_no_input_at_all_is_the_end():
    nothing = os.open(os.devnull, os.O_RDONLY)
    assert await all_lines(nothing) == []
    os.close(nothing)


async def test_no_more_is_read_than_is_asked_for(tmp_path):
    (tmp_path / "moves").write_text("1\n" * 100_000)
    with (tmp_path / "moves").open() as moves:
        assert await anext(LocalLines(moves.fileno())) == "1"
        assert os.lseek(moves.fileno(), 0, os.SEEK_CUR) < 10_000


async def test_a_line_without_an_end_is_cut(tmp_path):
    (tmp_path / "moves").write_text("x" * 1_000_000 + "\n1\n")
    with (tmp_path / "moves").open() as moves:
        long, short = await all_lines(moves.fileno())
    assert 1000 < len(long) < 10_000
    assert short == "1"


def test_a_sentence_is_printed_in_one_line_of_characters(capsys):
    Printer(ascii=False).say("bela says: “\x1b[2J\x07one\ntwo\u202e\u200b”.")
    assert capsys.readouterr().out == "bela says: “[2Jone two”.\n"


def test_where_only_ascii_is_shown_only_that_is_printed(capsys):
    Printer(ascii=True).say("Zoë says: “1 − 2 …”.")
    assert capsys.readouterr().out == 'Zoe says: "1 - 2 ~".\n'


@pytest.mark.parametrize("char", [*map(chr, range(32)), "\x7f", *map(chr, range(0x80, 0xA0)), "\u2028", "\u202e"])
def test_control_sequences_are_removed(char):
    assert printable(f"a{char}b") in ("ab", "a b")
