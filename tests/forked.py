"""Starts `python -m tui` by forking a process that has loaded all of it: 20 ms of a core instead of half a second.

A forked program proves its behaviour from its first line on: arguments, environment, streams, terminal, signals,
files, exit status. Only a real start proves earlier things: Python's options and encodings, the order of imports,
programs under a shell or tmux, from a wheel, or in the processes that a program itself starts. So a start with
another command, or with other settings that are read while Python and Textual load, is a real one.
"""

import asyncio
import atexit
import ctypes
import gc
import importlib
import json
import os
import pkgutil
import runpy
import select
import signal
import socket
import subprocess
import sys
import time
from contextlib import suppress
from functools import cache
from pathlib import Path
from subprocess import DEVNULL, PIPE
from threading import Lock

from net.storage import sqlite

ROOT = Path(__file__).parents[1]
COMMAND = [sys.executable, "-m", "tui"]
FORKABLE_SETTINGS = {
    "LANG": "C.UTF-8",
    "PYTHONPATH": str(ROOT),
    "PYTHONWARNINGS": "error::RuntimeWarning",
    "BONEYARD_SETTLES": "0",  # keys may come as fast as the screen changes
}
"""Environment of all programs in tests, as far as it is read while they load."""
EARLY_VARIABLES = ("BONEYARD_SETTLES", "LANG", "LC_", "PYTHON", "TEXTUAL")
_SET_CHILD_SUBREAPER = 36
"""PR_SET_CHILD_SUBREAPER in <linux/prctl.h>: a process whose parent ends becomes a child of this process."""
_MAX_REQUEST_BYTES = 1 << 17
"""Maximum bytes of a request: arguments and environment."""


def can_fork(command, env):
    """Return True if a program with this command and environment may be forked."""
    early_values = {
        name: value for name, value in env.items() if name.startswith(EARLY_VARIABLES) and name != "LANGUAGE"
    }
    return sys.platform == "linux" and [*command[:3]] == COMMAND and early_values == FORKABLE_SETTINGS


def forkable_environment(env):
    """Return the environment without variables that are read early: with it, a program may be forked."""
    return {name: value for name, value in env.items() if not name.startswith(EARLY_VARIABLES)} | FORKABLE_SETTINGS


def fork_program(command, env, cwd, *streams):
    """Start a program as a child of this process; return its process id.

    `streams` are the descriptors of its stdin, stdout and stderr, or that of its controlling terminal.
    """
    prctl = ctypes.CDLL(None).prctl
    request = {"words": command[3:], "env": env, "cwd": str(cwd or Path.cwd())}
    line, lock = _start_forker()
    with lock:
        prctl(_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
        try:
            socket.send_fds(line, [json.dumps(request).encode()], streams)
            pid = int(line.recv(_MAX_REQUEST_BYTES))
            line.recv(1)  # the intermediate process has ended: it is ours
        finally:
            prctl(_SET_CHILD_SUBREAPER, 0, 0, 0, 0)
    return pid


@cache
def _start_forker():
    """Start the process that forks; return its socket, which ends it when closed, and the lock for requests."""
    our_socket, forker_socket = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    subprocess.Popen(
        [sys.executable, "-m", "tests.forked", str(forker_socket.fileno())],
        env={"PATH": os.environ["PATH"], **FORKABLE_SETTINGS},
        cwd=ROOT,
        pass_fds=[forker_socket.fileno()],
        stdin=DEVNULL,
    )
    forker_socket.close()
    return our_socket, Lock()


class Child:
    """A child of this process: the part of `subprocess.Popen` that nodes of a cluster need, in any thread."""

    def __init__(self, pid):
        self.pid = pid
        self._lock = Lock()
        self._ended = None

    def poll(self):
        with self._lock:
            if self._ended is None:
                ended, status = os.waitpid(self.pid, os.WNOHANG)
                self._ended = os.waitstatus_to_exitcode(status) if ended else None
            return self._ended

    def wait(self, timeout):
        if self.poll() is None:
            end = os.pidfd_open(self.pid)
            select.select([end], [], [], timeout)
            os.close(end)
        if self.poll() is None:
            raise subprocess.TimeoutExpired(str(self.pid), timeout)
        return self.poll()

    def send_signal(self, number):
        if self.poll() is None:
            os.kill(self.pid, number)


class ForkedProcess:
    """A program without a terminal: the part of `asyncio.subprocess.Process` that tests use."""

    def __init__(self, pid, stdout, stderr):
        self.pid, self.stdout, self.stderr = pid, stdout, stderr
        self.returncode = None
        self._over = asyncio.Event()
        self._end = os.pidfd_open(pid)
        asyncio.get_running_loop().add_reader(self._end, self._ended)

    def _ended(self):
        asyncio.get_running_loop().remove_reader(self._end)
        os.close(self._end)
        self.returncode = os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])
        self._over.set()

    async def wait(self):
        await self._over.wait()
        return self.returncode

    async def communicate(self):
        out, err = await asyncio.gather(*map(_read_all, (self.stdout, self.stderr)))
        await self.wait()
        return out, err

    def send_signal(self, number):
        if self.returncode is None:
            os.kill(self.pid, number)

    def kill(self):
        self.send_signal(signal.SIGKILL)


async def start_program(*command, env, cwd, stdin, stdout, stderr, **options):
    """Start a program with these streams, as `asyncio.create_subprocess_exec` does; fork it if possible."""
    streams = (stdin, stdout, stderr)
    if options or stdin == PIPE or not can_fork(command, env):
        stream_options = dict(zip(("stdin", "stdout", "stderr"), streams, strict=True))
        return await asyncio.create_subprocess_exec(*command, env=env, cwd=cwd, **stream_options, **options)
    our_ends, program_ends = zip(*map(_open_stream, streams), strict=True)
    try:
        pid = fork_program(command, env, cwd, *program_ends)
    finally:
        for stream, number in zip(streams, program_ends, strict=True):
            if stream in (PIPE, DEVNULL):
                os.close(number)
    return ForkedProcess(pid, *[end and await _read(end) for end in our_ends[1:]])


def _open_stream(stream):
    """Open a stream of a program; return our end, if any, and the program's."""
    if stream == PIPE:
        return os.pipe()
    if stream == DEVNULL:
        return None, os.open(os.devnull, os.O_RDWR)
    return None, stream if isinstance(stream, int) else stream.fileno()


async def _read(end):
    reader = asyncio.StreamReader()
    protocol = asyncio.StreamReaderProtocol(reader)
    await asyncio.get_running_loop().connect_read_pipe(lambda: protocol, os.fdopen(end, "rb", 0))
    return reader


async def _read_all(stream):
    return await stream.read() if stream else None


def _load():
    """Load every module of the program except the one that is run."""
    for name in ("core", "net", "themes", "tui"):
        for module in pkgutil.walk_packages(importlib.import_module(name).__path__, f"{name}."):
            if not module.name.endswith(".__main__"):
                with suppress(ImportError):  # not every machine has all libraries
                    importlib.import_module(module.name)
    sqlite.SYNCHRONOUS = "OFF"  # the system that runs the tests does not die with them


def _receive_request(line):
    """Fork for each request; return in the forked process, with the request and its streams."""
    while True:
        data, streams, *_ = socket.recv_fds(line, _MAX_REQUEST_BYTES, 3)
        if not data:
            os._exit(0)
        if not (intermediate_pid := os.fork()):
            if pid := os.fork():
                line.send(str(pid).encode())
                os._exit(0)
            return json.loads(data), streams
        for number in streams:
            os.close(number)
        os.waitpid(intermediate_pid, 0)
        line.send(b".")


def _become_program(words, env, cwd, streams):
    """Set this process up as the system and Python would have started it."""
    if len(streams) == 1:
        os.login_tty(streams[0])
    else:
        for number, stream in enumerate(streams):
            os.dup2(stream, number)
    os.closerange(3, 256)
    os.chdir(cwd)
    os.environ.clear()
    os.environ.update(env)
    time.tzset()
    signal.signal(signal.SIGINT, signal.default_int_handler)
    signal.signal(signal.SIGHUP, signal.SIG_DFL)
    sys.path[0], sys.argv[1:] = cwd, words
    for name, mode, buffering in (("stdin", "r", -1), ("stdout", "w", -1), ("stderr", "w", 1)):
        old_stream = getattr(sys, name)
        stream = os.fdopen(
            old_stream.fileno(), mode, buffering, old_stream.encoding, old_stream.errors, "\n", closefd=False
        )
        setattr(sys, name, stream)
        setattr(sys, f"__{name}__", stream)


def _serve_forks(line):
    """Serve forks, and in every fork be the program."""
    status = None

    def end():
        """End without freeing the loaded modules, for which every page of them would be copied."""
        if isinstance(status, int):
            with suppress(OSError):
                sys.stdout.flush()
                os._exit(status)

    atexit.register(end)  # functions registered first are called last
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the tests, at whose end this ends
    _load()
    gc.collect()
    gc.freeze()
    request, streams = _receive_request(line)
    line.close()
    _become_program(**request, streams=streams)
    try:
        runpy.run_module("tui", run_name="__main__", alter_sys=True)
    except SystemExit as ended:
        status = ended.code or 0
        raise


if __name__ == "__main__":
    _serve_forks(socket.socket(fileno=int(sys.argv[1])))
