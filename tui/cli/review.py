"""The command `boneyard review`: what each decision of a recorded match cost, and what was luck."""

import os
from pathlib import Path
from typing import TYPE_CHECKING

import click

from core.layout.state import NOBODY
from tui.cli.arguments import CANCELLED, default_data, look_of, looks, plainly, record_called, recorded
from tui.failures import BadUse, Failed, progress
from tui.i18n import _

if TYPE_CHECKING:
    from core.coach.review import Recorded, Review


@click.command(epilog="Examples:  boneyard review last  ·  boneyard review match.jsonl --seat ann")
@recorded
@click.option("--seat", default="", metavar="NAME", help="Judge only this player.  [default: all people]")
@click.option("--match", "number", type=click.IntRange(1), default=None, help="Which match, if FILE has several.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.option("--jobs", type=click.IntRange(1, 256), default=None, help="Number of processes.  [default: all cores]")
@plainly
@looks
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

    It is that of a FILE, that with a NUMBER of `boneyard history`, or the last. Every decision is judged by what the
    player could know. Ctrl-C cancels.
    """
    file = record_called(record, data)
    look = look_of(theme, ascii)
    try:
        match = _read(file, number or 0)
        seats = _seats_of(match, seat)
        found = _review(match, seats, jobs or os.cpu_count() or 1)
    except KeyboardInterrupt:
        click.echo("boneyard: " + _("The review was cancelled."), err=True)
        raise click.exceptions.Exit(CANCELLED) from None
    if as_json:
        import msgspec  # noqa: PLC0415

        from tui.draw.reviewed import names_of  # noqa: PLC0415

        click.echo(msgspec.json.encode(msgspec.structs.replace(found, seats=names_of(match))))
        return
    from net.storage.kept_matches import made_alone  # noqa: PLC0415

    you = seats[0] if len(seats) == 1 and not seat and made_alone(file, data or default_data()) else NOBODY
    if you != NOBODY:
        from tui.records.history import id_of, keep_review  # noqa: PLC0415
        from tui.records.lines import lines_of  # noqa: PLC0415

        keep_review(file.parent, id_of(list(lines_of(file))), you, found)
    if plain:
        from tui.draw.reviewed import review_lines  # noqa: PLC0415
        from tui.plain.local import Printer  # noqa: PLC0415

        printer = Printer(ascii=look.ascii)
        for line in review_lines(match, found, you):
            printer.say(line)
        return
    from tui.draw.reviewed import review_text  # noqa: PLC0415

    text = review_text(match, found, look, you)
    for line in text.splitlines():
        click.echo(click.style(line.removeprefix("# "), bold=True) if line.startswith("# ") else line)


def _read(file: Path, number: int) -> "Recorded":
    from core.coach.review import NoMatchError, read_match  # noqa: PLC0415
    from core.records import RecordError  # noqa: PLC0415
    from tui.records.lines import lines_of  # noqa: PLC0415

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
    if match.match.unfinished:
        raise Failed("The match in {file} was stopped without a result, so there is nothing to review.", file=file)
    if len(match.seats) == 1:
        raise Failed("{file} has a game for one: nobody plays against you, so there is nothing to review.", file=file)
    return match


def _seats_of(match: "Recorded", name: str) -> tuple[int, ...]:
    from core.coach.review import people_of  # noqa: PLC0415
    from tui.draw.reviewed import names_of  # noqa: PLC0415

    if not name:
        return people_of(match)
    names = names_of(match)
    seats = tuple(seat for seat, known in enumerate(names) if known.casefold() == name.strip().casefold())
    if not seats:
        raise BadUse("Nobody called “{seat}” played; choose one of: {names}.", seat=name[:40], names=", ".join(names))
    return seats


def _review(match: "Recorded", seats: tuple[int, ...], jobs: int) -> "Review":
    from core.coach.review import parts_of, review_of  # noqa: PLC0415
    from tui.run.reviewing import found_out  # noqa: PLC0415

    parts = parts_of(match, seats)
    with found_out(parts, jobs) as found, progress(found, len(parts), "judging") as shown:
        return review_of(match, seats, shown)
