"""The accounts of a host: the name of each key, the keys that belong to one account, and the bans."""

from collections.abc import Iterable

from msgspec import Struct

from net.limits import BIND_WITHIN, KEYS_PER_ACCOUNT, MAX_NAMES
from net.players.names_in_use import skeletons
from net.players.text import BIND_CODE_LENGTH, new_code, normalize_code


class NameAssigned(Struct, frozen=True, array_like=True, tag="NameAssigned"):
    """A token got this name."""

    token: str
    name: str


class Banned(Struct, frozen=True, array_like=True, tag="Banned"):
    """A key (its fingerprint) or an IP address was banned."""

    who: str
    why: str
    since: str
    """The day, as in 2026-11-20; for a ban that ends, an ISO 8601 interval, as in 2026-11-20/2026-11-27T18:30Z."""

    @property
    def until(self) -> str:
        """The moment when the ban ends, in UTC; empty if it does not."""
        return self.since.partition("/")[2]


class BanLifted(Struct, frozen=True, array_like=True, tag="Pardoned"):
    """A ban was lifted."""

    who: str


class KeyBound(Struct, frozen=True, array_like=True, tag="Bound"):
    """A key joined another key's account, whose token this is; an empty token ends that."""

    key: str
    token: str


class Forgotten(Struct, frozen=True, array_like=True, tag="Forgotten"):
    """The name of a token and the keys of its account were removed."""

    token: str


class Notice(Struct, frozen=True, array_like=True, tag="Notice"):
    """The text shown to every guest on entering; an empty one removes it."""

    text: str


Entry = NameAssigned | Banned | BanLifted | KeyBound | Notice | Forgotten
MOMENT = "%Y-%m-%dT%H:%MZ"
"""Format of the moment when a ban ends. Texts in it sort by time."""


class Accounts:
    """Names and bans by token, in memory."""

    def __init__(self, entries: Iterable[Entry] = ()) -> None:
        self._names: dict[str, str] = {}
        self._owners: dict[str, str] = {}
        """By skeleton, the token that owns the name."""
        self.bans: dict[str, Banned] = {}
        self.notice = ""
        """The text shown to every guest on entering; empty if there is none."""
        self._joined_accounts: dict[str, str] = {}
        """By key, the token of the account that it has joined."""
        self._offers: dict[str, tuple[str, float]] = {}
        """By code, an account that a key may join, and the end of the offer."""
        self.unsaved: list[Entry] = []
        """Changes that are not stored yet; the code that stores them empties the list."""
        for entry in entries:
            self._apply(entry)

    def name_of(self, token: str) -> str:
        """Return the name of a token; empty if it has none."""
        return self._names.get(token, "")

    def owner_of(self, name: str) -> str:
        """Return the token that owns this name or a lookalike; empty if it is free."""
        if not self._owners:
            return ""  # in a solo game: the first skeleton takes 50 ms
        return next((self._owners[skeleton] for skeleton in sorted(skeletons(name)) if skeleton in self._owners), "")

    def key_of(self, name: str) -> str:
        """Return the key that last entered under exactly this name; empty if there is none."""
        return next((token for token, stored_name in self._names.items() if stored_name == name), "")

    def remember(self, token: str, name: str) -> None:
        """Store a name for a token, instead of an earlier one; ignored for a new token beyond `MAX_NAMES`."""
        if self._names.get(token) != name and (token in self._names or len(self._names) < MAX_NAMES):
            self._record(NameAssigned(token, name))

    def account_of(self, key: str) -> str:
        """Return the token of a key's account: its own, unless it has joined another."""
        return self._joined_accounts.get(key, key)

    def keys_of(self, token: str) -> list[str]:
        """Return the keys of an account."""
        return [token, *(key for key, account in self._joined_accounts.items() if account == token)]

    def offer(self, token: str, now: float) -> str:
        """Return a code for one use with which another key joins this account within `BIND_WITHIN` seconds.

        `now` is the time in seconds, by the same clock in all calls.
        """
        self._offers = {code: offer for code, offer in self._offers.items() if offer[1] > now and offer[0] != token}
        code = new_code(BIND_CODE_LENGTH)
        self._offers[code] = token, now + BIND_WITHIN
        return code

    def bind(self, key: str, code: str, now: float) -> str:
        """Let a key join the account of a code; return the account's token, or "" for a code without an offer.

        The result is "" also if there is no room: in the account, or among all keys that have joined one.
        """
        token, offer_end = self._offers.pop(normalize_code(code), ("", 0.0))
        if offer_end <= now or token == key:
            return ""
        joining_keys = self.keys_of(key)  # the keys of the joining account join too
        is_full = key not in self._joined_accounts and len(self._joined_accounts) >= MAX_NAMES
        if is_full or len({*self.keys_of(token), *joining_keys}) > KEYS_PER_ACCOUNT:
            return ""
        self._withdraw_offers(key)
        for joining_key in joining_keys:
            self._record(KeyBound(joining_key, token))
        return token

    def unbind(self, key: str) -> bool:
        """Give a key an account of its own again; return True if it had joined another."""
        was_bound = key in self._joined_accounts
        if was_bound:
            self._withdraw_offers(key)
            self._record(KeyBound(key, ""))
        return was_bound

    def _withdraw_offers(self, key: str) -> None:
        """Discard the offers of the accounts that a key leaves: their codes may be known to it."""
        left_accounts = {key, self.account_of(key)}
        self._offers = {code: offer for code, offer in self._offers.items() if offer[0] not in left_accounts}

    def ban(self, who: str, why: str, since: str) -> None:
        """Ban a key or an address."""
        self._record(Banned(who, why, since))

    def pardon(self, who: str) -> None:
        """Lift a ban."""
        self._record(BanLifted(who))

    def ended_bans(self, now: str) -> list[str]:
        """Return the keys and addresses whose bans have ended; `now` has the format `MOMENT`."""
        return [who for who, ban in self.bans.items() if ban.until and ban.until <= now]

    def forget(self, token: str) -> None:
        """Remove what is stored about an account, except for its bans."""
        self._withdraw_offers(token)
        self._record(Forgotten(token))

    def set_notice(self, text: str) -> None:
        """Show a notice to every guest who enters, replacing an earlier one; an empty text removes it."""
        self._record(Notice(text))

    def _record(self, entry: Entry) -> None:
        self._apply(entry)
        self.unsaved.append(entry)

    def _apply(self, entry: Entry) -> None:
        match entry:
            case Forgotten(token=token):
                self._lose_name(token)
                for key in self.keys_of(token)[1:]:
                    del self._joined_accounts[key]
            case NameAssigned(token=token, name=name):
                self._lose_name(token)
                self._names[token] = name
                self._owners.update(dict.fromkeys(skeletons(name), token))
            case Banned(who=who):
                self.bans[who] = entry
            case BanLifted(who=who):
                self.bans.pop(who, None)
            case Notice(text=text):
                self.notice = text
            case KeyBound(key=key, token=token):
                if token:
                    self._joined_accounts[key] = token
                else:
                    self._joined_accounts.pop(key, None)

    def _lose_name(self, token: str) -> None:
        former_name = self._names.pop(token, None)
        for skeleton in skeletons(former_name) if former_name else ():
            if self._owners.get(skeleton) == token:
                del self._owners[skeleton]
