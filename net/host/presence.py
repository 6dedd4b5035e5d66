"""Connections of the host, and how a visitor becomes a guest: greeting, name, and proof of identity."""

from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from typing import Protocol, Self

from msgspec import Struct, field

from core.variant import Value
from core.words import Illegal, Words, words
from net.host.access import canonical_address
from net.limits import (
    CHAT_AT_ONCE,
    CHAT_PER_SECOND,
    JOINS_AT_ONCE,
    JOINS_PER_SECOND,
    MAX_CLAIMED,
    MESSAGES_AT_ONCE,
    MESSAGES_IGNORED,
    MESSAGES_PER_SECOND,
    PEOPLE_NAMED,
)
from net.players.names_in_use import NamesInUse, is_reserved
from net.players.text import RETURN_CODE_LENGTH, clean_name, is_keyless, token_of
from net.scheduler import Bucket
from net.table.table import Guest
from net.wire.messages import PROTOCOL, Browse, Bye, Enter, Greeting, Hello, Refused, Tables


class Roster(Struct, frozen=True):
    """Names and number of the guests present."""

    names: tuple[str, ...] = ()
    """Names of the first, at most `PEOPLE_NAMED`."""
    count: int = 0

    @classmethod
    def from_names(cls, names: Iterable[str]) -> Self:
        """Return the roster of these names, each counted once."""
        distinct = tuple(dict.fromkeys(names))
        return cls(distinct[:PEOPLE_NAMED], len(distinct))

    def __add__(self, other: Self) -> Self:
        """Return the union of two rosters; names in both are counted once, as far as they are named."""
        named_guests = type(self).from_names((*self.names, *other.names))
        return type(self)(
            named_guests.names, self.count + other.count - len(self.names) - len(other.names) + named_guests.count
        )


class Visitor(Struct, frozen=True):
    """A new connection: its user name, and the proof of its identity."""

    user: str = ""
    key: str = ""
    """Fingerprint of their key; empty for a guest without one."""
    resume: str = ""
    """Return code of a guest without a key."""
    address: str = ""
    """Address that they connect from; empty in a solo match, which needs no limits."""
    port: int = 0
    """Port of the host that they connected to; 0 if there was none."""
    joined: bool = False
    """True if they use their own Boneyard, and not only ssh."""
    named: bool = False
    """True if they confirmed their name before the login: they are not asked for it again, unless it is refused."""


class Presence(Struct):
    """A connection, its visitor and guest, and the guest's table."""

    visitor: Visitor
    account: str = ""
    """Token of the account that their key belongs to; empty for a guest without one."""
    return_code: str = ""
    greeted: bool = False
    guest: Guest | None = None
    """None until they have entered."""
    attached: bool = False
    """True if a gateway is their front, which shows them the lists of tables."""
    table: int = 0
    """Number of the guest's table; 0 in the lobby."""
    browsing: Browse = Browse()
    """The page and search of the list that they look at in the lobby."""
    last_page: Tables | None = None
    """The list that was sent last; None before the first, and after an absence."""
    message_budget: Bucket = field(default_factory=lambda: Bucket(MESSAGES_PER_SECOND, MESSAGES_AT_ONCE))
    chat_budget: Bucket = field(default_factory=lambda: Bucket(CHAT_PER_SECOND, CHAT_AT_ONCE))
    join_budget: Bucket = field(default_factory=lambda: Bucket(JOINS_PER_SECOND, JOINS_AT_ONCE))
    ignored: int = 0
    """Messages that came too fast and were dropped."""
    wrong_codes: int = 0

    def is_identified_by(self, kind: str, value: str) -> bool:
        """Return True if this guest has that `key`, `address` or `name`, as `kind` says."""
        name = self.guest.name if self.guest else ""
        identifiers = {"key": self.visitor.key, "address": canonical_address(self.visitor.address), "name": name}
        return bool(value) and identifiers[kind] == value

    def ignore(self) -> list[Refused | Bye]:
        """Drop a message that came too fast; return a warning for the first, and a goodbye after many."""
        self.ignored += 1
        if self.ignored == 1:
            return [Refused(words("You are sending too much at once; wait a moment."))]
        if self.ignored > MESSAGES_IGNORED:
            return [Bye(words("You sent too much at once, so the connection was closed."))]
        return []


class NameRegistry(Protocol):
    """Owners of names; `Accounts` is one."""

    def name_of(self, token: str) -> str:
        """Return the name of a token; empty if it has none."""

    @property
    def notice(self) -> str:
        """The text that everybody reads on entering; empty if there is none."""

    def owner_of(self, name: str) -> str:
        """Return the token that owns this name or a lookalike; empty if it is free."""

    def remember(self, token: str, name: str) -> None:
        """Store a name for a token."""


class Greeter:
    """Greets visitors, and assigns names."""

    def __init__(
        self,
        accounts: NameRegistry,
        new_code: Callable[[int], str],
        software: str,
        house_rules: Mapping[str, Mapping[str, Value]],
    ) -> None:
        """`new_code` returns a secret of the given length. Greetings have `software` and `house_rules`, by game."""
        self._accounts = accounts
        self._new_code = new_code
        self._software = software
        self._house_rules = {name: dict(rules) for name, rules in house_rules.items()}

    @property
    def notice(self) -> str:
        """The text that everybody reads on entering; empty if there is none."""
        return self._accounts.notice

    def greet(self, presence: Presence, hello: Hello) -> Greeting:
        """Answer a greeting, with the name that this guest will have unless they choose another.

        Raises Illegal if their version of the protocol differs.
        """
        if hello.protocol != PROTOCOL:
            raise Illegal(
                words(
                    "The server uses protocol {ours}, you use {theirs}; use the same version of Boneyard.",
                    ours=PROTOCOL,
                    theirs=hello.protocol,
                )
            )
        presence.greeted = True
        presence.return_code = presence.visitor.resume or hello.resume[:MAX_CLAIMED]
        stored_name = self._accounts.name_of(presence.account)
        name = clean_name(stored_name or presence.visitor.user)
        if presence.visitor.address and name and is_reserved(name):
            name = ""
        # An older Boneyard may have stored another name, or one with a blank at its end.
        is_confirmed = bool(name) and (name == stored_name.rstrip() or presence.visitor.named)
        return Greeting(PROTOCOL, self._software, name, is_confirmed, self._house_rules)

    def requested_name(self, presence: Presence, enter: Enter, names: Sequence[NamesInUse]) -> tuple[str, str]:
        """Return the requested name of a guest, and their token.

        Raises Illegal if it is not a valid name, or looks like another's in `names`; a name that is theirs already
        stays so.
        """
        name = clean_name(enter.name)
        if not name:
            raise Illegal(words("A name needs at least one letter or digit."))
        if presence.visitor.address and is_reserved(name):
            raise Illegal(words("The name {name} is reserved; choose another.", name=name))
        if token := presence.account:
            self._check(name, token, names)
            return name, token
        code = enter.resume[:MAX_CLAIMED] or presence.return_code or self._new_code(RETURN_CODE_LENGTH)
        try:
            self._check(name, token_of(code), names)
        except Illegal:
            if not enter.resume:
                raise
            wrong_code_words = words("That is not the code of {name}; check it, or type another name.", name=name)
            raise Illegal(wrong_code_words) from None
        presence.return_code = code
        return name, token_of(code)

    def _check(self, name: str, token: str, names: Sequence[NamesInUse]) -> None:
        if self._accounts.name_of(token) == name or any(names_in_use.has(name, token) for names_in_use in names):
            return  # theirs already, maybe from when fewer names counted as lookalikes
        owner = self._accounts.owner_of(name)
        if owner and owner != token:
            raise Illegal(refused_name_words(name, owner))
        for names_in_use in names:
            if rival := names_in_use.rival(name, token):
                raise Illegal(_name_taken(*rival))

    def enter(self, connection: int, presence: Presence, enter: Enter, names: Sequence[NamesInUse]) -> Guest:
        """Give a guest the requested name. Raises Illegal as `requested_name`."""
        return self._create_guest(connection, presence, *self.requested_name(presence, enter, names))

    def admit(self, connection: int, presence: Presence, name: str, token: str, names: Sequence[NamesInUse]) -> Guest:
        """Give a guest of a gateway the requested name. Raises Illegal as `requested_name`."""
        self._check(name, token, names)
        return self._create_guest(connection, presence, name, token)

    def _create_guest(self, connection: int, presence: Presence, name: str, token: str) -> Guest:
        if presence.visitor.key:
            self._accounts.remember(token, name)
        return Guest(connection, name, token)


def refused_name_words(name: str, owner: str) -> Words:
    """Return the reason why a guest cannot have a name whose `owner` is another token."""
    if is_keyless(owner):
        return _name_taken(name, owner)
    return words("The name {name} belongs to somebody else; choose another.", name=name)


def _name_taken(name: str, token: str) -> Words:
    """Return the reason why a guest cannot have a name; an owner without a key is asked for the return code."""
    taken_words = words("The name {name} is taken; choose another.", name=name)
    if not is_keyless(token):
        return taken_words
    return words("{taken} If that name is yours, type your code here.", taken=taken_words)


CLAIM_DURATION = 30.0
"""Seconds for which a name must be claimed: enough for a terminal that reconnects with the code by itself."""
MAX_DEPARTED = 1000
"""Departed guests in memory; the oldest is evicted for another."""


class _DepartedGuest(Struct):
    """A guest whose session has ended."""

    guest: Guest
    address: str
    code: str
    claimant: int = 0
    """Connection that claims their name; 0 if there is none."""
    claimed_at: float = 0.0
    """Time of its first claim."""
    disputed: bool = False
    """True once two connections have claimed it at the same time: then only the code decides."""


class ReturningGuests:
    """Records departed guests without a key, and decides who may return without the return code.

    A claim of the same name from the same address is granted after half a minute, unless another connection claims it
    meanwhile or the owner returns with the code.
    """

    def __init__(self, clock: Callable[[], float], has_seat: Callable[[str], bool]) -> None:
        """`clock` returns the time in seconds; `has_seat` whether a seat is reserved for a token."""
        self._clock = clock
        self._has_seat = has_seat
        self._departed: dict[str, _DepartedGuest] = {}
        """By name."""

    def guest_left(self, guest: Guest, presence: Presence) -> None:
        """Record that a guest's last session has ended."""
        if is_keyless(guest.token) and presence.visitor.address and self._has_seat(guest.token):
            self._departed.pop(guest.name, None)
            self._departed[guest.name] = _DepartedGuest(
                guest, canonical_address(presence.visitor.address), presence.return_code
            )
            if len(self._departed) > MAX_DEPARTED:
                del self._departed[next(iter(self._departed))]

    def guest_entered(self, guest: Guest) -> None:
        """Discard the record of a guest who has returned."""
        departed = self._departed.get(guest.name)
        if departed is not None and departed.guest.token == guest.token:
            del self._departed[guest.name]

    def claim(self, connection: int, presence: Presence, name: str, present: Container[int]) -> str | None:
        """Return the return code of a departed guest if the claim is granted; "" to wait longer, None if refused."""
        departed = self._departed.get(name)
        if (
            departed is None
            or presence.visitor.key
            or canonical_address(presence.visitor.address) != departed.address
        ):
            return None
        if departed.claimant != connection:
            departed.disputed |= departed.claimant in present
            departed.claimant, departed.claimed_at = connection, self._clock()
        if departed.disputed or not self._has_seat(departed.guest.token):
            return None
        return departed.code if self._clock() - departed.claimed_at >= CLAIM_DURATION else ""
