"""What the deals of one match follow from: the host's secret, and what each player's client adds to it."""

from core.fair import Fair, Share, commit, deal_key, keeps
from core.words import Illegal, words


class Shuffle:
    """The chance of one match, from the host's commitment to the last share that is shown.

    While seats fill, players pledge. From `close` on no pledge is taken and shares are shown; so whoever shows
    his could not choose it by what others had shown (`docs/fair-deals.md`).
    """

    def __init__(self, secret: bytes, seats: int) -> None:
        self.secret = secret
        self.closed = False
        self._shares = [Share()] * seats

    @property
    def fair(self) -> Fair:
        """What everybody may know of it now."""
        return Fair(commit(self.secret), tuple(self._shares))

    @property
    def key(self) -> bytes:
        """What the order of the tiles follows from, with the shares that were shown."""
        return deal_key(self.secret, tuple(self._shares))

    def pledge(self, seat: int, pledge: str) -> None:
        """Take a seat's pledge, or with an empty one take it back; too late it counts for nothing."""
        if not self.closed:
            self._shares[seat] = Share(pledge)

    def awaited(self, seat: int) -> bool:
        """Whether a seat has pledged a share and not shown it."""
        return bool(self._shares[seat].pledge) and not self._shares[seat].share

    def close(self) -> None:
        """Take no more pledges: now shares are shown."""
        self.closed = True

    def reveal(self, seat: int, share: str) -> None:
        """Take a seat's share. Raises Illegal when it is not the one that was pledged, or not the moment."""
        if not self.closed or not self.awaited(seat):
            raise Illegal(words("No share is due from you now."))
        try:
            raw = bytes.fromhex(share)
        except ValueError:
            raw = b""
        if not keeps(raw, self._shares[seat].pledge):
            raise Illegal(words("That share is not the one you pledged."))
        self._shares[seat] = Share(self._shares[seat].pledge, raw.hex())

    @classmethod
    def resumed(cls, secret: bytes, shares: tuple[Share, ...], closed: bool) -> "Shuffle":
        """Take up what a host had kept."""
        shuffle = cls(secret, len(shares))
        shuffle._shares = list(shares)
        shuffle.closed = closed
        return shuffle
