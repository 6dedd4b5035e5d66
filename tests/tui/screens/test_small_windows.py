"""Common behaviour of all screens: they fit the window, and do nothing in a window that is too small."""

from tests.tui.served_pilot import served
from themes import load_theme
from tui.board.canvas import Canvas, Picture, Style
from tui.model.keys import Key
from tui.model.look import Look
from tui.screens.base import DrawnScreen
from tui.terminal.app import TerminalApp


class Counter(DrawnScreen[None]):
    """A screen that counts."""

    def __init__(self):
        super().__init__(Look(load_theme("dark")))
        self.count = 0

    def draw(self, width, height):
        return Picture(Canvas(width, height, Style("#ffffff", "#000000")).rows())

    def action_count(self):
        self.count += 1

    def action_leave(self):
        self.app.exit(self.count)

    KEYS = (Key(action_count, "enter"), Key(action_leave, "q", leaves_screen=True))


class CounterApp(TerminalApp[int]):
    def on_mount(self):
        self.push_screen(Counter())


async def test_keys_do_nothing_in_a_window_too_small_to_see_it_except_leave():
    app = CounterApp()
    async with served(app, (80, 24)) as pilot:
        await pilot.press("enter")
        await pilot.resize_terminal(49, 24)
        await pilot.press("enter", "enter")
        await pilot.resize_terminal(80, 24)
        await pilot.press("enter")
        assert app.screen.count == 2

        await pilot.resize_terminal(20, 5)
        await pilot.press("q")
    assert app.return_value == 2
