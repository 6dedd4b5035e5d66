"""The commands that open no table: games, rules, sim, replay. Everything heavy is imported late."""

import sys
from pathlib import Path

import click

from core.bots.profiles import LEVELS
from core.games import GAMES
from core.presets import presets_of
from core.variant import Variant
from tui.cli.arguments import (
    complete_games,
    complete_levels,
    find_record,
    game_and_preset,
    house_rules,
    look_of,
    look_options,
    pictures_option,
    plain_option,
    record_argument,
    require_terminal,
    rules_named,
    rules_of,
    seats_of,
)
from tui.failures import BadUse, Failed
from tui.i18n import _
from tui.text.names import find_game, game_name, sort_by_place


@click.command(epilog="Examples:  boneyard games  ·  boneyard games mexican-train  ·  boneyard games --json")
@click.argument("name", metavar="[GAME]", default="", shell_complete=complete_games)
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def games(name: str, as_json: bool) -> None:
    """List all games and their house rules, or one GAME."""
    named, preset = rules_named(name) if name else (None, None)
    variants = [named] if named else list(GAMES.values())
    from tui.draw.panels import wrap  # noqa: PLC0415
    from tui.rulebook import house_keys  # noqa: PLC0415
    from tui.rulebook import house_rules as house_rules_of  # noqa: PLC0415

    if as_json:
        import json  # noqa: PLC0415

        click.echo(json.dumps(_game_lines(variants), ensure_ascii=False, indent=2))
        return
    for variant in variants:
        fewest, most = variant.seats
        seats = most if fewest == most else _("{fewest} to {most}", fewest=fewest, most=most)
        line = _("{id}: {name}, {seats} players. {pitch}") if most > 1 else _("{id}: {name}, for one player. {pitch}")
        click.echo(line.format(id=variant.id, name=_(variant.name), seats=seats, pitch=_(variant.pitch)))
        if name:
            click.echo("\n".join(wrap(house_rules_of(variant), 78)[1:]))
            click.echo("\n" + _("For --rule KEY=VALUE, KEY and VALUE are in brackets; the usual value is first."))
        else:
            click.echo("\n".join("  " + line for line in house_keys(variant).splitlines()))
    presets = [preset] if preset else [preset for variant in variants for preset in presets_of(variant.id)]
    if presets:
        click.echo("\n" + _("As played in …, for --as:"))
    for preset in sort_by_place(presets):
        called = ", ".join(filter(None, (_(preset.name), preset.local)))
        click.echo(f"{preset.id}: {_(preset.place)}, {called}. {game_name(preset.game)}.")
        rules = " ".join(f"{key}={value}" for key, value in preset.options.items())
        click.echo(f"  {rules or _('as usual')}")
    if not name:
        click.echo("\n" + _("`boneyard games GAME` explains every choice."))


def _game_lines(variants: list[Variant]) -> dict[str, list[dict[str, object]]]:
    """Return games and their presets for JSON; places are in English."""
    return {
        "games": [
            {
                "id": v.id,
                "name": v.name,
                "pitch": v.pitch,
                "seats": list(v.seats),
                "options": {o.key: {"default": o.choices[0], "choices": list(o.choices)} for o in v.options},
            }
            for v in variants
        ],
        "presets": [
            {key: getattr(preset, key) for key in ("id", "name", "place", "local", "game", "options")}
            for v in variants
            for preset in presets_of(v.id)
        ],
    }


@click.command(epilog="Example:  boneyard rules block")
@click.argument("name", metavar="GAME", shell_complete=complete_games)
def rules(name: str) -> None:
    """Print the rules of a game, or of a preset with what it changes."""
    from tui.draw.panels import wrap  # noqa: PLC0415
    from tui.rulebook import preset_options, rules_page  # noqa: PLC0415

    game, preset = rules_named(name)
    text = "\n".join(wrap(rules_page(game, preset_options(preset) if preset else None), 78))
    click.echo_via_pager(text) if sys.stdout.isatty() else click.echo(text)


@click.command(epilog="Example:  boneyard sim draw --players 4 --bots greedy,random --matches 100 --duplicate")
@click.argument("name", metavar="GAME", default="", shell_complete=complete_games)
@click.option(
    "--players", type=int, default=None, help="Number of players.  [default: 2, or as many as the bots you name]"
)
@click.option(
    "--bots",
    default=None,
    metavar="LEVEL[,LEVEL…]",
    shell_complete=complete_levels,
    help=f"Level of the bot on each seat in turn: {', '.join(LEVELS)}; a short list repeats.",
)
@click.option("--matches", type=click.IntRange(1), default=1, show_default=True, help="Number of matches.")
@click.option(
    "--duplicate", is_flag=True, help="Play each match once for each seating of the levels, with the same deals."
)
@click.option("--jobs", type=click.IntRange(1, 256), default=1, show_default=True, help="Number of processes.")
@click.option(
    "--seed", type=int, default=None, help="Seed for deals and bots: the same number gives the same matches."
)
@click.option("--record", type=click.Path(dir_okay=False, path_type=Path), help="Write the matches to this file.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@house_rules
def sim(
    name: str,
    players: int | None,
    bots: str | None,
    matches: int,
    duplicate: bool,
    jobs: int,
    seed: int | None,
    record: Path | None,
    as_json: bool,
    rules: tuple[str, ...],
    house: Path | None,
    as_played: str,
) -> None:
    """Let bots play each other without a table.

    Says how many matches the first named bot has won, with a 95 % interval, and by how much it was better in a round.
    """
    name, preset = game_and_preset(name, as_played)
    if not name:
        raise BadUse("Name a game, or a preset with --as; `boneyard games` lists both.")
    count, levels = seats_of(name, players, bots, yourself=0, default=preset.players if preset else 0)
    options = rules_of(name, rules, house, preset, count)
    find_game(name).rules(count, options)
    if duplicate and len(set(levels)) == 1:
        raise BadUse("--duplicate needs two levels or more: name them with --bots, like --bots greedy,random.")
    from tui.cli.simulate import simulate  # noqa: PLC0415

    try:
        tally = simulate(find_game(name), options, levels, matches, seed, record, duplicate, jobs)
    except OSError as error:
        raise Failed(
            "The record {record} cannot be written: {reason}.", record=record, reason=error.strerror or error
        ) from error
    click.echo(tally.json() if as_json else tally.text())


@click.command(epilog="Examples:  boneyard replay match.jsonl  ·  boneyard replay last  ·  boneyard replay 2")
@record_argument
@plain_option
@pictures_option
@look_options
def replay(record: str, data: Path | None, plain: bool, pictures: bool, theme: str | None, ascii: bool) -> None:
    """Play a recorded match back: forward and back, by itself or step by step.

    FILE is a record, NUMBER a line of `boneyard history`, `last` the last match.
    """
    file = find_record(record, data)
    look = look_of(theme, ascii)
    from tui.run.replay import replay_file, retell_file  # noqa: PLC0415

    if plain:
        retell_file(file, ascii=look.ascii)
    else:
        replay_file(file, look, require_terminal=lambda: require_terminal("--plain"), pictures=pictures)
