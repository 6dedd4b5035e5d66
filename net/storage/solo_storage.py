"""Saves a solo match as it goes on, to be resumed or as a record, and never delays it."""

import asyncio
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

from core.words import Refusal, words
from net.storage.atomic import write_atomically
from net.table.persistence import Batch, Snapshot, Storage

if TYPE_CHECKING:
    from net.storage.sqlite import Store

SEED = "seed"
"""The file with the seed of all deals of a match, if it has one."""
MAX_SEED_BYTES = 1000
"""Maximum bytes of that file; it may have any content."""
WRITE_DELAY = 0.2
"""Seconds for which unconfirmed batches are delayed: the thread would slow down the first frame on the screen."""


class NotResumableError(Refusal):
    """A match cannot be resumed; the sentence says why."""


class MatchStorage:
    """A `net.table.persistence.Storage` for the one table of a solo match; a thread opens its store and writes it.

    Unlike a host's, it confirms every batch: if saving fails, the match goes on and the player is informed. Unsaved
    batches come first the next time.
    """

    def __init__(
        self,
        data: Path,
        on_problem: Callable[[str], None],
        *,
        path: Path | None = None,
        seed: int | None = None,
    ) -> None:
        """`on_problem` is called on the event loop, once, with the reason why the match is not saved.

        `path` is the directory of a match to be resumed with `load`; a new match gets one of its own.
        """
        self.seed = seed
        """Seed of the deals; None for random ones."""
        self.problem = ""
        """The reason why the match is not saved at the moment; empty if it is."""
        self._data = data
        self._on_problem = on_problem
        self._has_reported = False
        self._path = path
        self._store: Store | None = None
        self._queued: list[tuple[Batch, Callable[[Future[None]], None]]] = []
        """Batches not yet handed to the thread, with the callbacks for their completion."""
        self._unwritten: list[Batch] = []
        self._thread = ThreadPoolExecutor(1, "boneyard-match")

    def load(self) -> tuple[Snapshot, list[str]]:
        """Return the match at `path`: its table and the lines of its record. Raises NotResumableError."""
        from net.storage.permissions import StoreError, is_locked  # noqa: PLC0415

        assert self._path is not None  # noqa: S101 - the caller has given it
        if not self._path.is_dir():
            raise NotResumableError(words("That match is over, or was removed."))
        if is_locked(self._path):
            raise NotResumableError(words("That match is being played in another window."))
        try:
            self._open()
            assert self._store is not None  # noqa: S101 - it is open
            loaded = self._store.load()
            self.seed = self._read_seed()
        except (StoreError, OSError) as error:
            self.close(keep=True)
            raise NotResumableError(words("{sentence}", sentence=str(error))) from error
        if not loaded.tables:
            self.close(keep=True)
            unreadable = loaded.unreadable
            raise NotResumableError(
                words("That match cannot be read: {reason}.", reason=unreadable[0].reason)
                if unreadable
                else words("That match is empty.")
            )
        return loaded.tables[0]

    def save(self, batch: Batch, on_done: Callable[[Exception | None], None]) -> None:
        """Hand a batch to the thread, and confirm it once it is written.

        The first deal is confirmed at once, so that the table need not wait for the disk: no action can be lost yet.
        """
        loop = asyncio.get_running_loop()
        awaits_write = not self.problem and any(change.lines and not change.begins for change in batch.tables)

        def on_written(future: Future[None]) -> None:
            if not loop.is_closed():
                loop.call_soon_threadsafe(
                    self._on_saved, future.exception(), on_done if awaits_write else _ignore_result
                )

        self._queued.append((batch, on_written))
        if awaits_write:
            self._hand_over()
        else:
            loop.call_later(WRITE_DELAY, self._hand_over)
            on_done(None)

    def close(self, *, keep: bool) -> None:
        """Finish the queued batches and close the store. Unless `keep`, delete the match if its record is a file."""
        self._hand_over()
        self._thread.shutdown()
        if self._store is None:
            return
        from net.storage.solo_matches import discard, purge  # noqa: PLC0415

        if not keep and self._store.published and self._path:
            discard(self._path)
        self._store.close()
        self._store = None
        purge(self._data)

    def _hand_over(self) -> None:
        """Let the thread write all queued batches, in order."""
        for batch, on_written in self._queued:
            self._thread.submit(self._write_batch, batch).add_done_callback(on_written)
        self._queued.clear()

    def _on_saved(self, error: BaseException | None, on_done: Callable[[Exception | None], None]) -> None:
        self.problem = _reason(error) if error else ""
        if error and not self._has_reported:
            self._has_reported = True
            self._on_problem(self.problem)
        on_done(None)

    # In the thread

    def _write_batch(self, batch: Batch) -> None:
        self._unwritten.append(batch)
        if self._store is None:
            self._open()
        while self._unwritten and self._store:
            self._store.write(self._unwritten[0])
            del self._unwritten[0]

    def _open(self) -> None:
        from net.storage.solo_matches import discard, new_path, open_store  # noqa: PLC0415

        if self._path is not None:
            self._store = open_store(self._data, self._path)
            return
        path, store = new_path(self._data), None
        try:
            store = open_store(self._data, path)
            if self.seed is not None:
                write_atomically(path / SEED, str(self.seed))
        except BaseException:
            discard(path)
            if store is not None:
                store.close()
            raise
        self._path, self._store = path, store

    def _read_seed(self) -> int | None:
        path = (self._path or self._data) / SEED
        if not path.is_file():
            return None
        with path.open("rb") as file:
            text = file.read(MAX_SEED_BYTES + 1).decode("ascii", "replace")
        try:
            return int(text if len(text) <= MAX_SEED_BYTES else "")
        except ValueError:
            raise OSError(f"{path} is damaged.") from None


def _ignore_result(_error: Exception | None) -> None:
    """Do nothing: the batch was confirmed before."""


def _reason(error: BaseException) -> str:
    """Return the short reason for a failed write: the system's words, without our sentence around them."""
    cause = error.__cause__ or error
    return (cause.strerror if isinstance(cause, OSError) else "") or str(cause).removesuffix(".")


class RecordFile:
    """A `net.table.persistence.Storage` for `--record FILE`: the last match of one table."""

    def __init__(self, path: Path, storage: Storage | None = None) -> None:
        """Everything is also saved in `storage`. Raises OSError if the file cannot be written."""
        self.problem: OSError | None = None
        """The error that cut the record short, if any."""
        self._path = path
        self._storage = storage
        self._file: TextIO | None = path.open("w", encoding="utf-8")

    def save(self, batch: Batch, on_done: Callable[[Exception | None], None]) -> None:
        """Append lines; a new match replaces the file. A full disk ends the record, not the game."""
        for change in batch.tables:
            try:
                if change.begins:
                    self.close()
                    self.problem = None
                    self._file = self._path.open("w", encoding="utf-8")
                if self._file and change.lines:
                    self._file.writelines(f"{line}\n" for line in change.lines)
                    self._file.flush()
            except OSError as error:
                self.close()
                self.problem = error
        if self._storage:
            self._storage.save(batch, on_done)
        else:
            on_done(None)

    def close(self) -> None:
        """Close the file."""
        file, self._file = self._file, None
        if file:
            try:
                file.close()
            except OSError as error:
                self.problem = error
