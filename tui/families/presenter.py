"""What the screens ask of a family of games: how its rounds are drawn and told, and what a player can choose."""

from collections.abc import Callable
from typing import Generic, TypeVar

from msgspec import Struct

from core.actions import Drew, Event
from core.match import MatchView
from core.tiles import Tile
from tui.board.canvas import Form, Picture
from tui.draw.look import Look
from tui.draw.moment import Moment

V = TypeVar("V")
C = TypeVar("C")


class Aside(Struct, frozen=True):
    """What stands beside the table where there is room for it."""

    last: dict[int, Tile]
    """By seat, the tile laid last."""
    lacked: dict[int, str]
    """By seat, what it passed on, in words."""
    boneyard: int = -1
    """Tiles in it; less than nought in a game without one."""


class Presenter(Struct, Generic[V, C], frozen=True):
    """A family of games on the screen: `V` is its view of a round, `C` what a player has chosen in it."""

    choose: Callable[[V, object], C]
    """What is chosen in a view, after what was chosen in the one before, if anything was."""
    keeps_form: Callable[[V], bool]
    """Whether the tiles are drawn as in the last picture while they fit; else they take the largest form anew."""
    title: Callable[[V], str]
    """What the right end of the title says."""
    table: Callable[[Moment, int, int, Look, Form | None], Picture]
    """The table in a room of so many columns and rows."""
    result: Callable[[Moment, int, int, Look], Picture]
    """How the round ended, in a room of so many columns and rows."""
    sentence: Callable[[C, tuple[str, ...]], str]
    """What Enter will do, or why it does nothing."""
    waiting: Callable[[V, tuple[str, ...]], str]
    """For whom the seat that looks waits."""
    told: Callable[[Event, V, tuple[str, ...], int, int, Drew | None], str]
    """An event in a sentence: the names, the seat that is spoken to, how many scores there are, and the draw before
    it, which is told with it. Empty for an event of another family."""
    aside: Callable[[MatchView, V], Aside]
    """What stands beside the table."""
