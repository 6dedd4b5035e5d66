"""Sentences for players, translated on display, and the words for choices in records and messages.

mypy reports a word that is not listed. At run time any text is accepted: a newer host may send a word that this
version does not know, and the message is then shown without it.
"""

from typing import TYPE_CHECKING, Literal

from msgspec import Struct

from core.tiles import Number


class Words(Struct, frozen=True):
    """A sentence as data: an English template, which is its key in the catalogues, and the values to fill in.

    Values that are themselves `Words` are translated too. The value of the key `seat` is always a seat number; the
    screen replaces it by the player's name.
    """

    text: str
    values: dict[str, "str | Number | Words"] = {}
    plural: str = ""
    """The template for any number but 1, if the sentence depends on the value `count`; else empty."""

    @property
    def count(self) -> int | None:
        """The number that chooses between the two templates; None if there is only one."""
        number = self.values.get("count")
        return number if self.plural and isinstance(number, int) else None

    def __str__(self) -> str:
        template = self.text if self.count in (None, 1) else self.plural
        return template.format_map({key: str(value) for key, value in self.values.items()})


def words(text: str, /, **values: "str | int | Words") -> Words:
    """Mark `text` as a sentence for players; `{name}` stands for the value of that name."""
    return Words(text, values)


def several_words(singular: str, many: str, count: int, /, **values: "str | int | Words") -> Words:
    """Mark two templates as a sentence that depends on a number, `{count}` in them."""
    return Words(singular, {"count": count} | values, many)


def a_number(number: int) -> Words:
    """Return a number with its article, as in “play an 8”."""
    return words("an {number}", number=number) if number in (8, 11, 18) else words("a {number}", number=number)


def phrase(text: str) -> str:
    """Mark a text for translation, so that it is added to the catalogues."""
    return text


class Refusal(Exception):  # noqa: N818 - the game's own word
    """A refused request; the sentence tells the player why."""

    def __init__(self, reason: Words) -> None:
        super().__init__(str(reason))
        self.reason = reason


class Illegal(Refusal):
    """An action that the rules or the host refuse."""


class BadOption(Refusal):
    """A house rule, a number of players or a game that does not exist; the sentence says what to write instead."""


if TYPE_CHECKING:
    Redeal = Literal["redeal", "doubles", "alike"]
    LeadReason = (
        Literal["double", "lowest_double", "first_tile", "heaviest", "heaviest_hand", "lightest", "lot", "winner"]
        | Literal["own_double", "rotation", "centre", "found"]
        | Redeal
    )
    ShownLead = Literal[""] | LeadReason
    PassReason = Literal["empty", "reserve", "limit", "no_drawing", "no_lead", "kept", "enough", "bidding"]
    RoundEnd = (
        Literal["out", "blocked", "gaple", "fish", "eggs", "stuck", "target", "stopped", "made", "set", "passed"]
        | Literal["last_trick"]
        | Literal["all_laid", "solved", "given_up"]
        | Redeal
    )
    ScoreReason = (
        Literal["", "lead_pass", "round_pass", "first_pass", "any_pass", "galo", "doubles", "telefon", "equal_ends"]
        | Literal["supreme", "four_tiles"]
    )
    ScoreCause = Literal["play"] | ScoreReason | RoundEnd
    TermKind = (
        Literal["pips", "blank", "blank_halves", "star", "own", "boneyard", "share", "rounded", "wall", "eggs"]
        | Literal["hung", "waits", "lost", "out", "bonus", "paid", "got", "tens"]
        | Literal["capicua", "chuchazo", "hand_bonus", "both_ends", "cruzada", "double", "block", "unwon", "key"]
        | Literal["reset", "marks", "tricks", "counts", "bid", "left"]
    )
    BidKind = Literal["", "plunge", "splash"]
    TrumpKind = Literal["number", "doubles", "follow_me", "none", "nello", "sevens"]
    DoublesRank = Literal["high", "low", "suit"]
    Shape = Literal["line", "inline", "cross", "lanes", "feet", "star"]
    Spread = Literal["columns", "row", "grid", "line"]
    Faces = Literal["", "chinese"]
    MatchTie = Literal["share", "zeros", "winner", "draw", "more"]
    LoserName = Literal["", "goat", "sea_goat"]
    Shutout = Literal["", "zapato", "six_love"]
    Going = Literal["", "must", "may", "fits"]
else:
    Redeal = LeadReason = ShownLead = PassReason = RoundEnd = ScoreReason = ScoreCause = TermKind = str
    Spread = BidKind = TrumpKind = DoublesRank = Shape = Faces = MatchTie = LoserName = Shutout = Going = str
