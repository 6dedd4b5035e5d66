"""Reads a record from a file, a line of bounded length at a time; an error is one sentence."""

from collections.abc import Iterator
from pathlib import Path

from core.records import MAX_LINE, TOO_LONG, RecordError
from tui.failures import Failed


class Unreadable(Failed):
    """A file that cannot be read; the sentence says why."""


def lines_of(path: Path, longest: int = MAX_LINE) -> Iterator[str]:
    """Yield the lines of a file without their ends; `longest` is the maximum number of characters of a line.

    Raises Unreadable, or `core.records.RecordError` at a line that is longer than any honest one. It reads no more of
    such a line: a stranger's file may be one line of gigabytes.
    """
    max_bytes = 4 * longest + 1  # bytes including the line's end: a character takes at most four
    try:
        with path.open("rb") as file:
            number = 0
            while raw := file.readline(max_bytes + 1):
                number += 1
                if len(raw) > max_bytes:
                    raise RecordError(number, TOO_LONG)
                yield raw.decode().removesuffix("\n")
    except UnicodeDecodeError as error:
        raise Unreadable("{path} is not a record: it is not UTF-8 text.", path=path) from error
    except OSError as error:
        raise Unreadable("{path} cannot be read: {reason}.", path=path, reason=error.strerror or error) from error
