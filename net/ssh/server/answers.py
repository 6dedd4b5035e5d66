"""Asks a terminal whether it shows all colours, and tells its answers from what is typed."""

import re
from collections.abc import Mapping

QUERY = "\x1bP+q524742;5463\x1b\\\x1b[48:2:1:2:3m\x1bP$qm\x1b\\\x1b[0m\x1b[c\r\x1b[K"
"""Two questions and a fence: whether the terminal has the capabilities RGB or Tc (XTGETTCAP); which colour is set,
after one that needs all colours was (DECRQSS); and what it is (DA1), which every terminal answers, after the others.
The line is wiped, should a terminal have written a question.
"""
_SILENT = ("vt", "linux", "ansi", "dumb", "unknown", "sun", "wyse", "screen", "cons", "xterm-old")
"""Terminals that are not asked: old ones, and GNU screen, which passes the questions on to the one around it."""
_ANSWER = re.compile(rb"\x1bP([01])([$+])r([^\x1b]{0,80})\x1b\\|\x1b\[\?[\d;]{0,60}c")
_BEGUN = re.compile(rb"\x1b(P([01]([$+](r[^\x1b]{0,80}\x1b?)?)?)?|\[(\?[\d;]{0,60})?)?$")
_SET = re.compile(rb"48[:;]2[:;](\d*:)?1[:;]2[:;]3(?!\d)")
"""The colour of the question; some put the number of a colour space before it."""
_NAMES = (b"524742", b"5463")
"""RGB and Tc, as they are written in question and answer."""


def is_asked(name: str, env: Mapping[str, str]) -> bool:
    """Whether a terminal of that name and environment is worth asking: its colours are not known, and wanted."""
    return not name.startswith(_SILENT) and not env.get("COLORTERM") and not env.get("NO_COLOR")


class Answers:
    """Takes what a terminal answers out of what it sends. Answers may come late, and in pieces, among typed keys.

    Attributes: `all_colours`, whether it has said so; `complete`, whether nothing more will come.
    """

    def __init__(self) -> None:
        self.all_colours = False
        self.complete = False
        self._held = b""

    @property
    def may_be_typed(self) -> bool:
        """Whether something is held back that a player can have typed: Esc, or Alt with a letter or a bracket."""
        return 0 < len(self._held) <= 2

    def take(self, data: bytes) -> bytes:
        """Return what was typed; what may be the beginning of an answer is held back until more comes."""
        typed = _ANSWER.sub(self._hear, self._held + data)
        begun = None if self.complete else _BEGUN.search(typed)
        self._held = begun.group() if begun else b""
        return typed[: begun.start()] if begun else typed

    def give_up(self) -> bytes:
        """Return what was held back: nothing has followed, so it was typed."""
        held, self._held = self._held, b""
        return held

    def _hear(self, answer: re.Match[bytes]) -> bytes:
        kind, about = answer[2], answer[3]
        if kind is None:
            self.complete = True
        elif kind == b"$":
            self.all_colours |= _SET.search(about) is not None
        elif answer[1] == b"1":
            self.all_colours |= any(name in about for name in _NAMES)
        return b""
