"""The command `boneyard`: reads what was typed, and ties screens to hosts. Everything heavy is imported late."""

import asyncio
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click
from msgspec.structs import replace

from core.bots.levels import DEFAULT, TABLE_BOTS
from themes import DEFAULT_THEME
from tui.cli.alone import continue_, history
from tui.cli.arguments import (
    OR_PLAIN,
    Failed,
    address_of,
    check,
    guests_looks,
    house_of,
    house_rules,
    kept_in,
    look_of,
    looks,
    need_terminal,
    plainly,
    rules_of,
    seats_of,
    show_of,
    the_game,
)
from tui.cli.completion import completion, games_from, levels_from
from tui.cli.export import export
from tui.cli.learn import learn
from tui.cli.offline import games, replay, rules, sim
from tui.cli.operate import admin, backup, default_data, report
from tui.cli.review import review
from tui.cli.verify import verify
from tui.run.access import INVITE, parse_access, reachable_at, with_access_options
from tui.text.ways import PORT
from tui.version import SOFTWARE, VERSION

if TYPE_CHECKING:
    pass


@click.group(
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="Examples:  boneyard play draw --players 3  ·  boneyard host  ·  boneyard join 192.168.1.20",
)
@click.version_option(VERSION, prog_name="boneyard")
@plainly
@looks
@click.pass_context
def boneyard(context: click.Context, plain: bool, theme: str | None, ascii: bool) -> None:
    """Play every domino game in the terminal.

    Without a command, this opens the menu.
    """
    if context.invoked_subcommand is None:
        look = look_of(theme, ascii)

        def command(name: str, *options: str) -> None:
            try:
                boneyard([name, *options], prog_name="boneyard", standalone_mode=False)
            except click.ClickException as error:
                error.show()
                if not plain:
                    click.pause()

        if plain:
            from tui.run.plain import plain_menu  # noqa: PLC0415

            options = ["--ascii"] * look.ascii
            plain_menu(
                SOFTWARE,
                default_data(),
                lambda name: command(name, *["--plain"] * (name == "join"), *options),
                ascii=look.ascii,
            )
            return
        need_terminal(OR_PLAIN)
        from tui.run.menu import menu  # noqa: PLC0415

        menu(
            look,
            SOFTWARE,
            default_data(),
            lambda name, look: command(name, "--theme", look.name, *["--ascii"] * look.ascii),
        )


@boneyard.command(epilog="Example:  boneyard play block --players 4 --bots easy,normal,hard --rule hand4=7")
@click.argument("name", metavar="[GAME]", default="draw", shell_complete=games_from)
@click.option(
    "--players",
    type=int,
    default=None,
    help="Number of players, including you.  [default: 2, or one more than the bots you name]",
)
@click.option(
    "--bots",
    default=None,
    metavar="LEVEL[,LEVEL…]",
    shell_complete=levels_from,
    help=f"Level of each bot: {', '.join(TABLE_BOTS)}.  [default: {DEFAULT}]",
)
@click.option("--seed", type=int, default=None, help="Seed for the deals: the same number gives the same tiles.")
@click.option("--record", type=click.Path(dir_okay=False, path_type=Path), help="Write the match to this file.")
@click.option("--fast", is_flag=True, help="Bots move without delay.")
@click.option("--hints/--no-hints", default=True, help="Whether h gives you a hint.  [default: --hints]")
@click.option(
    "--take-back/--no-take-back", default=True, help="Whether u takes back your last choice.  [default: --take-back]"
)
@kept_in
@house_rules
@plainly
@looks
def play(
    name: str,
    players: int | None,
    bots: str | None,
    seed: int | None,
    record: Path | None,
    fast: bool,
    hints: bool,
    take_back: bool,
    data: Path | None,
    rules: tuple[str, ...],
    house: Path | None,
    plain: bool,
    theme: str | None,
    ascii: bool,
) -> None:
    """Play a new match alone against bots.

    It is saved as it goes: `boneyard continue` takes it up after you have left.
    """
    look = look_of(theme, ascii)
    options = rules_of(name, rules, house)
    count, levels = seats_of(name, players, bots, yourself=1)
    check(name, count, options)
    show = show_of(look, plain)
    from net.wire.messages import MakeTable  # noqa: PLC0415
    from tui.cli.alone import at_the_table  # noqa: PLC0415

    wish = MakeTable(the_game(name).id, count, options, levels=levels, hints=hints, take_back=take_back)
    at_the_table(wish, show, data or default_data(), seed=seed, record=record, pace=not fast)


@boneyard.command(epilog="Example:  boneyard host --port 2222 --data ~/boneyard")
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
    type=click.Path(path_type=Path),
    default=None,
    help="Directory for the host key, names and records.",
)
@click.option("--name", default=None, help="Name of the host on the local network.")
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
    "--log-file",
    type=click.Path(dir_okay=False, path_type=Path),
    default=None,
    help="Log to this file instead of stderr.",
)
@click.option(
    "--metrics",
    type=click.IntRange(0, 65535),
    metavar="PORT",
    help="Serve Prometheus metrics on this port of 127.0.0.1; 0 takes a free one.",
)
@click.option(
    "--check", "only_check", is_flag=True, help="Check the data directory without changing anything, then exit."
)
@guests_looks
def host(
    port: int,
    bind: str,
    invite: str | None,
    keys: Path | None,
    everybody: bool,
    limits: tuple[str, ...],
    data: Path | None,
    name: str | None,
    announce: bool,
    fast: bool,
    grace: float,
    house: Path | None,
    log_file: Path | None,
    metrics: int | None,
    only_check: bool,
    theme: str | None,
    ascii: bool,
) -> None:
    """Host games that others join by ssh or `boneyard join`."""
    look = look_of(theme or DEFAULT_THEME, ascii)
    if only_check:
        report(data or default_data())
        return
    house_rules_here = house_of(house) if house else {}
    who = parse_access(invite, keys, everybody, limits, reachable_at(bind))
    from net.host.metrics import MetricsError  # noqa: PLC0415
    from net.ssh.server.listen import HostError  # noqa: PLC0415
    from net.storage.database import StoreError  # noqa: PLC0415
    from net.table.table import AT_ONCE, Pace  # noqa: PLC0415
    from tui.run.hosted import run_host  # noqa: PLC0415

    try:
        asyncio.run(
            run_host(
                bind=bind,
                port=port,
                data=data or default_data(),
                access_options=who,
                name=name,
                announce=announce,
                pace=replace(AT_ONCE if fast else Pace(), grace=grace),
                house_rules=house_rules_here,
                log_file=log_file,
                metrics=metrics,
                theme=look.name,
                software=SOFTWARE,
                say=click.echo,
            )
        )
    except (HostError, MetricsError, StoreError) as error:
        raise Failed(str(error)) from error
    except OSError as error:
        where = f": {error.filename}" if error.filename else ""
        raise Failed(f"The host cannot start: {error.strerror or error}{where}.") from error


@boneyard.command(epilog="Examples:  boneyard join  ·  boneyard join 192.168.1.20  ·  boneyard join example.org:2022")
@click.argument("address", metavar="[HOST[:PORT]]", default="")
@click.option("--name", default="", help="The name to play under, instead of being asked.")
@click.option(
    "--invite",
    default="",
    envvar=INVITE,
    metavar="CODE",
    help="The invitation code, instead of being asked.",
)
@click.option(
    "--data",
    type=click.Path(path_type=Path),
    default=None,
    help="Directory for known hosts and your key.",
)
@plainly
@looks
def join(
    address: str, name: str, invite: str, data: Path | None, plain: bool, theme: str | None, ascii: bool
) -> None:
    """Join a host; without HOST, list those found on the local network."""
    look = look_of(theme, ascii)
    place = address_of(address) if address else None
    from net.ssh.client.connect import JoinError  # noqa: PLC0415
    from tui.run.joined import choose_host, join_host, list_hosts  # noqa: PLC0415

    try:
        if place is None and plain:
            from tui.run.plain import choose_host_plainly  # noqa: PLC0415

            place = choose_host_plainly(ascii=look.ascii)
            if place is None:
                return
        elif place is None:
            if not (sys.stdin.isatty() and sys.stdout.isatty()):
                asyncio.run(list_hosts(click.echo))
                return
            need_terminal(OR_PLAIN)
            place = choose_host(look)
            if place is None:
                return
        last_word = asyncio.run(
            join_host(
                place, show_of(look, plain), data=data or default_data(), name=name, invite=invite, software=SOFTWARE
            )
        )
    except JoinError as error:
        raise Failed(str(error)) from error
    except OSError as error:
        raise Failed(f"Cannot use the network: {error}.") from error
    if last_word:
        raise Failed(last_word)


for command in (
    continue_,
    history,
    learn,
    games,
    rules,
    sim,
    verify,
    replay,
    review,
    export,
    admin,
    backup,
    completion,
):
    boneyard.add_command(command)


def main() -> None:
    """Run the command; every error is one sentence on stderr and an exit code."""
    boneyard(prog_name="boneyard")
