"""The client: the requests and messages of every screen, in a solo game, over the network, or over `ssh`."""

from collections.abc import Callable
from contextlib import suppress
from time import monotonic

from msgspec import Struct
from msgspec.structs import replace

from core.actions import Action
from core.fair import FairDeal
from core.layout.state import NOBODY
from core.match import append_history
from core.records import Signature
from net.client.shares import Shares
from net.players.text import return_code
from net.wire.link import Link, pack, unpack
from net.wire.maintenance import Maintenance
from net.wire.messages import (
    PROTOCOL,
    Act,
    AllowHints,
    Attest,
    Bind,
    Browse,
    Bye,
    EndMatch,
    Enter,
    Entered,
    FillWithBots,
    Goodbye,
    Greeting,
    Hello,
    Interrupted,
    Leave,
    Left,
    MakeTable,
    Pause,
    Ready,
    Recall,
    Refused,
    Remove,
    Repeat,
    Resumed,
    Reveal,
    Said,
    Say,
    SetPace,
    Sit,
    Skip,
    Speed,
    Tables,
    TakeBack,
    ToClient,
    ToHost,
    Unbind,
    Update,
    Watch,
)


class Disconnected(Struct, frozen=True):
    """Local event: the connection to the host is lost, and the client reconnects."""


class Reconnected(Struct, frozen=True):
    """Local event: the client is connected again, in the state before the loss."""


class Verification(Struct, frozen=True):
    """Local event: the result of checking the host's promises and recomputing the deals."""

    problem: str = ""
    """The promise that the host broke; empty if there is none."""
    caveat: str = ""
    """The part that is not proven, and why; empty if every deal is."""
    evidence: str = ""
    """The file with evidence of the problem; empty if there is none."""


ClientEvent = ToClient | Disconnected | Reconnected | Verification
REPEAT_TIMEOUT = 5.0
"""Seconds until a request may be sent again, because the host may have ignored it."""
Listener = Callable[[ClientEvent], None]
Request = Act | Ready


class Client:
    """A guest's end of a link. It stores the latest messages of each kind, and notifies its listeners."""

    def __init__(
        self,
        link: Link,
        software: str,
        *,
        entropy: Callable[[int], bytes] | None = None,
        decode: Callable[[bytes], ToClient] = lambda payload: unpack(payload, ToClient),
    ) -> None:
        """`entropy` returns the bytes of the shares that this client adds to the deals; None adds nothing.

        `decode` turns the bytes from a host into a message, or raises `net.wire.link.WireError`; for a host in
        another process it is `net.client.untrusted.decode_untrusted`.
        """
        self._link = link
        self._software = software
        self.destination: MakeTable | Sit | Watch | None = None
        """The table that it joins as soon as it is in the lobby."""
        self.alternatives: tuple[MakeTable | Sit | Watch, ...] = ()
        """Tables among which the player must choose after entering: the reserved seats, then the target of a link."""
        self._fallback: Watch | None = None
        """The request to watch that table instead, if no seat is free there."""
        self.shares = Shares(entropy)
        """This client's shares of the deals, and the host's promises about them."""
        self._decode = decode
        self._listeners: list[Listener] = []
        self._table_code = ""
        self._requested_name = ""
        """The name requested last."""
        self._rejoining = self._interrupted = False
        self._is_entering = False  # true from entering until the first list of tables
        self._unanswered = UnansweredRequest()
        self._pending_requests: list[tuple[ToHost, float]] = []
        """Requests without an answer, each with the time until which a second key press does not repeat it."""
        self.lost = False
        """True while the connection is lost, so that nothing sent reaches the host."""
        self.reconnects = 0
        """Number of reconnections over a new link."""
        self.name = ""
        """The name that the host gave; empty before entering."""
        self.resume = ""
        """Code with which a guest without a key returns to their seat on another connection."""
        self.port = 0
        """The host's SSH port, for guests who play over `ssh` and return that way; else 0."""
        self.places: tuple[tuple[str, int], ...] = ()
        """The known addresses and ports at which others reach this host."""
        self.link = ""
        """The URL of its pages, as in `Greeting`, unless it is known how this guest came to them."""
        self.muted: set[str] = set()
        """The names of guests whose chat messages are dropped."""
        self.house_rules: dict[str, dict[str, str | int]] = {}
        """By game, this host's default options for a new table."""
        self.tables = Tables(())
        """The page of tables, as last received in the lobby."""
        self.browsing = Browse()
        """The filter and page of this client's list of tables."""
        self.update: Update | None = None
        """The table, as last received; None in the lobby."""
        self.fair: FairDeal | None = None
        """The public part of the fair deal of the match at this table."""
        self.said: list[Said] = []
        """Chat messages at this table, or in the lobby."""
        self.maintenance = Maintenance(monotonic)

    async def run(self, link: Link | None = None) -> Bye | None:
        """Greet the host and receive until the link ends; return the host's goodbye, or None if it sent none.

        With a new `link`, the client returns to its table. Raises `net.wire.link.WireError` if the other end is not a
        Boneyard host.
        """
        if link is not None:
            self._link = link
            self._rejoining, self._interrupted = bool(self.name), False
            self._pending_requests.clear()
            self.shares.connection_broke()
        self._send(Hello(PROTOCOL, self._software, self.resume))
        while (payload := await self._link.receive()) is not None:
            message = self._decode(payload)
            if isinstance(message, Interrupted):
                self._begin_interruption()
            elif self._rejoining and not isinstance(message, Bye):
                self._rejoin(message)
            elif not (isinstance(message, Said) and message.name in self.muted):
                if self.lost and isinstance(message, Greeting):  # it broke before there was a place to return to
                    self.publish(Reconnected())
                self._record_answer(message)
                self.publish(message)
            if isinstance(message, Bye):
                return message
        return None

    def publish(self, message: ClientEvent) -> None:
        """Notify all listeners."""
        if isinstance(message, Disconnected | Reconnected):
            self.lost = isinstance(message, Disconnected)
        for listener in tuple(self._listeners):
            listener(message)

    def subscribe(self, listener: Listener) -> Callable[[], None]:
        """Call `listener` with every message from now on; call the returned function to stop.

        The returned function may also be called after `unsubscribe_all`.
        """
        self._listeners.append(listener)

        def unsubscribe() -> None:
            with suppress(ValueError):
                self._listeners.remove(listener)

        return unsubscribe

    def unsubscribe_all(self) -> None:
        """Remove all listeners; their screens are gone."""
        self._listeners.clear()

    def enter(self, text: str) -> None:
        """Ask to enter under a name; if that name is taken, its return code may follow to claim it."""
        code = return_code(text) if self._requested_name else ""
        self._requested_name = self._requested_name if code else text
        self._request_once(Enter(self._requested_name, code))

    def browse(self, request: Browse) -> None:
        """Request another filter or page of the list of tables."""
        self.browsing = request
        self._send(request)

    def make_table(self, table: MakeTable) -> None:
        """Open a table and sit down at it."""
        if self._is_repeated(table):
            return
        self.shares.join_table(may_have_begun=False)
        self._send(replace(table, pledge=self.shares.pledge()))

    def sit(self, table: int, code: str = "") -> None:
        """Take a seat at a table; a private one needs its code."""
        if self._is_repeated(Sit(table, code)):
            return
        self._table_code = code
        self.shares.join_table(may_have_begun=may_have_begun(table, self.update, self.tables))
        self._send(Sit(table, code, self.shares.pledge()))

    def watch(self, table: int, code: str = "") -> None:
        """Watch a table; a private one needs its code."""
        if self._is_repeated(Watch(table, code)):
            return
        self._table_code = code
        self.shares.join_table(may_have_begun=True)
        self._send(Watch(table, code))

    def bind(self, code: str = "") -> None:
        """Join the account of a code, or ask for one that lets another key join this account."""
        self._request_once(Bind(code))

    def unbind(self) -> None:
        """Give this client's key an account of its own again."""
        self._request_once(Unbind())

    def leave(self) -> None:
        """Go back to the lobby."""
        self._request_once(Leave())

    def fill(self) -> None:
        """Put bots on the free seats."""
        self._request_once(FillWithBots())

    def ready(self) -> None:
        """Continue after a result."""
        is_match_over = self.update is not None and self.update.match is not None and self.update.match.over
        if not self._is_repeated(Ready()):
            self._send_request(Ready(self.shares.pledge() if is_match_over else ""))

    def play_again(self, same: Repeat) -> None:
        """Play the finished match for one player again; `same` is as in `Ready`."""
        if self._is_repeated(Ready(same=same)):
            return
        if self._has_ended_alone:  # the deal takes no new share of this client
            self.shares.join_table(may_have_begun=True)
        self._send_request(Ready(same=same))

    def act(self, action: Action) -> None:
        """Act on this client's turn, in answer to the latest update."""
        if self.update is not None and not self._is_repeated(request := Act(self.update.number, action)):
            self._send_request(request)

    def say(self, text: str) -> None:
        """Send a chat message to the table, or to the lobby."""
        self._send(Say(text))

    def mute(self, name: str, enabled: bool) -> None:
        """Drop chat messages of `name`, or accept them again; the host is not informed."""
        (self.muted.add if enabled else self.muted.discard)(name)

    def take_back(self) -> None:
        """Take back this client's last choice, or agree to another player's proposal to take back.

        In a finished game for one player, begin the match again and play it up to that choice.
        """
        if self._has_ended_alone:
            self.play_again("choice")
        else:
            self._agree(TakeBack)

    @property
    def _has_ended_alone(self) -> bool:
        """True if a game for one player is over at this table."""
        match = self.update.match if self.update else None
        return match is not None and match.over and match.players == 1

    def allow_hints(self) -> None:
        """Propose hints at this table, or agree to them."""
        self._agree(AllowHints)

    def end_match(self, *, resigns: bool = False) -> None:
        """Propose to end the match without a winner, or to resign; or agree to that."""
        self._request_once(EndMatch(resigns))

    def pause(self, paused: bool) -> None:
        """Pause the table, or resume it."""
        self._request_once(Pause(paused))

    def set_pace(self, pace: Speed) -> None:
        """Change the thinking time of the bots."""
        self._request_once(SetPace(pace))

    def skip(self) -> None:
        """Let bots play at once until it is a person's turn."""
        self._request_once(Skip())

    def remove(self, name: str) -> None:
        """Remove a guest from this client's own table."""
        self._request_once(Remove(name))

    def recall(self) -> None:
        """Request the record of the match that is over."""
        self._request_once(Recall())

    def attest(self, chain: str, signature: Signature) -> None:
        """Sign, as a witness, that the record with this chain agrees with this client's journal."""
        self._send(Attest(chain, *signature))

    def goodbye(self) -> None:
        """Leave the host."""
        self._request_once(Goodbye())

    def close(self) -> None:
        """Close the link."""
        self._link.close()

    def _send(self, message: ToHost) -> None:
        self._link.send(pack(message))

    def _is_repeated(self, request: ToHost) -> bool:
        """Return True if the same request already waits for its answer; register any other request."""
        now = monotonic()
        self._pending_requests = [
            (pending, expires_at) for pending, expires_at in self._pending_requests if now < expires_at
        ]
        if any(pending == request for pending, _ in self._pending_requests):
            return True
        self._pending_requests.append((request, now + REPEAT_TIMEOUT))
        return False

    def _request_once(self, request: ToHost) -> None:
        """Send a request, unless the same request waits for its answer."""
        if not self._is_repeated(request):
            self._send(request)

    def _send_request(self, request: Request) -> None:
        """Send a request, and store it for a repeat if the connection breaks before the answer."""
        self._unanswered.store(None if self.lost else request)
        self._send(request)

    def _agree(self, request_type: type[TakeBack | AllowHints]) -> None:
        if (update := self.update) is not None:
            self._request_once(request_type(update.wanted.seat if update.wanted else update.seat))

    def _record_answer(self, message: ToClient) -> None:
        self._unanswered.discard_if_answered(message)
        if not isinstance(message, Tables | Said):  # these come unasked
            self._pending_requests.clear()
        match message:
            case Greeting(house_rules=house_rules, link=link):
                self.house_rules, self.link = house_rules, self.link or link
                self.maintenance = Maintenance(monotonic)
            case Entered(name=name, resume=resume):
                self.name, self.resume = name, resume
                self._is_entering = True
            case Tables():
                self.tables = message
                if self._is_entering:
                    self._is_entering = False
                    self._choose_first_table()
                self._go_to_table()
            case Refused() if self._fallback is not None:  # every seat there is taken, but they may watch
                self.destination, self._fallback = self._fallback, None
                self._go_to_table()
            case Update():
                if self.update is None or self.update.table.id != message.table.id:
                    # the host's notice is for tables, too
                    self.said = [message for message in self.said if not message.name]
                    self.fair = None
                self.update, self._fallback = with_history(message, self.update), None
                self.fair = message.fair or self.fair
                if share := self.shares.handle(message):
                    self._send(Reveal(share))
            case Said():
                self.said.append(message)
                del self.said[:-100]
                self.maintenance.follow(message)
            case Left():
                if self.update is not None:
                    self.said = []
                self.update = None

    @property
    def reserved(self) -> tuple[int, ...]:
        """The tables with a seat reserved for this client; an older host names only one of them."""
        return self.tables.reserved or (self.tables.yours,) * (self.tables.yours != NOBODY)

    def _reserved_seat_requests(self) -> tuple[Sit, ...]:
        """Return the requests for the reserved seats to which this client can return."""
        return tuple(
            Sit(table.id)
            for table in self.tables.tables
            if table.id in self.reserved
            and any(seat.name == self.name and seat.away and not seat.left for seat in table.seats)
        )

    def _choose_first_table(self) -> None:
        """Choose the table to join after entering: the target of the link, or else the only reserved seat.

        A link to a game leads back to the reserved seat of a match of this game. If a link leads away from a reserved
        seat, the player chooses (`alternatives`).
        """
        seats = self._reserved_seat_requests()
        if isinstance(self.destination, MakeTable):
            games = {table.id: table.game for table in self.tables.tables}
            same_game = [seat for seat in seats if games[seat.table] == self.destination.game]
            self.destination = same_game[0] if same_game else self.destination
        if self.destination is None:
            self.destination = seats[0] if len(seats) == 1 else None
        elif seats and getattr(self.destination, "table", NOBODY) not in self.reserved:
            self.alternatives, self.destination = (*seats, self.destination), None

    def choose_table(self, table: MakeTable | Sit | Watch | None) -> None:
        """Join one of the `alternatives`; None stays in the lobby."""
        self.alternatives, self.destination = (), table
        self._go_to_table()

    def _go_to_table(self) -> None:
        """Go to the table that this client is to join."""
        if self.destination is not None:
            sit_request = self.destination if isinstance(self.destination, Sit) else None
            self._fallback = Watch(sit_request.table, sit_request.code) if sit_request else None
        match self.destination:
            case MakeTable() as table:
                self.make_table(table)
            case Sit(table=number, code=code):
                self.sit(number, code)
            case Watch(table=number, code=code):
                self.watch(number, code)
        self.destination = None

    def _rejoin(self, message: ToClient) -> None:
        """Enter again and return to the table, without notifying listeners of the steps."""
        match message:
            case Greeting():
                self.maintenance = Maintenance(monotonic)
                self._send(Enter(self.name))
            case Said():
                self.maintenance.follow(message)
            case Entered():
                self.resume = message.resume
                if self.browsing != Browse():
                    self._send(self.browsing)
                self._request_former_place()
            case Resumed() if self._interrupted:
                self._request_former_place()
            case Left() if self._interrupted:  # no other node has resumed the table
                self._handle_rejoin(message)
            case Tables():
                self.tables = message
                if self.update is None:
                    self._handle_rejoin(message)
            case Update():
                self._handle_rejoin(message)
            case Refused(reason=reason):  # the table is gone, or the name belongs to another guest now
                self._handle_rejoin(Left(reason) if self.update is not None else Bye(reason))

    def _begin_interruption(self) -> None:
        """Suspend the table until another node resumes it, as after a lost connection."""
        if self.update is None:
            return
        self._interrupted = True
        if not self._rejoining:
            self._rejoining = True
            self.shares.connection_broke()
            self.publish(Disconnected())

    def _request_former_place(self) -> None:
        """Ask for the place that this client had at a table, if it had one."""
        if (update := self.update) is not None:
            code = update.code or self._table_code
            has_seat = update.seat != NOBODY
            self._send(Sit(update.table.id, code, self.shares.pledge()) if has_seat else Watch(update.table.id, code))

    def _handle_rejoin(self, message: ToClient) -> None:
        former_update, request = self.update, self._unanswered.take()
        self._rejoining = self._interrupted = False
        self._pending_requests.clear()
        self.reconnects += 1
        self.said = []
        self.publish(Reconnected())
        self._record_answer(message)
        self.publish(message)
        if request is not None and self._unanswered.is_unchanged(former_update, self.update):
            self._send_request(request) if isinstance(request, Act) else self.ready()


class UnansweredRequest:
    """The request at a table that has no answer yet; after a reconnection it is sent again."""

    def __init__(self) -> None:
        self._request: Request | None = None

    def store(self, request: Request | None) -> None:
        """Store a request. None discards it: a key pressed while the connection is lost must not count later."""
        self._request = request

    def take(self) -> Request | None:
        """Return the request to be sent again, and discard it."""
        request, self._request = self._request, None
        return request

    def discard_if_answered(self, message: ToClient) -> None:
        """Discard the request if a message of the host answers it."""
        match message:
            case Update(events=events, seat=seat, ready=ready):
                if events or seat in ready:
                    self._request = None
            case Left() | Refused():
                self._request = None

    def is_unchanged(self, former: Update | None, current: Update | None) -> bool:
        """Return True if a request in answer to `former` may be sent again after `current`: nothing was played
        between.

        An action keeps its number, so that the host applies it at most once.
        """
        if self._request is not None:  # another request was sent meanwhile
            return False
        if former is None or current is None or former.match is None or current.match is None:
            return False
        if current.table.id != former.table.id or current.seat in current.ready:
            return False
        return replace(current.match, history=()) == replace(former.match, history=())


def with_history(update: Update, former_update: Update | None) -> Update:
    """Add the events since the deal to an update, unless the host has sent them again."""
    match = update.match
    if match is None or match.history:
        return update
    known_events = (
        former_update.match.history
        if former_update and former_update.match and former_update.table.id == update.table.id
        else ()
    )
    return replace(update, match=replace(match, history=append_history(known_events, update.events)))


def may_have_begun(table_number: int, update: Update | None, tables: Tables) -> bool:
    """Return True if a match may be under way at a table that the client joins: never if a seat is free."""
    if update is not None and update.table.id == table_number:
        return update.match is not None and not update.match.over
    entry = next((entry for entry in tables.tables if entry.id == table_number), None)
    return entry is None or not any(seat.free for seat in entry.seats)
