"""A moment of a table, and the interface by which a family of games draws, describes and plays it."""

from collections.abc import Callable
from typing import Any, Generic, NamedTuple, TypeVar

from msgspec import Struct

from core.actions import Drew, Event
from core.games import GAMES
from core.layout.state import NOBODY, LayoutView
from core.match import MatchView
from core.prompts import ask
from core.tiles import Hand, Tile
from core.variant import AnyView, LazyMapping, tag_of
from net.wire.messages import Update
from tui.board.canvas import BoardForm, Picture
from tui.i18n import _, pgettext, translated
from tui.model.choice import AnyChoice
from tui.model.look import Look


class Reckoning(NamedTuple):
    """What is counted of a seat's hand, which is turned over when the round is over."""

    hand: Hand
    pips: int
    """Counted so far; less than nought in a game that does not count them."""
    score: int
    """Of the seat's side."""
    gained: int
    """What the round added to it, once all is counted."""

    @property
    def words(self) -> str:
        """What the hand counts; nothing where pips do not."""
        return pgettext("a hand", "out") if not self.hand else str(self.pips) if self.pips >= 0 else ""


class Moment(Struct, frozen=True):
    """Everything that decides what the table looks like now, except the size of the window."""

    update: Update
    choice: AnyChoice | None = None
    """What this player has chosen; None between rounds, and for a spectator."""
    story: tuple[str, ...] = ()
    """What happened and what was said, in the order of both."""
    warning: str = ""
    """A refusal, or why a tile will not go; it takes the place of the sentence."""
    shows_result: bool = False
    left: int | None = None
    """Seconds that are left to whoever is on turn; None where nothing is limited."""
    hints: tuple[tuple[str, str], ...] = ()
    live: bool = True
    """Whether the person who looks has the seat; in a replay they do not."""
    told: tuple[str, ...] = ()
    """What happened alone."""
    talk: tuple[str, ...] = ()
    """What was said alone."""
    back: int = 0
    """How many lines of the story the player has leafed back."""
    scored: bool = False
    """Whether lanes carry the scores of their players, who then stand nowhere else."""
    lesson: str = ""
    """What the player is told in a lesson; empty outside of one."""
    ways: tuple[str, ...] = ()
    """What friends type to come here; empty in a game alone."""
    ahead: str = ""
    """What Enter does with the tile that was chosen while others play; empty if none was. In a replay, whose hand it
    is."""

    counted: float = 1.0
    """The share of the hands' pips that has been counted since the round was over."""

    @property
    def names(self) -> tuple[str, ...]:
        """The names on the seats."""
        return tuple(seat.name or _("free seat") for seat in self.update.table.seats)

    @property
    def sides(self) -> int:
        """How many scores there are; fewer than seats where partners play together."""
        match = self.update.match
        return match.sides if match else len(self.update.table.seats)

    @property
    def partners(self) -> bool:
        """Whether several seats are one side."""
        return 1 < self.sides < len(self.update.table.seats)

    def of_side(self, seat: int) -> str:
        """What a seat is to the one who looks: themselves, their partner, or neither."""
        you = self.update.seat if self.live else NOBODY
        if seat == you:
            return _("you")
        return _("partner") if you != NOBODY and self.partners and seat % self.sides == you % self.sides else ""

    def reckoned(self, seat: int) -> Reckoning | None:
        """What is counted of a seat's hand; None while the round is played."""
        match, view = self.update.match, self.view
        if match is None or view is None or view.result is None:
            return None
        hand, side, done = view.result.hands[seat], seat % match.sides, self.counted >= 1
        pips = sum(max(0, tile.pips) for tile in hand) if isinstance(view, LayoutView) else -1
        gained = view.result.points[side]
        score = match.scores[side] - (0 if done else gained)
        return Reckoning(hand, round(pips * self.counted) if pips > 0 else pips, score, gained if done else 0)

    @property
    def counter_clockwise(self) -> bool:
        """Whether the turn goes round the table to the right."""
        game = GAMES.get(self.update.table.game)  # a host may have games that are not known here
        return game is not None and game.counter_clockwise

    @property
    def view(self) -> AnyView | None:
        """The round, if there is one."""
        return self.update.play


V = TypeVar("V", bound=AnyView)
C = TypeVar("C")


class SideFacts(Struct, frozen=True):
    """What stands beside the table where there is room for it."""

    last: dict[int, Tile]
    """By seat, the tile laid last."""
    lacked: dict[int, tuple[str, str]]
    """By seat, what it passed on, in words and in brief."""
    boneyard: int = -1
    """Tiles in it; less than nought in a game without one."""


class Presenter(Struct, Generic[V, C], frozen=True):
    """A family of games on the screen: `V` is its view of a round, `C` what a player has chosen in it."""

    choose: Callable[[V, object], C]
    """What is chosen in a view, after what was chosen in the one before, if anything was."""
    table: Callable[[Moment, int, int, Look, BoardForm | None], Picture]
    """The table in a room of so many columns and rows."""
    result: Callable[[Moment, int, int, Look], Picture]
    """How the round ended, in a room of so many columns and rows."""
    sentence: Callable[[C, tuple[str, ...]], str]
    """What Enter will do, or why it does nothing."""
    told: Callable[[Event, V, tuple[str, ...], int, int, Drew | None], str]
    """An event in a sentence: the names, the seat that is spoken to, how many scores there are, and the draw before
    it, which is told with it. Empty for an event of another family."""
    aside: Callable[[MatchView, V], SideFacts]
    """What stands beside the table."""
    keeps_form: Callable[[V], bool] = lambda _view: True
    """Whether the tiles are drawn as in the last picture while they fit; else they take the largest form anew."""
    title: Callable[[V], str] = lambda _view: ""
    """What the right end of the title says."""
    waiting: Callable[[V, tuple[str, ...]], str] = lambda view, names: translated(ask(view), names)
    """For whom the seat that looks waits."""


PRESENTERS: LazyMapping[Presenter[Any, Any]] = LazyMapping(
    {
        "layout": "tui.families.layouts:LAYOUTS",
        "tricks": "tui.families.others:TRICKS",
        "combos": "tui.families.others:COMBOS",
        "patience": "tui.families.others:PATIENCE",
    }
)
"""By the tag of their views."""


def presenter_of(view: AnyView) -> Presenter[Any, Any]:
    """Return how the family of a view is shown."""
    return PRESENTERS[tag_of(view)]
