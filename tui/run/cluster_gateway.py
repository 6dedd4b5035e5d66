"""Runs a gateway of a cluster: it speaks SSH and draws screens, and brings its guests to tables on other machines."""

import asyncio
import socket
from collections.abc import AsyncIterator, Callable, Set
from contextlib import asynccontextmanager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct

from net.client.discovery import announced
from net.cluster.directory import Directory
from net.cluster.front_server import FrontServer
from net.cluster.lines import Open
from net.contained import Tasks
from net.host.admin import DISCONNECT_DELAY
from net.host.metrics import Metrics
from net.host.thinkers import Thinkers
from net.moves_first import MovesFirst
from net.players.codes import token_of
from net.ssh.server.terminal import Identity
from tui.run.access import AccessOptions
from tui.run.hosted import directions
from tui.run.listening import listening
from tui.serve.session_server import visitor

if TYPE_CHECKING:
    from net.cluster.database import Database
    from net.cluster.membership import Membership


class Door(Struct, frozen=True):
    """How a gateway lets guests in, and what it shows them."""

    bind: str
    port: int
    access: AccessOptions
    name: str | None
    announce: bool
    theme: str
    pictures: bool
    workers: int
    log_file: Path | None
    data: Path
    house_rules: dict[str, dict[str, str | int]]
    software: str


class OpenDoor(Struct, frozen=True):
    """A door through which guests come in; `refuse` lets no more of them in."""

    front: FrontServer
    directory: Directory
    refuse: Callable[[], None]


class _Bans:
    """The bans of the whole cluster. Whoever is banned anywhere is disconnected here."""

    def __init__(self, directory: Directory) -> None:
        self._directory = directory
        self._known = frozenset(directory.bans)

    def banned(self, text: str) -> bool:
        return text in self._directory.bans

    def disconnect(self, close: Callable[[str], object]) -> Callable[[], None]:
        """Close the connections of whoever is banned from now on; call what is returned to stop."""

        def changed(_tables: Set[int]) -> None:
            before, self._known = self._known, frozenset(self._directory.bans)
            for who in self._known - before:
                asyncio.get_running_loop().call_later(DISCONNECT_DELAY, close, who)

        return self._directory.on_change(changed)


@asynccontextmanager
async def open_door(
    door: Door,
    database: "Database",
    member: "Membership",
    open_line: Open,
    numbers: Metrics,
    thinkers: Thinkers,
    say: Callable[[str], None],
) -> AsyncIterator[OpenDoor]:
    """Let guests in until the block ends, with a goodbye to everybody. `member` is this node, and alive.

    Raises `net.ssh.server.listen.HostError`, `net.cluster.errors.ClusterError` or OSError.
    """
    from net.cluster.counted_together import CountedTogether  # noqa: PLC0415 - without asyncpg there is none
    from net.cluster.shared_limits import SharedLimits  # noqa: PLC0415
    from net.cluster.stored_directory import StoredDirectory  # noqa: PLC0415

    directory = StoredDirectory(database, member)
    await directory.open()
    together = CountedTogether(
        SharedLimits(database, door.access.limits), door.access.limits.sessions_per_key, lambda: member.id
    )
    member.on_burial(together.stand_apart)
    working = Tasks()
    working.start(directory.keep(), "directory-not-followed")
    working.start(together.keep(), "counts-not-kept")
    bans = _Bans(directory)
    moves = MovesFirst()
    front = FrontServer(
        directory,
        open_line,
        software=door.software,
        house_rules=door.house_rules,
        thinkers=thinkers,
        moves=moves,
    )

    def expects(identity: Identity) -> bool:
        who = visitor(identity)
        return front.expects(who.key or (token_of(who.resume) if who.resume else ""))

    opening, garbage_collector = listening(
        front,
        bind=door.bind,
        port=door.port,
        key=door.data / "host_key",
        access=door.access.access(bans),
        access_options=door.access,
        theme=door.theme,
        pictures=door.pictures,
        software=door.software,
        log_file=door.log_file,
        node=member.node,
        workers=door.workers,
        metrics=numbers,
        expects=expects,
        moves=moves,
        elsewhere=together,
    )
    try:
        async with front.running(), opening as open_port:
            garbage_collector.begin()
            forgive = bans.disconnect(open_port.disconnect)
            for line in directions(door.bind, open_port, door.access.sentence):
                say(line)
            label = door.name or socket.gethostname().partition(".")[0]
            at = [door.bind] if door.bind else None
            try:
                async with announced(label, open_port.port, at) if door.announce else nullcontext():
                    yield OpenDoor(front, directory, open_port.refuse)
            finally:
                forgive()
                open_port.refuse()
                garbage_collector.stop()
                front.close()
    finally:
        await together.settle()  # of the last sessions, while there is a database
        await working.aclose()
