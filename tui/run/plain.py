"""The menu and the choice of a host in plain lines."""

from collections.abc import Callable
from functools import partial
from pathlib import Path

from net.loop import run
from net.storage.solo_matches import resumable_matches
from net.storage.solo_storage import NotResumableError
from net.wire.messages import MakeTable
from tui.i18n import _, day_and_time, translate
from tui.lessons import Lesson, Tutor
from tui.plain.menu import Hosts, Menu
from tui.plain.terminal_lines import LocalLines, Printer, local_lines
from tui.records.history import list_matches
from tui.run.frontends import plain_frontend
from tui.run.settings import joined_hosts, solo_name
from tui.solo import Show, learn, play_alone
from tui.text.notices import Place

MAX_LISTED_MATCHES = 20
"""Maximum number of finished matches in the list, the newest first."""


def plain_menu(data: Path, command: Callable[[str], None], *, ascii: bool) -> None:
    """Show the menu until the player leaves it. `command` runs another command by its name; solo matches are saved in
    `data`.
    """
    printer = Printer(ascii=ascii)
    while not printer.is_broken:
        menu = Menu(printer.say, resumable_matches(data), partial(_history_lines, data))
        menu.open()
        while menu.chosen is None and (line := next_line()) is not None:
            menu.handle_line(line)
        if menu.chosen is None or menu.chosen == "leave":
            return
        chosen = menu.chosen
        if isinstance(chosen, Lesson):
            show = partial(_show_lesson, ascii)
            lesson_result = run(learn(chosen, show, name=solo_name()))
            if lesson_result.last_word:
                printer.say(lesson_result.last_word)
            if lesson_result.table is None:
                continue
            chosen = lesson_result.table
        if isinstance(chosen, MakeTable | Path):
            try:
                solo_result = run(play_alone(chosen, plain_frontend(ascii=ascii), name=solo_name(), data=data))
            except NotResumableError as error:
                printer.say(translate(error.reason))
                continue
            for sentence in filter(None, (solo_result.last_word, solo_result.loss)):
                printer.say(sentence)
        else:
            command(chosen)


def _show_lesson(ascii: bool, tutor: Tutor) -> Show:
    return plain_frontend(ascii=ascii, tutor=tutor)


def _history_lines(data: Path) -> list[str]:
    """Return a sentence for each of the latest recorded matches."""
    return [
        _("{match}, {time}: {result}.", match=match.title, time=day_and_time(match.began_at), result=match.result)
        for match in list_matches(data / "records", MAX_LISTED_MATCHES)[0]
    ]


def choose_host_in_lines(*, ascii: bool) -> tuple[Place, ...]:
    """List the hosts on the local network; return the places of the chosen host, if any.

    Raises OSError without a network.
    """
    from tui.run.join import hosts_nearby  # noqa: PLC0415 - a solo match needs no network

    printer = Printer(ascii=ascii)
    printer.say(_("Looking for servers on the local network."))
    hosts = Hosts(printer.say, run(hosts_nearby()), joined_hosts())
    hosts.open()
    while not hosts.places and not hosts.cancelled and (line := next_line()) is not None:
        hosts.handle_line(line)
    return hosts.places


def next_line() -> str | None:
    """Return the next typed line; None at the end of the input, and after Ctrl-C."""
    try:
        return run(_next_line(local_lines()))
    except KeyboardInterrupt:
        return None


async def _next_line(lines: LocalLines) -> str | None:
    return await anext(lines, None)
