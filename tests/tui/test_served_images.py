"""A served screen whose tiles are images: the output to its terminal, also a slow one, and in other colours."""

import re

import pytest
from msgspec.structs import replace

from tests.tui.tables import DARK
from tests.tui.test_incremental_output import Screen, at_table, wait_until_quiet
from tui.terminal.driver import PICTURES_PER_KEY

PICTURED = replace(DARK, cell=(10, 20)).with_theme("felt")
GIVEN = re.compile(rb"\x1b_Ga=T,[^;]*i=(\d+),")
REMOVED = re.compile(rb"\x1b_Ga=d,d=I,i=(\d+),")
SHOWN = re.compile(rb"38;2;(\d+);(\d+);(\d+)[\d;]*m(?=\xf4\x8e\xbb\xae)")


def far_away():
    far = Screen("xterm-kitty", (140, 45))
    far.terminal.cell = (10, 20)
    return far


def sent_images(far):
    return list(map(int, GIVEN.findall(far.sent)))


def visible_images(far):
    return {int.from_bytes(map(int, match), "big") for match in SHOWN.findall(far.sent)}


async def test_after_any_changes_a_terminal_shows_what_a_repaint_shows():
    far = far_away()
    async with at_table(far, "draw", 4, PICTURED) as app:
        await wait_until_quiet(app)
        for key in (b"\x1b[C", b"\x1b[C", b"1", b"\r", b"\x1b[D", b"\r"):
            far.terminal.feed(key)
            await wait_until_quiet(app)
            at_once, moment = far.cells, app._client.update
            far.clear()
            app.screen.repaint()
            await wait_until_quiet(app)
            if moment is app._client.update:  # else a bot has played meanwhile
                assert at_once == far.cells, key

    assert visible_images(far)
    assert visible_images(far) <= set(sent_images(far))
    assert len(sent_images(far)) == len(set(sent_images(far))), "each is given once"
    assert set(map(int, REMOVED.findall(far.sent))) == set(sent_images(far))


async def test_a_terminal_that_has_lagged_gets_every_image_that_it_shows():
    far = far_away()
    async with at_table(far, "draw", 2, PICTURED) as app:
        await wait_until_quiet(app)
        before = sent_images(far)
        far.sent = b""
        far.terminal.pause()
        app.screen.repaint()
        await wait_until_quiet(app)
        assert not sent_images(far)
        far.terminal.resume()
        await wait_until_quiet(app)
        assert visible_images(far)
        assert visible_images(far) <= set(sent_images(far)) <= set(before)
        far.sent = b""

    assert set(before) <= set(map(int, REMOVED.findall(far.sent)))


async def test_in_other_colours_every_image_is_sent_again():
    far = far_away()
    async with at_table(far, "draw", 2, PICTURED) as app:
        await wait_until_quiet(app)
        before = set(sent_images(far))
        far.sent = b""
        far.terminal.feed(b"y")
        await wait_until_quiet(app)
        far.terminal.feed(b"\x1b[B\r")
        await wait_until_quiet(app)

        assert app.screen.look.name == "light"
        assert before <= set(sent_images(far))
        assert app.screen.look.theme.pictures


@pytest.mark.parametrize("name", ["mono", "felt"])
def test_in_grey_tiles_are_drawn_with_characters(name):
    assert PICTURED.with_theme(name).theme.pictures == (name == "felt")


async def test_painting_counts_towards_the_use_of_a_guest(monkeypatch):
    monkeypatch.setattr("net.scheduler.BUSY_PER_SECOND", 0)  # waiting earns no tokens
    far = far_away()
    async with at_table(far, "draw", 2, PICTURED) as app:
        await wait_until_quiet(app)
        driver = app._driver
        assert driver.keys.owner.used_tokens(driver.loop.time()) > len(sent_images(far)) / PICTURES_PER_KEY / 2
    assert len(sent_images(far)) > 5
