"""The commands `boneyard continue`, `history`, `stats` and `learn`: a solo player's matches, counts and lessons."""

from functools import partial
from pathlib import Path
from shutil import get_terminal_size
from typing import TYPE_CHECKING

import click
import msgspec

from core.words import phrase
from tui.cli.arguments import (
    complete_games,
    data_option,
    default_data,
    look_of,
    look_options,
    pictures_option,
    plain_option,
    require_terminal,
    rules_named,
    show_of,
)
from tui.failures import BadUse, Failed, print_sentence
from tui.i18n import _, day_and_time, several
from tui.text.names import game_name

if TYPE_CHECKING:
    from collections.abc import Callable

    from net.storage.solo_matches import KeptMatch
    from net.wire.messages import MakeTable
    from tui.lessons import Tutor
    from tui.solo import Show, SoloResult

NONE = phrase("No unfinished match is kept; `boneyard play` begins one.")


def play_at_table(
    table_or_path: "MakeTable | Path",
    show: "Show",
    data: Path,
    *,
    seed: int | None = None,
    record: Path | None = None,
    pace: bool = True,
) -> None:
    """Play a solo match until the player leaves the table, and report what happens to it. Raises Failed."""
    from net.loop import run  # noqa: PLC0415
    from tui.run.settings import solo_name  # noqa: PLC0415
    from tui.solo import play_alone  # noqa: PLC0415

    try:
        result = run(
            play_alone(table_or_path, show, name=solo_name(), data=data, seed=seed, record=record, pace=pace)
        )
    except OSError as error:
        raise Failed(
            "The record {record} cannot be written: {reason}.", record=record, reason=error.strerror or error
        ) from error
    _report(result)


def _report(result: "SoloResult") -> None:
    """Report what happens to a match that was left. Raises Failed with the last message of the host."""
    if result.last_word:
        raise Failed(result.last_word)
    if result.loss:
        click.echo(result.loss, err=True)
    if result.is_resumable:
        print_sentence("The match is kept; `boneyard continue` resumes it.")


@click.command(
    "continue", epilog="Examples:  boneyard continue  ·  boneyard continue draw  ·  boneyard continue --list"
)
@click.argument("which", metavar="[NUMBER|GAME]", default="", shell_complete=complete_games)
@click.option("--list", "only_list", is_flag=True, help="List the kept matches, with their numbers.")
@click.option("--json", "as_json", is_flag=True, help="List them as JSON.")
@click.option("--fast", is_flag=True, help="Bots move without delay.")
@data_option
@plain_option
@pictures_option
@look_options
def continue_(
    which: str,
    only_list: bool,
    as_json: bool,
    fast: bool,
    data: Path | None,
    plain: bool,
    pictures: bool,
    theme: str | None,
    ascii: bool,
) -> None:
    """Go on with a match against bots that you have left: the last one, the one with NUMBER, or the one of GAME."""
    look = look_of(theme, ascii)
    from net.storage.solo_matches import resumable_matches  # noqa: PLC0415

    data_folder = data or default_data()
    matches = resumable_matches(data_folder)
    if as_json:
        click.echo(msgspec.json.encode([_match_fields(match) for match in matches]))
    elif only_list:
        for number, match in enumerate(matches, 1):
            click.echo(f"{number:>3}  {day_and_time(match.played_at)}  {_match_line(match)}")
        if not matches:
            click.echo(_(NONE))
    else:
        match = _choose_match(which, matches)
        play_at_table(match.path, show_of(look, plain, pictures), data_folder, pace=not fast)


@click.command(epilog="Examples:  boneyard history  ·  boneyard history --limit 100  ·  boneyard history --json")
@click.option(
    "--limit", type=click.IntRange(1), default=20, show_default=True, metavar="N", help="Number of records to list."
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@data_option
def history(limit: int, as_json: bool, data: Path | None) -> None:
    """List your finished matches, the newest first.

    `boneyard replay`, `review`, `export` and `verify` take the numbers; --json has the files. Times are those of this
    machine.
    """
    from tui.records.history import list_matches  # noqa: PLC0415

    folder = (data or default_data()) / "records"
    rows, unlisted_count = list_matches(folder, limit)
    if as_json:
        click.echo(msgspec.json.encode(rows))
        return
    if not rows:
        print_sentence("No match is recorded in {folder} yet.", folder=folder)
        return
    from tui.records.matches import matches_table  # noqa: PLC0415

    for line in matches_table(rows, max(80, get_terminal_size().columns)):
        click.echo(line)
    if unlisted_count:
        click.echo(
            several(
                "{count} older record not listed; see --limit.",
                "{count} older records not listed; see --limit.",
                unlisted_count,
            ),
            err=True,
        )


@click.command(epilog="Examples:  boneyard stats  ·  boneyard stats --json")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@data_option
def stats(as_json: bool, data: Path | None) -> None:
    """Count your matches by game and level: played, won, the streak and the best round.

    No record says who of several people you are: such a match counts if that was noted here at its end.
    """
    from tui.records.history import list_matches, statistics  # noqa: PLC0415
    from tui.records.matches import statistics_table  # noqa: PLC0415

    tallies = statistics(list_matches((data or default_data()) / "records")[0])
    if as_json:
        click.echo(msgspec.json.encode(tallies))
        return
    for line in statistics_table(tallies, max(80, get_terminal_size().columns)):
        click.echo(line)


def _choose_match(text: str, matches: "list[KeptMatch]") -> "KeptMatch":
    """Return the chosen match. Raises Failed."""
    if text.isdecimal():
        if not 0 < int(text) <= len(matches):
            raise BadUse("There is no kept match {which}; `boneyard continue --list` shows all.", which=text)
        match = matches[int(text) - 1]
        if match.problem:
            raise Failed(
                "That match cannot be read: {problem}; its files are in {path}.",
                problem=match.problem,
                path=match.path,
            )
        return match
    game = rules_named(text)[0].id if text else ""
    match_or_none = next((match for match in matches if not match.problem and game in ("", match.game)), None)
    if match_or_none is None:
        raise Failed(_("No unfinished match of {game} is kept.", game=game_name(game)) if text else _(NONE))
    return match_or_none


def _match_line(match: "KeptMatch") -> str:
    from tui.text.at_table import opponents, saved_match_words  # noqa: PLC0415

    if match.problem:
        return " ".join([_("cannot be read"), f"({match.path}: {match.problem})"])
    other_names = opponents(match)
    return f"{saved_match_words(match)}  ({other_names})" if other_names else saved_match_words(match)


def _match_fields(match: "KeptMatch") -> dict[str, object]:
    """Return the fields of a match for JSON."""
    return {
        "game": match.game,
        "round": match.round,
        "score": match.score,
        "opponents": [name for name in match.names if name],
        "played_at": int(match.played_at),
        "path": str(match.path),
        "problem": match.problem,
    }


@click.command(epilog="Examples:  boneyard learn  ·  boneyard learn mexican-train")
@click.argument("name", metavar="[GAME]", default="draw", shell_complete=complete_games)
@plain_option
@look_options
def learn(name: str, plain: bool, theme: str | None, ascii: bool) -> None:
    """Learn a game in two minutes: a round against bots, explained as it goes."""
    look = look_of(theme, ascii)
    game, _preset = rules_named(name)
    from net.loop import run  # noqa: PLC0415
    from tui.lessons import LESSONS  # noqa: PLC0415
    from tui.run.frontends import plain_frontend  # noqa: PLC0415
    from tui.run.settings import solo_name  # noqa: PLC0415
    from tui.solo import learn as run_lessons  # noqa: PLC0415
    from tui.solo import play_alone  # noqa: PLC0415

    lesson = next((lesson for lesson in LESSONS if lesson.game == game.id), None)
    if lesson is None:
        games = ", ".join(lesson.game for lesson in LESSONS)
        raise BadUse(
            "There is no lesson for {name}; there are lessons for {known}.", name=game_name(game.id), known=games
        )
    if not plain:
        require_terminal(f"`boneyard learn {game.id} --plain`")

    async def lesson_then_match(show: "Callable[[Tutor | None], Show]") -> "SoloResult | None":
        result = await run_lessons(lesson, show, name=solo_name())
        if result.last_word:
            raise Failed(result.last_word)
        if result.table is None:
            return None
        return await play_alone(result.table, show(None), name=solo_name(), data=default_data())

    async def main() -> "SoloResult | None":
        if plain:
            return await lesson_then_match(lambda tutor: plain_frontend(ascii=ascii, tutor=tutor))
        from tui.run.local_session import local_session  # noqa: PLC0415

        async with local_session(look, pictures=False) as session:
            return await lesson_then_match(lambda tutor: partial(session.play, tutor=tutor))

    if solo_result := run(main()):
        _report(solo_result)
