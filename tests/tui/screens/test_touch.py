"""A page that is touched: a bar with the buttons that matter now, rows as high as a finger, and no names of keys."""

from itertools import pairwise
from random import Random

import pytest
from msgspec.structs import replace

from core.actions import Draw
from net.doors.terminal import BarButton
from net.wire.messages import MakeTable
from tests.tui.every_screen import screens
from tests.tui.guests import app_host
from tests.tui.tables import DARK
from tui.draw.panels import TOUCHED_ROW_HEIGHT, replace_enter
from tui.model.keys import name_of_label
from tui.screens.lobby import LobbyScreen
from tui.screens.menu import MenuScreen, WelcomeScreen
from tui.terminal.page_notes import key_offers

TOUCHED = replace(DARK, touched=True)
PHONE = (50, 46)
LOCAL = (MenuScreen, WelcomeScreen)
"""Screens that no host serves."""


def bar(guest):
    """Return the words of the buttons, with the kind of those that have one."""
    return [f"{button.words} {button.kind}".strip() for button in guest.app.screen.buttons()]


async def test_on_a_turn_the_bar_has_play_draw_hint_and_take_back_in_their_places():
    table = MakeTable("draw", 2, bots=1, hints=True, take_back=True)
    async with app_host() as host, host.guest("ada", table_request=table, name="ada", look=TOUCHED) as ada:
        await ada.until(lambda: ada.update and ada.update.match and ada.update.match.play.legal)
        for _ in range(20):
            play = ada.update.match.play
            if play.result:
                break
            if play.turn == ada.update.seat:
                can_draw = Draw() in play.legal
                assert bar(ada)[:2] == (["play idle", "draw main"] if can_draw else ["play main", bar(ada)[1]])
                assert bar(ada)[1].split()[0] in ("draw", "pass")
                assert bar(ada)[2:] == ["hint", "take back"]
            number = ada.update.number
            await ada.press("enter")
            await ada.until(lambda number=number: ada.update.number > number)


async def test_while_others_play_the_buttons_of_a_turn_are_idle():
    async with (
        app_host() as host,
        host.guest("ada", table_request=MakeTable("draw", 3), name="ada", look=TOUCHED) as ada,
    ):
        await ada.wait_for("waiting for players")
        assert bar(ada) == ["fill with bots main", "share link share", "talk", "leave"]


async def test_a_result_offers_the_next_round():
    async with (
        app_host() as host,
        host.guest("ada", table_request=MakeTable("draw", 2, bots=1), name="ada", look=TOUCHED) as ada,
    ):
        await ada.until(lambda: ada.update and ada.update.match)
        while not ada.update.match.play.result:
            await ada.until(lambda: ada.update.match.play.legal or ada.update.match.play.result)
            await ada.press("enter")
        await ada.until(lambda: bar(ada)[:2] == ["next round main", "look"])
        assert "Enter" not in ada.text


async def test_while_a_line_is_typed_its_phrases_are_buttons():
    async with (
        app_host() as host,
        host.guest("ada", table_request=MakeTable("draw", 2), name="ada", look=TOUCHED) as ada,
    ):
        await ada.wait_for("waiting for players")
        await ada.press("t")
        assert bar(ada) == ["Hello!", "Well played!", "One moment!", "Good game!", "I have to go!", "cancel idle"]
        assert "1 Hello!" not in ada.text
        await ada.press("2")
        await ada.wait_for("ada: “Well played!”")


@pytest.mark.parametrize(
    ("sentence", "button", "touched"),
    [
        ("Enter: pass.", "pass", "Pass."),
        ("Nothing fits: Enter draws a tile.", "draw", "Nothing fits: “Draw” draws a tile."),
        ("5|3 fits nowhere.", "play", "5|3 fits nowhere."),
    ],
)
def test_sentences_name_the_button_in_place_of_enter(sentence, button, touched):
    assert replace_enter(sentence, button) == touched


def test_every_screen_has_at_most_four_buttons_and_at_most_one_to_press_first():
    for _name, screen in screens():
        screen.look = TOUCHED
        screen.picture = screen.draw(*PHONE)
        buttons = screen.buttons()
        assert len(buttons) <= 4 or screen.line
        assert sum(button.kind == "main" for button in buttons) <= 1


def test_rows_of_a_list_are_as_high_as_a_finger_and_do_not_overlap():
    for _name, screen in screens():
        if not hasattr(screen, "action_move") or isinstance(screen, LOCAL):
            continue
        screen.look = TOUCHED
        rows = [hit for hit in screen.draw(*PHONE).hits if not hit.key and hit.side == -1 and hit.w > 20]
        assert all(hit.h >= TOUCHED_ROW_HEIGHT for hit in rows)
        assert all(below.y - above.y >= TOUCHED_ROW_HEIGHT for above, below in pairwise(rows))


def test_the_page_is_sent_the_bytes_of_each_button_and_its_words_in_capitals():
    screen = next(screen for name, screen in screens() if name == "lobby")
    screen.look = TOUCHED
    screen.picture = screen.draw(*PHONE)

    assert key_offers(screen.KEYS, screen.buttons(), takes_text=False).bar[0] == BarButton("\r", "Sit down", "main")


@pytest.mark.parametrize("seed", range(4))
async def test_random_buttons_and_targets_never_end_the_app_or_lead_to_a_dead_end(seed):
    chance = Random(seed)
    async with app_host() as host, host.guest("ada", name="ada", look=TOUCHED) as ada:
        await ada.wait_for("in the lobby")
        for _ in range(120):
            screen = ada.app.screen
            buttons = [button.label for button in screen.buttons() if button.label]
            targets = [hit for hit in screen.picture.hits if hit.w]
            if targets and chance.random() < 0.5:
                hit = chance.choice(targets)
                await ada.pilot.click(offset=(hit.x, hit.y))
            elif labels := [label for label in buttons if label != "q" or not isinstance(screen, LobbyScreen)]:
                await ada.press(name_of_label(chance.choice(labels)))
            assert not ada.app._exit
            assert ada.app.screen.buttons(), "there is always a next step"
