"""A match as lines of JSON, its seal, and the referee that replays such lines (`docs/records.md`).

The functions that sign and check a seal are passed in; here, keys and signatures are strings.
"""

from collections.abc import Callable, Iterable, Iterator
from hashlib import sha256
from typing import NamedTuple

import msgspec
from msgspec import UNSET, Struct, UnsetType
from msgspec.structs import replace

from core.actions import Action, Event, MatchOver, RoundOver, Scored
from core.fair import FairDeal, commit, deal_key, deal_order, problem
from core.games import game
from core.match import Match, new_match, take_back, undone_count
from core.tiles import Tile
from core.variant import VERSION, Options, version_of, with_former_defaults
from core.words import BadOption, Illegal, ScoreCause

START = sha256(b"boneyard record 3").digest()
"""The hash chain before the first line of a record."""


class Signature(NamedTuple):
    """A public key (kind and base64, as OpenSSH writes it) and an SSHSIG in base64; both empty if unsigned."""

    key: str = ""
    signature: str = ""


Sign = Callable[[bytes], Signature]
"""Signs a statement."""
Check = Callable[[bytes, Signature], str]
"""Returns the fingerprint of the key that signed a statement, or "" if the signature is invalid."""


def sign_nothing(_statement: bytes) -> Signature:
    """Sign nothing: for solo games and for bots without a host, where there is no key."""
    return Signature()


def accept_nothing(_statement: bytes, _signature: Signature) -> str:
    """Return an empty fingerprint, as for an invalid signature: for programs that cannot check signatures."""
    return ""


class Signing(NamedTuple):
    """The functions by which a host signs and checks signatures; by default none, as in a solo game."""

    sign: Sign = sign_nothing
    check: Check = accept_nothing


NO_SIGNING = Signing()


class SealLine(Struct, frozen=True, tag="seal", forbid_unknown_fields=True):
    """The line after the end of a match: the hash chain over all lines before it, signed by the host or unsigned."""

    chain: str
    """In hexadecimal."""
    key: str = ""
    signature: str = ""

    @property
    def statement(self) -> bytes:
        """Bytes that the host signs."""
        return f"boneyard record\nchain {self.chain}\n".encode()


class WitnessLine(Struct, frozen=True, tag="witness", forbid_unknown_fields=True):
    """A line after a seal: a player's signature that the record agrees with their own program."""

    seat: int
    key: str
    signature: str


def attestation(chain: str, seat: int) -> bytes:
    """Return the bytes of a record that the player on `seat` signs."""
    return f"boneyard witness\nseat {seat}\nchain {chain}\n".encode()


class Closing(Struct, frozen=True):
    """The state of a match's end in a file: the hash over its lines, and the seals and witnesses that may follow."""

    people: frozenset[int] = frozenset()
    """Seats that no bot had at the start."""
    sealed: bool = True
    """True if a seal must follow."""
    due: bool = True
    """True while the seal is missing."""
    hash: bytes = START
    witnesses: frozenset[int] = frozenset()

    @classmethod
    def of(cls, people: Iterable[int] = (), *, sealed: bool = True) -> "Closing":
        """Return the closing of a match without any line yet."""
        return cls(frozenset(people), sealed, due=sealed)

    @property
    def chain(self) -> str:
        """The sealed chain; empty before the seal, or without one."""
        return "" if self.due or not self.sealed else self.hash.hex()

    def add(self, line: str) -> "Closing":
        """Return the closing with one more line of the match itself, given without its line end."""
        return replace(self, hash=sha256(self.hash + line.encode()).digest())

    def seal(self, sign: Sign) -> SealLine:
        """Return the seal for the lines so far."""
        unsigned_yet = SealLine(self.hash.hex())
        return SealLine(unsigned_yet.chain, *sign(unsigned_yet.statement))

    def problem(self, line: SealLine | WitnessLine) -> str:
        """Return the error in a line that follows the end of the match; empty if there is none."""
        if isinstance(line, SealLine):
            return self._problem_of_seal(line)
        if not self.chain:
            return "a witness line must follow the seal"
        if line.seat not in self.people:
            return "nobody sat in that seat"
        if line.seat in self.witnesses:
            return "that seat already has a witness"
        return "" if line.key and line.signature else "a witness needs a key and a signature"

    def accept(self, line: SealLine | WitnessLine) -> "Closing":
        """Return the closing with a line for which `problem` is empty."""
        if isinstance(line, SealLine):
            return replace(self, due=False)
        return replace(self, witnesses=self.witnesses | {line.seat})

    def _problem_of_seal(self, line: SealLine) -> str:
        if not self.due:
            return "the match was already over"
        if line.chain != self.hash.hex():
            return "the lines before this one are not the sealed ones"
        return "" if bool(line.key) == bool(line.signature) else "a key and its signature go together"


def seal_of(lines: Iterable[str], sign: Sign = sign_nothing) -> SealLine:
    """Return the seal for the lines of a match."""
    closing = Closing()
    for line in lines:
        closing = closing.add(line)
    return closing.seal(sign)


FORMAT = 3
UNSEALED = 2
"""Without seals: anybody who has such a record can change it."""
UNCOMMITTED = 1
"""Without seals and commitments: its matches can be refereed, but not its deals."""
_RULES_OF_FORMAT = {UNCOMMITTED: 1, UNSEALED: 1, FORMAT: 2}
"""The version of the rules (`core.variant.RULES`) of a record that names none."""
LONGEST_REASON = 2000
"""Maximum characters of the reason why a record is invalid; it may quote the whole expected line."""
MAX_LINE = 64 * 1024
"""Maximum characters in a line; the longest honest one, a deal of the double-eighteen set, has under 2,000."""


TOO_LONG = f"the line is longer than {MAX_LINE:,} characters"


class Seat(Struct, frozen=True, forbid_unknown_fields=True):
    """A seat's name and bot level when the match began."""

    name: str
    bot: str = ""
    """Level of a bot; empty for a person."""


class MatchLine(Struct, frozen=True, tag="match", forbid_unknown_fields=True):
    """The first line of a match: its game, options and seats."""

    format: int
    game: str
    options: Options
    seats: tuple[Seat, ...]
    software: str
    fair: FairDeal | None = None
    """Public part of the fair deal; None in format 1."""
    rules: int | UnsetType = UNSET
    """The last version of the rules that changed the game; left out if it is the format's, so that older programs can
    read the line.
    """

    @classmethod
    def of(cls, match: Match, seats: tuple[Seat, ...], software: str, fair: FairDeal | None) -> "MatchLine":
        """Return the first line of a new match."""
        options = dict(match.options)
        version_of_format = _RULES_OF_FORMAT[FORMAT]
        version = int(options.pop(VERSION, max(match.variant.version, version_of_format)))
        written_version = UNSET if version == version_of_format else version
        return cls(FORMAT, match.variant.id, options, seats, software, fair, written_version)

    @property
    def version(self) -> int:
        """The version of the rules by which the match was played."""
        return _RULES_OF_FORMAT[self.format] if self.rules is UNSET else self.rules


class DealLine(Struct, frozen=True, tag="deal", forbid_unknown_fields=True):
    """The whole set in the order in which it is dealt and drawn, and the seat drawn by lot."""

    round: int
    lot: int
    tiles: tuple[Tile, ...]


class ActionLine(Struct, frozen=True, tag="action", forbid_unknown_fields=True):
    """An action of a seat."""

    seat: int
    action: Action


class ScoreLine(Struct, frozen=True, tag="score", forbid_unknown_fields=True):
    """A change of the scores: by a play, or by the end of a round."""

    round: int
    how: ScoreCause
    """`play`, the reason why a pass scored (see `core.actions.Scored`), or the end of the round (see `RoundOver`
    there).
    """
    winner: int
    points: tuple[int, ...]
    scores: tuple[int, ...]
    blocker: int = -1
    """The seat that shut the line by choice, where a rule asks for that."""
    assistant: int = -1
    """The seat that helped the blocker."""


class BackLine(Struct, frozen=True, tag="back", forbid_unknown_fields=True):
    """A seat took back its last choice: the match is in the state before the last `actions` actions."""

    seat: int
    actions: int
    scores: tuple[int, ...]
    """By side, after the take-back."""


class EndLine(Struct, frozen=True, tag="end", forbid_unknown_fields=True, omit_defaults=True):
    """The last line of a match itself: the sides that won, and the host's secret."""

    winners: tuple[int, ...]
    secret: str = ""
    """The secret behind the commitment in the first line, in hexadecimal."""
    unfinished: bool = False
    """True if the match was stopped before its end; written only then."""
    agreed: tuple[int, ...] = ()
    """Seats whose players agreed to stop the match, or to resign if it has winners; left out without an agreement."""


Line = MatchLine | DealLine | ActionLine | BackLine | ScoreLine | EndLine | SealLine | WitnessLine
PLAYED = DealLine | ActionLine | BackLine
"""Lines that do not follow from other lines: the steps of a replay."""

_decoder = msgspec.json.Decoder(Line)


class RecordError(Exception):
    """A record is invalid: the number of the line, from one, and the reason.

    A reason may quote untrusted text, so only its printable characters are kept.
    """

    def __init__(self, line: int, reason: str) -> None:
        reason = "".join(character if character.isprintable() else "�" for character in reason[:LONGEST_REASON])
        super().__init__(f"line {line}: {reason}")
        self.line = line
        self.reason = reason


class Step(Struct, frozen=True):
    """A line of a record with the match after it, and its events."""

    number: int
    line: Line
    match: Match
    events: tuple[Event, ...] = ()


def write(line: Line) -> str:
    """Return the text of a line, without its line end."""
    return msgspec.json.encode(line).decode()


def result_lines(match: Match, events: tuple[Event, ...], secret: bytes) -> Iterator[Line]:
    """Yield the lines that follow from an action: every change of the scores, and the end of the match.

    The end line reveals the host's `secret`.
    """
    scores = match.scores
    lines: list[Line] = []
    for event in reversed(events):
        match event:
            case RoundOver() if event.redealt and version_of(match.options) == 1:
                pass  # the redeal had no line of its own: only the next deal showed it
            case RoundOver():
                lines.append(
                    ScoreLine(
                        match.round,
                        event.how,
                        event.winner,
                        event.points,
                        scores,
                        event.blocker,
                        event.assistant,
                    )
                )
                scores = tuple(score - gain for score, gain in zip(scores, event.points, strict=True))
            case Scored(seat=seat) if event.points and event.counted:
                points = tuple(event.points if side == seat % len(scores) else 0 for side in range(len(scores)))
                lines.append(ScoreLine(match.round, event.reason or "play", seat, points, scores))
                scores = tuple(score - gain for score, gain in zip(scores, points, strict=True))
            case MatchOver():
                lines.append(EndLine(event.winners, secret.hex(), event.unfinished, event.agreed))
    yield from reversed(lines)


def back_line(match: Match, seat: int, earlier_match: Match) -> BackLine:
    """Return the line for a take-back that led from `match` to `earlier_match`."""
    return BackLine(seat, undone_count(match, earlier_match), earlier_match.scores)


def people_of(line: MatchLine) -> set[int]:
    """Return the seats that had a person when the match began."""
    return {number for number, seat in enumerate(line.seats) if not seat.bot}


def closing_of(line: MatchLine) -> Closing:
    """Return the closing that a match with this first line needs; it has no line yet."""
    return Closing.of(people_of(line), sealed=line.format == FORMAT)


def referee(lines: Iterable[str]) -> Iterator[Step]:
    """Replay a recorded match line by line, and yield each line once it has been checked.

    Another match may follow in the same file. The deals are checked at the end of a match, when its secret is known,
    and the lines by the seal that follows; signatures must be present but are not checked. Raises RecordError at the
    first line that does not follow by the rules from the lines before it, and at the end if the match is not over, or
    not sealed.
    """
    match: Match | None = None
    due_lines: list[Line] = []
    deals, closing, people = _Deals(), Closing(), set[int]()
    number = 0
    for number, text in enumerate(lines, 1):
        line = _parse_line(number, text)
        events: tuple[Event, ...] = ()
        if match and match.over and not due_lines and (closing.due or not isinstance(line, MatchLine)):
            closing = _close_match(number, text, line, closing)
            yield Step(number, line, match)
            continue
        if match and not due_lines and not match.over and isinstance(line, EndLine) and line.unfinished:
            match, events = _stop_match(number, match, line)
            due_lines = list(result_lines(match, events, b""))
        if match is None or (match.over and not due_lines):
            match, deals, closing = _begin_match(number, line)
            people = people_of(line) if isinstance(line, MatchLine) else people
        elif due_lines:
            expected = due_lines.pop(0)
            without_secret = replace(line, secret="") if isinstance(line, EndLine) else line
            if without_secret != expected:
                raise RecordError(number, f"by the rules this line must be {write(expected)}")
            if isinstance(line, EndLine):
                deals.prove(number, line.secret)
        else:
            match, events = _apply_line(number, line, match, people)
            if isinstance(line, DealLine):
                deals.lines.append((number, line))
            due_lines = list(result_lines(match, events, b""))
        closing = closing.add(text)
        yield Step(number, line, match, events)
    if match is None:
        raise RecordError(1, "the file is empty")
    if due_lines or not match.over:
        raise RecordError(number + 1, "the record stops before the match is over")
    if closing.due:
        raise RecordError(number + 1, "the record stops before its seal")


class _Deals:
    """The deals of one match until its secret is known, from which they follow."""

    def __init__(self, fair: FairDeal | None = None, match: Match | None = None) -> None:
        self.lines: list[tuple[int, DealLine]] = []
        self._fair = fair
        self._match = match

    def prove(self, end_number: int, secret_text: str) -> None:
        """Check every deal against the secret, which is `secret_text` in line `end_number`."""
        if self._fair is None or self._match is None:
            if secret_text:
                raise RecordError(end_number, "there is a secret, but no commitment to it")
            return
        try:
            secret = bytes.fromhex(secret_text)
        except ValueError:
            raise RecordError(end_number, "the secret is not hexadecimal") from None
        if commit(secret) != self._fair.commitment:
            raise RecordError(end_number, "the secret is not the one that the host committed to")
        rules, key = self._match.rules, deal_key(secret, self._fair.shares)
        for deal_number, (number, line) in enumerate(self.lines, 1):
            if (line.tiles, line.lot) != deal_order(rules.tiles, rules.seats, key, deal_number):
                raise RecordError(number, "this deal does not follow from the secret and the shares")


def _parse_line(number: int, text: str) -> Line:
    if len(text) > MAX_LINE:
        raise RecordError(number, TOO_LONG)
    try:
        line: Line = _decoder.decode(text)
        if write(line) != text:  # reject duplicate keys: JSON parsers differ in which of two they read
            import json  # noqa: PLC0415 - only for what another program wrote

            json.loads(text, object_pairs_hook=_unique_fields)
        return line
    except (msgspec.DecodeError, ValueError, RecursionError) as error:
        raise RecordError(number, f"this is not a line of a record: {error}") from error


def _unique_fields(pairs: list[tuple[str, object]]) -> dict[str, object]:
    """Return the fields of a JSON object as a dict. Raises ValueError if a key appears twice."""
    fields = dict(pairs)
    if len(fields) < len(pairs):
        raise ValueError("a key appears twice")
    return fields


def _begin_match(number: int, line: Line) -> tuple[Match, _Deals, Closing]:
    if not isinstance(line, MatchLine):
        raise RecordError(number, "the first line must be the one that names the game")
    if line.format not in _RULES_OF_FORMAT:
        raise RecordError(number, f"this is format {line.format}; only {UNCOMMITTED} to {FORMAT} are understood")
    if (line.fair is None) != (line.format == UNCOMMITTED):
        raise RecordError(number, f"a commitment belongs to format {UNSEALED} and later, and only to them")
    if VERSION in line.options:
        raise RecordError(number, "the version of the rules is no house rule")
    try:
        variant = game(line.game)
        options = with_former_defaults(variant.options, line.options, line.version)
        match = new_match(variant, len(line.seats), options | {VERSION: line.version})
    except BadOption as error:
        raise RecordError(number, str(error)) from error
    if {key: value for key, value in match.options.items() if key != VERSION} != options:
        raise RecordError(number, "some house rules of the game are missing")
    fair_problem = problem(line.fair, len(line.seats)) if line.fair else ""
    if fair_problem:
        raise RecordError(number, fair_problem)
    return match, _Deals(line.fair, match), closing_of(line)


def _close_match(number: int, text: str, line: Line, closing: Closing) -> Closing:
    """Accept a line that follows the end of a match and does not begin another match."""
    if not isinstance(line, SealLine | WitnessLine):
        raise RecordError(number, "a seal is due here" if closing.due else "the match was already over")
    if write(line) != text:
        raise RecordError(number, "this line must have no spaces, and its fields in order")
    problem = closing.problem(line)
    if problem:
        raise RecordError(number, problem)
    return closing.accept(line)


def _apply_line(number: int, line: Line, match: Match, people: set[int]) -> tuple[Match, tuple[Event, ...]]:
    try:
        if isinstance(line, DealLine):
            after, events = match.deal(line.tiles, line.lot)
            if line.round != after.round:
                raise RecordError(number, f"this is the deal of round {after.round}, not {line.round}")
            return after, events
        if isinstance(line, ActionLine):
            if match.is_deal_due:
                raise RecordError(number, "a deal is due before any action")
            if line.seat != match.turn:
                raise RecordError(number, f"it is the turn of seat {match.turn}, not of seat {line.seat}")
            if line.action not in match.legal:
                raise RecordError(number, f"seat {line.seat} may not do that now")
            return match.apply(line.action)
        if isinstance(line, BackLine):
            after, events = take_back(match, line.seat, people)
            if line != (expected := back_line(match, line.seat, after)):
                raise RecordError(number, f"by the rules this line must be {write(expected)}")
            return after, events
    except Illegal as error:
        raise RecordError(number, str(error)) from error
    raise RecordError(number, "a deal or an action is due here")


def _stop_match(number: int, match: Match, line: EndLine) -> tuple[Match, tuple[Event, ...]]:
    agreed = line.agreed
    if agreed != tuple(sorted(set(agreed))):
        raise RecordError(number, "the seats that agreed must be in order, each once")
    try:
        return match.stop(agreed, resigned=bool(line.winners))
    except Illegal as error:
        raise RecordError(number, str(error)) from error
