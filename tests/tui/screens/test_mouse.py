"""The mouse: every key that a screen names can be clicked, also in its sentence and in the line that is typed. It may
be left to the terminal, and lines copied by a key.
"""

import pytest

from core.games import GAMES
from net.doors.terminal import MOUSE, NO_MOUSE_REPORTS
from net.wire.messages import MakeTable
from tests.tui.every_screen import screens
from tests.tui.guests import app_host, sit_together
from tui.model.keys import HOME, LOBBY, REPLAY, TABLE, name_of_label
from tui.model.look import USUAL_WINDOW

FAMILIES = ("draw", "mexican-train", "chickenfoot", "forty-two", "tien-gow", "patience")
WAITING = MakeTable("draw", 2, {})


async def click(guest, key):
    """Click on the name of a key, or on the sentence that names it."""
    x, y = next((hit.x, hit.y) for hit in guest.app.screen.picture.hits if hit.key == key and hit.w)
    await guest.pilot.click(offset=(x, y))


@pytest.mark.parametrize("size", [USUAL_WINDOW, (50, 18)])
def test_every_key_that_a_screen_names_can_be_clicked_and_acts_there(size):
    for name, screen in screens():
        picture = screen.draw(*size)
        rows, keys = str(picture).splitlines(), [hit for hit in picture.hits if hit.key and hit.w]
        for hit in keys:
            assert rows[hit.y][hit.x :].startswith(hit.key) or "Enter" in rows[hit.y] or "leaving" in name
            assert name_of_label(hit.key) in screen._keys
        assert "q leave" not in rows[-1] or any(hit.key == "q" for hit in keys)


@pytest.mark.parametrize(
    "key", [key for key in (*HOME, *LOBBY, *REPLAY, *TABLE) if key.label], ids=lambda key: key.call
)
@pytest.mark.parametrize("ascii", [False, True])
def test_a_label_names_one_of_its_keys(key, ascii):
    assert name_of_label(key.label_on(ascii)) in key.names


@pytest.mark.parametrize("game", FAMILIES)
async def test_a_round_of_every_family_is_played_with_the_mouse_alone(game):
    players = GAMES[game].seats[0]
    async with (
        app_host() as host,
        host.guest("ada", table_request=MakeTable(game, players, bots=players - 1), name="ada") as ada,
    ):
        await ada.until(lambda: ada.update and ada.update.match)
        while not (ada.update.match.play and ada.update.match.play.result):
            await ada.until(lambda: ada.update.match.play.legal or ada.update.match.play.result)
            if not ada.update.match.play.result:
                await click(ada, "Enter")


async def test_leaving_by_the_mouse_is_confirmed_by_a_click_on_the_question():
    async with app_host() as host, host.guest("ada", table_request=MakeTable("draw", 2, bots=1), name="ada") as ada:
        await ada.wait_for("round 1")
        for stays in (True, False):
            await click(ada, "q")
            await ada.wait_for("Leave?")
            if stays:
                await ada.pilot.click(offset=(40, 2))
                await ada.until(lambda: "Leave?" not in ada.text)
        await click(ada, "q")
        await ada.until(lambda: ada.app._exit)


async def test_a_phrase_is_said_by_a_click():
    async with app_host() as host, host.guest("ada") as ada, host.guest("bela") as bela:
        await sit_together(ada, bela)
        await click(ada, "t")
        await ada.wait_for("1 Hello!")
        await click(ada, "1")
        await bela.wait_for("ada: “Hello!”")


async def test_a_key_leaves_the_mouse_to_the_terminal_and_takes_it_back(monkeypatch):
    async with app_host() as host, host.guest("ada", table_request=WAITING, name="ada") as ada:
        await ada.wait_for("Waiting for 1 more player.")
        driver, written = ada.app.output, []
        monkeypatch.setattr(driver, "write", written.append)
        await ada.press("M")
        await ada.wait_for("The mouse is the terminal's now")
        assert NO_MOUSE_REPORTS in written
        await ada.press("M")
        await ada.wait_for("Clicks are Boneyard's again.")
        assert MOUSE in written


async def test_in_the_lobby_the_line_for_friends_is_copied_by_the_terminal():
    async with app_host() as host, host.guest("ada", name="ada") as ada:
        await ada.wait_for("in the lobby")
        ada.app._client.places = (("192.0.2.7", 2222),)
        await ada.press("c")
        await ada.wait_for("Copied, if your terminal allows it")
        assert ada.app.clipboard.startswith("ssh -p 2222 192.0.2.7")
