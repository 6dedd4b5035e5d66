"""The whole wire on one page: every message that a client may send, and every one that it may hear.

`docs/protocol.md` tells in words what each is for and what answers it.
"""

from msgspec import Struct

from core.actions import Action, Event
from core.layout import NOBODY
from core.match import MatchView
from core.options import Options
from core.words import Words

PROTOCOL = 1


class Hello(Struct, frozen=True, tag="hello"):
    """The first message of a client."""

    protocol: int
    software: str


class Enter(Struct, frozen=True, tag="enter"):
    """Come in under a name."""

    name: str


class MakeTable(Struct, frozen=True, tag="make_table"):
    """Open a table and sit down at it. `bots` seats, from the last, are taken by bots of `level`."""

    game: str
    players: int
    options: dict[str, str | int]
    bots: int = 0
    level: str = "greedy"
    levels: tuple[str, ...] = ()
    """The level of each bot where they differ; else empty."""


class Sit(Struct, frozen=True, tag="sit"):
    """Take a seat at a table: one's own again, or else the first free one."""

    table: int


class Watch(Struct, frozen=True, tag="watch"):
    """Look on at a table without a seat."""

    table: int


class Leave(Struct, frozen=True, tag="leave"):
    """Go back to the lobby; a bot keeps the seat until its player sits down again."""


class Fill(Struct, frozen=True, tag="fill"):
    """Put bots on all free seats, so that the match can begin. For whoever sits at the table."""


class Ready(Struct, frozen=True, tag="ready"):
    """Seen the result: deal the next round, or start another match, when everybody is ready."""


class Act(Struct, frozen=True, tag="act"):
    """Do something on one's turn; `number` is that of the update it answers."""

    number: int
    action: Action


class Say(Struct, frozen=True, tag="say"):
    """Say something at the table."""

    text: str


class Goodbye(Struct, frozen=True, tag="goodbye"):
    """The last message of a client that leaves the house by itself."""


ToHost = Hello | Enter | MakeTable | Sit | Watch | Leave | Fill | Ready | Act | Say | Goodbye


class SeatInfo(Struct, frozen=True, array_like=True):
    """Who has a seat: a person, perhaps away, or a bot, or nobody yet."""

    name: str = ""
    bot: str = ""
    """The level of the bot whose seat this is; empty for a person's seat."""
    away: bool = False
    """A person's seat that a bot plays for the time being."""

    @property
    def free(self) -> bool:
        """Whether anybody may sit down here."""
        return not self.name


class TableInfo(Struct, frozen=True):
    """A table as the lobby shows it."""

    id: int
    name: str
    game: str
    options: Options
    seats: tuple[SeatInfo, ...]
    watchers: int
    phase: str
    """`waiting` for players, `playing`, or `over`."""


class Greeting(Struct, frozen=True, tag="greeting"):
    """The answer to Hello: who this host is, and the name that it knows this client by, or guesses."""

    protocol: int
    software: str
    name: str
    known: bool
    """Whether the name is remembered for this client's key, so that it need not be asked."""
    house_rules: dict[str, dict[str, str | int]] = {}
    """By game, what a new table has where its maker does not choose otherwise."""


class Entered(Struct, frozen=True, tag="entered"):
    """The answer to Enter: the name that everybody sees."""

    name: str


class Tables(Struct, frozen=True, tag="tables"):
    """All tables, sent to whoever is in the lobby whenever one changes."""

    tables: tuple[TableInfo, ...]
    yours: int = NOBODY
    """The table at which a seat is kept for this client; -1 for none."""


class Update(Struct, frozen=True, tag="update"):
    """A table as one guest may know it, whole, and what happened since the update before.

    Numbers rise by one with every change at the table. A client that missed some needs only the newest.
    """

    number: int
    table: TableInfo
    seat: int
    """This guest's seat; -1 for who looks on."""
    match: MatchView | None
    """None while the table waits for players."""
    events: tuple[Event, ...] = ()
    ready: tuple[int, ...] = ()
    """Seats whose players have seen the result."""


class Said(Struct, frozen=True, tag="said"):
    """Somebody said something at the table; `seat` is -1 for a spectator, and the name empty for the host."""

    name: str
    seat: int
    text: str


class Left(Struct, frozen=True, tag="left"):
    """This client is in the lobby again; the reason is empty when it asked for that."""

    reason: Words | None = None


class Refused(Struct, frozen=True, tag="refused"):
    """What the client asked was not done, and why."""

    reason: Words


class Bye(Struct, frozen=True, tag="bye"):
    """The last message of the host on this link, and why it closes; no reason when the client asked for it."""

    reason: Words | None = None


ToClient = Greeting | Entered | Tables | Update | Said | Left | Refused | Bye
