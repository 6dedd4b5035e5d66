"""All limits of the host on one page: how much a guest may demand of it, with the reason for each bound.

Limits that an operator may want to change are fields of `Limits`. Limits that both ends of a connection agree on, or
that concern drawing, are constants. A value that is not seconds, bytes, a rate or a share is a count.
`docs/limits.md` has a table of all limits; a test compares the two.
"""

from typing import TypeAlias

from msgspec import Struct
from msgspec.structs import replace

Seconds: TypeAlias = float
Bytes: TypeAlias = int
PerSecond: TypeAlias = float
Share: TypeAlias = float


class Limits(Struct, frozen=True):
    """Limits of what unknown connections may cost."""

    connections: int = 500
    """Connections in total, besides those with a reserved seat. About 200 active players fill one core; others watch.
    """
    per_address: int = 50
    """Connections from one address, so one machine cannot take every seat. A school or LAN party may share one."""
    handshakes_per_second: PerSecond = 5
    """New connections from one address, sustained. A handshake costs 6 ms of the core that everybody shares."""
    handshakes_at_once: int = 50
    """New connections from one address in one burst: a LAN party that reconnects after the host restarts."""
    handshakes_in_all: PerSecond = 30
    """New handshakes from all addresses. The address that has used the least CPU goes next."""
    strangers_share: Share = 0.2
    """Share of the core, as measured, for all handshakes and key renegotiations together. Beyond it, they wait."""
    busy_share: Share = 0.2
    """Share of the core, as measured, for input from all busy connections together, so that others need not wait."""
    exchanges_at_once: int = 4
    """Key exchanges of one connection in one burst, including the first. Normal clients make one an hour."""
    exchange_forgiven: Seconds = 300
    """Time until one key exchange is forgiven. Normal clients renegotiate only every hour or GiB."""
    exchange_pause: Seconds = 30
    """Time without new connections from an address after one that exchanged keys too often. No normal client does."""
    exchange_timeout: Seconds = 20
    """Time for the client to finish a key exchange. Until then, the host must buffer everything it sends."""
    unauthenticated: int = 100
    """Connections that have not logged in yet, so that scanners leave room for players."""
    unauthenticated_per_address: int = 20
    """The same from one address, so that one machine cannot take all of them."""
    silent_timeout: Seconds = 5
    """Time to exchange keys when these are all in use and another connection arrives. A slow link needs two."""
    login_timeout: Seconds = 60
    """Time to log in: long enough to type a passphrase and an invitation code."""
    login_attempts: int = 20
    """Keys and invitation codes tried on one connection. An agent may hold a dozen keys and offers them all."""
    wrong_invitations: int = 5
    """Wrong codes from one address. After that, no more are checked. Friends mistype once or twice."""
    wrong_invitation_forgiven: Seconds = 120
    """Time until one wrong code is forgiven and one more is checked: thirty guesses an hour."""
    sessions: int = 4
    """Open sessions on one connection. OpenSSH's own server allows ten, but for shells."""
    sessions_per_key: int = 8
    """Open sessions of one key on all its connections: a player with a few windows, not a swarm."""
    opening_timeout: Seconds = 10
    """Time to open a session after the login, or after the last session has ended."""
    idle_timeout: Seconds = 2 * 3600
    """Time without input after which a player is told and disconnected: longer than any break at a table."""
    keepalive_interval: Seconds = 15
    """Time between keepalive messages on a silent connection. Home routers drop one after a few minutes."""
    keepalive_count: int = 4
    """Keepalive messages without an answer before the connection is closed: a minute, enough for a short tunnel."""
    leave_timeout: Seconds = 3
    """Time for sessions to end and buffers to drain at shutdown. Then connections that do not read are cut."""
    window: Bytes = 64 * 1024
    """Received bytes that may wait for one session."""


ADDRESSES_REMEMBERED = 10_000
"""Addresses whose handshakes and wrong codes are counted, in about 5 MiB. The least active are dropped first."""

RETURN_WITHIN: Seconds = 15.0
"""Time after a restart in which `RETURN_FACTOR` holds: the players whose seats are reserved log in again."""
RETURN_FACTOR = 4
"""Multiple of `handshakes_in_all` and `strangers_share` meanwhile, when nobody plays who could be kept waiting."""


def limits_for_return(limits: Limits) -> Limits:
    """Return the limits of the first seconds after a restart with reserved seats."""
    return replace(
        limits,
        handshakes_in_all=limits.handshakes_in_all * RETURN_FACTOR,
        strangers_share=min(1.0, limits.strangers_share * RETURN_FACTOR),
    )


# Gateways

GATEWAY_SILENT: Seconds = 10
"""Time without a message from a gateway after which it is killed and restarted; it sends one every second."""
GATEWAY_BEHIND: Bytes = 64 * 1024 * 1024
"""Bytes queued for a gateway before it is killed: each of its guests may be a little behind."""
GUEST_WINDOW = 32
"""Messages of one guest that a gateway forwards before the host must acknowledge: the window."""
CREDIT_EVERY = 8
"""Messages of one guest after which the host sends an acknowledgement."""

# Trunks of a cluster

GUESTS_PER_LINE = 10_000
"""Guests of one gateway on one table host: ten times what a gateway's core can serve."""
TAKEOVER: Seconds = 10
"""Time for which guests of a table whose machine has died wait until another has resumed it."""
PROXY_HEADER_TIMEOUT: Seconds = 3
"""Time for a proxy to send the header with the client's address; it precedes everything else."""
PROXY_HEADERS = 512
"""Connections through proxies whose header, or with workers a browser's first request, is still awaited; more are
closed.
"""

# The log

LOG_LINES_PER_SECOND: PerSecond = 0.5
"""Log lines of one event and reason, sustained. More are only counted, so that nobody can fill the disk."""
LOG_LINES_AT_ONCE = 50
"""Log lines of one event and reason in one burst: a LAN party joins, and each guest gets a line."""
LOG_TRACES_EVERY: Seconds = 600
"""Time between two tracebacks of one failure, which are 30 KiB each. The others are counted."""
LOG_BROKEN_EVERY: Seconds = 60
"""Time between two lines about one address that does not speak SSH, or whose handshakes fail."""
LOG_COUNTED_EVERY: Seconds = 10
"""Time between two summaries of the counted lines, one line for each event."""
LOG_KINDS = 1000
"""Kinds of log lines counted separately. There are about fifty; more would be an attack."""

# Terminals

DENIED_AT_ONCE = 50
"""Denied connections held open at once; the oldest is closed for one more, so that a flood holds no files."""
DENIED_FOR: Seconds = 2
"""Time for a denied client to read why, before its connection is closed; a slow link needs one."""
MAX_COLUMNS = 320
"""Columns of the largest screen drawn; a wider window shows it at the left. No table needs half of them."""
MAX_ROWS = 100
"""Rows of the largest screen drawn; a taller window shows it at the top."""
REFUSED_COLUMNS = 1000
"""Columns beyond which a claimed window size is refused with a message: no display has them."""
REFUSED_ROWS = 1000
"""Rows beyond which a claimed window size is refused with a message."""
MAX_CELL = 40
"""Pixels, across or down, of the largest cell for which pictures are painted, 4 ms each. Terminals enlarge them."""
OPENINGS_PER_SECOND: PerSecond = 10
"""Screens opened, sustained. Coming and going takes 20 to 25 ms, so this is a quarter of the core."""
OPENINGS_AT_ONCE = 50
"""Screens opened in one burst: a LAN party that reconnects after the host restarts."""
OPENINGS_WAITING = 200
"""Screens that wait to be opened. For one more, the last of the address with the most is refused, in words."""
MAX_TYPED_AHEAD: Bytes = 4096
"""Bytes kept before the screen is ready; a kernel's terminal keeps as much."""
MAX_BLOCKED_OUTPUT: Bytes = 256 * 1024
"""Bytes written while the connection is blocked. Frames are dropped then, so more is a bug or an attack."""
MAX_CLAIMED = 64
"""Characters kept of a user name, a terminal name or a variable; no honest one is longer."""
CLEANUP_TIMEOUT: Seconds = 3.0
"""Time for a player's session to clean up after they have disconnected."""
MAX_CRASHES = 3
"""Screens of one session that may crash and be replaced before the session ends, because more would follow."""
BREAKDOWNS_WITHIN: Seconds = 60
"""Period in which these crashes are counted."""
EVENTS_PER_SECOND: PerSecond = 40
"""Keys and wheel steps of one session. A held key repeats 30 times, and each may cost 2 ms of the shared core."""
EVENTS_AT_ONCE = 60
"""Keys and wheel steps in one burst: a line typed ahead, or pasted without bracketed paste."""
BUSY_PER_SECOND: PerSecond = 8
"""Keys of one session before it waits for less active ones. Nobody who thinks types faster for long."""
BUSY_SHARE: Share = 0.03
"""Share of the core for the input of one connection before it counts as busy. A fast typist uses this much."""
BUSY_AT_ONCE: Seconds = 0.3
"""CPU time for the input of one connection in one burst before it counts as busy: a hundred keys."""
LINES_PER_SECOND: PerSecond = 8
"""Lines typed in one session of plain text, sustained. A script may be as fast; each line may cost 5 ms."""
LINES_AT_ONCE = 30
"""Lines of plain text in one burst: a table opened and some moves made by a script."""
LINES_WAITING = 50
"""Lines of plain text that wait for their turn. Then nothing more is read from that session."""
MAX_LINE = 1000
"""Characters of one line of plain text; the rest is dropped. A chat message has a fifth of that."""
MAX_PASTE = 4096
"""Characters kept of one paste, twenty of the longest chat messages; the rest is dropped until the paste ends."""

# Browsers

WEB_CONNECTION_COST: Share = 0.1
"""Cost of a browser's connection, as a share of an SSH handshake. A page takes up to six of them."""
WEB_REQUEST_TIMEOUT: Seconds = 10
"""Time for a browser to send a request, and for an idle connection. A page loads within one."""
WEB_REQUESTS_PER_SECOND: PerSecond = 20
"""Requests of browsers from one address, sustained; a page in plain text sends up to four when it is used."""
WEB_REQUESTS_AT_ONCE = 300
"""Requests from one address in one burst: a class opens the page, with twenty files each for the first time."""
WEB_FRAME: Bytes = 16 * 1024
"""Bytes of one message from a page, unpacked; pasted text comes in several."""
WEB_FRAMES_PER_SECOND: PerSecond = 100
"""Messages from one page, sustained, before others are read first. A held key sends 30."""
WEB_FRAMES_AT_ONCE = 200
"""Messages from one page in one burst: a long text that is pasted, or a wheel that is turned."""
WEB_BITE: Bytes = 32 * 1024
"""Bytes read from a browser before others get their turn: a request with all its headers. Fragments take 0.5 ms."""
WEB_CONTROL_COST = 10
"""Frames that one ping or pong counts as: no browser sends a ping, and each pong answers one of ours."""
WEB_UNFINISHED: Bytes = 32 * 1024
"""Bytes of an unfinished message, with all its fragments: twice the largest message."""
WEB_FORM: Bytes = 4096
"""Bytes of a form that a page without scripts sends; a chat message has a tenth of that."""
WEB_BEHIND: Bytes = 64 * 1024
"""Bytes buffered for a browser before frames are dropped: three of the largest."""

# Messages

NEWS_EVERY: Seconds = 1.0
"""Time between two updates of the lobby, in which all guests get their page of tables, if it has changed."""
NEWS_GUESTS: PerSecond = 500
"""Guests whose page is checked for an update. A fuller lobby gets updates less often."""
MOVE_AHEAD: Seconds = 0.08
"""Time for which strangers and busy sessions wait after each move: ten times what a move needs on a quiet host."""
MOVE_SHARE: Share = 0.3
"""Share of the time they wait at most, regardless of the number of moves."""
READ_SIZE: Bytes = 4096
"""Bytes read from one connection before others get their turn: about sixty of the smallest packets, in 3 ms."""

MAX_FRAME: Bytes = 256 * 1024
"""Bytes in one frame. The largest honest message, a view of an eight-player table, is a few KiB."""
MAX_DEPTH = 32
"""Nesting depth of one message; ours nest less than ten deep. MessagePack itself would allow 1024."""
MAX_TEXT: Bytes = 64 * 1024
"""Bytes of one text in a message; our longest have a few hundred."""
MAX_BYTES: Bytes = 1024
"""Bytes of one binary value in a message; a seed has 32."""
MAX_ITEMS = 4096
"""Items of one list in a message; our longest have a few hundred."""
MAX_KEYS = 256
"""Keys of one map in a message; a table has about ten house rules."""
MAX_UNSENT: Bytes = 1024 * 1024
"""Bytes buffered for a slow reader: hundreds of views, minutes of play. Beyond it, the connection is closed."""
MAX_UNREAD: Bytes = 256 * 1024
"""Bytes received but not yet processed before the sender must wait: one frame of the largest size."""
MESSAGES_PER_SECOND: PerSecond = 20
"""Messages of one connection, sustained; the fastest player makes two moves a second."""
MESSAGES_AT_ONCE = 60
"""Messages of one connection in one burst: a client that requests much as it starts."""

# Tables, names and talk

MAX_TABLES = 2500
"""Tables on one host: with four players at each, three times what one core can serve."""
TABLES_PER_PAGE = 50
"""Tables in one list; a guest sees a page at a time. Few screens show more, and it is at most some 30 KiB."""
SEARCH_LENGTH = 40
"""Characters that a guest searches the tables for: a name and a game."""
MESSAGES_IGNORED = 200
"""Messages beyond these two limits that are ignored, with one warning, before the connection is closed."""
MIN_TIME = 5
"""Seconds of the shortest time limit for a turn or a match; less than a round trip from a train."""
MAX_TIME = 24 * 3600
"""Seconds of the longest time limit."""
WRONG_CODES = 10
"""Wrong codes for private tables in a row on one connection. After that, none is accepted."""
TABLES_PER_ADDRESS = 30
"""Open tables from one address, since keys and guests' codes cost nothing: enough for two schools."""
TABLES_PER_PLAYER = 3
"""Open tables of one player: one they play at and two that wait for players."""
DESERTED_FOR: Seconds = 30 * 60.0
"""Time for which a match without any players is kept until they return: a train in a long tunnel."""
LOST_FOR: Seconds = 120.0
"""Time for which an empty table without a match is kept if the last connection broke or the host crashed."""
MAX_NAMES = 20_000
"""Names that belong to keys, in about 20 MiB. Later players can play too, but their names are not reserved.

As many other keys may belong to accounts.
"""
MAX_CLUSTER_NAMES = 2_000_000
"""The same in a cluster, in about 1 GiB of PostgreSQL, whose statistics count them."""
KEYS_PER_ACCOUNT = 10
"""Keys of one account: three machines and a phone, with a key for ssh and some browsers on each."""
BIND_WITHIN: Seconds = 600
"""Time for which a code binds another key to an account: long enough to fetch a phone from the next room."""
NAME_LENGTH = 16
"""Columns of a name; four of them fit side by side on an 80-column table."""
PEOPLE_NAMED = 30
"""Names of the roster that a lobby gets: two lines of a window, and as much as anybody reads."""
CHAT_LENGTH = 200
"""Characters in one chat message; two lines at most on an 80-column table."""
CHAT_PER_SECOND: PerSecond = 1
"""Chat messages of one player, sustained; nobody reads faster."""
CHAT_AT_ONCE = 5
"""Chat messages of one player in one burst: a greeting, a joke and its punch line."""
TALK_PER_SECOND: PerSecond = 2
"""Chat messages of all spectators at one table, or of all in the lobby, sustained. Players have their own limit."""
TALK_AT_ONCE = 10
"""Chat messages of all spectators at one table in one burst: the end of a match."""
JOINS_PER_SECOND: PerSecond = 1
"""Tables that one guest visits, or whose record they request, sustained; nobody looks around faster."""
JOINS_AT_ONCE = 10
"""Tables that one guest visits in one burst: going through a list of them."""
REFUSED_JOIN_COST = 20
"""Messages that a visit counts as if it is refused for its haste. A guest who goes on is not answered for a second.
"""
COALESCED_PER_SECOND: PerSecond = 2
"""Updates of one table about arrivals and departures, sustained; and as many for each player's other actions."""
COALESCED_AT_ONCE = 8
"""The same updates in one burst: all seats of a table are taken at the same moment."""
