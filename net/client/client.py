"""The client: what every screen asks and hears, the same alone, joined, and over `ssh`."""

from collections.abc import Callable

from msgspec import Struct
from msgspec.structs import replace

from core.actions import Action
from core.fair import Fair
from core.layout.placed import NOBODY
from core.seals import Signature
from net.client.shares import Shares
from net.wire.codec import pack, unpack
from net.wire.link import Link
from net.wire.messages import (
    PROTOCOL,
    Act,
    Attest,
    Bye,
    EndMatch,
    Enter,
    Entered,
    Fill,
    Goodbye,
    Greeting,
    Hello,
    Leave,
    Left,
    MakeTable,
    Pause,
    Ready,
    Recall,
    Refused,
    Remove,
    Reveal,
    Said,
    Say,
    Sit,
    Tables,
    ToClient,
    ToHost,
    Update,
    Watch,
)


class Disconnected(Struct, frozen=True):
    """Not from the host: the connection to it is lost, and is tried again."""

    again_in: float
    """Seconds until the next try."""


class Reconnected(Struct, frozen=True):
    """Not from the host: it is connected again, and everything is as it was."""


class Verification(Struct, frozen=True):
    """Not from the host: what came of verifying its promises, and of computing the deals anew."""

    problem: str = ""
    """The promise that the host broke; empty for none."""
    caveat: str = ""
    """What less than all is proven, and why; empty when every deal is."""
    evidence: str = ""
    """The file that shows the problem to others; empty where there is none."""


ClientEvent = ToClient | Disconnected | Reconnected | Verification
Listener = Callable[[ClientEvent], None]


class Client:
    """One guest's end of a link. It keeps the newest of what it heard and tells whoever listens."""

    def __init__(
        self,
        link: Link,
        software: str,
        *,
        entropy: Callable[[int], bytes] | None = None,
        decode: Callable[[bytes], ToClient] = lambda payload: unpack(payload, ToClient),
    ) -> None:
        """`entropy` gives the bytes of the shares that this client adds to the deals; None adds nothing.

        `decode` turns what a host sends into a message, or raises `net.wire.codec.WireError`; for a host that is
        somebody else's program it is `net.client.untrusted.decode_untrusted`.
        """
        self._link = link
        self._software = software
        self.shares = Shares(entropy)
        """What it adds to the deals, and what it was promised about them."""
        self._decode = decode
        self._listeners: list[Listener] = []
        self._code = ""
        self._rejoining = False
        self.lost = False
        """Whether the line is dead, so that nothing that is said reaches the host."""
        self.reconnects = 0
        """How often this client has found its way back over a new link."""
        self.name = ""
        """The name that the host gave; empty before entering."""
        self.resume = ""
        """What gives a guest without a key his seat again on another connection."""
        self.port = 0
        """The host's SSH port, for who plays over `ssh`, and comes back so; else 0."""
        self.house_rules: dict[str, dict[str, str | int]] = {}
        """By game, what a new table has here where its maker does not choose otherwise."""
        self.tables = Tables(())
        """The tables, as last heard in the lobby."""
        self.update: Update | None = None
        """The table, as last heard; None in the lobby."""
        self.fair: Fair | None = None
        """What is public about the chance of the match at this table."""
        self.said: list[Said] = []
        """What was said at this table."""

    async def run(self, link: Link | None = None) -> Bye | None:
        """Greet the host and hear it out until the link ends; return its goodbye if it said one.

        On another `link` than before the client goes back to where it was. Raises `net.wire.codec.WireError` when the
        other end is no Boneyard host.
        """
        if link is not None:
            self._link = link
            self._rejoining = bool(self.name)
            self.shares.line_broke()
        self._send(Hello(PROTOCOL, self._software, self.resume))
        while (payload := await self._link.receive()) is not None:
            message = self._decode(payload)
            if self._rejoining and not isinstance(message, Bye):
                self._rejoin(message)
                continue
            self._note(message)
            self.publish(message)
            if isinstance(message, Bye):
                return message
        return None

    def publish(self, message: ClientEvent) -> None:
        """Tell everybody who listens."""
        if isinstance(message, Disconnected | Reconnected):
            self.lost = isinstance(message, Disconnected)
        for listener in tuple(self._listeners):
            listener(message)

    def subscribe(self, listener: Listener) -> Callable[[], None]:
        """Have every message told to `listener` from now on; call what is returned to stop."""
        self._listeners.append(listener)
        return lambda: self._listeners.remove(listener)

    def unsubscribe_all(self) -> None:
        """Tell nobody anything any more who listens now: the screens that did are gone."""
        self._listeners.clear()

    def enter(self, name: str) -> None:
        """Ask to come in under a name."""
        self._send(Enter(name))

    def make_table(self, wish: MakeTable) -> None:
        """Open a table and sit down at it."""
        self.shares.arrive(begun=False)
        self._send(replace(wish, pledge=self.shares.pledge()))

    def sit(self, table: int, code: str = "") -> None:
        """Take a seat at a table; a private one wants its code."""
        self._code = code
        self.shares.arrive(begun=self._may_have_begun(table))
        self._send(Sit(table, code, self.shares.pledge()))

    def watch(self, table: int, code: str = "") -> None:
        """Look on at a table; a private one wants its code."""
        self._code = code
        self.shares.arrive(begun=True)
        self._send(Watch(table, code))

    def leave(self) -> None:
        """Go back to the lobby."""
        self._send(Leave())

    def fill(self) -> None:
        """Put bots on the free seats."""
        self._send(Fill())

    def ready(self) -> None:
        """Go on after a result."""
        over = self.update is not None and self.update.match is not None and self.update.match.over
        self._send(Ready(self.shares.pledge() if over else ""))

    def act(self, action: Action) -> None:
        """Do something on one's turn, in answer to the newest update."""
        if self.update is not None:
            self._send(Act(self.update.number, action))

    def say(self, text: str) -> None:
        """Say something at the table."""
        self._send(Say(text))

    def end_match(self) -> None:
        """End a match that may never end."""
        self._send(EndMatch())

    def pause(self, on: bool) -> None:
        """Stop the table, or let it go on."""
        self._send(Pause(on))

    def remove(self, name: str) -> None:
        """Send somebody away from one's own table."""
        self._send(Remove(name))

    def recall(self) -> None:
        """Ask for the record of the match that is over."""
        self._send(Recall())

    def attest(self, chain: str, signature: Signature) -> None:
        """Bear witness that the record with this chain is what was seen here."""
        self._send(Attest(chain, *signature))

    def goodbye(self) -> None:
        """Leave the host."""
        self._send(Goodbye())

    def close(self) -> None:
        """Close the link."""
        self._link.close()

    def _send(self, message: ToHost) -> None:
        self._link.send(pack(message))

    def _may_have_begun(self, table: int) -> bool:
        """Whether a match may be under way where this client sits down: never where a seat is free."""
        here = self.update
        if here is not None and here.table.id == table:
            return here.match is not None and not here.match.over
        listed = next((listed for listed in self.tables.tables if listed.id == table), None)
        return listed is None or not any(seat.free for seat in listed.seats)

    def _note(self, message: ToClient) -> None:
        match message:
            case Greeting(house_rules=house_rules):
                self.house_rules = house_rules
            case Entered(name=name, resume=resume):
                self.name, self.resume = name, resume
            case Tables():
                self.tables = message
            case Update():
                if self.update is None or self.update.table.id != message.table.id:
                    self.said = []
                    self.fair = None
                self.update = message
                self.fair = message.fair or self.fair
                share = self.shares.handle(message)
                if share:
                    self._send(Reveal(share))
            case Said():
                self.said.append(message)
                del self.said[:-100]
            case Left():
                self.update = None

    def _rejoin(self, message: ToClient) -> None:
        """Enter again and go back to where this client was; nobody needs to hear of the way."""
        where = self.update
        match message:
            case Greeting():
                self.enter(self.name)
            case Entered(resume=resume) if where is not None:
                self.resume = resume
                code = where.code or self._code
                seated = where.seat != NOBODY
                self._send(Sit(where.table.id, code, self.shares.pledge()) if seated else Watch(where.table.id, code))
            case Tables():
                self.tables = message
                if where is None:
                    self._rejoined(message)
            case Update():
                self._rejoined(message)
            case Refused(reason=reason):  # the table is gone, or the name is somebody else's by now
                self._rejoined(Left(reason) if where is not None else Bye(reason))

    def _rejoined(self, message: ToClient) -> None:
        self._rejoining = False
        self.reconnects += 1
        self.said = []
        self.publish(Reconnected())
        self._note(message)
        self.publish(message)
