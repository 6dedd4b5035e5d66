"""The command `boneyard host`."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import click
from msgspec.structs import replace

from themes import DEFAULT_THEME
from tui.cli.arguments import (
    FOLDER,
    default_data,
    guests_looks,
    look_of,
    need_terminal,
    pictured,
    presets_from,
    read_house_rules,
)
from tui.cli.operate import node_of, report, with_cluster_options
from tui.failures import BadUse, Failed, failing, tell_here
from tui.run.access import parse_access, parse_web, reachable_at, web_addresses, with_access_options, with_web_options
from tui.text.names import PORT, preset_meant
from tui.version import SOFTWARE

MOST_WORKERS = 64
"""More than any machine that runs one host has use for."""


class Workers(click.IntRange):
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
@click.option("--name", default=None, help="Name of the host on the local network.")
@click.option(
    "--address",
    default="",
    metavar="ADDR",
    help="What guests type to reach this host, where that is none of its own addresses.",
)
@click.option("--announce/--no-announce", default=True, help="Announce this host on the local network (mDNS).")
@click.option("--fast", is_flag=True, help="Bots move without delay.")
@click.option(
    "--grace",
    type=click.FloatRange(0, 600),
    default=30,
    show_default=True,
    metavar="SECONDS",
    help="How long a seat waits for a disconnected player before a bot plays.",
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
    shell_complete=presets_from,
    help="New tables of a game as played somewhere, like dominican; repeatable.",
)
@click.option(
    "--log-file",
    type=click.Path(dir_okay=False, path_type=Path),
    default=None,
    help="Log to this file; the default is stderr, or host.log in the data directory if this is a terminal.",
)
@click.option("-v", "--verbose", is_flag=True, help="Show the log in this terminal, instead of who comes and goes.")
@click.option(
    "--metrics",
    type=click.IntRange(0, 65535),
    metavar="PORT",
    help="Serve Prometheus metrics on this port of 127.0.0.1; 0 takes a free one.",
)
@with_web_options
@click.option(
    "--workers",
    type=Workers(),
    default=0,
    metavar="N",
    help="Speak SSH and draw screens in N more processes, so that guests have more than one core; auto: one a core.",
)
@with_cluster_options
@click.option(
    "--check", "only_check", is_flag=True, help="Check the data directory without changing anything, then exit."
)
@click.option("--play", is_flag=True, help="Play here as well; the host closes when you leave its lobby.")
@pictured
@guests_looks
def host(**typed: Any) -> None:
    """Host games that others join by ssh or `boneyard join`."""
    given = SimpleNamespace(**typed)
    data = given.data or default_data()
    look = look_of(given.theme or DEFAULT_THEME, given.ascii)
    if given.only_check:
        report(data)
        return
    from net.loop import run_patiently  # noqa: PLC0415
    from net.options import DoorOptions, HostOptions  # noqa: PLC0415
    from net.table.table import AT_ONCE, Pace  # noqa: PLC0415

    house_rules = read_house_rules(given.house) if given.house else {}
    for preset in map(preset_meant, given.as_played):
        house_rules[preset.game] = house_rules.get(preset.game, {}) | preset.options_for(players=0)
    options = HostOptions(
        data=data,
        software=SOFTWARE,
        pace=replace(AT_ONCE if given.fast else Pace(), grace=given.grace),
        house_rules=house_rules,
        log_file=given.log_file,
        metrics=given.metrics,
        door=None
        if given.role == "tables"
        else DoorOptions(
            bind=given.bind,
            port=given.port,
            access=parse_access(given, [*reachable_at(given.bind), *web_addresses(given.web)]),
            name=given.name or "",
            announce=given.announce,
            address=given.address,
            theme=look.name,
            pictures=given.pictures,
            web=parse_web(given),
            workers=given.workers,
        ),
        node=node_of(given),
    )
    if given.returning and (given.workers or options.node):
        raise BadUse("--return-by-address is for a host of one process: without --workers and --cluster.")
    if given.play and options.node:
        raise BadUse("--play is for a host that is alone; join the cluster by its address instead.")
    if given.qr and not given.web:
        raise BadUse("--qr prints the link of a host with --web.")
    player = None
    if given.play:
        need_terminal()
        from tui.run.hosting_player import player_here  # noqa: PLC0415
        from tui.run.settings import remember  # noqa: PLC0415

        player = player_here(look_of(given.theme, given.ascii), remember, data, pictures=given.pictures)
    from tui.run.hosted import run_host  # noqa: PLC0415
    from tui.run.window import window_here  # noqa: PLC0415

    sentences = (
        sys.stdout.isatty() and not (given.play or options.node) and (given.log_file is not None or not given.verbose)
    )
    with _in_sentences(), window_here() if sentences else nullcontext() as window:
        if given.log_file is None and (given.play or (sentences and sys.stderr.isatty())):
            options = replace(options, log_file=data / "host.log")
        say = window.say if window is not None else (lambda _line: None) if given.play else click.echo
        run_patiently(run_host(options, say, player, window, qr=given.qr))
    if given.play:
        tell_here("The host has closed.")


@contextmanager
def _in_sentences() -> Iterator[None]:
    """Turn what keeps a host from running into one sentence."""
    from net.doors.accepting import HostError  # noqa: PLC0415
    from net.host.metrics import MetricsError  # noqa: PLC0415
    from net.storage.permissions import StoreError  # noqa: PLC0415

    try:
        with failing(HostError, MetricsError, StoreError):
            yield
    except OSError as error:
        raise Failed(
            "The host cannot start: {reason}.",
            reason=": ".join(filter(None, (error.strerror or str(error), error.filename))),
        ) from error
