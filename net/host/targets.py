"""Finds out whom an operator means: a key, an address or a name, without confusing them."""

import ipaddress
import re
from collections.abc import Mapping
from typing import Protocol

from msgspec import Struct

from net.host.access import canonical_address
from net.host.presence import Presence

KINDS = ("name", "key", "address")
_KEY = re.compile(r"SHA256:[A-Za-z0-9+/]{43}")
"""A fingerprint as OpenSSH prints it: 256 bits in base64, without the padding."""


class NoTarget(Exception):  # noqa: N818 - the sentence is for the operator
    """Nobody is meant, or it is unclear who; the sentence says what to write."""


class Keys(Protocol):
    """Whose a name is."""

    def key_of(self, name: str) -> str:
        """The key that last entered under exactly this name; empty for none."""


class People(Protocol):
    """Who is connected, and whom one knows: a lobby, for example."""

    @property
    def present(self) -> Mapping[int, Presence]:
        """Everybody who is connected, by connection."""

    @property
    def accounts(self) -> Keys:
        """Whose names are known."""


class Target(Struct, frozen=True):
    """Whom a request is about: `kind` is one of `KINDS`."""

    kind: str
    value: str

    def __str__(self) -> str:
        return f"{self.kind} {self.value}"


def target_of(people: People, text: str, kind: str = "") -> Target:
    """Return who is meant by a word, of the given `kind` or of the only one that it can be. Raises NoTarget."""
    found = [Target(each, value) for each in KINDS if (value := _as(people, each, text)) and kind in ("", each)]
    if len(found) == 1:
        return found[0]
    if found:
        kinds = " and ".join("an address" if target.kind == "address" else f"a {target.kind}" for target in found)
        options = " or ".join(f"--{target.kind}" for target in found)
        raise NoTarget(f"“{text}” is {kinds}; use {options}.")
    match kind:
        case "key":
            raise NoTarget(f"“{text}” is not a key fingerprint: SHA256: and 43 characters, as in `admin guests`.")
        case "address":
            raise NoTarget(f"“{text}” is not an IP address.")
        case "name":
            raise NoTarget(f"Nobody called “{text}” is connected or known.")
    raise NoTarget(f"“{text}” is not an address, a key (SHA256:…), or the name of anybody connected or known.")


def bannable(people: People, target: Target) -> list[Target]:
    """The keys or addresses to ban for a target; for a name, those of the guest who has it."""
    if target.kind != "name":
        return [target]
    found: dict[Target, None] = {}
    for presence in people.present.values():
        if presence.guest and presence.guest.name == target.value:
            visitor = presence.visitor
            address = canonical_address(visitor.address)
            found[Target("key", visitor.key) if visitor.key else Target("address", address)] = None
    if not found and (key := people.accounts.key_of(target.value)):
        found[Target("key", key)] = None
    return list(found)


def _as(people: People, kind: str, text: str) -> str:
    """A word as a target of one kind, in canonical form; empty if it cannot be one."""
    match kind:
        case "key":
            return text if _KEY.fullmatch(text) else ""
        case "address":
            try:
                ipaddress.ip_address(text.partition("%")[0])
            except ValueError:
                return ""
            return canonical_address(text)
    here = any(presence.guest and presence.guest.name == text for presence in people.present.values())
    return text if here or (text and people.accounts.key_of(text)) else ""
