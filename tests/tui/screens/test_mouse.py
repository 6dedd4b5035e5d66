"""The mouse may be left to the terminal, and lines copied by a key."""

from net.doors.terminal import MOUSE, NO_MOUSE_REPORTS
from net.wire.messages import MakeTable
from tests.tui.guests import app_host

WAITING = MakeTable("draw", 2, {})


async def test_a_key_leaves_the_mouse_to_the_terminal_and_takes_it_back(monkeypatch):
    async with app_host() as host, host.guest("ada", wish=WAITING, name="ada") as ada:
        await ada.sees("Waiting for 1 more player.")
        driver, written = ada.app.output, []
        monkeypatch.setattr(driver, "write", written.append)
        await ada.press("M")
        await ada.sees("The mouse is the terminal's now")
        assert NO_MOUSE_REPORTS in written
        await ada.press("M")
        await ada.sees("Clicks are Boneyard's again.")
        assert MOUSE in written


async def test_in_the_lobby_the_line_for_friends_is_copied_by_the_terminal():
    async with app_host() as host, host.guest("ada", name="ada") as ada:
        await ada.sees("in the lobby")
        ada.app._client.places = (("192.0.2.7", 2222),)
        await ada.press("c")
        await ada.sees("Copied, if your terminal allows it")
        assert ada.app.clipboard.startswith("ssh -p 2222 192.0.2.7")
