"""A lobby with more tables than a page has: turning pages, searching, and ending the search."""

from contextlib import asynccontextmanager

import pytest

from net.host.presence import Visitor
from net.wire.messages import PROTOCOL, Enter, Hello, MakeTable
from tests.tui.guests import app_host


def open_tables(host, count, game="draw", first=1000):
    for number in range(first, first + count):
        host.lobby.front.connect(number, Visitor(f"g{number}", f"key {number}"))
        for message in (Hello(PROTOCOL, "test"), Enter(f"g{number}"), MakeTable(game, 2)):
            host.server.apply_effects(host.lobby.receive(number, message))


@asynccontextmanager
async def full_lobby(size=(80, 24)):
    async with app_host() as host:
        open_tables(host, 59)
        open_tables(host, 1, "mexican-train", 2000)
        async with host.guest("ada", name="ada", size=size) as ada:
            await ada.wait_for("60 tables", "page 1 of 2", "▶ g1000's table")
            yield host, ada


async def test_the_list_goes_on_beyond_the_last_row_of_a_page_and_back():
    async with full_lobby() as (_, ada):
        await ada.press("up")
        await ada.wait_for("page 2 of 2", "▶ g2000's table")
        await ada.press("down")
        await ada.wait_for("page 1 of 2", "▶ g1000's table")
        await ada.press("pagedown")
        await ada.wait_for("page 2 of 2", "▶ g1050's table")
        await ada.press("pageup")
        await ada.wait_for("page 1 of 2", "▶ g1000's table")


@pytest.mark.parametrize("size", [(80, 24), (140, 45)])
async def test_tables_are_found_by_typing_and_escape_shows_all_again(size):
    async with full_lobby(size) as (host, ada):
        await ada.press("slash", *"train", "enter")
        await ada.wait_for("“train”", "1 table", "▶ g2000's table")
        open_tables(host, 1, "mexican-train", 2001)
        await ada.wait_for("2 tables", "g2001's table")
        await ada.press("slash")
        await ada.wait_for(" train▏")
        await ada.press(*["backspace"] * 5, *"zzz", "enter")
        await ada.wait_for("That table is not open.")
        await ada.press("escape")
        await ada.wait_for("61 tables", "page 1 of 2")
        assert not ada.app._exit


async def test_only_tables_with_a_free_seat_are_shown_on_request():
    async with full_lobby() as (host, ada):
        host.server.apply_effects(host.lobby.close(1))
        async with host.guest("bela", name="bela") as bela:
            await bela.wait_for("in the lobby")
            await bela.press("enter")
            await bela.until(lambda: bela.update)
            await ada.press("f")
            await ada.wait_for("free seats", "58 tables")
            await ada.press("f")
            await ada.wait_for("59 tables")


async def test_a_search_given_up_changes_nothing():
    async with full_lobby() as (_, ada):
        await ada.press("slash", *"train")
        assert ada.app.screen.line.text == "train"
        await ada.press("escape")
        await ada.wait_for("60 tables")
        assert ada.app.screen.line is None
        assert ada.app._client.browsing.words == ""
