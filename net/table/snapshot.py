"""What a host saves on disk, and the interface of storage."""

from collections.abc import Callable, Iterable
from secrets import token_hex
from typing import Protocol
from zlib import crc32

import msgspec
from msgspec import Struct

from core.fair import Share
from core.variant import Value
from net.players.accounts import Entry
from net.wire.messages import Said, Speed


class SeatSnapshot(Struct, frozen=True, array_like=True):
    """One seat: whose it is, and which bot's."""

    name: str = ""
    token: str = ""
    bot: str = ""


class Snapshot(Struct, frozen=True):
    """One table, but for its match: that is in the lines of its record, from which it comes back as it was.

    A new field needs a default, so that a table saved by an older version can be read.
    """

    id: int
    name: str
    maker: str
    game: str
    chosen: dict[str, Value]
    chairs: tuple[SeatSnapshot, ...]
    secret: bytes
    shares: tuple[Share, ...]
    closed: bool
    """Whether shares are shown, and no pledge is taken any more."""
    number: int
    moved: int
    ready: tuple[int, ...] = ()
    said: tuple[Said, ...] = ()
    turn_time: int = 0
    match_time: int = 0
    turn_left: float = 0
    match_left: tuple[float, ...] = ()
    paused: bool = False
    code: str = ""
    hints: bool = False
    take_back: bool = False
    removed: tuple[str, ...] = ()
    pace: Speed = "normal"
    checksum: str = ""
    """Of the lines of the match (`checksum_of`), in hexadecimal; empty if an older version saved the table."""


_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder(Snapshot).decode
_SUM = b',"sum":"'
"""What stands before the checksum of a snapshot, which is the last that is in it."""


def encoded(snapshot: Snapshot) -> bytes:
    """Return a snapshot as it is stored: with a checksum, which older versions pass over."""
    body = _encode(snapshot)[:-1]
    return body + _SUM + b'%08x"}' % crc32(body)


def decoded(stored: bytes | str) -> Snapshot:
    """Return what was stored, by an older version without a checksum. Raises msgspec.DecodeError if it is damaged."""
    try:
        snapshot = _decode(stored)
    except UnicodeDecodeError as error:
        raise msgspec.DecodeError(str(error)) from error
    body, found, end = (stored.encode() if isinstance(stored, str) else stored).rpartition(_SUM)
    if (found or snapshot.checksum) and end != b'%08x"}' % crc32(body):
        raise msgspec.DecodeError("it is not what was saved, by its checksum")
    return snapshot


def checksum_of(lines: Iterable[str], before: int = 0) -> int:
    """Return the checksum of the lines of a match, after that of those `before` them."""
    for line in lines:
        before = crc32(line.encode() + b"\n", before)
    return before


class Change(Struct, frozen=True):
    """What there is to save of a table after something happened there."""

    table: int
    snapshot: Snapshot | None
    """None when the table is closed."""
    lines: tuple[str, ...] = ()
    """New lines of the record; with `begins` those of a new match."""
    begins: bool = False
    ends: bool = False
    """Whether the match is over with these lines, so that its record can be published."""
    first: int = 0
    """How many lines of this match there were before these."""


class Batch(Struct):
    """All that is to be saved at once, in the order in which it happened."""

    tables: list[Change] = []
    people: list[Entry] = []
    id: str = msgspec.field(default_factory=lambda: token_hex(8))
    """No other batch has it, so that one which comes again is known."""

    def __bool__(self) -> bool:
        return bool(self.tables or self.people)


class Storage(Protocol):
    """Saves what happens on a host."""

    def save(self, batch: Batch, done: Callable[[Exception | None], None]) -> None:
        """Save all of a batch or nothing; then call `done`, at once or later on the event loop.

        It is told what went wrong, or None once nothing short of a broken disk can lose the batch. A batch that
        could not be saved comes again.
        """
