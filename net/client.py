"""The client: what every screen asks and hears, the same through all three doors."""

from collections.abc import Callable

from core.actions import Action
from net.link import Link
from net.messages import (
    PROTOCOL,
    Act,
    Bye,
    Enter,
    Entered,
    Fill,
    Goodbye,
    Greeting,
    Hello,
    Leave,
    Left,
    MakeTable,
    Ready,
    Said,
    Say,
    Sit,
    Tables,
    ToClient,
    ToHost,
    Update,
    Watch,
)
from net.wire import pack, unpack


class Client:
    """One guest's end of a link. It keeps the newest of what it heard and tells whoever listens."""

    def __init__(self, link: Link, software: str) -> None:
        self._link = link
        self._software = software
        self._listeners: list[Callable[[ToClient], None]] = []
        self.name = ""
        """The name that the host gave; empty at the door."""
        self.house_rules: dict[str, dict[str, str | int]] = {}
        """By game, what a new table has here where its maker does not choose otherwise."""
        self.tables = Tables(())
        """The tables, as last heard in the lobby."""
        self.update: Update | None = None
        """The table, as last heard; None in the lobby."""
        self.said: list[Said] = []
        """What was said at this table."""

    async def run(self) -> Bye | None:
        """Greet the host and hear it out until the link ends; return its goodbye if it said one.

        Raises `net.wire.WireError` when the other end is no Boneyard host.
        """
        self._send(Hello(PROTOCOL, self._software))
        while (payload := await self._link.receive()) is not None:
            message: ToClient = unpack(payload, ToClient)
            self._note(message)
            for listener in tuple(self._listeners):
                listener(message)
            if isinstance(message, Bye):
                return message
        return None

    def listen(self, listener: Callable[[ToClient], None]) -> Callable[[], None]:
        """Have every message told to `listener` from now on; call what is returned to stop."""
        self._listeners.append(listener)
        return lambda: self._listeners.remove(listener)

    def enter(self, name: str) -> None:
        """Ask to come in under a name."""
        self._send(Enter(name))

    def make_table(self, wish: MakeTable) -> None:
        """Open a table and sit down at it."""
        self._send(wish)

    def sit(self, table: int) -> None:
        """Take a seat at a table."""
        self._send(Sit(table))

    def watch(self, table: int) -> None:
        """Look on at a table."""
        self._send(Watch(table))

    def leave(self) -> None:
        """Go back to the lobby."""
        self._send(Leave())

    def fill(self) -> None:
        """Put bots on the free seats."""
        self._send(Fill())

    def ready(self) -> None:
        """Go on after a result."""
        self._send(Ready())

    def act(self, action: Action) -> None:
        """Do something on one's turn, in answer to the newest update."""
        if self.update is not None:
            self._send(Act(self.update.number, action))

    def say(self, text: str) -> None:
        """Say something at the table."""
        self._send(Say(text))

    def goodbye(self) -> None:
        """Leave the house."""
        self._send(Goodbye())

    def close(self) -> None:
        """Close the link."""
        self._link.close()

    def _send(self, message: ToHost) -> None:
        self._link.send(pack(message))

    def _note(self, message: ToClient) -> None:
        match message:
            case Greeting(house_rules=house_rules):
                self.house_rules = house_rules
            case Entered(name=name):
                self.name = name
            case Tables():
                self.tables = message
            case Update():
                if self.update is None or self.update.table.id != message.table.id:
                    self.said = []
                self.update = message
            case Said():
                self.said.append(message)
                del self.said[:-100]
            case Left():
                self.update = None
