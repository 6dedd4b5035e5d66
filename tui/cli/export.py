"""The commands `boneyard export` and `review`: a recorded match as a file for other programs, and the cost of
decisions.
"""

import os
import re
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import click
import msgspec

from core.layout.state import NOBODY
from tui.cli.arguments import (
    CANCELLED,
    default_data,
    find_record,
    look_of,
    look_options,
    plain_option,
    record_argument,
)
from tui.failures import BadUse, Failed, print_sentence, progress
from tui.i18n import _

if TYPE_CHECKING:
    from core.coach.review import ReplayedMatch, Review
    from tui.model.playback import Recording
    from tui.records.export import Export


@click.command(epilog="Examples:  boneyard review last  ·  boneyard review match.jsonl --seat ann")
@record_argument
@click.option("--seat", default="", metavar="NAME", help="Judge only this player.  [default: all people]")
@click.option("--match", "number", type=click.IntRange(1), default=None, help="Match to take, if FILE has several.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.option("--jobs", type=click.IntRange(1, 256), default=None, help="Number of processes.  [default: all cores]")
@plain_option
@look_options
def review(
    record: str,
    data: Path | None,
    seat: str,
    number: int | None,
    as_json: bool,
    jobs: int | None,
    plain: bool,
    theme: str | None,
    ascii: bool,
) -> None:
    """Say what each decision of a recorded match cost, and what was luck.

    FILE is a record, NUMBER a line of `boneyard history`, `last` the last match. Every decision is
    judged by what the player could know. Ctrl-C cancels.
    """
    file = find_record(record, data)
    look = look_of(theme, ascii)
    try:
        match = _read_record(file, number or 0)
        seats = _seats_of(match, seat)
        result = _review(match, seats, jobs or os.cpu_count() or 1)
    except KeyboardInterrupt:
        click.echo("boneyard: " + _("The review was cancelled."), err=True)
        raise click.exceptions.Exit(CANCELLED) from None
    if as_json:
        from tui.draw.review import names_of  # noqa: PLC0415

        click.echo(msgspec.json.encode(msgspec.structs.replace(result, seats=names_of(match))))
        return
    from net.storage.solo_matches import is_solo_record  # noqa: PLC0415

    reader_seat = (
        seats[0] if len(seats) == 1 and not seat and is_solo_record(file, data or default_data()) else NOBODY
    )
    if reader_seat != NOBODY:
        from tui.records.history import id_of, keep_review  # noqa: PLC0415
        from tui.records.reader import lines_of  # noqa: PLC0415

        keep_review(file.parent, id_of(list(lines_of(file))), reader_seat, result)
    if plain:
        from tui.plain.replay import review_lines  # noqa: PLC0415
        from tui.plain.terminal_lines import Printer  # noqa: PLC0415

        printer = Printer(ascii=look.ascii)
        for line in review_lines(match, result, reader_seat):
            printer.say(line)
        return
    from tui.draw.review import review_text  # noqa: PLC0415

    text = review_text(match, result, look, reader_seat)
    for line in text.splitlines():
        click.echo(click.style(line.removeprefix("# "), bold=True) if line.startswith("# ") else line)


def _read_record(file: Path, number: int) -> "ReplayedMatch":
    from core.coach.review import NoMatchError, read_match  # noqa: PLC0415
    from core.records import RecordError  # noqa: PLC0415
    from tui.records.reader import lines_of  # noqa: PLC0415

    try:
        match = read_match(lines_of(file), number)
    except RecordError as error:
        raise Failed(f"{file}, {error}.") from error
    except NoMatchError as error:
        if error.matches == 1:
            raise BadUse("{file} has only one match.", file=file) from error
        raise BadUse(
            "{file} has {matches} matches; choose one with --match 1 to {matches}.", file=file, matches=error.matches
        ) from error
    if match.match.unfinished and match.match.winners:
        raise Failed("The match in {file} was resigned, so it cannot be reviewed.", file=file)
    if match.match.unfinished:
        raise Failed("The match in {file} was stopped without a result, so it cannot be reviewed.", file=file)
    if len(match.seats) == 1:
        raise Failed("{file} has a game for one: nobody plays against you, so there is nothing to review.", file=file)
    return match


def _seats_of(match: "ReplayedMatch", name: str) -> tuple[int, ...]:
    from core.coach.review import people_of  # noqa: PLC0415
    from tui.draw.review import names_of  # noqa: PLC0415

    return _find_seats(name, names_of(match)) if name else people_of(match)


def _find_seats(name: str, names: tuple[str, ...]) -> tuple[int, ...]:
    """Return the seats of a player with this name. Raises BadUse if there is none."""
    seats = tuple(seat for seat, player_name in enumerate(names) if player_name.casefold() == name.strip().casefold())
    if not seats:
        raise BadUse("Nobody called “{seat}” played; choose one of: {names}.", seat=name[:40], names=", ".join(names))
    return seats


def _review(match: "ReplayedMatch", seats: tuple[int, ...], jobs: int) -> "Review":
    from core.coach.review import parts_of, review_of  # noqa: PLC0415
    from net.host.reviewing import compute_parts  # noqa: PLC0415

    parts = parts_of(match, seats)
    with compute_parts(parts, jobs) as results, progress(results, len(parts), "judging") as counted_results:
        return review_of(match, seats, counted_results)


MIN_SIZE, MAX_SIZE = (80, 24), (300, 100)
"""Minimum and maximum columns and rows of a picture: those of a table, and of a very large window."""
SPEEDS = ("0.5", "1", "2", "4", "8")


@click.command(epilog="Examples:  boneyard export last --as txt  ·  boneyard export match.jsonl --as cast --speed 2")
@record_argument
@click.option(
    "--as",
    "kind",
    type=click.Choice(["cast", "svg", "txt"]),
    required=True,
    help="cast: a film for asciinema; svg: a picture of the table; txt: the whole match in sentences.",
)
@click.option(
    "-o",
    "--out",
    type=click.Path(path_type=Path),
    default=None,
    help="File to write; - is the standard output.  [default: FILE's name, here, ending in .cast, .svg or .txt]",
)
@click.option("--force", is_flag=True, help="Overwrite the file if it exists.")
@click.option(
    "--seat",
    default="",
    metavar="NAME",
    help="Show this player's hand.  [default: of whoever is to play; in a text, all]",
)
@click.option("--all-hands", is_flag=True, help="Show all hands.")
@click.option("--no-hands", is_flag=True, help="Show no hand, as spectators see the table.")
@click.option("--size", default=None, metavar="COLUMNSxROWS", help="Size of the table.  [default: 80x24]")
@click.option("--speed", type=click.Choice(SPEEDS), default=None, help="Speed of a film.  [default: 1]")
@click.option(
    "--at",
    type=click.IntRange(1),
    default=None,
    metavar="STEP",
    help="Step that a picture shows, as the replay counts them.  [default: the last]",
)
@look_options
def export(
    record: str,
    data: Path | None,
    kind: Literal["cast", "svg", "txt"],
    out: Path | None,
    force: bool,
    seat: str,
    all_hands: bool,
    no_hands: bool,
    size: str | None,
    speed: str | None,
    at: int | None,
    theme: str | None,
    ascii: bool,
) -> None:
    """Export a recorded match: as a film, a picture or text.

    FILE is a record, NUMBER a line of `boneyard history`, `last` the last match.
    `asciinema play FILE.cast` shows a film in a terminal; web pages show it with asciinema's player.
    """
    file = find_record(record, data)
    for name, value, kinds in (
        ("--speed", speed, ["cast"]),
        ("--at", at, ["svg"]),
        ("--size", size, ["cast", "svg"]),
    ):
        if value is not None and kind not in kinds:
            raise BadUse("{option} is only for --as {kinds}.", option=name, kinds=", ".join(kinds))
    width, height = _size_of(size) if size else MIN_SIZE
    name = look_of(theme, ascii).name  # a file is not for this terminal, whose colours and letters do not matter
    from themes import load_theme  # noqa: PLC0415
    from tui.model.look import Look  # noqa: PLC0415
    from tui.model.playback import ALL, ON_TURN, Playback  # noqa: PLC0415
    from tui.model.playback import SPEEDS as PACES  # noqa: PLC0415
    from tui.records.export import Export  # noqa: PLC0415
    from tui.run.replay import recording_of  # noqa: PLC0415

    recording = recording_of(file)
    last_step = len(recording.frames)
    if at is not None and at > last_step:
        raise BadUse("{file} has {last} steps; choose one with --at 1 to {last}.", file=file, last=last_step)
    open_hand = _parse_shown_hand(recording, seat, all_hands, no_hands, default=ALL if kind == "txt" else ON_TURN)
    step = 0 if kind != "svg" else (at or last_step) - 1
    playback = Playback(recording, step, pace=PACES.index(float(speed or 1)), open_hand=open_hand)
    contents = Export(kind, playback, Look(load_theme(name), ascii, name), width, height)
    if str(out) == "-":
        for part in contents.text():
            click.echo(part, nl=False)
    else:
        _write(contents, out or Path(f"{file.stem}.{kind}"), overwrite=force)
    if recording.problem:
        raise Failed("{file} goes no further: {problem}.", file=file, problem=recording.problem)


def _write(contents: "Export", file: Path, *, overwrite: bool) -> None:
    """Write a file, and print its path."""
    from tui.records.export import write_export  # noqa: PLC0415

    try:
        if file.exists() and not file.is_file():
            raise Failed("{out} cannot be written: it is not a file.", out=file)
        write_export(contents, file, overwrite=overwrite)
    except FileExistsError as error:
        raise Failed("{out} is there already; --force overwrites it.", out=file) from error
    except OSError as error:
        raise Failed("{out} cannot be written: {reason}.", out=file, reason=error.strerror or error) from error
    print_sentence("Written to {out}.", out=file)


def _size_of(text: str) -> tuple[int, int]:
    match = re.fullmatch(r"(\d{1,4})[x×](\d{1,4})", text.strip(), re.ASCII)
    columns, rows = (int(match[1]), int(match[2])) if match else (0, 0)
    if not (MIN_SIZE[0] <= columns <= MAX_SIZE[0] and MIN_SIZE[1] <= rows <= MAX_SIZE[1]):
        raise BadUse(
            "--size needs COLUMNSxROWS, from {least} to {most}, not “{text}”.",
            least="x".join(map(str, MIN_SIZE)),
            most="x".join(map(str, MAX_SIZE)),
            text=text[:40],
        )
    return columns, rows


def _parse_shown_hand(recording: "Recording", seat: str, all_hands: bool, no_hands: bool, default: int) -> int:
    """Return the seat whose hand is shown, or `ALL`, `NOBODY` or `default`. Raises BadUse."""
    from tui.model.playback import ALL  # noqa: PLC0415

    if (bool(seat), all_hands, no_hands).count(True) > 1:
        raise BadUse("Choose one of --seat, --all-hands and --no-hands.")
    if not seat:
        return NOBODY if no_hands else ALL if all_hands else default
    return _find_seats(seat, recording.frames[0].names)[0]
