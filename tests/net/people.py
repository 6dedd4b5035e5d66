"""People for a crowd, and a lobby around them in which every payload passes the oracle as it is sent."""

from random import Random

from core.fair import commit
from core.games import GAMES
from core.layout.state import NOBODY
from core.match import new_match
from core.words import BadOption
from net.client.untrusted import decode_untrusted
from net.host.lobby import Effects
from net.players.accounts import Accounts
from net.wire.link import pack
from net.wire.messages import Entered, Record, Refused, Update
from tests.net.oracle import Leak, examine, known_to
from tests.net.party import Party

LENGTH_OPTIONS = ("target", "mt.rounds", "sm.rounds", "jl.rounds", "set")
"""House rules that decide how long a match is."""


def random_rules(rng: Random, name: str, *, short: bool) -> tuple[int, dict]:
    """Choose a number of players and compatible house rules for a game; with `short` those of a short match."""
    variant = GAMES[name]
    while True:
        players = rng.randint(*variant.seats)
        options = {
            option.key: min(option.choices if short else rng.choices(option.choices, k=2))
            if option.key in LENGTH_OPTIONS
            else rng.choice(option.choices)
            for option in variant.options
            if rng.random() < 0.5 or option.key in LENGTH_OPTIONS
        }
        try:
            new_match(variant, players, options)
        except BadOption:
            continue
        return players, options


class Person:
    """A person in the crowd, over all their connections."""

    def __init__(self, name: str, number: int, rng: Random) -> None:
        self.name = name
        self.token = f"SHA256:key-of-{name}-{rng.getrandbits(64):016x}" if number % 3 else ""
        self.resume = ""
        self.share = rng.randbytes(32)
        self.has_revealed = False
        self.connection = NOBODY

    @property
    def pledge(self) -> str:
        return commit(self.share)


class CheckedParty(Party):
    """A lobby and its people; raises Leak when a guest is sent a fact that they may not know."""

    def __init__(self, rng: Random) -> None:
        self.rng = rng
        self.secrets_made: list[bytes] = []
        self.codes: list[str] = []
        self.people: list[Person] = []
        self.person_by_connection: dict[int, Person] = {}
        self.messages_sent = 0
        self.refusals: set[str] = set()
        super().__init__(new_secret=self._secret, codes=self._code, accounts=Accounts())

    def _secret(self) -> bytes:
        self.secrets_made.append(self.rng.randbytes(32))
        return self.secrets_made[-1]

    def _code(self, length: int) -> str:
        self.codes.append("".join(self.rng.choice("abcdefghjkmnpqrstuvwxyz23456789") for _ in range(length)))
        return self.codes[-1]

    # Messages that everybody receives

    def deliver(self, effects: Effects) -> None:
        for number, message in effects.messages:
            payload = pack(message)
            examine(payload, known_to(self.lobby, number))
            self._check_secrets(number, message, payload)
            assert decode_untrusted(payload) == message  # a joined client never doubts an honest host
            self.received[number].append(message)
            self.messages_sent += 1
            if isinstance(message, Refused):
                self.refusals.add(message.reason.text)

    def say(self, number: int, message) -> list:
        """Send as in any party, but keep only the newest update received before, since matches are long."""
        received = self.received[number]
        newest_update = [message for message in received[-50:] if isinstance(message, Update)][-1:]
        received[:] = newest_update
        return super().say(number, message)

    def _check_secrets(self, number: int, message, payload: bytes) -> None:
        """Check that a message has no secret of the host or of another guest."""
        presence = self.lobby.present.get(number)
        table = self.lobby.tables.get(presence.table) if presence else None
        shows_secret = (
            isinstance(message, Record) and table is not None and table.match is not None and table.match.over
        )
        for open_table in self.lobby.tables.values():
            next_secret = open_table.recorded.shuffle.secret
            if next_secret in payload or next_secret.hex().encode() in payload:
                raise Leak("a host's secret is told before its match is over")
        if not shows_secret and any(
            secret.hex().encode() in payload or secret in payload for secret in self.secrets_made
        ):
            raise Leak("a host's secret is told outside of a record")
        for person in self.people:
            if person.token and person.token.encode() in payload:
                raise Leak(f"the key of {person.name} is told")
            if person.resume and person.resume.encode() in payload and person.connection != number:
                raise Leak(f"the code of {person.name} to come back with is told to somebody else")
            if person.share.hex().encode() in payload and not person.has_revealed:
                raise Leak(f"the share of {person.name} is told before they showed it")
        if b"code:" in payload:
            raise Leak("the token of a guest without a key is told")
        if isinstance(message, Entered) and message.resume:
            self.person_by_connection[number].resume = message.resume

        if any(code.encode() in payload for code in self._codes_hidden_from(number)):
            raise Leak("the code of a private table is told to a stranger")

    def _codes_hidden_from(self, number: int) -> list[str]:
        presence = self.lobby.present.get(number)
        own_table = presence.table if presence else 0
        return [
            table.terms.code for table in self.lobby.tables.values() if table.terms.code and table.id != own_table
        ]

    def all_secrets(self) -> list[str]:
        """Return every secret that must be in no log."""
        people = [
            secret for person in self.people for secret in (person.token, person.resume, person.share.hex()) if secret
        ]
        return [*people, *self.codes, *(secret.hex() for secret in self.secrets_made)]
