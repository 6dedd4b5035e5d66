"""What a session tells a terminal that can do more than show bytes: a browser's page. Others are told nothing."""

from collections.abc import Callable
from typing import NamedTuple

from msgspec import Struct


class KeyOffer(Struct, frozen=True):
    """A key that the screen in front offers: the bytes it sends, how it is written, and what it does."""

    key: str
    shown: str
    does: str


class Keys(Struct, frozen=True, tag_field="t", tag="keys"):
    """What the screen in front offers, and whether it takes text."""

    keys: tuple[KeyOffer, ...]
    text: bool = False


class Turn(Struct, frozen=True, tag_field="t", tag="turn"):
    """Whether it is the player's turn, and whether they are to be called."""

    on: bool
    call: bool = False


class At(Struct, frozen=True, tag_field="t", tag="at"):
    """Where the guest is: a path that leads there again; and one for others, such as to a match that is over."""

    path: str
    share: str


class Named(Struct, frozen=True, tag_field="t", tag="name"):
    """The name of the guest, and the code that returns one without a key."""

    user: str
    code: str = ""


class Over(Struct, frozen=True, tag_field="t", tag="bye"):
    """The session is over, and why; `again` if the host expects to be back."""

    why: str
    again: bool = False


class Card(NamedTuple):
    """What a messenger shows of a link."""

    title: str
    words: str


Note = Keys | Turn | At | Named | Over
Tell = Callable[[Note], None]
