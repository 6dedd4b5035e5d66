"""What the deals of one match follow from: the host's secret, and what each player's client adds to it."""

from msgspec import Struct
from msgspec.structs import replace

from core.fair import Fair, Share, commit, deal_key, is_digest, keeps
from core.words import Illegal, words


class Shuffle(Struct, frozen=True):
    """The chance of one match, from the host's commitment to the last share that is shown.

    While seats fill, players pledge. Once it is closed no pledge is accepted and shares are shown; so nobody could
    choose a share by what others had shown (`docs/fair-deals.md`).
    """

    secret: bytes
    shares: tuple[Share, ...]
    """By seat."""
    closed: bool = False

    @classmethod
    def of(cls, secret: bytes, seats: int) -> "Shuffle":
        """Return the chance of a match for which nobody has pledged anything."""
        return cls(secret, (Share(),) * seats)

    @property
    def fair(self) -> Fair:
        """What everybody may know of it now."""
        return Fair(commit(self.secret), self.shares)

    @property
    def key(self) -> bytes:
        """What the order of the tiles follows from, with the shares that were shown."""
        return deal_key(self.secret, self.shares)

    def pledge(self, seat: int, pledge: str) -> "Shuffle":
        """Accept a seat's pledge, or with an empty one withdraw it; too late it counts for nothing."""
        return self if self.closed else self._with(seat, Share(pledge))

    def awaited(self, seat: int) -> bool:
        """Whether a seat has pledged a share and not shown it."""
        return bool(self.shares[seat].pledge) and not self.shares[seat].share

    def close(self) -> "Shuffle":
        """Accept no more pledges: now shares are shown."""
        return replace(self, closed=True)

    def reveal(self, seat: int, share: str) -> "Shuffle":
        """Accept a seat's share. Raises Illegal when it is not the one that was pledged, or not the moment."""
        if not self.closed or not self.awaited(seat):
            raise Illegal(words("No share is due from you now."))
        try:
            raw = bytes.fromhex(share)
        except ValueError:
            raw = b""
        if not keeps(raw, self.shares[seat].pledge):
            raise Illegal(words("That share is not the one you pledged."))
        return self._with(seat, Share(self.shares[seat].pledge, raw.hex()))

    def _with(self, seat: int, share: Share) -> "Shuffle":
        return replace(self, shares=(*self.shares[:seat], share, *self.shares[seat + 1 :]))


def check_pledge(pledge: str) -> None:
    """Raise Illegal for what is no pledge; an empty one is none at all, which is allowed."""
    if pledge and not is_digest(pledge):
        raise Illegal(words("Invalid pledge: it must be a SHA-256 hash in hexadecimal."))
