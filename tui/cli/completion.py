"""The command `boneyard completion`, and what shells are told can be typed: games, levels, records, house rules."""

import click
from click.shell_completion import CompletionItem, get_completion_class

from core.bots.questions import AT_TABLES, LEVELS
from core.games import GAMES, game_called
from core.presets import PRESETS
from core.words import BadOption
from tui.i18n import _

VARIABLE = "_BONEYARD_COMPLETE"
"""By which click is asked what can be typed."""
Items = list[CompletionItem]
LAST = "last"
"""What names the newest record."""
DEFAULT_GAME = "draw"
"""What is played where no game is named."""


@click.command(epilog='Examples:  eval "$(boneyard completion bash)"  ·  boneyard completion fish | source')
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
@click.pass_context
def completion(context: click.Context, shell: str) -> None:
    """Print a script that lets a shell complete commands, options, games, levels, house rules and themes.

    To have that in every shell, put `eval "$(boneyard completion bash)"` into ~/.bashrc; in zsh, the same with zsh
    into ~/.zshrc after `compinit`; in fish, `boneyard completion fish | source` into ~/.config/fish/config.fish.
    """
    kind = get_completion_class(shell)
    if kind is not None:
        click.echo(kind(context.find_root().command, {}, "boneyard", VARIABLE).source())


def games_from(_context: click.Context, _parameter: click.Parameter, begun: str) -> Items:
    """The games whose id begins so."""
    return [
        CompletionItem(name, help=_(variant.name))
        for name, variant in GAMES.items()
        if name.startswith(begun.lower())
    ]


def presets_from(_context: click.Context, _parameter: click.Parameter, begun: str) -> Items:
    """The presets whose id begins so."""
    return [
        CompletionItem(name, help=_(preset.name))
        for name, preset in PRESETS.items()
        if name.startswith(begun.lower())
    ]


def themes_from(_context: click.Context, _parameter: click.Parameter, begun: str) -> Items:
    """The themes whose name begins so."""
    from themes import all_names  # noqa: PLC0415

    return [CompletionItem(name) for name in all_names() if name.startswith(begun)]


def levels_from(context: click.Context, _parameter: click.Parameter, begun: str) -> Items:
    """The levels of bots, of which several may stand with commas between them."""
    before, comma, last = begun.rpartition(",")
    offered = LEVELS if context.command.name == "sim" else AT_TABLES
    return [CompletionItem(before + comma + level) for level in offered if level.startswith(last)]


def records_from(_context: click.Context, _parameter: click.Parameter, begun: str) -> Items:
    """The word for the newest record, and the files there are."""
    last = [CompletionItem(LAST)] if LAST.startswith(begun) else []
    return [*last, CompletionItem(begun, type="file")]


def rules_from(context: click.Context, _parameter: click.Parameter, begun: str) -> Items:
    """The house rules of the game that was typed before, and once there is a key, its choices."""
    try:
        typed = [*context.args, context.params.get("name")]  # click leaves it in `args` while a value is missing
        variant = game_called(next(filter(None, typed), DEFAULT_GAME))
    except BadOption:
        return []
    key, equals, value = begun.partition("=")
    if not equals:
        return [CompletionItem(f"{option.key}=") for option in variant.options if option.key.startswith(key)]
    choices = next((option.choices for option in variant.options if option.key == key), ())
    return [CompletionItem(f"{key}={choice}") for choice in choices if str(choice).startswith(value)]
