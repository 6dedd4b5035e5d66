"""Both ends in one test: a lobby and its guests without sockets; every message is packed and unpacked."""

import time
from itertools import chain

from msgspec import Struct

from core.layout.state import NOBODY
from core.tiles import Tile
from net.host.lobby import Effects, Lobby
from net.host.presence import Visitor
from net.players.accounts import Accounts
from net.table.persistence import Change
from net.table.table import Pace
from net.wire.link import pack, unpack
from net.wire.messages import (
    PROTOCOL,
    Act,
    Enter,
    Greeting,
    Hello,
    MakeTable,
    Ready,
    Refused,
    Sit,
    ToClient,
    ToHost,
    Update,
)


def quick() -> float:
    """Clock that runs fast, so that guests can play as quickly as machines without hitting limits."""
    return time.monotonic() * 1000


def tiles_in(value) -> set[Tile]:
    """Return every tile anywhere in a message."""
    if isinstance(value, Tile):
        return {value}
    if isinstance(value, Struct):
        value = [getattr(value, field) for field in value.__struct_fields__]
    elif isinstance(value, dict):
        value = list(value.values())
    return set().union(*map(tiles_in, value)) if isinstance(value, list | tuple) else set()


AT_LEISURE = Pace(0, 0, 0, shuffle=1e9, grace=0)
"""Nothing takes time, and yet a client on a busy machine has enough time to reveal its share."""


class TableNow:
    """The current state of a table of a lobby."""

    def __init__(self, lobby: Lobby, number: int) -> None:
        self._lobby = lobby
        self.id = number

    def __getattr__(self, name: str):
        return getattr(self._lobby.tables[self.id], name)

    @property
    def delay(self) -> float | None:
        """Seconds until the next scheduled event at the table."""
        return self._lobby.delay(self.id)


class Party:
    """A lobby, and for each guest everything that they received, as messages and as bytes."""

    def __init__(self, pace: Pace | None = None, **options) -> None:
        self.time = 0.0
        self.lobby = Lobby(
            options.pop("accounts", None) or Accounts(),
            clock=lambda: self.time,
            new_secret=options.pop("new_secret", lambda: b"a seed for tests"),
            software="test",
            **({"pace": pace} if pace else {}),
            **options,
        )
        self.changes: list[Change] = []
        """Changes to save, in order."""
        self.received: dict[int, list] = {}
        self.bytes: dict[int, list[bytes]] = {}

    def come(self, number: int, name: str = "", token: str = "") -> int:
        """Let a guest connect, greet and enter."""
        self.arrive(number, name, token)
        self.say(number, Hello(PROTOCOL, "test"))
        self.say(number, Enter(name or f"guest {number}"))
        return number

    def arrive(self, number: int, user: str = "", token: str = "", *, named: bool = False) -> int:
        """Let a guest connect, without a greeting; `named`: they confirmed their name before the login."""
        visitor = Visitor(user, token or f"token {number}", address=f"192.0.2.{number}", named=named)
        self.received[number], self.bytes[number] = [], []
        self.lobby.front.connect(number, visitor)
        return number

    def say(self, number: int, message) -> list:
        """Send a message as a guest; return the messages received in answer."""
        self.time += 1  # no guest here exceeds a rate limit
        count_before = len(self.received[number])
        self.deliver(self.lobby.receive(number, unpack(pack(message), ToHost)))
        return self.received[number][count_before:]

    def go(self, number: int) -> None:
        self.deliver(self.lobby.disconnect(number))

    def deliver(self, effects: Effects) -> None:
        self.changes += effects.changes
        for number, message in [
            *effects.messages,
            *(chain.from_iterable(self.lobby.front.page_updates()) if effects.relisted else ()),
        ]:
            payload = pack(message)
            assert unpack(payload, ToClient) == message
            self.received[number].append(message)
            self.bytes[number].append(payload)

    def run(self, table=None) -> None:
        """Let the tables do their scheduled work until they wait for a person."""
        table = table or self.get_table()
        while table.delay is not None:
            self.deliver(self.lobby.step(table.id))

    def get_table(self, number: int = 0) -> "TableNow":
        """Return a table by its number, or the first one."""
        return TableNow(self.lobby, number or next(iter(self.lobby.tables)))

    def update(self, number: int) -> Update:
        """Return the newest view of a guest."""
        return next(message for message in reversed(self.received[number]) if isinstance(message, Update))

    def play(self, number: int, choose=lambda legal: legal[0]) -> list:
        """Take one legal action for a guest on turn."""
        update = self.update(number)
        return self.say(number, Act(update.number, choose(update.match.play.legal)))

    def on_turn(self, *numbers: int) -> int:
        """Return the guest among these whose turn it is; -1 when a round is over."""
        return next((n for n in numbers if self.update(n).match.play.legal), NOBODY)

    def play_out(self, *numbers: int, choose=lambda legal: legal[0]) -> None:
        """Play the match of these guests to its end."""
        while True:
            self.run()
            if self.update(numbers[0]).match.over:  # a bot may have ended it
                return
            turn = self.on_turn(*numbers)
            if turn != NOBODY:
                self.play(turn, choose)
            else:
                for number in numbers:
                    self.say(number, Ready())

    def make_table(self, maker: int, *joiners: int, game="draw", bots=0, players=None, **options) -> int:
        """Let `maker` make a table and `joiners` sit down; return its number."""
        players = players or 1 + len(joiners) + bots
        self.say(maker, MakeTable(game, players, options, bots))
        number = self.update(maker).table.id
        for joiner in joiners:
            self.say(joiner, Sit(number))
        return number

    def refusal(self, answer: list) -> str:
        """Return the words of the only refusal in an answer."""
        (refused,) = [message for message in answer if isinstance(message, Refused)]
        return str(refused.reason)

    def greeting(self, number: int) -> Greeting:
        return next(message for message in self.received[number] if isinstance(message, Greeting))
