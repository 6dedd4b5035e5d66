"""The order of the tiles and a seat drawn by lot, as a documented function of a seed and a round's number."""

from collections.abc import Iterator
from hashlib import sha256
from struct import unpack

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
        other = _below(last + 1, numbers)
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
