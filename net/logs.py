"""Logs: one line for each event, `time level logger event key=value …`, which no guest can forge.

In a cluster the last key of each line is the `node`.

Call `log.info("event-name", extra=fields(address=…, user=…))`. Any value stays one value on one line: it is quoted
unless all its characters are plain, and unprintable ones are escaped. Lines that repeat without end are only counted.
"""

import atexit
import logging
import re
import sys
import time
import traceback
from collections.abc import Callable, Hashable
from contextlib import nullcontext
from datetime import UTC, datetime
from pathlib import Path

from net.limits import LOG_COUNTED_EVERY, LOG_KINDS, LOG_LINES_AT_ONCE, LOG_LINES_PER_SECOND, LOG_TRACES_EVERY
from net.scheduler import Bucket

_PLAIN = re.compile(r"[\w.:/@+,%~\[\]-]+", re.ASCII)
_NOISY_LIBRARIES = ("asyncssh", "zeroconf")


def fields(**values: object) -> dict[str, dict[str, object]]:
    """Return the `extra` of a log call with these fields; those that are None are left out.

    A `user` is cut at the plus sign: the guest's return code follows it.
    """
    if isinstance(user := values.get("user"), str):
        values["user"] = user.partition("+")[0]
    return {"fields": {key: value for key, value in values.items() if value is not None}}


def quote(value: object) -> str:
    """Return a value as written in a line: plain, or in double quotes with ASCII escapes as in Python and JSON."""
    text = str(value)
    if _PLAIN.fullmatch(text):
        return text
    quoted = text.replace("\\", "\\\\").replace('"', '\\"')
    # unprintable characters as ASCII: \n, \x1b, \u202e
    escaped = "".join(char if char == " " or char.isprintable() else repr(char)[1:-1] for char in quoted)
    return f'"{escaped}"'


class LineFormatter(logging.Formatter):
    """Formats every record as one line; the traceback of an exception is its last value before the node."""

    def __init__(self, node: str = "") -> None:
        """`node` is the name of this node of a cluster; empty for a standalone host."""
        super().__init__()
        self._node = f"node={quote(node)}" if node else ""

    def format(self, record: logging.LogRecord) -> str:
        timestamp = datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds")
        parts = [timestamp.replace("+00:00", "Z"), record.levelname, quote(record.name), quote(record.getMessage())]
        event_fields = getattr(record, "fields", {})
        parts += [f"{key}={quote(value)}" for key, value in event_fields.items()]
        if record.exc_info:
            parts.append(f"exception={quote(self.formatException(record.exc_info))}")
        if record.stack_info:
            parts.append(f"stack={quote(record.stack_info)}")
        if self._node:
            parts.append(self._node)
        return " ".join(parts)


class RepeatFilter(logging.Filter):
    """Passes some lines of each kind to a handler, counts the others, and logs the counts every `LOG_COUNTED_EVERY`
    seconds.

    A kind is the place of the log call, the `reason` of the event, and for an exception the place where it was
    raised. A guest can choose none of these.
    """

    def __init__(self, handler: logging.Handler, clock: Callable[[], float] = time.monotonic) -> None:
        """`clock` returns seconds and, unlike the time of a line, never jumps."""
        super().__init__()
        self._clock = clock
        self._handler = handler
        self._buckets: dict[Hashable, Bucket] = {}
        self._suppressed: dict[Hashable, tuple[logging.LogRecord, int]] = {}
        self._next_summary = 0.0

    def filter(self, record: logging.LogRecord) -> bool:
        """Return True if the line is to be written."""
        now = self._clock()
        if now >= self._next_summary:
            self.log_counts()
            self._next_summary = now + LOG_COUNTED_EVERY
        kind = _kind_of(record)
        bucket = self._buckets.get(kind)
        if bucket is None:
            if len(self._buckets) >= LOG_KINDS:
                self._buckets.clear()
            rate_and_burst = (
                (1 / LOG_TRACES_EVERY, 1) if _first_exception(record) else (LOG_LINES_PER_SECOND, LOG_LINES_AT_ONCE)
            )
            bucket = self._buckets[kind] = Bucket(*rate_and_burst)
        if bucket.take(now):
            return True
        summary, count = self._suppressed.get(kind) or (_summary_of(record), 0)
        self._suppressed[kind] = summary, count + 1
        return False

    def log_counts(self) -> None:
        """Log for each kind how many lines were only counted since the last call."""
        suppressed, self._suppressed = self._suppressed, {}
        for summary, count in suppressed.values():
            summary.created = time.time()
            summary.fields["more"] = count  # type: ignore[attr-defined]
            with self._handler.lock or nullcontext():
                self._handler.emit(summary)


def _first_exception(record: logging.LogRecord) -> BaseException | None:
    """Return the exception of a log record, or of a group its first one; None without an exception."""
    error = record.exc_info[1] if record.exc_info else None
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return error


def _kind_of(record: logging.LogRecord) -> Hashable:
    error = _first_exception(record)
    codes = [frame.f_code for frame, _line in traceback.walk_tb(error.__traceback__)] if error else []
    exception_place = (type(error), *((code.co_filename, code.co_firstlineno) for code in codes[-1:]))
    return record.pathname, record.lineno, str(getattr(record, "fields", {}).get("reason", "")), exception_place


def _summary_of(record: logging.LogRecord) -> logging.LogRecord:
    """Return the summary line for counted lines, without the frames that the exception holds."""
    error = _first_exception(record)
    summary = logging.makeLogRecord({**vars(record), "exc_info": None, "exc_text": None, "stack_info": None})
    reason = getattr(record, "fields", {}).get("reason")
    summary.fields = fields(reason=reason, exception=type(error).__name__ if error else None)["fields"]
    return summary


def log_to(path: Path | None, node: str = "") -> None:
    """Log to a file, reopened after logrotate has moved it, or to the real stderr, even if a running app has replaced
    `sys.stderr`. Every line ends with the `node`, if there is one.

    Raises OSError if the file cannot be opened.
    """
    from logging.handlers import WatchedFileHandler  # noqa: PLC0415 - only hosts log

    handler = WatchedFileHandler(path, encoding="utf-8") if path else logging.StreamHandler(sys.__stderr__)
    handler.setFormatter(LineFormatter(node))
    repeats = RepeatFilter(handler)
    handler.addFilter(repeats)
    atexit.register(repeats.log_counts)
    logging.basicConfig(handlers=[handler], level=logging.INFO)
    for library in _NOISY_LIBRARIES:
        logging.getLogger(library).setLevel(logging.WARNING)
