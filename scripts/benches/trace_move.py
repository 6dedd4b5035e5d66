"""Prints which modules a move passes, from the Enter of a player over SSH until all four screens show it.

A real host runs in this process, and four guests over SSH; what they run themselves is not counted. Prints the
modules in the order in which the move comes to them, each with the function that it came to first, and whether that
was before everybody's update had been sent.
"""

import asyncio
import os
import signal
import sys
import threading
from pathlib import Path
from tempfile import TemporaryDirectory
from types import FrameType

from crowd import Game, Log
from guests import Guest

from net.hosting.options import DoorOptions, HostOptions
from net.table.table import Pace
from tui.run.hosted import run_host

ROOT = Path(__file__).parents[2]
ROOMS = tuple(f"{ROOT / room}{os.sep}" for room in ("core", "net", "tui", "themes"))
MOVES = 5
"""Traced one after the other, as a pass touches fewer modules than a tile."""


class Trace:
    """The modules that were entered while tracing is on, in order."""

    def __init__(self) -> None:
        self.on = False
        self.entered: dict[str, str] = {}
        self.sent: set[str] = set()
        """Those that a move passes before its updates are sent."""
        self._unsent = False

    def begin(self) -> None:
        """Trace a move from now on."""
        self.on = self._unsent = True

    def __call__(self, frame: FrameType, event: str, _argument: object) -> None:
        """Note a call, as `sys.setprofile` tells it."""
        code = frame.f_code
        if not self.on or not code.co_filename.startswith(ROOMS):
            return
        if event == "call":
            module = os.path.relpath(code.co_filename, ROOT)
            self.entered.setdefault(module, code.co_qualname)
            if self._unsent:
                self.sent.add(module)
        elif event == "return" and code.co_qualname == "Server._send_all":
            self._unsent = False


async def main() -> None:
    """Play a few moves and print what they passed."""
    trace = Trace()
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
        game = Game([Guest() for _ in range(4)])
        await game.gather(int(line.split()[2]), 0, "127.0.0.2")
        sys.setprofile(trace)
        log = Log()
        while len(log.moved) < MOVES:
            for guest in game.guests:
                await guest.settles()
            await game.move(log, before=trace.begin)
            trace.on = False
        sys.setprofile(None)
        for guest in game.guests:
            guest.go()
        signal.raise_signal(signal.SIGINT)
        await host
    for number, (module, function) in enumerate(trace.entered.items(), 1):
        print(f"{number:3}  {module:34}  {function:40} {'sent' if module in trace.sent else ''}".rstrip())


if __name__ == "__main__":
    asyncio.run(main())
