"""The command `boneyard`: parses its arguments, and connects screens to hosts. Everything heavy is imported late."""

import gettext
import os
import signal
import sys
from collections import ChainMap
from collections.abc import Iterator
from contextlib import contextmanager
from difflib import get_close_matches
from functools import partial
from inspect import cleandoc
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import click
from click.core import ParameterSource

from core.bots.profiles import DEFAULT, TABLE_LEVELS
from core.variant import LazyMapping
from core.words import BadOption, Refusal, phrase
from tui.cli.access import INVITE
from tui.cli.arguments import (
    CANCELLED,
    DEFAULT_GAME,
    FOLDER,
    complete_games,
    complete_levels,
    data_option,
    default_data,
    game_and_preset,
    house_rules,
    look_of,
    look_options,
    pictures_option,
    plain_option,
    require_terminal,
    rules_of,
    seats_of,
    seed_of_today,
    show_of,
)
from tui.cli.solo import play_at_table
from tui.failures import BadUse, Failed
from tui.i18n import CATALOGUES, ENGLISH, _, begin_session, language_of, spoken_language, translate
from tui.run.settings import remember_language, remember_theme, remembered_language
from tui.streams import standard_streams
from tui.text.names import address_of, find_game
from tui.version import VERSION

if TYPE_CHECKING:
    from tui.model.look import Look
    from tui.run.local_session import LocalSession

EXAMPLES = (phrase("Examples:"), phrase("Example:"))
"""First words of the last line of a command's help."""


def begin_terminal_session(command: click.Group) -> None:
    """Begin a session in the language of this terminal's user, and translate the help of `command`."""
    begin_session(remembered_language() or language_of(os.environ), remember_language)
    if spoken_language() != ENGLISH:
        _translate(command)
        os.environ["LANGUAGE"] = spoken_language()  # for click's own messages
        gettext.bindtextdomain("boneyard", str(CATALOGUES))
        gettext.textdomain("boneyard")


def help_texts(command: click.Command) -> Iterator[str]:
    """Yield the help texts of a command, its options and its subcommands."""
    for part in _parts_with_help(command):
        yield _help_text(part)


def _translate(command: click.Command) -> None:
    for part in _parts_with_help(command):
        part.help = _(_help_text(part))
        if isinstance(part, click.Command) and part.epilog:
            word = next(filter(part.epilog.startswith, EXAMPLES))
            part.epilog = _(word) + part.epilog.removeprefix(word)


def _help_text(part: click.Command | click.Option) -> str:
    """Return a help text without the indentation of its docstring, which Python 3.13 has removed and 3.11 has not."""
    return cleandoc(str(part.help))


def _parts_with_help(command: click.Command) -> Iterator[click.Command | click.Option]:
    """Yield the command and its options that have a help text, and the same of its subcommands."""
    if command.help:
        yield command
    for option in command.params:
        if isinstance(option, click.Option) and option.help:
            yield option
    if isinstance(command, click.Group):
        for subcommand in command.commands.values():
            yield from _parts_with_help(subcommand)


class Commands(click.Group):
    """A group that suggests the nearest command for a mistyped one, and accepts a command's options before it."""

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Return the named command. Raises BadUse if there is none."""
        typed = args[0]
        if typed.startswith("-") or self.get_command(ctx, typed):
            return super().resolve_command(ctx, args)
        near = get_close_matches(typed.lower(), self.commands, 3, 0.5)
        sentence = _("There is no command “{name}”.", name=typed[:40])
        if near:
            sentence += " " + _("Did you mean {near}?", near=_(" or ").join(near))
        sentence += " " + _("`boneyard --help` lists them.")
        raise BadUse(sentence)

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command; a refusal is raised as Failed with its sentence."""
        try:
            return super().invoke(ctx)
        except BadOption as error:
            raise BadUse(translate(error.reason)) from error
        except Refusal as error:
            raise Failed(translate(error.reason)) from error

    def hand_down(self, ctx: click.Context) -> None:
        """Apply the options typed before a command to that command. Raises BadUse if it has no such option."""
        name = ctx.invoked_subcommand or ""
        command = self.get_command(ctx, name)
        given_options = {
            option for option in ctx.params if ctx.get_parameter_source(option) is ParameterSource.COMMANDLINE
        }
        command_options = {option.name for option in command.params} if command else set()
        if unknown := sorted(given_options - command_options):
            typed = "--" + unknown[0].replace("_", "-")
            raise BadUse("`boneyard {name}` has no option {option}.", name=name, option=typed)
        ctx.default_map = {name: {option: ctx.params[option] for option in given_options}}


@click.group(
    cls=Commands,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="Examples:  boneyard play draw --players 3  ·  boneyard host  ·  boneyard join 192.168.1.20",
)
@click.version_option(VERSION, prog_name="boneyard")
@plain_option
@pictures_option
@look_options
@click.pass_context
def boneyard(context: click.Context, plain: bool, pictures: bool, theme: str | None, ascii: bool) -> None:
    """Play every domino game in the terminal.

    Without a command, this opens the menu.
    """
    if context.invoked_subcommand is not None:
        boneyard.hand_down(context)
    else:
        look = look_of(theme, ascii)
        if plain:
            from tui.run.plain import plain_menu  # noqa: PLC0415

            options = ["--ascii"] * look.ascii
            plain_menu(
                default_data(),
                lambda name: _command(name, *["--plain"] * (name == "join"), *options),
                ascii=look.ascii,
            )
            return
        require_terminal("--plain")
        from net.loop import run_on_background_loop  # noqa: PLC0415

        run_on_background_loop(_menu(look, pictures=pictures))


def _command(name: str, *options: str) -> None:
    """Run a command from the menu in plain text."""
    try:
        boneyard([name, *options], prog_name="boneyard", standalone_mode=False)
    except click.ClickException as error:
        error.show()


async def _menu(look: "Look", *, pictures: bool) -> None:
    from tui.run.local_session import local_session  # noqa: PLC0415

    async with local_session(look, remember_theme, pictures=pictures) as session:
        from tui.run.menu import menu  # noqa: PLC0415 - the terminal is asked before the screens are loaded

        await menu(session, default_data(), partial(_command_in_session, pictures=pictures))


async def _command_in_session(session: "LocalSession", chosen: str, *, pictures: bool) -> str:
    """Join or host a game from the menu; return the last message. Raises Failed or JoinError."""
    name, *address = chosen.split()
    if name == "join":
        return await _join(session, tuple(map(address_of, address)), default_data())
    from tui.cli.host import host_in_session  # noqa: PLC0415

    return await host_in_session(session, *["--no-pictures"] * (not pictures))


async def _join(
    session: "LocalSession", places: tuple[tuple[str, int], ...], data: Path, name: str = "", invite: str = ""
) -> str:
    """Join a host in a session; return the last message. Raises Failed and JoinError."""
    from tui.run.join import join_on_screens  # noqa: PLC0415

    with _report_network_errors():
        return await join_on_screens(session, places, data=data, name=name, invite=invite)


@boneyard.command(epilog="Example:  boneyard play block --players 4 --bots easy,normal,hard --rule hand4=7")
@click.argument("name", metavar="[GAME]", default="", shell_complete=complete_games)
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
    shell_complete=complete_levels,
    help=f"Level of each bot: {', '.join(TABLE_LEVELS)}.  [default: {DEFAULT}]",
)
@click.option("--seed", type=int, default=None, help="Seed for the deals: the same number gives the same tiles.")
@click.option(
    "--today", is_flag=True, help="Use today's date (UTC) as the seed: everybody gets the same tiles today."
)
@click.option("--record", type=click.Path(dir_okay=False, path_type=Path), help="Write the match to this file.")
@click.option("--fast", is_flag=True, help="Bots move without delay.")
@click.option("--hints/--no-hints", default=True, help="Let h give you a hint.  [default: --hints]")
@click.option(
    "--take-back/--no-take-back", default=True, help="Let u take back your last choice.  [default: --take-back]"
)
@data_option
@house_rules
@plain_option
@pictures_option
@look_options
def play(
    name: str,
    players: int | None,
    bots: str | None,
    seed: int | None,
    today: bool,
    record: Path | None,
    fast: bool,
    hints: bool,
    take_back: bool,
    data: Path | None,
    rules: tuple[str, ...],
    house: Path | None,
    as_played: str,
    plain: bool,
    pictures: bool,
    theme: str | None,
    ascii: bool,
) -> None:
    """Play a new match against bots.

    It is saved as it goes: `boneyard continue` resumes it after you have left.
    """
    look = look_of(theme, ascii)
    name, preset = game_and_preset(name, as_played)
    name = name or DEFAULT_GAME
    if today and seed is not None:
        raise BadUse("--today is a seed of its own; leave out --seed.")
    seed = seed_of_today() if today else seed
    count, levels = seats_of(name, players, bots, yourself=1, default=preset.players if preset else 0)
    options = rules_of(name, rules, house, preset, count)
    find_game(name).rules(count, options)
    show = show_of(look, plain, pictures)
    from net.wire.messages import MakeTable  # noqa: PLC0415

    table = MakeTable(find_game(name).id, count, options, levels=levels, hints=hints, take_back=take_back)
    play_at_table(table, show, data or default_data(), seed=seed, record=record, pace=not fast)


@boneyard.command(epilog="Examples:  boneyard join  ·  boneyard join 192.168.1.20  ·  boneyard join example.org:2022")
@click.argument("address", metavar="[HOST[:PORT]]", default="")
@click.option("--name", default="", help="Name to play under, instead of being asked.")
@click.option(
    "--invite",
    default="",
    envvar=INVITE,
    metavar="CODE",
    help="Invitation code, instead of being asked.",
)
@click.option(
    "--data",
    type=FOLDER,
    default=None,
    help="Directory for known servers and your key.",
)
@plain_option
@pictures_option
@look_options
def join(
    address: str,
    name: str,
    invite: str,
    data: Path | None,
    plain: bool,
    pictures: bool,
    theme: str | None,
    ascii: bool,
) -> None:
    """Join a server; without HOST, list the servers on the local network."""
    look = look_of(theme, ascii)
    places: tuple[tuple[str, int], ...] = (address_of(address),) if address else ()
    folder = data or default_data()
    from net.loop import run  # noqa: PLC0415

    if not (address or plain or (sys.stdin.isatty() and sys.stdout.isatty())):
        from tui.run.join import list_hosts  # noqa: PLC0415

        with _report_network_errors():
            run(list_hosts(click.echo))
        return

    async def join_with_screens() -> str:
        from tui.run.local_session import local_session  # noqa: PLC0415

        async with local_session(look, remember_theme, pictures=pictures) as session:
            return await _join(session, places, folder, name, invite)

    if plain:
        from tui.run.frontends import plain_frontend  # noqa: PLC0415
        from tui.run.join import TypedPrompts, join_host  # noqa: PLC0415
        from tui.run.plain import choose_host_in_lines  # noqa: PLC0415

        with _report_network_errors():
            places = places or choose_host_in_lines(ascii=look.ascii)
            if not places:
                return
            show = plain_frontend(ascii=look.ascii)
            last_word = run(join_host(places, show, TypedPrompts(), data=folder, name=name, invite=invite))
    else:
        require_terminal("--plain")
        last_word = run(join_with_screens())
    if last_word:
        raise Failed(last_word)


@contextmanager
def _report_network_errors() -> Iterator[None]:
    """Raise Failed, with one sentence, for an error of the network."""
    try:
        yield
    except OSError as error:
        raise Failed("Cannot use the network: {error}.", error=error) from error


LAZY_COMMANDS: LazyMapping[click.Command] = LazyMapping(
    {
        "admin": "tui.cli.operate:admin",
        "backup": "tui.cli.operate:backup",
        "completion": "tui.cli.arguments:completion",
        "continue": "tui.cli.solo:continue_",
        "doctor": "tui.cli.doctor:doctor",
        "export": "tui.cli.export:export",
        "games": "tui.cli.offline:games",
        "history": "tui.cli.solo:history",
        "host": "tui.cli.host:host",
        "learn": "tui.cli.solo:learn",
        "replay": "tui.cli.offline:replay",
        "review": "tui.cli.export:review",
        "rules": "tui.cli.offline:rules",
        "sim": "tui.cli.offline:sim",
        "stats": "tui.cli.solo:stats",
        "verify": "tui.cli.verify:verify",
    }
)
boneyard.commands = ChainMap(
    boneyard.commands, cast("dict[str, click.Command]", LAZY_COMMANDS)
)  # click only reads it


def main() -> None:
    """Run the command; every error is one sentence on stderr and an exit code, and so is Ctrl-C."""
    with standard_streams():
        begin_terminal_session(boneyard)
        try:
            if signal.getsignal(signal.SIGINT) is signal.SIG_DFL:  # until here there was nothing to clean up
                signal.signal(signal.SIGINT, signal.default_int_handler)
            sys.exit(boneyard(prog_name="boneyard", standalone_mode=False))
        except click.ClickException as error:
            error.show()
            sys.exit(error.exit_code)
        except (click.Abort, KeyboardInterrupt):
            sys.exit(CANCELLED)
        finally:  # the process ends in any case; another Ctrl-C would only interrupt that
            signal.signal(signal.SIGINT, signal.SIG_IGN)
