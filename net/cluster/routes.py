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
OpenTrunk = Callable[[str, Trunk], Awaitable[None]]
"""Opens a trunk to an address. Raises OSError."""
log = logging.getLogger(__name__)


class TrunkPool:
    """A trunk to each living table host."""

    def __init__(
        self,
        directory: Directory,
        open_trunk: OpenTrunk,
        on_message: Callable[[str, ToFront], None],
        on_open: Callable[[], None],
        on_lost: Callable[[str], None],
        on_failure: Callable[[ToFront], None] = lambda _message: None,
    ) -> None:
        """`on_message` is called with a node and its message, `on_open` when another trunk is open, `on_lost` with
        the node of a broken trunk, and `on_failure` with a message for which `on_message` has raised.
        """
        self._directory = directory
        self._open_trunk = open_trunk
        self._on_message = on_message
        self._on_failure = on_failure
        self._on_open = on_open
        self._on_lost = on_lost
        self._trunks: dict[str, Trunk] = {}
        self._maintained: set[str] = set()
        self._maintenance = Tasks()

    def __contains__(self, node: str) -> bool:
        return node in self._trunks

    def forward(self, node: str, message: TrunkMessage) -> None:
        """Send a message to a node; without a trunk this does nothing."""
        if node in self._trunks:
            self._trunks[node].send(message)

    def reconcile(self) -> None:
        """Open trunks to new hosts, and break those to dead ones."""
        for node in [node for node in self._trunks if node not in self._directory.hosts]:
            self._trunks[node].abort()
            self._remove_trunk(node)
        for node in self._directory.hosts:
            if node not in self._maintained:
                self._maintained.add(node)
                self._maintenance.start(self._keep_connected(node), "line-not-kept", node=node)

    async def aclose(self) -> None:
        """Close all trunks once their buffers are sent."""
        await self._maintenance.aclose()
        for trunk in self._trunks.values():
            trunk.close()
        self._trunks.clear()

    async def _keep_connected(self, node: str) -> None:
        try:
            while (host := self._directory.hosts.get(node)) is not None:
                with log_failures("line-failed", node=node):
                    await self._run_trunk(node, host.address)
                await asyncio.sleep(RETRY_DELAY)
        finally:
            self._maintained.discard(node)

    async def _run_trunk(self, node: str, address: str) -> None:
        """Open a trunk to a node, and wait until it ends."""
        ended = asyncio.Event()
        trunk = Trunk(
            DECODERS[ToFront].decode,
            partial(self._on_message, node),
            ended.set,
            self._on_failure,
            heartbeats=FRONT_HEARTBEATS,
        )
        try:
            await self._open_trunk(address, trunk)
        except OSError as error:
            log.warning("no-line", extra=fields(node=node, error=error))
            return
        self._trunks[node] = trunk
        try:
            self._on_open()
            await ended.wait()
        finally:
            trunk.abort()  # harmless once it has ended
            if self._trunks.get(node) is trunk:
                self._remove_trunk(node)

    def _remove_trunk(self, node: str) -> None:
        del self._trunks[node]
        self._on_lost(node)


class PendingRequest(Struct, frozen=True):
    """A guest's unanswered request to join a table, or to open one (number 0)."""

    table: int
    payload: bytes
    """Packed message; empty for a guest who was at the table when its host died, and gets `Resumed` instead."""
    claim: int = 0
    """Claim under which the new table is counted; 0 if there is none."""
    may_be_unlisted: bool = False
    """True if the table may be too new for the directory."""


class RemoteGuest:
    """State of a guest at one table host."""

    def __init__(self) -> None:
        self.window = asyncio.Semaphore(GUEST_WINDOW)
        self.pending: PendingRequest | None = None
        self.is_leaving = False
        """True once the guest has moved to another table host; messages from this one are dropped until its `Left`.
        """
        self.is_gone = False

    def end(self) -> None:
        """Mark the guest as gone from the host, and release all who wait for its window."""
        self.is_gone = True
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

    def wait(self, request: PendingRequest, timeout: asyncio.TimerHandle) -> None:
        """Hold `request` until its table has a live host, or `timeout` fires.

        A second request replaces the first, but not its timer.
        """
        if self.pending is None:
            self._timeout = timeout
        else:
            timeout.cancel()
        self.pending = request

    def stop_waiting(self) -> PendingRequest | None:
        """Stop waiting; return the request that waited."""
        if self._timeout is not None:
            self._timeout.cancel()
        request, self.pending, self._timeout = self.pending, None, None
        return request


NO_TABLE = words("That table no longer exists.")
_NO_ROOM = words("The server has no room for another table right now; try again in a moment.")
_NOT_TAKEN_OVER = words("That table cannot be reached right now; try again in a moment.")
UNLISTED_TIMEOUT = 1.5
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

    def __init__(self, directory: Directory, open_trunk: OpenTrunk, front: Front, scheduler: LoopScheduler) -> None:
        """`open_trunk` opens a trunk to a table host; `scheduler` is notified of each move that is sent to guests
        here.
        """
        self.local_guests: dict[int, LocalGuest] = {}
        """By connection."""
        self._directory = directory
        self._front = front
        self._scheduler = scheduler
        self._trunk_pool = TrunkPool(
            directory, open_trunk, self._handle, self._resume, self._handle_lost_trunk, self._handle_failure
        )
        self._tasks = Tasks()

    async def aclose(self) -> None:
        """Close all trunks."""
        await self._tasks.aclose()
        await self._trunk_pool.aclose()

    def forget(self, local_guest: LocalGuest) -> None:
        """Discard a guest whose connection has ended."""
        del self.local_guests[local_guest.connection]
        local_guest.stop_waiting()
        for node, remote_guest in local_guest.remotes.items():
            self._trunk_pool.forward(node, GuestGone(local_guest.connection))
            remote_guest.end()

    def send(self, outbox: Outbox) -> None:
        """Send messages of the front."""
        for connection, message in outbox:
            if (local_guest := self.local_guests.get(connection)) is not None:
                local_guest.tell(message)
                if isinstance(message, Bye):
                    local_guest.end()

    async def open_table(self, local_guest: LocalGuest, payload: bytes) -> None:
        """Forward a request for a new table to the host with the fewest tables. Raises Illegal."""
        self._emptiest_host()
        guest = local_guest.presence.guest
        claim = await self._directory.claim_table(guest.token if guest else "", local_guest.presence.visitor.address)
        request = PendingRequest(0, payload, claim)
        try:
            node = self._emptiest_host()
        except Illegal:
            self._release_claim(request)
            raise
        await self._forward_to(local_guest, node, payload, request)

    async def forward(self, local_guest: LocalGuest, payload: bytes) -> None:
        """Forward a guest's message to the host of their table."""
        await self._forward_to(local_guest, local_guest.node, payload)

    async def join_table(self, local_guest: LocalGuest, request: PendingRequest) -> None:
        """Have a guest join a table, as soon as it has a living host. Raises Illegal."""
        entry = self._directory.tables.get(request.table)
        node = entry.host if entry else self._directory.home  # `home` answers why there is none
        if not entry and not node:
            local_guest.presence.table = local_guest.presence.table if local_guest.node else 0
            self._wait(
                local_guest,
                PendingRequest(request.table, request.payload, may_be_unlisted=True),
                UNLISTED_TIMEOUT,
                NO_TABLE,
            )
        elif node in self._trunk_pool:
            await self._forward_to(local_guest, node, request.payload, request)
        else:
            self._wait(local_guest, request)

    def send_back(self, local_guest: LocalGuest, reason: Words | None) -> None:
        """Return a guest to the lobby."""
        local_guest.node, local_guest.presence.table = "", 0
        local_guest.stop_waiting()
        self.send(self._front.with_pages([(local_guest.connection, Left(reason))]))

    def on_directory_changed(self, numbers: Set[int]) -> None:
        """Apply changes of the directory: `numbers` are the tables that differ; hosts may differ, too."""
        self._trunk_pool.reconcile()
        for local_guest in list(self.local_guests.values()):
            if local_guest.node and local_guest.presence.table in numbers:
                entry = self._directory.tables.get(local_guest.presence.table)
                if entry is not None and entry.host != local_guest.node:
                    self._leave_former_host(local_guest)
        self._resume()

    def _emptiest_host(self) -> str:
        hosts = {
            node: host
            for node, host in self._directory.hosts.items()
            if node in self._trunk_pool and not host.draining
        }
        if not hosts:
            raise Illegal(_NO_ROOM)
        return min(hosts, key=lambda node: (hosts[node].tables, node))

    async def _forward_to(
        self, local_guest: LocalGuest, node: str, payload: bytes, request: PendingRequest | None = None
    ) -> None:
        """Forward a message to a table host, after attaching the guest there."""
        if local_guest.presence.guest is None or node not in self._trunk_pool or self._is_gone(local_guest):
            self._release_claim(request)
            return
        remote_guest = local_guest.remotes.get(node) or self.attach(local_guest, node)
        await remote_guest.window.acquire()
        if not remote_guest.is_gone:
            remote_guest.pending = request or remote_guest.pending
            self._trunk_pool.forward(node, FromGuest(local_guest.connection, payload))
        elif request is not None:
            self._ask_again(local_guest, request)

    def attach(self, local_guest: LocalGuest, node: str) -> RemoteGuest:
        """Attach a guest to a table host."""
        remote_guest, guest = RemoteGuest(), local_guest.presence.guest
        local_guest.remotes[node] = remote_guest
        name, token = (guest.name, guest.token) if guest else ("", "")
        self._trunk_pool.forward(node, AttachGuest(local_guest.connection, local_guest.presence.visitor, name, token))
        return remote_guest

    # Messages of table hosts

    def _handle(self, node: str, message: ToFront) -> None:
        local_guest = self.local_guests.get(message.guest)
        remote_guest = local_guest.remotes.get(node) if local_guest else None
        if local_guest is None or remote_guest is None:
            return
        match message:
            case Credit():
                for _ in range(min(message.count, GUEST_WINDOW)):
                    remote_guest.window.release()
            case CloseGuest():
                del local_guest.remotes[node]
                remote_guest.end()
                if node == self._directory.home:
                    local_guest.end()
                elif local_guest.node == node:  # it has given up the table
                    self._interrupt(local_guest)
                # the host is closing: retry, the directory will have another one in a moment
                elif remote_guest.pending is not None:
                    asyncio.get_running_loop().call_later(
                        RETRY_DELAY, self._ask_again, local_guest, remote_guest.pending
                    )
            case _:
                self._forward_to_guest(local_guest, node, remote_guest, message.payload)

    def _handle_failure(self, message: ToFront) -> None:
        """Disconnect a guest of whom a message was lost; their client reconnects."""
        if (local_guest := self.local_guests.get(message.guest)) is not None:
            local_guest.end()

    def _forward_to_guest(
        self, local_guest: LocalGuest, node: str, remote_guest: RemoteGuest, payload: bytes
    ) -> None:
        head = _head(payload)
        if remote_guest.is_leaving:
            remote_guest.is_leaving = head.type != "left"
            return
        match head.type:
            case "update":
                self._scheduler.note_move()
                table_number = head.table.id if isinstance(head.table, _TableHead) else 0
                self._clear_answered(local_guest, remote_guest, table_number)
                self._record_table(local_guest, node, table_number)
            case "left":
                if local_guest.node == node or not (local_guest.node or local_guest.presence.table):
                    self.send_back(local_guest, unpack(payload, Left).reason)
                return
            case "bye" if (
                node != self._directory.home and unpack(payload, Bye).again
            ):  # that node has given up the table, but the guest stays connected here
                if local_guest.node == node:
                    self._interrupt(local_guest, gave_up=node)
                return
        local_guest.send(payload)
        if head.type == "refused":
            self._handle_refusal(local_guest, remote_guest)
        elif head.type == "bye":
            local_guest.end()

    def _clear_answered(self, local_guest: LocalGuest, remote_guest: RemoteGuest, number: int) -> None:
        """Clear the pending request that an update of a table answers; record the number of a new table."""
        request = remote_guest.pending
        if request is not None and not request.table and number == local_guest.presence.table:
            return  # an update of the table that they are about to leave
        remote_guest.pending = None
        if request is not None and request.claim:
            self._tasks.start(self._directory.note_table(request.claim, number), "table-not-noted")

    def _release_claim(self, request: PendingRequest | None) -> None:
        """Release the claim of a table that will not be opened; if this fails, the claim expires."""
        if request is not None and request.claim:
            self._tasks.start(self._directory.release_table(request.claim), "table-not-released")

    def _record_table(self, local_guest: LocalGuest, node: str, table: int) -> None:
        """Record the table of a guest, and leave the former one on another host."""
        former_node, local_guest.node, local_guest.presence.table = local_guest.node, node, table
        local_guest.stop_waiting()
        if former_node not in ("", node) and (former_remote := local_guest.remotes.get(former_node)) is not None:
            former_remote.is_leaving = True
            self._trunk_pool.forward(former_node, FromGuest(local_guest.connection, pack(Leave())))

    def _handle_refusal(self, local_guest: LocalGuest, remote_guest: RemoteGuest) -> None:
        """Clear the pending request; a guest who cannot return to their table is sent to the lobby."""
        request, remote_guest.pending = remote_guest.pending, None
        if not local_guest.node:  # at a table, another request may have been refused
            self._release_claim(request)
        if request is not None and not local_guest.node and local_guest.presence.table:
            local_guest.presence.table = 0
            self.send([(local_guest.connection, self._front.page(local_guest.presence))])

    # Hosts that die, and tables that move

    def _handle_lost_trunk(self, node: str) -> None:
        """Handle a broken trunk: interrupt guests at the node's tables, and repeat pending requests."""
        for local_guest in list(self.local_guests.values()):
            if (remote_guest := local_guest.remotes.pop(node, None)) is None:
                continue
            remote_guest.end()
            if local_guest.node == node:
                self._interrupt(local_guest)
            if remote_guest.pending is not None:
                self._ask_again(local_guest, remote_guest.pending)

    def _interrupt(self, local_guest: LocalGuest, gave_up: str = "") -> None:
        """Tell a guest that the host of their table is gone, and wait until the table has another.

        `gave_up` is the node that has given up the table itself; it may still be listed for a moment.
        """
        local_guest.node, local_guest.gave_up_node = "", gave_up
        if gave_up:
            asyncio.get_running_loop().call_later(DIRECTORY_LAG, self._forgive_node, local_guest)
        local_guest.tell(Interrupted())
        self._wait(local_guest, PendingRequest(local_guest.presence.table, b""))
        self._resume_one(local_guest)

    def _forgive_node(self, local_guest: LocalGuest) -> None:
        """Accept the node that gave up the table again: the directory is up to date now."""
        local_guest.gave_up_node = ""
        if not self._is_gone(local_guest):
            self._resume_one(local_guest)

    def _is_gone(self, local_guest: LocalGuest) -> bool:
        """Return True if a guest has disconnected while their request was being handled."""
        return self.local_guests.get(local_guest.connection) is not local_guest

    def _ask_again(self, local_guest: LocalGuest, request: PendingRequest) -> None:
        if self._is_gone(local_guest):
            return
        if request.table:
            self._wait(local_guest, request)
            self._resume_one(local_guest)
        else:
            local_guest.tell(Refused(_NO_ROOM))

    def _wait(
        self,
        local_guest: LocalGuest,
        request: PendingRequest,
        seconds: float = TAKEOVER,
        refusal: Words = _NOT_TAKEN_OVER,
    ) -> None:
        """Wait for a table to have a host; after `seconds`, refuse with the sentence `refusal`."""
        local_guest.wait(request, asyncio.get_running_loop().call_later(seconds, self._give_up, local_guest, refusal))

    def _give_up(self, local_guest: LocalGuest, reason: Words) -> None:
        request = local_guest.stop_waiting()
        if request is None:
            return
        if request.payload and (local_guest.node or not local_guest.presence.table):
            local_guest.tell(Refused(reason))
        else:
            self.send_back(local_guest, reason)

    def _resume(self) -> None:
        for local_guest in list(self.local_guests.values()):
            self._resume_one(local_guest)

    def _resume_one(self, local_guest: LocalGuest) -> None:
        """Continue the request of a guest whose table has a host again."""
        if (request := local_guest.pending) is None:
            return
        entry = self._directory.tables.get(request.table)
        if entry is None:
            if not request.may_be_unlisted:
                self._give_up(local_guest, NO_TABLE)
        elif entry.host in self._trunk_pool and entry.host != local_guest.gave_up_node:
            local_guest.stop_waiting()
            if not request.payload:
                local_guest.tell(Resumed())
                return
            self._tasks.start(
                self._forward_to(local_guest, entry.host, request.payload, request),
                "guest-not-passed-on",
                on_failure=local_guest.end,
            )

    def _leave_former_host(self, local_guest: LocalGuest) -> None:
        """Detach a guest from the former host of their table; its messages do not count any more."""
        if (remote_guest := local_guest.remotes.pop(local_guest.node, None)) is not None:
            remote_guest.end()
            self._trunk_pool.forward(local_guest.node, GuestGone(local_guest.connection))
        self._interrupt(local_guest)
