"""Routes of a gateway's guests: over trunks to the hosts of their tables, and to another host when one dies."""

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
from net.logs import fields
from net.loop import LoopScheduler, Tasks, log_failures
from net.table.table import Outbox
from net.trunk import (
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
from net.wire.link import Link, pack, unpack
from net.wire.messages import Bye, Interrupted, Leave, Left, Refused, Resumed, ToClient

RETRY_DELAY = 0.1
"""Seconds before a trunk that broke, or could not be opened, is tried again."""
Open = Callable[[str, Trunk], Awaitable[None]]
"""Opens a trunk to an address. Raises OSError."""
log = logging.getLogger(__name__)


class TrunkPool:
    """A trunk to each living table host."""

    def __init__(
        self,
        directory: Directory,
        open_line: Open,
        on_message: Callable[[str, ToFront], None],
        opened: Callable[[], None],
        lost: Callable[[str], None],
        failed: Callable[[ToFront], None] = lambda _message: None,
    ) -> None:
        """`on_message` is called with a node and its message, `opened` when another trunk is open, `lost` with the
        node of a broken trunk, and `failed` with a message for which `on_message` has raised.
        """
        self._directory = directory
        self._open_line = open_line
        self._on_message = on_message
        self._failed = failed
        self._opened = opened
        self._lost = lost
        self._lines: dict[str, Trunk] = {}
        self._kept: set[str] = set()
        self._keeping = Tasks()

    def __contains__(self, node: str) -> bool:
        return node in self._lines

    def forward(self, node: str, message: TrunkMessage) -> None:
        """Send a message to a node; without a trunk this does nothing."""
        if node in self._lines:
            self._lines[node].send(message)

    def reconcile(self) -> None:
        """Open trunks to new hosts, and break those to dead ones."""
        for node in [node for node in self._lines if node not in self._directory.hosts]:
            self._lines[node].abort()
            self._over(node)
        for node in self._directory.hosts:
            if node not in self._kept:
                self._kept.add(node)
                self._keeping.start(self._keep(node), "line-not-kept", node=node)

    async def aclose(self) -> None:
        """Close all trunks once their buffers are sent."""
        await self._keeping.aclose()
        for line in self._lines.values():
            line.close()
        self._lines.clear()

    async def _keep(self, node: str) -> None:
        try:
            while (host := self._directory.hosts.get(node)) is not None:
                with log_failures("line-failed", node=node):
                    await self._hold(node, host.address)
                await asyncio.sleep(RETRY_DELAY)
        finally:
            self._kept.discard(node)

    async def _hold(self, node: str, address: str) -> None:
        """Open a trunk to a node, and wait until it ends."""
        over = asyncio.Event()
        line = Trunk(
            DECODERS[ToFront].decode,
            partial(self._on_message, node),
            over.set,
            self._failed,
            heartbeats=FRONT_HEARTBEATS,
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
            line.abort()  # harmless once it has ended
            if self._lines.get(node) is line:
                self._over(node)

    def _over(self, node: str) -> None:
        del self._lines[node]
        self._lost(node)


class PendingRequest(Struct, frozen=True):
    """A guest's unanswered request to join a table, or to open one (number 0)."""

    table: int
    payload: bytes
    """Packed message; empty for a guest who was at the table when its host died, and gets `Resumed` instead."""
    claim: int = 0
    """Claim under which the new table is counted; 0 for none."""
    unlisted: bool = False
    """True if the table may be too new for the directory."""


class RemoteGuest:
    """State of a guest at one table host."""

    def __init__(self) -> None:
        self.window = asyncio.Semaphore(GUEST_WINDOW)
        self.pending: PendingRequest | None = None
        self.leaving = False
        """True once the guest has moved to another table host; messages from this one are dropped until its `Left`.
        """
        self.gone = False

    def end(self) -> None:
        """Mark the guest as gone from the host, and release all who wait for its window."""
        self.gone = True
        for _ in range(GUEST_WINDOW):
            self.window.release()


class LocalGuest:
    """A guest who is connected to this gateway."""

    def __init__(self, connection: int, link: Link, presence: Presence) -> None:
        self.connection = connection
        self.presence = presence
        self.node = ""
        """Node that runs the guest's table, whose number is `presence.table`; empty in the lobby."""
        self.gave_up_node = ""
        """Node that has just given up the guest's table. The directory lists it for up to `DIRECTORY_LAG` seconds."""
        self.remotes: dict[str, RemoteGuest] = {}
        """Table hosts to which the guest is attached, by node."""
        self.pending: PendingRequest | None = None
        """Request that waits until its table has a living host."""
        self.claimed = ""
        """Token whose name must be released at the end."""
        self._link = link
        self._timeout: asyncio.TimerHandle | None = None

    def send(self, payload: bytes) -> None:
        """Send a packed message."""
        self._link.send(payload)

    def tell(self, message: ToClient) -> None:
        """Send a message."""
        self._link.send(pack(message))

    def end(self) -> None:
        """Close the guest's link."""
        self._link.close()

    def wait(self, asked: PendingRequest, timeout: asyncio.TimerHandle) -> None:
        """Hold `asked` until its table has a live host, or `timeout` fires. A second request replaces the first, but
        not its timer.
        """
        if self.pending is None:
            self._timeout = timeout
        else:
            timeout.cancel()
        self.pending = asked

    def stop_waiting(self) -> PendingRequest | None:
        """Stop waiting; return the request that waited."""
        if self._timeout is not None:
            self._timeout.cancel()
        asked, self.pending, self._timeout = self.pending, None, None
        return asked


NO_TABLE = words("That table no longer exists.")
_NO_ROOM = words("The server has no room for another table right now; try again in a moment.")
_NOT_TAKEN_OVER = words("That table cannot be reached right now; try again in a moment.")
UNLISTED = 1.5
"""Seconds until every gateway lists a new table: hosts publish changes every 0.2 seconds."""
DIRECTORY_LAG = 0.5
"""Seconds after which the directory is more recent than the last message of a table's host."""


class _Head(Struct):
    """The parts of a message that a gateway reads: its type, and the table's number in an update."""

    type: str
    table: "_TableHead | int | None" = None


class _TableHead(Struct):
    id: int = 0


_head = msgspec.msgpack.Decoder(_Head).decode


class Routes:
    """All guests of a gateway, and the trunks to the table hosts."""

    def __init__(self, directory: Directory, open_line: Open, front: Front, scheduler: LoopScheduler) -> None:
        """`open_line` opens a trunk to a table host; `scheduler` is notified of each move that is sent to guests
        here.
        """
        self.here: dict[int, LocalGuest] = {}
        """By connection."""
        self._directory = directory
        self._front = front
        self._scheduler = scheduler
        self._lines = TrunkPool(directory, open_line, self._handle, self._resume, self._lost, self._failed)
        self._passing = Tasks()

    async def aclose(self) -> None:
        """Close all trunks."""
        await self._passing.aclose()
        await self._lines.aclose()

    def forget(self, here: LocalGuest) -> None:
        """Discard a guest whose connection has ended."""
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
        """Forward a request for a new table to the host with the fewest tables. Raises Illegal."""
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
        """Forward a guest's message to the host of their table."""
        await self._pass(here, here.node, payload)

    async def join_table(self, here: LocalGuest, asked: PendingRequest) -> None:
        """Have a guest join a table, as soon as it has a living host. Raises Illegal."""
        listed = self._directory.tables.get(asked.table)
        node = listed.host if listed else self._directory.home  # `home` answers why there is none
        if not listed and not node:
            here.presence.table = here.presence.table if here.node else 0
            self._wait(here, PendingRequest(asked.table, asked.payload, unlisted=True), UNLISTED, NO_TABLE)
        elif node in self._lines:
            await self._pass(here, node, asked.payload, asked)
        else:
            self._wait(here, asked)

    def send_back(self, here: LocalGuest, reason: Words | None) -> None:
        """Return a guest to the lobby."""
        here.node, here.presence.table = "", 0
        here.stop_waiting()
        self.send(self._front.with_pages([(here.connection, Left(reason))]))

    def on_directory_changed(self, numbers: Set[int]) -> None:
        """Apply changes of the directory: `numbers` are the tables that differ; hosts may differ, too."""
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
        """Forward a message to a table host, after attaching the guest there."""
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
        """Attach a guest to a table host."""
        away, guest = RemoteGuest(), here.presence.guest
        here.remotes[node] = away
        name, token = (guest.name, guest.token) if guest else ("", "")
        self._lines.forward(node, AttachGuest(here.connection, here.presence.visitor, name, token))
        return away

    # Messages of table hosts

    def _handle(self, node: str, message: ToFront) -> None:
        here = self.here.get(message.guest)
        away = here.remotes.get(node) if here else None
        if here is None or away is None:
            return
        match message:
            case Credit():
                for _ in range(min(message.count, GUEST_WINDOW)):
                    away.window.release()
            case CloseGuest():
                del here.remotes[node]
                away.end()
                if node == self._directory.home:
                    here.end()
                elif here.node == node:  # it has given up the table
                    self._interrupt(here)
                # the host is closing: retry, the directory will have another one in a moment
                elif away.pending is not None:
                    asyncio.get_running_loop().call_later(RETRY_DELAY, self._ask_again, here, away.pending)
            case _:
                self._to_guest(here, node, away, message.payload)

    def _failed(self, message: ToFront) -> None:
        """Disconnect a guest of whom a message was lost; their client reconnects."""
        if (here := self.here.get(message.guest)) is not None:
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
            ):  # that node has given up the table, but the guest stays connected here
                if here.node == node:
                    self._interrupt(here, gave_up=node)
                return
        here.send(payload)
        if head.type == "refused":
            self._refused(here, away)
        elif head.type == "bye":
            here.end()

    def _answered(self, here: LocalGuest, away: RemoteGuest, number: int) -> None:
        """Clear the pending request that an update of a table answers; record the number of a new table."""
        asked = away.pending
        if asked is not None and not asked.table and number == here.presence.table:
            return  # an update of the table that they are about to leave
        away.pending = None
        if asked is not None and asked.claim:
            self._passing.start(self._directory.note_table(asked.claim, number), "table-not-noted")

    def _release(self, asked: PendingRequest | None) -> None:
        """Release the claim of a table that will not be opened; if this fails, the claim expires."""
        if asked is not None and asked.claim:
            self._passing.start(self._directory.release_table(asked.claim), "table-not-released")

    def _placed(self, here: LocalGuest, node: str, table: int) -> None:
        """Record the table of a guest, and leave the former one on another host."""
        before, here.node, here.presence.table = here.node, node, table
        here.stop_waiting()
        if before not in ("", node) and (old := here.remotes.get(before)) is not None:
            old.leaving = True
            self._lines.forward(before, FromGuest(here.connection, pack(Leave())))

    def _refused(self, here: LocalGuest, away: RemoteGuest) -> None:
        """Clear the pending request; a guest who cannot return to their table is sent to the lobby."""
        asked, away.pending = away.pending, None
        if not here.node:  # at a table, another request may have been refused
            self._release(asked)
        if asked is not None and not here.node and here.presence.table:
            here.presence.table = 0
            self.send([(here.connection, self._front.page(here.presence))])

    # Hosts that die, and tables that move

    def _lost(self, node: str) -> None:
        """Handle a broken trunk: interrupt guests at the node's tables, and repeat pending requests."""
        for here in list(self.here.values()):
            if (away := here.remotes.pop(node, None)) is None:
                continue
            away.end()
            if here.node == node:
                self._interrupt(here)
            if away.pending is not None:
                self._ask_again(here, away.pending)

    def _interrupt(self, here: LocalGuest, gave_up: str = "") -> None:
        """Tell a guest that the host of their table is gone, and wait until the table has another.

        `gave_up` is the node that has given up the table itself; it may still be listed for a moment.
        """
        here.node, here.gave_up_node = "", gave_up
        if gave_up:
            asyncio.get_running_loop().call_later(DIRECTORY_LAG, self._clear_gave_up, here)
        here.tell(Interrupted())
        self._wait(here, PendingRequest(here.presence.table, b""))
        self._resume_one(here)

    def _clear_gave_up(self, here: LocalGuest) -> None:
        """Accept the node that gave up the table again: the directory is up to date now."""
        here.gave_up_node = ""
        if not self._is_gone(here):
            self._resume_one(here)

    def _is_gone(self, here: LocalGuest) -> bool:
        """Return True if a guest has disconnected while their request was being handled."""
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
        """Continue the request of a guest whose table has a host again."""
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
        """Detach a guest from the former host of their table; its messages do not count any more."""
        if (away := here.remotes.pop(here.node, None)) is not None:
            away.end()
            self._lines.forward(here.node, GuestGone(here.connection))
        self._interrupt(here)
