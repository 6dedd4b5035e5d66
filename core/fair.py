"""Fair deals: the commitments of host and players, the key derived from them, and the order of tiles from that key.

`docs/fair-deals.md` has the construction, its proof, and test vectors.
"""

import hmac
from collections.abc import Iterator
from hashlib import sha256
from struct import unpack

from msgspec import Struct

from core.tiles import Tile


def deal_order(tiles: tuple[Tile, ...], seats: int, seed: bytes, round_number: int) -> tuple[tuple[Tile, ...], int]:
    """Shuffle a set and draw a seat by lot.

    The stream is SHA-256(seed ‖ round as 4 bytes ‖ block as 4 bytes), blocks from 0, read as big-endian 32-bit
    numbers. A number below n is the next of them modulo n; numbers from the last incomplete run of n are skipped, so
    that no result is favoured. The shuffle is Fisher–Yates: from the last place down to the second, each tile changes
    places with the tile at a random place up to its own. The lot is the next number below `seats`.
    """
    numbers = _random_numbers(seed + round_number.to_bytes(4, "big"))
    order = list(tiles)
    for place in range(len(order) - 1, 0, -1):
        number = next(numbers)
        other_place = number % (place + 1)
        while number - other_place >= 2**32 - place:  # in the last run, which is incomplete
            number = next(numbers)
            other_place = number % (place + 1)
        order[place], order[other_place] = order[other_place], order[place]
    return tuple(order), _number_below(seats, numbers)


def _random_numbers(key: bytes) -> Iterator[int]:
    block = 0
    while True:
        yield from unpack(">8I", sha256(key + block.to_bytes(4, "big")).digest())
        block += 1


def _number_below(limit: int, numbers: Iterator[int]) -> int:
    skipped_from = 2**32 - 2**32 % limit
    number = next(numbers)
    while number >= skipped_from:
        number = next(numbers)
    return number % limit


SECRET_LENGTH = 32
"""Bytes of a host's secret and of a player's share: the length of a SHA-256."""
_CONTEXT = b"boneyard deals 1"


class Share(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """A seat's part in the fair deal of a match, in hexadecimal: nothing, a pledge, or a pledge and the share."""

    pledge: str = ""
    """SHA-256 of the share, sent before any seat reveals a share."""
    share: str = ""
    """The 32 bytes themselves; empty until they are revealed."""


class FairDeal(Struct, frozen=True, forbid_unknown_fields=True):
    """The public part of a match's fair deal before the first round."""

    commitment: str
    """SHA-256 of the host's secret, in hexadecimal."""
    shares: tuple[Share, ...]
    """By seat."""


def commit(secret: bytes) -> str:
    """Return a commitment to some bytes that does not reveal them: their SHA-256, in hexadecimal."""
    return sha256(secret).hexdigest()


def is_pledged(share: bytes, pledge: str) -> bool:
    """Return True if `share` is the pledged one."""
    return len(share) == SECRET_LENGTH and hmac.compare_digest(commit(share), pledge)


def deal_key(secret: bytes, shares: tuple[Share, ...]) -> bytes:
    """Return the seed of `deal_order` for every round of a match.

    It is an HMAC-SHA-256 with the host's secret as the key. The message is a fixed word and then, seat by seat, the
    length of the share (one byte) and the share. Without the secret, or with any one share missing, the key cannot be
    predicted. If no share was revealed, as among bots, the key is the secret itself, so that `--seed` alone
    determines the deals.
    """
    if not any(share.share for share in shares):
        return secret
    message = bytearray(_CONTEXT)
    for share in shares:
        raw = bytes.fromhex(share.share)
        message += len(raw).to_bytes(1, "big") + raw
    return hmac.digest(secret, bytes(message), "sha256")


def problem(fair: FairDeal, seats: int) -> str:
    """Return the error in a commitment and its shares; empty if there is none."""
    if not is_digest(fair.commitment):
        return "the commitment is no SHA-256"
    if len(fair.shares) != seats:
        return "there must be a share for every seat, if only an empty one"
    for seat, share in enumerate(fair.shares):
        if not share.pledge and not share.share:
            continue
        if not is_digest(share.pledge):
            return f"the pledge of seat {seat} is no SHA-256"
        if share.share and not (is_digest(share.share) and is_pledged(bytes.fromhex(share.share), share.pledge)):
            return f"the share of seat {seat} is not the one that was pledged"
    return ""


def is_digest(text: str) -> bool:
    """Return True if a text can be a SHA-256 in hexadecimal, or the 32 bytes of a share."""
    return len(text) == 2 * SECRET_LENGTH and not set(text) - set("0123456789abcdef")
