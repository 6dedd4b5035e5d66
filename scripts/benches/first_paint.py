"""The time from starting `boneyard play` to the first paint of its table, compared with a minimal Textual app."""

import os
import pty
import select
import sys
import time
from pathlib import Path

from host_process import ROOT

PATIENCE = 30.0
SIZE = (24, 80)
COMMANDS = {
    "a bare Textual app": (["-c", "BARE"], b"ready"),
    "boneyard play": (["-m", "tui", "play", "block", "--players", "4", "--seed", "1"], b"BONEYARD"),
}
"""What is started, and the word that stands in its first paint and nowhere before."""
WHAT, ANSWER = b"\x1b[c", b"\x1b[?62;22c"
"""The question which terminal this is, as every terminal here answers it at once."""
BARE = """
from textual.app import App
from textual.widgets import Static

class Bare(App):
    def compose(self):
        yield Static("ready")

Bare().run()
"""


def first_paint(arguments: list[str], word: bytes, data: str, tree: Path = ROOT) -> float:
    """Start Python in a checkout and a terminal of its own; return the seconds until the word is on its screen.

    What it keeps, it keeps in a directory `data`.
    """
    arguments = [BARE if argument == "BARE" else argument for argument in arguments]
    start = time.perf_counter()
    process, terminal = pty.fork()
    if process == 0:
        os.environ.pop("PYTHONDONTWRITEBYTECODE", None)  # an installed program is compiled once, not every time
        os.environ.update(TERM="xterm-256color", COLUMNS=str(SIZE[1]), LINES=str(SIZE[0]), XDG_DATA_HOME=data)
        os.environ["PYTHONPATH"] = str(tree)
        os.chdir(tree)
        os.execv(sys.executable, [sys.executable, *arguments])
    seen = b""
    try:
        while word not in seen:
            if not select.select([terminal], [], [], PATIENCE)[0]:
                raise TimeoutError(f"{word!r} never came, but {seen[-300:]!r}")
            said = os.read(terminal, 65536)
            seen += said
            if WHAT in said:
                os.write(terminal, ANSWER)
        return time.perf_counter() - start
    finally:
        os.kill(process, 9)
        os.waitpid(process, 0)
        os.close(terminal)
