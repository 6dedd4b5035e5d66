"""The menu and what follows from it, until the player leaves: one app after the other in the same terminal."""

from collections.abc import Callable
from contextlib import aclosing
from pathlib import Path

from net.host.workers import Workers
from net.loop import run
from net.storage.kept_matches import kept_matches
from net.storage.match_storage import NotKeptError
from net.wire.messages import MakeTable
from tui.draw.look import Look
from tui.i18n import _, spoken
from tui.lessons import Lesson
from tui.records.history import recorded_matches
from tui.run.alone import learn, play_alone
from tui.run.reviewing import Coach
from tui.run.settings import first_start, joined_hosts, last_tables, remember, remember_player, remember_table
from tui.run.shown import on_screens, shown_here
from tui.screens.base import OneScreen
from tui.screens.menu import Chosen, MenuScreen, WelcomeScreen


def menu(look: Look, data: Path, command: Callable[[str, Look], None]) -> None:
    """Show the menu until the player leaves it; `command` runs another command by its name.

    Matches alone are kept in `data`, and taken up from there.
    """

    def looked(chosen: Look) -> None:
        nonlocal look
        look = chosen
        remember(chosen)

    async def choose() -> Chosen | None:
        async with aclosing(Workers()) as workers:
            screen = MenuScreen(
                look,
                looked,
                kept_matches(data),
                said,
                last_tables(),
                joined_hosts(),
                history=lambda: recorded_matches(data / "records")[0],
                find=Coach(workers).find,
            )
            return await shown_here(OneScreen(screen))

    said = ""
    following: Chosen | None = welcomed(look)
    while True:
        chosen, following = following, None
        if chosen is None:
            chosen = run(choose())
        if chosen is None:
            return
        said = ""
        if isinstance(chosen, Lesson):
            learnt = learn(chosen, lambda tutor: on_screens(look, looked, tutor))
            said, following = learnt.last_word, learnt.table
        elif isinstance(chosen, MakeTable | Path):
            if isinstance(chosen, MakeTable):
                remember_table(chosen)
            try:
                show = on_screens(look, looked, leaves=_("another game"))
                ended = run(play_alone(chosen, show, data=data))
                said = ended.last_word or ended.lost
            except NotKeptError as error:
                said = spoken(error.reason)
        else:
            command(chosen, look)


def welcomed(look: Look) -> Chosen | None:
    """Ask a player who starts Boneyard for the first time what has to be known; return what they do first.

    Later starts ask nothing.
    """
    if not first_start():
        return None
    welcome = run(shown_here(OneScreen(WelcomeScreen(look))))
    if welcome is None:
        return None
    remember_player(welcome.name)
    return welcome.first
