"""What draws the screens of a host's guests: its own process, or those that `boneyard host --workers` starts."""

import asyncio
import os
import signal
import socket
import sys
from importlib import import_module
from pathlib import Path

from core.games import GAMES
from net.host.access import Access
from net.host.guest_server import GuestServer
from net.hosting.parts import access_of, allow_many
from net.logs import log_to
from net.loop import LoopScheduler, run_on_background_loop
from net.options import DoorOptions
from net.ssh.gateways.gateway import serve_gateway
from net.ssh.gateways.messages import GatewayConfig
from net.ssh.gateways.supervisor import Start
from net.storage.permissions import keep_private
from tui.model.presenter import PRESENTERS
from tui.serve.session_server import SessionServer

_OURS = str(Path(__file__).parents[2])
"""Where Boneyard's packages are."""
_SCREENS = ("guests", "leaving", "lists", "lobby", "match_end")
"""Those that others open, with all that these open."""
_ITS_HOSTS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
"""What the host alone acts on: it then ends its gateways in an order in which everybody hears a goodbye."""


async def start_gateway(line: int, taking: int) -> asyncio.subprocess.Process:
    """Start a gateway that is given these two sockets."""
    return await asyncio.create_subprocess_exec(
        sys.executable,
        "-P",  # what lies where the host was started is none of ours
        "-m",
        __name__,
        str(line),
        str(taking),
        pass_fds=(line, taking),
        env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, (_OURS, os.environ.get("PYTHONPATH"))))},
        stdin=asyncio.subprocess.DEVNULL,
        start_new_session=True,  # what is typed where the host runs is not meant for it
    )


def load_all() -> None:
    """Load what guests come to later, so that not all of them wait for it then."""
    for name in ("core.bots.levels", "core.bots.reasons.hints", *(f"tui.screens.{name}" for name in _SCREENS)):
        import_module(name)
    for table in (GAMES, PRESENTERS):
        tuple(table.values())


class Terminals:
    """The `net.hosting.parts.Screens` of guests with a terminal."""

    start: Start = staticmethod(start_gateway)

    def sessions(
        self,
        server: GuestServer,
        door: DoorOptions,
        software: str,
        scheduler: LoopScheduler,
    ) -> SessionServer:
        """Return what serves the sessions of this process."""
        load_all()
        return SessionServer(server, door, software, scheduler)


def _prepare(server: GuestServer, begin: GatewayConfig, scheduler: LoopScheduler) -> tuple[Access, SessionServer]:
    log_to(Path(begin.log_file) if begin.log_file else None, begin.node)
    sessions = Terminals().sessions(server, begin.door, begin.software, scheduler)
    sessions.garbage_collector.begin()
    return access_of(begin.door.access, lambda: server.bans), sessions


def main(line: int, taking: int) -> None:
    """Serve what the host hands over on these two sockets, until it closes or is gone."""
    for number in _ITS_HOSTS:
        signal.signal(number, signal.SIG_IGN)
    keep_private()
    allow_many()
    run_on_background_loop(serve_gateway(socket.socket(fileno=line), socket.socket(fileno=taking), _prepare))


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]))
