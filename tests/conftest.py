"""What several test files need: the real OpenSSH client, kept away from the tester's own files."""

import asyncio
import os
import shutil
import subprocess

import pexpect
import pyte
import pytest

PATIENCE = 10
"""Seconds to wait for anything; honest things take milliseconds, on a busy machine a second."""


class Player:
    """One OpenSSH client in a pty, and the screen that its player sees."""

    def __init__(self, command, env, columns, rows):
        self.screen = pyte.Screen(columns, rows)
        self.raw = b""
        self.status = None
        self._stream = pyte.ByteStream(self.screen)
        self._news = asyncio.Event()
        self._child = pexpect.spawn(command[0], command[1:], env=env, dimensions=(rows, columns), timeout=None)
        os.set_blocking(self._child.child_fd, False)
        asyncio.get_running_loop().add_reader(self._child.child_fd, self._read)

    def _read(self):
        try:
            data = os.read(self._child.child_fd, 65536)
        except BlockingIOError:
            return
        except OSError:  # the pty's way to say that the client has gone
            data = b""
        if data:
            self.raw += data
            # pyte 0.8 takes the private "CSI ? 2026 $ p" for text and dies of "CSI > u"; neither draws
            # anything
            self._stream.feed(data.replace(b"\x1b[?2026$p", b""))
        else:
            asyncio.get_running_loop().remove_reader(self._child.child_fd)
            self._child.wait()
            self.status = self._child.exitstatus
        self._news.set()

    @property
    def text(self):
        return "\n".join(self.screen.display)

    async def sees(self, wanted):
        """Wait until a text stands on the screen, or a function of this player is true."""
        check = wanted if callable(wanted) else lambda player: wanted in player.text
        try:
            async with asyncio.timeout(PATIENCE):
                while not check(self):
                    self._news.clear()
                    await self._news.wait()
        except TimeoutError:
            pytest.fail(f"never saw {wanted!r} in:\n{self.text}\n{self.raw[-300:]!r}")

    async def leaves(self):
        """Wait until the client has gone; return its exit status."""
        await self.sees(lambda player: player.status is not None)
        return self.status

    def types(self, data):
        os.write(self._child.child_fd, data if isinstance(data, bytes) else data.encode())

    def resizes(self, columns, rows):
        self.screen.resize(rows, columns)
        self._child.setwinsize(rows, columns)

    def stop_reading(self):
        asyncio.get_running_loop().remove_reader(self._child.child_fd)

    def read_again(self):
        """Read on, but draw no more: megabytes wait, and pyte is slow. Look at `raw`."""
        self._stream = pyte.ByteStream(pyte.Screen(1, 1))
        self._stream.feed = lambda data: None
        asyncio.get_running_loop().add_reader(self._child.child_fd, self._read)

    def close(self):
        if self.status is None and not self._child.closed:
            asyncio.get_running_loop().remove_reader(self._child.child_fd)
            self._child.close(force=True)


class Client:
    """Makes OpenSSH clients that know nothing of the tester's home, agent and configuration."""

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
        shown = subprocess.run(["ssh-keygen", "-lf", path], check=True, capture_output=True, text=True)
        return path, shown.stdout.split()[1]

    def command(self, port, *words, key=None, program="ssh"):
        options = ["-F", "/dev/null", "-o", f"UserKnownHostsFile={self.home}/known"]
        options += [
            "-o",
            "StrictHostKeyChecking=no",
            "-o",
            "IdentitiesOnly=yes",
            "-o",
            "SendEnv=LANG COLORTERM NO_COLOR",
        ]
        options += ["-o", f"IdentityFile={key or self.home / 'nokey'}"]
        if program == "ssh":
            options += ["-p", str(port), "-l", "ann"]
        return [program, *options, *words]

    def plays(self, port, *words, key=None, size=(80, 24), **env):
        """Start a client in a pty."""
        player = Player(self.command(port, *(words or ("127.0.0.1",)), key=key), {**self._env, **env}, *size)
        self._players.append(player)
        return player

    async def runs(self, port, *words, key=None, program="ssh", stdin=b""):
        """Run a client without a terminal to its end; return (status, out, err)."""
        process = await asyncio.create_subprocess_exec(
            *self.command(port, *words, key=key, program=program),
            env=self._env,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        try:
            async with asyncio.timeout(PATIENCE):
                out, err = await process.communicate(stdin)
        except TimeoutError:
            process.kill()
            out, err = await process.communicate()
            pytest.fail(f"{program} {words} did not end: {out!r} {err!r}")
        return process.returncode, out.decode(), err.decode()

    def close(self):
        for player in self._players:
            player.close()


@pytest.fixture
async def client(tmp_path):
    home = tmp_path / "home"
    home.mkdir(mode=0o700)
    client = Client(home)
    yield client
    client.close()
