"""What messages tell of a table: its seats and terms, the clock, and what somebody would like."""

from typing import TYPE_CHECKING, Annotated, Literal

from msgspec import Meta, Struct

from core.actions import Action
from core.bounds import LARGE, Amount, SeatNumber
from core.options import Options

MOST_TABLES = 2**40
"""More than will ever be opened: a cluster gives each of its hosts a hundred numbers at a time, and none twice."""
TimeLeft = Annotated[float, Meta(ge=0, le=LARGE)]

if TYPE_CHECKING:
    Phase = Literal["waiting", "shuffling", "playing", "paused", "over"]
    Speed = Literal["slow", "normal", "at once"]
else:
    Phase = Speed = str  # why any text: see core.vocabulary


class SeatInfo(Struct, frozen=True, array_like=True):
    """Who has a seat: a player, perhaps away, a bot, or nobody yet."""

    name: str = ""
    bot: str = ""
    """The level of the bot whose seat this is; empty for a person's seat."""
    away: bool = False
    """The seat belongs to a player who is not here."""
    awaited: bool = False
    """The player's connection broke a moment ago, and no bot plays for them yet."""

    @property
    def free(self) -> bool:
        """Whether anybody may sit down here."""
        return not self.name


class TableInfo(Struct, frozen=True):
    """A table as the lobby shows it."""

    id: Annotated[int, Meta(ge=0, le=MOST_TABLES)]
    name: str
    game: str
    options: Options
    seats: tuple[SeatInfo, ...]
    watchers: Amount
    phase: Phase
    """`waiting` for players, `shuffling` (shares are being shown), `playing`, `paused`, or `over`."""
    private: bool = False
    """Whether guests need a code to enter."""
    turn_time: Amount = 0
    """Seconds for each turn; 0 for no limit."""
    match_time: Amount = 0
    """Seconds for all turns of a player; 0 for no limit."""
    hints: bool = False
    """Whether players may ask their programs for hints."""
    take_back: bool = False
    """Whether players may take back what they have done, if all others agree."""
    pace: Speed = "normal"
    """How long bots seem to think."""


class Wanted(Struct, frozen=True, array_like=True):
    """What a player would like that all others must agree to, and who has agreed so far."""

    seat: SeatNumber
    action: Action | None
    """What to take back; None for hints at this table."""
    agreed: tuple[SeatNumber, ...] = ()


class Times(Struct, frozen=True, array_like=True):
    """What the host's clock shows, in seconds."""

    running: bool
    """Whether the time of the seat on turn is running."""
    turn: TimeLeft
    """Left for this turn; also 0 if turns have no limit."""
    match: tuple[TimeLeft, ...]
    """By seat, left for the match; also 0 if it has no limit."""
