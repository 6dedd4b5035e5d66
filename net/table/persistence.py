"""The saved state of a table: its match with its record and shuffle, a snapshot of the rest, and the storage
interface.
"""

from collections.abc import Callable, Iterable
from hashlib import sha256
from random import Random
from secrets import token_hex
from typing import Protocol
from zlib import crc32

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from core.actions import Action, Event
from core.bots.profiles import EFFORTS, Question
from core.fair import FairDeal, Share, commit, deal_key, deal_order, is_digest, is_pledged
from core.layout.state import NOBODY
from core.match import Match, MatchView, take_back
from core.records import (
    NO_SIGNING,
    ActionLine,
    Closing,
    DealLine,
    EndLine,
    Line,
    MatchLine,
    RecordError,
    SealLine,
    Seat,
    Signature,
    Signing,
    WitnessLine,
    attestation,
    back_line,
    closing_of,
    people_of,
    referee,
    result_lines,
    write,
)
from core.variant import Value
from core.words import Illegal, words
from net.players.accounts import Entry
from net.wire.messages import Attest, Said, Speed


class SeatSnapshot(Struct, frozen=True, array_like=True):
    """A saved seat: its player, or its bot."""

    name: str = ""
    token: str = ""
    bot: str = ""


class Snapshot(Struct, frozen=True):
    """A saved table without its match, which is resumed from the lines of its record.

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
    """True once shares are revealed, and no pledge is accepted any more."""
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
    """Checksum of the match's lines (`checksum_of`), in hexadecimal; empty if an older version saved the table."""


_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder(Snapshot).decode
_CHECKSUM_FIELD = b',"sum":"'
"""Precedes the checksum of a snapshot, its last field."""


def encode_snapshot(snapshot: Snapshot) -> bytes:
    """Encode a snapshot for storage: with a checksum, which older versions ignore."""
    body = _encode(snapshot)[:-1]
    return body + _CHECKSUM_FIELD + b'%08x"}' % crc32(body)


def decode_snapshot(stored: bytes | str) -> Snapshot:
    """Decode a stored snapshot; older versions add no checksum. Raises msgspec.DecodeError if it is damaged."""
    try:
        snapshot = _decode(stored)
    except UnicodeDecodeError as error:
        raise msgspec.DecodeError(str(error)) from error
    body, separator, checksum_end = (stored.encode() if isinstance(stored, str) else stored).rpartition(
        _CHECKSUM_FIELD
    )
    if (separator or snapshot.checksum) and checksum_end != b'%08x"}' % crc32(body):
        raise msgspec.DecodeError("it is not what was saved, by its checksum")
    return snapshot


def checksum_of(lines: Iterable[str], checksum: int = 0) -> int:
    """Return the checksum of lines of a match; `checksum` is that of the lines before them."""
    for line in lines:
        checksum = crc32(line.encode() + b"\n", checksum)
    return checksum


class Change(Struct, frozen=True):
    """A change of a table, to be saved."""

    table: int
    snapshot: Snapshot | None
    """None when the table is closed."""
    lines: tuple[str, ...] = ()
    """New lines of the record; with `begins` those of a new match."""
    begins: bool = False
    ends: bool = False
    """True if the match is over with these lines, so that its record can be published."""
    first: int = 0
    """Number of lines of this match before these."""


class Batch(Struct):
    """Changes that are saved together or not at all; each list is in the order in which they happened."""

    tables: list[Change] = []
    account_entries: list[Entry] = []
    id: str = msgspec.field(default_factory=lambda: token_hex(8))
    """Unique id, which identifies a batch that comes again."""

    def __bool__(self) -> bool:
        return bool(self.tables or self.account_entries)


class Storage(Protocol):
    """Saves the changes of a host."""

    def save(self, batch: Batch, on_done: Callable[[Exception | None], None]) -> None:
        """Save all of a batch or nothing; then call `on_done`, at once or later on the event loop.

        `on_done` gets the error, or None once only a broken disk can lose the batch. A batch that could not be saved
        comes again.
        """


class Shuffle(Struct, frozen=True):
    """The randomness of one match, from the host's commitment to the last revealed share.

    While seats fill, players pledge. Once it is closed, no pledge is accepted and shares are revealed; so nobody can
    choose a share by those of others (`docs/fair-deals.md`).
    """

    secret: bytes
    shares: tuple[Share, ...]
    """By seat."""
    closed: bool = False

    @classmethod
    def without_pledges(cls, secret: bytes, seats: int) -> "Shuffle":
        """Return the shuffle of a match without pledges."""
        return cls(secret, (Share(),) * seats)

    @property
    def fair(self) -> FairDeal:
        """Public part of the shuffle at this time."""
        return FairDeal(commit(self.secret), self.shares)

    @property
    def key(self) -> bytes:
        """Key from which the order of the tiles is derived, with all revealed shares."""
        return deal_key(self.secret, self.shares)

    def pledge(self, seat: int, pledge: str) -> "Shuffle":
        """Accept a seat's pledge, or with an empty one withdraw it; a late one is ignored."""
        return self if self.closed else self._with_share(seat, Share(pledge))

    def must_reveal(self, seat: int) -> bool:
        """Return True if a seat has pledged a share and not revealed it."""
        return bool(self.shares[seat].pledge) and not self.shares[seat].share

    def close(self) -> "Shuffle":
        """Accept no more pledges: shares are revealed now."""
        return replace(self, closed=True)

    def reveal(self, seat: int, share: str) -> "Shuffle":
        """Accept a seat's share. Raises Illegal if it does not match the pledge, or none is due."""
        if not self.closed or not self.must_reveal(seat):
            raise Illegal(words("No share is due from you now."))
        try:
            share_bytes = bytes.fromhex(share)
        except ValueError:
            share_bytes = b""
        if not is_pledged(share_bytes, self.shares[seat].pledge):
            raise Illegal(words("That share is not the one you pledged."))
        return self._with_share(seat, Share(self.shares[seat].pledge, share_bytes.hex()))

    def _with_share(self, seat: int, share: Share) -> "Shuffle":
        return replace(self, shares=(*self.shares[:seat], share, *self.shares[seat + 1 :]))


def check_pledge(pledge: str) -> None:
    """Raise Illegal for an invalid pledge; an empty one, which means none, is allowed."""
    if pledge and not is_digest(pledge):
        raise Illegal(words("Invalid pledge: it must be a SHA-256 hash in hexadecimal."))


class Dealer(Struct, frozen=True):
    """The host's part in each match: a secret, its name for the record, and its signature."""

    new_secret: Callable[[], bytes]
    """Returns the secret of the next match; the only source of randomness here."""
    software: str
    signing: Signing = NO_SIGNING


class RecordedMatch(Struct, frozen=True):
    """The match that is played, or was played last, with its record. Each begins from the same `initial` one.

    Methods that change it return the next state, and the events.
    """

    dealer: Dealer
    initial: Match
    shuffle: Shuffle
    """Shuffle of the match being played, or else of the next one."""
    match: Match | None = None
    lines: tuple[str, ...] = ()
    """The record so far."""
    checksum: int = 0
    """Checksum of `lines`."""
    closing: Closing = Closing()
    matches_begun: int = 0
    """Matches that have begun since the host resumed the table."""
    lines_before_play: int = 2
    """Number of lines up to the first deal, with its direct results."""

    @classmethod
    def of(cls, initial: Match, dealer: Dealer) -> "RecordedMatch":
        """Return the state before the first match."""
        return cls(dealer, initial, Shuffle.without_pledges(dealer.new_secret(), initial.rules.seats))

    @property
    def in_progress(self) -> bool:
        """True if a match has begun and is not over."""
        return self.match is not None and not self.match.over

    @property
    def is_awaiting_reveals(self) -> bool:
        """True while shares are being revealed before the first deal."""
        return self.shuffle.closed and not self.in_progress

    @property
    def turn(self) -> int:
        """The seat to act; -1 if there is none."""
        return self.match.turn if self.match else NOBODY

    @property
    def moment(self) -> tuple[int, int]:
        """The round and the seat on turn, which identify a turn."""
        return (self.match.round, self.match.turn) if self.match else (0, NOBODY)

    @property
    def position(self) -> tuple[int, int]:
        """Number of matches begun and of lines of this one; it changes with every action."""
        return self.matches_begun, len(self.lines)

    @property
    def has_just_begun(self) -> bool:
        """True until the first action after the first deal."""
        return bool(self.match) and len(self.lines) == self.lines_before_play

    def deal(self, seats: Iterable[Seat]) -> tuple["RecordedMatch", tuple[Event, ...]]:
        """Deal the next round; if there is no match or the last is over, of a new match between `seats`."""
        if self.match is None or self.match.over:
            return self._begin_match(tuple(seats))._deal(self.initial)
        return self._deal(self.match)

    def apply(self, action: Action) -> tuple["RecordedMatch", tuple[Event, ...]]:
        """Apply an action of the seat on turn. Raises Illegal, with a sentence for its player, if it is not legal."""
        if self.match is None:
            return self, ()
        match, events = self.match.apply(action)
        return self._with_play(match, ActionLine(self.match.turn, action), *self._result_lines(match, events)), events

    def play_again(
        self, seats: Iterable[Seat], actions: Iterable[Action]
    ) -> tuple["RecordedMatch", tuple[Event, ...]]:
        """Begin another match with the deal of the one that is over, and apply its first `actions`; return the events
        of the deal. Raises Illegal if the record has no secret.

        The record of the first match stays as it is: it is sealed, and may be published.
        """
        end_line = next((text for text in reversed(self.lines) if text.startswith('{"type":"end"')), "{}")
        secret, fair = msgspec.json.decode(end_line, type=EndLine).secret, self._head.fair
        if not secret or fair is None:
            raise Illegal(words("This deal cannot be repeated: its record is too old."))
        repeated = replace(self, shuffle=Shuffle(bytes.fromhex(secret), fair.shares, closed=True))
        repeated, events = repeated.deal(seats)
        for action in actions:
            repeated, _ = repeated.apply(action)
        return repeated, events

    def stop(
        self, agreed: tuple[int, ...] = (), *, resigned: bool = False
    ) -> tuple["RecordedMatch", tuple[Event, ...]]:
        """End a match that may never end by itself, or that the `agreed` seats give up; they lose if they `resigned`.

        Raises Illegal, with a sentence, for any other match.
        """
        if self.match is None:
            return self, ()
        match, events = self.match.stop(agreed, resigned=resigned)
        return self._with_play(match, *self._result_lines(match, events)), events

    def take_back(self, seat: int, human_seats: Iterable[int]) -> tuple["RecordedMatch", tuple[Event, ...]]:
        """Return to before the last choice of a seat; `human_seats` are those of human players now. Raises Illegal,
        with a sentence.

        Seats that were human at the start of the match count as well, since the record shows only those.
        """
        if self.match is None:
            return self, ()
        match, events = take_back(self.match, seat, {*human_seats, *people_of(self._head)})
        return self._with_play(match, back_line(self.match, seat, match)), events

    def attest(self, seat: int, name: str, key: str, message: Attest) -> "RecordedMatch":
        """Add a player's witness to the record of the finished match, if they signed it with their own key.

        `key` is its fingerprint. A late, repeated or invalid witness changes nothing.
        """
        signature = Signature(message.key, message.signature)
        if not key or not message.chain or message.chain != self.closing.chain:
            return self
        if self._head.seats[seat].bot or self._head.seats[seat].name != name:
            return self  # a player who took over the seat has not seen the whole match
        if self.dealer.signing.check(attestation(message.chain, seat), signature) != key:
            return self
        line = WitnessLine(seat, *signature)
        return self if self.closing.problem(line) else self._with_lines(line)

    def bot_action(self, level: str) -> Action:
        """Return the immediate action of a bot of this level for the seat on turn; one that thinks plays as greedy
        would.
        """
        from core.bots.levels import BOTS  # noqa: PLC0415 - a table is listed before a bot plays

        bot = BOTS["greedy" if level in EFFORTS else level]
        return bot(self._view_on_turn(), Random(self._bot_seed()))

    def question(self, level: str) -> Question:
        """Return the question for a thinking bot of this level about the seat on turn."""
        return Question(self._view_on_turn(), level, self._bot_seed())

    @property
    def _head(self) -> MatchLine:
        """First line of the record."""
        return msgspec.json.decode(self.lines[0], type=MatchLine)

    def _view_on_turn(self) -> MatchView:
        assert self.match is not None  # noqa: S101 - somebody is on turn
        return self.match.view(self.match.turn)

    def _bot_seed(self) -> bytes:
        """Return the seed for choices between equals; it does not reveal the secret."""
        return sha256(self.shuffle.secret + b"bots %d" % len(self.lines)).digest()

    def resume(self, lines: Iterable[str], shuffle: Shuffle) -> "RecordedMatch":
        """Resume a saved match, refereed again.

        Raises `core.records.RecordError` if the lines do not follow the rules.
        """
        lines, match, closing = tuple(lines), self.match, self.closing
        try:
            for text, step in zip(lines, referee(lines), strict=False):
                match, closing = step.match, _closing_after(closing, step.line, text)
        except RecordError as error:
            if error.line <= len(lines):  # otherwise it only stops before the end of the match
                raise
        return replace(self, shuffle=shuffle, match=match, lines=lines, checksum=checksum_of(lines), closing=closing)

    def _begin_match(self, seats: tuple[Seat, ...]) -> "RecordedMatch":
        initial = self.initial
        line = MatchLine.of(initial, seats, self.dealer.software, self.shuffle.fair)
        return replace(self, match=initial, lines=(), checksum=0, matches_begun=self.matches_begun + 1)._with_lines(
            line
        )

    def _deal(self, match: Match) -> tuple["RecordedMatch", tuple[Event, ...]]:
        rules = match.rules
        order, lot = deal_order(rules.tiles, rules.seats, self.shuffle.key, match.deals + 1)
        match, events = match.deal(order, lot)
        recorded = self._with_play(match, DealLine(match.round, lot, order), *self._result_lines(match, events))
        return replace(recorded, lines_before_play=len(recorded.lines)) if match.deals == 1 else recorded, events

    def _result_lines(self, match: Match, events: tuple[Event, ...]) -> Iterable[Line]:
        return result_lines(match, events, self.shuffle.secret)

    def _with_play(self, match: Match, *lines: Line) -> "RecordedMatch":
        """Return the match after more play, with its new lines; seal it if it is over."""
        recorded = replace(self._with_lines(*lines), match=match)
        if not match.over:
            return recorded
        if recorded.closing.due:  # not if the match began under a version without seals
            recorded = recorded._with_lines(recorded.closing.seal(self.dealer.signing.sign))
        return replace(recorded, shuffle=Shuffle.without_pledges(self.dealer.new_secret(), self.initial.rules.seats))

    def _with_lines(self, *lines: Line) -> "RecordedMatch":
        texts, closing = [write(line) for line in lines], self.closing
        for line, text in zip(lines, texts, strict=True):
            closing = _closing_after(closing, line, text)
        return replace(self, lines=(*self.lines, *texts), checksum=checksum_of(texts, self.checksum), closing=closing)


def _closing_after(closing: Closing, line: Line, text: str) -> Closing:
    """Return the closing of the match after another line."""
    if isinstance(line, SealLine | WitnessLine):
        return closing.accept(line)
    return (closing_of(line) if isinstance(line, MatchLine) else closing).add(text)
