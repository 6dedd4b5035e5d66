"""Who is connected to the host: what each connection has shown of itself, and where its guest is."""

from collections.abc import Iterable
from typing import Self

from msgspec import Struct, field

from core.words import words
from net.host.access import canonical_address
from net.limits import (
    CHAT_AT_ONCE,
    CHAT_PER_SECOND,
    COMINGS_AT_ONCE,
    COMINGS_PER_SECOND,
    MESSAGES_AT_ONCE,
    MESSAGES_IGNORED,
    MESSAGES_PER_SECOND,
    PEOPLE_NAMED,
)
from net.scheduler import Bucket
from net.table.table import Guest
from net.wire.messages import Browse, Bye, Refused, Tables


class People(Struct, frozen=True):
    """Who is here, as a lobby tells it."""

    names: tuple[str, ...] = ()
    """Those of the first, `PEOPLE_NAMED` at most."""
    count: int = 0

    @classmethod
    def named(cls, names: Iterable[str]) -> Self:
        """All who have these names, each counted once."""
        each = tuple(dict.fromkeys(names))
        return cls(each[:PEOPLE_NAMED], len(each))

    def __add__(self, other: Self) -> Self:
        """These and others; who is among both is counted once, as far as they are named."""
        both = type(self).named((*self.names, *other.names))
        return type(self)(both.names, self.count + other.count - len(self.names) - len(other.names) + both.count)


class Visitor(Struct, frozen=True):
    """Who connects: the user name they asked for, and what tells who they are."""

    user: str = ""
    key: str = ""
    """The fingerprint of their key; empty for a guest without one."""
    resume: str = ""
    """The code with which a guest without a key comes back."""
    address: str = ""
    """Where they connect from; empty in a game alone, where nobody needs protection."""
    port: int = 0
    """The host's port through which they came; 0 where they did not come through one."""
    joined: bool = False
    """Whether they came with a Boneyard of their own, and not with ssh alone."""


class Presence(Struct):
    """One connection: whose it is, and where its guest is."""

    visitor: Visitor
    account: str = ""
    """The token of the account that their key belongs to; empty for a guest without one."""
    resume: str = ""
    greeted: bool = False
    guest: Guest | None = None
    """None until they have logged in."""
    brought: bool = False
    """Whether a gateway of a cluster has brought them, which knows them and shows them the lists of tables."""
    table: int = 0
    """The number of the table where the guest is; 0 in the lobby."""
    browsing: Browse = Browse()
    """Which tables they look at in the lobby."""
    shown: Tables | None = None
    """What they saw there last; None before they have seen any, and once they have been away."""
    messages: Bucket = field(default_factory=lambda: Bucket(MESSAGES_PER_SECOND, MESSAGES_AT_ONCE))
    chat: Bucket = field(default_factory=lambda: Bucket(CHAT_PER_SECOND, CHAT_AT_ONCE))
    joins: Bucket = field(default_factory=lambda: Bucket(COMINGS_PER_SECOND, COMINGS_AT_ONCE))
    ignored: int = 0
    """Messages that came too fast and were thrown away."""
    wrong_codes: int = 0

    def shows(self, kind: str, value: str) -> bool:
        """Whether this is somebody with that `key`, `address` or `name`, as `kind` says."""
        name = self.guest.name if self.guest else ""
        known = {"key": self.visitor.key, "address": canonical_address(self.visitor.address), "name": name}
        return bool(value) and known[kind] == value

    def ignore(self) -> list[Refused | Bye]:
        """Ignore a message that came too fast; say so once, and goodbye if they do not stop."""
        self.ignored += 1
        if self.ignored == 1:
            return [Refused(words("You are sending too much at once; wait a moment."))]
        if self.ignored > MESSAGES_IGNORED:
            return [Bye(words("You sent too much at once, so the connection was closed."))]
        return []
