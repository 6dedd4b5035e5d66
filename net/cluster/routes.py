"""Where the guests of a gateway are: brought to the hosts of their tables by lines, and to others when those die."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Set
from functools import partial

import msgspec
from msgspec import Struct

from core.words import Illegal, Words, words
from net.cluster.directory import Directory
from net.host.front import Front
from net.host.presence import Presence
from net.limits import GUEST_WINDOW, TAKEOVER
from net.lines.line import (
    DECODERS,
    FRONT_HEARTBEATS,
    AttachGuest,
    CloseGuest,
    Credit,
    FromGuest,
    GuestGone,
    ToFront,
    Trunk,
    TrunkMessage,
)
from net.logs import fields
from net.loop import LoopScheduler, Tasks, log_failures
from net.table.table import Outbox
from net.wire.link import Link, pack, unpack
from net.wire.messages import Bye, Interrupted, Leave, Left, Refused, Resumed, ToClient

AGAIN = 0.1
"""Seconds until a line that broke, or could not be opened, is tried again."""
Open = Callable[[str, Trunk], Awaitable[None]]
"""Opens a line to an address. Raises OSError."""
log = logging.getLogger(__name__)


class TrunkPool:
    """One line for each living table host."""

    def __init__(
        self,
        directory: Directory,
        open_line: Open,
        heard: Callable[[str, ToFront], None],
        opened: Callable[[], None],
        lost: Callable[[str], None],
        failed: Callable[[ToFront], None] = lambda _said: None,
    ) -> None:
        """`heard` is called with a node and what it says, `opened` when another line is open, `lost` with a node, and
        `failed` with what was said where `heard` has raised.
        """
        self._directory = directory
        self._open_line = open_line
        self._heard = heard
        self._failed = failed
        self._opened = opened
        self._lost = lost
        self._lines: dict[str, Trunk] = {}
        self._kept: set[str] = set()
        self._keeping = Tasks()

    def __contains__(self, node: str) -> bool:
        return node in self._lines

    def forward(self, node: str, said: TrunkMessage) -> None:
        """Say something to a node; without a line this does nothing."""
        if node in self._lines:
            self._lines[node].send(said)

    def reconcile(self) -> None:
        """Open lines to hosts that are new, and break those to hosts that are dead."""
        for node in [node for node in self._lines if node not in self._directory.hosts]:
            self._lines[node].abort()
            self._over(node)
        for node in self._directory.hosts:
            if node not in self._kept:
                self._kept.add(node)
                self._keeping.start(self._keep(node), "line-not-kept", node=node)

    async def aclose(self) -> None:
        """End all lines once everything is sent."""
        await self._keeping.aclose()
        for line in self._lines.values():
            line.close()
        self._lines.clear()

    async def _keep(self, node: str) -> None:
        try:
            while (host := self._directory.hosts.get(node)) is not None:
                with log_failures("line-failed", node=node):
                    await self._hold(node, host.address)
                await asyncio.sleep(AGAIN)
        finally:
            self._kept.discard(node)

    async def _hold(self, node: str, address: str) -> None:
        """Open one line to a node, and wait until it is over."""
        over = asyncio.Event()
        line = Trunk(
            DECODERS[ToFront].decode, partial(self._heard, node), over.set, self._failed, heartbeats=FRONT_HEARTBEATS
        )
        try:
            await self._open_line(address, line)
        except OSError as error:
            log.warning("no-line", extra=fields(node=node, error=error))
            return
        self._lines[node] = line
        try:
            self._opened()
            await over.wait()
        finally:
            line.abort()  # where it is over it does no harm
            if self._lines.get(node) is line:
                self._over(node)

    def _over(self, node: str) -> None:
        del self._lines[node]
        self._lost(node)


class PendingRequest(Struct, frozen=True):
    """What a guest asked for that is not answered yet: to come to a table, or to open one (number 0)."""

    table: int
    payload: bytes
    """The message, packed; empty for one who was at the table when its host died, and is told `Resumed`."""
    claim: int = 0
    """Under which the table that is to be opened is counted, if it is."""
    unlisted: bool = False
    """Whether the table may be so new that no directory lists it yet."""


class RemoteGuest:
    """A guest as one table host has them."""

    def __init__(self) -> None:
        self.window = asyncio.Semaphore(GUEST_WINDOW)
        self.pending: PendingRequest | None = None
        self.leaving = False
        """Whether they went to another host, and what this one says before its `Left` is of no interest."""
        self.gone = False

    def end(self) -> None:
        """The host does not have them any more; nobody waits for it."""
        self.gone = True
        for _ in range(GUEST_WINDOW):
            self.window.release()


class LocalGuest:
    """A guest who is connected to this gateway."""

    def __init__(self, connection: int, link: Link, presence: Presence) -> None:
        self.connection = connection
        self.presence = presence
        self.node = ""
        """The node at one of whose tables they are; `presence.table` is its number."""
        self.gave_up_node = ""
        """The node that has just said that it has their table no more."""
        self.remotes: dict[str, RemoteGuest] = {}
        """By node, wherever they have been brought."""
        self.pending: PendingRequest | None = None
        """What waits until a table has a living host."""
        self.claimed = ""
        """The token whose name is to be given back at the end."""
        self._link = link
        self._patience: asyncio.TimerHandle | None = None

    def send(self, payload: bytes) -> None:
        """Send a packed message."""
        self._link.send(payload)

    def tell(self, message: ToClient) -> None:
        """Send a message."""
        self._link.send(pack(message))

    def end(self) -> None:
        """Close their link."""
        self._link.close()

    def wait(self, asked: PendingRequest, patience: asyncio.TimerHandle) -> None:
        """Wait for a table's host until `patience` ends, or it has ended since they began to wait."""
        if self.pending is None:
            self._patience = patience
        else:
            patience.cancel()
        self.pending = asked

    def stop_waiting(self) -> PendingRequest | None:
        """Return what they waited for."""
        if self._patience is not None:
            self._patience.cancel()
        asked, self.pending, self._patience = self.pending, None, None
        return asked


NO_TABLE = words("That table no longer exists.")
_NO_ROOM = words("The server has no room for another table right now; try again in a moment.")
_NOT_TAKEN_OVER = words("That table cannot be reached right now; try again in a moment.")
UNLISTED = 1.5
"""Seconds after which every gateway lists a new table: its host publishes news every 0.2 seconds."""
DIRECTORY_LAG = 0.5
"""Seconds after which what a gateway knows of a table is newer than what the table's host has said."""


class _Head(Struct):
    """As much of a message as a gateway reads: its type, and of an update the number of the table."""

    type: str
    table: "_TableHead | int | None" = None


class _TableHead(Struct):
    id: int = 0


_head = msgspec.msgpack.Decoder(_Head).decode


class Routes:
    """All guests of a gateway, and the lines to the table hosts."""

    def __init__(self, directory: Directory, open_line: Open, front: Front, scheduler: LoopScheduler) -> None:
        """`open_line` opens a line to a table host; `scheduler` hears of each move of which guests here are told."""
        self.here: dict[int, LocalGuest] = {}
        """By connection."""
        self._directory = directory
        self._front = front
        self._scheduler = scheduler
        self._lines = TrunkPool(directory, open_line, self._handle, self._resume, self._lost, self._failed)
        self._passing = Tasks()

    async def aclose(self) -> None:
        """End all lines."""
        await self._passing.aclose()
        await self._lines.aclose()

    def forget(self, here: LocalGuest) -> None:
        """A guest is gone."""
        del self.here[here.connection]
        here.stop_waiting()
        for node, away in here.remotes.items():
            self._lines.forward(node, GuestGone(here.connection))
            away.end()

    def send(self, out: Outbox) -> None:
        """Send messages of the front."""
        for connection, message in out:
            if (here := self.here.get(connection)) is not None:
                here.tell(message)
                if isinstance(message, Bye):
                    here.end()

    async def open_table(self, here: LocalGuest, payload: bytes) -> None:
        """Bring a guest to where they can open a table, as their message asks. Raises Illegal."""
        self._roomiest()
        guest = here.presence.guest
        claim = await self._directory.claim_table(guest.token if guest else "", here.presence.visitor.address)
        asked = PendingRequest(0, payload, claim)
        try:
            node = self._roomiest()
        except Illegal:
            self._release(asked)
            raise
        await self._pass(here, node, payload, asked)

    async def forward(self, here: LocalGuest, payload: bytes) -> None:
        """Pass on what a guest says at a table."""
        await self._pass(here, here.node, payload)

    async def join_table(self, here: LocalGuest, asked: PendingRequest) -> None:
        """Bring a guest to a table, as soon as it has a living host. Raises Illegal."""
        listed = self._directory.tables.get(asked.table)
        node = listed.host if listed else self._directory.home  # which says why there is none
        if not listed and not node:
            here.presence.table = here.presence.table if here.node else 0
            self._wait(here, PendingRequest(asked.table, asked.payload, unlisted=True), UNLISTED, NO_TABLE)
        elif node in self._lines:
            await self._pass(here, node, asked.payload, asked)
        else:
            self._wait(here, asked)

    def send_back(self, here: LocalGuest, reason: Words | None) -> None:
        """Have a guest in the lobby again."""
        here.node, here.presence.table = "", 0
        here.stop_waiting()
        self.send(self._front.with_pages([(here.connection, Left(reason))]))

    def on_directory_changed(self, numbers: Set[int]) -> None:
        """Take in that tables, or hosts, are different."""
        self._lines.reconcile()
        for here in list(self.here.values()):
            if here.node and here.presence.table in numbers:
                listed = self._directory.tables.get(here.presence.table)
                if listed is not None and listed.host != here.node:
                    self._moved(here)
        self._resume()

    def _roomiest(self) -> str:
        hosts = {
            node: host for node, host in self._directory.hosts.items() if node in self._lines and not host.draining
        }
        if not hosts:
            raise Illegal(_NO_ROOM)
        return min(hosts, key=lambda node: (hosts[node].tables, node))

    async def _pass(self, here: LocalGuest, node: str, payload: bytes, asked: PendingRequest | None = None) -> None:
        """Pass a message on to a table host, which hears first who says it."""
        if here.presence.guest is None or node not in self._lines or self._is_gone(here):
            self._release(asked)
            return
        away = here.remotes.get(node) or self.bring(here, node)
        await away.window.acquire()
        if not away.gone:
            away.pending = asked or away.pending
            self._lines.forward(node, FromGuest(here.connection, payload))
        elif asked is not None:
            self._ask_again(here, asked)

    def bring(self, here: LocalGuest, node: str) -> RemoteGuest:
        """Tell a table host of a guest."""
        away, guest = RemoteGuest(), here.presence.guest
        here.remotes[node] = away
        name, token = (guest.name, guest.token) if guest else ("", "")
        self._lines.forward(node, AttachGuest(here.connection, here.presence.visitor, name, token))
        return away

    # What table hosts say

    def _handle(self, node: str, said: ToFront) -> None:
        here = self.here.get(said.guest)
        away = here.remotes.get(node) if here else None
        if here is None or away is None:
            return
        match said:
            case Credit():
                for _ in range(min(said.count, GUEST_WINDOW)):
                    away.window.release()
            case CloseGuest():
                del here.remotes[node]
                away.end()
                if node == self._directory.home:
                    here.end()
                elif here.node == node:  # it gives the table up
                    self._interrupt(here)
                elif away.pending is not None:  # it closes, and the next one will be known in a moment
                    asyncio.get_running_loop().call_later(AGAIN, self._ask_again, here, away.pending)
            case _:
                self._to_guest(here, node, away, said.payload)

    def _failed(self, said: ToFront) -> None:
        """End the connection of a guest of whom a message got lost; they come back."""
        if (here := self.here.get(said.guest)) is not None:
            here.end()

    def _to_guest(self, here: LocalGuest, node: str, away: RemoteGuest, payload: bytes) -> None:
        head = _head(payload)
        if away.leaving:
            away.leaving = head.type != "left"
            return
        match head.type:
            case "update":
                self._scheduler.note_move()
                number = head.table.id if isinstance(head.table, _TableHead) else 0
                self._answered(here, away, number)
                self._placed(here, node, number)
            case "left":
                if here.node == node or not (here.node or here.presence.table):
                    self.send_back(here, unpack(payload, Left).reason)
                return
            case "bye" if (
                node != self._directory.home and unpack(payload, Bye).again
            ):  # that machine has the table no more, but the guest is at home
                if here.node == node:
                    self._interrupt(here, but=node)
                return
        here.send(payload)
        if head.type == "refused":
            self._refused(here, away)
        elif head.type == "bye":
            here.end()

    def _answered(self, here: LocalGuest, away: RemoteGuest, number: int) -> None:
        """Note that what a guest asked for is answered by an update of a table, and count the table if it is new."""
        asked = away.pending
        if asked is not None and not asked.table and number == here.presence.table:
            return  # they are still at the table where they were
        away.pending = None
        if asked is not None and asked.claim:
            self._passing.start(self._directory.note_table(asked.claim, number), "table-not-noted")

    def _release(self, asked: PendingRequest | None) -> None:
        """Count a table no more that will not be opened; where that is not sure, the claim ends by itself."""
        if asked is not None and asked.claim:
            self._passing.start(self._directory.release_table(asked.claim), "table-not-released")

    def _placed(self, here: LocalGuest, node: str, table: int) -> None:
        """Note where a guest is, and let them go from where they were."""
        before, here.node, here.presence.table = here.node, node, table
        here.stop_waiting()
        if before not in ("", node) and (old := here.remotes.get(before)) is not None:
            old.leaving = True
            self._lines.forward(before, FromGuest(here.connection, pack(Leave())))

    def _refused(self, here: LocalGuest, away: RemoteGuest) -> None:
        """A guest who wanted to come back to a table and cannot is in the lobby."""
        asked, away.pending = away.pending, None
        if not here.node:  # at a table, it may be about anything
            self._release(asked)
        if asked is not None and not here.node and here.presence.table:
            here.presence.table = 0
            self.send([(here.connection, self._front.page(here.presence))])

    # Hosts that die, and tables that move

    def _lost(self, node: str) -> None:
        """A line is broken: interrupt those who are at its tables, and ask again for those who were to come."""
        for here in list(self.here.values()):
            if (away := here.remotes.pop(node, None)) is None:
                continue
            away.end()
            if here.node == node:
                self._interrupt(here)
            if away.pending is not None:
                self._ask_again(here, away.pending)

    def _interrupt(self, here: LocalGuest, but: str = "") -> None:
        """The host of a guest's table is gone: keep their place until somebody has the table.

        A host that has said itself that it has the table no more, `but`, may still be listed for a moment.
        """
        here.node, here.gave_up_node = "", but
        if but:
            asyncio.get_running_loop().call_later(DIRECTORY_LAG, self._clear_gave_up, here)
        here.tell(Interrupted())
        self._wait(here, PendingRequest(here.presence.table, b""))
        self._resume_one(here)

    def _clear_gave_up(self, here: LocalGuest) -> None:
        """By now the directory knows."""
        here.gave_up_node = ""
        if not self._is_gone(here):
            self._resume_one(here)

    def _is_gone(self, here: LocalGuest) -> bool:
        """Whether a guest has hung up while something was still to be done for them."""
        return self.here.get(here.connection) is not here

    def _ask_again(self, here: LocalGuest, asked: PendingRequest) -> None:
        if self._is_gone(here):
            return
        if asked.table:
            self._wait(here, asked)
            self._resume_one(here)
        else:
            here.tell(Refused(_NO_ROOM))

    def _wait(
        self, here: LocalGuest, asked: PendingRequest, seconds: float = TAKEOVER, otherwise: Words = _NOT_TAKEN_OVER
    ) -> None:
        """Wait for a table to have a host; after `seconds`, refuse with the sentence `otherwise`."""
        here.wait(asked, asyncio.get_running_loop().call_later(seconds, self._give_up, here, otherwise))

    def _give_up(self, here: LocalGuest, reason: Words) -> None:
        asked = here.stop_waiting()
        if asked is None:
            return
        if asked.payload and (here.node or not here.presence.table):
            here.tell(Refused(reason))
        else:
            self.send_back(here, reason)

    def _resume(self) -> None:
        for here in list(self.here.values()):
            self._resume_one(here)

    def _resume_one(self, here: LocalGuest) -> None:
        """Let a guest go on whose table has a host again."""
        if (asked := here.pending) is None:
            return
        listed = self._directory.tables.get(asked.table)
        if listed is None:
            if not asked.unlisted:
                self._give_up(here, NO_TABLE)
        elif listed.host in self._lines and listed.host != here.gave_up_node:
            here.stop_waiting()
            if not asked.payload:
                here.tell(Resumed())
                return
            self._passing.start(
                self._pass(here, listed.host, asked.payload, asked), "guest-not-passed-on", failed=here.end
            )

    def _moved(self, here: LocalGuest) -> None:
        """Somebody else has the table of a guest: what its last host still says of it does not count."""
        if (away := here.remotes.pop(here.node, None)) is not None:
            away.end()
            self._lines.forward(here.node, GuestGone(here.connection))
        self._interrupt(here)
