"""The client: what every screen sends and receives, whether the player is alone, has joined, or uses `ssh`."""

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
    """Not from the host: the connection to it is lost, and the client reconnects."""


class Reconnected(Struct, frozen=True):
    """Not from the host: it is connected again, and everything is as it was."""


class Verification(Struct, frozen=True):
    """Not from the host: the result of checking its promises and recomputing the deals."""

    problem: str = ""
    """The promise that the host broke; empty for none."""
    caveat: str = ""
    """What is not proven, and why; empty if every deal is."""
    evidence: str = ""
    """The file with evidence of the problem; empty if there is none."""


ClientEvent = ToClient | Disconnected | Reconnected | Verification
ANSWERED_WITHIN = 5.0
"""Seconds for a host to answer a request. Then the same one may be sent again: the host may have ignored it."""
Listener = Callable[[ClientEvent], None]
Request = Act | Ready


class Client:
    """One guest's end of a link. It keeps the latest of what it received, and tells its listeners."""

    def __init__(
        self,
        link: Link,
        software: str,
        *,
        entropy: Callable[[int], bytes] | None = None,
        decode: Callable[[bytes], ToClient] = lambda payload: unpack(payload, ToClient),
    ) -> None:
        """`entropy` gives the bytes of the shares that this client adds to the deals; None adds nothing.

        `decode` turns what a host sends into a message, or raises `net.wire.link.WireError`; for a host in another
        process it is `net.client.untrusted.decode_untrusted`.
        """
        self._link = link
        self._software = software
        self.goes_to: MakeTable | Sit | Watch | None = None
        """The table to which it goes as soon as it is in the lobby."""
        self._otherwise: Watch | None = None
        """What to do where no seat there is to be had."""
        self.shares = Shares(entropy)
        """What this client adds to the deals, and what the host promised about them."""
        self._decode = decode
        self._listeners: list[Listener] = []
        self._code = ""
        self._asked = ""
        """The name that was asked for last."""
        self._rejoining = self._interrupted = False
        self._unanswered = UnansweredRequest()
        self._waiting: list[tuple[ToHost, float]] = []
        """Requests without an answer, each with the time until which a second key press does not repeat it."""
        self.lost = False
        """Whether the connection is lost, so that nothing sent reaches the host."""
        self.reconnects = 0
        """How often this client has reconnected over a new link."""
        self.name = ""
        """The name that the host gave; empty before entering."""
        self.resume = ""
        """Returns a guest without a key to their seat on another connection."""
        self.port = 0
        """The host's SSH port, for guests who play over `ssh` and return that way; else 0."""
        self.places: tuple[tuple[str, int], ...] = ()
        """The addresses and ports at which others reach this host, as far as they are known here."""
        self.link = ""
        """The address of its pages, without a path, for those with a browser; empty where there are none."""
        self.muted: set[str] = set()
        """The names of those whose talk is not heard."""
        self.house_rules: dict[str, dict[str, str | int]] = {}
        """By game, this host's default options for a new table."""
        self.tables = Tables(())
        """The page of tables, as last received in the lobby."""
        self.browsing = Browse()
        """Which tables this client looks at."""
        self.update: Update | None = None
        """The table, as last received; None in the lobby."""
        self.fair: FairDeal | None = None
        """What is public about the fair deal of the match at this table."""
        self.said: list[Said] = []
        """What was said at this table, or in the lobby."""

    async def run(self, link: Link | None = None) -> Bye | None:
        """Greet the host and receive until the link ends; return its goodbye if it sent one.

        On another `link` than before, the client returns to where it was. Raises `net.wire.link.WireError` if the
        other end is not a Boneyard host.
        """
        if link is not None:
            self._link = link
            self._rejoining, self._interrupted = bool(self.name), False
            self._waiting.clear()
            self.shares.line_broke()
        self._send(Hello(PROTOCOL, self._software, self.resume))
        while (payload := await self._link.receive()) is not None:
            message = self._decode(payload)
            if isinstance(message, Interrupted):
                self._break_off()
            elif self._rejoining and not isinstance(message, Bye):
                self._rejoin(message)
            elif not (isinstance(message, Said) and message.name in self.muted):
                if self.lost and isinstance(message, Greeting):  # it broke before there was anywhere to go back to
                    self.publish(Reconnected())
                self._note(message)
                self.publish(message)
            if isinstance(message, Bye):
                return message
        return None

    def publish(self, message: ClientEvent) -> None:
        """Tell all listeners."""
        if isinstance(message, Disconnected | Reconnected):
            self.lost = isinstance(message, Disconnected)
        for listener in tuple(self._listeners):
            listener(message)

    def subscribe(self, listener: Listener) -> Callable[[], None]:
        """Tell `listener` every message from now on; call what is returned to stop, also after `unsubscribe_all`."""
        self._listeners.append(listener)

        def unsubscribe() -> None:
            with suppress(ValueError):
                self._listeners.remove(listener)

        return unsubscribe

    def unsubscribe_all(self) -> None:
        """Remove all listeners; their screens are gone."""
        self._listeners.clear()

    def enter(self, text: str) -> None:
        """Ask to enter under a name; after one that is taken, its return code asks for it as its owner."""
        code = return_code(text) if self._asked else ""
        self._asked = self._asked if code else text
        self._request(Enter(self._asked, code))

    def browse(self, browse: Browse) -> None:
        """Look at other tables than now."""
        self.browsing = browse
        self._send(browse)

    def make_table(self, table: MakeTable) -> None:
        """Open a table and sit down at it."""
        if self._waits(table):
            return
        self.shares.arrive(begun=False)
        self._send(replace(table, pledge=self.shares.pledge()))

    def sit(self, table: int, code: str = "") -> None:
        """Take a seat at a table; a private one needs its code."""
        if self._waits(Sit(table, code)):
            return
        self._code = code
        self.shares.arrive(begun=may_have_begun(table, self.update, self.tables))
        self._send(Sit(table, code, self.shares.pledge()))

    def watch(self, table: int, code: str = "") -> None:
        """Watch a table; a private one needs its code."""
        if self._waits(Watch(table, code)):
            return
        self._code = code
        self.shares.arrive(begun=True)
        self._send(Watch(table, code))

    def bind(self, code: str = "") -> None:
        """Join the account of a code, or ask for one that lets another key join this account."""
        self._request(Bind(code))

    def unbind(self) -> None:
        """Give this client's key an account of its own again."""
        self._request(Unbind())

    def leave(self) -> None:
        """Go back to the lobby."""
        self._request(Leave())

    def fill(self) -> None:
        """Put bots on the free seats."""
        self._request(FillWithBots())

    def ready(self) -> None:
        """Go on after a result."""
        over = self.update is not None and self.update.match is not None and self.update.match.over
        if not self._waits(Ready()):
            self._ask(Ready(self.shares.pledge() if over else ""))

    def act(self, action: Action) -> None:
        """Act on this client's turn, in answer to the latest update."""
        if self.update is not None and not self._waits(request := Act(self.update.number, action)):
            self._ask(request)

    def say(self, text: str) -> None:
        """Say something at the table, or in the lobby."""
        self._send(Say(text))

    def mute(self, name: str, on: bool) -> None:
        """Hear nothing more of what somebody says, or hear it again; the host is not told."""
        (self.muted.add if on else self.muted.discard)(name)

    def take_back(self) -> None:
        """Take back this client's last choice, or agree to what somebody else would like to take back."""
        self._agree(TakeBack)

    def allow_hints(self) -> None:
        """Ask for hints at this table, or agree to somebody else who does."""
        self._agree(AllowHints)

    def end_match(self) -> None:
        """End a match that may never end."""
        self._request(EndMatch())

    def pause(self, on: bool) -> None:
        """Stop the table, or let it go on."""
        self._request(Pause(on))

    def set_pace(self, pace: Speed) -> None:
        """Let the bots take more or less time."""
        self._request(SetPace(pace))

    def skip(self) -> None:
        """Let bots play at once until it is a person's turn."""
        self._request(Skip())

    def remove(self, name: str) -> None:
        """Remove somebody from this client's own table."""
        self._request(Remove(name))

    def recall(self) -> None:
        """Ask for the record of the match that is over."""
        self._request(Recall())

    def attest(self, chain: str, signature: Signature) -> None:
        """Testify that the record with this chain is what this client saw."""
        self._send(Attest(chain, *signature))

    def goodbye(self) -> None:
        """Leave the host."""
        self._request(Goodbye())

    def close(self) -> None:
        """Close the link."""
        self._link.close()

    def _send(self, message: ToHost) -> None:
        self._link.send(pack(message))

    def _waits(self, request: ToHost) -> bool:
        """Return whether the same request already waits for its answer; otherwise note it."""
        now = monotonic()
        self._waiting = [(waiting, until) for waiting, until in self._waiting if now < until]
        if any(waiting == request for waiting, _ in self._waiting):
            return True
        self._waiting.append((request, now + ANSWERED_WITHIN))
        return False

    def _request(self, request: ToHost) -> None:
        """Send a request, unless the same one waits for its answer."""
        if not self._waits(request):
            self._send(request)

    def _ask(self, request: Request) -> None:
        """Send a request, and note it to be repeated if the connection breaks before the answer."""
        self._unanswered.ask(None if self.lost else request)
        self._send(request)

    def _agree(self, what: type[TakeBack | AllowHints]) -> None:
        if (now := self.update) is not None:
            self._request(what(now.wanted.seat if now.wanted else now.seat))

    def _note(self, message: ToClient) -> None:
        self._unanswered.hear(message)
        if not isinstance(message, Tables | Said):  # these come unasked
            self._waiting.clear()
        match message:
            case Greeting(house_rules=house_rules):
                self.house_rules = house_rules
            case Entered(name=name, resume=resume):
                self.name, self.resume = name, resume
            case Tables():
                self.tables = message
                self._go()
            case Refused() if self._otherwise is not None:  # every seat there is taken, but they may watch
                self.goes_to, self._otherwise = self._otherwise, None
                self._go()
            case Update():
                if self.update is None or self.update.table.id != message.table.id:
                    # the host's notice is for tables, too
                    self.said = [message for message in self.said if not message.name]
                    self.fair = None
                self.update, self._otherwise = with_history(message, self.update), None
                self.fair = message.fair or self.fair
                if share := self.shares.handle(message):
                    self._send(Reveal(share))
            case Said():
                self.said.append(message)
                del self.said[:-100]
            case Left():
                if self.update is not None:
                    self.said = []
                self.update = None

    def _go(self) -> None:
        """Go where this client is expected."""
        if self.goes_to is not None:
            sits = self.goes_to if isinstance(self.goes_to, Sit) else None
            self._otherwise = Watch(sits.table, sits.code) if sits else None
        match self.goes_to:
            case MakeTable() as table:
                self.make_table(table)
            case Sit(table=number, code=code):
                self.sit(number, code)
            case Watch(table=number, code=code):
                self.watch(number, code)
        self.goes_to = None

    def _rejoin(self, message: ToClient) -> None:
        """Enter again and go back to where this client was, without telling the listeners of the steps."""
        match message:
            case Greeting():
                self._send(Enter(self.name))
            case Entered():
                self.resume = message.resume
                if self.browsing != Browse():
                    self._send(self.browsing)
                self._come_back()
            case Resumed() if self._interrupted:
                self._come_back()
            case Left() if self._interrupted:  # nobody has taken the table over
                self._rejoined(message)
            case Tables():
                self.tables = message
                if self.update is None:
                    self._rejoined(message)
            case Update():
                self._rejoined(message)
            case Refused(reason=reason):  # the table is gone, or the name is somebody else's by now
                self._rejoined(Left(reason) if self.update is not None else Bye(reason))

    def _break_off(self) -> None:
        """Wait for the table to be taken over, as for a connection that is lost."""
        if self.update is None:
            return
        self._interrupted = True
        if not self._rejoining:
            self._rejoining = True
            self.shares.line_broke()
            self.publish(Disconnected())

    def _come_back(self) -> None:
        """Ask for the place that this client had at a table, if it was at one."""
        if (where := self.update) is not None:
            code = where.code or self._code
            seated = where.seat != NOBODY
            self._send(Sit(where.table.id, code, self.shares.pledge()) if seated else Watch(where.table.id, code))

    def _rejoined(self, message: ToClient) -> None:
        before, request = self.update, self._unanswered.take()
        self._rejoining = self._interrupted = False
        self._waiting.clear()
        self.reconnects += 1
        self.said = []
        self.publish(Reconnected())
        self._note(message)
        self.publish(message)
        if request is not None and self._unanswered.is_unchanged(before, self.update):
            self._ask(request) if isinstance(request, Act) else self.ready()


class UnansweredRequest:
    """What a client asked for at its table and has no answer to: after a break, it asks for that again."""

    def __init__(self) -> None:
        self._request: Request | None = None

    def ask(self, request: Request | None) -> None:
        """Note a request; None while the connection is lost: a key that is pressed then does not count later."""
        self._request = request

    def take(self) -> Request | None:
        """Return what is to be asked again, and forget it."""
        request, self._request = self._request, None
        return request

    def hear(self, message: ToClient) -> None:
        """Take note of what the host says."""
        match message:
            case Update(events=events, seat=seat, ready=ready):
                if events or seat in ready:
                    self._request = None
            case Left() | Refused():
                self._request = None

    def is_unchanged(self, before: Update | None, now: Update | None) -> bool:
        """Whether a request in answer to an earlier update makes sense after a later one: nothing was played between.

        An action keeps its number, so that the host does nothing twice in any case.
        """
        if self._request is not None:  # somebody has asked for something meanwhile
            return False
        if before is None or now is None or before.match is None or now.match is None:
            return False
        if now.table.id != before.table.id or now.seat in now.ready:
            return False
        return replace(now.match, history=()) == replace(before.match, history=())


def with_history(update: Update, before: Update | None) -> Update:
    """Add to an update what the client has heard since the deal, unless the host has told it anew."""
    match = update.match
    if match is None or match.history:
        return update
    heard = before.match.history if before and before.match and before.table.id == update.table.id else ()
    return replace(update, match=replace(match, history=append_history(heard, update.events)))


def may_have_begun(table: int, here: Update | None, tables: Tables) -> bool:
    """Whether a match may be under way at a table that the client joins: never if a seat is free."""
    if here is not None and here.table.id == table:
        return here.match is not None and not here.match.over
    listed = next((listed for listed in tables.tables if listed.id == table), None)
    return listed is None or not any(seat.free for seat in listed.seats)
