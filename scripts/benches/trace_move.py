"""Prints the modules that a move passes, from the Enter of a player over SSH until all four screens show it.

A real host runs in this process, and four guests over SSH, whose own code is not counted. Prints the modules in the
order of the move, each with its first function, and whether that was before all updates had been sent. With
`callbacks` it prints instead the number of calls of the event loop, by callback, for a move and for a key that
chooses a tile.
"""

import asyncio
import os
import signal
import sys
import threading
from asyncio.events import Handle
from collections import Counter
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from types import FrameType
from typing import Any

from asyncssh import SSHClientConnection
from crowd import CrowdLog, Game
from guests import RIGHT, BenchGuest

from net.hosting.garbage_collector import CHURN_PERIOD
from net.options import DoorOptions, HostOptions
from net.table.table import Pace
from tui.run.host import run_host

ROOT = Path(__file__).parents[2]
SOURCE_FOLDERS = tuple(f"{ROOT / folder}{os.sep}" for folder in ("core", "net", "tui", "themes"))
MOVES = 5
"""Number of moves traced one after the other: a pass touches fewer modules than a tile."""
PERIODIC_MODULE = "net/hosting/garbage_collector.py"
"""A module that a host runs by the clock, whether there are moves or not."""


class Trace:
    """The modules that were entered while tracing is on, in order."""

    def __init__(self) -> None:
        self.on = False
        self.entered: dict[str, str] = {}
        self.sent: set[str] = set()
        """The modules that a move passes before its updates are sent."""
        self._unsent = False

    def begin(self) -> None:
        """Start tracing a move."""
        self.on = self._unsent = True

    def end(self) -> None:
        """Stop tracing."""
        self.on = False

    def __call__(self, frame: FrameType, event: str, _argument: object) -> None:
        """Record a call, as a callback of `sys.setprofile`."""
        code = frame.f_code
        if not self.on or not code.co_filename.startswith(SOURCE_FOLDERS):
            return
        if event == "call":
            module = os.path.relpath(code.co_filename, ROOT)
            if module == PERIODIC_MODULE:
                return
            self.entered.setdefault(module, code.co_qualname)
            if self._unsent:
                self.sent.add(module)
        elif event == "return" and code.co_qualname == "Server._send_all":
            self._unsent = False


class Callbacks:
    """The callbacks that the event loop ran for the host while counting is on, and their number."""

    def __init__(self) -> None:
        self.counts: dict[str, Counter[str]] = {"a move": Counter(), "a key": Counter()}
        self._counter: Counter[str] | None = None

    def begin(self, kind: str = "a move") -> None:
        """Start counting for `kind`."""
        self._counter = self.counts[kind]

    def end(self) -> None:
        """Stop counting."""
        self._counter = None

    def __call__(self, frame: FrameType, event: str, _argument: object) -> None:
        """Record a callback, as a callback of `sys.setprofile`."""
        if self._counter is None or event != "call" or frame.f_code is not Handle._run.__code__:
            return
        if origin := _origin(frame.f_locals["self"]._callback):
            self._counter[origin] += 1


def _origin(callback: Any) -> str:
    """Return a name of a loop callback: a task's coroutine, or a socket's protocol; empty for the guests' own.

    asyncio's timeouts and groups are the guests' own: the host uses none while a move is made.
    """
    while isinstance(callback, partial):
        callback = callback.func
    owner = getattr(callback, "__self__", None)
    owner = getattr(owner, "_protocol", owner)
    if isinstance(owner, asyncio.Task):
        code = owner.get_coro().cr_code
        file, name = code.co_filename, f"task {code.co_qualname}"
    elif owner is None:
        file, name = callback.__code__.co_filename, callback.__qualname__
    else:
        file = sys.modules[type(owner).__module__].__file__ or ""
        name = f"{type(owner).__name__}: {callback.__name__}"
    guests = str(Path(__file__).parent), asyncio.timeouts.__file__, asyncio.tasks.__file__
    return "" if file.startswith(guests) or isinstance(owner, SSHClientConnection) else name


async def main(*, callbacks: bool) -> None:
    """Play a few moves and print their modules, or the callbacks that the event loop ran for them."""
    trace = Callbacks() if callbacks else Trace()
    threading.setprofile(trace)  # for the thread that writes to the database, which does not run yet
    said: asyncio.Queue[str] = asyncio.Queue()
    with TemporaryDirectory(prefix="boneyard-trace-") as folder:
        host = asyncio.create_task(
            run_host(
                HostOptions(
                    data=Path(folder),
                    software="trace",
                    pace=Pace(),
                    log_file=Path(folder) / "log",
                    door=DoorOptions("127.0.0.1", announce=False, theme="felt"),
                ),
                said.put_nowait,
            )
        )
        line = ""
        while "ssh -p" not in line:
            line = await said.get()
        game = Game([BenchGuest() for _ in range(4)])
        await game.gather(int(line.split()[2]), 0, "127.0.0.2")
        await asyncio.sleep(
            CHURN_PERIOD
        )  # the screens of guests who enter leave garbage, which is broken up meanwhile
        sys.setprofile(trace)
        log = CrowdLog()
        keys = 0
        while len(log.move_delays) < MOVES:
            for guest in game.guests:
                await guest.wait_until_quiet()
            if isinstance(trace, Callbacks) and (guest := game.chooser):
                trace.begin("a key")
                await guest.press(RIGHT)
                keys += 1
                trace.end()
            await game.move(log, before_enter=trace.begin)
            trace.end()
        sys.setprofile(None)
        for guest in game.guests:
            guest.go()
        signal.raise_signal(signal.SIGINT)
        await host
    if isinstance(trace, Callbacks):
        for (kind, counts), number in zip(trace.counts.items(), (len(log.move_delays), keys), strict=True):
            print(f"{kind}: {counts.total() / number:.1f} callbacks")
            for origin, count in counts.most_common():
                print(f"{count / number:7.1f}  {origin}")
        return
    for number, (module, function) in enumerate(trace.entered.items(), 1):
        print(f"{number:3}  {module:34}  {function:40} {'sent' if module in trace.sent else ''}".rstrip())


if __name__ == "__main__":
    asyncio.run(main(callbacks=sys.argv[1:] == ["callbacks"]))
