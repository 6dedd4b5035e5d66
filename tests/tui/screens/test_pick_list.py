"""Everything is found by typing a part of its name, from the menu and from a table."""

import pytest
from msgspec.structs import replace

from net.wire.messages import MakeTable
from tests.tui.guests import app_host
from tests.tui.served_pilot import served
from tests.tui.tables import DARK
from tui.screens.base import SingleScreenApp
from tui.screens.menu import MenuScreen
from tui.screens.pick_list import Item, PickScreen

SOLO = MakeTable("draw", 2, {"target": 50}, bots=1)


def picking(*words):
    return PickScreen(DARK, "", [Item((word, f"about {number}"), word) for number, word in enumerate(words)], "take")


def type_filter(screen, words):
    """Type these words in place of the text so far."""
    screen.text_input.handle_key("ctrl+u", None)
    screen.text_input.add(words)
    screen.on_text_changed()


def test_typed_words_match_beginnings_of_words_and_first_words_come_first():
    screen = picking("All Fives", "Five-Up", "Fives and Threes", "Draw")
    type_filter(screen, "fiv")
    assert [item.cells[0] for item in screen._matching_items] == ["Five-Up", "Fives and Threes", "All Fives"]
    type_filter(screen, "fives")
    assert [item.cells[0] for item in screen._matching_items] == ["Fives and Threes", "All Fives"]
    type_filter(screen, "fivess")
    assert [item.cells[0] for item in screen._matching_items] == ["All Fives", "Five-Up", "Fives and Threes"]
    type_filter(screen, "thr fiv")
    assert [item.cells[0] for item in screen._matching_items] == ["Fives and Threes"]
    type_filter(screen, "about 3")
    assert [item.cells[0] for item in screen._matching_items] == ["Draw"]
    type_filter(screen, "xyz")
    assert screen._matching_items == []
    screen.action_choose()


@pytest.mark.parametrize(
    ("typed", "game"),
    [("mexi", "mexican-train"), ("up", "five-up"), ("tien", "tien-gow"), ("koze", "kozel"), ("bone", "all-fives")],
)
async def test_from_the_menu_every_game_is_six_keys_away(typed, game):
    app = SingleScreenApp(MenuScreen(DARK))
    async with served(app, (80, 24)) as pilot:
        await pilot.press(":", *("space" if letter == " " else letter for letter in typed), "enter")
        await pilot.pause()
    assert app.return_value.game == game


async def test_a_preset_is_found_by_the_name_that_it_has_at_home():
    app = SingleScreenApp(MenuScreen(DARK))
    async with served(app, (80, 24)) as pilot:
        await pilot.press(":", *"dominicano", "enter")
        await pilot.pause()
    assert (app.return_value.game, app.return_value.options["target"]) == ("partners", 200)


async def test_from_a_table_every_setting_is_six_keys_away():
    async with app_host() as host, host.guest("ada", table_request=SOLO, name="ada") as ada:
        await ada.wait_for("your turn")
        await ada.press(":", *"nig")
        await ada.wait_for("Colours: night")
        await ada.press("enter")
        await ada.until(lambda: ada.app.screen.look.name == "night")
        await ada.press(":", *"slowly")
        await ada.wait_for("Bots play slowly.")
        await ada.press("enter")
        await ada.until(lambda: ada.update.table.pace == "slow")


@pytest.mark.parametrize(("rows", "searched"), [(2, False), (9, True)])
def test_on_a_phone_a_short_list_offers_no_search(rows, searched):
    look = replace(DARK, touched=True)
    screen = PickScreen(look, "", [Item((f"row {number}",), number) for number in range(rows)], "take")

    assert ("type a part of a name" in str(screen.draw(50, 30))) == searched
    assert (screen.text_input is not None) == searched
