"""The menu and what follows from it, until the player leaves: one app after the other in the same terminal."""

import asyncio
from collections.abc import Callable

from net.wire.messages import MakeTable
from tui.draw.look import Look
from tui.run.alone import play_alone
from tui.run.settings import remember
from tui.run.shown import on_screens
from tui.run.terminal import at_home
from tui.screens.menu import MenuApp


def menu(look: Look, software: str, command: Callable[[str, Look], None]) -> None:
    """Show the menu until the player leaves it; `command` runs another command by its name."""

    def looked(chosen: Look) -> None:
        nonlocal look
        look = chosen
        remember(chosen)

    while (chosen := at_home(MenuApp(look, looked)).run()) is not None:
        if isinstance(chosen, MakeTable):
            asyncio.run(play_alone(chosen, on_screens(look, looked), software=software))
        else:
            command(chosen, look)
