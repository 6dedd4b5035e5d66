"""After any end of a program, none of its processes runs, the terminal is restored, and the match is saved."""

import asyncio
import os
import shutil
import signal
import sys
import termios
import time
from contextlib import suppress
from pathlib import Path

import pytest

from tests.mutations import lines_of, unsealed
from tests.ptys import TIMEOUT
from tests.real.programs import effect_of_enter, is_restored, new
from tests.waiting import until

LOCAL = ("--port", "0", "--bind", "127.0.0.1", "--no-announce", "--fast")
DRAW = ("play", "draw", "--seed", "7", "--fast", "--data", "{home}/kept")
ENTRANCE = "What name will you play under?"
ENTERED, LEFT = b"\x1b[?1049h", b"\x1b[?1049l"
HOSTS = "Press Ctrl-C to stop the server."


def on_turn(player):
    return effect_of_enter(player.rows) == "play"


SCREENS = {
    "menu": ((), "every domino game people play"),
    "play": (DRAW, on_turn),
    "learn": (("learn", "draw"), "These are your tiles."),
    "join": (("join", "127.0.0.1:{port}", "--name", "{name}"), "in the lobby"),
    "hosts": (("join",), "servers nearby"),
    "replay": (("replay", "{record}"), "step "),
    "host --play": (("host", "--play", "--data", "{home}/one", *LOCAL), ENTRANCE),
    "host --play --workers": (("host", "--play", "--workers", "1", "--data", "{home}/two", *LOCAL), ENTRANCE),
}
LINES = {
    "menu in lines": (("--plain",), "1. "),
    "play in lines": ((*DRAW[:-1], "{home}/kept in lines", "--plain"), "It is your turn."),
    "join in lines": (("join", "127.0.0.1:{port}", "--plain", "--name", "{name}"), "Type “new” to open a table"),
    "replay in lines": (("replay", "{record}", "--plain"), "Press Enter for the next move"),
}
WORKING = {
    "host --workers": (("host", "--workers", "1", "--data", "{home}/three", *LOCAL), HOSTS),
    "sim": (("sim", "draw", "--matches", "1000000", "--jobs", "2"), 3),
    "review": (("review", "{record}", "--jobs", "2"), 3),
}
BUSY = ("sim", "review")
EVERYTHING = SCREENS | LINES | WORKING
ONE_OF_EACH_KIND = [
    "play",
    "hosts",
    "host --play --workers",
    "play in lines",
    "review",
]
"""Programs that wait for different things: keys, the network, other processes, lines."""
SHELL = ("sh", "-c", '"$@"; read line', "sh")
IGNORING_HANGUP = ("sh", "-c", 'trap "" HUP; exec "$@"', "sh")


def processes(place):
    """Return the processes that run in a folder: those that were started there, with all their descendants."""
    pids = set()
    for process in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):  # it belongs to another user, or has just ended
            if (process / "cwd").readlink() == place:
                pids.add(int(process.name))
    return pids


class Running:
    """A program in a separate pty, with all processes that it starts."""

    def __init__(self, player, place, shell):
        self.player, self._place, self._shell = player, place, shell

    @property
    def pid(self):
        """Process id of the program itself, even if a shell has started it."""
        if not self._shell:
            return self.player.pid
        children = Path(f"/proc/{self.player.pid}/task/{self.player.pid}/children")
        return int(children.read_text().split()[0])

    def settings(self):
        """Settings of its terminal."""
        return termios.tcgetattr(self.player.terminal)

    def live_processes(self):
        return processes(self._place) - {self._shell and self.player.pid}


@pytest.fixture
def begin(programs, tmp_path):
    """Return a function that starts a program, and waits for its first screen."""
    record = tmp_path / "match.jsonl"
    record.write_text("".join(f"{line}\n" for line in unsealed(lines_of("chickenfoot"))))

    async def start(name, port=0, under=()):
        words, awaited = EVERYTHING[name]
        words = [word.format(home=tmp_path, record=record, port=port, name=new("Ben")) for word in words]
        place = tmp_path / f"in {name}"
        place.mkdir()
        player = programs.start(command=[*under, *programs.command, *words], cwd=place)
        running = Running(player, place, under == SHELL)
        if isinstance(awaited, int):
            await until(lambda: len(running.live_processes()) >= awaited, interval=0.02)
        else:
            await player.wait_for(awaited if callable(awaited) else lambda player: awaited in player.text)
            assert running.live_processes()
        return running

    return start


async def begin_all(begin, host, names, under=()):
    """Start all programs; those that compute endlessly only once the others have begun."""
    programs_running = {}
    for group in ([name for name in names if (name in BUSY) == busy] for busy in (False, True)):
        programs_running |= zip(
            group, await asyncio.gather(*(begin(name, host.port, under) for name in group)), strict=True
        )
    return programs_running


async def wait_until_nothing_runs(programs_running, retry=lambda _running: None):
    """Wait until all programs have ended; call `retry` every five seconds with each that has not."""
    start = time.monotonic()
    durations = {}
    for name, running in programs_running.items():
        last_retry = time.monotonic()

        def ended(running=running):
            nonlocal last_retry
            if time.monotonic() > last_retry + TIMEOUT / 6:
                last_retry = time.monotonic()
                retry(running)
            return not running.live_processes()

        try:
            await until(ended, interval=0.02)
        except TimeoutError:
            pytest.fail(f"{name} still runs: {running.player.raw[-200:]!r}")
        durations[name] = time.monotonic() - start
    print("  ".join(f"{name}: {seconds:.1f} s" for name, seconds in durations.items()))


def interrupt(running):
    with suppress(OSError):  # it has just ended
        running.player.type("\x03")


async def check_matches_kept(programs, tmp_path, *places):
    for place in places or ("kept", "kept in lines"):
        _, out, _ = await programs.run("continue", "--list", "--data", tmp_path / place)
        assert "Draw, round 1" in out


@pytest.mark.parametrize(
    ("number", "names"),
    [
        (signal.SIGTERM, [name for name in EVERYTHING if name != "host --play"]),
        (signal.SIGHUP, ["play", "host --play"]),
    ],
    ids=["SIGTERM", "SIGHUP"],
)
async def test_a_signal_ends_everything_in_order(programs, host, begin, tmp_path, number, names):
    programs_running = await begin_all(begin, host, names)
    for running in programs_running.values():
        os.kill(running.pid, number)
    await wait_until_nothing_runs(programs_running)
    for name, running in programs_running.items():
        status = await running.player.wait_for_exit()
        assert status == (0 if name.startswith("host ") else -number), name
        assert running.settings() == running.player.before, name
        assert name not in SCREENS or is_restored(running.player), name
        assert b"Traceback" not in running.player.raw, name
    await check_matches_kept(programs, tmp_path, "kept")


async def test_control_c_twice_ends_everything_in_order(programs, host, begin, tmp_path):
    programs_running = await begin_all(begin, host, ONE_OF_EACH_KIND)
    counts = {name: len(running.player.raw) for name, running in programs_running.items()}
    for running in programs_running.values():
        running.player.type("\x03")
    for name, running in programs_running.items():
        await running.player.wait_for(lambda player: player.status is not None or len(player.raw) > counts[name])  # noqa: B023
        if running.player.status is None:
            running.player.type("\x03")
    await wait_until_nothing_runs(
        programs_running, interrupt
    )  # a signal that comes while the first is handled is lost
    for name, running in programs_running.items():
        await running.player.wait_for_exit()
        assert running.settings() == running.player.before, name
        assert name not in SCREENS or is_restored(running.player), name
        assert b"Traceback" not in running.player.raw, name
    await check_matches_kept(programs, tmp_path)


INTERRUPTED = """
import asyncio, os, runpy, signal, sys
(when, number), sys.argv[1:] = sys.argv[1].split(), sys.argv[2:]
left = int(number)
signal.signal(signal.SIGINT, signal.default_int_handler)  # in the background of a shell, tests inherit another

class Finder:
    def find_spec(self, *_):
        global left
        main = sys.modules.get("tui.cli.main")
        if main is not None and hasattr(main, "main") == (when == "running"):
            left -= 1
            if not left:
                os.kill(os.getpid(), signal.SIGINT)

class Runner(asyncio.Runner):
    def __init__(self, **options):
        os.kill(os.getpid(), signal.SIGINT)

if when == "asyncio":
    asyncio.Runner = asyncio.runners.Runner = Runner
else:
    sys.meta_path.insert(0, Finder())
runpy.run_module("tui", run_name="__main__", alter_sys=True)
"""
"""Runs a command, and interrupts it as it looks for its first modules or later ones, or begins to run a coroutine."""


@pytest.mark.parametrize("when", ["loading 1", "loading 40", "running 6", "asyncio 0"])
async def test_control_c_in_the_first_moments_ends_every_command_without_a_word(programs, tmp_path, when):
    record = tmp_path / "match.jsonl"
    record.write_text("".join(f"{line}\n" for line in unsealed(lines_of("draw"))))
    commands = {
        "play": (*DRAW[:-1], tmp_path / "kept", "--plain"),
        "join": ("join", "127.0.0.1:9", "--plain", "--name", "Ada"),
        "hosts": ("join",),
        "host": ("host", "--data", tmp_path / "one", *LOCAL),
    }
    if "running" in when:
        commands |= {"menu": ("--plain",), "review": ("review", record), "verify": ("verify", record)}
    if "loading" in when:
        commands = {"play": commands["play"]}  # at that point no command is known yet

    async def interrupted(words):
        return await programs.run(command=[sys.executable, "-c", INTERRUPTED, when, *map(str, words)])

    results = await asyncio.gather(*map(interrupted, commands.values()))
    for name, (status, _, errors) in zip(commands, results, strict=True):
        assert errors.strip() in ("", "boneyard: The review was cancelled."), name
        assert status in (130, -signal.SIGINT), (name, status)


async def test_a_closed_window_ends_everything(programs, host, begin, tmp_path):
    programs_running = await begin_all(begin, host, ONE_OF_EACH_KIND)
    for running in programs_running.values():
        running.player.hang_up()
    await wait_until_nothing_runs(programs_running)
    await check_matches_kept(programs, tmp_path)


async def test_a_closed_window_ends_its_programs_without_a_signal(host, begin):
    programs_running = await begin_all(begin, host, ["play", "hosts", "play in lines"], under=IGNORING_HANGUP)
    for running in programs_running.values():
        running.player.hang_up()
    await wait_until_nothing_runs(programs_running)


async def test_a_killed_program_leaves_no_process_behind(host, begin):
    names = ["play", "host --play --workers", "sim"]
    programs_running = await begin_all(begin, host, names, under=SHELL)
    for running in programs_running.values():
        os.kill(running.pid, signal.SIGKILL)
    await wait_until_nothing_runs(programs_running)


@pytest.mark.parametrize("ending", [signal.SIGTERM, "closed"], ids=["SIGTERM", "closed"])
async def test_a_window_that_stopped_displaying_does_not_block_the_program(begin, ending):
    running = await begin("play")
    running.player.stop_reading()
    for number in range(100):
        running.player.resize(80 + number % 20, 24 + number % 8)
        await asyncio.sleep(0.005)  # each size causes a picture, which is never read
    if ending == "closed":
        running.player.hang_up(reading=False)
    else:
        os.kill(running.pid, ending)
    await wait_until_nothing_runs({"play": running})


async def test_a_host_that_answers_no_more_does_not_keep_the_player(programs, begin):
    host = await programs.start_host("--open")
    running = await begin("join", host.port)
    host.kill(signal.SIGSTOP)
    try:
        os.kill(running.pid, signal.SIGTERM)
        await wait_until_nothing_runs({"join": running})
    finally:
        host.kill(signal.SIGCONT)
    await running.player.wait_for_exit()  # until then some of its output is unread
    assert running.settings() == running.player.before
    assert is_restored(running.player)


async def test_a_program_that_ignores_its_end_is_killed_and_restores_the_terminal(begin, programs):
    stubborn = (
        "import tui.screens.base as m; m.SingleScreenApp.exit = print; import tui.cli.main; tui.cli.main.main()"
    )
    programs.command = [sys.executable, "-c", stubborn]
    running = await begin("menu")
    os.kill(running.pid, signal.SIGTERM)
    await wait_until_nothing_runs({"menu": running})
    assert await running.player.wait_for_exit() == 128 + signal.SIGTERM
    assert running.settings() == running.player.before
    assert is_restored(running.player)


@pytest.mark.skipif(shutil.which("tmux") is None, reason="there is no tmux")
async def test_a_killed_tmux_takes_everything_with_it(programs, tmp_path):
    socket = tmp_path / "tmux"
    tmux = ("tmux", "-S", str(socket), "-f", "/dev/null")
    player = programs.start(command=[*tmux, "new-session", *programs.command, *DRAW[:-2]], cwd=tmp_path)
    await player.wait_for("your turn")
    assert (await programs.run(command=[*tmux, "kill-server"]))[0] == 0
    await until(lambda: not processes(tmp_path), interval=0.02)
    assert "Draw, round 1" in (await programs.run("continue", "--list"))[1]


def count_sent(player, sequence):
    """Return the number of times that a sequence was sent to a player's terminal."""
    return player.raw.count(sequence)


async def test_from_the_menu_to_a_table_and_back_the_shell_is_never_seen(programs):
    player = programs.start()
    await player.wait_for("begin here")
    player.type("\r")
    await player.wait_for("your turn")
    player.type("qq")
    await player.wait_for("Go on")
    player.type("q")
    assert await player.wait_for_exit() == 0
    assert (count_sent(player, ENTERED), count_sent(player, LEFT)) == (1, 1)
    assert player.last_words == []


async def test_ctrl_z_stops_the_job_and_fg_shows_the_same_table(programs):
    shell = programs.start(command=["bash", "--norc", "--noprofile", "-i"], PS1="shell> ")
    await shell.wait_for("shell>")
    shell.type(" ".join(map(str, programs.command)) + " play draw --seed 7 --fast\r")
    await shell.wait_for("your turn")
    table = shell.text
    shell.type("\x1a")
    await shell.wait_for(lambda player: b"Stopped" in player.raw)
    shell.type("fg\r")
    await shell.wait_for(lambda player: count_sent(player, ENTERED) == 2 and player.text == table)
    shell.type("qq")
    await shell.wait_for(lambda player: b"`boneyard continue`" in player.raw)
    shell.type("exit\r")
    assert await shell.wait_for_exit() == 0
    assert (count_sent(shell, ENTERED), count_sent(shell, LEFT)) == (2, 2)
