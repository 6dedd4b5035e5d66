"""Fair deals: what a host and the players commit to, and the key of all deals that follows from it.

`docs/fair-deals.md` has the construction, what it proves, and test vectors.
"""

import hmac
from hashlib import sha256

from msgspec import Struct

SECRET_LENGTH = 32
"""Bytes of a host's secret and of a player's share: as many as SHA-256 gives back."""
_CONTEXT = b"boneyard deals 1"


class Share(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """What one seat adds to the fair deal of a match, in hexadecimal: nothing, a pledge, or also its share."""

    pledge: str = ""
    """SHA-256 of the share, known before anybody shows a share."""
    share: str = ""
    """The 32 bytes themselves; empty until they are shown."""


class Fair(Struct, frozen=True, forbid_unknown_fields=True):
    """What is public about the fair deal of a match before its first deal."""

    commitment: str
    """SHA-256 of the host's secret, in hexadecimal."""
    shares: tuple[Share, ...]
    """By seat."""


def commit(secret: bytes) -> str:
    """Return a commitment to some bytes that does not reveal them: their SHA-256, in hexadecimal."""
    return sha256(secret).hexdigest()


def keeps(share: bytes, pledge: str) -> bool:
    """Say whether a share is the one that was pledged."""
    return len(share) == SECRET_LENGTH and hmac.compare_digest(commit(share), pledge)


def deal_key(secret: bytes, shares: tuple[Share, ...]) -> bytes:
    """Return the seed of `core.chance.deal_order` for every round of a match.

    It is HMAC-SHA-256 under the host's secret of a fixed word and, seat by seat, the length of the share as
    one byte and the share. Without the secret or any one of the shares, nothing is known about it. If nobody has
    shown a share, as among bots, it is the secret itself, so that `--seed` alone determines the deals.
    """
    if not any(share.share for share in shares):
        return secret
    message = bytearray(_CONTEXT)
    for share in shares:
        raw = bytes.fromhex(share.share)
        message += len(raw).to_bytes(1, "big") + raw
    return hmac.digest(secret, bytes(message), "sha256")


def problem(fair: Fair, seats: int) -> str:
    """Return what is wrong with a commitment and its shares; empty if nothing is."""
    if not is_digest(fair.commitment):
        return "the commitment is no SHA-256"
    if len(fair.shares) != seats:
        return "there must be a share for every seat, if only an empty one"
    for seat, share in enumerate(fair.shares):
        if not share.pledge and not share.share:
            continue
        if not is_digest(share.pledge):
            return f"the pledge of seat {seat} is no SHA-256"
        if share.share and not (is_digest(share.share) and keeps(bytes.fromhex(share.share), share.pledge)):
            return f"the share of seat {seat} is not the one that was pledged"
    return ""


def is_digest(text: str) -> bool:
    """Say whether a text can be a SHA-256 in hexadecimal, or the 32 bytes of a share."""
    return len(text) == 2 * SECRET_LENGTH and not set(text) - set("0123456789abcdef")
