"""Keys: one table, no key twice, and every action exists."""

import inspect

import pytest

from tests.tui.served_pilot import served
from themes import load_theme
from tui.board.canvas import Canvas, Picture, Style
from tui.model.choice import END_KEYS, TILE_KEYS
from tui.model.keys import LOBBY, RARE_TABLE_KEYS, REPLAY, TABLE, Key
from tui.model.look import Look
from tui.plain.info import TABLE as PLAIN_PAGES
from tui.screens.asking import AskScreen, FieldScreen, WaitScreen
from tui.screens.base import DrawnScreen, MessageScreen, PageScreen, SingleScreenApp
from tui.screens.confirm_leave import LeavingScreen
from tui.screens.guests import GuestsScreen, InviteScreen, TalkScreen
from tui.screens.help import HelpScreen
from tui.screens.hosts import HostsScreen
from tui.screens.lists import LanguagesScreen, ThemesScreen
from tui.screens.lobby import LobbyScreen, NameScreen
from tui.screens.match_end import (
    EndScreen,
    MatchEndScreen,
    MatchesScreen,
    PastMatchScreen,
)
from tui.screens.menu import MenuScreen, WelcomeScreen
from tui.screens.new_table import NewTableScreen
from tui.screens.pick_list import PickScreen
from tui.screens.replay import ReplayScreen
from tui.screens.review import ReviewScreen
from tui.screens.table import TableScreen

SCREENS = [(TABLE + RARE_TABLE_KEYS, TableScreen), (LOBBY, LobbyScreen), (REPLAY, ReplayScreen)]
ALL = [
    TableScreen,
    EndScreen,
    MatchEndScreen,
    PastMatchScreen,
    MessageScreen,
    MatchesScreen,
    PageScreen,
    PickScreen,
    WelcomeScreen,
    LobbyScreen,
    ReplayScreen,
    MenuScreen,
    HostsScreen,
    NewTableScreen,
    GuestsScreen,
    TalkScreen,
    NameScreen,
    InviteScreen,
    LeavingScreen,
    HelpScreen,
    ReviewScreen,
    ThemesScreen,
    LanguagesScreen,
    FieldScreen,
    AskScreen,
    WaitScreen,
]


@pytest.mark.parametrize(("keys", "screen"), SCREENS)
def test_no_key_means_two_things(keys, screen):
    all_keys = [name for key in keys for name in key.keys.split(",")]

    assert len(all_keys) == len(set(all_keys))


def test_the_letters_of_ends_and_the_digits_of_tiles_are_free():
    taken = {name for key in TABLE + RARE_TABLE_KEYS for name in key.keys.split(",")}

    assert not taken & set(END_KEYS + TILE_KEYS)


@pytest.mark.parametrize(("keys", "screen"), SCREENS)
def test_every_key_can_be_written_in_ascii(keys, screen):
    assert all(key.label_on(ascii=True).isascii() and key.words() for key in keys)


def kinds_of(screen):
    return {kind for child in screen.__subclasses__() for kind in (child, *kinds_of(child))}


def test_this_file_covers_all_screens():
    assert set(ALL) == {kind for kind in kinds_of(DrawnScreen) if kind.KEYS and kind.__module__.startswith("tui.")}


@pytest.mark.parametrize("screen", ALL)
def test_the_effect_of_a_key_is_complete_when_its_action_returns(screen):
    for key in screen.KEYS:
        assert not inspect.iscoroutinefunction(getattr(screen, f"action_{key.name}"))


@pytest.mark.parametrize("screen", ALL)
def test_escape_leaves_every_screen(screen):
    assert [key.leaves_screen for key in screen.KEYS if "escape" in key.names] == [True]


async def test_a_screen_handles_its_own_keys_only():
    class Other(DrawnScreen[None]):
        done: list[str] = []

        def draw(self, width, height):
            return Picture(Canvas(width, height, Style("#ffffff", "#000000")).rows())

        def action_look(self):
            self.done.append("look")

        def action_jump(self, by):
            self.done.append(f"jump {by}")

        KEYS = (Key(action_look, "v"), Key(action_jump, "j", args=(2,)))

    async with served(SingleScreenApp(Other(Look(load_theme("dark")))), (80, 24)) as pilot:
        await pilot.press("v", "j", "n")

    assert Other.done == ["look", "jump 2"]


IN_PLAIN = {
    "draw": "draw",
    "pass_turn": "pass",
    "hint": "hint",
    "take_back": "back",
    "talk": "say",
    "fill": "fill",
    "who": "who",
    "pause": "pause",
    "end_match": "end",
    "end_match(True)": "resign",
    "skip": "skip",
    "pace(1)": "pace at once",
    "pace(-1)": "pace slow",
    "language": "language",
    "help": "rules",
    "leave": "leave",
}
"""The word in plain text for an action of the table."""
NOT_IN_PLAIN = {
    **dict.fromkeys(("go", "tile(-1)", "tile(1)", "end(-1)", "end(1)"), "moves have numbers"),
    **dict.fromkeys(("scroll_story(5)", "scroll_story(-5)", "look"), "everything that was said stands above"),
    **dict.fromkeys(("theme", "mouse", "bell", "find_anything"), "nothing is drawn, clicked, rung or searched"),
    "review": "it is a screen; `boneyard review` prints it",
}
"""The reason why an action of the table needs no word in plain text."""


@pytest.mark.parametrize("key", TABLE + RARE_TABLE_KEYS, ids=lambda key: key.call)
def test_a_key_of_the_table_has_a_word_in_plain_text_or_a_reason(key):
    help_text = " ".join(PLAIN_PAGES["help"](None))

    assert (key.call in IN_PLAIN) != (key.call in NOT_IN_PLAIN), (
        f"add a word for {key.call} to tui/plain and IN_PLAIN, or a reason to NOT_IN_PLAIN"
    )
    assert f"“{IN_PLAIN.get(key.call, 'hint')}”" in help_text, "add it to `_table_help` in tui/plain/info.py"
