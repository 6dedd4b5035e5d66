"""Makes lines of the bytes that somebody types, and says what to echo where no terminal does that by itself."""

from codecs import getincrementaldecoder
from typing import NamedTuple

from net.limits import MAX_LINE
from tui.board.canvas import columns

_ERASES = "\b \b"


class Typed(NamedTuple):
    """What some bytes came to."""

    lines: list[str]
    """The lines that were ended."""
    echo: str
    """What to write back."""
    over: bool = False
    """Whether nothing more is to come."""


class LineEditor:
    """Knows Enter, Backspace, Ctrl-U, Ctrl-C and Ctrl-D; the other keys that are no characters do nothing."""

    def __init__(self, *, typed: bool, utf8: bool = True) -> None:
        """`typed` means that a person types on a terminal in raw mode; else lines come as they are."""
        self._typed = typed
        self._decoder = getincrementaldecoder("utf-8" if utf8 else "latin-1")("replace")
        self._line: list[str] = []
        self._escape = ""
        self._after_return = False

    @property
    def begun(self) -> bool:
        """Whether a part of a line stands on the terminal."""
        return self._typed and bool(self._line)

    def feed(self, data: bytes) -> Typed:
        """Take what was typed."""
        lines: list[str] = []
        echo: list[str] = []
        for char in self._decoder.decode(data):
            if char in "\x03\x04" and self._ends(char):
                if self._line and not self._typed:  # the last line of a pipe need not end
                    lines.append(self._take())
                return Typed(lines, "".join([*echo, "\r\n"]) if self._typed else "", over=True)
            if self._escape:
                self._escape = _longer(self._escape + char)
            elif char == "\x1b":
                self._escape = char
            elif char in "\r\n":
                if char == "\r" or not self._after_return:
                    lines.append(self._take())
                    echo.append("\r\n")
            else:
                echo.append(self._key(char))
            self._after_return = char == "\r"
        return Typed(lines, "".join(echo) if self._typed else "")

    def _ends(self, char: str) -> bool:
        """Whether a control character ends the input: Ctrl-D does so only where nothing stands before it."""
        return not (self._typed and char == "\x04" and self._line)

    def _take(self) -> str:
        line = "".join(self._line)
        self._line.clear()
        return line

    def _key(self, char: str) -> str:
        """Take one character into the line; return its echo."""
        if char in "\x7f\b":
            return self._erase(1)
        if char == "\x15":
            return self._erase(len(self._line))
        if char == "\t":
            char = " "
        if not char.isprintable() or len(self._line) >= MAX_LINE:
            return ""
        self._line.append(char)
        return char

    def _erase(self, count: int) -> str:
        gone = [self._line.pop() for _ in range(min(count, len(self._line)))]
        return _ERASES * columns("".join(reversed(gone)))


def _longer(sequence: str) -> str:
    """The escape sequence of a key so far; empty once it is complete."""
    if len(sequence) == 2:
        return sequence if sequence[1] in "[O" else ""
    return "" if "@" <= sequence[-1] <= "~" or len(sequence) > 32 else sequence
