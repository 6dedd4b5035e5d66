"""Opens the port of a host or of a gateway: SSH is spoken here, or in other processes."""

from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from pathlib import Path

from net.host.access import Access
from net.host.elsewhere import Elsewhere
from net.host.house import House
from net.host.metrics import Metrics
from net.moves_first import MovesFirst
from net.ssh.gateways.gateways import serve_through_gateways
from net.ssh.gateways.messages import Begin
from net.ssh.server.listen import OpenPort, serve
from net.ssh.server.terminal import Identity
from tui.run.access import AccessOptions
from tui.run.gateway import start_gateway
from tui.serve.garbage_collector import GarbageCollector
from tui.serve.session_server import SessionServer


def listening(
    house: House,
    *,
    bind: str,
    port: int,
    key: Path,
    access: Access,
    access_options: AccessOptions,
    theme: str,
    pictures: bool,
    software: str,
    log_file: Path | None,
    node: str,
    workers: int,
    metrics: Metrics,
    expects: Callable[[Identity], bool],
    moves: MovesFirst,
    elsewhere: Elsewhere | None = None,
) -> tuple[AbstractAsyncContextManager[OpenPort], GarbageCollector]:
    """Return what is to be entered to serve guests of a house, and what collects the garbage of their screens.

    With `workers`, so many other processes speak SSH and draw screens.
    """
    if workers:
        begin = Begin(
            0,
            software,
            theme,
            pictures,
            str(key),
            str(log_file or ""),
            node,
            access_options.invite,
            str(access_options.keys or ""),
            access_options.limits,
        )
        port_of_gateways = serve_through_gateways(
            bind,
            port,
            begin,
            workers,
            start_gateway,
            house,
            access,
            metrics,
            expects,
            moves,
            elsewhere,
            access_options.proxied_by,
        )
        return port_of_gateways, GarbageCollector()
    sessions = SessionServer(house, theme, software, moves, pictures=pictures, stages=metrics.stages)
    served = serve(
        bind,
        port,
        key,
        sessions.on_terminal,
        sessions.on_link,
        access=access,
        limits=access_options.limits,
        metrics=metrics,
        expects=expects,
        moves=moves,
        elsewhere=elsewhere,
        proxied_by=access_options.proxied_by,
    )
    return served, sessions.garbage_collector
