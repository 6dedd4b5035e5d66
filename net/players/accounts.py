"""The accounts of a host: the name of each key, and the bans."""

from collections.abc import Iterable

from msgspec import Struct

from net.limits import MAX_NAMES
from net.players.confusables import skeletons


class NameAssigned(Struct, frozen=True, array_like=True, tag=True):
    """A token got this name."""

    token: str
    name: str


class Banned(Struct, frozen=True, array_like=True, tag=True):
    """A key (its fingerprint) or an IP address was banned."""

    who: str
    why: str
    since: str
    """The day, as in 2026-11-20."""


class Pardoned(Struct, frozen=True, array_like=True, tag=True):
    """A ban was lifted."""

    who: str


Entry = NameAssigned | Banned | Pardoned


class Accounts:
    """Names by token and bans, in memory; `take` returns what changed, so that the caller can store it."""

    def __init__(self, entries: Iterable[Entry] = ()) -> None:
        self._names: dict[str, str] = {}
        self._owners: dict[str, str] = {}
        """By skeleton, the token that owns the name with it."""
        self.bans: dict[str, Banned] = {}
        self._fresh: list[Entry] = []
        for entry in entries:
            self._enter(entry)

    def name_of(self, token: str) -> str:
        """The name of a token; empty if it has none."""
        return self._names.get(token, "")

    def owner_of(self, name: str) -> str:
        """The token that owns this name or a lookalike; empty if it is free."""
        if not self._owners:
            return ""  # at a table of one's own: the first skeleton takes 50 ms
        return next((self._owners[skeleton] for skeleton in sorted(skeletons(name)) if skeleton in self._owners), "")

    def key_of(self, name: str) -> str:
        """The key that last entered under exactly this name; empty for none."""
        return next((token for token, known in self._names.items() if known == name), "")

    def remember(self, token: str, name: str) -> None:
        """Store a name for a token, instead of an earlier one; none for a new token once there are `MAX_NAMES`."""
        if self._names.get(token) != name and (token in self._names or len(self._names) < MAX_NAMES):
            self._write(NameAssigned(token, name))

    def banned(self, text: str) -> bool:
        """Whether a key or an address is banned."""
        return text in self.bans

    def ban(self, who: str, why: str, since: str) -> None:
        """Ban a key or an address."""
        self._write(Banned(who, why, since))

    def pardon(self, who: str) -> None:
        """Lift a ban."""
        self._write(Pardoned(who))

    def take(self) -> list[Entry]:
        """Return what changed since the last call."""
        fresh, self._fresh = self._fresh, []
        return fresh

    def _write(self, entry: Entry) -> None:
        self._enter(entry)
        self._fresh.append(entry)

    def _enter(self, entry: Entry) -> None:
        match entry:
            case NameAssigned(token=token, name=name):
                before = self._names.get(token)
                for skeleton in skeletons(before) if before else ():
                    if self._owners.get(skeleton) == token:
                        del self._owners[skeleton]
                self._names[token] = name
                self._owners.update(dict.fromkeys(skeletons(name), token))
            case Banned(who=who):
                self.bans[who] = entry
            case Pardoned(who=who):
                self.bans.pop(who, None)
