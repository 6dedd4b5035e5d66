"""A moment of a table, and the interface through which a family of games draws, describes and plays it."""

from collections.abc import Callable
from typing import Any, Generic, NamedTuple, TypeVar

from msgspec import Struct

from core.actions import Action, Drew, Event
from core.games import GAMES
from core.layout.state import NOBODY, LayoutView
from core.match import MatchView
from core.prompts import ask
from core.tiles import Hand, Tile
from core.variant import AnyView, LazyMapping, tag_of
from net.wire.messages import Update
from tui.board.canvas import Picture
from tui.board.picture import Slide
from tui.i18n import _, pgettext, translate
from tui.model.choice import AnyChoice
from tui.model.look import Look


class HandCount(NamedTuple):
    """The count of a seat's hand, which is turned over at the end of the round."""

    hand: Hand
    pips: int
    """Pips counted so far; negative in a game that does not count them."""
    score: int
    """Score of the seat's side."""
    gained: int
    """Points that the round added to it; 0 until all is counted."""

    @property
    def words(self) -> str:
        """The count in words; empty where pips do not count."""
        return pgettext("a hand", "out") if not self.hand else str(self.pips) if self.pips >= 0 else ""


class Moment(Struct, frozen=True):
    """Everything that decides how the table is drawn, except the size of the window."""

    update: Update
    choice: AnyChoice | None = None
    """The player's choice; None between rounds, and for a spectator."""
    story: tuple[str, ...] = ()
    """Events and talk, in order."""
    warning: str = ""
    """A refusal, or the reason why a tile does not fit; it replaces the sentence."""
    shows_result: bool = False
    seconds_left: int | None = None
    """Seconds left for the player on turn; None without a time limit."""
    grace: tuple[int, ...] = ()
    """Seconds by seat until a bot plays for an awaited player; empty if nobody is awaited."""
    maintenance: str = ""
    """Time until the announced maintenance, in words; empty if none is announced."""
    hints: tuple[tuple[str, str], ...] = ()
    is_live: bool = True
    """False in a replay, where the person who looks has no seat."""
    event_lines: tuple[str, ...] = ()
    """The story without the talk."""
    chat_lines: tuple[str, ...] = ()
    """The talk alone."""
    lines_scrolled_back: int = 0
    """Number of story lines that the player has scrolled back."""
    lanes_have_scores: bool = False
    """True if lanes carry their players' scores, which then stand nowhere else."""
    lesson: str = ""
    """Text of the current lesson; empty outside of one."""
    join_lines: tuple[str, ...] = ()
    """Commands with which friends join; empty in a solo match."""
    queued_sentence: str = ""
    """Action of Enter on the tile that was chosen while others play; empty if none was. In a replay, the name of the
    player whose hand is shown.
    """

    played: Action | None = None
    """In a review, the action that the player on turn took; `choice` is the better one."""
    counted_share: float = 1.0
    """Share of the hands' pips that has been counted since the end of the round."""
    main_button: str = ""
    """Words of the button to press now, on a page that is touched."""
    slide: Slide | None = None
    """The movement of laid tiles to new places; None while all lie still."""

    @property
    def names(self) -> tuple[str, ...]:
        """The names on the seats."""
        return tuple(seat.name or _("free seat") for seat in self.update.table.seats)

    @property
    def sides(self) -> int:
        """Number of scores: fewer than seats if partners play together."""
        match = self.update.match
        return match.sides if match else len(self.update.table.seats)

    @property
    def has_partners(self) -> bool:
        """True if a side has several seats."""
        return 1 < self.sides < len(self.update.table.seats)

    def relation_of(self, seat: int) -> str:
        """Return “you” or “partner” in words for the seat of the player who looks or their partner; empty for all
        others.
        """
        reader_seat = self.update.seat if self.is_live else NOBODY
        if seat == reader_seat:
            return _("you")
        return (
            _("partner")
            if reader_seat != NOBODY and self.has_partners and seat % self.sides == reader_seat % self.sides
            else ""
        )

    def grace_words(self, seat: int) -> str:
        """Return the seconds until a bot plays for an awaited player, as in `23 s`; empty for all others."""
        return f"{self.grace[seat]} s" if self.grace and self.grace[seat] else ""

    def hand_count(self, seat: int) -> HandCount | None:
        """Return the count of a seat's hand; None while the round is played."""
        match, view = self.update.match, self.view
        if match is None or view is None or view.result is None:
            return None
        hand, side, is_counted = view.result.hands[seat], seat % match.sides, self.counted_share >= 1
        pips = sum(max(0, tile.pips) for tile in hand) if isinstance(view, LayoutView) else -1
        points = view.result.points[side]
        score = match.scores[side] - (0 if is_counted else points)
        return HandCount(
            hand, round(pips * self.counted_share) if pips > 0 else pips, score, points if is_counted else 0
        )

    @property
    def counter_clockwise(self) -> bool:
        """True if the turn goes to the right."""
        game = GAMES.get(self.update.table.game)  # a host may have games that are unknown here
        return game is not None and game.counter_clockwise

    @property
    def view(self) -> AnyView | None:
        """The current round, if there is one."""
        return self.update.play


V = TypeVar("V", bound=AnyView)
C = TypeVar("C")


class SeatFacts(Struct, frozen=True):
    """The facts beside the table, drawn where there is room."""

    last_tiles: dict[int, Tile]
    """By seat, the tile laid last."""
    lacked_numbers: dict[int, tuple[str, str]]
    """By seat, the numbers on which it passed, in words and abbreviated."""
    boneyard: int = -1
    """Tiles in the boneyard; -1 in a game without one."""


class Presenter(Struct, Generic[V, C], frozen=True):
    """A family of games on the screen: `V` is its view of a round, `C` the choice of a player in it."""

    choose: Callable[[V, object], C]
    """Return the choice for a view, given the choice for the view before, or None."""
    table: Callable[[Moment, int, int, Look], Picture]
    """Draw the table into a number of columns and rows."""
    result: Callable[[Moment, int, int, Look], Picture]
    """Draw the result of the round into a number of columns and rows."""
    sentence: Callable[[C, tuple[str, ...]], str]
    """Return what Enter will do, or why it does nothing."""
    describe: Callable[[Event, V, tuple[str, ...], int, int, Drew | None], str]
    """Describe an event in a sentence, given the names, the seat that is addressed, the number of scores, and the
    preceding draw, which the sentence includes. Empty for an event of another family.
    """
    seat_facts: Callable[[MatchView, V], SeatFacts]
    """Return the facts beside the table."""
    title: Callable[[MatchView, V], str] = lambda _match, _view: ""
    """Return the text at the right end of the title."""
    waiting: Callable[[V, tuple[str, ...]], str] = lambda view, names: translate(ask(view), names)
    """Return a sentence about the player for whom the seat that looks is waiting."""


PRESENTERS: LazyMapping[Presenter[Any, Any]] = LazyMapping(
    {
        "layout": "tui.families.layouts:LAYOUTS",
        "tricks": "tui.families.non_layout:TRICKS",
        "combos": "tui.families.non_layout:COMBOS",
        "patience": "tui.families.non_layout:PATIENCE",
    }
)
"""Presenters by the tag of their views."""


def presenter_of(view: AnyView) -> Presenter[Any, Any]:
    """Return the presenter of a view's family."""
    return PRESENTERS[tag_of(view)]
