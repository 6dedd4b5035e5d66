"""Bars, players and sentences: cut to the width, readable without colour."""

import re

import pytest
from rich.cells import cell_len

from tests.tui.tables import DARK, PLAIN
from tui.board.canvas import Picture, fit, plain
from tui.draw.panels import SeatSummary, draw_bar, draw_lines, draw_page, draw_players, draw_sentence

THEME = DARK.theme


@pytest.mark.parametrize(
    ("text", "width", "cut"),
    [
        ("abc", 3, "abc"),
        ("abcd", 3, "ab…"),
        ("李小龍", 5, "李小…"),
        ("李小龍", 4, "李…"),
        ("abc", 1, "…"),
        ("abc", 0, ""),
    ],
)
def test_a_text_that_is_too_long_ends_in_an_ellipsis(text, width, cut):
    assert fit(text, width) == cut
    assert cell_len(fit(text, width)) <= width


def test_plain_text_has_only_ascii():
    assert plain("a … “b” − 牌", ascii=True) == 'a ~ "b" - ?'
    assert plain("…", ascii=False) == "…"


@pytest.mark.parametrize("players", range(2, 9))
@pytest.mark.parametrize("look", [DARK, PLAIN])
def test_up_to_eight_players_fit_80_columns_with_name_score_and_number_of_tiles(players, look):
    strip = draw_players(
        tuple(
            SeatSummary("abcdefghijklmnop", str(100 + n), 21, is_on_turn=n == 1, note="bot") for n in range(players)
        ),
        80,
        look.theme,
        ascii=look.ascii,
    )
    names, backs = str(strip).splitlines()

    for number in range(players):
        assert str(100 + number) in names + backs
    assert len(re.findall(r"\b21\b", backs)) == players
    assert names.count(">" if look.ascii else "▶") == 1


def test_in_a_crowd_names_are_cut_last():
    names = ("Blanche", "Cinque", "Dotty", "Margaret")
    people = tuple(SeatSummary(name, "120", 12, note="bot") for name in names * 2)
    first, second = str(draw_players(people, 80, THEME, ascii=False)).splitlines()

    assert first.split() == ["Blanche", "Cinque", "Dotty", "Margar…"] * 2
    assert second.split() == ["▌12", "120"] * 8


def test_a_bar_gives_way_on_the_left_and_keeps_its_right():
    bar = str(draw_bar((("x" * 100, True),), "boneyard 9", 40, THEME, ascii=False))

    assert bar.rstrip().endswith("boneyard 9")
    assert "…" in bar


def test_the_newest_line_of_the_story_is_the_last():
    assert str(draw_lines(["one", "two", "three"], 40, 2, THEME, ascii=False)).split() == ["two", "three"]


def test_hints_are_left_out_from_the_end_where_there_is_no_room():
    wide = str(draw_sentence("Enter: draw.", (("h", "hint"), ("t", "talk")), 60, THEME, ascii=False))
    narrow = str(draw_sentence("Enter: draw.", (("h", "hint"), ("t", "talk")), 30, THEME, ascii=False))

    assert wide.split() == ["Enter:", "draw.", "h", "hint", "t", "talk"]
    assert narrow.split() == ["Enter:", "draw.", "h", "hint"]


@pytest.mark.parametrize("width", [50, 80, 140])
@pytest.mark.parametrize(
    "sentence", ["", "Enter: draw.", "Enter: draw, as nothing that you hold fits any end of the line. " * 2]
)
@pytest.mark.parametrize(
    "status", ["", "your turn", "The cross needs four more arms: play a 6. You have none: draw one."]
)
def test_how_to_see_the_keys_and_how_to_leave_stand_at_the_bottom_of_every_screen(width, sentence, status):
    hints = [("h", "hint"), ("?", "keys"), ("q", "leave")]
    last = str(draw_page("a page", Picture(()), sentence, hints, status, width, DARK)).splitlines()[-2:]

    assert any("? keys   q leave" in line for line in last)


def underlined(picture):
    return [words for row in picture.rows for words, style in row if style.underlined]


def test_the_names_of_those_who_talk_are_underlined_in_the_story():
    talk = ("ada: “hello”", "ada: “bela: “no””", "bela: “yes”")
    lines = ["bela plays 6|4.", "ada: “hello”", "You play 4|4. · ada: “bela: “no”” · bela: “yes”"]
    for width in 80, 50, 34:
        assert underlined(draw_lines(lines, width, 3, THEME, ascii=False, chat_messages=talk))[:2] == ["ada", "ada"]
    assert underlined(draw_lines(lines, 80, 3, THEME, ascii=False, chat_messages=talk)) == ["ada", "ada", "bela"]


def test_a_message_of_the_host_is_bold_and_not_underlined():
    message = "*** The server says: “closing”"
    picture = draw_lines([message], 60, 1, THEME, ascii=False, chat_messages=(message,))

    assert underlined(picture) == []
    assert [style.bold for words, style in picture.rows[0] if "closing" in words] == [True]
