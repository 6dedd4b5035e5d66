"""The menu, and the hosts nearby."""

from pathlib import Path

import pytest

from net.client.discovery import FoundHost
from net.storage.kept_matches import KeptMatch
from net.wire.messages import MakeTable
from tests.tui.guests import Guest
from tests.tui.tables import DARK, PLAIN
from tui.screens.hosts import HostsApp
from tui.screens.menu import MenuApp, MenuScreen


async def test_the_menu_leads_to_a_table_of_ones_own():
    app = MenuApp(MenuScreen(DARK))
    async with app.run_test(size=(80, 24)) as pilot:
        guest = Guest(app, pilot)
        await guest.sees("Play alone", "Join a host", "Host a game")
        await guest.press("enter")
        await guest.sees("a new table")
        await guest.press("down", "right", "enter")

    assert app.return_value == MakeTable("draw", 3, {}, bots=2, hints=True)


@pytest.mark.parametrize(("downs", "result"), [(1, "join"), (2, "host"), (4, None)])
async def test_the_menu_leads_to_the_other_commands(downs, result):
    app = MenuApp(MenuScreen(PLAIN))
    async with app.run_test(size=(80, 24)) as pilot:
        await Guest(app, pilot).press(*["down"] * downs, "enter")

    assert app.return_value == result


KEPT = [
    KeptMatch(Path("damaged"), 1e9, problem="file is not a database"),
    KeptMatch(Path("latest"), 1e9, "all-fives", 3, 85, ("", "Felix", "Hub", "Dotty")),
    KeptMatch(Path("older"), 1e9, "mexican-train", 12, 1234, ("", "Ebony")),
]


@pytest.mark.parametrize(("look", "size"), [(DARK, (80, 24)), (PLAIN, (80, 24)), (DARK, (140, 45))])
async def test_the_menu_begins_with_the_match_that_was_played_last(look, size):
    app = MenuApp(MenuScreen(look, kept=KEPT))
    async with app.run_test(size=size) as pilot:
        guest = Guest(app, pilot)
        await guest.sees("Go on: All Fives, round 3, you 85", "Felix, Hub, Dotty", "Kept matches", "Play alone")
        await guest.press("enter")

    assert app.return_value == Path("latest")


async def test_the_menu_lists_all_kept_matches_and_goes_on_with_any_but_a_damaged_one():
    app = MenuApp(MenuScreen(DARK, kept=KEPT))
    async with app.run_test(size=(80, 24)) as pilot:
        guest = Guest(app, pilot)
        await guest.press("down", "enter")
        await guest.sees("cannot be read", "Mexican Train, round 12, you 1234", "2001-09-09")
        await guest.press("enter")
        await guest.sees("file is not a database")
        await guest.press("q")
        await guest.sees("Play alone")
        await guest.press("enter", "up", "enter")

    assert app.return_value == Path("older")


async def test_the_menu_says_why_the_last_choice_came_to_nothing():
    app = MenuApp(MenuScreen(DARK, said="That match is being played in another window."))
    async with app.run_test(size=(80, 24)) as pilot:
        await Guest(app, pilot).sees("in another window.")


async def test_hosts_are_listed_as_they_come_and_one_is_chosen():
    app = HostsApp(DARK)
    async with app.run_test(size=(80, 24)) as pilot:
        guest = Guest(app, pilot)
        await guest.sees("Looking for hosts")
        app.screen._changed([FoundHost("ada's house", "192.168.1.20", 2222), FoundHost("bela", "10.0.0.5", 2022)])
        await guest.sees("ada's house", "10.0.0.5:2022")
        await guest.press("down", "enter")

    assert app.return_value == ("10.0.0.5", 2022)


@pytest.mark.parametrize("key", ["a", "enter"])
async def test_a_host_that_is_not_heard_is_joined_by_its_address(key):
    app = HostsApp(DARK)
    async with app.run_test(size=(80, 24)) as pilot:
        guest = Guest(app, pilot)
        await guest.sees("Looking for hosts", "a type an address")
        await guest.press(key, "escape", key, *"example.org:x", "enter")
        await guest.sees("“example.org:x” is not an address")
        await guest.press("backspace", *"2022", "enter")
        await guest.until(lambda: app._exit)

    assert app.return_value == ("example.org", 2022)
