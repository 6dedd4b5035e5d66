"""The whole protocol: every message that a client may send, and every message that it may receive.

`docs/protocol.md` explains what each is for and what answers it.
"""

from typing import TYPE_CHECKING, Annotated, Literal

from msgspec import Meta, Struct

from core.actions import Action, Event
from core.fair import FairDeal
from core.layout.state import NOBODY
from core.match import MatchView
from core.tiles import LARGE, Amount, Number, SeatNumber
from core.variant import AnyView, Options
from core.words import Words

MOST_TABLES = 2**40
"""More than will ever be opened: a cluster gives each of its hosts a hundred numbers at a time, and none twice."""
TimeLeft = Annotated[float, Meta(ge=0, le=LARGE)]

if TYPE_CHECKING:
    Phase = Literal["waiting", "shuffling", "playing", "paused", "over"]
    Speed = Literal["slow", "normal", "at once"]
else:
    Phase = Speed = str  # why any text: see core.words


class SeatInfo(Struct, frozen=True, array_like=True):
    """Who has a seat: a player, perhaps away, a bot, or nobody yet."""

    name: str = ""
    bot: str = ""
    """The level of the bot whose seat this is; empty for a person's seat."""
    away: bool = False
    """The seat belongs to a player who is not here."""
    awaited: bool = False
    """The player's connection broke a moment ago, and no bot plays for them yet."""
    left: bool = False
    """The match is over and its player is not here: anybody may sit down here for the next one."""

    @property
    def free(self) -> bool:
        """Whether anybody may sit down here."""
        return not self.name or self.left


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


class Proposal(Struct, frozen=True, array_like=True):
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


PROTOCOL = 5

UpdateNumber = Annotated[int, Meta(ge=0, le=2**62)]
TableNumber = Annotated[int, Meta(ge=-1, le=MOST_TABLES)]
"""-1 for none."""


class Hello(Struct, frozen=True, tag="hello"):
    """The first message of a client."""

    protocol: Amount
    software: str
    resume: str = ""
    """The return code from the last visit, for a guest without a key."""


class Enter(Struct, frozen=True, tag="enter"):
    """Come in under a name."""

    name: str
    resume: str = ""
    """The return code of an earlier visit, typed by a guest without a key whose name that is."""


class Browse(Struct, frozen=True, tag="browse"):
    """Look at a page of the tables, now and whenever it changes, until another such message."""

    page: Amount = 0
    """From 0; the last one if there are not so many."""
    words: str = ""
    """What to look for: every word must begin one of the game's names, of a player's name or the table's number."""
    free: bool = False
    """Whether to look only for tables with a free seat."""


class MakeTable(Struct, frozen=True, tag="make_table"):
    """Open a table and sit down at it. `bots` seats, from the last, are taken by bots of `level`."""

    game: str
    players: Number
    options: Options = {}
    bots: Number = 0
    level: str = "normal"
    levels: tuple[str, ...] = ()
    """The level of each bot where they differ; else empty."""
    turn_time: Number = 0
    """Seconds for each turn, after which a bot plays it; 0 for no limit."""
    match_time: Number = 0
    """Seconds for all turns of a player in one match; 0 for no limit."""
    private: bool = False
    """Whether others need the table's code to come in."""
    hints: bool = False
    """Whether players may ask their programs for hints before all have agreed to that."""
    take_back: bool = False
    """Whether players may take back what they have done, if all others agree."""
    pledge: str = ""
    """SHA-256, in hexadecimal, of the share that this client will add to the deals; empty for none."""


class Sit(Struct, frozen=True, tag="sit"):
    """Take a seat at a table: one's own again, or else the first free one, or else the first that a bot has."""

    table: TableNumber
    code: str = ""
    """The code of a private table, for guests without a seat there."""
    pledge: str = ""


class Watch(Struct, frozen=True, tag="watch"):
    """Look on at a table without a seat."""

    table: TableNumber
    code: str = ""


class Leave(Struct, frozen=True, tag="leave"):
    """Go back to the lobby; a bot keeps the seat until its player sits down again."""


class FillWithBots(Struct, frozen=True, tag="fill"):
    """Put bots on all free seats, so that the match can begin. Only players at the table may send it."""


class Reveal(Struct, frozen=True, tag="reveal"):
    """Show the share that was pledged, once all seats are taken: 32 bytes in hexadecimal."""

    share: str


class Ready(Struct, frozen=True, tag="ready"):
    """The player has seen the result: deal the next round, or start another match, when everybody is ready."""

    pledge: str = ""
    """For another match, as in `MakeTable`."""


class Act(Struct, frozen=True, tag="act"):
    """Do something on one's turn; `number` is that of the update it answers."""

    number: UpdateNumber
    action: Action


class Say(Struct, frozen=True, tag="say"):
    """Say something at the table, or in the lobby to those who are there."""

    text: str


class Pause(Struct, frozen=True, tag="pause"):
    """Pause the table, its bots and its clock, or resume them. Only players at the table may send it."""

    on: bool


class SetPace(Struct, frozen=True, tag="set_pace"):
    """Let the bots at the table take more or less time. Only players at the table may send it."""

    pace: Speed


class Skip(Struct, frozen=True, tag="skip"):
    """Let bots play at once until it is a person's turn. Only players at the table may send it."""


class TakeBack(Struct, frozen=True, tag="take_back"):
    """Take back the last choice of a seat: of one's own, or agree that somebody else does."""

    seat: SeatNumber


class AllowHints(Struct, frozen=True, tag="allow_hints"):
    """Allow hints at a table that has none: as one's own seat wishes, or as somebody else does."""

    seat: SeatNumber


class EndMatch(Struct, frozen=True, tag="end_match"):
    """End a match that may never have a result (`MatchView.endless`). Only players at the table may send it."""


class Remove(Struct, frozen=True, tag="remove"):
    """Remove somebody from the table for good. Only the guest who opened the table may send it."""

    name: str


class Recall(Struct, frozen=True, tag="recall"):
    """Ask for the record of the last finished match at this table."""


class Attest(Struct, frozen=True, tag="attest"):
    """Bear witness that the record of the match just finished is what this client saw (`docs/records.md`)."""

    chain: str
    """The chain of the record's seal."""
    key: str
    """The public key with which this client logged in, as OpenSSH writes it."""
    signature: str


class Bind(Struct, frozen=True, tag="bind"):
    """Let this client's key join the account of a code; without one, ask for a code that lets another key join."""

    code: str = ""


class Unbind(Struct, frozen=True, tag="unbind"):
    """Give this client's key an account of its own again."""


class Goodbye(Struct, frozen=True, tag="goodbye"):
    """The last message of a client that leaves the host."""


ToHost = (
    Hello
    | Enter
    | Browse
    | MakeTable
    | Sit
    | Watch
    | Leave
    | FillWithBots
    | Reveal
    | Ready
    | Act
    | Say
    | Pause
    | SetPace
    | Skip
    | TakeBack
    | AllowHints
    | EndMatch
    | Remove
    | Recall
    | Attest
    | Bind
    | Unbind
    | Goodbye
)


class Greeting(Struct, frozen=True, tag="greeting"):
    """The answer to Hello: the host's software, and the name that belongs to this client, or a suggested one."""

    protocol: Amount
    software: str
    name: str
    known: bool
    """Whether the name is remembered for this client's key, so that it need not be asked."""
    house_rules: dict[str, Options] = {}
    """By game, what a new table has where its maker does not choose otherwise."""


class Entered(Struct, frozen=True, tag="entered"):
    """The answer to Enter: the name that everybody sees."""

    name: str
    resume: str = ""
    """For a guest without a key: a code that returns them to their seat on another connection."""


class BindCode(Struct, frozen=True, tag="bind_code"):
    """The answer to Bind without a code: what another door's client sends within ten minutes, once."""

    code: str


class Tables(Struct, frozen=True, tag="tables"):
    """The page of tables at which this client looks, sent in the lobby whenever it changes."""

    tables: tuple[TableInfo, ...]
    yours: TableNumber = NOBODY
    """The table at which a seat is kept for this client, on the first page before all others; -1 for none."""
    page: Amount = 0
    total: Amount = 0
    """How many tables there are on all pages: those that this client looks for."""
    open: Amount = 0
    """How many there are at all."""
    names: tuple[str, ...] = ()
    """Who is on the host, those first who came first, as many as a lobby names; empty for one who is alone."""
    people: Amount = 0
    """How many they are."""


class Update(Struct, frozen=True, tag="update"):
    """A table as one guest may know it, complete, and what happened since the last update.

    Numbers rise by one with every change at the table. A client that missed some needs only the latest.
    """

    number: UpdateNumber
    table: TableInfo
    seat: SeatNumber
    """This guest's seat; -1 for spectators."""
    match: MatchView | None
    """None while the table waits for players."""
    events: tuple[Event, ...] = ()
    ready: tuple[SeatNumber, ...] = ()
    """Seats whose players have seen the result."""
    fair: FairDeal | None = None
    """The host's commitment and the players' shares; told until the first deal, and to newcomers."""
    times: Times | None = None
    """None where there is no limit."""
    timed_out: SeatNumber = NOBODY
    """The seat for which a bot has just played because its time was over; else -1."""
    watching: tuple[str, ...] = ()
    """The names of the spectators."""
    code: str = ""
    """The code of a private table."""
    wanted: Proposal | None = None
    """What somebody would like, while the others have not all agreed."""
    chain: str = ""
    """Of the seal of the record of a match that is over, in hexadecimal."""

    @property
    def play(self) -> AnyView | None:
        """The round that is played, or whose result is shown; None between rounds and matches."""
        return self.match.play if self.match else None


class Said(Struct, frozen=True, tag="said"):
    """Somebody said something at the table, or in the lobby.

    `seat` is -1 for a spectator and in the lobby, and the name empty for the host.
    """

    name: str
    seat: SeatNumber
    text: str


class Record(Struct, frozen=True, tag="record"):
    """Lines of the record of a finished match (`docs/records.md`); more messages follow until `last`."""

    table: TableNumber
    lines: tuple[str, ...]
    last: bool


class Left(Struct, frozen=True, tag="left"):
    """This client is in the lobby again; the reason is empty if the client asked for that."""

    reason: Words | None = None


class Interrupted(Struct, frozen=True, tag="interrupted"):
    """What runs this client's table is gone, and another will take it over; the client keeps its place meanwhile."""


class Resumed(Struct, frozen=True, tag="resumed"):
    """The table is there again, and the client may come back to it by `Sit` or `Watch`."""


class Refused(Struct, frozen=True, tag="refused"):
    """The host did not do what the client asked, and why."""

    reason: Words


class Bye(Struct, frozen=True, tag="bye"):
    """The last message of the host on this link, and why it closes; no reason if the client asked for it."""

    reason: Words | None = None
    again: bool = False
    """Whether the host expects to be back soon, so that the client should try again."""


ToClient = (
    Greeting | Entered | BindCode | Tables | Update | Said | Record | Left | Interrupted | Resumed | Refused | Bye
)
