"""The whole protocol: every message that a client may send, and every message that it may receive.

`docs/protocol.md` explains the purpose of each message and its answers.
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
"""More tables than will ever be opened: a cluster gives each node a hundred numbers at a time, and reuses none."""
TimeLeft = Annotated[float, Meta(ge=0, le=LARGE)]

if TYPE_CHECKING:
    Phase = Literal["waiting", "shuffling", "playing", "paused", "over"]
    Repeat = Literal["", "choice", "deal"]
    Speed = Literal["slow", "normal", "at once"]
else:
    Phase = Repeat = Speed = str  # why any text: see core.words


class SeatInfo(Struct, frozen=True, array_like=True):
    """The owner of a seat: a player, perhaps absent, a bot, or nobody yet."""

    name: str = ""
    bot: str = ""
    """Level of the bot in this seat; empty for a person's seat."""
    away: bool = False
    """True if the seat belongs to an absent player."""
    awaited: bool = False
    """True if the player's connection broke a moment ago, and no bot plays for them yet."""
    left: bool = False
    """True if the match is over and its player is absent: the seat is free for the next match."""

    @property
    def free(self) -> bool:
        """True if anyone may sit down here."""
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
    """True if guests need a code to enter."""
    turn_time: Amount = 0
    """Seconds for each turn; 0 for no limit."""
    match_time: Amount = 0
    """Seconds for all turns of a player; 0 for no limit."""
    hints: bool = False
    """True if players may ask their programs for hints."""
    take_back: bool = False
    """True if players may take back their actions, if all others agree."""
    pace: Speed = "normal"
    """Thinking time of the bots."""

    @property
    def waits(self) -> bool:
        """True if the table waits for players and has a free seat."""
        return self.phase == "waiting" and any(seat.free for seat in self.seats)


class Proposal(Struct, frozen=True, array_like=True):
    """A player's proposal that all others must agree to, and the seats that have agreed."""

    seat: SeatNumber
    action: Action | None
    """The action to take back; None for hints at this table, or for the end of the match."""
    agreed: tuple[SeatNumber, ...] = ()
    ends: bool = False
    """True to end the match now: without a winner, unless `resigns`."""
    resigns: bool = False
    """True if the side of `seat` gives up the match; only players of that side must agree."""


class Times(Struct, frozen=True, array_like=True):
    """The host's clock, in seconds."""

    running: bool
    """True while the time of the seat on turn is running."""
    turn: TimeLeft
    """Time left for this turn; also 0 if turns have no limit."""
    match: tuple[TimeLeft, ...]
    """Time left for the match, by seat; also 0 if it has no limit."""


PROTOCOL = 5

UpdateNumber = Annotated[int, Meta(ge=0, le=2**62)]
TableNumber = Annotated[int, Meta(ge=-1, le=MOST_TABLES)]
"""Number of a table; -1 for none."""


class Hello(Struct, frozen=True, tag="hello"):
    """The first message of a client."""

    protocol: Amount
    software: str
    resume: str = ""
    """The return code from the last session, for a guest without a key."""


class Enter(Struct, frozen=True, tag="enter"):
    """Enter under a name."""

    name: str
    resume: str = ""
    """The return code of an earlier session, typed by a guest without a key to claim that name."""


class Browse(Struct, frozen=True, tag="browse"):
    """Show a page of the tables, now and whenever it changes, until another such message."""

    page: Amount = 0
    """Counted from 0; a number beyond the last page means the last."""
    words: str = ""
    """Search words: each must begin a word of the game's names, a player's name or the table's number."""
    free: bool = False
    """True for tables with a free seat only."""


class MakeTable(Struct, frozen=True, tag="make_table"):
    """Open a table and sit down at it. Bots of `level` take `bots` seats, from the last."""

    game: str
    players: Number
    options: Options = {}
    bots: Number = 0
    level: str = "normal"
    levels: tuple[str, ...] = ()
    """Level of each bot if they differ; else empty."""
    turn_time: Number = 0
    """Seconds for each turn, after which a bot plays it; 0 for no limit."""
    match_time: Number = 0
    """Seconds for all turns of a player in one match; 0 for no limit."""
    private: bool = False
    """True if others need the table's code to enter."""
    hints: bool = False
    """True if players may ask their programs for hints without a proposal."""
    take_back: bool = False
    """True if players may take back their actions, if all others agree."""
    pledge: str = ""
    """SHA-256, in hexadecimal, of the share that this client will add to the deals; empty if there is none."""


class Sit(Struct, frozen=True, tag="sit"):
    """Take a seat at a table: the guest's own, else the first free one, else the first that a bot has."""

    table: TableNumber
    code: str = ""
    """The code of a private table, for guests without a seat there."""
    pledge: str = ""


class Watch(Struct, frozen=True, tag="watch"):
    """Watch a table without a seat."""

    table: TableNumber
    code: str = ""


class Leave(Struct, frozen=True, tag="leave"):
    """Return to the lobby; a bot plays for the seat until its player sits down again."""


class FillWithBots(Struct, frozen=True, tag="fill"):
    """Put bots on all free seats, so that the match can begin. Only players at the table may send it."""


class Reveal(Struct, frozen=True, tag="reveal"):
    """Reveal the pledged share, once all seats are taken: 32 bytes in hexadecimal."""

    share: str


class Ready(Struct, frozen=True, tag="ready"):
    """Continue after a result: when all players are ready, the next round is dealt, or another match starts."""

    pledge: str = ""
    """Pledge for another match, as in `MakeTable`."""
    same: Repeat = ""
    """In a finished game for one player, “deal” for the same deal again, or “choice” to also keep all but the last
    choice; empty for another match.
    """


class Act(Struct, frozen=True, tag="act"):
    """Act on the player's turn; `number` is that of the update it answers."""

    number: UpdateNumber
    action: Action


class Say(Struct, frozen=True, tag="say"):
    """Send a chat message to the table, or from the lobby to the guests there."""

    text: str


class Pause(Struct, frozen=True, tag="pause"):
    """Pause the table with its bots and clock, or resume it. Only players at the table may send it."""

    on: bool


class SetPace(Struct, frozen=True, tag="set_pace"):
    """Change the thinking time of the bots at the table. Only players at the table may send it."""

    pace: Speed


class Skip(Struct, frozen=True, tag="skip"):
    """Let bots play at once until it is a person's turn. Only players at the table may send it."""


class TakeBack(Struct, frozen=True, tag="take_back"):
    """Take back the last choice of a seat: propose it with one's own seat, or agree with the proposer's."""

    seat: SeatNumber


class AllowHints(Struct, frozen=True, tag="allow_hints"):
    """Allow hints at a table without them: propose it with one's own seat, or agree with the proposer's."""

    seat: SeatNumber


class EndMatch(Struct, frozen=True, tag="end_match"):
    """End a match without a winner: propose it, or agree. Only players at the table may send it.

    A match that may never have a result (`MatchView.endless`) ends at once.
    """

    resigns: bool = False
    """True to give up the match instead, so that the other of two sides wins; partners must agree."""


class Remove(Struct, frozen=True, tag="remove"):
    """Remove a guest from the table for good. Only the opener may or, once they have left, the first player here."""

    name: str


class Recall(Struct, frozen=True, tag="recall"):
    """Request the record of the last finished match at this table."""


class Attest(Struct, frozen=True, tag="attest"):
    """Sign, as a witness, that the record of the last match agrees with this client's journal (`docs/records.md`)."""

    chain: str
    """The chain of the record's seal."""
    key: str
    """The public key with which this client logged in, as OpenSSH writes it."""
    signature: str


class Bind(Struct, frozen=True, tag="bind"):
    """Let this client's key join the account of a code; without a code, request one that lets another key join."""

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
    """True if the name is stored for this client's key, so that the client need not ask for it."""
    house_rules: dict[str, Options] = {}
    """By game, the default options of a new table."""
    link: str = ""
    """URL of the host's pages, without a path; without an address, as in `http://:8080`, where that is the one that
    the client has dialled. Empty without pages.
    """


class Entered(Struct, frozen=True, tag="entered"):
    """The answer to Enter: the public name."""

    name: str
    resume: str = ""
    """For a guest without a key: a code that returns them to their seat on another connection."""


class BindCode(Struct, frozen=True, tag="bind_code"):
    """The answer to Bind without a code: a code for a client at another door, valid once and for ten minutes."""

    code: str


class Tables(Struct, frozen=True, tag="tables"):
    """The page of tables that this client shows, sent in the lobby whenever it changes."""

    tables: tuple[TableInfo, ...]
    yours: TableNumber = NOBODY
    """The first table with a seat reserved for this client, listed first on the first page; -1 if there is none."""
    page: Amount = 0
    total: Amount = 0
    """Number of tables on all pages, after the search."""
    open: Amount = 0
    """Number of all tables."""
    names: tuple[str, ...] = ()
    """Names of guests on the host, the earliest first, up to the number that a lobby lists; empty for a solo guest.
    """
    people: Amount = 0
    """Number of guests on the host."""
    reserved: tuple[TableNumber, ...] = ()
    """All tables with a seat reserved for this client, `yours` first."""


class Update(Struct, frozen=True, tag="update"):
    """A table as one guest may know it, complete, and the events since the last update.

    Numbers rise by 1 with every change at the table. A client that missed some needs only the latest.
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
    """The host's commitment and the players' shares; sent until the first deal, and to newcomers."""
    times: Times | None = None
    """None if the table has no time limit."""
    timed_out: SeatNumber = NOBODY
    """The seat for which a bot has just played because its time was over; -1 if there is none."""
    watching: tuple[str, ...] = ()
    """The names of the spectators."""
    code: str = ""
    """The code of a private table."""
    wanted: Proposal | None = None
    """A player's proposal, until all others have agreed."""
    chain: str = ""
    """The chain in the seal of a finished match's record, in hexadecimal."""
    grace: tuple[TimeLeft, ...] = ()
    """Seconds, by seat, until a bot plays for an `awaited` player, 0 for all others; empty if nobody is awaited."""

    @property
    def play(self) -> AnyView | None:
        """The current round, or the one whose result is displayed; None between rounds and matches."""
        return self.match.play if self.match else None


class Said(Struct, frozen=True, tag="said"):
    """A chat message at the table, or in the lobby.

    `seat` is -1 for a spectator and in the lobby; the name is empty for the host.
    """

    name: str
    seat: SeatNumber
    text: str
    maintenance: Annotated[float, Meta(ge=-1, le=LARGE)] | None = None
    """Seconds until the host goes down for maintenance; -1 if that is called off, None in any other message."""


class Record(Struct, frozen=True, tag="record"):
    """Lines of the record of a finished match (`docs/records.md`); more messages follow until `last`."""

    table: TableNumber
    lines: tuple[str, ...]
    last: bool


class Left(Struct, frozen=True, tag="left"):
    """This client is in the lobby again; the reason is empty if the client asked for that."""

    reason: Words | None = None


class Interrupted(Struct, frozen=True, tag="interrupted"):
    """The node with this client's table is gone, and another will resume it; the client keeps its place."""


class Resumed(Struct, frozen=True, tag="resumed"):
    """The table is available again; the client may return to it by `Sit` or `Watch`."""


class Refused(Struct, frozen=True, tag="refused"):
    """The host refused a request, with the reason."""

    reason: Words


class Bye(Struct, frozen=True, tag="bye"):
    """The last message of the host on this link, with the reason of the end; none if the client asked for it."""

    reason: Words | None = None
    again: bool = False
    """True if the host expects to be back soon, so that the client should reconnect."""


ToClient = (
    Greeting | Entered | BindCode | Tables | Update | Said | Record | Left | Interrupted | Resumed | Refused | Bye
)
