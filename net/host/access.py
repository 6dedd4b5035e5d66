"""Access control: by invitation, by key, or for everybody who is not banned. It does no input or output."""

import hmac
import ipaddress
import time
import unicodedata
from collections import Counter
from collections.abc import Callable, Collection, Container, Iterable
from enum import StrEnum
from hashlib import sha256

from net.limits import ADDRESSES_REMEMBERED, Limits
from net.scheduler import Buckets

MIN_INVITATION_LENGTH = 6
"""Characters. A shorter code can be guessed in time, from many addresses."""


class DenialReason(StrEnum):
    """Reason why a connection is denied: the word in logs and metrics."""

    ATTEMPTS = "attempts"
    BANNED = "banned"
    EXCHANGES = "exchanges"
    TOO_FAST = "too-fast"
    FULL = "host-full"
    GUESSING = "guessing"
    ADDRESS_FULL = "address-full"
    UNAUTHENTICATED_FULL = "unauthenticated-full"
    CLOSING = "closing"

    @property
    def sentence(self) -> str:
        """The reason in a sentence for the guest."""
        return _SENTENCES[self]


_SENTENCES = {
    DenialReason.ATTEMPTS: "Too many failed attempts; reconnect with the right invitation, or with one key: "
    "ssh -o IdentitiesOnly=yes -i KEY",
    DenialReason.BANNED: "You are banned from this server.",
    DenialReason.EXCHANGES: "Your SSH client renegotiated keys too often or did not finish; reconnect.",
    DenialReason.TOO_FAST: "Too many connections from your address; wait a minute.",
    DenialReason.FULL: "The host is full; try again later.",
    DenialReason.GUESSING: "Too many wrong invitations from your address; wait a few minutes.",
    DenialReason.ADDRESS_FULL: "Too many connections from your address are already open.",
    DenialReason.UNAUTHENTICATED_FULL: "Too many people are connecting right now; wait a minute.",
    DenialReason.CLOSING: "The server has closed.",
}


class Access:
    """Access control of one host.

    Without `invite` and `listed_keys`, everybody may enter. With an invitation, everybody needs the code except the
    listed keys. With only listed keys, nobody else may enter, and no code is asked for.
    """

    def __init__(
        self,
        *,
        invite: str = "",
        listed_keys: Callable[[], Collection[str]] | None = None,
        bans: Callable[[], Container[str]] = frozenset,
        limits: Limits | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """`listed_keys` returns the fingerprints of the keys that may enter now, `bans` the banned keys
        (fingerprints, `SHA256:…`) and IP addresses, as `ipaddress` writes them. Both are called for each check.
        """
        limits = limits or Limits()
        self._invite = _digest(invite) if invite else b""
        self._listed_keys = listed_keys
        self._bans = bans
        self._clock = clock
        self._hold_off_debt = limits.exchange_pause * limits.handshakes_per_second
        self._handshakes = Buckets(limits.handshakes_per_second, limits.handshakes_at_once, ADDRESSES_REMEMBERED)

    @property
    def has_invitation(self) -> bool:
        """True if there is an invitation code."""
        return bool(self._invite)

    @property
    def is_open(self) -> bool:
        """True if everybody may enter, and so may know what is played here."""
        return not self.has_invitation and self._listed_keys is None

    def check_address(self, address: str, cost: float = 1.0) -> DenialReason | None:
        """Count a new connection from an address; return the reason to close it at once, or None.

        `cost` is its share of an SSH handshake.
        """
        if canonical_address(address) in self._bans():
            return DenialReason.BANNED
        return None if self._handshakes.take(network_of(address), self._clock(), cost) else DenialReason.TOO_FAST

    def hold_off(self, address: str) -> None:
        """Refuse new connections from an address for `Limits.exchange_pause` seconds: its client would repeat costly
        key exchanges otherwise.
        """
        self._handshakes.drain(network_of(address), self._clock(), self._hold_off_debt)

    def is_banned(self, key: str) -> bool:
        """Return True if a key, given by its fingerprint, is banned."""
        return key in self._bans()

    def can_enter(self, key: str | None) -> bool:
        """Return True if a guest with that key, or with none, may enter, with or without a code."""
        if key is not None and self.is_banned(key):
            return False
        return self.has_invitation or self._listed_keys is None or (key is not None and key in self._listed_keys())

    def must_give_code(self, key: str | None) -> bool:
        """Return True if a guest with that key, or with none, needs the code."""
        is_listed = key is not None and self._listed_keys is not None and key in self._listed_keys()
        return self.has_invitation and not is_listed

    def is_invitation_code(self, text: str) -> bool:
        """Compare a code with the invitation in constant time."""
        return self.has_invitation and hmac.compare_digest(_digest(text), self._invite)


_ED25519_FIELD = 2**255 - 19
_ORDER_8 = int("7a03ac9277fdc74ec6cc392cfa53202a0f67100d760b3cba4fd84d3d706a17c7", 16)
_SMALL_ORDER = frozenset((0, 1, _ED25519_FIELD - 1, _ORDER_8, _ED25519_FIELD - _ORDER_8))
"""The y of each point of Ed25519 whose order divides 8. A signature for such a key needs no private key."""


def is_weak_ed25519(public_key: bytes) -> bool:
    """Return True if an Ed25519 key proves nothing: anybody can sign for it, or it is a second form of another key.

    `public_key` has 32 bytes. RFC 8032 (decoding, step 1) requires y below the size of the field; the points of small
    order are those of "Taming the Many EdDSAs" (2020), table 1.
    """
    y = int.from_bytes(public_key, "little") & (2**255 - 1)
    return y >= _ED25519_FIELD or y in _SMALL_ORDER


def canonical_address(address: str) -> str:
    """Return an IP address in canonical form: without a zone, and an IPv4-mapped IPv6 address as IPv4."""
    try:
        ip = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return address
    return str(getattr(ip, "ipv4_mapped", None) or ip)


def network_of(address: str) -> str:
    """Return the network that limits count as one client: an IPv4 address, or the /64 of one IPv6 household."""
    text = canonical_address(address)
    if ":" not in text or "/" in text:  # an address of IPv4, or a network already
        return text
    return str(ipaddress.ip_network((text, 64), strict=False))


def public_addresses(addresses: Iterable[str]) -> list[str]:
    """Return the addresses that can be reached from the internet."""
    reachable = []
    for address in addresses:
        try:
            if ipaddress.ip_address(canonical_address(address)).is_global:
                reachable.append(address)
        except ValueError:
            continue
    return reachable


def _digest(code: str) -> bytes:
    """Return a digest: all have one length, so that comparing them reveals nothing."""
    return sha256(unicodedata.normalize("NFKC", code).strip().encode("utf-8", "replace")).digest()


class Quotas:
    """Counts the sessions of each key and the wrong codes from each network, at this host alone.

    A subclass also asks a counter that several hosts or processes share.
    """

    def __init__(self, limits: Limits, clock: Callable[[], float] = time.monotonic) -> None:
        self._max_sessions = limits.sessions_per_key
        self._clock = clock
        self._sessions: Counter[str] = Counter()
        self._wrong_codes = Buckets(
            1 / limits.wrong_invitation_forgiven, limits.wrong_invitations, ADDRESSES_REMEMBERED
        )

    async def claim_session(self, key: str, /) -> bool:
        """Count another session of a key, unless the key has reached its limit everywhere; return True if it was
        counted.
        """
        if self._sessions[key] >= self._max_sessions:
            return False
        self._sessions[key] += 1
        return True

    def release_session(self, key: str, /) -> None:
        """Release a claimed session."""
        self._sessions[key] -= 1
        self._sessions += Counter()  # removes keys with none

    def is_locked_out(self, network: str) -> bool:
        """Return True if codes from a network are refused unchecked, after too many wrong ones."""
        return self._wrong_codes.is_empty(network, self._clock())

    def lock_out(self, network: str) -> None:
        """Check no more codes from a network for a while: too many wrong ones were given elsewhere."""
        self._wrong_codes.drain(network, self._clock())

    async def try_code(self, network: str, /) -> bool:
        """Count a code as wrong before it is checked; return False if there were too many from that network."""
        return self._wrong_codes.take(network, self._clock())

    def forgive_code(self, network: str, /) -> None:
        """Uncount the last code of a network, because it was right."""
        now = self._clock()
        self._wrong_codes.of(network, now).spend(-1.0, now)
