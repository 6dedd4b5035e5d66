"""The menu, and the hosts nearby."""

import asyncio
from contextlib import asynccontextmanager
from pathlib import Path
from unittest.mock import Mock

import pytest

from core.games import GAMES
from net.client.discovery import FoundHost
from net.storage.solo_matches import KeptMatch
from net.wire.messages import MakeTable
from tests.tui.guests import Guest
from tests.tui.served_pilot import served
from tests.tui.tables import DARK, PLAIN
from tui.draw.menu import SETTING
from tui.run.join import ScreenPrompts
from tui.run.local_session import LocalSession
from tui.screens.base import SingleScreenApp
from tui.screens.hosts import HostsScreen
from tui.screens.menu import MenuScreen


async def choice_after(*keys, **menu):
    """Return the choice on the first screen after these keys."""
    app = SingleScreenApp(MenuScreen(DARK, **menu))
    async with served(app, (80, 24)) as pilot:
        await Guest(app, pilot).press(*keys)
    return app.return_value


async def test_the_first_screen_shows_every_game_with_an_example_and_starts_the_chosen_one():
    app = SingleScreenApp(MenuScreen(DARK))
    async with served(app, (80, 24)) as pilot:
        guest = Guest(app, pilot)
        for variant in GAMES.values():
            alone = variant.seats[1] == 1
            settings = (
                ("players        1", "bots           –") if alone else ("players      ◀", "bots         ◀ normal")
            )
            await guest.wait_for(variant.brief, f"play {variant.name}", *settings)
            await guest.press("down")
        await guest.wait_for("Join friends", "Open a server", "choose")
        await guest.press(*["up"] * len(GAMES), "right", "b", "enter")

    assert app.return_value == MakeTable("draw", 3, {}, bots=2, level="hard", hints=True, take_back=True)


async def test_house_rules_are_chosen_in_the_form():
    assert await choice_after("down", "right", "o", "down", "right", "enter") == MakeTable(
        "block", 4, {}, bots=3, hints=True, take_back=True
    )


async def test_the_settings_of_each_game_stay_as_they_were_chosen():
    assert (await choice_after("right", "down", "up", "enter")).players == 3


async def test_a_game_begins_with_the_settings_of_the_last_time():
    last = {"draw": MakeTable("draw", 4, {"partners": "yes"}, level="easy", hints=False)}
    assert await choice_after("enter", last_tables=last) == MakeTable(
        "draw", 4, {"partners": "yes"}, bots=3, level="easy"
    )


@pytest.mark.parametrize("typed", ["/muggins", "/all f", "/5s"])
async def test_a_game_is_found_by_any_of_its_names(typed):
    keys = ["slash", *(key.replace(" ", "space") for key in typed[1:])]
    assert (await choice_after(*keys, "enter", "enter")).game == "all-fives"


async def test_a_digit_begins_the_search_and_an_unknown_name_is_reported():
    app = SingleScreenApp(MenuScreen(DARK))
    async with served(app, (80, 24)) as pilot:
        guest = Guest(app, pilot)
        await guest.press("4", "2")
        await guest.wait_for("› 42", "▶ Forty-Two")
        assert "Chickenfoot" not in guest.text
        await guest.press("x", "y")
        await guest.wait_for("Nothing has that name.")
        await guest.press("backspace", "backspace", "enter")
        await guest.wait_for("Cross", "play Forty-Two")
        await guest.press("slash", "x", "escape")
        await guest.wait_for("Cross", "play Forty-Two")


@pytest.mark.parametrize(("keys", "result"), [("f", "join"), ("s", "host"), ("q", None), ("c", Path("latest"))])
async def test_a_letter_runs_a_command_of_the_menu(keys, result):
    assert await choice_after(keys, kept_matches=KEPT) == result


KEPT = [
    KeptMatch(Path("damaged"), 1e9, problem="file is not a database"),
    KeptMatch(Path("latest"), 1e9, "all-fives", 3, 85, ("", "Felix", "Hub", "Dotty")),
    KeptMatch(Path("older"), 1e9, "mexican-train", 12, 1234, ("", "Ebony")),
]


@pytest.mark.parametrize(("look", "size"), [(DARK, (80, 24)), (PLAIN, (80, 24)), (DARK, (140, 45))])
async def test_the_menu_begins_with_the_match_that_was_played_last(look, size):
    app = SingleScreenApp(MenuScreen(look, kept_matches=KEPT))
    async with served(app, size) as pilot:
        guest = Guest(app, pilot)
        await guest.wait_for("Go on: All Fives, round 3, you 85", "Felix, Hub, Dotty", "Kept matches", "Draw")
        await guest.press("enter")

    assert app.return_value == Path("latest")


async def test_the_menu_lists_all_kept_matches_and_goes_on_with_any_but_a_damaged_one():
    app = SingleScreenApp(MenuScreen(DARK, kept_matches=KEPT))
    async with served(app, (80, 24)) as pilot:
        guest = Guest(app, pilot)
        await guest.press("m")
        await guest.wait_for("cannot be read", "Mexican Train, round 12, you 1234", "09/09/2001")
        await guest.press("enter")
        await guest.wait_for("file is not a database")
        await guest.press("escape")
        await guest.wait_for("Chickenfoot")
        await guest.press("m", "up", "enter")

    assert app.return_value == Path("older")


async def test_the_menu_says_why_the_last_choice_failed():
    app = SingleScreenApp(MenuScreen(DARK, sentence="That match is being played in another window."))
    async with served(app, (80, 24)) as pilot:
        await Guest(app, pilot).wait_for("in another window.")


@asynccontextmanager
async def silence(_changed):
    """Stand in for a network without hosts, whatever else runs on this machine."""
    yield


async def test_hosts_are_listed_as_they_come_and_one_is_chosen():
    app = SingleScreenApp(HostsScreen(DARK, listen=silence))
    async with served(app, (80, 24)) as pilot:
        guest = Guest(app, pilot)
        await guest.wait_for("Looking for servers")
        app.screen._show_hosts([FoundHost("ada's house", "192.168.1.20", 2222), FoundHost("bela", "10.0.0.5", 2022)])
        await guest.wait_for("ada's house", "10.0.0.5:2022")
        await guest.press("down", "enter")

    assert app.return_value == (("10.0.0.5", 2022),)


async def test_hosts_joined_before_stand_after_those_found_nearby():
    app = SingleScreenApp(HostsScreen(DARK, [("192.168.1.20", 2222), ("example.org", 2022)], silence))
    async with served(app, (80, 24)) as pilot:
        guest = Guest(app, pilot)
        await guest.wait_for("joined before", "192.168.1.20:2222", "example.org:2022")
        await guest.press("down")
        app.screen._show_hosts([FoundHost("ada's house", "192.168.1.20", 2222), FoundHost("bela", "10.0.0.5", 2022)])
        await guest.wait_for("ada's house", "10.0.0.5:2022", "example.org:2022")
        assert guest.text.count("192.168.1.20") == 1
        await guest.press("enter")

    assert app.return_value == (("example.org", 2022),), "it stays chosen"


async def test_a_host_that_is_not_found_is_joined_by_its_address():
    app = SingleScreenApp(HostsScreen(DARK, listen=silence))
    async with served(app, (80, 24)) as pilot:
        guest = Guest(app, pilot)
        await guest.wait_for("Looking for servers", "Type its address")
        await guest.press(*"example.org:x", "enter")
        await guest.wait_for("“example.org:x” is not an address")
        await guest.press("backspace", *"2022", "enter")
        await guest.until(lambda: app._exit)

    assert app.return_value == (("example.org", 2022),)


async def test_a_typed_address_stands_before_similar_addresses_and_after_equal_names():
    app = SingleScreenApp(HostsScreen(DARK, [("192.0.2.10", 2222)], silence))
    async with served(app, (80, 24)) as pilot:
        await pilot.press(*"192.0.2.1")
        assert [place for item in app.screen._matching_items for place in item.value] == [
            ("192.0.2.1", 2222),
            ("192.0.2.10", 2222),
        ]
        await pilot.press("0")
        assert [place for item in app.screen._matching_items for place in item.value] == [("192.0.2.10", 2222)]
        await pilot.press("ctrl+u", *"joi")
        assert [place for item in app.screen._matching_items for place in item.value] == [
            ("192.0.2.10", 2222),
            ("joi", 2222),
        ]


@pytest.mark.parametrize("size", [(80, 24), (50, 18), (140, 45)])
async def test_a_setting_is_clicked_and_one_that_the_game_lacks_changes_nothing(size):
    app = SingleScreenApp(MenuScreen(DARK))
    async with served(app, size) as pilot:
        guest = Guest(app, pilot)

        async def clicks(setting):
            hits = [hit for hit in guest.app.screen.picture.hits if hit.at == SETTING]
            await pilot.click(offset=(hits[setting].x + 1, hits[setting].y))
            await pilot.pause()

        await clicks(1)
        await guest.wait_for("hard", "play Draw")
        await guest.press("slash", *"patience", "enter", "b")
        await clicks(1)
        await clicks(0)
        await guest.wait_for("play Patience")
        await clicks(2)
        await guest.wait_for("house rules of")


async def test_a_click_on_a_row_hidden_by_the_search_is_ignored():
    app = SingleScreenApp(MenuScreen(DARK))
    async with served(app, (80, 24)) as pilot:
        guest = Guest(app, pilot)
        await guest.press("slash")
        last = max(app.screen.picture.hits, key=lambda hit: hit.at)
        await guest.press(*"cross")
        await pilot.click(offset=(last.x + 1, last.y))
        await guest.press("enter")
        await guest.wait_for("play Cross")


async def test_without_a_waiting_screen_the_code_is_empty():
    assert await asyncio.wait_for(ScreenPrompts(Mock(spec=LocalSession)).code(), 10) == ""
