"""The command `boneyard host`."""

import gc
import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from shutil import get_terminal_size
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import click
from msgspec.structs import replace

from themes import DEFAULT_THEME
from tui.cli.access import parse_access, parse_web, reachable_at, web_addresses, with_access_options, with_web_options
from tui.cli.arguments import (
    FOLDER,
    complete_presets,
    default_data,
    guest_look_options,
    look_of,
    pictures_option,
    preset_named,
    read_house_rules,
    require_terminal,
)
from tui.cli.operate import node_of, report, with_cluster_options
from tui.cli.packages import browser_problem
from tui.failures import BadUse, Failed, fail_on
from tui.i18n import _
from tui.run.settings import remember_theme
from tui.text.names import PORT
from tui.version import SOFTWARE

if TYPE_CHECKING:
    from net.options import HostOptions
    from tui.model.look import Look
    from tui.run.local_session import LocalSession
    from tui.text.notices import Place

ROWS_FOR_CODE = 32
"""Rows of a terminal that shows a QR code, the lines to join, and the link above them."""
MOST_WORKERS = 64
"""More than any machine with one host can use."""


class WorkerCount(click.IntRange):
    """A number of worker processes, or `auto` for one on each core that this process may use."""

    name = "workers"

    def __init__(self) -> None:
        super().__init__(0, MOST_WORKERS)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        if value == "auto":
            return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
        return int(super().convert(value, param, ctx))


@click.command(epilog="Example:  boneyard host --port 2222 --data ~/boneyard")
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    default=PORT,
    show_default=True,
    help="Port to listen on; 0 takes a free one.",
)
@click.option("--bind", default="", metavar="ADDR", help="Address to listen on.  [default: all]")
@with_access_options
@click.option(
    "--data",
    type=FOLDER,
    default=None,
    help="Directory for the host key, names and records.",
)
@click.option("--name", default=None, help="Name of the server on the local network.")
@click.option(
    "--address",
    default="",
    metavar="ADDR",
    help="Address that guests type to reach this server, if it is not one of its own.",
)
@click.option("--announce/--no-announce", default=True, help="Announce this server on the local network (mDNS).")
@click.option("--fast", is_flag=True, help="Bots move without delay.")
@click.option(
    "--grace",
    type=click.FloatRange(0, 600),
    default=30,
    show_default=True,
    metavar="SECONDS",
    help="Seconds that a seat waits for a disconnected player before a bot plays.",
)
@click.option(
    "--rules",
    "house",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="TOML file with the house rules for new tables.",
)
@click.option(
    "--as",
    "as_played",
    multiple=True,
    metavar="PRESET",
    shell_complete=complete_presets,
    help="New tables of a game as played somewhere, for example dominican; repeatable.",
)
@click.option(
    "--log-file",
    type=click.Path(dir_okay=False, path_type=Path),
    default=None,
    help="Write the server log to this file; the default is stderr, or host.log in the data directory if this is a "
    "terminal.",
)
@click.option(
    "-v", "--verbose", is_flag=True, help="Show the server log in this terminal, instead of who comes and goes."
)
@click.option(
    "--metrics",
    type=click.IntRange(0, 65535),
    metavar="PORT",
    help="Serve Prometheus metrics on this port of 127.0.0.1; 0 takes a free one.",
)
@with_web_options
@click.option(
    "--workers",
    type=WorkerCount(),
    default=0,
    metavar="N",
    help="Run SSH and draw screens in N more processes, so that guests have more than one core; auto: one for each "
    "core.",
)
@with_cluster_options
@click.option(
    "--check", "only_check", is_flag=True, help="Check the data directory without changing anything, then exit."
)
@click.option("--play", is_flag=True, help="Play here as well; the server closes when you leave its lobby.")
@pictures_option
@guest_look_options
def host(**typed: Any) -> None:
    """Run a server that others join by ssh or `boneyard join`."""
    arguments = SimpleNamespace(**typed)
    if arguments.only_check:
        report(arguments.data or default_data())
        return
    options = _build_options(arguments)
    from net.loop import run_on_background_loop  # noqa: PLC0415
    from tui.run.host import run_host  # noqa: PLC0415

    if arguments.play:
        require_terminal()
        look = look_of(arguments.theme, arguments.ascii)
        if message := run_on_background_loop(_host_and_play(options, look, pictures=arguments.pictures)):
            click.echo(message)
        return
    from tui.run.operator_window import open_local_window  # noqa: PLC0415

    sentences = sys.stdout.isatty() and not options.node and (arguments.log_file is not None or not arguments.verbose)
    if sentences and sys.stderr.isatty():
        options = _with_log_file(options)

    qr = bool(arguments.web) and _has_room_for_code() if arguments.qr is None else arguments.qr

    async def main() -> None:
        with open_local_window() if sentences else nullcontext() as window:
            await run_host(options, window.say if window is not None else click.echo, window=window, qr=qr)

    with _report_start_errors():
        run_on_background_loop(main())


def _build_options(arguments: SimpleNamespace) -> "HostOptions":
    """Return the checked options of a host. Raises BadUse and Failed."""
    look = look_of(arguments.theme or DEFAULT_THEME, arguments.ascii)
    from net.options import DoorOptions, HostOptions  # noqa: PLC0415
    from net.table.table import INSTANT, Pace  # noqa: PLC0415

    house_rules = read_house_rules(arguments.house) if arguments.house else {}
    for preset in map(preset_named, arguments.as_played):
        house_rules[preset.game] = house_rules.get(preset.game, {}) | preset.options_for(players=0)
    options = HostOptions(
        data=arguments.data or default_data(),
        software=SOFTWARE,
        pace=replace(INSTANT if arguments.fast else Pace(), grace=arguments.grace),
        house_rules=house_rules,
        log_file=arguments.log_file,
        metrics=arguments.metrics,
        door=None
        if arguments.role == "tables"
        else DoorOptions(
            bind=arguments.bind,
            port=arguments.port,
            access=parse_access(arguments, [*reachable_at(arguments.bind), *web_addresses(arguments.web)]),
            name=arguments.name or "",
            announce=arguments.announce,
            address=arguments.address,
            theme=look.name,
            pictures=arguments.pictures,
            web=parse_web(arguments),
            workers=arguments.workers,
        ),
        node=node_of(arguments),
    )
    if arguments.returning and (arguments.workers or options.node):
        raise BadUse("--return-by-address needs a server of one process: leave out --workers and --cluster.")
    if arguments.play and options.node:
        raise BadUse("--play needs a server of its own; join the cluster by its address instead.")
    if arguments.qr and not arguments.web:
        raise BadUse("--qr needs --web: it prints the link as a code.")
    return options


def _with_log_file(options: "HostOptions") -> "HostOptions":
    """Return the options with a log file, for a terminal that shows sentences or screens."""
    return replace(options, log_file=options.log_file or options.data / "host.log")


def _has_room_for_code() -> bool:
    """Return True if the output is a terminal with room for a QR code and the lines around it."""
    return (
        sys.stdout.isatty()
        and sys.stdout.encoding.lower().startswith("utf")
        and get_terminal_size().lines >= ROWS_FOR_CODE
    )


async def _host_and_play(options: "HostOptions", look: "Look", *, pictures: bool) -> str:
    """Host in a session of its own, or join the host that runs here already; return the last message."""
    from tui.run.local_session import local_session  # noqa: PLC0415

    if running_host := await _find_running_host(options):
        async with local_session(look, remember_theme, pictures=pictures) as session:
            return await _join(session, running_host, options)
    async with local_session(look, remember_theme, pictures=pictures, handles_signals=False) as session:
        await _play_at_host(session, options)
    return _("The server has closed.")


async def _find_running_host(options: "HostOptions") -> "Place | None":
    """Return the address and port of `options` if a host on this machine already answers there; else None."""
    from net.options import EVERYWHERE  # noqa: PLC0415
    from tui.run.join import is_host  # noqa: PLC0415

    if options.door is None or not options.door.port:
        return None
    place = ("localhost" if options.door.bind in EVERYWHERE else options.door.bind, options.door.port)
    return place if await is_host(place) else None


async def _join(session: "LocalSession", place: "Place", options: "HostOptions") -> str:
    """Join a host that runs here; return the last message. Raises Failed and JoinError."""
    from tui.run.join import join_on_screens  # noqa: PLC0415

    return await join_on_screens(session, (place,), data=options.data)


async def _play_at_host(session: "LocalSession", options: "HostOptions") -> int:
    """Run a host until a signal, which is returned, or until the player in the session leaves its lobby.

    Raises Failed.
    """
    from tui.run.host import run_host  # noqa: PLC0415
    from tui.run.host_player import make_local_player  # noqa: PLC0415

    with _report_start_errors():
        return await run_host(_with_log_file(options), lambda _line: None, make_local_player(session, options.data))


def _options_of(*typed: str) -> "HostOptions":
    """Return the options of a host for these words of a command line."""
    with host.make_context("host", list(typed)) as context:
        return _build_options(SimpleNamespace(**context.params))


async def host_in_session(session: "LocalSession", *typed: str) -> str:
    """Host from the menu by the doors that the player chooses; return the last message.

    `typed` are options; all others have their defaults. A host that already runs here is joined instead. Raises
    Failed and JoinError.
    """
    from tui.screens.lists import doors_screen  # noqa: PLC0415 - the terminal is asked before the screens are loaded

    options = _options_of("--play", *typed)
    if running_host := await _find_running_host(options):
        return await _join(session, running_host, options)
    web = await session.show_screen(doors_screen(session.look, browser_problem()))
    if web is None:
        return ""
    if web:
        options = _options_of("--play", "--web", web, *typed)
    previous_handlers = {
        number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
    }
    with session.release_signals():
        try:
            caught = await _play_at_host(session, options)
        finally:  # a host expects its process to end with it
            gc.unfreeze()
            gc.enable()
            for number, handler in previous_handlers.items():
                signal.signal(number, handler)
    if caught:
        signal.raise_signal(caught)
    return _("The server has closed.")


@contextmanager
def _report_start_errors() -> Iterator[None]:
    """Raise Failed, with one sentence, for an error that stops a host."""
    from net.doors.listener import HostError  # noqa: PLC0415
    from net.host.metrics import MetricsError  # noqa: PLC0415
    from net.storage.permissions import StoreError  # noqa: PLC0415

    try:
        with fail_on(HostError, MetricsError, StoreError):
            yield
    except OSError as error:
        raise Failed(
            "The server cannot start: {reason}.",
            reason=": ".join(filter(None, (error.strerror or str(error), error.filename))),
        ) from error
