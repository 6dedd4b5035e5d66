"""Evidence against a host: all that a client sent and received about a match, so that anybody can check it again."""

from collections.abc import Iterable, Iterator
from hashlib import sha256

import msgspec
from msgspec import Struct

from core.fair import is_digest
from core.records import Check, Signature
from net.client.untrusted import decode_untrusted
from net.limits import MAX_FRAME
from net.wire.link import WireError, pack
from net.wire.messages import Update

LONGEST = 2 * MAX_FRAME
"""Characters of one line of a file of evidence: in JSON, an update takes about twice the size of its frame."""
BEGINNING = '{"type":"evidence"'
"""The start of the first line of every such file, and of no record."""
MOST_BYTES = 16 * 2**20
"""Bytes of updates that are kept of one match; the longest honest one has about 4 MiB."""


class Accusation(Struct, frozen=True, tag="evidence", forbid_unknown_fields=True):
    """The first line of a file of evidence: against which host, and why."""

    host: str
    """The fingerprint of the host's key."""
    problem: str
    """In a sentence; reading the file derives it again."""


class JoinedTable(Struct, frozen=True, tag="arrived", forbid_unknown_fields=True):
    """The client went to the table."""

    begun: bool
    """Whether a match may have been under way there."""


class Pledged(Struct, frozen=True, tag="pledged", forbid_unknown_fields=True):
    """The client drew a share, and sent its SHA-256 with what it asked for next."""

    share: str


class ConnectionBroke(Struct, frozen=True, tag="broke", forbid_unknown_fields=True):
    """The connection broke, and works again."""


class UpdateReceived(Struct, frozen=True, tag="told", forbid_unknown_fields=True):
    """The host sent an update."""

    update: Update


class RecordLine(Struct, frozen=True, tag="recorded", forbid_unknown_fields=True):
    """The host sent a line of the record of the match."""

    line: str


class PlayerSignature(Struct, frozen=True, tag="word", forbid_unknown_fields=True):
    """The last line: the player's signature under all lines before it."""

    key: str
    signature: str


Entry = JoinedTable | Pledged | ConnectionBroke | UpdateReceived
EvidenceLine = Accusation | Entry | RecordLine | PlayerSignature


class Journal:
    """What a client sent and received about one match, as lines."""

    def __init__(self) -> None:
        self.lines: list[bytes] = []
        self._room = MOST_BYTES

    def note(self, entry: Entry) -> None:
        """Add something, unless there is too much already."""
        line = msgspec.json.encode(entry)
        if len(line) <= self._room:
            self._room -= len(line)
            self.lines.append(line)


class EvidenceError(Exception):
    """A file is not valid evidence; the sentence says why."""


class Evidence(Struct):
    """A file of evidence, read."""

    accused: Accusation
    entries: list[Entry] = []
    record: list[str] = []
    signer: str = ""
    """The fingerprint of the player's key; empty if nobody signed it."""


def statement(lines: Iterable[bytes]) -> bytes:
    """Return what a player signs of a file of evidence."""
    digest = sha256()
    for line in lines:
        digest.update(line + b"\n")
    return f"boneyard evidence\nlines {digest.hexdigest()}\n".encode()


def written(accused: Accusation, journal: Journal, record: Iterable[str]) -> list[bytes]:
    """Return the lines of a file of evidence, except the player's signature."""
    recorded = [msgspec.json.encode(RecordLine(line)) for line in record]
    return [msgspec.json.encode(accused), *journal.lines, *recorded]


def read(lines: Iterable[str], check: Check) -> Evidence:
    """Read a file of evidence. Raises EvidenceError at the first line that is wrong.

    `check` tells who made a signature.
    """
    evidence: Evidence | None = None
    before: list[bytes] = []
    for number, (text, entry) in enumerate(_decoded(lines), 1):
        if evidence is None:
            if not isinstance(entry, Accusation):
                raise EvidenceError("it does not begin like evidence")
            evidence = Evidence(entry)
        elif evidence.signer or isinstance(entry, Accusation):
            raise EvidenceError(f"line {number} does not belong there")
        elif isinstance(entry, RecordLine):
            evidence.record.append(entry.line)
        elif isinstance(entry, PlayerSignature):
            evidence.signer = check(statement(before), Signature(entry.key, entry.signature))
            if not evidence.signer:
                raise EvidenceError("its signature is not valid")
        else:
            evidence.entries.append(_believable(number, entry))
        before.append(text)
    if evidence is None:
        raise EvidenceError("it is empty")
    return evidence


def _believable(number: int, entry: Entry) -> Entry:
    """An entry that a client may have written, cleaned like all untrusted input."""
    if isinstance(entry, Pledged) and not is_digest(entry.share):
        raise EvidenceError(f"the share on line {number} is not valid")
    if isinstance(entry, UpdateReceived):
        try:
            update = decode_untrusted(pack(entry.update))
        except WireError as error:
            raise EvidenceError(f"no host can have sent what is on line {number}") from error
        assert isinstance(update, Update)  # noqa: S101 - it was packed as one
        return UpdateReceived(update)
    return entry


def _decoded(lines: Iterable[str]) -> Iterator[tuple[bytes, EvidenceLine]]:
    decoder = msgspec.json.Decoder(EvidenceLine)
    for number, line in enumerate(lines, 1):
        try:
            text = line.encode()
            yield text, decoder.decode(text)
        except (msgspec.DecodeError, ValueError, RecursionError) as error:
            raise EvidenceError(f"line {number} cannot be read: {error}") from error
