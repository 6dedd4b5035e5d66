"""Sentences for players that are translated when they are shown: a template and its values."""

from msgspec import Struct

from core.bounds import Number


class Words(Struct, frozen=True):
    """A sentence as data: an English template, which is also its key in the catalogues, and what to fill in.

    Values that are themselves `Words` are translated too. A value may be a player's seat: the key `seat`
    is always a seat number, for which the screen puts the player's name.
    """

    text: str
    values: dict[str, "str | Number | Words"] = {}
    plural: str = ""
    """The same template for any number but one, where it depends on the value `count`; else empty."""

    @property
    def count(self) -> int | None:
        """The number that chooses between the two templates; None if there is only one."""
        number = self.values.get("count")
        return number if self.plural and isinstance(number, int) else None

    def __str__(self) -> str:
        template = self.text if self.count in (None, 1) else self.plural
        return template.format_map({key: str(value) for key, value in self.values.items()})


def words(text: str, /, **values: "str | int | Words") -> Words:
    """Mark `text` as a sentence for players; `{name}` in it stands for the value of that name."""
    return Words(text, values)


def several_words(one: str, many: str, count: int, /, **values: "str | int | Words") -> Words:
    """Mark two templates as a sentence that depends on a number, which is `{count}` in them."""
    return Words(one, {"count": count} | values, many)


def a_number(number: int) -> Words:
    """A number with its article, as in “play an 8”."""
    return words("an {number}", number=number) if number in (8, 11, 18) else words("a {number}", number=number)


def phrase(text: str) -> str:
    """Mark a text for translation, so that it gets into the catalogues."""
    return text


class Refusal(Exception):  # noqa: N818 - the game's own word
    """Something cannot be done; the sentence tells the player why."""

    def __init__(self, reason: Words) -> None:
        super().__init__(str(reason))
        self.reason = reason


class Illegal(Refusal):
    """An action that the rules or the host refuse."""


class BadOption(Refusal):
    """A house rule, a number of players or a game that does not exist, and what to write instead."""
