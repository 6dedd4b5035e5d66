"""Reads a record from a file, a line of bounded length at a time, and says in a sentence why it cannot."""

from collections.abc import Iterator
from pathlib import Path

from core.records import MAX_LINE, TOO_LONG, RecordError
from tui.failures import Failed


class Unreadable(Failed):
    """A file that cannot be read, and why."""


def lines_of(path: Path, longest: int = MAX_LINE) -> Iterator[str]:
    """Yield the lines of a file without their ends; `longest` is the most characters that one may have.

    Raises Unreadable, or `core.records.RecordError` at a line that is longer than any honest one: never is more of
    it read, as a file from a stranger may be one line of gigabytes.
    """
    most = 4 * longest + 1  # bytes with the line's end: a character takes four at most
    try:
        with path.open("rb") as file:
            number = 0
            while raw := file.readline(most + 1):
                number += 1
                if len(raw) > most:
                    raise RecordError(number, TOO_LONG)
                yield raw.decode().removesuffix("\n")
    except UnicodeDecodeError as error:
        raise Unreadable("{path} is not a record: it is not UTF-8 text.", path=path) from error
    except OSError as error:
        raise Unreadable("{path} cannot be read: {reason}.", path=path, reason=error.strerror or error) from error
