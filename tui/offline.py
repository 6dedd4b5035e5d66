"""The commands that open no table: games, rules, sim, verify, replay. Everything heavy is imported late."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from core.bots import BOTS
from core.games import GAMES
from tui.arguments import (
    Failed,
    check,
    house_rules,
    look_of,
    looks,
    need_terminal,
    rules_of,
    seats_of,
    the_game,
)
from tui.version import SOFTWARE
from tui.words import _

if TYPE_CHECKING:
    from core.records import MatchLine


@click.command(epilog="Examples:  boneyard games  ·  boneyard games mexican-train  ·  boneyard games --json")
@click.argument("name", metavar="[GAME]", default="")
@click.option("--json", "as_json", is_flag=True, help="As JSON, for programs.")
def games(name: str, as_json: bool) -> None:
    """List the games and their house rules, or those of one GAME."""
    shown = [the_game(name)] if name else list(GAMES.values())
    from tui.rulebook import house_rules as house_rules_of  # noqa: PLC0415

    if as_json:
        import json  # noqa: PLC0415

        listed = [
            {
                "id": v.id,
                "name": v.name,
                "pitch": v.pitch,
                "seats": list(v.seats),
                "options": {o.key: {"default": o.choices[0], "choices": list(o.choices)} for o in v.options},
            }
            for v in shown
        ]
        click.echo(json.dumps(listed, ensure_ascii=False, indent=2))
        return
    for variant in shown:
        fewest, most = variant.seats
        seats = most if fewest == most else f"{fewest} to {most}"
        click.echo(f"{variant.id}: {variant.name}, {seats} players. {_(variant.pitch)}")
        click.echo("\n".join("  " + line for line in house_rules_of(variant).splitlines()[1:]))


@click.command(epilog="Example:  boneyard rules block")
@click.argument("name", metavar="GAME")
def rules(name: str) -> None:
    """Print the rules of a game."""
    from tui.lists import wrap  # noqa: PLC0415
    from tui.rulebook import house_rules as house_rules_of  # noqa: PLC0415
    from tui.rulebook import rules_text  # noqa: PLC0415

    variant = the_game(name)
    text = "\n".join(wrap(f"{rules_text(variant)}\n\n{house_rules_of(variant)}", 78))
    click.echo_via_pager(text) if sys.stdout.isatty() else click.echo(text)


@click.command(epilog="Example:  boneyard sim draw --players 4 --bots greedy,random --matches 100 --json")
@click.argument("name", metavar="GAME")
@click.option("--players", type=int, default=None, help="How many play.  [default: 2, or as many as bots are named]")
@click.option(
    "--bots",
    default=None,
    metavar="LEVEL[,LEVEL…]",
    help=f"Who plays: {', '.join(BOTS)}; fewer than players are repeated.",
)
@click.option("--matches", type=click.IntRange(1), default=1, show_default=True, help="How many matches.")
@click.option("--seed", type=int, default=None, help="A number that fixes everything.")
@click.option("--record", type=click.Path(dir_okay=False, path_type=Path), help="Write the matches to this file.")
@click.option("--json", "as_json", is_flag=True, help="As JSON, for programs.")
@house_rules
def sim(
    name: str,
    players: int | None,
    bots: str | None,
    matches: int,
    seed: int | None,
    record: Path | None,
    as_json: bool,
    rules: tuple[str, ...],
    house: Path | None,
) -> None:
    """Let bots play against each other, without a table."""
    options = rules_of(name, rules, house)
    count, levels = seats_of(name, players, bots, yourself=0)
    check(name, count, options)
    from tui.simulation import simulate  # noqa: PLC0415

    try:
        tally = simulate(the_game(name), options, levels, matches, seed, record, SOFTWARE)
    except OSError as error:
        raise Failed(f"The record {record} cannot be written: {error.strerror or error}.") from error
    click.echo(tally.json() if as_json else tally.text())


@click.command(epilog="Example:  boneyard verify match.jsonl")
@click.argument("file", type=click.Path(path_type=Path))
def verify(file: Path) -> None:
    """Referee a recorded match again, from its first line to its last."""
    from core.match import MOST_ACTIONS, MOST_ROUNDS  # noqa: PLC0415
    from core.records import EndLine, MatchLine, RecordError, referee  # noqa: PLC0415

    matches = actions = unfinished = 0
    doubts: dict[str, None] = {}
    try:
        with file.open(encoding="utf-8") as lines:
            for step in referee(line.rstrip("\n") for line in lines):
                matches += isinstance(step.line, EndLine)
                unfinished += step.match.unfinished and isinstance(step.line, EndLine)
                actions += 1
                if isinstance(step.line, MatchLine):
                    doubts |= dict.fromkeys(_doubts(step.line))
    except RecordError as error:
        raise Failed(f"{file}, {error}.") from error
    except UnicodeDecodeError as error:
        raise Failed(f"{file} is not a record: it is not UTF-8 text.") from error
    except OSError as error:
        raise Failed(f"{file} cannot be read: {error.strerror or error}.") from error
    click.echo(f"{file}: {matches} {'match' if matches == 1 else 'matches'}, {actions} lines, every one is right.")
    if unfinished:
        limit = f"{MOST_ROUNDS:,} rounds or {MOST_ACTIONS:,} actions"
        click.echo(f"{unfinished} of {matches} unfinished: stopped without a winner, after {limit}.")
    if not doubts:
        click.echo("Every deal follows from what was committed to and pledged before it.")
    for doubt in doubts:
        click.echo(doubt)


def _doubts(line: "MatchLine") -> list[str]:
    """What a record does not prove, although nothing in it is wrong."""
    if line.fair is None:
        return ["The record is of the first release's format: it does not prove its deals."]
    return [
        f"{seat.name} had pledged a share and did not show it; the deals follow from the others'."
        for seat, share in zip(line.seats, line.fair.shares, strict=True)
        if share.pledge and not share.share
    ]


@click.command(epilog="Example:  boneyard replay match.jsonl")
@click.argument("file", type=click.Path(path_type=Path))
@looks
def replay(file: Path, theme: str, ascii: bool) -> None:
    """Step forward and back through a recorded match."""
    look = look_of(theme, ascii)
    from tui.replaying import BadRecord, replay_file  # noqa: PLC0415

    try:
        replay_file(file, look, theme, need_terminal=need_terminal)
    except BadRecord as error:
        raise Failed(str(error)) from error
