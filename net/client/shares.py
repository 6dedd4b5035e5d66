"""A client's part in a fair deal: it pledges a share, reveals it, and checks that the host keeps its promises.

`docs/fair-deals.md` proves step by step that a host that keeps them cannot choose a deal. The journal of all messages
about a match is evidence against a host that breaks them, which anyone can check.
"""

from collections.abc import Callable, Iterable, Iterator
from hashlib import sha256

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from core.fair import SECRET_LENGTH, FairDeal, commit, is_digest
from core.layout.state import NOBODY
from core.records import Check, Signature
from core.variant import Options
from net.client.untrusted import decode_untrusted
from net.limits import MAX_FRAME
from net.wire.link import WireError, pack
from net.wire.messages import Update

MAX_LINE_LENGTH = 2 * MAX_FRAME
"""Maximum characters of a line of evidence: in JSON, an update takes about twice the size of its frame."""
EVIDENCE_START = '{"type":"evidence"'
"""The start of the first line of every evidence file, and of no record."""
MAX_JOURNAL_BYTES = 16 * 2**20
"""Maximum bytes of updates stored for one match; the longest honest one has about 4 MiB."""


class Accusation(Struct, frozen=True, tag="evidence", forbid_unknown_fields=True):
    """The first line of an evidence file: the accused host, and the reason."""

    host: str
    """The fingerprint of the host's key."""
    problem: str
    """A sentence; reading the file derives it again."""


class JoinedTable(Struct, frozen=True, tag="arrived", forbid_unknown_fields=True):
    """The client went to the table."""

    begun: bool
    """True if a match may have been under way there."""


class Pledged(Struct, frozen=True, tag="pledged", forbid_unknown_fields=True):
    """The client drew a share, and sent its SHA-256 with the next request."""

    share: str


class ConnectionBroke(Struct, frozen=True, tag="broke", forbid_unknown_fields=True):
    """The connection broke, and was restored."""


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
    """The messages between a client and a host about one match, as lines."""

    def __init__(self) -> None:
        self.lines: list[bytes] = []
        self._free_bytes = MAX_JOURNAL_BYTES

    def note(self, entry: Entry) -> None:
        """Add an entry, unless the journal is full."""
        line = msgspec.json.encode(entry)
        if len(line) <= self._free_bytes:
            self._free_bytes -= len(line)
            self.lines.append(line)


class EvidenceError(Exception):
    """A file is not valid evidence; the sentence says why."""


class Evidence(Struct):
    """The content of an evidence file: an accusation against a host, and all that supports it."""

    accusation: Accusation
    entries: list[Entry] = []
    record: list[str] = []
    signer: str = ""
    """The fingerprint of the player's key; empty if it is unsigned."""


def statement(lines: Iterable[bytes]) -> bytes:
    """Return the bytes of an evidence file that a player signs."""
    digest = sha256()
    for line in lines:
        digest.update(line + b"\n")
    return f"boneyard evidence\nlines {digest.hexdigest()}\n".encode()


def evidence_lines(accusation: Accusation, journal: Journal, record: Iterable[str]) -> list[bytes]:
    """Return the lines of an evidence file, except the player's signature."""
    record_lines = [msgspec.json.encode(RecordLine(line)) for line in record]
    return [msgspec.json.encode(accusation), *journal.lines, *record_lines]


def read_evidence(lines: Iterable[str], check: Check) -> Evidence:
    """Read an evidence file. Raises EvidenceError at the first wrong line.

    `check` returns the fingerprint of a signature's key.
    """
    evidence: Evidence | None = None
    signed_lines: list[bytes] = []
    for number, (encoded_line, entry) in enumerate(_decode_lines(lines), 1):
        if evidence is None:
            if not isinstance(entry, Accusation):
                raise EvidenceError("it does not begin like evidence")
            evidence = Evidence(entry)
        elif evidence.signer or isinstance(entry, Accusation):
            raise EvidenceError(f"line {number} does not belong there")
        elif isinstance(entry, RecordLine):
            evidence.record.append(entry.line)
        elif isinstance(entry, PlayerSignature):
            evidence.signer = check(statement(signed_lines), Signature(entry.key, entry.signature))
            if not evidence.signer:
                raise EvidenceError("its signature is not valid")
        else:
            evidence.entries.append(_clean_entry(number, entry))
        signed_lines.append(encoded_line)
    if evidence is None:
        raise EvidenceError("it is empty")
    return evidence


def _clean_entry(number: int, entry: Entry) -> Entry:
    """Return an entry that a client may have written, cleaned like all untrusted input."""
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


def _decode_lines(lines: Iterable[str]) -> Iterator[tuple[bytes, EvidenceLine]]:
    decoder = msgspec.json.Decoder(EvidenceLine)
    for number, line in enumerate(lines, 1):
        try:
            encoded_line = line.encode()
            yield encoded_line, decoder.decode(encoded_line)
        except (msgspec.DecodeError, ValueError, RecursionError) as error:
            raise EvidenceError(f"line {number} cannot be read: {error}") from error


UNUSED_SHARE = "your connection broke, so your share was not used"


class DealKnowledge(Struct, frozen=True):
    """A client's knowledge about the fair deal of a match from before its first deal."""

    fair: FairDeal | None = None
    """All commitments and pledges when this client revealed its share; None if it did not see that moment."""
    seat: int = NOBODY
    share: str = ""
    """Its own share, in hexadecimal; empty if it revealed none."""
    game: str = ""
    options: Options = {}
    problem: str = ""
    """The first promise that the host broke; empty if it broke none."""
    caveat: str = ""
    """The reason why the deals lack this client's share, if the host need not have cheated; empty if they have it."""


class Shares:
    """A client's shares for the matches at its table, from the pledge to the first deal."""

    def __init__(self, entropy: Callable[[int], bytes] | None) -> None:
        """`entropy` returns the bytes of shares; None adds nothing."""
        self._entropy = entropy
        self.keeps_evidence = False
        """True to store the journal of each match, so that this client can accuse a host that cheats."""
        self._forget()
        self._is_playing = False
        self._has_update = True
        """True once an update has come from the table that this client joined last."""
        self.witness: DealKnowledge | None = None
        """Knowledge about the current or last match; None if this client came after its first deal."""
        self.journal = Journal()
        """Journal of the current or next match."""
        self.finished = self.journal
        """Journal of the last finished match."""

    def pledge(self) -> str:
        """Draw and store a share for the next match, and return its pledge; empty for a client that adds nothing."""
        if self._entropy is None:
            return ""
        share = self._entropy(SECRET_LENGTH)
        pledge = commit(share)
        self._pledged_shares[pledge] = share.hex()
        self._journal_entry(Pledged(share.hex()))
        return pledge

    def join_table(self, *, may_have_begun: bool) -> None:
        """Record that this client goes to another table, and expects nothing more from the last one.

        `may_have_begun`: a match may be under way there. If not, this client sees the next deal from its start.
        """
        unused_shares = {} if self._has_update else dict(self._pledged_shares)  # the host may hold one of them by now
        if self._revealed_knowledge is not None:
            unused_shares = {
                pledge: share for pledge, share in unused_shares.items() if share != self._revealed_knowledge.share
            }
        self._forget()
        self.journal = Journal()
        self._journal_entry(JoinedTable(may_have_begun))
        for share in unused_shares.values():
            self._journal_entry(Pledged(share))
        self._pledged_shares.update(unused_shares)
        self._has_update = False
        self._is_continuous = not may_have_begun
        self._is_playing = False
        self.witness = None

    def connection_broke(self) -> None:
        """Record that updates may be missed until the connection works again."""
        self._journal_entry(ConnectionBroke())
        self._is_continuous, self._may_need_resend = False, True

    def handle(self, update: Update) -> str:
        """Record the data of the fair deal in an update; return the share to reveal now, empty if none is due."""
        self._journal_entry(UpdateReceived(update))
        self._has_update = True
        if update.match is None or update.match.over:
            if self._is_playing:
                self._is_playing, self.finished, self.journal = False, self.journal, Journal()
                self._journal_entry(UpdateReceived(update))
            return self._handle_before_deal(update)
        if not self._is_playing:
            self._is_playing = True
            self.witness = self._promises_for_match(update)
            self._forget()
        elif update.fair and self.witness and self.witness.fair:
            problem = _changed_promise(self.witness, update.fair, update.seat)
            if problem and self._may_need_resend:
                self.witness = DealKnowledge(caveat="another match was under way when you reconnected")
            elif problem and not self.witness.problem:
                self.witness = replace(self.witness, problem=problem)
        return ""

    @property
    def problem(self) -> str:
        """The promise about the current or next match that the host has broken; empty if it has broken none."""
        return self._problem or (self.witness.problem if self.witness and self._is_playing else "")

    def _forget(self) -> None:
        self._pledged_shares: dict[str, str] = {}
        """Shares for the next match, by pledge; several if the player left the seat and returned."""
        self._revealed_knowledge: DealKnowledge | None = None
        """The promises when the share was revealed; they must not change after that."""
        self._problem = ""
        self._is_continuous = False
        """True if this client has been at the table without a break since before any share was revealed."""
        self._may_need_resend = False
        """True if the revealed share may have been lost with the connection."""

    def _journal_entry(self, entry: Entry) -> None:
        if self.keeps_evidence and self._entropy is not None:  # a client that adds nothing has no promise
            self.journal.note(entry)

    def _handle_before_deal(self, update: Update) -> str:
        fair, seat = update.fair, update.seat
        if update.table.phase != "shuffling":
            self._is_continuous = True
        elif fair is None or self._problem:
            pass
        elif self._revealed_knowledge is not None:
            self._problem = _changed_promise(self._revealed_knowledge, fair, seat)
            must_resend, self._may_need_resend = self._may_need_resend, False
            if must_resend and not self._problem and self._revealed_knowledge.share and not fair.shares[seat].share:
                return self._revealed_knowledge.share
        else:
            share = self._pledged_shares.get(fair.shares[seat].pledge, "") if seat != NOBODY else ""
            if share or not self._has_share_for(seat):
                self._revealed_knowledge, self._may_need_resend = (
                    DealKnowledge(fair, seat, share, update.table.game, update.table.options),
                    False,
                )
                return share
            if self._is_continuous:
                self._problem = "the host left out your program's pledge"
        return ""

    def _has_share_for(self, seat: int) -> bool:
        return self._entropy is not None and seat != NOBODY

    def _promises_for_match(self, update: Update) -> DealKnowledge | None:
        """Return the knowledge with which the record of a match that begins now will be compared."""
        promises, match = self._revealed_knowledge, update.match
        assert match is not None  # noqa: S101 - it is under way
        if self._problem:
            return replace(promises or DealKnowledge(), problem=self._problem)
        if promises is None:
            if not self._has_share_for(update.seat) or not (self._is_continuous or self._may_need_resend):
                return None
            if self._is_continuous:
                return DealKnowledge(problem="the tiles were dealt before your share was shown")
            return DealKnowledge(caveat=UNUSED_SHARE)
        problem = _changed_promise(promises, update.fair, update.seat) if update.fair else ""
        if (match.game, match.options) != (promises.game, promises.options):
            problem = problem or "the rules changed after your share was shown"
        own_share = promises.share
        if problem or update.fair is None or not own_share or update.fair.shares[promises.seat].share == own_share:
            return replace(promises, problem=problem)
        if self._is_continuous:
            return replace(promises, problem="the tiles were dealt without your share")
        return replace(promises, share="", caveat=UNUSED_SHARE)


def _changed_promise(promises: DealKnowledge, fair: FairDeal, seat: int) -> str:
    """Return the promise that changed since this client revealed its share; empty if none did."""
    assert promises.fair is not None  # noqa: S101 - the share was revealed for it
    if fair.commitment != promises.fair.commitment:
        return "the host changed its secret after your share was shown"
    if [share.pledge for share in fair.shares] != [share.pledge for share in promises.fair.shares]:
        return "the host changed pledges after your share was shown"
    if seat != promises.seat:
        return "the host moved your seat after your share was shown"
    return ""
