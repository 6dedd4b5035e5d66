"""Reads what a terminal shows as it comes, letters only: fast enough for two hundred terminals in one process."""

import re
from codecs import getincrementaldecoder

_TOKEN = re.compile(
    r"\x1b\[(?P<row>\d*)(?:;(?P<column>\d*))?H"
    r"|(?P<wiped>\x1b\[2?J)"
    r"|(?P<other>\x1b(?:\[[ -?]*[@-~]|[PX^_\]][^\x1b\x07]*(?:\x1b\\|\x07)|[^\[PX^_\]]))"
    r"|(?P<move>[\r\n])|(?P<bell>\x07)"
    r"|(?P<text>[^\x07\x1b\r\n]+)"
)


class Screen:
    """The rows of a terminal. Letters are taken to be one cell wide, as those of a table are."""

    def __init__(self, width: int, height: int) -> None:
        self._decoder = getincrementaldecoder("utf-8")("replace")
        self._width = width
        self._rows = [" " * width] * height
        self._x = self._y = 0
        self._unread = ""
        """The beginning of a sequence of which the rest has not come."""

    @property
    def text(self) -> str:
        """All rows."""
        return "\n".join(self._rows)

    def feed(self, data: bytes) -> None:
        """Read what came."""
        text, at = self._unread + self._decoder.decode(data), 0
        while token := _TOKEN.match(text, at):
            at = token.end()
            match token.lastgroup:
                case "row" | "column":
                    self._y, self._x = int(token["row"] or 1) - 1, int(token["column"] or 1) - 1
                case "wiped":
                    self._rows = [" " * self._width] * len(self._rows)
                case "move" if token[0] == "\r":
                    self._x = 0
                case "move":
                    self._y += 1
                case "text":
                    self._write(token["text"])
        self._unread = text[at:]

    def _write(self, text: str) -> None:
        if self._y < len(self._rows):
            row = self._rows[self._y]
            self._rows[self._y] = (row[: self._x] + text + row[self._x + len(text) :])[: self._width]
        self._x += len(text)
