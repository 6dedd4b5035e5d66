"""What a record proves, after every line and every signature was checked (`docs/records.md`)."""

from collections.abc import Iterable

from msgspec import Struct

from core.records import UNCOMMITTED, EndLine, MatchLine, RecordError, referee
from core.seals import Check, SealLine, Signature, WitnessLine, attestation


class Verdict(Struct):
    """What was found in a valid record. Keys are given as fingerprints."""

    matches: int = 0
    lines: int = 0
    unfinished: int = 0
    """Matches that were ended without a winner, as they might never have had one."""
    unsigned: int = 0
    """Matches that nobody has signed: anybody who had the file could have changed them."""
    uncommitted: int = 0
    """Matches of the first format, whose deals cannot be proven."""
    signers: dict[str, int] = {}
    """By key, how many matches it signed."""
    witnesses: dict[tuple[str, int, str], int] = {}
    """By name, seat and key, to how many matches a player testifies."""
    unshown: dict[str, int] = {}
    """By name, how often a share was pledged and not shown."""


def verify_record(lines: Iterable[str], check: Check) -> Verdict:
    """Check a record and its signatures. Raises `core.records.RecordError` at the first wrong line.

    It keeps no lines, so a file may have any length.
    """
    verdict = Verdict()
    first: MatchLine | None = None
    chain = ""
    for step in referee(lines):
        verdict.lines += 1
        match step.line:
            case MatchLine():
                first = step.line
            case EndLine() if first is not None:
                verdict.matches += 1
                verdict.unfinished += step.line.unfinished
                verdict.unsigned += 1  # until a seal says otherwise
                verdict.uncommitted += first.format == UNCOMMITTED
                _note_unshown(verdict, first)
            case SealLine(chain=chain, key=key, signature=signature) if key:
                signer = check(step.line.statement, Signature(key, signature))
                if not signer:
                    raise RecordError(step.number, "the host's signature is not valid")
                verdict.unsigned -= 1
                verdict.signers[signer] = verdict.signers.get(signer, 0) + 1
            case SealLine(chain=chain):
                pass
            case WitnessLine(seat=seat, key=key, signature=signature) if first is not None:
                signer = check(attestation(chain, seat), Signature(key, signature))
                if not signer:
                    raise RecordError(step.number, f"the signature of the witness in seat {seat} is not valid")
                who = first.seats[seat].name, seat, signer
                verdict.witnesses[who] = verdict.witnesses.get(who, 0) + 1
    return verdict


def _note_unshown(verdict: Verdict, first: MatchLine) -> None:
    for seat, share in zip(first.seats, first.fair.shares if first.fair else (), strict=False):
        if share.pledge and not share.share:
            verdict.unshown[seat.name] = verdict.unshown.get(seat.name, 0) + 1
