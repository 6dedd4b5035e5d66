"""Finds out about the matches recorded in a folder, whose files may be anything."""

import re
import stat
from collections.abc import Iterable
from contextlib import suppress
from datetime import UTC, datetime
from itertools import chain
from pathlib import Path

import msgspec
from msgspec import Struct

from core.games import GAMES
from core.records import BackLine, EndLine, Line, MatchLine, RecordError, ScoreLine, closing_of
from core.seals import Closing, SealLine, WitnessLine
from net.client.evidence import BEGINNING
from net.limits import NAME_LENGTH
from net.players.text import clean
from tui.i18n import _, several
from tui.run.recorded import Unreadable, lines_of
from tui.text.names import game_name

LARGEST = 32 * 2**20
"""Bytes of the largest file that is read; the longest match has 10 MiB."""
MOST_SEATS = 16
"""Names that are read of one match; no game has more than eight seats."""
_BEGAN = re.compile(r"\d{8}-\d{6}-\d{6}(?=[-.])")
_decode = msgspec.json.Decoder(Line).decode


class Recorded(Struct):
    """One file, and the last match in it."""

    file: str
    """Its whole path."""
    began_at: float
    """When the match began by the file's name, otherwise when the file was written; in seconds since 1970."""
    game: str = ""
    players: tuple[str, ...] = ()
    """The names by seat."""
    winners: tuple[str, ...] = ()
    """Those who won; of partners, both. Nobody won a match that was stopped."""
    scores: tuple[int, ...] = ()
    """By side."""
    matches: int = 0
    problem: str = ""
    """What is wrong with the file; then nothing else is known of it."""

    @property
    def title(self) -> str:
        """The name of the game."""
        return game_name(self.game) if self.game else "?"

    @property
    def told(self) -> str:
        """The result, or why there is none."""
        if self.problem:
            return _("broken: {problem}", problem=self.problem)
        scores = " : ".join(map(str, self.scores))
        winners = " + ".join(self.winners)
        won = (
            several("{winners} won", "{winners} won", len(self.winners), winners=winners)
            if winners
            else _("nobody won")
        )
        more = _("the last of {count} matches", count=self.matches) if self.matches > 1 else ""
        return ", ".join(filter(None, (won, scores, more)))


def recorded_matches(folder: Path, limit: int) -> tuple[list[Recorded], int]:
    """Return the newest files of a folder, so many at most, and how many more there are. It never raises.

    What a file says is checked against its seal, but not against the rules: that takes `boneyard verify`.
    """
    found: list[tuple[float, Path]] = []
    with suppress(OSError):
        for path in folder.iterdir():
            if path.name.endswith(".jsonl") and not path.name.startswith("."):
                with suppress(OSError):
                    found.append((_began_at(path), path))
    found.sort(key=lambda one: (one[0], one[1].name), reverse=True)
    rows: list[Recorded] = []
    for number, (when, path) in enumerate(found):
        if len(rows) == limit:
            return rows, len(found) - number
        row = _recorded(path, when)
        if row is not None:
            rows.append(row)
    return rows, 0


def _began_at(path: Path) -> float:
    """Raises OSError if the file is gone."""
    modified = path.lstat().st_mtime
    began = _BEGAN.match(path.name)
    with suppress(ValueError, OverflowError):
        if began:
            return datetime.strptime(began[0], "%Y%m%d-%H%M%S-%f").replace(tzinfo=UTC).timestamp()
    return modified


def _recorded(path: Path, when: float) -> Recorded | None:
    """What is in a file; None for evidence against a host, which is no record."""
    shown = clean(str(path), 1000) if not str(path).isprintable() else str(path)
    row = Recorded(shown, when)
    try:
        status = path.stat()
        if not stat.S_ISREG(status.st_mode):
            row.problem = "it is not a file"  # to open a pipe would wait for ever
        elif status.st_size > LARGEST:
            row.problem = f"it is larger than {LARGEST // 2**20} MiB"
        else:
            lines = lines_of(path)
            first = next(lines, "")
            if first.startswith(BEGINNING):
                return None
            _read(chain([first], lines), row)
    except RecordError as error:
        row.problem = str(error)
    except Unreadable as error:
        cause = error.__cause__
        row.problem = (cause.strerror if isinstance(cause, OSError) else "") or "it is not UTF-8 text"
    except OSError as error:
        row.problem = error.strerror or "it cannot be read"
    if row.problem:
        row = Recorded(shown, when, problem=clean(row.problem, 80))
    return row


def _read(lines: Iterable[str], row: Recorded) -> None:
    """Fill in a row from the lines of a record. Raises RecordError if they are not those that were sealed."""
    match, over, closing = None, False, Closing()
    number = 0
    for number, text in enumerate(lines, 1):
        line = _decoded(number, text)
        if isinstance(line, SealLine | WitnessLine):
            if not over:
                raise RecordError(number, "a seal before the end of the match")
            if problem := closing.problem(line):
                raise RecordError(number, problem)
            closing = closing.closed(line)
            continue
        if isinstance(line, MatchLine):
            if match is not None and (not over or closing.due):
                raise RecordError(number, "the match before is not over")
            match, over, closing = line, False, closing_of(line)
            _begin(number, line, row)
        elif match is None:
            raise RecordError(number, "the first line must be the one that names the game")
        elif over:
            raise RecordError(number, "the match was already over")
        elif isinstance(line, ScoreLine | BackLine):
            row.scores = line.scores[:MOST_SEATS]
        elif isinstance(line, EndLine):
            over = True
            row.winners = tuple(name for seat, name in enumerate(row.players) if seat % _sides(row) in line.winners)
        closing = closing.add(text)
    if match is None or not over or closing.due:
        raise RecordError(number + 1, "the record stops before the match is over")


def _begin(number: int, line: MatchLine, row: Recorded) -> None:
    if line.game not in GAMES:
        raise RecordError(number, "no such game")
    row.game = line.game
    row.players = tuple(clean(seat.name, NAME_LENGTH) or "?" for seat in line.seats[:MOST_SEATS])
    row.winners, row.scores = (), ()
    row.matches += 1
    if not row.players:
        raise RecordError(number, "nobody plays")


def _sides(row: Recorded) -> int:
    return len(row.scores) or len(row.players)


def _decoded(number: int, text: str) -> Line:
    try:
        line: Line = _decode(text)
    except (msgspec.DecodeError, ValueError, RecursionError) as error:
        raise RecordError(number, "this is not a line of a record") from error
    return line
