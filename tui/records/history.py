"""Lists and counts the matches recorded in a folder, whose files may have any content.

An index beside the files is a cache only: without it, or if it is damaged, all files are read again.
"""

import re
import stat
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from itertools import chain, pairwise
from pathlib import Path

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from core.bots.profiles import LEVELS
from core.coach.review import Review
from core.games import GAMES
from core.layout.state import NOBODY
from core.records import (
    BackLine,
    Closing,
    DealLine,
    EndLine,
    Line,
    MatchLine,
    RecordError,
    ScoreLine,
    SealLine,
    WitnessLine,
    closing_of,
    people_of,
)
from net.client.shares import EVIDENCE_START
from net.limits import NAME_LENGTH
from net.players.text import clean
from net.storage.atomic import replace_atomically
from tui.i18n import _, several, with_sign
from tui.records.reader import Unreadable, lines_of
from tui.text.names import game_name

MAX_FILE_BYTES = 32 * 2**20
"""Maximum bytes of a file that is read; the longest match has 10 MiB."""
MAX_SEATS = 16
"""Maximum names read of one match; no game has more than eight seats."""
INDEX_FILE = ".index"
"""The index file."""
NOTES_FILE = ".reviews"
"""The file of facts that no record has: by id of the match, its luck and play, and the player's seat."""
INDEX_VERSION = 2
"""Version of the index, raised whenever the meaning of a `PastMatch` changes."""
_START_TIME = re.compile(r"\d{8}-\d{6}-\d{6}(?=[-.])")
_decode = msgspec.json.Decoder(Line).decode


class PastMatch(Struct):
    """A file, and the last match in it."""

    file: str
    """Its whole path."""
    began_at: float
    """Start of the match by the file's name, else the time when the file was written; in seconds since 1970."""
    game: str = ""
    players: tuple[str, ...] = ()
    """The names by seat."""
    winners: tuple[str, ...] = ()
    """The winners; of partners, both. A stopped match has none, unless a side resigned."""
    scores: tuple[int, ...] = ()
    """By side."""
    matches: int = 0
    seat: int = NOBODY
    """The player's seat from the notes, or that of the only person; else NOBODY."""
    levels: tuple[str, ...] = ()
    """Levels of the bots, each once."""
    won: bool = False
    """True if the player won."""
    agreed: bool = False
    """True if the players agreed to end it without a winner."""
    rounds: int = 0
    most: int = 0
    least: int = 0
    """The player's gain in their best and worst round."""
    deal: str = ""
    """The commitment to the deal of a game for one player, which may be played several times; else empty."""
    id: str = ""
    """The chain of its seal, unique to the match; empty in old records."""
    luck: float | None = None
    play: float | None = None
    """The player's gain on the others by luck, and by play, if the match was reviewed here."""
    problem: str = ""
    """The problem of the file; all other fields are then empty."""

    @property
    def title(self) -> str:
        """The name of the game."""
        return game_name(self.game) if self.game else "?"

    @property
    def summary(self) -> str:
        """The result, or the reason why there is none; and the number of matches, if the file has several."""
        last_of = _("the last of {count} matches", count=self.matches) if self.matches > 1 else ""
        return ", ".join(filter(None, (self.result, last_of)))

    @property
    def result(self) -> str:
        """The winner and the scores; or the problem."""
        if self.problem:
            return _("broken: {problem}", problem=self.problem)
        if is_for_one(self.game):
            return tiles_left_words(sum(self.scores))
        scores = " : ".join(map(with_sign, self.scores))
        winners = " + ".join(self.winners)
        winner_words = (
            several("{winners} won", "{winners} won", len(self.winners), winners=winners)
            if winners
            else _("ended by agreement")
            if self.agreed
            else _("nobody won")
        )
        return ", ".join(filter(None, (winner_words, scores)))


def is_for_one(game: str) -> bool:
    """Return True for a game for one player, whose score is the number of tiles left."""
    return game in GAMES and GAMES[game].seats[1] == 1


def tiles_left_words(count: int) -> str:
    """Return the result of a game for one player."""
    return several("{count} tile left", "{count} tiles left", count) if count else _("solved")


def list_matches(folder: Path, limit: int | None = None) -> tuple[list[PastMatch], int]:
    """Return the newest files of a folder, up to `limit`, and the number of others. It never raises.

    A file is checked against its seal, but not against the rules: that takes `boneyard verify`.
    """
    files: list[tuple[float, Path]] = []
    with suppress(OSError):
        for path in folder.iterdir():
            if path.name.endswith(".jsonl") and not path.name.startswith("."):
                with suppress(OSError):
                    files.append((_start_of(path), path))
    files.sort(key=lambda file: (file[0], file[1].name), reverse=True)
    known_entries, index, notes = _read_index(folder), _Index(INDEX_VERSION), _read_notes(folder)
    rows: list[PastMatch] = []
    unlisted_count = 0
    for number, (began_at, path) in enumerate(files):
        if len(rows) == limit:
            unlisted_count = len(files) - number
            index.files |= {
                path.name: known_entries[path.name] for _when, path in files[number:] if path.name in known_entries
            }
            break
        row, entry = _look_up(path, began_at, known_entries.get(path.name), notes)
        if entry:
            index.files[path.name] = entry
        if row is not None:
            rows.append(row)
    if index.files != known_entries:
        _write_file(folder / INDEX_FILE, msgspec.msgpack.encode(index))
    for row in rows:
        note = notes.get(row.id, _Note())
        row.luck, row.play = note.luck, note.play
    return rows, unlisted_count


def keep_seat(folder: Path, match: str, seat: int) -> None:
    """Save the player's seat in the match with this id. It never raises."""
    _save_note(folder, match, seat=seat)


def keep_review(folder: Path, match: str, seat: int, review: Review) -> None:
    """Save luck and play of a seat, as reviewed, for the match with this id. It never raises."""
    if seat != NOBODY:
        side = seat % len(review.scores)
        luck = review.luck.luck[side]
        _save_note(folder, match, luck=luck, play=round(review.luck.gained[side] - luck, 2))


def id_of(lines: Sequence[str]) -> str:
    """Return the id of the last match of a valid record; empty if the record is old and has none."""
    decoded_lines = map(_decode, reversed(lines))
    return next((line.chain for line in decoded_lines if isinstance(line, SealLine)), "")


class _Note(Struct, array_like=True):
    """Facts about a match besides its record."""

    luck: float | None = None
    play: float | None = None
    seat: int = NOBODY


def _read_notes(folder: Path) -> dict[str, _Note]:
    with suppress(OSError, msgspec.MsgspecError):
        return msgspec.msgpack.decode((folder / NOTES_FILE).read_bytes(), type=dict[str, _Note])
    return {}


def _save_note(folder: Path, match: str, **facts: float) -> None:
    notes = _read_notes(folder)
    note = replace(notes.get(match, _Note()), **facts)
    if match and notes.get(match) != note:
        _write_file(folder / NOTES_FILE, msgspec.msgpack.encode(notes | {match: note}))


class _Entry(Struct, array_like=True):
    """A file's row, valid while its size and modification time are these."""

    size: int
    modified_at: int
    """Nanoseconds since 1970."""
    row: PastMatch | None
    """None for evidence against a host."""


class _Index(Struct):
    version: int
    files: dict[str, _Entry] = {}


def _read_index(folder: Path) -> dict[str, _Entry]:
    """Return the index of a folder, by file name."""
    with suppress(OSError, msgspec.MsgspecError):
        index = msgspec.msgpack.decode((folder / INDEX_FILE).read_bytes(), type=_Index)
        if index.version == INDEX_VERSION and all(
            entry.row is None or entry.row.game in GAMES for entry in index.files.values()
        ):
            return index.files
    return {}


def _write_file(file: Path, data: bytes) -> None:
    with suppress(OSError), replace_atomically(file) as part:
        part.write_bytes(data)


def _look_up(
    path: Path, began_at: float, entry: _Entry | None, notes: Mapping[str, _Note]
) -> tuple[PastMatch | None, _Entry | None]:
    """Return the match in a file, from its index entry if that is still valid; and the entry to cache, or None."""
    with suppress(OSError):
        status = path.stat()
        size, modified_at = status.st_size, status.st_mtime_ns
        if (
            entry is None
            or (entry.size, entry.modified_at) != (size, modified_at)
            or _is_seat_outdated(entry.row, notes)
        ):
            entry = _Entry(size, modified_at, _read_match(path, began_at, notes))
        elif entry.row:
            entry.row.file, entry.row.began_at = _printable_path(path), began_at
        return entry.row, None if entry.row and entry.row.problem else entry
    return _read_match(path, began_at, notes), None


def _is_seat_outdated(row: PastMatch | None, notes: Mapping[str, _Note]) -> bool:
    return row is not None and notes.get(row.id, _Note()).seat not in (NOBODY, row.seat)


def _start_of(path: Path) -> float:
    """Return the start of a match. Raises OSError if the file is gone."""
    modified = path.lstat().st_mtime
    start = _START_TIME.match(path.name)
    with suppress(ValueError, OverflowError):
        if start:
            return datetime.strptime(start[0], "%Y%m%d-%H%M%S-%f").replace(tzinfo=UTC).timestamp()
    return modified


def _printable_path(path: Path) -> str:
    return clean(str(path), 1000) if not str(path).isprintable() else str(path)


def _read_match(path: Path, began_at: float, notes: Mapping[str, _Note]) -> PastMatch | None:
    """Return the match in a file; None for evidence against a host, which is no record."""
    name = _printable_path(path)
    row = PastMatch(name, began_at)
    try:
        status = path.stat()
        if not stat.S_ISREG(status.st_mode):
            row.problem = "it is not a file"  # opening a pipe would wait forever
        elif status.st_size > MAX_FILE_BYTES:
            row.problem = f"it is larger than {MAX_FILE_BYTES // 2**20} MiB"
        else:
            lines = lines_of(path)
            first = next(lines, "")
            if first.startswith(EVIDENCE_START):
                return None
            course = _read_lines(chain([first], lines), row)
            if NOBODY != notes.get(row.id, _Note()).seat < len(row.players):
                row.seat = notes[row.id].seat
            course.end(row)
    except RecordError as error:
        row.problem = str(error)
    except Unreadable as error:
        cause = error.__cause__
        row.problem = (cause.strerror if isinstance(cause, OSError) else "") or "it is not UTF-8 text"
    except OSError as error:
        row.problem = error.strerror or "it cannot be read"
    if row.problem:
        row = PastMatch(name, began_at, problem=clean(row.problem, 80))
    return row


def _read_lines(lines: Iterable[str], row: PastMatch) -> "_Course":
    """Fill in a row from the lines of a record, and return the course of the scores.

    Raises RecordError if the lines differ from the sealed ones.
    """
    match, is_over, closing, course = None, False, Closing(), _Course()
    number = 0
    for number, text in enumerate(lines, 1):
        line = _decode_line(number, text)
        if isinstance(line, SealLine | WitnessLine):
            if not is_over:
                raise RecordError(number, "a seal before the end of the match")
            if problem := closing.problem(line):
                raise RecordError(number, problem)
            closing = closing.accept(line)
            row.id = line.chain if isinstance(line, SealLine) else row.id
            continue
        if isinstance(line, MatchLine):
            if match is not None and (not is_over or closing.due):
                raise RecordError(number, "the match before is not over")
            match, is_over, closing, course = line, False, closing_of(line), _Course()
            _begin_match(number, line, row)
        elif match is None:
            raise RecordError(number, "the first line must be the one that names the game")
        elif is_over:
            raise RecordError(number, "the match was already over")
        elif isinstance(line, DealLine):
            course.begin(line.round)
        elif isinstance(line, ScoreLine | BackLine):
            row.scores = line.scores[:MAX_SEATS]
            course.score(line)
        elif isinstance(line, EndLine):
            is_over = True
            course.winners, row.agreed = line.winners, bool(line.agreed) and not line.winners
            row.winners = tuple(
                name for seat, name in enumerate(row.players) if seat % _side_count(row) in line.winners
            )
        closing = closing.add(text)
    if match is None or not is_over or closing.due:
        raise RecordError(number + 1, "the record stops before the match is over")
    return course


class _Course:
    """The scores of one match after each round."""

    def __init__(self) -> None:
        self._round = 0
        self._scores: tuple[int, ...] = ()
        self._scores_after: dict[int, tuple[int, ...]] = {}
        self.winners: tuple[int, ...] = ()
        """By side."""

    def begin(self, number: int) -> None:
        """Begin a round."""
        self._scores_after[self._round] = self._scores
        self._round = number

    def score(self, line: ScoreLine | BackLine) -> None:
        """Record new scores."""
        if not self._scores and isinstance(line, ScoreLine):
            self._scores_after[0] = tuple(
                score - points for score, points in zip(line.scores, line.points, strict=False)
            )
        self._scores = line.scores

    def end(self, row: PastMatch) -> None:
        """Fill in whether the player has won, and the player's best and worst gain in a round."""
        self._scores_after[self._round] = self._scores
        side = row.seat % _side_count(row)
        scores = [scored[side] if len(scored) > side else 0 for scored in self._scores_after.values()]
        gains = [after - before for before, after in pairwise(scores)]
        row.rounds = self._round
        if row.seat != NOBODY:
            row.won = side in self.winners
            row.most, row.least = max(gains, default=0), min(gains, default=0)


def _begin_match(number: int, line: MatchLine, row: PastMatch) -> None:
    if line.game not in GAMES:
        raise RecordError(number, "no such game")
    row.game = line.game
    row.players = tuple(clean(seat.name, NAME_LENGTH) or "?" for seat in line.seats[:MAX_SEATS])
    row.winners, row.scores, row.won, row.agreed = (), (), False, False
    people = people_of(line)
    row.seat = people.pop() if len(people) == 1 else NOBODY
    row.levels = tuple(dict.fromkeys(clean(seat.bot, NAME_LENGTH) for seat in line.seats[:MAX_SEATS] if seat.bot))
    row.deal = line.fair.commitment if line.fair and is_for_one(line.game) else ""
    row.id = ""
    row.matches += 1
    if not row.players:
        raise RecordError(number, "nobody plays")


def _side_count(row: PastMatch) -> int:
    return len(row.scores) or len(row.players)


def _decode_line(number: int, text: str) -> Line:
    try:
        line: Line = _decode(text)
    except (msgspec.DecodeError, ValueError, RecursionError) as error:
        raise RecordError(number, "this is not a line of a record") from error
    return line


class LevelTally(Struct):
    """The matches of one game against bots of one level."""

    game: str
    level: str
    """Several if bots of several levels played; empty in a game for one player."""
    played: int = 0
    won: int = 0
    streak: int = 0
    """Number of matches won in a row up to now."""
    longest: int = 0
    """The longest such series."""
    best_round: int = 0
    """Gain in the best round; where the lowest score wins, the smallest gain, which is the number of tiles left in a
    game for one player.
    """

    reviewed: int = 0
    luck: float = 0.0
    play: float = 0.0
    """Number of reviewed matches, and the total gains by luck and play in them."""

    def add(self, match: PastMatch) -> None:
        """Count a match; matches must be added in the order in which they were played."""
        best_of_match = match.least if _is_lowest_best(match) else match.most
        pick = min if _is_lowest_best(match) else max
        self.best_round = pick(self.best_round, best_of_match) if self.played else best_of_match
        self.played += 1
        self.won += match.won
        self.streak = self.streak + 1 if match.won else 0
        self.longest = max(self.longest, self.streak)
        if match.luck is not None and match.play is not None:
            self.reviewed += 1
            self.luck = round(self.luck + match.luck, 2)
            self.play = round(self.play + match.play, 2)


def counting_matches(matches: Iterable[PastMatch]) -> list[PastMatch]:
    """Return the matches that count, given all, the newest first.

    A match of several people counts if the player's seat was noted; of games for one player with the same deal, the
    last counts. A match ended by agreement does not count.
    """
    counting, deals = [], set[tuple[str, str]]()
    for match in matches:
        if match.problem or match.agreed or match.seat == NOBODY or (match.game, match.deal) in deals:
            continue
        if match.deal:
            deals.add((match.game, match.deal))
        counting.append(match)
    return counting


def statistics(matches: Sequence[PastMatch]) -> list[LevelTally]:
    """Count matches, given the newest first: by game in the order of the menu, then by level."""
    tallies: dict[tuple[str, str], LevelTally] = {}
    for match in reversed(counting_matches(matches)):
        key = match.game, level_of(match)
        tallies.setdefault(key, LevelTally(*key)).add(match)
    games = list(GAMES)
    return sorted(
        tallies.values(), key=lambda tally: (games.index(tally.game), *map(_strength, tally.level.split(" + ")))
    )


def total(matches: Sequence[PastMatch]) -> LevelTally:
    """Count matches, given the newest first, of all games and levels together."""
    tally = LevelTally("", "")
    for match in reversed(counting_matches(matches)):
        tally.add(match)
    return tally


def level_of(match: PastMatch) -> str:
    """Return the level of the bots of a match."""
    return " + ".join(sorted(match.levels, key=_strength))


def _strength(level: str) -> int:
    return LEVELS.index(level) if level in LEVELS else len(LEVELS)


def _is_lowest_best(match: PastMatch) -> bool:
    return GAMES[match.game].rules(len(match.players), {})[1].goal.lowest
