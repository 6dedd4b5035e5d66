"""Checks a host's data without changing anything, for `boneyard host --check`."""

import os
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

from net.players.text import clean, quantity
from net.storage.permissions import is_locked, is_open_to_others, lock_problem, own_files
from net.storage.sqlite import (
    APPLICATION_ID,
    DATABASE_FILE,
    SCHEMA_VERSION,
    UNRESUMED,
    QuarantinedTable,
    damaged_rows,
    decode_text,
    stored_tables,
    upgrade,
)
from net.table.persistence import Dealer
from net.table.table import INSTANT, resume_table

HOST_KEY_FILE = "host_key"
CLUSTER_FILE = "cluster.pem"
"""The secret of a cluster, which each of its nodes has."""
MIN_FREE_BYTES = 100 * 1024 * 1024
"""Free bytes below which the operator is warned: enough for a few thousand matches of 50 KiB."""


class Finding(NamedTuple):
    """The result of one check."""

    is_fine: bool
    sentence: str
    is_note: bool = False
    """True for information only: the next start repairs it, or nothing is wrong."""

    @property
    def mark(self) -> str:
        """The word before the sentence."""
        return "WRONG" if not self.is_fine else "note" if self.is_note else "ok"


def examine(data: Path) -> list[Finding]:
    """Return the findings about everything that a host needs in its data directory."""
    if not data.exists():
        return [Finding(True, f"{data} does not exist yet; the first start creates it.")]
    if not data.is_dir():
        return [Finding(False, f"{data} is not a directory; choose another --data.")]
    return [
        _folder_finding(data),
        *_open_file_findings(data),
        _space_finding(data),
        _lock_finding(data),
        *_database_findings(data),
        _key_finding(data),
        _records_finding(data),
    ]


def _lock_finding(data: Path) -> Finding:
    if problem := lock_problem(data):
        return Finding(False, problem)
    return Finding(True, "A host is using it." if is_locked(data) else "No host is using it.")


def _folder_finding(data: Path) -> Finding:
    if not os.access(data, os.R_OK | os.W_OK | os.X_OK):
        return Finding(False, f"This user cannot write to {data}; change its owner or mode.")
    if is_open_to_others(data):
        problem = f"{data} is open to other users of this machine"
        return _exposed_finding(data, problem, "chmod 700", "change its owner, or no host can start.")
    return Finding(True, f"{data} is writable, and only by this user.")


def _exposed_finding(path: Path, problem: str, command: str, unrepairable_advice: str) -> Finding:
    """Return a finding on a path open to other users; the next start repairs it if this user may change its mode."""
    can_repair = os.geteuid() in (0, path.stat().st_uid)
    advice = f"the next start fixes that, or run {command}." if can_repair else unrepairable_advice
    return Finding(can_repair, f"{problem}; {advice}", is_note=True)


def _open_file_findings(data: Path) -> list[Finding]:
    """Return a finding on our files that other users may access; the key has a finding of its own."""
    names = sorted(
        str(path.relative_to(data))
        for path in own_files(data)
        if is_open_to_others(path) and path.name != HOST_KEY_FILE
    )
    if not names:
        return []
    others_clause = f" and {len(names) - 1} more are" if len(names) > 1 else " is"
    can_repair = os.geteuid() == 0 or all((data / name).stat().st_uid == os.geteuid() for name in names)
    advice = "the next start fixes that." if can_repair else "change their owner: the next start cannot."
    return [
        Finding(can_repair, f"{names[0]}{others_clause} open to other users of this machine; {advice}", is_note=True)
    ]


def _space_finding(data: Path) -> Finding:
    free_bytes = shutil.disk_usage(data).free
    return Finding(free_bytes >= MIN_FREE_BYTES, f"{free_bytes // 2**20:,} MiB free on its disk.")


def _database_findings(data: Path) -> list[Finding]:
    path = data / DATABASE_FILE
    if not path.exists() and (data / CLUSTER_FILE).exists():
        return [
            Finding(True, f"{CLUSTER_FILE} is here: this is a node of a cluster, whose tables are in PostgreSQL.")
        ]
    if not path.exists():
        return [Finding(True, f"{DATABASE_FILE} does not exist yet; the first start creates it.")]
    is_writable = os.access(path, os.W_OK) and os.access(data, os.W_OK)
    access_findings = (
        []
        if is_writable
        else [Finding(False, f"This user cannot write to {DATABASE_FILE}; change its owner or mode.")]
    )
    # Beside a file that nobody can write, SQLite cannot create its shared files; then no other process writes it
    # either.
    uri_options = "mode=ro" if is_writable else "mode=ro&immutable=1"
    try:
        with closing(sqlite3.connect(f"{path.absolute().as_uri()}?{uri_options}", uri=True, timeout=2)) as db:
            return access_findings + _state_findings(db)
    except (sqlite3.Error, UnicodeDecodeError) as error:
        return [Finding(False, f"{DATABASE_FILE} cannot be read: {error}. Restore a backup, or move the file away.")]


def _state_findings(db: sqlite3.Connection) -> list[Finding]:
    def query_number(query: str) -> int:
        return int(db.execute(query).fetchone()[0])

    version, application = query_number("PRAGMA user_version"), query_number("PRAGMA application_id")
    if version > SCHEMA_VERSION:
        return [
            Finding(False, f"{DATABASE_FILE} has version {version}; this Boneyard supports up to {SCHEMA_VERSION}.")
        ]
    if version == application == query_number("SELECT COUNT(*) FROM sqlite_master") == 0:
        return [
            Finding(False, f"{DATABASE_FILE} is empty; restore a backup, or remove it if no host has ever run on it.")
        ]
    if version and application != APPLICATION_ID:
        return [Finding(False, f"{DATABASE_FILE} belongs to another program.")]
    problems = [str(row[0]) for row in db.execute("PRAGMA integrity_check(5)")]
    if problems != ["ok"]:
        return [Finding(False, f"{DATABASE_FILE} is damaged: {'; '.join(problems)}. Restore a backup.")]
    with closing(sqlite3.connect("")) as copy:  # a temporary database, deleted on close
        copy.text_factory = decode_text
        db.backup(copy)
        upgrade(copy, version)
        findings = [*_damaged_row_findings(copy), *_check_tables(copy), *_unpublished_findings(copy)]
    if version < SCHEMA_VERSION:
        upgraded = f"{DATABASE_FILE} is intact, version {version}; the next start upgrades it to {SCHEMA_VERSION}."
        return [Finding(True, upgraded), *findings]
    counts = [query_number(f"SELECT COUNT(*) FROM {table}") for table in ("names", "bans", "tables")]  # noqa: S608
    totals = ", ".join(
        quantity(count, word, f"{word}s") for count, word in zip(counts, ("name", "ban", "table"), strict=True)
    )
    return [Finding(True, f"{DATABASE_FILE} is intact, version {version}: {totals}."), *findings]


def _damaged_row_findings(db: sqlite3.Connection) -> list[Finding]:
    """Return findings on damaged rows outside the table snapshots."""
    descriptions = {
        "names": "The name of {key}",
        "bans": "The ban of {key}",
        "bound": "The account of {key}",
        "notice": "The notice of the {key}",
        "tables.began": "When the match at table {key} began",
        "outbox": "The record {key}, not yet published,",
    }
    return [
        Finding(
            False,
            f"{descriptions.get(table, '{key}').format(key=clean(key, 100))} is damaged in {DATABASE_FILE}: "
            "it is not what was saved. Restore a backup, or go on without it.",
        )
        for table, key in damaged_rows(db)
    ]


def _check_tables(db: sqlite3.Connection) -> list[Finding]:
    """Replay every table as the next start does; return the tables that fail, and the number that succeed."""
    tables, quarantined = stored_tables(db)
    for snapshot, lines in tables:
        try:
            resume_table(snapshot, lines, Dealer(lambda: bytes(32), ""), INSTANT, 0)
        except Exception as error:  # a failure of one table must not end the check
            quarantined.append(QuarantinedTable.of(snapshot, error))
    histories = {
        number: (began, former_reason)
        for number, began, former_reason in db.execute("SELECT id, began, unresumed FROM tables")
    }
    findings = [
        _quarantined_table_finding(table, *histories[table.table])
        for table in sorted(quarantined, key=lambda table: table.table)
    ]
    if histories:
        resumable_count = len(histories) - len(quarantined)
        findings.append(
            Finding(True, f"{resumable_count} of {len(histories)} tables can be resumed at the next start.")
        )
    return findings


def _quarantined_table_finding(table: QuarantinedTable, began: str, former_reason: str) -> Finding:
    """Return the finding on a table that cannot be resumed; `former_reason` is that at an earlier start, empty for
    none.
    """
    number = table.table
    if former_reason:
        return Finding(
            False,
            f"Table {number} could not be resumed: {clean(former_reason, 300)}. Its lines are kept, and are in "
            f"records/{UNRESUMED}{began}-{number}.jsonl; `boneyard admin close {number}` drops the table.",
        )
    return Finding(
        False,
        f"Table {number} cannot be resumed: {clean(table.reason, 300)}. The next start sets it aside and keeps its "
        "lines; restore a backup instead, if you have one.",
    )


def _unpublished_findings(db: sqlite3.Connection) -> list[Finding]:
    """Return the finding on records that are not written to files yet."""
    names = [str(name) for (name,) in db.execute("SELECT name FROM outbox ORDER BY name")]
    if not names:
        return []
    others_clause = f" and {len(names) - 1} more" if len(names) > 1 else ""
    return [
        Finding(
            False,
            f"{names[0]}{others_clause} could not be written to records/ yet: free some space, or repair the "
            f"directory. Until then {DATABASE_FILE} keeps it, and the host retries while it runs and when it starts.",
        )
    ]


def _key_finding(data: Path) -> Finding:
    path = data / HOST_KEY_FILE
    if not path.exists():
        return Finding(True, "host_key does not exist yet; the first start creates it.")
    if is_open_to_others(path):
        problem = "host_key is readable by other users of this machine"
        return _exposed_finding(path, problem, "chmod 600", "change its owner: the next start cannot.")
    return Finding(True, "host_key exists, readable by this user only.")


def _records_finding(data: Path) -> Finding:
    folder = data / "records"
    if folder.exists() and not os.access(folder, os.W_OK | os.X_OK):
        return Finding(False, "This user cannot write to records/.")
    names = [path.name for path in folder.glob("*.jsonl")] if folder.exists() else []
    unresumed = sum(name.startswith(UNRESUMED) for name in names)
    sentence = f"records/ has {quantity(len(names) - unresumed, 'match', 'matches')}."
    if unresumed:
        sentence += (
            f" Besides, {quantity(unresumed, 'file has', 'files have')} the lines of a table that could not be "
            f"resumed at some start ({UNRESUMED}…): once that table is restored or dropped, you may remove the file."
        )
    return Finding(True, sentence, is_note=bool(unresumed))
