"""The menu and the commands chosen in it, one app after the other in one session."""

from collections.abc import Awaitable, Callable
from contextlib import aclosing
from pathlib import Path

from core.words import Refusal
from net.host.reviewing import Coach
from net.host.thinkers import Thinkers
from net.storage.solo_matches import resumable_matches
from net.wire.messages import MakeTable
from tui.failures import Failed
from tui.i18n import _, translate
from tui.lessons import Lesson
from tui.records.history import list_matches
from tui.run.local_session import LocalSession
from tui.run.settings import is_first_start, joined_hosts, last_tables, remember_player, remember_table, solo_name
from tui.screens.menu import MenuChoice, MenuScreen, WelcomeScreen
from tui.solo import learn, play_alone

Command = Callable[[LocalSession, str], Awaitable[str]]
"""Runs another command in the session, as typed; returns the last message, if any. Raises Failed."""


async def menu(session: LocalSession, data: Path, command: Command) -> None:
    """Show the menu until the player leaves it.

    Solo matches are saved in `data`, and resumed from there.
    """
    message = ""
    async with aclosing(Thinkers()) as thinkers:
        coach = Coach(thinkers.workers)
        next_choice: MenuChoice | None = await ask_first_questions(session)
        while not session.terminal.ended:
            chosen, next_choice = next_choice, None
            if chosen is None:
                screen = MenuScreen(
                    session.look,
                    session.use_look,
                    resumable_matches(data),
                    message,
                    last_tables(),
                    joined_hosts(),
                    history=lambda: list_matches(data / "records")[0],
                    review_worker=coach.compute,
                )
                chosen = await session.show_screen(screen)
            if chosen is None:
                return
            message = ""
            if isinstance(chosen, Lesson):
                lesson_result = await learn(
                    chosen,
                    lambda tutor: lambda client_session: session.play(client_session, tutor),
                    name=solo_name(),
                    thinkers=thinkers,
                )
                message, next_choice = lesson_result.last_word, lesson_result.table
                continue
            try:
                if isinstance(chosen, str):
                    message = await command(session, chosen)
                else:
                    message = await _play(session, chosen, data, thinkers)
            except Refusal as error:
                message = translate(error.reason)
            except Failed as error:
                message = error.message


async def _play(session: LocalSession, table_or_path: MakeTable | Path, data: Path, thinkers: Thinkers) -> str:
    """Play a solo match; return the sentence that the menu shows afterwards."""
    if isinstance(table_or_path, MakeTable):
        remember_table(table_or_path)
    result = await play_alone(
        table_or_path,
        lambda client_session: session.play(client_session, leave_text=_("another game")),
        name=solo_name(),
        data=data,
        thinkers=thinkers,
    )
    return result.last_word or result.loss


async def ask_first_questions(session: LocalSession) -> MenuChoice | None:
    """Ask the questions of the first start; return what the player does first. Later starts ask nothing."""
    if not is_first_start():
        return None
    welcome = await session.show_screen(WelcomeScreen(session.look))
    if welcome is None:
        return None
    remember_player(welcome.name)
    return welcome.first
