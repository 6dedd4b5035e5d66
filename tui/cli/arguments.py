"""Parsers of arguments (games, players, bots, house rules, addresses), and completions for shells."""

import os
import sys
import tomllib
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click
from click.shell_completion import CompletionItem, get_completion_class

from core.bots.profiles import DEFAULT, LEVELS, TABLE_LEVELS, no_bot
from core.games import GAMES, game_called
from core.presets import PRESETS, Preset
from core.variant import Value, Variant, resolve
from core.words import BadOption
from themes import BadTheme, theme_names
from tui.failures import BadUse, Failed
from tui.i18n import _, several, translate
from tui.text.names import find_game, find_preset, find_rules

VARIABLE = "_BONEYARD_COMPLETE"
"""The variable by which a shell asks click for completions."""
Items = list[CompletionItem]
Complete = Callable[[click.Context, click.Parameter, str], Items]
LAST = "last"
"""The name of the newest record."""
DEFAULT_GAME = "draw"
"""The game played if none is named."""


@click.command(epilog='Examples:  eval "$(boneyard completion bash)"  ·  boneyard completion fish | source')
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
@click.pass_context
def completion(context: click.Context, shell: str) -> None:
    """Print a script that lets a shell complete commands, options, games, levels, house rules and themes.

    To have it in every shell, put `eval "$(boneyard completion bash)"` into ~/.bashrc; in zsh, the same with zsh
    into ~/.zshrc after `compinit`; in fish, `boneyard completion fish | source` into ~/.config/fish/config.fish.
    """
    shell_class = get_completion_class(shell)
    if shell_class is not None:
        click.echo(shell_class(context.find_root().command, {}, "boneyard", VARIABLE).source())


def _complete_ids(*tables: Mapping[str, Variant] | Mapping[str, Preset]) -> Complete:
    def complete(_context: click.Context, _parameter: click.Parameter, incomplete: str) -> Items:
        return [
            CompletionItem(key, help=_(variant_or_preset.name))
            for table in tables
            for key, variant_or_preset in table.items()
            if key.startswith(incomplete.lower())
        ]

    return complete


complete_games = _complete_ids(GAMES, PRESETS)
"""Completes ids of games and presets."""
complete_presets = _complete_ids(PRESETS)
"""Completes ids of presets."""


def complete_themes(_context: click.Context, _parameter: click.Parameter, incomplete: str) -> Items:
    """Complete names of themes."""
    from themes import all_names  # noqa: PLC0415

    return [CompletionItem(name) for name in all_names() if name.startswith(incomplete)]


def complete_levels(context: click.Context, _parameter: click.Parameter, incomplete: str) -> Items:
    """Complete levels of bots, several separated by commas."""
    earlier_levels, comma, last = incomplete.rpartition(",")
    offered_levels = LEVELS if context.command.name == "sim" else TABLE_LEVELS
    return [CompletionItem(earlier_levels + comma + level) for level in offered_levels if level.startswith(last)]


def complete_records(_context: click.Context, _parameter: click.Parameter, incomplete: str) -> Items:
    """Complete the word for the newest record, and files."""
    last = [CompletionItem(LAST)] if LAST.startswith(incomplete) else []
    return [*last, CompletionItem(incomplete, type="file")]


def complete_rules(context: click.Context, _parameter: click.Parameter, incomplete: str) -> Items:
    """Complete house rules of the typed game: a key, then its choices."""
    try:
        words = [*context.args, context.params.get("name")]  # click leaves it in `args` while a value is missing
        variant = game_called(next(filter(None, words), DEFAULT_GAME))
    except BadOption:
        return []
    key, equals, value = incomplete.partition("=")
    if not equals:
        return [CompletionItem(f"{option.key}=") for option in variant.options if option.key.startswith(key)]
    choices = next((option.choices for option in variant.options if option.key == key), ())
    return [CompletionItem(f"{key}={choice}") for choice in choices if str(choice).startswith(value)]


if TYPE_CHECKING:
    from tui.model.look import Look
    from tui.solo import Show

SIMULATED = "greedy"
"""The default level of bots that play each other: the fastest that makes sense."""
NO_MOTION = "NO_MOTION"
"""The environment variable that switches animation off."""

CANCELLED = 130
"""Exit code after Ctrl-C, as shells know it."""
F = TypeVar("F", bound=Callable[..., Any])


@contextmanager
def _mention_list_of_names() -> Iterator[None]:
    """Raise BadUse for a refused name, with the command that lists all names."""
    try:
        yield
    except BadOption as error:
        where = _("`boneyard games` lists all names.")
        raise BadUse(f"{translate(error.reason)} {where}") from error


def rules_named(name: str) -> tuple[Variant, Preset | None]:
    """Return the game of a typed name, and the preset if it is the name of one. Raises BadUse."""
    with _mention_list_of_names():
        return find_rules(name)


def preset_named(name: str) -> Preset:
    """Return the preset of a typed name. Raises BadUse."""
    with _mention_list_of_names():
        return find_preset(name)


def game_and_preset(name: str, as_played: str) -> tuple[str, Preset | None]:
    """Return the id of the typed game and the preset; either may be left out, because a preset has its game."""
    game, preset = rules_named(name) if name else (None, None)
    if not as_played:
        return game.id if game else "", preset
    preset = preset_named(as_played)
    if game and game.id != preset.game:
        raise BadUse(
            "{preset} is played with {game}, not with {other}.", preset=preset.id, game=preset.game, other=game.id
        )
    return preset.game, preset


def rules_of(
    name: str, rules: tuple[str, ...], file: Path | None, preset: Preset | None = None, players: int = 0
) -> dict[str, str | int]:
    """Return the house rules of a game: those of a file, overridden by a preset, overridden by typed ones."""
    chosen: dict[str, str | int] = {}
    if file is not None:
        chosen |= read_house_rules(file, find_game(name).id).get(find_game(name).id, {})
    if preset is not None:
        chosen |= preset.options_for(players)
    for rule in rules:
        key, equals, value = rule.partition("=")
        if not equals:
            raise BadUse("--rule needs KEY=VALUE, not “{rule}”.", rule=rule)
        chosen[key.strip()] = value.strip()
    return chosen


def seats_of(
    name: str, players: int | None, bots: str | None, yourself: int, default: int = 0
) -> tuple[int, tuple[str, ...]]:
    """Return the number of players, and the level of each bot; a single level or a short list repeats.

    `default` is the default number of players; 0 if the game decides.
    """
    levels = tuple(level.strip() for level in bots.split(",")) if bots else (DEFAULT if yourself else SIMULATED,)
    offered_levels = TABLE_LEVELS if yourself else LEVELS
    for level in levels:
        if level not in offered_levels:
            raise BadUse(translate(no_bot(level, offered_levels)))
    count = players
    if count is None:
        fewest, most = find_game(name).seats
        count = default or max(fewest, len(levels) + yourself if len(levels) > 1 else min(most, 2))
    free = max(0, count - yourself)
    if bots and len(levels) > free:
        raise BadUse(
            "You named {bots} for {seats}.",
            bots=several("{count} bot", "{count} bots", len(levels)),
            seats=several("{count} free seat", "{count} free seats", free),
        )
    return count, tuple(levels[seat % len(levels)] for seat in range(free))


def seed_of_today() -> int:
    """Return the seed of the day: the date in UTC as a number, such as 20301224, equal everywhere."""
    return int(datetime.now(UTC).strftime("%Y%m%d"))


class _Folder(click.Path):
    """The type of `--data`: a directory, which need not exist yet."""

    def convert(self, value: Any, param: click.Parameter | None, context: click.Context | None) -> Any:
        if Path(value).is_file():
            raise Failed("{file} is a file; choose another --data.", file=value)
        return super().convert(value, param, context)


FOLDER = _Folder(path_type=Path)


def default_data() -> Path:
    """Return the default data directory."""
    from platformdirs import user_data_path  # noqa: PLC0415

    return user_data_path("boneyard")


def combine_options(*options: Callable[[F], F]) -> Callable[[F], F]:
    """Combine several options or arguments into one decorator, in the order in which help lists them."""

    def add(command: F) -> F:
        for option in reversed(options):
            command = option(command)
        return command

    return add


data_option = click.option(
    "--data",
    type=click.Path(path_type=Path),  # a match is played even if it cannot be saved
    default=None,
    help="Directory for kept matches and records.",
)
"""The option for the directory of solo matches."""
record_argument = combine_options(
    click.argument("record", metavar="FILE|NUMBER|last", shell_complete=complete_records), data_option
)
"""The argument `record`, which `find_record` parses, and the option for the directory of records."""


def find_record(name: str, data: Path | None) -> Path:
    """Return the file of this name, or the record with this number in `boneyard history`; `last` is the newest."""
    number = 1 if name == LAST else int(name) if name.isascii() and name.isdecimal() else 0
    if Path(name).exists() or not (name == LAST or name.isdecimal()):
        return Path(name)
    from tui.records.history import list_matches  # noqa: PLC0415

    rows, _more = list_matches((data or default_data()) / "records", max(1, number))
    if not 0 < number <= len(rows):
        raise BadUse(
            _("There is no recorded match {number}; `boneyard history` shows all.", number=name[:20])
            if rows
            else _("No match is recorded yet.")
        )
    return Path(rows[number - 1].file)


def _switch_off_motion(_context: click.Context, _option: click.Parameter, calm: bool) -> None:
    if calm:
        os.environ[NO_MOTION] = "1"


def _leave_mouse_to_terminal(_context: click.Context, _option: click.Parameter, leaves_mouse: bool) -> None:
    if leaves_mouse:
        from tui.terminal.local import NO_MOUSE  # noqa: PLC0415

        os.environ[NO_MOUSE] = "1"


def _look_options(default: str) -> Callable[[F], F]:
    return combine_options(
        click.option(
            "--theme",
            default=None,
            metavar="NAME",
            shell_complete=complete_themes,
            help=f"Colours: {', '.join(theme_names())}, or your own.  [default: {default}]",
        ),
        click.option(
            "--calm",
            is_flag=True,
            expose_value=False,
            callback=_switch_off_motion,
            help="Stop all movement; NO_MOTION=1 does the same.",
        ),
        click.option("--ascii", is_flag=True, help="Draw with plain ASCII, for terminals without UTF-8."),
    )


guest_look_options = _look_options("felt")
"""The options for the look of guests' screens."""
look_options = combine_options(
    _look_options("what you chose last with y, or felt"),
    click.option(
        "--no-mouse",
        is_flag=True,
        expose_value=False,
        callback=_leave_mouse_to_terminal,
        help="Leave the mouse to the terminal, so that you can copy with it; M does the same.",
    ),
)
"""The options for the look of this terminal, and for the mouse."""
pictures_option = click.option(
    "--pictures/--no-pictures",
    default=True,
    help="Show tiles as pictures, on terminals that can.  [default: --pictures]",
)
plain_option = click.option(
    "--plain",
    is_flag=True,
    help="Write whole sentences instead of screens, for screen readers, pipes and any terminal.",
)
house_rules = combine_options(
    click.option(
        "--rule",
        "rules",
        multiple=True,
        metavar="KEY=VALUE",
        shell_complete=complete_rules,
        help="A house rule; repeatable. `boneyard games` lists them.",
    ),
    click.option(
        "--rules", "house", type=click.Path(path_type=Path), metavar="FILE", help="TOML file with house rules."
    ),
    click.option(
        "--as",
        "as_played",
        default="",
        metavar="PRESET",
        shell_complete=complete_presets,
        help="House rules as played somewhere, for example dominican; `boneyard games` lists them.",
    ),
)


def look_of(theme: str | None, ascii: bool) -> "Look":
    """Return the look of this terminal, in its language; without `theme`, the player's last choice."""
    from tui.model.look import look_for_terminal  # noqa: PLC0415
    from tui.run.settings import remembered_theme  # noqa: PLC0415
    from tui.terminal.local import shows_utf8  # noqa: PLC0415

    try:
        name = theme or remembered_theme()
        moves = not (os.environ.get(NO_MOTION) or os.environ.get("SSH_CONNECTION"))  # an ssh line may be slow
        utf8 = not ascii and shows_utf8()
        return look_for_terminal(os.environ.get("TERM", ""), os.environ, name, ascii=not utf8, moves=moves)
    except BadTheme as error:
        raise BadUse(str(error)) from error


def require_terminal(instead: str = "") -> None:
    """Raise Failed if this terminal cannot show a screen; `instead` is another command to suggest."""
    from net.doors.terminal import refusal_of  # noqa: PLC0415

    problem = refusal_of(os.environ.get("TERM", ""))
    refusal = translate(problem) if problem else ""
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        refusal = _("A terminal is needed to play.")
    if refusal:
        other = _("Use {instead} instead.", instead=instead) if instead else ""
        raise Failed(f"{refusal} {other}".strip())


def show_of(look: "Look", plain: bool, pictures: bool) -> "Show":
    """Return the front end for this terminal: plain text, or screens if the terminal can show them."""
    if not plain:
        require_terminal("--plain")
    from tui.run.frontends import plain_frontend, screen_frontend  # noqa: PLC0415
    from tui.run.settings import remember_theme  # noqa: PLC0415

    return plain_frontend(ascii=look.ascii) if plain else screen_frontend(look, remember_theme, pictures=pictures)


HouseRules = dict[str, dict[str, Value]]
"""House rules by game."""


def read_house_rules(path: Path, game: str = "") -> HouseRules:
    """Read a file of house rules; `game` is the game of rules at its top level.

    Dotted keys may be written as they are (`draw.reserve = 1`) or as tables. Raises BadUse with one sentence.
    """
    try:
        tables = tomllib.loads(path.read_text("utf-8"))
    except tomllib.TOMLDecodeError as error:
        raise BadUse("{path} is not TOML: {error}.", path=path, error=error) from error
    except UnicodeDecodeError as error:
        raise BadUse("{path} is not TOML: it is not UTF-8 text.", path=path) from error
    except OSError as error:
        raise BadUse("{path} cannot be read: {reason}.", path=path, reason=error.strerror or error) from error
    house: HouseRules = {
        name: _flatten(table) for name, table in tables.items() if name in GAMES and isinstance(table, dict)
    }
    top = _flatten({name: value for name, value in tables.items() if name not in house})
    if top and game not in GAMES:
        raise BadUse(
            "{path} has house rules outside a section; put them under the game's name, like [draw].", path=path
        )
    if top:
        house[game] = house.get(game, {}) | top
    for name, chosen in house.items():
        try:
            resolve(GAMES[name].options, chosen)
        except BadOption as bad:
            raise BadUse(f"{path}, [{name}]: {bad}") from bad
    return house


def _flatten(table: dict[str, object], prefix: str = "") -> dict[str, Value]:
    """Return nested tables as one table of dotted keys; true and false become yes and no."""
    flat: dict[str, Value] = {}
    for key, value in table.items():
        if isinstance(value, dict):
            flat |= _flatten(value, f"{prefix}{key}.")
        elif isinstance(value, bool):
            flat[prefix + key] = "yes" if value else "no"
        else:
            flat[prefix + key] = value if isinstance(value, int) else str(value)
    return flat
