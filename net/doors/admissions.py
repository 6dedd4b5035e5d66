"""Who is connected over SSH at this moment, and who may come in besides: the limits that count connections."""

import asyncio
import logging
from collections import Counter
from collections.abc import Awaitable, Callable, Iterable, Sequence
from typing import Generic, Protocol, TypeVar

from net.doors.terminal import Identity
from net.host.access import Access, DenialReason, Elsewhere, canonical_address, network_of
from net.host.metrics import Metrics
from net.limits import Limits
from net.logs import fields

log = logging.getLogger(__name__)


class Unauthenticated(Protocol):
    """A connection that has not authenticated yet."""

    network: str
    """The network that its address belongs to, which limits count as one client."""
    read_since: float
    """When the host began to read from it; infinite before that."""

    @property
    def exchanged(self) -> bool:
        """Whether it has exchanged keys, and so is a client that answers."""


class Connected(Unauthenticated, Protocol):
    """What is counted of a connection, whichever process serves it."""

    address: str
    identity: Identity | None
    """None until it has authenticated."""

    @property
    def open_sessions(self) -> int:
        """How many sessions it has open."""

    def hang_up(self) -> None:
        """Cut the connection now."""


C = TypeVar("C", bound=Connected)
Expects = Callable[[Identity], Awaitable[bool]]
"""Whether a seat is kept for somebody."""


class Admissions(Generic[C]):
    """All connections of one host, and who may open another."""

    def __init__(
        self,
        access: Access,
        limits: Limits,
        metrics: Metrics,
        expects: Expects | None = None,
        elsewhere: Elsewhere | None = None,
    ) -> None:
        """`expects` says whether a seat is kept for somebody, who may then enter even if the host is full.

        What counts beyond this host, `elsewhere` is asked for.
        """
        self.access = access
        self.limits = limits
        self.metrics = metrics
        self.closing = False
        self.connected: dict[C, None] = {}
        """In the order in which they came."""
        self._expects = expects
        self.elsewhere = elsewhere or Elsewhere()
        metrics.pulls(unauthenticated=lambda: _count_unauthenticated(list(self.connected)))

    def admit_socket(self, address: str, cost: float = 1.0) -> DenialReason | None:
        """Return why a new connection is to be closed at once, if it is; count and log it.

        It counts as so much of an SSH handshake as it costs.
        """
        reason = self.access.check_address(address, cost) if not self.closing else DenialReason.CLOSING
        reason = reason or self.denial_reason(network_of(address))
        if reason is not None:
            self.count_denied(reason, address)
        return reason

    def admit_relayed(self) -> DenialReason | None:
        """Return why a connection of a proxy, which says later where it comes from, is to be closed at once."""
        if self.closing:
            return DenialReason.CLOSING
        return DenialReason.FULL if len(self.connected) >= 2 * self.limits.connections else None

    def denial_reason(self, network: str) -> DenialReason | None:
        """Return why there is no room for a new connection from a network, after one was closed for it if need be."""
        if self.closing:
            return DenialReason.CLOSING
        others = list(self.connected)
        if self._expects is None and len(others) >= self.limits.connections:
            return DenialReason.FULL  # with `expects`, this is decided after authentication
        here = [other for other in others if other.network == network]
        if len(here) >= self.limits.per_address:
            return DenialReason.ADDRESS_FULL
        for among, most in ((here, self.limits.unauthenticated_per_address), (others, self.limits.unauthenticated)):
            unauthenticated = [other for other in among if other.identity is None]
            if len(unauthenticated) >= most and not self._evict_for(unauthenticated, network):
                return DenialReason.UNAUTHENTICATED_FULL
        return None

    def count_denied(self, why: DenialReason, address: str, user: str = "", key: str | None = None) -> None:
        """Count and log a connection that is denied."""
        self.metrics.turned_away(why)
        log.info("turned-away", extra=fields(address=address, reason=why, user=user or None, key=key))

    @property
    def full(self) -> bool:
        """Whether guests who have authenticated come in only if a seat is kept for them."""
        known = sum(connection.identity is not None for connection in self.connected)
        return self._expects is not None and known >= self.limits.connections

    async def has_room_for(self, identity: Identity) -> bool:
        """Whether a guest who has authenticated may come in."""
        return not self.full or self._expects is None or await self._expects(identity)

    def judge_code(self, address: str, text: str) -> bool | DenialReason:
        """Return whether an invitation code is right, or why it is not looked at any more; count a wrong one."""
        return DenialReason.GUESSING if self.access.locked_out(address) else self.access.code_is_right(address, text)

    async def judge_code_everywhere(self, address: str, text: str) -> bool | DenialReason:
        """Do so, and count it elsewhere as well."""
        if self.access.locked_out(address):
            return DenialReason.GUESSING
        network = network_of(address)
        if not await self.elsewhere.try_code(network):
            self.access.lock_out(address)
            return DenialReason.GUESSING
        verdict = self.judge_code(address, text)
        if verdict is True:
            self.elsewhere.forgive_code(network)
        return verdict

    def forget(self, connection: C) -> None:
        """Note that a connection is gone."""
        self.connected.pop(connection, None)

    def sessions_of(self, key: str) -> int:
        """How many sessions one key has open, on all its connections."""
        return sum(each.open_sessions for each in self.connected if each.identity and each.identity.key == key)

    def may_open_session(self, key: str | None) -> bool:
        """Whether a key may open one more session; without one, nobody counts them."""
        return not key or self.sessions_of(key) < self.limits.sessions_per_key

    def disconnect(self, text: str) -> int:
        """Close the connections of a key (its fingerprint) or an address; return how many. A ban closes none."""
        found = [
            each
            for each in self.connected
            if canonical_address(each.address) == text or (each.identity and each.identity.key == text)
        ]
        for each in found:
            log.info("expelled", extra=fields(address=each.address, key=each.identity and each.identity.key))
            each.hang_up()
        return len(found)

    def _evict_for(self, unauthenticated: list[C], network: str) -> bool:
        """Close an unauthenticated connection for a new one if possible; return whether one was closed."""
        now = asyncio.get_running_loop().time()
        connection = choose_to_evict(unauthenticated, network, now - self.limits.silent_timeout)
        if connection is None:
            return False
        self.count_denied(DenialReason.UNAUTHENTICATED_FULL, connection.address)
        self.forget(connection)
        connection.hang_up()
        return True


def _count_unauthenticated(connections: Iterable[Connected]) -> int:
    return sum(connection.identity is None for connection in connections)


U = TypeVar("U", bound=Unauthenticated)


def choose_to_evict(unauthenticated: Sequence[U], network: str, silent_since: float) -> U | None:
    """Choose which connection to close for a new one from a network; None means the new one.

    First choice is one that has exchanged no keys although the host has read from it since before `silent_since`.
    Otherwise it is one of the network with the most connections, if that network will still have as many as the new
    one's. So a few addresses that open silent connections cannot keep others out.
    """
    silent = [one for one in unauthenticated if not one.exchanged and one.read_since < silent_since]
    if not silent:
        held = Counter(one.network for one in unauthenticated)
        most = max(held, key=lambda each: held[each], default=network)
        if held[most] <= held[network] + 1:
            return None
        silent = [one for one in unauthenticated if one.network == most]
    return min(silent, key=lambda one: (one.exchanged, one.read_since))
