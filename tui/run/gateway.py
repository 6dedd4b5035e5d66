"""The processes that draw the screens of a host's guests: the host's own, or those of `boneyard host --workers`."""

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
from net.hosting.parts import access_of, raise_file_limit
from net.logs import log_to
from net.loop import LoopScheduler, run_on_background_loop
from net.options import DoorOptions
from net.ssh.gateways.gateway import serve_gateway
from net.ssh.gateways.messages import GatewayConfig
from net.ssh.gateways.supervisor import Start
from net.storage.permissions import keep_private
from tui.model.presenter import PRESENTERS
from tui.serve.session_server import SessionServer

_PACKAGE_ROOT = str(Path(__file__).parents[2])
"""Directory of Boneyard's packages."""
_SCREENS = ("confirm_leave", "guests", "lists", "lobby", "match_end")
"""Screens to import; they import all others."""
_HOST_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
"""Signals that only the host handles: it then ends its gateways in order, after the farewell to every guest."""


async def start_gateway(trunk_fd: int, handover_fd: int) -> asyncio.subprocess.Process:
    """Start a gateway with two sockets: its trunk, and the one over which the host hands over connections."""
    return await asyncio.create_subprocess_exec(
        sys.executable,
        "-P",  # do not import from the current directory
        "-m",
        __name__,
        str(trunk_fd),
        str(handover_fd),
        pass_fds=(trunk_fd, handover_fd),
        env={
            **os.environ,
            "PYTHONPATH": os.pathsep.join(filter(None, (_PACKAGE_ROOT, os.environ.get("PYTHONPATH")))),
        },
        stdin=asyncio.subprocess.DEVNULL,
        start_new_session=True,  # keys typed at the host's terminal are not meant for it
    )


def load_all() -> None:
    """Import everything that guests need later, so that no guest waits for an import."""
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
        """Return the server for the sessions of this process."""
        load_all()
        return SessionServer(server, door, software, scheduler)


def _prepare(server: GuestServer, begin: GatewayConfig, scheduler: LoopScheduler) -> tuple[Access, SessionServer]:
    log_to(Path(begin.log_file) if begin.log_file else None, begin.node)
    sessions = Terminals().sessions(server, begin.door, begin.software, scheduler)
    sessions.garbage_collector.begin()
    return access_of(begin.door.access, lambda: server.bans), sessions


def main(trunk_fd: int, handover_fd: int) -> None:
    """Serve the connections that the host hands over, until the host closes these two sockets or is gone."""
    for signal_number in _HOST_SIGNALS:
        signal.signal(signal_number, signal.SIG_IGN)
    keep_private()
    raise_file_limit()
    run_on_background_loop(serve_gateway(socket.socket(fileno=trunk_fd), socket.socket(fileno=handover_fd), _prepare))


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]))
