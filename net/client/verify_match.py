"""Checks the record of a match against the client's journal, saves it, and signs it as a witness
(`docs/fair-deals.md`).
"""

import asyncio
import logging
from collections import Counter
from collections.abc import Callable, Coroutine, Iterable
from copy import copy
from datetime import UTC, datetime
from hashlib import sha256
from itertools import count
from pathlib import Path
from typing import NamedTuple, Protocol

import msgspec
from msgspec import Struct, field

from core.actions import Dealt, Event, cut
from core.layout.state import NOBODY
from core.match import MOST_ACTIONS, MatchView
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
    write,
)
from net.client.client import Client, ClientEvent, Disconnected, Verification
from net.client.shares import (
    Accusation,
    ConnectionBroke,
    DealKnowledge,
    Evidence,
    JoinedTable,
    Journal,
    PlayerSignature,
    Pledged,
    Shares,
    UpdateReceived,
    evidence_lines,
    statement,
)
from net.loop import Tasks
from net.storage.atomic import write_atomically
from net.wire.messages import Left, Record, Update

MAX_EVENTS = 100_000
"""Maximum stored events of a match, and moments; the longest honest one has a few thousand. Without it a host could
fill the memory.
"""


class ObservedMatch:
    """The match at a client's table, or the moments that the client saw of it if it missed a part."""

    def __init__(self) -> None:
        self.seat = NOBODY
        """The client's seat in this match."""
        self.is_whole = False
        """True if the client saw the whole match."""
        self._number = 0
        self._table = 0
        self._match: MatchView | None = None
        self._commitment = ""
        self._seats: list[tuple[str, str]] = []
        self._events: list[Event] = []
        self._moments: list[bytes] = []

    def copy(self) -> "ObservedMatch":
        """Return a copy; updates that are added to one of the two do not change the other."""
        other = copy(self)
        other._events, other._moments = list(self._events), list(self._moments)
        return other

    def handle(self, update: Update) -> None:
        """Add an update."""
        has_gap = update.table.id != self._table or update.number > self._number + 1
        if update.table.id == self._table and update.number <= self._number:
            return  # the same update again, as the answer to a refused action
        former_match, self._match = None if update.table.id != self._table else self._match, update.match
        self._table, self._number = update.table.id, update.number
        match = update.match
        if match is None:
            return
        is_beginning = not match.over and (former_match is None or former_match.over)
        if is_beginning or (
            has_gap and not match.over and update.fair and update.fair.commitment != self._commitment
        ):
            self.seat = update.seat
            self.is_whole = is_beginning and update.events[:1] == (Dealt(1),)
            self._commitment = update.fair.commitment if update.fair else ""
            self._seats = [(seat.name, seat.bot) for seat in update.table.seats]
            self._events, self._moments = [], []
        elif has_gap or update.seat != self.seat or len(self._events) > MAX_EVENTS:
            self.is_whole, self._events = False, []
        if self.is_whole:
            self._events += update.events
        if update.seat == self.seat and len(self._moments) < MAX_EVENTS:
            moment = _moment(match)
            if self._moments[-1:] != [moment]:
                self._moments.append(moment)

    def problem(self, steps: Iterable[Step]) -> str:
        """Return the difference between the record of this match and the observed one; empty if there is none."""
        match_line: MatchLine | None = None
        last_match, match, events, seen_moments = None, self._match, [], 0
        for step in steps:
            if isinstance(step.line, MatchLine) and match_line is None and match is not None:
                match_line = step.line
                if (match_line.game, step.match.options, len(match_line.seats)) != (
                    match.game,
                    match.options,
                    match.players,
                ):
                    return "the record has another game or other house rules"
            if step.match is not last_match and seen_moments < len(self._moments):
                seen_moments += _moment(step.match.view(self.seat)) == self._moments[seen_moments]
            last_match = step.match
            events += [cut(event, self.seat) for event in step.events]
        if match_line is None or last_match is None or match is None or not match.over:
            return ""
        if (last_match.round, last_match.scores, last_match.winners) != (match.round, match.scores, match.winners):
            return "the record's result is not that of the match"
        if self.is_whole and [(seat.name, seat.bot) for seat in match_line.seats] != self._seats:
            return "the record's players are not those at the table"
        if self.is_whole and events != self._events:
            return "the record's moves are not those that were made"
        if seen_moments < len(self._moments):
            return "the record's tiles are not those your program was shown"
        return ""


def _moment(match: MatchView) -> bytes:
    """Return a digest of the facts of a view: scores, tiles and turn, without words that depend on the version."""
    facts = match.play.facts if match.play else ()
    return sha256(msgspec.msgpack.encode((match.round, match.scores, match.winners, facts))).digest()


class Verdict(Struct):
    """The findings in a valid record. Keys are given as fingerprints."""

    matches: int = 0
    lines: int = 0
    unfinished: int = 0
    """Matches that were stopped without a winner, because they might never have had one."""
    agreed: int = 0
    """Matches that the players agreed to end without a winner."""
    unsigned: int = 0
    """Unsigned matches: anyone who had the file could have changed them."""
    uncommitted: int = 0
    """Matches of the first format, whose deals cannot be proven."""
    signers: Counter[str] = field(default_factory=Counter)
    """By key, the number of matches that it signed."""
    witnesses: Counter[tuple[str, int, str]] = field(default_factory=Counter)
    """By name, seat and key, the number of matches that a player signed as a witness."""
    unshown: Counter[str] = field(default_factory=Counter)
    """By name, the number of shares pledged and not revealed."""


def verify_record(lines: Iterable[str], check: Check) -> Verdict:
    """Check a record and its signatures. Raises `core.records.RecordError` at the first wrong line.

    It stores no lines, so a file may have any length.
    """
    verdict = Verdict()
    match_line: MatchLine | None = None
    chain = ""
    for step in referee(lines):
        verdict.lines += 1
        match step.line:
            case MatchLine():
                match_line = step.line
            case EndLine() if match_line is not None:
                verdict.matches += 1
                verdict.agreed += bool(step.line.agreed) and not step.line.winners
                verdict.unfinished += step.line.unfinished and not step.line.agreed
                verdict.unsigned += 1  # until a seal says otherwise
                verdict.uncommitted += match_line.format == UNCOMMITTED
                for seat, share in zip(
                    match_line.seats, match_line.fair.shares if match_line.fair else (), strict=False
                ):
                    if share.pledge and not share.share:
                        verdict.unshown[seat.name] += 1
            case SealLine(chain=chain, key=key, signature=signature) if key:
                signer = check(step.line.statement, Signature(key, signature))
                if not signer:
                    raise RecordError(step.number, "the host's signature is not valid")
                verdict.unsigned -= 1
                verdict.signers[signer] += 1
            case SealLine(chain=chain):
                pass
            case WitnessLine(seat=seat, key=key, signature=signature) if match_line is not None:
                signer = check(attestation(chain, seat), Signature(key, signature))
                if not signer:
                    raise RecordError(step.number, f"the signature of the witness in seat {seat} is not valid")
                verdict.witnesses[match_line.seats[seat].name, seat, signer] += 1
    return verdict


MAX_LINES = 3 * MOST_ACTIONS
"""Maximum lines of a record. Most matches have a few hundred; a match may be stopped after MOST_ACTIONS actions, and
few actions have two lines. Without it a host could fill a player's memory.
"""
MAX_RECORD = 16 * 2**20
"""Maximum bytes of a record: MOST_ACTIONS actions of some 80 bytes and a thousand deals of 2,000 are 10 MiB."""
RECORD_TIMEOUT = 60.0
"""Seconds to receive the record of a match; it has about 100 KiB, so a slow connection needs twenty."""
NO_RECORD = "the host does not hand out the record of the match"
log = logging.getLogger(__name__)


class ConnectionKeys(Protocol):
    """The keys of both ends of a connection."""

    host: str
    """The fingerprint of the host's key."""

    def check(self, statement: bytes, signature: Signature, /) -> str:
        """Return the fingerprint of the key that signed a statement; empty if the signature is invalid."""

    async def sign(self, statement: bytes, /) -> Signature:
        """Sign with the player's key; the result is empty if that is impossible."""


class ReceivedRecord:
    """The lines of a record as they arrive from a host, up to the size of any honest record."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self._free_bytes = MAX_RECORD

    def add(self, lines: Iterable[str]) -> None:
        """Add lines until the limit; drop all others."""
        for line in lines:
            self._free_bytes -= len(line.encode())
            if self._free_bytes < 0 or len(self.lines) == MAX_LINES:
                return
            self.lines.append(line)


class CheckResult(NamedTuple):
    """The result of checking a record."""

    problem: str = ""
    """The promise that the host broke; empty if it kept all and the record agrees with the journal."""
    caveat: str = ""
    """The part that is not proven, and why; empty if every deal is."""
    chain: str = ""
    """The chain in its seal; empty in a record without a seal."""
    witnesses: tuple[int, ...] = ()
    """The seats that have signed already."""
    signed: bool = False
    """True if the host has signed it."""


def check_record(
    lines: list[str],
    witness: DealKnowledge | None,
    observed: ObservedMatch | None = None,
    keys: ConnectionKeys | None = None,
) -> CheckResult:
    """Compare a record with the observed match, and check its signature with the key of the host.

    This takes about 60 ms for a match, so only a client in its own process may call it.
    """
    problem = witness.problem if witness else ""
    try:
        steps = list(referee(lines))
        signers = set(verify_record(lines, keys.check).signers) if keys else set()
    except RecordError as error:
        return CheckResult(problem or f"the record does not hold: {error}")
    seals = [step.line.chain for step in steps if isinstance(step.line, SealLine)]
    witnesses = tuple(step.line.seat for step in steps if isinstance(step.line, WitnessLine))
    first_line = next((step.line for step in steps if isinstance(step.line, MatchLine)), None)
    problem = problem or _broken_promise(first_line, witness) or (observed.problem(steps) if observed else "")
    is_signed = bool(keys) and signers == {keys.host if keys else ""}
    if not problem and keys and not is_signed:
        problem = "the record is not signed with the key of this host"
    chain = seals[0] if len(seals) == 1 else ""
    return CheckResult(problem, "" if problem else _caveat(first_line, witness), chain, witnesses, is_signed)


def _broken_promise(first_line: MatchLine | None, witness: DealKnowledge | None) -> str:
    """Return the difference between a record and the promises before the first deal; empty if there is none."""
    if witness is None or witness.fair is None:
        return ""
    fair = first_line.fair if first_line else None
    if fair is None or fair.commitment != witness.fair.commitment:
        return "the host committed to something else"
    pledges = [share.pledge for share in witness.fair.shares]
    if [share.pledge for share in fair.shares] != pledges:
        return "the pledges are not those that were shown"
    if witness.share and fair.shares[witness.seat].share != witness.share:
        return "your own share was left out"
    return ""


def _caveat(first_line: MatchLine | None, witness: DealKnowledge | None) -> str:
    """Return the reason why a valid record does not prove that nobody could choose the deals; empty if it does."""
    if witness is None:
        return "your program joined after the first deal"
    if witness.caveat:
        return witness.caveat
    shares = first_line.fair.shares if first_line and first_line.fair else ()
    for seat, share in enumerate(shares):
        if first_line and share.pledge and not share.share:
            name = first_line.seats[seat].name
            return f"{name} pledged a share and kept it back"
    return ""


def replay_evidence(evidence: Evidence, keys: ConnectionKeys) -> CheckResult:
    """Replay the client's part in a match from an evidence file; return the result."""
    pledged_shares = iter([bytes.fromhex(entry.share) for entry in evidence.entries if isinstance(entry, Pledged)])
    shares, observed = Shares(lambda _size: next(pledged_shares)), ObservedMatch()
    for entry in evidence.entries:
        match entry:
            case JoinedTable(begun=begun):
                shares.join_table(may_have_begun=begun)
            case Pledged():
                shares.pledge()
            case ConnectionBroke():
                shares.connection_broke()
            case UpdateReceived(update=update):
                shares.handle(update)
                observed.handle(update)
    if not evidence.record:
        return CheckResult(shares.problem)
    return check_record(evidence.record, shares.witness, observed, keys)


class RecordVerifier:
    """Requests the record of every match that a client saw to its end, checks it and saves it in a folder.

    If the client saw the whole match, it also signs the record as a witness, with the key of the player's login. If
    the host breaks a promise, the player is informed at once and again with the record; the evidence is saved beside
    the records.
    """

    def __init__(
        self,
        client: Client,
        folder: Path,
        keys: ConnectionKeys | None = None,
        on_record_saved: Callable[[str, int], None] = lambda _chain, _seat: None,
    ) -> None:
        """`on_record_saved` is called, in a thread, with the chain of each saved record and the player's seat."""
        self._client = client
        self._on_record_saved = on_record_saved
        self._folder = folder
        self._keys = keys
        self._observed = ObservedMatch()
        self._witness: DealKnowledge | None = None
        self._journal = Journal()
        client.shares.keeps_evidence = True
        self._received = ReceivedRecord()
        """Lines of the requested record; `_witness` and `_journal` belong to the same match."""
        self._has_requested = False
        self._has_accused = False
        """True once the player knows that the host broke a promise about this match."""
        self.last_breach: Verification | None = None
        """The last broken promise; None while the host is honest."""
        self._request_timer: asyncio.TimerHandle | None = None
        self._tasks = Tasks()
        client.subscribe(self.handle)

    def handle(self, message: ClientEvent) -> None:
        """Watch for broken promises and for the end of a match, and receive its record."""
        if isinstance(message, Update):
            self._observed.handle(message)
        match message:
            case Update(match=match) if match is not None and match.over:
                if not self._has_requested:
                    self._request_record()
            case Update():
                self._has_requested = False
                shares = self._client.shares
                if not self._has_accused and shares.problem:
                    self._has_accused = True
                    self._start_check(self._accuse(shares.problem, shares.journal, []))
            case Disconnected():
                self._has_requested = (
                    False  # the answer is lost with the connection; after it the update is sent again
                )
                self._stop_waiting()
            case Left():
                self._stop_waiting()
            case Record(lines=lines, last=last) if self._request_timer is not None:
                self._received.add(lines)
                if last:
                    self._stop_waiting()
                    observed, self._observed = self._observed, self._observed.copy()
                    self._start_check(self._verify(self._received.lines, self._witness, observed, self._journal))

    def _request_record(self) -> None:
        self._has_requested, self._has_accused, self._received = True, False, ReceivedRecord()
        self._witness, self._journal = self._client.shares.witness, self._client.shares.finished
        self._client.recall()
        self._stop_waiting()
        self._request_timer = asyncio.get_running_loop().call_later(RECORD_TIMEOUT / 2, self._ask_again)

    def _ask_again(self) -> None:
        """Request the record once more: an honest host refuses a client that has asked for too much at once."""
        if not self._received.lines:
            self._client.recall()
        self._request_timer = asyncio.get_running_loop().call_later(RECORD_TIMEOUT / 2, self._on_missing_record)

    def _stop_waiting(self) -> None:
        if self._request_timer is not None:
            self._request_timer.cancel()
            self._request_timer = None

    def _on_missing_record(self) -> None:
        self._request_timer = None
        problem = self._witness.problem if self._witness else ""
        self._start_check(self._accuse(problem or NO_RECORD, self._journal, self._received.lines))

    def _start_check(self, check: Coroutine[None, None, None]) -> None:
        self._tasks.start(check, "record-not-checked")

    async def _verify(
        self, lines: list[str], witness: DealKnowledge | None, observed: ObservedMatch, journal: Journal
    ) -> None:
        # In a thread, so that the screen stays responsive.
        result = await asyncio.to_thread(check_record, lines, witness, observed, self._keys)
        if result.problem:
            await self._accuse(result.problem, journal, lines)
            return
        self._client.publish(Verification(caveat=result.caveat))
        if observed.is_whole and observed.seat not in (NOBODY, *result.witnesses):
            lines = [*lines, *await self._attest(result.chain, observed.seat)]
        self._write_file("", lines)
        if observed.seat != NOBODY:
            await asyncio.to_thread(self._on_record_saved, result.chain, observed.seat)

    async def _accuse(self, problem: str, journal: Journal, record: list[str]) -> None:
        """Inform the player about the host's breach, and save the evidence."""
        accusation = Accusation(self._keys.host if self._keys else "", problem)
        lines = await asyncio.to_thread(evidence_lines, accusation, journal, record)
        if self._keys:
            signature = await self._keys.sign(statement(lines))
            lines += [msgspec.json.encode(PlayerSignature(*signature))] if signature.key else []
        self.last_breach = Verification(
            problem, evidence=self._write_file("-evidence", [line.decode() for line in lines])
        )
        self._client.publish(self.last_breach)

    def _write_file(self, kind: str, lines: list[str]) -> str:
        """Write a file beside the records; return its name, or "" if that fails."""
        timestamp = f"{datetime.now(UTC):%Y%m%d-%H%M%S-%f}"
        names = (f"{timestamp}{f'-{number}' if number > 1 else ''}{kind}.jsonl" for number in count(1))
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            path = next(path for path in map(self._folder.joinpath, names) if not path.exists())
            write_atomically(path, "".join(f"{line}\n" for line in lines))
        except OSError as error:
            # a screen is open; the message to the player counts
            log.debug("nothing could be kept in %s: %s", self._folder, error)
            return ""
        return str(path)

    async def _attest(self, chain: str, seat: int) -> list[str]:
        """Send a witness signature to the host; return its line for our copy, no line if the player cannot sign."""
        signature = await self._keys.sign(attestation(chain, seat)) if self._keys and chain else Signature()
        if not signature.key:
            return []
        self._client.attest(chain, signature)
        return [write(WitnessLine(seat, *signature))]
