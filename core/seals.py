"""The seal of a record: a chain of hashes over its lines, and what is signed of it (`docs/records.md`).

The functions that sign and check are passed in; here a key and a signature are texts.
"""

from collections.abc import Callable, Iterable
from hashlib import sha256
from typing import NamedTuple

from msgspec import Struct

START = sha256(b"boneyard record 3").digest()
"""The chain of a record without any line."""


class Signature(NamedTuple):
    """A public key as OpenSSH writes it, its kind and its base64, and an SSHSIG in base64; both empty for none."""

    key: str = ""
    signature: str = ""


Sign = Callable[[bytes], Signature]
"""Signs a statement."""
Check = Callable[[bytes, Signature], str]
"""Returns the fingerprint of the key that signed a statement, or nothing if the signature is invalid."""


def unsigned(_statement: bytes) -> Signature:
    """Sign nothing: for a table of one's own and for bots without a host, where there is no key."""
    return Signature()


def unchecked(_statement: bytes, _signature: Signature) -> str:
    """Accept no signature: for programs that cannot check one."""
    return ""


class Signing(NamedTuple):
    """How a host signs and checks signatures; by default not at all, as at a table of one's own."""

    sign: Sign = unsigned
    check: Check = unchecked


NO_SIGNING = Signing()


class SealLine(Struct, frozen=True, tag="seal", forbid_unknown_fields=True):
    """After the last line of a match: the chain over all lines before it, signed by the host or by nobody."""

    chain: str
    """In hexadecimal."""
    key: str = ""
    signature: str = ""

    @property
    def statement(self) -> bytes:
        """What the host signs."""
        return f"boneyard record\nchain {self.chain}\n".encode()


class WitnessLine(Struct, frozen=True, tag="witness", forbid_unknown_fields=True):
    """After a seal: a player's testimony that the record is what their own program saw."""

    seat: int
    key: str
    signature: str


def attestation(chain: str, seat: int) -> bytes:
    """Return what the player on a seat signs of a record."""
    return f"boneyard witness\nseat {seat}\nchain {chain}\n".encode()


class Closing:
    """The closing of one match in a file: the chain over its lines, and which seals and witnesses may follow."""

    def __init__(self, people: Iterable[int] = (), *, sealed: bool = True) -> None:
        """`people` are the seats on which no bot sat down; `sealed` says whether a seal must follow."""
        self._people = frozenset(people)
        self._witnesses: set[int] = set()
        self._hash = START
        self._sealed = sealed
        self.due = sealed
        """Whether the seal is still to come."""

    @property
    def chain(self) -> str:
        """The sealed chain; empty before the seal, or without one."""
        return "" if self.due or not self._sealed else self._hash.hex()

    def add(self, line: str) -> None:
        """Add a line of the match itself, given without its line end."""
        self._hash = sha256(self._hash + line.encode()).digest()

    def seal(self, sign: Sign) -> SealLine:
        """Return the seal for the lines so far."""
        unsigned_yet = SealLine(self._hash.hex())
        return SealLine(unsigned_yet.chain, *sign(unsigned_yet.statement))

    def problem(self, line: SealLine | WitnessLine) -> str:
        """Take a line that follows the end of the match; return what is wrong with it, or nothing."""
        if isinstance(line, SealLine):
            return self._problem_of_seal(line)
        if not self.chain:
            return "a witness line must follow the seal"
        if line.seat not in self._people:
            return "nobody sat in that seat"
        if line.seat in self._witnesses:
            return "that seat already has a witness"
        if not line.key or not line.signature:
            return "a witness needs a key and a signature"
        self._witnesses.add(line.seat)
        return ""

    def _problem_of_seal(self, line: SealLine) -> str:
        if not self.due:
            return "the match was already over"
        if line.chain != self._hash.hex():
            return "the lines before this one are not the sealed ones"
        if bool(line.key) != bool(line.signature):
            return "a key and its signature go together"
        self.due = False
        return ""


def sealed(lines: Iterable[str], sign: Sign = unsigned) -> SealLine:
    """Return the seal for the lines of a match."""
    closing = Closing()
    for line in lines:
        closing.add(line)
    return closing.seal(sign)
