"""The command `boneyard export`: a recorded match to be watched or read elsewhere."""

import re
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import click

from tui.cli.arguments import look_of, looks, record_called, recorded
from tui.failures import BadUse, Failed, tell_here

if TYPE_CHECKING:
    from tui.model.playback import Recording
    from tui.records.exported import Export

LEAST, MOST = (80, 24), (300, 100)
"""Columns and rows of a picture: at least those that a table needs, at most those of a very large window."""
SPEEDS = ("0.5", "1", "2", "4", "8")


@click.command(epilog="Examples:  boneyard export last --as txt  ·  boneyard export match.jsonl --as cast --speed 2")
@recorded
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
    help="Where to write it; - is the standard output.  [default: FILE's name, here, ending in .cast, .svg or .txt]",
)
@click.option("--force", is_flag=True, help="Overwrite a file that is there.")
@click.option(
    "--seat",
    default="",
    metavar="NAME",
    help="Show this player's hand.  [default: of whoever is to play; in a text all]",
)
@click.option("--all-hands", is_flag=True, help="Show all hands.")
@click.option("--no-hands", is_flag=True, help="Show no hand, as spectators see it.")
@click.option("--size", default=None, metavar="COLUMNSxROWS", help="Size of the table.  [default: 80x24]")
@click.option("--speed", type=click.Choice(SPEEDS), default=None, help="Speed of a film.  [default: 1]")
@click.option(
    "--at",
    type=click.IntRange(1),
    default=None,
    metavar="STEP",
    help="Which step a picture shows, as the replay counts them.  [default: the last]",
)
@looks
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

    It is that of a FILE, that with a NUMBER of `boneyard history`, or the last.
    `asciinema play FILE.cast` shows a film in a terminal; web pages show it with asciinema's player.
    """
    file = record_called(record, data)
    for name, given, kinds in (
        ("--speed", speed, ["cast"]),
        ("--at", at, ["svg"]),
        ("--size", size, ["cast", "svg"]),
    ):
        if given is not None and kind not in kinds:
            raise BadUse("{option} is only for --as {kinds}.", option=name, kinds=", ".join(kinds))
    width, height = _size_of(size) if size else LEAST
    name = look_of(theme, ascii).name  # a file is not for this terminal, so its colours and letters do not count
    from themes import load_theme  # noqa: PLC0415
    from tui.draw.look import Look  # noqa: PLC0415
    from tui.model.playback import ALL, ON_TURN, Playback  # noqa: PLC0415
    from tui.model.playback import SPEEDS as PACES  # noqa: PLC0415
    from tui.records.exported import Export  # noqa: PLC0415
    from tui.run.replayed import recording_of  # noqa: PLC0415

    recording = recording_of(file)
    last = len(recording.frames)
    if at is not None and at > last:
        raise BadUse("{file} has {last} steps; choose one with --at 1 to {last}.", file=file, last=last)
    whose = _whose(recording, seat, all_hands, no_hands, usual=ALL if kind == "txt" else ON_TURN)
    shown = 0 if kind != "svg" else (at or last) - 1
    playback = Playback(recording, shown, pace=PACES.index(float(speed or 1)), whose=whose)
    made = Export(kind, playback, Look(load_theme(name), ascii, name), width, height)
    if str(out) == "-":
        for part in made.text():
            click.echo(part, nl=False)
    else:
        _write(made, out or Path(f"{file.stem}.{kind}"), overwrite=force)
    if recording.problem:
        raise Failed("{file} goes no further: {problem}.", file=file, problem=recording.problem)


def _write(made: "Export", out: Path, *, overwrite: bool) -> None:
    """Write a file, and say where it is."""
    from tui.records.exported import write_export  # noqa: PLC0415

    try:
        if out.exists() and not out.is_file():
            raise Failed("{out} cannot be written: it is not a file.", out=out)
        write_export(made, out, overwrite=overwrite)
    except FileExistsError as error:
        raise Failed("{out} is there already; --force overwrites it.", out=out) from error
    except OSError as error:
        raise Failed("{out} cannot be written: {reason}.", out=out, reason=error.strerror or error) from error
    tell_here("Written to {out}.", out=out)


def _size_of(text: str) -> tuple[int, int]:
    found = re.fullmatch(r"(\d{1,4})[x×](\d{1,4})", text.strip(), re.ASCII)
    columns, rows = (int(found[1]), int(found[2])) if found else (0, 0)
    if not (LEAST[0] <= columns <= MOST[0] and LEAST[1] <= rows <= MOST[1]):
        raise BadUse(
            "--size needs COLUMNSxROWS, from {least} to {most}, not “{text}”.",
            least="x".join(map(str, LEAST)),
            most="x".join(map(str, MOST)),
            text=text[:40],
        )
    return columns, rows


def _whose(recording: "Recording", seat: str, all_hands: bool, no_hands: bool, usual: int) -> int:
    """Whose hand is to be shown."""
    from core.layout.state import NOBODY  # noqa: PLC0415
    from tui.model.playback import ALL  # noqa: PLC0415

    if (bool(seat), all_hands, no_hands).count(True) > 1:
        raise BadUse("Choose one of --seat, --all-hands and --no-hands.")
    if not seat:
        return NOBODY if no_hands else ALL if all_hands else usual
    names = recording.frames[0].names
    for number, name in enumerate(names):
        if name.casefold() == seat.strip().casefold():
            return number
    raise BadUse("Nobody called “{seat}” played; choose one of: {names}.", seat=seat[:40], names=", ".join(names))
