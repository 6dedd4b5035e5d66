"""The unfinished solo matches of a player: each has a directory with a store of its own.

So any number of programs may play at the same time. A program that plays a match holds the lock of its directory.
"""

import re
import secrets
import shutil
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing, suppress
from datetime import UTC, datetime
from pathlib import Path

import msgspec
from msgspec import Struct

from core.games import game
from core.layout.state import NOBODY
from core.match import new_match
from core.records import BackLine, DealLine, RecordError, ScoreLine, referee
from core.variant import Options
from net.limits import NAME_LENGTH
from net.players.text import clean
from net.storage.permissions import LOCK_FILE, StoreError, is_locked, lock
from net.storage.sqlite import BUSY_TIMEOUT, DATABASE_FILE, MAX_LINES_AFTER_END, Store
from net.table.persistence import decode_snapshot
from net.wire.messages import SeatInfo, TableInfo, Update

FOLDER = "alone"
"""The directory of these matches in the data directory."""
LABEL = "alone"
"""Suffix of the names of their records."""
MAX_MATCHES = 100
"""Maximum number of unfinished matches, of some 100 KiB each; beyond it, the least recently played is deleted."""
MAX_RECORDS = 1000
"""Maximum number of records of solo matches, of some 50 KiB each; beyond it, the oldest is deleted."""
ABANDONED_AFTER = 3600.0
"""Seconds after which a directory without a database counts as left by a program that died at its start."""
_RECORD = re.compile(rf"\d{{8}}-\d{{6}}-\d{{6}}-[a-z0-9-]+-{LABEL}\.jsonl")


class KeptMatch(Struct, frozen=True):
    """An entry in the list of unfinished matches."""

    path: Path
    """Its directory."""
    played_at: float
    """Time of the last play, or of the start if the program was killed, in seconds since 1970."""
    game: str = ""
    round: int = 0
    score: int = 0
    """Score of the player, or of their side."""
    names: tuple[str, ...] = ()
    """By seat; empty for the player."""
    options: Options = {}
    problem: str = ""
    """The reason why it cannot be read; all other fields are then empty."""


def new_path(data: Path) -> Path:
    """Return the directory for a new match, which does not exist yet."""
    return data / FOLDER / f"{datetime.now(UTC):%Y%m%d-%H%M%S-%f}-{secrets.token_hex(4)}"


def open_store(data: Path, path: Path) -> Store:
    """Open the store of a match, and create it if necessary. Raises StoreError, OSError."""
    for folder in (data, path.parent):
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    return Store(path, data / "records", LABEL)


def resumable_matches(data: Path) -> list[KeptMatch]:
    """List the matches that can be resumed, the last played first; matches that are being played are left out.

    It never raises: an unreadable match is listed with its problem.
    """
    matches = [_read_directory(path, played_at) for path, played_at in _directories(data) if not is_locked(path)]
    return [match for match in matches if match is not None]


def last_update(path: Path) -> Update | None:
    """Return a match as its player left it; None if it cannot be read. It never raises."""
    with suppress(Exception):  # as in `_read_directory`
        uri = f"{(path / DATABASE_FILE).absolute().as_uri()}?mode=ro"
        with closing(sqlite3.connect(uri, uri=True, timeout=BUSY_TIMEOUT)) as db:
            table_number, snapshot_text = db.execute("SELECT id, kept FROM tables").fetchone()
            rows = db.execute('SELECT line FROM lines WHERE "table" = ? ORDER BY number', (table_number,)).fetchall()
        snapshot, match = decode_snapshot(snapshot_text), None
        with suppress(RecordError):  # the lines stop before the match is over
            for step in referee(line for (line,) in rows):
                match = step.match
        if match is None:
            return None
        seats = tuple(SeatInfo(clean(chair.name, NAME_LENGTH), chair.bot) for chair in snapshot.chairs)
        seat = next((number for number, chair in enumerate(snapshot.chairs) if chair.token), NOBODY)
        table = TableInfo(table_number, "", snapshot.game, match.options, seats, 0, "playing")
        return Update(0, table, seat, match.view(seat))
    return None


def is_solo_record(file: Path, data: Path) -> bool:
    """Return True if a file is the record of a solo match of this program, by its place and name."""
    with suppress(OSError):
        return bool(_RECORD.fullmatch(file.name)) and file.resolve().parent == (data / "records").resolve()
    return False


def discard(path: Path) -> None:
    """Remove the directory of a match whose lock the caller holds. It never raises."""
    hidden_path = path.with_name(f".{path.name}")
    with suppress(OSError):
        path.rename(hidden_path)  # in one step, so that no program resumes a part of it
        shutil.rmtree(hidden_path, ignore_errors=True)


def purge(data: Path) -> None:
    """Delete finished matches, remains of crashes, and the matches beyond the limits. It never raises."""
    with suppress(OSError):
        for hidden_path in (data / FOLDER).glob(".*"):
            shutil.rmtree(hidden_path, ignore_errors=True)
    unfinished = 0
    for path, played_at in _directories(data):
        if is_locked(path):
            continue
        if not (path / DATABASE_FILE).exists():
            if time.time() - played_at > ABANDONED_AFTER:
                discard(path)
        elif _read_directory(path, played_at) is None:
            _remove_finished(data, path)
        else:
            unfinished += 1
            if unfinished > MAX_MATCHES:
                with suppress(StoreError, OSError), closing(lock(path)):
                    discard(path)
    with suppress(OSError):
        records = sorted(path for path in (data / "records").iterdir() if _RECORD.fullmatch(path.name))
        for path in records[: -MAX_RECORDS or None]:
            path.unlink(missing_ok=True)


def _remove_finished(data: Path, path: Path) -> None:
    """Delete a match that is over, once its record is a file."""
    with suppress(StoreError, OSError, sqlite3.Error), open_store(data, path) as store:
        store.load()
        if store.published:
            discard(path)


def _directories(data: Path) -> Iterator[tuple[Path, float]]:
    """Yield the directories of all matches with the time of the last play, the latest first."""
    directories = []
    with suppress(OSError):
        for path in (data / FOLDER).iterdir():
            if path.is_dir() and not path.name.startswith("."):
                with suppress(OSError):
                    # Not the other files: even a reader of the database changes those.
                    files = [file for file in (path / LOCK_FILE, path / DATABASE_FILE) if file.exists()] or [path]
                    directories.append((max(file.stat().st_mtime for file in files), path))
    for played_at, path in sorted(directories, reverse=True):
        yield path, played_at


def _read_directory(path: Path, played_at: float) -> KeptMatch | None:
    """Return the match in a directory; None if there is none to be resumed."""
    file = path / DATABASE_FILE
    if not file.exists():
        return None
    try:
        uri = f"{file.absolute().as_uri()}?mode=ro"
        with closing(sqlite3.connect(uri, uri=True, timeout=BUSY_TIMEOUT)) as db:
            return _read_match(db, path, played_at)
    except Exception as error:  # a damaged disk or an editor may cause any error
        return (
            KeptMatch(path, played_at, problem=clean(str(error), 200) or "it is damaged") if file.exists() else None
        )


def _read_match(db: sqlite3.Connection, path: Path, played_at: float) -> KeptMatch | None:
    row = db.execute("SELECT id, kept FROM tables").fetchone()
    if row is None:
        return None
    table_number, snapshot = row[0], decode_snapshot(row[1])

    def last_line(kind: str) -> tuple[int, str]:
        query = 'SELECT number, line FROM lines WHERE "table" = ? AND line LIKE ? ORDER BY number DESC LIMIT 1'
        return db.execute(query, (table_number, f'{{"type":"{kind}"%')).fetchone() or (-1, "")

    (_, deal), (_, score) = last_line("deal"), max(last_line("score"), last_line("back"))
    (count,) = db.execute('SELECT COUNT(*) FROM lines WHERE "table" = ?', (table_number,)).fetchone()
    is_over = db.execute(
        """SELECT 1 FROM lines WHERE "table" = ? AND number >= ? AND line LIKE '{"type":"end"%'""",
        (table_number, count - MAX_LINES_AFTER_END),
    ).fetchone()
    if is_over or not deal:
        return None
    seat = next((number for number, chair in enumerate(snapshot.chairs) if chair.token), NOBODY)
    variant, players = game(snapshot.game), len(snapshot.chairs)
    initial = new_match(variant, players, variant.resolve_stored(players, snapshot.chosen))
    scores = msgspec.json.decode(score, type=ScoreLine | BackLine).scores if score else initial.scores
    if len(scores) != len(initial.scores):
        raise ValueError("its scores are not those of its players")
    return KeptMatch(
        path,
        played_at,
        snapshot.game,
        msgspec.json.decode(deal, type=DealLine).round,
        scores[seat % len(scores)],
        tuple("" if chair.token else clean(chair.name, NAME_LENGTH) for chair in snapshot.chairs),
        initial.options,
    )
