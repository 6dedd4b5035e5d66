"""Logs: one line for each event, `time level logger event key=value …`, which no guest can forge.

Call `log.info("event-name", extra=fields(address=…, user=…))`. Whatever a value holds, it stays one value on
one line: it is quoted where it has anything but plain characters, and all others are escaped.
"""

import logging
import re
import sys
from datetime import UTC, datetime
from logging.handlers import WatchedFileHandler
from pathlib import Path

_PLAIN = re.compile(r"[\w.:/@+,%~\[\]-]+", re.ASCII)
_NOISY = ("asyncssh", "zeroconf")


def fields(**values: object) -> dict[str, dict[str, object]]:
    """What belongs to an event, for the `extra` of a log call. None is left out.

    Of a `user` only what is before a plus sign is written: behind it stands a guest's code to come back with.
    """
    if isinstance(user := values.get("user"), str):
        values["user"] = user.partition("+")[0]
    return {"fields": {key: value for key, value in values.items() if value is not None}}


def written(value: object) -> str:
    """One value as it stands in a line: plain, or in double quotes with ASCII escapes as in Python and JSON."""
    text = str(value)
    if _PLAIN.fullmatch(text):
        return text
    inside = "".join(char if char == " " or char.isprintable() else _escape(char) for char in _quotes(text))
    return f'"{inside}"'


class LineFormatter(logging.Formatter):
    """Writes every record as one line; of an exception, the whole traceback as its last value."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the line, without its end."""
        time = datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds")
        words = [time.replace("+00:00", "Z"), record.levelname, written(record.name), written(record.getMessage())]
        extra = getattr(record, "fields", {})
        words += [f"{key}={written(value)}" for key, value in extra.items()]
        if record.exc_info:
            words.append(f"exception={written(self.formatException(record.exc_info))}")
        if record.stack_info:
            words.append(f"stack={written(record.stack_info)}")
        return " ".join(words)


def log_to(path: Path | None) -> None:
    """Log to a file, opened anew when it is moved away (logrotate), or to the real stderr: never to what a
    running app may have put in its place.

    Raises OSError when the file cannot be opened.
    """
    handler = WatchedFileHandler(path, encoding="utf-8") if path else logging.StreamHandler(sys.__stderr__)
    handler.setFormatter(LineFormatter())
    logging.basicConfig(handlers=[handler], level=logging.INFO)
    for noisy in _NOISY:
        logging.getLogger(noisy).setLevel(logging.WARNING)


def _quotes(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"')


def _escape(char: str) -> str:
    return repr(char)[1:-1]  # what is not printable stands there in ASCII: \n, \x1b, \u202e
