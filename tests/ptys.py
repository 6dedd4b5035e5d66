"""Programs in ptys and the screens that their players see; mainly the real OpenSSH client."""

import asyncio
import os
import re
import shutil
import signal
import subprocess
import termios
from contextlib import suppress

import pyte
import pytest

from tests.forked import can_fork, fork_program

TIMEOUT = 30
"""Seconds to wait for anything; honest things take milliseconds, on a busy machine a second or two."""

_ASKS_WHAT_IT_IS = b"\x1b[c"
_ASKS_FOR_FRAMES = b"\x1b[?2026$p"
_FRAME_BEGINS, _FRAME_ENDS = b"\x1b[?2026h", b"\x1b[?2026l"
_UNKNOWN = re.compile(rb"\x1b\[(\?[\d;]*\$p|[<>=?][\d;]*[uq])|\x1b[P_][^\x1b]*\x1b\\")
"""Sequences that pyte 0.8 prints as text or fails at; none of them draws anything."""
_ESCAPE = re.compile(r"\x1b(\[[0-?]*[ -/]*[@-~]|\][^\x07]*\x07)")
_UNFINISHED = re.compile(rb"\x1b(\[[0-?]*[ -/]*|[P_][^\x1b]*\x1b?)?$")


def _execute(command, env, cwd, terminal):
    """Start a program in a separate terminal; return its process id."""
    if pid := os.fork():
        return pid
    try:
        for number in (signal.SIGINT, signal.SIGHUP):  # a run of the tests in the background ignores some
            signal.signal(number, signal.SIG_DFL)
        os.login_tty(terminal)
        os.chdir(cwd or ".")
        os.execvpe(command[0], command, env)
    finally:
        os._exit(127)


class Player:
    """A program in a pty, and the screen that its player sees.

    It is a modern terminal: it offers synchronized output, so that a screen is read when it is whole.
    """

    def __init__(self, command, env, columns=80, rows=24, cwd=None):
        self.screen = pyte.Screen(columns, rows)
        self.raw = b""
        self.status = None
        self.answer = b"\x1bP0+r524742\x1b\\\x1b[?62;22c"
        """The terminal's answer to a query of its colours: it has few."""
        self._held = b""
        self._rows = None
        """Cached rows of the screen; None if stale: pyte is slow."""
        self._stream = pyte.ByteStream(self.screen)
        self._news = asyncio.Event()
        self.terminal, program_end = os.openpty()
        """The file descriptor of our end of its terminal."""
        termios.tcsetwinsize(program_end, (rows, columns))
        self.before = termios.tcgetattr(program_end)
        """Settings of its terminal before the program began."""
        self.pid = (fork_program if can_fork(command, env) else _execute)(command, env, cwd, program_end)
        os.close(program_end)
        os.set_blocking(self.terminal, False)
        self._open, self._reaped = True, False
        asyncio.get_running_loop().add_reader(self.terminal, self._read)

    def _read(self):
        try:
            data = os.read(self.terminal, 65536)
        except BlockingIOError:
            return
        except OSError:  # the pty's way to report the end of the program
            data = b""
        if data:
            self.raw += data
            self._show(data)
        else:
            asyncio.get_running_loop().remove_reader(self.terminal)
            self.status = os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])
            self._reaped = True
        self._news.set()

    def _show(self, data):
        data = self._held + data
        unfinished = _UNFINISHED.search(data)
        self._held = unfinished.group() if unfinished else b""
        data = data[: len(data) - len(self._held)]
        if _ASKS_WHAT_IT_IS in data:
            self.type(self.answer)
        if _ASKS_FOR_FRAMES in data:
            self.type(b"\x1b[?2026;2$y")
        for part in re.split(b"(?<=%s)" % re.escape(_FRAME_ENDS), _UNKNOWN.sub(b"", data)):
            self._stream.feed(part)
            self._rows = None

    @property
    def whole(self):
        """True while no frame is being painted."""
        if self.status is not None:
            return True
        return not self._held and self.raw.rfind(_FRAME_BEGINS) <= self.raw.rfind(_FRAME_ENDS)

    @property
    def rows(self):
        if self._rows is None:
            self._rows = self.screen.display
        return self._rows

    @property
    def text(self):
        return "\n".join(self.rows)

    @property
    def last_words(self):
        """Output after the full screen was left, line by line; pyte has no second screen."""
        output = self.raw.rpartition(b"\x1b[?1049l")[2].decode("utf-8", "replace")
        return [line.strip() for line in _ESCAPE.sub("", output).splitlines() if line.strip()]

    async def wait_for(self, text_or_check):
        """Wait until a text is on the screen, or a function of this player is true."""
        check = text_or_check if callable(text_or_check) else lambda player: text_or_check in player.text
        try:
            async with asyncio.timeout(TIMEOUT):
                while not (self.whole and check(self)):
                    self._news.clear()
                    await self._news.wait()
        except TimeoutError:
            pytest.fail(f"never saw {text_or_check!r} in:\n{self.text}\n{self.raw[-300:]!r}")

    async def wait_for_exit(self):
        """Wait until the program has ended; return its exit status."""
        await self.wait_for(lambda player: player.status is not None)
        return self.status

    def type(self, data):
        os.write(self.terminal, data if isinstance(data, bytes) else data.encode())

    def resize(self, columns, rows):
        self.screen.resize(rows, columns)
        self._rows = None
        termios.tcsetwinsize(self.terminal, (rows, columns))

    def hang_up(self, reading=True):
        """Close the terminal under the program; the caller waits until the program has exited.

        `reading`: a reader of the terminal is still registered and must be removed.
        """
        if reading:
            asyncio.get_running_loop().remove_reader(self.terminal)
        self._let_go()
        self.status = -1

    def _let_go(self):
        """Close our end of its terminal, and never a descriptor that reuses its number."""
        os.close(self.terminal)
        self._open = False

    def stop_reading(self):
        asyncio.get_running_loop().remove_reader(self.terminal)

    def read_again(self):
        """Read on, but draw no more: megabytes wait, and pyte is slow. Look at `raw`."""
        self._stream = pyte.ByteStream(pyte.Screen(1, 1))
        self._stream.feed = lambda data: None
        asyncio.get_running_loop().add_reader(self.terminal, self._read)

    def close(self):
        """Kill the program at once."""
        if self._open:
            if self.status is None:
                asyncio.get_running_loop().remove_reader(self.terminal)
            self._let_go()
        if not self._reaped:
            with suppress(ChildProcessError, ProcessLookupError):
                os.kill(self.pid, signal.SIGKILL)
                os.waitpid(self.pid, 0)


class Client:
    """Starts OpenSSH clients that ignore the tester's home, agent and configuration."""

    def __init__(self, home):
        assert shutil.which("ssh"), "These tests drive ssh; install it (apt install openssh-client)."
        self.home = home
        self._players = []
        self._env = {
            "PATH": os.environ["PATH"],
            "HOME": str(home),
            "TERM": "xterm-256color",
            "LANG": "C.UTF-8",
        }

    def key(self, name):
        """Make a key pair and return its file and fingerprint."""
        path = self.home / name
        subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", path], check=True)
        listing = subprocess.run(["ssh-keygen", "-lf", path], check=True, capture_output=True, text=True)
        return path, listing.stdout.split()[1]

    def command(self, port, *words, key=None, program="ssh", user="ann"):
        options = ["-F", "/dev/null", "-o", f"UserKnownHostsFile={self.home}/known"]
        options += ["-o", "StrictHostKeyChecking=no", "-o", "IdentitiesOnly=yes"]
        options += ["-o", "SendEnv=LANG COLORTERM NO_COLOR BONEYARD_ANSWERS_WITHIN"]
        options += ["-o", f"IdentityFile={key or self.home / 'nokey'}"]
        if program == "ssh":
            options += ["-p", str(port), "-l", user]
        return [program, *options, *words]

    def start(self, port, *words, key=None, size=(80, 24), user="ann", **env):
        """Start a client in a pty."""
        command = self.command(port, *(words or ("127.0.0.1",)), key=key, user=user)
        player = Player(command, {**self._env, **env}, *size)
        self._players.append(player)
        return player

    async def run(self, port, *words, key=None, program="ssh", stdin=b"", user="ann"):
        """Run a client without a terminal to its end; return (status, out, err)."""
        process = await asyncio.create_subprocess_exec(
            *self.command(port, *words, key=key, program=program, user=user),
            env=self._env,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        try:
            async with asyncio.timeout(TIMEOUT):
                out, err = await process.communicate(stdin)
        except TimeoutError:
            process.kill()
            out, err = await process.communicate()
            pytest.fail(f"{program} {words} did not end: {out!r} {err!r}")
        return process.returncode, out.decode(), err.decode()

    def close(self):
        for player in self._players:
            player.close()
