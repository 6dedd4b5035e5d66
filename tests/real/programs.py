"""The whole program as its users start it, isolated from the tester's own home, keys and configuration."""

import asyncio
import os
import re
import signal
import subprocess
import time
from contextlib import asynccontextmanager, suppress
from itertools import count
from pathlib import Path

import pytest

from net.host.admin import AdminError, ask
from tests import forked
from tests.forked import COMMAND, FORKABLE_SETTINGS
from tests.ptys import TIMEOUT, Player

ROOT = Path(__file__).parents[2]
OVER = "the match is over"
OPEN = "Press Ctrl-C to stop the server."
NEXT = "Enter: deal the next round."
YOURS = "your turn"


class HostProgram:
    """A running `boneyard host`, and its whole output."""

    def __init__(self, process, data, log):
        self.process = process
        self.data = data
        self.said = ""
        self._log = log

    @property
    def port(self):
        return int(re.search(r"ssh -p (\d+) ", self.said)[1])

    @property
    def fingerprint(self):
        return re.search(r"Host key: (\S+)", self.said)[1]

    @property
    def log(self):
        return self._log.read_text(errors="replace")

    @property
    def gateways(self):
        """Processes that it has started and that speak SSH."""
        pid = self.process.pid
        children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
        return [int(child) for child in children if b"tui.run.gateway" in Path(f"/proc/{child}/cmdline").read_bytes()]

    @property
    def records(self):
        return sorted((self.data / "records").glob("*.jsonl"))

    async def wait_until_open(self):
        async with asyncio.timeout(TIMEOUT):
            while OPEN not in self.said:
                line = await self.process.stdout.readline()
                assert line, f"The host did not start: {self.said}{self.log}"
                self.said += line.decode()

    def kill(self, number=signal.SIGKILL):
        self.process.send_signal(number)

    async def wait_for_exit(self):
        """Wait until it has ended; return its exit status."""
        async with asyncio.timeout(TIMEOUT):
            self.said += (await self.process.stdout.read()).decode()
            return await self.process.wait()

    async def close_cleanly(self, number=signal.SIGTERM):
        """Ask it to close, and check that it does so cleanly, without a failure before."""
        self.kill(number)
        assert await self.wait_for_exit() == 0, self.log
        assert "Traceback" not in self.log, self.log


_numbers = count(1)


def new(name):
    """Return a unique name at all hosts of this worker: names stay those of their first owners."""
    return f"{name}{next(_numbers)}"


class StandingHost(HostProgram):
    """A host for all tests of a worker that need any host, with both doors open; it belongs to no event loop."""

    def __init__(self, home):
        programs = Programs(home)
        words = ("host", "--port", "0", "--bind", "127.0.0.1", "--no-announce", "--fast", "--web", "127.0.0.1:0")
        limits = ("--limit", "handshakes_per_second=1000", "--limit", "handshakes_at_once=1000")
        log, data = home / "log", home / "house"
        with log.open("wb") as stderr:
            process = subprocess.Popen(
                [*programs.command, *words, *limits, "--data", str(data)],
                env=programs.env,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=stderr,
            )
        super().__init__(process, data, log)
        while OPEN not in self.said:
            line = process.stdout.readline().decode()
            assert line, f"The host did not start: {self.said}{self.log}"
            self.said += line
        while not self._answers():  # the operator's socket comes last
            time.sleep(0.01)

    def _answers(self):
        with suppress(AdminError):
            return ask(self.data, {"do": "guests"})

    def disconnect_all(self):
        """Disconnect everybody, and close all tables."""
        while "Nobody is connected." not in (guests := ask(self.data, {"do": "guests"})):
            for address in {guest.split("  ")[2] for guest in guests}:
                with suppress(AdminError):  # they have just left
                    ask(self.data, {"do": "kick", "who": address, "kind": "address"})
        while "No tables are open." not in (tables := ask(self.data, {"do": "tables"})):
            for table in tables:
                ask(self.data, {"do": "close", "who": table.split()[0]})

    def stop(self):
        """Close it, and check that it does so cleanly."""
        self.kill(signal.SIGTERM)
        self.process.communicate(timeout=TIMEOUT)
        assert self.process.returncode == 0, self.log


@asynccontextmanager
async def started(tmp_path):
    """Yield an object that starts programs; stop the programs when the block ends."""
    home = tmp_path / "player"
    home.mkdir(mode=0o700)
    programs = Programs(home)
    try:
        yield programs
    finally:
        await programs.close()


class Programs:
    """Starts `boneyard`, in a pty or not, with a separate home."""

    def __init__(self, home, command=COMMAND, cwd=None, **env):
        self.home = home
        self.command = [str(word) for word in command]
        self._cwd = cwd
        self._players = []
        self._hosts = []
        self.env = {
            "PATH": os.environ["PATH"],
            "HOME": str(home),
            "XDG_DATA_HOME": str(home / "data"),
            "XDG_CONFIG_HOME": str(home / "config"),
            "TERM": "xterm-256color",
            **FORKABLE_SETTINGS,
            **env,
        }
        settings = home / "config" / "boneyard" / "settings.toml"
        if not settings.exists():  # a user who has started it before is asked nothing
            settings.parent.mkdir(parents=True)
            settings.write_text("asked = true\n")

    def start(self, *words, size=(80, 24), command=None, cwd=None, **env):
        """Start it, or another command, in a pty."""
        command = [*(command or self.command), *map(str, words)]
        player = Player(command, {**self.env, **env}, *size, cwd=cwd or self._cwd)
        self._players.append(player)
        return player

    async def run(self, *words, command=None, streams=None, **env):
        """Run the program to its end without a terminal; return (status, out, err).

        `streams` replace the standard streams.
        """
        process = await forked.start_program(
            *(command or self.command),
            *map(str, words),
            env={**self.env, **env},
            cwd=self._cwd,
            **{
                "stdin": subprocess.DEVNULL,
                "stdout": subprocess.PIPE,
                "stderr": subprocess.PIPE,
                **(streams or {}),
            },
        )
        try:
            async with asyncio.timeout(TIMEOUT):
                out, err = await process.communicate()
        except TimeoutError:
            process.kill()
            out, err = await process.communicate()
            pytest.fail(f"{words} did not end: {out!r} {err!r}")
        return process.returncode, (out or b"").decode(errors="replace"), (err or b"").decode()

    async def start_host(self, *words, data=None, port=0):
        """Start a host on the loopback interface."""
        data = data or self.home / "house"
        log = self.home / f"log {len(self._hosts)}"
        with log.open("wb") as stderr:
            process = await forked.start_program(
                *self.command,
                *("host", "--port", str(port), "--bind", "127.0.0.1", "--no-announce", "--fast"),
                *("--data", str(data), *map(str, words)),
                env=self.env,
                cwd=self._cwd,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=stderr,
            )
        host = HostProgram(process, data, log)
        self._hosts.append(host)
        await host.wait_until_open()
        return host

    async def close(self):
        try:
            for player in self._players:
                player.close()
        finally:
            for host in self._hosts:
                if host.process.returncode is None:
                    host.kill()
                    await host.wait_for_exit()


async def enter_lobby(player, name=""):
    """Give a name at the door of a host, or accept the suggested one."""
    await player.wait_for("What name will you play under?")
    player.type(f"{name}\r")
    # The return instructions of a guest with a long name leave no room for the words beside them.
    await player.wait_for(lambda player: "in the lobby" in player.text or "To come back: " in player.text)


async def open_table(player, keys="\r"):
    """Open a table from the lobby or the menu; `keys` fill in the form."""
    player.type("n")
    await player.wait_for("a new table")
    player.type(keys)


async def joined_player(programs, address, **env):
    """Return a player who has joined the host at `address`, in the first round against a bot."""
    ben = programs.start("join", address, "--name", "Ben", **env)
    await ben.wait_for("Ben, in the lobby")
    await open_table(ben)
    await ben.wait_for("Waiting for 1 more player.")
    ben.type("z")
    await ben.wait_for(lambda player: "round 1" in player.text)
    return ben


async def expect_one_sentence(programs, *words, status=1, **env):
    """Run a program that must fail with one sentence on stderr and no other output; return the sentence."""
    actual, out, err = await programs.run(*words, **env)
    assert (actual, out) == (status, ""), err
    assert err.startswith("boneyard: ")
    assert err.count("\n") == 1
    assert err.endswith((".\n", "?\n"))
    return err.removeprefix("boneyard: ").strip()


def is_restored(player):
    """Return True if a player's terminal is restored: alternate screen left for good, cursor visible, no mouse."""
    raw = player.raw
    return all(
        raw.rfind(b"\x1b[?%dh" % mode) < raw.rfind(b"\x1b[?%dl" % mode) for mode in (1049, 1000, 1006, 2004)
    ) and raw.rfind(b"\x1b[?25l") < raw.rfind(b"\x1b[?25h")


def effect_of_enter(rows):
    """Return the effect of Enter on a screen: `play`, `deal` or `over`; empty if it has none."""
    words, status = rows[-2:]
    if OVER in status:
        return "over"
    if NEXT in words:
        return "deal"
    return "play" if status.startswith((f" {YOURS}", " ▶ ")) else ""  # the mark if the words have no room


def game_on_screen(player):
    """Return the state of the game on the screen: tile counts and story. Choosing a tile does not change it."""
    head = 3 if len(player.rows) >= 24 else 2
    story = [row for row in player.rows[head:-2] if row.rstrip().endswith(".")]
    return effect_of_enter(player.rows), player.rows[:head], story


async def play_out(player, until=lambda _: False, choose=None):
    """Press Enter for every question, once for each screen, until the match is over or `until` returns True.

    `choose` may return keys to press instead of Enter; a screen that only they have changed is not answered again.
    """
    answered, state_of = None, game_on_screen if choose else lambda player: player.text
    choose = choose or (lambda _: b"\r")
    while True:
        await player.wait_for(lambda player, last=answered: effect_of_enter(player.rows) and state_of(player) != last)
        effect = effect_of_enter(player.rows)
        if effect == "over" or until(player):
            return
        answered = state_of(player)
        player.type(choose(player) if effect == "play" else b"\r")
