"""The first start asks three things at most; later starts ask nothing."""

from net.wire.messages import MakeTable
from tests.tui.guests import Guest
from tests.tui.served_pilot import served
from tests.tui.tables import DARK
from tui.lessons import LESSONS
from tui.run.settings import is_first_start, remember_player, remembered_name, solo_name
from tui.screens.base import SingleScreenApp
from tui.screens.menu import WelcomeScreen


async def ask_first_questions(*keys):
    app = SingleScreenApp(WelcomeScreen(DARK))
    async with served(app, (50, 18)) as pilot:
        guest = Guest(app, pilot)
        await guest.wait_for("Welcome to Boneyard")
        await guest.press(*keys)
    return app.return_value


async def test_a_new_player_gets_a_lesson_first():
    assert await ask_first_questions(*"ann", "enter", "enter", "enter") == ("ann", LESSONS[0])


async def test_an_experienced_player_goes_to_a_table_or_sees_all_games():
    welcome = await ask_first_questions("enter", "enter", "right", "enter")
    assert isinstance(welcome.first, MakeTable)
    assert welcome.name == ""
    assert (await ask_first_questions("enter", "enter", "left", "enter")).first is None


async def test_escape_goes_to_the_menu_and_keeps_the_name():
    assert await ask_first_questions(*"bo", "x", "backspace", "escape") == ("bo", None)


def test_the_next_start_asks_nothing_and_a_solo_player_has_the_given_name_or_you():
    assert is_first_start()
    assert solo_name() == "You"
    remember_player("")
    assert not is_first_start()
    assert solo_name() == "You"
    remember_player("ann")
    assert (solo_name(), remembered_name()) == ("ann", "ann")
