"""The terminal at this machine, by the same rules as a guest's over ssh: whether it can show a screen, and how."""

import fcntl
import os
import select
import sys
import termios
import time
import tty
from collections.abc import Mapping
from contextlib import suppress
from functools import cache
from struct import unpack

from msgspec.structs import replace

from net.doors.answers import Answers, cell_in, patience, questions
from net.doors.terminal import speaks_utf8
from themes.numbers import depth_of
from tui.draw.look import Look

_COERCED = ("C.UTF-8", "C.utf8", "UTF-8")
NO_MOUSE = "BONEYARD_NO_MOUSE"
"""Leaves the mouse to the terminal, if it is set."""
ANSWERS_WITHIN = 0.1
"""Seconds in which the terminal here says whether it shows pictures."""


def knows_utf8(env: Mapping[str, str] = os.environ, *, coerced: bool = bool(sys.flags.utf8_mode)) -> bool:
    """Whether the terminal here shows UTF-8.

    Where the locale is C, Python sets LC_CTYPE by itself (PEP 538, `coerced`), and that says nothing of the terminal.
    """
    if coerced and env.get("LC_CTYPE") in _COERCED:
        env = {name: value for name, value in env.items() if name != "LC_CTYPE"}
    return speaks_utf8(env.get("TERM", ""), env)


class Asked:
    """What the terminal here has answered so far, and what was typed meanwhile."""

    def __init__(self) -> None:
        self.answers = Answers()
        self.answers.complete = True  # as long as nothing is asked
        self.was_asked = False
        self.typed = b""
        """What was typed before there was a screen."""

    def ask(self, question: str, within: float = ANSWERS_WITHIN) -> None:
        """Ask, and wait for the answers so long; once is enough."""
        if self.was_asked:
            return
        self.was_asked = True
        keys, screen = sys.__stdin__, sys.__stderr__  # where Textual reads and writes
        if keys is None or screen is None:
            return
        self.answers = Answers(_pixels(keys.fileno()))
        before = termios.tcgetattr(keys)
        try:
            tty.setcbreak(keys, termios.TCSANOW)
            screen.write(question)
            screen.flush()
            deadline = time.monotonic() + within
            while not self.answers.complete and (left := deadline - time.monotonic()) > 0:
                if select.select([keys], [], [], left)[0]:
                    self.typed += self.answers.take(os.read(keys.fileno(), 4096))
        finally:
            termios.tcsetattr(keys, termios.TCSANOW, before)


def _pixels(terminal: int) -> tuple[int, int] | None:
    """The width and height of a cell in pixels, if the terminal has told the system."""
    rows, columns, width, height = unpack("HHHH", fcntl.ioctl(terminal, termios.TIOCGWINSZ, bytes(8)))
    return cell_in((columns, rows), (width, height))


@cache
def asked_here() -> Asked:
    """Return what is known of the terminal here: it is asked once."""
    return Asked()


def look_here(look: Look, *, pictures: bool = True) -> Look:
    """Return a look that the terminal here can show, as far as it answers in time, with `pictures` if wanted.

    A terminal that draws characters of ambiguous width two cells wide gets ASCII.
    """
    if look.ascii:
        return look
    asked = asked_here()
    if question := questions(os.environ.get("TERM", ""), os.environ, pictures=pictures):
        with suppress(OSError, termios.error):  # then it shows none
            asked.ask(question, patience(os.environ, ANSWERS_WITHIN))
    if asked.answers.wide:
        return replace(look, ascii=True)
    if (colours := asked.answers.colours) and not os.environ.get("COLORTERM"):
        os.environ["COLORTERM"] = colours  # for Textual, and what is shown next
        look = replace(look, depth=depth_of(os.environ.get("TERM", ""), os.environ))
    return replace(look, cell=asked.answers.cell if pictures else look.cell).wearing(look.name)
