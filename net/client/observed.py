"""What a client saw of a match, to compare with its record, and what a record is worth by its own lines."""

from collections.abc import Iterable
from copy import copy
from hashlib import sha256

import msgspec
from msgspec import Struct

from core.actions import Dealt, Event, cut
from core.layout.state import NOBODY
from core.match import MatchView
from core.records import (
    UNCOMMITTED,
    Check,
    EndLine,
    MatchLine,
    RecordError,
    SealLine,
    Signature,
    Step,
    WitnessLine,
    attestation,
    referee,
)
from net.wire.messages import Update

MOST_EVENTS = 100_000
"""Events of one match, and as many moments, that are kept; the longest honest one has a few thousand. A host may not
fill the memory."""


class ObservedMatch:
    """The match at a client's table, or the moments that the client saw of it if it missed a part."""

    def __init__(self) -> None:
        self.seat = NOBODY
        """The client's own, in this match."""
        self.whole = False
        """Whether nothing of the match was missed."""
        self._number = 0
        self._table = 0
        self._match: MatchView | None = None
        self._commitment = ""
        self._seats: list[tuple[str, str]] = []
        self._events: list[Event] = []
        self._moments: list[bytes] = []

    def after(self) -> "ObservedMatch":
        """Return a copy that can go on independently."""
        other = copy(self)
        other._events, other._moments = list(self._events), list(self._moments)
        return other

    def handle(self, update: Update) -> None:
        """Note an update."""
        gap = update.table.id != self._table or update.number > self._number + 1
        if update.table.id == self._table and update.number <= self._number:
            return  # the same update again, with an answer to a refused action
        before, self._match = None if update.table.id != self._table else self._match, update.match
        self._table, self._number = update.table.id, update.number
        match = update.match
        if match is None:
            return
        begins = not match.over and (before is None or before.over)
        if begins or (gap and not match.over and update.fair and update.fair.commitment != self._commitment):
            self.seat = update.seat
            self.whole = begins and update.events[:1] == (Dealt(1),)
            self._commitment = update.fair.commitment if update.fair else ""
            self._seats = [(seat.name, seat.bot) for seat in update.table.seats]
            self._events, self._moments = [], []
        elif gap or update.seat != self.seat or len(self._events) > MOST_EVENTS:
            self.whole, self._events = False, []
        if self.whole:
            self._events += update.events
        if update.seat == self.seat and len(self._moments) < MOST_EVENTS:
            moment = _moment(match)
            if self._moments[-1:] != [moment]:
                self._moments.append(moment)

    def problem(self, steps: Iterable[Step]) -> str:
        """Say what in the record of this match is not as it was seen; empty when nothing is."""
        first: MatchLine | None = None
        last, match, events, found = None, self._match, [], 0
        for step in steps:
            if isinstance(step.line, MatchLine) and first is None and match is not None:
                first = step.line
                if (first.game, step.match.options, len(first.seats)) != (match.game, match.options, match.players):
                    return "the record has another game or other house rules"
            if step.match is not last and found < len(self._moments):
                found += _moment(step.match.view(self.seat)) == self._moments[found]
            last = step.match
            events += [cut(event, self.seat) for event in step.events]
        if first is None or last is None or match is None or not match.over:
            return ""
        if (last.round, last.scores, last.winners) != (match.round, match.scores, match.winners):
            return "the record's result is not that of the match"
        if self.whole and [(seat.name, seat.bot) for seat in first.seats] != self._seats:
            return "the record's players are not those at the table"
        if self.whole and events != self._events:
            return "the record's moves are not those that were made"
        if found < len(self._moments):
            return "the record's tiles are not those your program was shown"
        return ""


def _moment(match: MatchView) -> bytes:
    """A digest of the facts of a view: scores, tiles and turn, without words that may differ in another version."""
    facts = match.play.facts if match.play else ()
    return sha256(msgspec.msgpack.encode((match.round, match.scores, match.winners, facts))).digest()


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
