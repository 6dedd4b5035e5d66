"""Every limit of the house, on one page: how much anybody may ask of it, and why no more.

What one house may want to choose otherwise is a field of `Limits`; what both ends of a line agree on, or what
is a matter of drawing, is a constant. What is neither seconds, bytes nor a rate is a number of things.
`docs/hosting.md` has a table of all; a test compares the two.
"""

from typing import TypeAlias

from msgspec import Struct

Seconds: TypeAlias = float
Bytes: TypeAlias = int
PerSecond: TypeAlias = float
Share: TypeAlias = float


class Limits(Struct, frozen=True):
    """What strangers may cost at the door."""

    connections: int = 500
    """In all, and besides those for whom a seat is kept; some 200 players at work fill one core, others look on."""
    per_address: int = 50
    """From one address, so that one machine cannot take every seat. A school or a LAN party may share one."""
    handshakes_per_second: PerSecond = 5
    """New connections from one address in the long run. A handshake costs 6 ms of everybody's core."""
    handshakes_at_once: int = 50
    """New connections from one address in one burst: a LAN party that comes back after the host's restart."""
    handshakes_in_all: PerSecond = 30
    """Newcomers whose key exchange begins, from all addresses; whose address took least of the core is next."""
    strangers_share: Share = 0.2
    """Of the core, as measured, for all that newcomers and new keys have computed; whoever goes on then waits."""
    busy_share: Share = 0.2
    """Of the core, as measured, for all that busy connections send, together; the others need not wait for them."""
    exchanges_at_once: int = 4
    """Key exchanges of one connection in one burst, its first among them. Honest programs make one an hour."""
    exchange_forgiven: Seconds = 300
    """After which one of them is forgiven: far more than the one for each hour or GiB that programs make."""
    exchange_timeout: Seconds = 20
    """For the other end to go on with an exchange that has begun: meanwhile all that is told it has to be kept."""
    unauthenticated: int = 100
    """Connections in all that have not proved who they are yet, so that scanners leave room for players."""
    unauthenticated_per_address: int = 20
    """The same from one address, so that one machine cannot take all of these places either."""
    silent_timeout: Seconds = 5
    """To exchange keys when those places are all taken and somebody else comes: the slowest line needs two."""
    login_timeout: Seconds = 60
    """To prove who one is: time to type a passphrase and an invitation, not to sit on a socket."""
    login_attempts: int = 20
    """Keys offered and invitations given on one connection. An agent may hold a dozen keys, and offers them all."""
    wrong_invitations: int = 5
    """Wrong ones from one address; then it is shut out and no more are looked at. Friends mistype once or twice."""
    wrong_invitation_forgiven: Seconds = 120
    """After which one of them is forgiven, and one more looked at: thirty guesses an hour, and no long wait."""
    sessions: int = 4
    """Open at once on one connection. OpenSSH's own host allows ten, but for shells."""
    sessions_per_key: int = 8
    """Open at once by one key on all its connections: a player with a few windows, not a swarm."""
    opening_timeout: Seconds = 10
    """To open a session after the login, or after the last one has ended."""
    idle_timeout: Seconds = 2 * 3600
    """Without a byte from a player, who is then told and let go: longer than any pause at a table."""
    keepalive_interval: Seconds = 15
    """Between questions to a silent line. Home routers forget one after a few minutes."""
    keepalive_count: int = 4
    """Unanswered questions after which a line is dead: a minute, so a tunnel through a hill is survived."""
    leave_timeout: Seconds = 3
    """For all to leave when the host closes: sessions to return and lines to drain. Who does not read is cut then."""
    window: Bytes = 64 * 1024
    """Received bytes that may wait for one session."""


ADDRESSES_REMEMBERED = 10_000
"""Addresses whose handshakes and wrong invitations are counted at once, in some 5 MiB; the calmest give way."""

# The log

LOG_LINES_PER_SECOND: PerSecond = 0.5
"""Lines of one event and reason in the long run; the others are counted, so that nobody fills the disk."""
LOG_LINES_AT_ONCE = 50
"""Lines of one event and reason in one burst: a LAN party comes in, and each of them has a line."""
LOG_TRACES_EVERY: Seconds = 600
"""Between two tracebacks of one fault, which are 30 KiB each; the others are counted."""
LOG_COUNTED_EVERY: Seconds = 10
"""Between two looks at what was counted; then one line tells it for each event."""
LOG_KINDS = 1000
"""Kinds of lines that are told apart. There are some fifty; more would be a trick."""

# Terminals

MAX_COLUMNS = 320
"""Columns of the largest screen drawn; in a wider window it has the left part. No table needs half of them."""
MAX_ROWS = 100
"""Rows of the largest screen drawn; in a higher window it has the upper part."""
REFUSED_COLUMNS = 1000
"""Columns beyond which a claim is refused in words: no display has them."""
REFUSED_ROWS = 1000
"""Rows beyond which a claim is refused in words."""
OPENINGS_PER_SECOND: PerSecond = 5
"""Screens opened in the long run: to open one and to close it takes 50 ms, so they are a quarter of the core."""
OPENINGS_AT_ONCE = 50
"""Screens opened in one burst: a LAN party that comes back after the host's restart."""
MAX_TYPED_AHEAD: Bytes = 4096
"""Bytes kept while no screen listens yet; a kernel's terminal keeps as much."""
MAX_STUFFED: Bytes = 256 * 1024
"""Bytes written during one pause. Screens are dropped meanwhile, so more is a bug or a trick."""
MAX_CLAIMED = 64
"""Characters kept of a user name, a terminal's name or a variable; no honest one is longer."""
LINGER: Seconds = 3.0
"""That a player's session may go on once he is gone, to put things in order."""
BREAKDOWNS = 3
"""Screens of one session that may break, and be replaced, before it ends: what breaks this often will go on to."""
BREAKDOWNS_WITHIN: Seconds = 60
"""In which so many count."""
EVENTS_PER_SECOND: PerSecond = 40
"""Keys and wheel steps let through; a held key repeats 30 times, and each may cost 2 ms of everybody's."""
EVENTS_AT_ONCE = 60
"""Keys and wheel steps in one burst: a line typed ahead, or pasted where bracketed paste is unknown."""
BUSY_PER_SECOND: PerSecond = 8
"""Keys of one session, beyond which it waits for those who do less; nobody who thinks presses more for long."""
BUSY_SHARE: Share = 0.03
"""Of the core, for what one connection sends; who sends more is busy. A fast typist's keys take as much."""
BUSY_AT_ONCE: Seconds = 0.3
"""Of CPU for what one connection sends in one burst, before it is busy: a hundred keys."""
MAX_UNSOLVED = 64 * 1024
"""Characters without any event: a paste longer than any message. The parser would keep them all."""

# Messages

NEWS_EVERY: Seconds = 1.0
"""Between two lists of the tables for who is in the lobby: each names every table, and tables change all the time."""
NEWS_LINES: PerSecond = 100_000
"""Tables named in such lists, to all together: of many tables a full lobby is told less often."""
MOVE_AHEAD: Seconds = 0.08
"""After each move, for which strangers and busy sessions wait: ten times what it needs in a quiet house."""
MOVE_SHARE: Share = 0.3
"""Of the time, for which they wait so at most, however many moves there are."""
BITE: Bytes = 4096
"""Bytes read from one connection before others are heard: some sixty of the smallest packets, in 3 ms."""

MAX_FRAME: Bytes = 256 * 1024
"""Bytes in one frame. The largest honest message, a view of an eight-player table, is a few KiB."""
MAX_DEPTH = 32
"""Nesting of one message; ours nest less than ten deep. MessagePack itself would allow 1024."""
MAX_TEXT: Bytes = 64 * 1024
"""Bytes of one text in a message; the longest of ours have a few hundred."""
MAX_BYTES: Bytes = 1024
"""Bytes of one binary value in a message; a seed has 32."""
MAX_ITEMS = 4096
"""Items of one list in a message; the longest of ours have a few hundred."""
MAX_KEYS = 256
"""Keys of one map in a message; a table has some ten house rules."""
MAX_UNSENT: Bytes = 1024 * 1024
"""Bytes held for one who does not read: hundreds of views, so minutes of play. Then his line is cut."""
MAX_UNREAD: Bytes = 256 * 1024
"""Bytes received and not yet asked for, before the sender is held back: one frame of the largest."""
MESSAGES_PER_SECOND: PerSecond = 20
"""Messages of one connection in the long run; the fastest player makes two moves a second."""
MESSAGES_AT_ONCE = 60
"""Messages of one connection in one burst: a client that asks for much as it begins."""

# Tables, names and talk

MAX_TABLES = 500
"""Tables in one house: twice what a thousand joined players need, four at each."""
MESSAGES_IGNORED = 200
"""Messages beyond these two that are thrown away, with one warning, before the line is closed."""
MIN_TIME = 5
"""Seconds of the shortest limit for a turn or a match; less than the way to a host on a train and back."""
MAX_TIME = 24 * 3600
"""Seconds of the longest limit."""
WRONG_CODES = 10
"""Codes of private tables that one connection may get wrong in a row; then none is right."""
TABLES_PER_ADDRESS = 30
"""Tables opened from one address that are still there, as keys and guests' codes cost nothing: two schools' worth."""
TABLES_PER_PLAYER = 3
"""Tables that one player has opened and that are still there: one he plays at, and two he waits for."""
DESERTED_FOR: Seconds = 30 * 60.0
"""For which a match without any person is kept for those who come back: a train in a long tunnel."""
LOST_FOR: Seconds = 120.0
"""For which a table without a match and without any person is kept, if the last line broke or the host died."""
MAX_NAMES = 20_000
"""Names that belong to keys; some 20 MiB. Whoever comes later plays as well, but his name is not kept for him."""
NAME_LENGTH = 16
"""Columns of a name; four of them stand side by side on an 80-column table."""
CHAT_LENGTH = 200
"""Characters in one thing said; two lines at most on an 80-column table."""
CHAT_PER_SECOND: PerSecond = 1
"""Things said by one player in the long run; nobody reads faster."""
CHAT_AT_ONCE = 5
"""Things said by one player in one burst: a greeting, a joke and its end."""
TALK_PER_SECOND: PerSecond = 2
"""Things said at one table by all who look on, in the long run; those who play there are heard besides."""
TALK_AT_ONCE = 10
"""Things said at one table by all who look on, in one burst: the end of a match."""
COMINGS_PER_SECOND: PerSecond = 1
"""Tables that one guest comes to, or whose record he asks for, in the long run; nobody looks about faster."""
COMINGS_AT_ONCE = 10
"""Tables that one guest comes to in one burst: through a list of them, with a look at each."""
MENTIONS_PER_SECOND: PerSecond = 2
"""Updates of one table about who came or went, in the long run, and as many for what each player does but play."""
MENTIONS_AT_ONCE = 8
"""Such updates in one burst: all seats of a table are taken at the same moment."""
