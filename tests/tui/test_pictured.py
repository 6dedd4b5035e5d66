"""A served screen whose tiles are images: the output to its terminal, also a slow one, and in other colours."""

import re

import pytest
from msgspec.structs import replace

from tests.tui.tables import DARK
from tests.tui.test_at_once import Screen, at_table, rest
from tui.terminal.driver import PICTURES_PER_KEY

PICTURED = replace(DARK, cell=(10, 20)).with_theme("felt")
GIVEN = re.compile(rb"\x1b_Ga=T,[^;]*i=(\d+),")
REMOVED = re.compile(rb"\x1b_Ga=d,d=I,i=(\d+),")
SHOWN = re.compile(rb"38;2;(\d+);(\d+);(\d+)[\d;]*m(?=\xf4\x8e\xbb\xae)")


def far_away():
    far = Screen("xterm-kitty", (140, 45))
    far.terminal.cell = (10, 20)
    return far


def given(far):
    return list(map(int, GIVEN.findall(far.sent)))


def visible(far):
    return {int.from_bytes(map(int, match), "big") for match in SHOWN.findall(far.sent)}


async def test_after_any_changes_a_terminal_shows_what_a_repaint_shows():
    far = far_away()
    async with at_table(far, "draw", 4, PICTURED) as app:
        await rest(app)
        for key in (b"\x1b[C", b"\x1b[C", b"1", b"\r", b"\x1b[D", b"\r"):
            far.terminal.feed(key)
            await rest(app)
            at_once, moment = far.cells, app._client.update
            far.clear()
            app.screen.repaint()
            await rest(app)
            if moment is app._client.update:  # else a bot has played meanwhile
                assert at_once == far.cells, key

    assert visible(far)
    assert visible(far) <= set(given(far))
    assert len(given(far)) == len(set(given(far))), "each is given once"
    assert set(map(int, REMOVED.findall(far.sent))) == set(given(far))


async def test_a_terminal_that_has_lagged_is_given_all_that_it_shows_then():
    far = far_away()
    async with at_table(far, "draw", 2, PICTURED) as app:
        await rest(app)
        before = given(far)
        far.sent = b""
        far.terminal.pause()
        app.screen.repaint()
        await rest(app)
        assert not given(far)
        far.terminal.resume()
        await rest(app)
        assert visible(far)
        assert visible(far) <= set(given(far)) <= set(before)
        far.sent = b""

    assert set(before) <= set(map(int, REMOVED.findall(far.sent)))


async def test_in_other_colours_every_picture_is_given_anew():
    far = far_away()
    async with at_table(far, "draw", 2, PICTURED) as app:
        await rest(app)
        before = set(given(far))
        far.sent = b""
        far.terminal.feed(b"y")
        await rest(app)
        far.terminal.feed(b"\x1b[B\r")
        await rest(app)

        assert app.screen.look.name == "light"
        assert before <= set(given(far))
        assert app.screen.look.theme.pictures


@pytest.mark.parametrize("name", ["mono", "felt"])
def test_in_grey_tiles_are_drawn_with_characters(name):
    assert PICTURED.with_theme(name).theme.pictures == (name == "felt")


async def test_painting_counts_towards_the_use_of_a_guest(monkeypatch):
    monkeypatch.setattr("net.scheduler.BUSY_PER_SECOND", 0)  # waiting earns no tokens
    far = far_away()
    async with at_table(far, "draw", 2, PICTURED) as app:
        await rest(app)
        driver = app._driver
        assert driver.keys.owner.used_tokens(driver.loop.time()) > len(given(far)) / PICTURES_PER_KEY / 2
    assert len(given(far)) > 5
