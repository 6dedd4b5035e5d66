"""Walks through the whole program in any order: keys, bytes, escape sequences, clicks, sizes and lines, from a seed.

The real commands run in this process, in real local sessions; only the terminal itself is missing. `./scripts/long
walk --inputs 1000000` walks for hours; a walk that fails is shortened and printed, and `--replay` repeats it.
"""

import argparse
import asyncio
import faulthandler
import os
import sys
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import ExitStack, contextmanager, redirect_stderr, redirect_stdout
from dataclasses import dataclass, field
from functools import partial
from io import StringIO
from itertools import cycle, islice
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from unittest.mock import patch

from core.bots.levels import play_match
from core.games import GAMES
from core.match import new_match
from net.client.client import Client
from net.client.discovery import FoundHost
from net.doors.terminal import NullTransport, Terminal
from net.host.presence import Visitor
from net.table.table import INSTANT
from net.wire.link import Link
from net.wire.messages import MakeTable
from tests.net.local_host import LocalHost, local_host
from tests.tui.far import TIMEOUT, FarEnd
from tests.tui.screens.test_reviews import SOLO, judge_part
from tests.tui.tables import DARK
from tests.waiting import run_loop, until
from tui.app import BoneyardApp
from tui.i18n import begin_session
from tui.lessons import LESSONS, Lesson
from tui.model.playback import Recording
from tui.plain.replay import ReplayDialog
from tui.plain.terminal_lines import Printer
from tui.run.frontends import plain_frontend, screen_frontend
from tui.run.local_session import LocalSession, local_session
from tui.run.menu import menu
from tui.run.plain import plain_menu
from tui.screens.base import DrawnScreen
from tui.screens.hosts import HostsScreen
from tui.screens.replay import ReplayScreen
from tui.solo import learn, play_alone
from tui.terminal.app import run_app
from tui.terminal.local import LocalTerminal

INPUTS_PER_WALK = 200
"""Number of inputs of a walk; a program that ends begins again until they are used up."""
ITERATIONS_PER_INPUT = 4
"""Iterations of the event loop after each input: many inputs arrive while work is pending, as from a fast typist."""
MAX_INPUT_SECONDS = 20.0
"""Seconds of work for one input, on any machine, that count as a failure: the largest window takes a few."""
MAX_SHORTER_WALKS = 60
"""Number of shorter walks to try in order to shorten a failing one."""

# Inputs. An input is a text: bytes in hexadecimal, `80x24`, `.` for an idle moment, or a word of `SERVED_EVENTS`.

KEYS = [
    *(key.encode() for key in "abcdefghijklmnoprstuvwxyz0123456789/?+-*.,;<>#LTAWYQ  "),
    *(b"\r", b"\r", b"\r", b"\r", b"\t", b"\x7f", b"\x1b[A", b"\x1b[B", b"\x1b[C", b"\x1b[D", b"\x1b[5~", b"\x1b[6~"),
    *(b"\x1b[H", b"\x1b[F", b"\x1b[3~", b"\x1b[Z", b"\x1bOP", b"\x1b[15~", b"\x1b[19~", b"\x1b[1;5C", b"\x1b\x1b[A"),
]
PLAYING_KEYS = [
    *(b"\r", b"\r", b"\r", b"x", b"p", b"\x1b[C", b"\x1b[D", b"\x1b[B"),
    *(key.encode() for key in "123456abc"),
]
LEAVING_KEYS = [b"q", b"\x1b", b"\x1b[27u", b"\x03", b"q\r", b"\x1b\x1b", b"qq"]
SPECIAL_SEQUENCES = [
    *(b"\x1b[I", b"\x1b[O", b"\x1b[?2026;2$y", b"\x1b[?2048;1$y", b"\x1b[48;9999999;9999999;0;0t", b"\x1b[200~"),
    *(b"\x1b[201~", b"\x1b[3;7R", b"\x1b[99999999999u", b"\x1b[27;5;99999999~", b"\x1b[55296u", b"\x1b[1;;1114112u"),
    *(
        b"\x1b_Gi=1;OK\x1b\\",
        b"\x1bP>|kitty\x1b\\",
        b"\x1b[6;18;9t",
        b"\x1b[?62;c",
        b"\x1b]11;rgb:0/0/0\x07",
        b"\xff",
    ),
    *(b"\xc3", b"\xe4\xb8", "ä€天\U0001f000".encode(), b"\x00", b"\x1a", b"\x11", b"\x10", b"\x9b1;5C"),
]
SIZES = [(80, 24), (80, 24), (140, 45), (50, 18), (49, 17), (1, 1), (20, 5), (200, 60), (51, 100), (300, 18), (80, 1)]
HUGE = [(5000, 5000), (1, 5000), (5000, 1), (1000, 400)]
TEXTS = [
    "hello",
    "[b]bold[/b]",
    "\x1b[2J",
    "天九" * 40,
    "x" * 3000,
    "\u3164",
    "e\u0301" * 9,
    "👨‍👩‍👧‍👦",
    "a\nb\r\nc\td",
    "{0}",
    "%s",
]
SERVED_EVENTS = ["stall", "recover", "recover", "plays", "plays", "stops", "goes on", "talks", "comes and goes"]
"""Events of a slow connection and another player at the table."""
PLAIN_WORDS = [
    "help",
    "hint",
    "rules",
    "hand",
    "table",
    "who",
    "draw",
    "pass",
    "leave",
    "yes",
    "back",
    "more",
    "fill",
    "pause",
    "resume",
    "say",
    "find",
    "free",
    "all",
    "language",
]


def random_terminal_input(rng: Random, playing: int) -> bytes:
    """Return an input that may come from a keyboard, a mouse, or a faulty terminal."""
    match rng.choices(range(8), (60, 3, 12, 6, 6, 4, 2, playing))[0]:
        case 0:
            return rng.choice(KEYS)
        case 7:
            return rng.choice(PLAYING_KEYS)
        case 1:
            return rng.choice(LEAVING_KEYS)
        case 2:
            button, x, y = rng.choice((0, 0, 0, 0, 1, 2, 32, 35, 64, 65, 66)), rng.randint(1, 90), rng.randint(1, 26)
            if rng.random() < 0.05:
                x, y = rng.choice((-1, 0, 5000, 10**12)), rng.choice((-5, 0, 99999))
            return b"\x1b[<%d;%d;%dM\x1b[<%d;%d;%dm" % (button, x, y, button, x, y)
        case 3:
            return rng.choice(SPECIAL_SEQUENCES)
        case 4:
            numbers = ";".join(str(rng.randrange(10 ** rng.randint(1, 12))) for _ in range(rng.randrange(4)))
            return f"\x1b{rng.choice('[[[[]OP_^M')}{rng.choice(('', '', '<', '?', '>'))}{numbers}".encode() + bytes(
                [rng.randrange(0x40, 0x7F)]
            )
        case 5:
            return rng.randbytes(rng.randint(1, 20))
    return b"\x1b[200~" + rng.choice(TEXTS).encode("utf-8", "surrogatepass") + b"\x1b[201~"


def random_line(rng: Random) -> bytes:
    """Return a line that may be typed in plain text."""
    match rng.randrange(6):
        case 0 | 1:
            return str(rng.randrange(1, 12)).encode()
        case 2:
            return rng.choice(
                ("", "", "00019", "66", "6|4", "5-5 a", "0" * 5000, "-1", "²", "٣", "1e3", "5-*")
            ).encode()
        case 3:
            return rng.choice(TEXTS).encode()
        case 4:
            return rng.randbytes(rng.randrange(30)).replace(b"\n", b"")
    return " ".join(rng.choices((*PLAIN_WORDS, "1", "2", "ada"), k=rng.choice((1, 1, 1, 2)))).encode()


def generate_inputs(rng: Random, program: str) -> Iterator[str]:
    """Yield inputs, endlessly."""
    playing = rng.choice((0, 0, 300))
    while True:
        if program.startswith("plain"):
            yield random_line(rng).hex()
        elif program.startswith("served") and rng.random() < 0.2:
            yield rng.choice(SERVED_EVENTS)
        elif (kind := rng.random()) < 0.9:
            yield random_terminal_input(rng, playing).hex()
        elif kind < 0.96:
            yield "."
        else:
            columns, rows = rng.choice(HUGE if rng.random() < 0.01 else SIZES)
            yield f"{columns}x{rows}"


# Programs


@dataclass
class Walk:
    """The remaining inputs for a program, and its failures."""

    inputs: list[str]
    errors: list[BaseException] = field(default_factory=list)
    slowest: tuple[float, str] = (0.0, "")

    def record_failure(self, _loop: object, context: dict) -> None:
        """Record an exception that was not caught."""
        self.errors.append(context.get("exception") or RuntimeError(context["message"]))


walk = Walk([])


class DiscardingTransport(NullTransport):
    """Discards all output, like a terminal."""


class WalkingTerminal(LocalTerminal):
    """The local terminal of a program, on which the walk types."""

    def __init__(self, _device: object, **options: bool) -> None:
        Terminal.__init__(self, DiscardingTransport(), "xterm-256color", (80, 24), os.environ, **options)

    @contextmanager
    def take_over(self) -> Iterator[None]:
        """Walk for the length of the block."""
        loop = asyncio.get_running_loop()
        loop.set_exception_handler(walk.record_failure)
        walk_task = loop.create_task(self._walk())
        try:
            with self.hold_screen():
                yield
        finally:
            walk_task.cancel()

    def suspend(self) -> None:
        """Go on."""

    async def _walk(self) -> None:
        while walk.inputs:
            await until(lambda: self._listener is not None)
            walk_input, started_at = walk.inputs.pop(0), time.process_time()
            if "x" in walk_input:
                self.resize(*map(int, walk_input.split("x")))
            elif walk_input == ".":
                await asyncio.sleep(0.02)  # longer than a timer of the table takes
            else:
                self.feed(bytes.fromhex(walk_input))
            await run_loop(ITERATIONS_PER_INPUT)
            walk.slowest = max(walk.slowest, (time.process_time() - started_at, walk_input))
        self.end()


async def _lines() -> AsyncIterator[str]:
    """Yield the lines typed in plain text; they end with the walk."""
    while walk.inputs:
        await asyncio.sleep(0)
        yield bytes.fromhex(walk.inputs.pop(0)).decode(errors="replace")


class _Lines:
    """The lines typed in plain text, read one at a time."""

    def __aiter__(self) -> AsyncIterator[str]:
        return _lines()

    async def __anext__(self) -> str:
        return await anext(_lines())


def _play_solo(wish: MakeTable, show: Callable) -> None:
    with TemporaryDirectory() as data:
        asyncio.run(play_alone(wish, show, name="ada", data=Path(data), software="walk", pace=False))


def _table_with_bots(game: str) -> MakeTable:
    seats = GAMES[game].seats[0]
    options = {option.key: 10 for option in GAMES[game].options if option.key == "target" and 10 in option.choices}
    return MakeTable(game, seats, options, bots=seats - 1, level="easy", hints=True, take_back=True)


async def _show_lobby(wish: MakeTable | None = None) -> None:
    """Run the lobby of a local host; with `wish` a match that plays itself to its end, and its review."""
    async with local_host() as host:
        client, link = _guest(host, "ada")
        app = BoneyardApp(
            client,
            DARK,
            table_request=wish,
            name="ada" * bool(wish),
            review_worker=judge_part,
            hosting=True,
            terminal="xterm",
        )
        if wish:
            client.subscribe(lambda _message: asyncio.get_running_loop().call_soon(_play_first_action, client))
        try:
            async with local_session(DARK) as session:
                await session.show(lambda: app)
        finally:
            link.close()


async def _serve_guest(game: str, name: str, *, repaints_often: bool) -> None:
    """Run a guest at a served table, another who plays there from elsewhere, and some bots."""
    async with local_host() as host:
        asyncio.get_running_loop().set_exception_handler(walk.record_failure)
        far = FarEnd(name, (80, 24))
        (client, link), (other, other_link) = _guest(host, "ada"), _guest(host, "bela")
        app = BoneyardApp(client, DARK, name="ada")
        app_task = asyncio.create_task(run_app(lambda: app, far.terminal))
        other_task = asyncio.create_task(other.run())
        await until(lambda: client.name)
        other.enter("bela")
        await until(lambda: other.name)
        client.make_table(MakeTable(game, 4, {}, bots=2))
        await until(lambda: other.tables.tables)
        other.sit(other.tables.tables[0].id)
        await until(lambda: client.update and client.update.match)
        while walk.inputs and not app_task.done():
            walk_input = walk.inputs.pop(0)
            if walk_input in SERVED_EVENTS:
                _run_event(walk_input, far, other)
            elif "x" in walk_input:
                far.terminal.resize(*map(int, walk_input.split("x")))
            elif walk_input != ".":
                far.terminal.feed(bytes.fromhex(walk_input))
            await asyncio.sleep(0.02 * (walk_input == "."))  # longer than Textual waits between two frames
            for _ in range(ITERATIONS_PER_INPUT):
                if repaints_often and app.output and app.output._front_screen:
                    app.output._front_screen.repaint()
                await asyncio.sleep(0)
        far.terminal.resume()
        far.terminal.end()
        async with asyncio.timeout(TIMEOUT):
            await app_task
        other_task.cancel()
        link.close()
        other_link.close()


def _guest(host: LocalHost, name: str) -> tuple[Client, Link]:
    link, _ = host.link(Visitor(name, name))
    return Client(link, "walk"), link


def _play_first_action(client: Client) -> None:
    """Take the first legal action, until the match is over."""
    match = client.update.match if client.update else None
    if match and match.play and match.play.legal:
        client.act(match.play.legal[0])
    elif match and match.play and match.play.result and not match.over:
        client.ready()


def _run_event(event: str, far: FarEnd, other: Client) -> None:
    """Let another event happen at a served table."""
    match event:
        case "stall":
            far.terminal.pause()
        case "recover":
            far.terminal.resume()
        case "plays":
            _play_first_action(other)
        case "stops" | "goes on":
            other.pause(event == "stops")
        case "talks":
            other.say("[b]bold[/b] \x1b[2J" + "x" * 200)
        case "comes and goes" if other.update:
            other.leave()
        case "comes and goes" if other.tables.tables:
            other.sit(other.tables.tables[0].id)


def _recording() -> Recording:
    return Recording(list(play_match(new_match(GAMES["draw"], 3, {"target": 50}), ("greedy",) * 3, b"1", "test")))


async def _show_screen(screen: DrawnScreen) -> None:
    async with local_session(DARK) as session:
        await session.show_screen(screen)


async def _judge(_decision: object) -> None:
    await asyncio.sleep(0)


class ChangingHosts:
    """Hosts that come and go on the local network, many times a second."""

    def __init__(self, on_change: Callable[[list[FoundHost]], None]) -> None:
        self._on_change = on_change

    async def __aenter__(self) -> None:
        self._changing = asyncio.create_task(self._change(Random(1)))

    async def __aexit__(self, *_error: object) -> None:
        self._changing.cancel()

    async def _change(self, rng: Random) -> None:
        while True:
            numbers = range(rng.randrange(5))
            self._on_change([FoundHost(f"host {number}", "192.0.2.1", 2000 + number) for number in numbers])
            await asyncio.sleep(0.005)


def _hosts_screen() -> HostsScreen:
    return HostsScreen(DARK, [("192.0.2.7", 2222)], ChangingHosts)


async def _show_menu() -> None:
    async def command(session: LocalSession, _name: str) -> str:
        await session.show_screen(_hosts_screen())
        return ""

    with TemporaryDirectory() as data:
        async with local_session(DARK) as session:
            await menu(session, Path(data), command)


async def _learn(lesson: Lesson) -> None:
    async with local_session(DARK) as session:
        await learn(lesson, lambda tutor: partial(session.play, tutor=tutor), name="ada")


def _plain_menu() -> None:
    with TemporaryDirectory() as data:
        plain_menu(Path(data), lambda _name: None, ascii=False)


def _plain_replay() -> None:
    talk = ReplayDialog(_recording(), Printer(ascii=False).say)
    talk.open()
    while not talk.has_left and walk.inputs:
        talk.handle_line(bytes.fromhex(walk.inputs.pop(0)).decode(errors="replace"))


PROGRAMS: dict[str, Callable[[], object]] = {
    "menu": lambda: asyncio.run(_show_menu()),
    "lobby": lambda: asyncio.run(_show_lobby()),
    "review": lambda: asyncio.run(_show_lobby(SOLO)),
    "replay": lambda: asyncio.run(_show_screen(ReplayScreen(_recording(), DARK, _judge))),
    "hosts": lambda: asyncio.run(_show_screen(_hosts_screen())),
    "plain menu": _plain_menu,
    "plain replay": _plain_replay,
    "served draw": lambda: asyncio.run(_serve_guest("draw", "xterm-256color", repaints_often=True)),
    "served mexican-train": lambda: asyncio.run(_serve_guest("mexican-train", "linux", repaints_often=False)),
    "served chickenfoot": lambda: asyncio.run(_serve_guest("chickenfoot", "xterm-kitty", repaints_often=True)),
    "served forty-two": lambda: asyncio.run(_serve_guest("forty-two", "vt220", repaints_often=False)),
    **{f"learn {lesson.game}": lambda lesson=lesson: asyncio.run(_learn(lesson)) for lesson in LESSONS},
    **{f"play {game}": lambda game=game: _play_solo(_table_with_bots(game), screen_frontend(DARK)) for game in GAMES},
    **{
        f"plain {game}": lambda game=game: _play_solo(_table_with_bots(game), plain_frontend(ascii=False))
        for game in GAMES
    },
}


WEIGHTED_PROGRAMS = [*PROGRAMS, *["menu"] * 24, *["lobby"] * 4, *["review", "replay", "hosts", "plain menu"] * 3]


@contextmanager
def patch_local_session() -> Iterator[None]:
    """Let the local program walk instead of querying a terminal, and do not touch the user's files."""
    with ExitStack() as stack:
        home = stack.enter_context(TemporaryDirectory())
        stack.enter_context(
            patch.dict(os.environ, XDG_CONFIG_HOME=home, COLORTERM="truecolor", BONEYARD_ANSWERS_WITHIN="0")
        )
        stack.enter_context(patch("tui.run.local_session.Device", object))
        stack.enter_context(patch("tui.run.local_session.LocalTerminal", WalkingTerminal))
        stack.enter_context(patch("tui.plain.terminal_lines.local_lines", _Lines))
        stack.enter_context(patch("tui.run.plain.local_lines", _Lines))
        stack.enter_context(patch("tui.solo.Pace", lambda: INSTANT))
        stack.enter_context(patch("tui.screens.table.TableScreen.LAST_LOOK_SECONDS", 0.0))
        stack.enter_context(patch("tui.screens.base.DrawnScreen.SETTLE_SECONDS", 0.0))
        stack.enter_context(patch("tui.terminal.app.RELEASE_DELAY", 0.0))  # detects any access to an ended screen
        stack.enter_context(redirect_stdout(StringIO()))
        stack.enter_context(redirect_stderr(StringIO()))
        yield


def find_failure(program: str, inputs: list[str]) -> str:
    """Walk through a program; return its failure in a line, or an empty text."""
    global walk  # noqa: PLW0603 - the driver is made by the program that it walks through
    walk = Walk(list(inputs))
    begin_session("en")
    while walk.inputs and not walk.errors:
        try:
            PROGRAMS[program]()
        except Exception as error:
            walk.errors.append(error)
    if walk.errors:
        return _describe(walk.errors[0])
    if walk.slowest[0] > MAX_INPUT_SECONDS:
        return f"{walk.slowest[1]} takes {walk.slowest[0]:.1f} s"
    return ""


def _describe(error: BaseException) -> str:
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    trace = error.__traceback__
    while trace and trace.tb_next:
        trace = trace.tb_next
    location = f" at {Path(trace.tb_frame.f_code.co_filename).name}:{trace.tb_lineno}" if trace else ""
    return f"{type(error).__name__}: {error}"[:200] + location


def shorten(program: str, inputs: list[str], failure: str) -> list[str]:
    """Leave out inputs that are not needed for the same failure."""
    size = len(inputs) // 2
    for _ in range(MAX_SHORTER_WALKS):
        if not size:
            break
        for start in range(0, len(inputs), size):
            shorter = inputs[:start] + inputs[start + size :]
            if shorter and find_failure(program, shorter) == failure:
                inputs = shorter
                break
        else:
            size //= 2
    return inputs


def generate_walks(seed: str, count: int, programs: list[str]) -> Iterator[tuple[str, list[str]]]:
    """Yield `count` inputs, as walks through all programs in turn, in an order of the seed."""
    for number, program in enumerate(cycle(Random(seed).sample(programs, len(programs)))):
        if count <= 0:
            return
        rng = Random(f"{seed} {number}")
        inputs = list(islice(generate_inputs(rng, program), min(INPUTS_PER_WALK, count)))
        count -= len(inputs)
        yield program, inputs


def find_failures(
    seed: str, count: int, programs: list[str] | None = None, report: Callable[[str], None] = print
) -> list[str]:
    """Walk through the programs; return the failures, each with a short walk that causes it."""
    failures: dict[str, str] = {}
    with patch_local_session():
        for program, inputs in generate_walks(seed, count, programs or WEIGHTED_PROGRAMS):
            failure = find_failure(program, inputs)
            if failure and failure not in failures:
                shortest = shorten(program, inputs, failure)
                failures[failure] = f"{failure}\n  --replay '{program}' {' '.join(shortest)}"
                report(failures[failure])
    return list(failures.values())


def main() -> int:
    """Walk from the command line; return 1 if anything failed."""
    parser = argparse.ArgumentParser("./scripts/long walk", description="Walks through the whole program.")
    parser.add_argument("--inputs", type=int, default=1_000_000)
    parser.add_argument("--seed", default="1", help="another one takes other walks")
    parser.add_argument("--in", dest="programs", action="append", choices=PROGRAMS, metavar="PROGRAM")
    parser.add_argument("--replay", nargs="+", metavar=("PROGRAM", "INPUT"), help="what an earlier walk has printed")
    options = parser.parse_args()
    screen = sys.stderr
    faulthandler.enable()
    started_at = time.monotonic()
    if options.replay:
        with patch_local_session():
            failure = find_failure(options.replay[0], options.replay[1:])
        print(failure or "nothing broke")
        return int(bool(failure))
    failures = find_failures(
        options.seed, options.inputs, options.programs, lambda text: print(text, file=screen, flush=True)
    )
    seconds = time.monotonic() - started_at
    print(
        f"seed {options.seed}: {options.inputs:,} inputs in {seconds:.0f} s, {len(failures)} found",
        flush=True,
    )
    return int(bool(failures))


if __name__ == "__main__":
    sys.exit(main())
