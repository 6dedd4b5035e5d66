"""Keys on other layouts, full-width characters, and every encoding of Enter that terminals send."""

import pytest

from net.wire.messages import MakeTable
from tests.tui.guests import app_host
from tui.model.keys import latin_letter, map_key
from tui.terminal.textual_private import KeyParser, key_of

WAITING = MakeTable("draw", 2, {})


@pytest.mark.parametrize(
    ("typed", "latin"),
    [
        ("йцукен", "qwerty"),
        ("ЙЦУ", "QWE"),
        ("ЁХЪ", "`[]"),
        ("фівапролджє", "asdfghjkl;'"),
        ("ςερτυθιοπ", "wertyuiop"),
        ("ΑΣΔ", "ASD"),
        ("ｑｈ？１０", "qh?10"),
        ("añç日", "añç日"),
    ],
)
def test_a_letter_of_another_layout_counts_as_the_one_on_the_same_key(typed, latin):
    assert "".join(map(latin_letter, typed)) == latin


@pytest.mark.parametrize("sent", ["\r", "\n", "\x1bOM", "\x1b[13;2u", "\x1b[13;5u", "\x1b[27;2;13~"])
def test_enter_in_every_form_that_terminals_send_is_enter(sent):
    (key,) = KeyParser().feed(sent)

    assert key_of(*map_key(key.key, key.character)).key == "enter"


@pytest.mark.parametrize(
    ("sent", "name"), [("й", "q"), ("\x1b[1081;1u", "q"), ("\x1b[1089;5u", "ctrl+c"), ("？", "question_mark")]
)
def test_a_letter_counts_however_the_terminal_sends_it(sent, name):
    (key,) = KeyParser().feed(sent)

    assert key_of(*map_key(key.key, key.character)).key == name


async def test_a_cyrillic_letter_opens_the_talk_line_by_its_key_and_is_typed_unchanged():
    cyrillic_ye = "\u0435"  # on the key of the Latin "t", which opens the line
    async with app_host() as host, host.guest("ada", table_request=WAITING, name="ada") as ada:
        await ada.wait_for("Waiting for 1 more player.")
        await ada.press(cyrillic_ye)
        await ada.press(cyrillic_ye)
        assert ada.app.screen.line.text == cyrillic_ye
