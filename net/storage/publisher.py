"""Writes the records of matches to files. What cannot be written now waits in the database and delays nobody."""

import logging
import sqlite3
import time
from pathlib import Path

from net.logs import fields
from net.storage.atomic import write_whole
from net.storage.database import write_row

PUBLISH_AGAIN = 30.0
"""Seconds after which files that could not be written are tried again."""
log = logging.getLogger(__name__)


class Publisher:
    """Writes files from the table `outbox` to a folder; each is written whole, so writing one twice does no harm."""

    def __init__(self, db: sqlite3.Connection, folder: Path) -> None:
        self._db = db
        self._folder = folder
        self._tried = 0.0
        self.error: Exception | None = None
        """Why files could not be written."""

    def enqueue(self, name: str, lines: list[str]) -> None:
        """Queue a file in the open transaction; it replaces one of the same name. Raises sqlite3.Error."""
        write_row(self._db, "outbox", name, "".join(f"{line}\n" for line in lines))

    def publish(self) -> None:
        """Write the queued files. It never raises: a failure is logged and tried again, but not at once."""
        if self.error is not None and time.monotonic() - self._tried < PUBLISH_AGAIN:
            return
        try:
            for (name,) in self._db.execute("SELECT name FROM outbox ORDER BY name").fetchall():
                (text,) = self._db.execute("SELECT text FROM outbox WHERE name = ?", (name,)).fetchone()
                self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
                write_whole(self._folder / name, text)
                self._db.execute("DELETE FROM outbox WHERE name = ?", (name,))
        except (OSError, sqlite3.Error) as error:
            self._tried = time.monotonic()
            if self.error is None:
                log.error("cannot-publish", extra=fields(folder=self._folder, error=error))
            self.error = error
        else:
            if self.error is not None:
                log.warning("publishing-again")
            self.error = None
