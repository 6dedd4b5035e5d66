"""Finds a person in the records of a host's matches, and gives them a pseudonym there; records still verify."""

from collections.abc import Collection, Iterator
from pathlib import Path

import msgspec
from msgspec.structs import replace

from core.records import Line, MatchLine, SealLine, Signature, Signing, WitnessLine, attestation, seal_of, write
from net.storage.atomic import write_atomically

_decode = msgspec.json.Decoder(Line).decode


class RecordUntouchedError(Exception):
    """A record was not changed; the sentence says why."""


def records_of(folder: Path, name: str, keys: Collection[str], signing: Signing) -> Iterator[tuple[Path, set[int]]]:
    """Yield each record in which a person sat, and their seats.

    A person is identified by `name`, and by the fingerprints `keys` with which they signed a record as witness.
    """
    for path in sorted(folder.glob("*.jsonl")):
        try:
            lines = [_decode(line) for line in path.read_bytes().splitlines() if _is_about_people(line)]
        except (OSError, msgspec.DecodeError):
            continue  # `verify` says what is wrong with it
        seats: set[int] = set()
        chain = next((line.chain for line in lines if isinstance(line, SealLine)), "")
        for line in lines:
            if isinstance(line, MatchLine):
                seats |= {seat for seat, player in enumerate(line.seats) if player.name == name and not player.bot}
            elif isinstance(line, WitnessLine):
                signer = signing.check(attestation(chain, line.seat), Signature(line.key, line.signature))
                seats |= {line.seat} if signer in keys else set()
        if seats:
            yield path, seats


def give_pseudonym(path: Path, seats: Collection[int], pseudonym: str, signing: Signing) -> None:
    """Replace the name on these seats of a record by a pseudonym, and seal the record again with the host's key.

    Witness lines are removed: their signatures cover the name. Raises RecordUntouchedError if the record is damaged
    or sealed by another host: a new seal would make this host vouch for it.
    """
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
        match_line = _decode(lines[0])
        play_lines = [line for line in lines if not line.startswith(('{"type":"seal"', '{"type":"witness"'))]
        seals = [line for line in map(_decode, lines[len(play_lines) :]) if isinstance(line, SealLine)]
    except (ValueError, msgspec.DecodeError):
        raise RecordUntouchedError(f"{path.name} is damaged.") from None
    if not isinstance(match_line, MatchLine) or sum(line.startswith('{"type":"match"') for line in lines) != 1:
        raise RecordUntouchedError(f"{path.name} does not hold exactly one match.")
    own_key = signing.check(b"", signing.sign(b""))
    for seal in seals:
        if seal.chain != seal_of(play_lines).chain:
            raise RecordUntouchedError(f"{path.name} is damaged.")
        if seal.key and signing.check(seal.statement, Signature(seal.key, seal.signature)) != own_key:
            raise RecordUntouchedError(f"{path.name} is not signed by this host.")
    seats_with_pseudonym = tuple(
        replace(seat, name=pseudonym) if number in seats else seat for number, seat in enumerate(match_line.seats)
    )
    play_lines[0] = write(replace(match_line, seats=seats_with_pseudonym))
    seal_lines = [write(seal_of(play_lines, signing.sign))] if seals else []
    write_atomically(path, "".join(f"{line}\n" for line in (*play_lines, *seal_lines)))


def _is_about_people(line: bytes) -> bool:
    return line.startswith((b'{"type":"match"', b'{"type":"seal"', b'{"type":"witness"'))
