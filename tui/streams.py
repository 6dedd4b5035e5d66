"""Standard streams under services, status bars and full disks: closed, full, or in an old encoding."""

import codecs
import errno
import io
import os
import select
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Literal, TextIO

from tui.i18n import _

OUTPUT_LOST = 1
"""The exit code after success whose output was lost."""
_REPLACE_LETTERS = "boneyard-otherwise"
TYPED = "boneyard-typed"
"""Error handler of decoders: bytes that are not UTF-8 are decoded as Latin-1, which old terminals send.

As U+FFFD they would become part of a name.
"""


def _decode_as_latin_1(error: UnicodeError) -> tuple[str, int]:
    """Decode bytes as Latin-1 without control characters, one of which (CSI) begins sequences like Esc [."""
    if not isinstance(error, UnicodeDecodeError):
        raise error
    letters = error.object[error.start : error.end].decode("latin-1")
    return "".join(letter for letter in letters if letter >= "\xa0"), error.end


codecs.register_error(TYPED, _decode_as_latin_1)


class _LossyFile(io.FileIO):
    """A file that accepts all output. After the first error of the system, output is lost.

    It raises nothing: the code that prints would take an OSError for one of its own file or network.
    """

    def __init__(self, fd: int) -> None:
        super().__init__(fd, "w", closefd=False)
        self.problem: OSError | None = None

    def write(self, data: Any, /) -> int:
        """Write as much as the system accepts at once."""
        while self.problem is None:
            try:
                if (written := super().write(data)) is not None:
                    return written
                select.select([], [self], [])  # another program has made the terminal non-blocking
            except OSError as error:
                self.problem = error
                self.report_loss(error)
        return memoryview(data).nbytes

    def report_loss(self, problem: OSError) -> None:
        """Print nothing: an error on stderr has nowhere to go."""


class _Stdout(_LossyFile):
    def report_loss(self, problem: OSError) -> None:
        """Report the error, unless the reader of a pipe has just closed it."""
        if problem.errno != errno.EPIPE:
            reason = problem.strerror or str(problem)
            print("boneyard: " + _("The output cannot be written: {reason}.", reason=reason), file=sys.stderr)


@contextmanager
def standard_streams() -> Iterator[None]:
    """Give this process three standard streams that raise nothing, even if it was started with closed ones.

    Exits with a code other than 0 if output was lost.
    """
    codecs.register_error(_REPLACE_LETTERS, _replace_letters)
    sys.stdin = sys.__stdin__ = sys.stdin or _open_null(0, os.O_RDONLY, "r")  # type: ignore[misc, assignment]
    # Writing to a read-only stream is an error, as on a closed stream.
    out = sys.stdout or _open_null(1, os.O_RDONLY, "w")
    sys.stderr = sys.__stderr__ = _wrap_stream(sys.stderr or _open_null(2, os.O_WRONLY, "w"), _LossyFile)  # type: ignore[misc, assignment]
    sys.stdout = sys.__stdout__ = _wrap_stream(out, _Stdout)  # type: ignore[misc, assignment]
    try:
        yield
    except SystemExit as system_exit:
        problem = find_output_error()
        if problem and problem.errno != errno.EPIPE and not system_exit.code:
            sys.exit(OUTPUT_LOST)
        raise


def find_output_error() -> OSError | None:
    """Return the error that lost output; None if there was none."""
    sys.stdout.flush()
    raw = getattr(getattr(sys.stdout, "buffer", None), "raw", None)
    return raw.problem if isinstance(raw, _LossyFile) else None


def _open_null(descriptor: int, flags: int, mode: Literal["r", "w"]) -> TextIO:
    """Open a closed stream: its `descriptor` must not go to a socket or database, into which others would print."""
    new_descriptor = os.open(os.devnull, flags)
    if new_descriptor == descriptor:
        os.set_inheritable(new_descriptor, True)
    return open(new_descriptor, mode, encoding="utf-8", closefd=False)


def _wrap_stream(stream: TextIO, file_class: type[_LossyFile]) -> TextIO:
    """Return a stream over the same descriptor that raises no exceptions."""
    return io.TextIOWrapper(
        io.BufferedWriter(file_class(stream.fileno())),
        encoding=stream.encoding,
        errors=_REPLACE_LETTERS,
        line_buffering=file_class is _LossyFile or stream.isatty(),
    )


def _replace_letters(error: UnicodeError) -> tuple[str, int]:
    """Replace letters that an encoding does not have, as in plain ASCII."""
    from tui.board.canvas import plain  # noqa: PLC0415 - few terminals need it

    if not isinstance(error, UnicodeEncodeError):
        raise error
    return plain(error.object[error.start : error.end], ascii=True), error.end
