"""What a host keeps of the connections that its gateways serve, and how it serves the guests who come over them."""

from collections.abc import Callable, Coroutine
from typing import Any

from net.contained import Tasks
from net.host.access import Access, DenialReason, Elsewhere, network_of
from net.host.game_server import GameServer
from net.host.metrics import Metrics
from net.host.presence import Visitor
from net.limits import Limits
from net.lines.guest_link import GuestLink
from net.ssh.gateways.messages import Deny, ToGateway
from net.ssh.server.admissions import Admissions
from net.ssh.server.terminal import Identity

Say = Callable[[ToGateway], None]


class Distant:
    """A connection that a gateway serves, as far as it is counted here (`net.ssh.server.admissions.Connected`)."""

    def __init__(self, number: int, address: str, say: Say) -> None:
        self.number = number
        self.address = address
        self.network = network_of(address)
        self.identity: Identity | None = None
        self.read_since = float("inf")
        self.exchanged = False
        self.open_sessions = 0
        self.claimed = 0
        """How many of them are counted elsewhere as well."""
        self._say = say

    def hang_up(self) -> None:
        """Cut the connection now."""
        self._say(Deny(self.number))

    def deny(self, reason: DenialReason) -> None:
        """Close the connection now, with a reason."""
        self._say(Deny(self.number, reason))


class Guests(Admissions[Distant]):
    """All connections that the gateways of a host serve, and the guests who come over them."""

    def __init__(
        self,
        server: GameServer,
        access: Access,
        limits: Limits,
        metrics: Metrics,
        expects: Callable[[Identity], bool] | None = None,
        elsewhere: Elsewhere | None = None,
    ) -> None:
        """The rules are those of `Admissions`."""
        super().__init__(access, limits, metrics, expects, elsewhere)
        self._server = server
        self._serving = Tasks()

    def authenticated(self, distant: Distant, identity: Identity) -> None:
        """Let somebody in who has authenticated, unless they are banned or there is no room."""
        if identity.key is not None and self.access.banned(identity.key):
            distant.deny(DenialReason.BANNED)
        elif not self.has_room_for(identity):
            distant.deny(DenialReason.FULL)
        else:
            distant.identity = identity

    async def claims_session(self, distant: Distant) -> bool:
        """Return whether a connection may open one more session, and count it."""
        if distant.identity is None or not self.may_open_session(distant.identity.key):
            return False
        distant.open_sessions += 1  # now: others may be asked for meanwhile
        key = distant.identity.key
        if key and not await self.elsewhere.claim_session(key):
            distant.open_sessions -= 1
            return False
        if key:
            distant.claimed += 1
            if distant not in self.connected:  # it has ended meanwhile
                self._release(distant)
        return True

    def session_ended(self, distant: Distant) -> None:
        """Count out a session that was claimed."""
        distant.open_sessions -= 1
        self._release(distant, 1)

    def forget(self, connection: Distant) -> None:
        """Note that a connection is gone, and so all its sessions."""
        super().forget(connection)
        self._release(connection)

    def answer(self, question: Coroutine[Any, Any, None], failed: Callable[[], None]) -> None:
        """Answer what a gateway asks, in a task of the host; `failed` gives another answer should that fail."""
        self._serving.start(question, "question-failed", failed=failed)

    def serve(self, link: GuestLink, visitor: Visitor, gone: Callable[[], object]) -> None:
        """Serve a guest in a task of the host, and say when they are `gone`."""
        self._serving.start(
            self._serve(link, visitor, gone), "session-crashed", user=visitor.user, address=visitor.address
        )

    async def aclose(self, within: float) -> None:
        """Wait so many seconds until everybody has left, then end all that is left."""
        await self._serving.wait(within)
        await self._serving.aclose()

    def _release(self, distant: Distant, most: int | None = None) -> None:
        """Count out what was claimed elsewhere: so many sessions at most, or all."""
        key = distant.identity.key if distant.identity else None
        for _ in range(distant.claimed if most is None else min(most, distant.claimed)):
            distant.claimed -= 1
            self.elsewhere.release_session(key or "")

    async def _serve(self, link: GuestLink, visitor: Visitor, gone: Callable[[], object]) -> None:
        try:
            await self._server.serve(link, visitor)
        finally:
            link.close()
            gone()
