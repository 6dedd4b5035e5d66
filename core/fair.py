"""Fair deals: what a host and the players commit to, the key that follows from it, and the order of tiles from that.

`docs/fair-deals.md` has the construction, what it proves, and test vectors.
"""

import hmac
from collections.abc import Iterator
from hashlib import sha256
from struct import unpack

from msgspec import Struct

from core.tiles import Tile


def deal_order(tiles: tuple[Tile, ...], seats: int, seed: bytes, round_number: int) -> tuple[tuple[Tile, ...], int]:
    """Shuffle a set and draw a seat by lot.

    The stream is SHA-256(seed ‖ round as 4 bytes ‖ block as 4 bytes), blocks from 0, read as big-endian
    32-bit numbers. A number below n is the next of them modulo n, where those from the last incomplete run
    of n on are skipped, so that none is favoured. The shuffle is Fisher and Yates's: from the last place
    down to the second, each tile changes places with one at or before it. The lot is the next number
    below `seats`.
    """
    numbers = _numbers(seed + round_number.to_bytes(4, "big"))
    order = list(tiles)
    for last in range(len(order) - 1, 0, -1):
        number = next(numbers)
        other = number % (last + 1)
        while number - other >= 2**32 - last:  # in the last run, which is incomplete
            number = next(numbers)
            other = number % (last + 1)
        order[last], order[other] = order[other], order[last]
    return tuple(order), _below(seats, numbers)


def _numbers(key: bytes) -> Iterator[int]:
    block = 0
    while True:
        yield from unpack(">8I", sha256(key + block.to_bytes(4, "big")).digest())
        block += 1


def _below(bound: int, numbers: Iterator[int]) -> int:
    incomplete = 2**32 - 2**32 % bound
    number = next(numbers)
    while number >= incomplete:
        number = next(numbers)
    return number % bound


SECRET_LENGTH = 32
"""Bytes of a host's secret and of a player's share: as many as SHA-256 gives back."""
_CONTEXT = b"boneyard deals 1"


class Share(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """What one seat adds to the fair deal of a match, in hexadecimal: nothing, a pledge, or also its share."""

    pledge: str = ""
    """SHA-256 of the share, known before anybody shows a share."""
    share: str = ""
    """The 32 bytes themselves; empty until they are shown."""


class FairDeal(Struct, frozen=True, forbid_unknown_fields=True):
    """What is public about the fair deal of a match before its first deal."""

    commitment: str
    """SHA-256 of the host's secret, in hexadecimal."""
    shares: tuple[Share, ...]
    """By seat."""


def commit(secret: bytes) -> str:
    """Return a commitment to some bytes that does not reveal them: their SHA-256, in hexadecimal."""
    return sha256(secret).hexdigest()


def matches_pledge(share: bytes, pledge: str) -> bool:
    """Say whether a share is the one that was pledged."""
    return len(share) == SECRET_LENGTH and hmac.compare_digest(commit(share), pledge)


def deal_key(secret: bytes, shares: tuple[Share, ...]) -> bytes:
    """Return the seed of `deal_order` for every round of a match.

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


def problem(fair: FairDeal, seats: int) -> str:
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
        if share.share and not (is_digest(share.share) and matches_pledge(bytes.fromhex(share.share), share.pledge)):
            return f"the share of seat {seat} is not the one that was pledged"
    return ""


def is_digest(text: str) -> bool:
    """Say whether a text can be a SHA-256 in hexadecimal, or the 32 bytes of a share."""
    return len(text) == 2 * SECRET_LENGTH and not set(text) - set("0123456789abcdef")
