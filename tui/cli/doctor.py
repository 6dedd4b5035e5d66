"""`boneyard doctor`: what this terminal can show, and what this machine offers a host.

The lines are English in every language, like those of the log: they are pasted into reports.
"""

import json
import os
import platform
import re
import select
import sys
import termios
import time
import tty
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from pathlib import Path

import click

from net.doors.terminal_queries import FENCE, FENCE_ANSWER, Answers, answer_timeout, build_queries, cell_in
from net.hosting.machine import BROKEN, OK, POOR, Check, check_machine
from net.options import WebOptions
from themes.numbers import Depth, depth_of, wants_grey
from tui.board.canvas import columns
from tui.cli.arguments import default_data
from tui.cli.packages import CLUSTER, PICTURES, WEB, install_command, missing_packages
from tui.draw.window_layout import MIN_WINDOW
from tui.model.look import USUAL_WINDOW
from tui.terminal.local import window_of
from tui.version import VERSION

ANSWER_TIMEOUT = 2.0
"""Seconds for the terminal to answer each of two groups of queries."""
SIGNS = "▌▐█▀▄●○★▶◀│─┌╭⠿⣿·…“”↵←→↑↓›⚙"
"""Characters that screens are drawn with."""
EXTRAS = (
    ("pictures", PICTURES, "play"),
    ("web", WEB, "host --web 8080"),
    ("cluster", CLUSTER, "host --cluster URL"),
)
"""Extras, their modules, and the words after `./scripts/play` that install them in a clone."""
MODES = {1006: "mouse", 2026: "synchronized output"}
"""Private modes of terminals that are queried (DECRQM), by what they are for."""
_MODE = re.compile(rb"\x1b\[\?(\d{1,5});(\d)\$y")
_COLUMN = re.compile(rb"\x1b\[\d{1,5};(\d{1,5})R")
_FENCE = re.compile(FENCE_ANSWER)
_KEYBOARD = re.compile(rb"\x1b\[\?\d{1,3}u")
_WRAPPERS = {"TMUX": "tmux", "STY": "screen", "SSH_CONNECTION": "ssh", "VSCODE_INJECTION": "VS Code"}
"""Environment variables that programs between Boneyard and the window set."""


@click.command(epilog="Examples:  boneyard doctor  ·  boneyard doctor --json > report.json")
@click.option("--json", "as_json", is_flag=True, help="Print JSON, for a report.")
@click.option("--data", type=click.Path(path_type=Path), default=None, help="Data directory of the server.")
@click.option("--port", type=click.IntRange(0, 65535), default=2222, show_default=True, help="Port of the server.")
@click.option("--web", type=click.IntRange(0, 65535), default=8080, show_default=True, help="Port for browsers.")
@click.option("--cert", default="", metavar="FILE", help="Certificate for browsers.")
@click.option("--cert-key", default="", metavar="FILE", help="Its key.")
@click.option("--url", default="", help="Public address of the page, to look through the proxy.")
def doctor(as_json: bool, data: Path | None, port: int, web: int, cert: str, cert_key: str, url: str) -> None:
    """Check this terminal, and what a server needs on this machine.

    Each line begins with ok, poor or broken, and says what helps. The exit code is 1 if anything is broken.
    """
    web_options = WebOptions("", web, cert, cert_key or cert, url)
    checks = [
        *check_terminal(os.environ),
        *check_machine(data or default_data(), port, web_options),
        *check_extras(),
    ]
    if as_json:
        about = {
            "boneyard": VERSION,
            "python": platform.python_version(),
            "system": platform.platform(),
            "terminal": os.environ.get("TERM", ""),
            "program": os.environ.get("TERM_PROGRAM", ""),
        }
        report = {**about, "checks": [check._asdict() for check in checks]}
        click.echo(json.dumps(report, ensure_ascii=False, indent=2))
    else:
        for check in checks:
            click.echo(check.line)
    if any(check.state == BROKEN for check in checks):
        sys.exit(1)


def check_extras() -> Iterator[Check]:
    """Check which extras of this installation are there."""
    for extra, modules, command_words in EXTRAS:
        missing = missing_packages(modules)
        advice = install_command(missing, command_words) if missing else ""
        yield Check(
            "server", f"extra {extra}", POOR if missing else OK, "missing" if missing else "installed", advice
        )


_result = partial(Check, "terminal")


def check_terminal(env: Mapping[str, str]) -> Iterator[Check]:
    """Check the terminal of this process."""
    name = env.get("TERM", "")
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        yield _result("terminal", POOR, "input or output is no terminal", "run it without a pipe to check it")
        return
    if name in ("", "dumb"):
        yield _result("terminal", BROKEN, f"TERM is {name!r}", "play with --plain, or set TERM")
        return
    window, pixels = window_of(sys.stdout.fileno())
    yield _check_size(*window)
    yield _check_encoding(sys.stdout.encoding or "")
    with _raw_terminal(sys.stdin.fileno()) as ask:
        yield from check_answers(name, env, ask, cell_in(window, pixels))
    wrappers = [words for variable, words in _WRAPPERS.items() if env.get(variable)] + ["mosh"] * _is_below_mosh()
    yield _result("through", OK, " and ".join(wrappers) or "nothing between Boneyard and the window")


def check_answers(
    name: str, env: Mapping[str, str], ask: Callable[[str], bytes], cell: tuple[int, int] | None = None
) -> Iterator[Check]:
    """Check what a terminal of this name answers; `ask` sends queries and returns the answers that come in time.

    `cell` is the width and height of a cell in pixels, if the system knows it.
    """
    answers = Answers(cell)
    if queries := build_queries(name, {**env, "COLORTERM": ""}, pictures=True):
        answers.take(ask(queries))
    yield _check_colour(name, env, answers)
    yield _check_pictures(name, env, answers)
    replies = ask("".join(f"\r{sign}\x1b[6n" for sign in SIGNS) + "\r\x1b[K" + _MODE_QUERIES + FENCE)
    yield _check_width([int(column) - 1 for column in _COLUMN.findall(replies)])
    modes = {int(mode): state in b"1234" for mode, state in _MODE.findall(replies)}
    for mode, words in MODES.items():
        if mode in modes:
            yield _result(words, OK if modes[mode] else POOR, "yes" if modes[mode] else "no")
        else:
            yield _result(words, OK, "the terminal does not say")
    has_extended_keys = bool(_KEYBOARD.search(replies))
    yield _result("keys", OK, "extended keyboard protocol" if has_extended_keys else "as usual")
    if not _FENCE.search(replies):
        advice = "set BONEYARD_ANSWERS_WITHIN=10 on a slow line"
        yield _result("answers", POOR, f"none within {ANSWER_TIMEOUT:.0f} seconds", advice)


_MODE_QUERIES = "".join(f"\x1b[?{mode}$p" for mode in MODES) + "\x1b[?u"


def _check_size(width: int, height: int) -> Check:
    size = f"{width}×{height}"
    if width < MIN_WINDOW[0] or height < MIN_WINDOW[1]:
        return _result(
            "size",
            BROKEN,
            size,
            f"a table needs {MIN_WINDOW[0]}×{MIN_WINDOW[1]}; enlarge the window, or play with --plain",
        )
    if width < USUAL_WINDOW[0] or height < USUAL_WINDOW[1]:
        return _result("size", POOR, size, "80×24 has room for the players and the story")
    return _result("size", OK, size)


def _check_encoding(encoding: str) -> Check:
    if encoding.lower().replace("-", "") == "utf8":
        return _result("encoding", OK, "UTF-8")
    return _result("encoding", POOR, encoding or "unknown", "set LANG to a UTF-8 locale, or play with --ascii")


def _check_colour(name: str, env: Mapping[str, str], answers: Answers) -> Check:
    if wants_grey(env):
        return _result("colours", POOR, "NO_COLOR is set", "unset it to have colours")
    depth = _depth(name, env, answers)
    words = {Depth.ALL: "16 million", Depth.MANY: "256", Depth.FEW: "16", Depth.NONE: "none"}[depth]
    if depth in (Depth.ALL, Depth.MANY) or answers.many_colours:
        return _result("colours", OK, words if depth != Depth.FEW else "256")
    return _result("colours", POOR, words, "set COLORTERM=truecolor if this terminal has more")


def _check_pictures(name: str, env: Mapping[str, str], answers: Answers) -> Check:
    if answers.cell is None:
        return _result("pictures", POOR, "none", "tiles are drawn with characters")
    kind = "by sixel" if answers.sixel_cell else "in cells, by kitty's protocol"
    if _depth(name, env, answers) != Depth.ALL:
        return _result("pictures", POOR, kind, "Boneyard shows them with 16 million colours alone")
    return _result("pictures", OK, kind)


def _depth(name: str, env: Mapping[str, str], answers: Answers) -> Depth:
    return depth_of(name, {**env, "COLORTERM": "truecolor"} if answers.all_colours else env)


def _check_width(measured_widths: list[int]) -> Check:
    if len(measured_widths) < len(SIGNS):
        return _result("width of signs", POOR, "not measured", "if tiles look broken, play with --ascii")
    wrong_widths = [
        f"{sign} takes {width}" for sign, width in zip(SIGNS, measured_widths, strict=False) if width != columns(sign)
    ]
    if wrong_widths:
        advice = "choose another font, turn off wide ambiguous characters, or play with --ascii"
        return _result("width of signs", BROKEN, ", ".join(wrong_widths), advice)
    return _result("width of signs", OK, f"{len(SIGNS)} of {len(SIGNS)} as expected")


@contextmanager
def _raw_terminal(fd: int) -> Iterator[Callable[[str], bytes]]:
    """Set raw mode while the block runs; yields a function that sends queries and returns the answers."""
    timeout = answer_timeout(os.environ, ANSWER_TIMEOUT)

    def ask(queries: str) -> bytes:
        os.write(fd, queries.encode())
        received, deadline = b"", time.monotonic() + timeout
        while not _FENCE.search(received) and (seconds_left := deadline - time.monotonic()) > 0:
            if select.select([fd], [], [], seconds_left)[0]:
                received += os.read(fd, 4096)
        return received

    settings = termios.tcgetattr(fd)
    tty.setraw(fd, termios.TCSANOW)
    try:
        yield ask
    finally:
        termios.tcsetattr(fd, termios.TCSAFLUSH, settings)


def _is_below_mosh() -> bool:
    """Return True if an ancestor of this process is a mosh server."""
    process = os.getpid()
    try:
        while process > 1:
            words = Path(f"/proc/{process}/stat").read_text().rpartition(")")
            if "mosh-server" in words[0]:
                return True
            process = int(words[2].split()[1])
    except (OSError, ValueError, IndexError):
        return False
    return False
