"""The seal of a record: a chain of hashes over its lines, and what is signed of it (`docs/records.md`).

The functions that sign and check are passed in; here a key and a signature are texts.
"""

from collections.abc import Callable, Iterable
from hashlib import sha256
from typing import NamedTuple

from msgspec import Struct
from msgspec.structs import replace

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
    """How a host signs and checks signatures; by default not at all, as in a game alone."""

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


class Closing(Struct, frozen=True):
    """The closing of one match in a file: the chain over its lines, and which seals and witnesses may follow."""

    people: frozenset[int] = frozenset()
    """The seats on which no bot sat down."""
    sealed: bool = True
    """Whether a seal must follow."""
    due: bool = True
    """Whether the seal is still to come."""
    hash: bytes = START
    witnesses: frozenset[int] = frozenset()

    @classmethod
    def of(cls, people: Iterable[int] = (), *, sealed: bool = True) -> "Closing":
        """Return what closes a match without any line yet."""
        return cls(frozenset(people), sealed, due=sealed)

    @property
    def chain(self) -> str:
        """The sealed chain; empty before the seal, or without one."""
        return "" if self.due or not self.sealed else self.hash.hex()

    def add(self, line: str) -> "Closing":
        """Return it with one more line of the match itself, given without its line end."""
        return replace(self, hash=sha256(self.hash + line.encode()).digest())

    def seal(self, sign: Sign) -> SealLine:
        """Return the seal for the lines so far."""
        unsigned_yet = SealLine(self.hash.hex())
        return SealLine(unsigned_yet.chain, *sign(unsigned_yet.statement))

    def problem(self, line: SealLine | WitnessLine) -> str:
        """Say what is wrong with a line that follows the end of the match, or nothing."""
        if isinstance(line, SealLine):
            return self._problem_of_seal(line)
        if not self.chain:
            return "a witness line must follow the seal"
        if line.seat not in self.people:
            return "nobody sat in that seat"
        if line.seat in self.witnesses:
            return "that seat already has a witness"
        return "" if line.key and line.signature else "a witness needs a key and a signature"

    def closed(self, line: SealLine | WitnessLine) -> "Closing":
        """Return it with a line in which there is no problem."""
        if isinstance(line, SealLine):
            return replace(self, due=False)
        return replace(self, witnesses=self.witnesses | {line.seat})

    def _problem_of_seal(self, line: SealLine) -> str:
        if not self.due:
            return "the match was already over"
        if line.chain != self.hash.hex():
            return "the lines before this one are not the sealed ones"
        return "" if bool(line.key) == bool(line.signature) else "a key and its signature go together"


def sealed(lines: Iterable[str], sign: Sign = unsigned) -> SealLine:
    """Return the seal for the lines of a match."""
    closing = Closing()
    for line in lines:
        closing = closing.add(line)
    return closing.seal(sign)
