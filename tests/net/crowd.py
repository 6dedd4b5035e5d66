"""A crowd that plays whole matches through a lobby, with disconnects, returns, spectators and attempts to cheat.

Every payload passes the oracle (`tests/net/oracle.py`) at the moment when it is sent.
"""

from random import Random

from core.actions import Draw, Lay, Play
from core.bots.levels import random_choices
from core.bots.profiles import TABLE_LEVELS
from core.layout.state import NOBODY
from core.records import referee
from net.host.lobby import Lobby
from net.host.presence import Visitor
from net.wire.messages import (
    PROTOCOL,
    Act,
    Bye,
    Enter,
    FillWithBots,
    Hello,
    Leave,
    MakeTable,
    Pause,
    Ready,
    Recall,
    Record,
    Refused,
    Remove,
    Reveal,
    Say,
    SetPace,
    Sit,
    Skip,
    TakeBack,
    Watch,
)
from tests.net.oracle import hidden_from
from tests.net.people import CheckedParty, Person, random_rules

MAX_TURNS = 10_000
"""Turns after which a match is abandoned: at random, and where scores can fall, a few would not end."""


class Crowd(CheckedParty):
    """A match of one game among `persons` and bots, with spectators who try to learn secrets."""

    def __init__(self, seed: int, name: str, *, disturbance_rate: float = 0.08, short: bool = True) -> None:
        super().__init__(Random(f"{seed} {name}"))
        self.disturbance_rate = disturbance_rate
        self.game = name
        self.last_connection = 0
        self.lines: list[str] = []
        self.actions_taken_back = 0
        """Number of actions that were taken back."""
        self.players, self.rules = random_rules(self.rng, name, short=short)

    # Coming and going

    def person(self, name: str) -> Person:
        person = Person(name, len(self.people) + 1, self.rng)
        self.people.append(person)
        self.enter(person)
        return person

    def enter(self, person: Person) -> None:
        """Let a person enter over a new connection, after losing their old one."""
        if person.connection != NOBODY:
            self.go(person.connection)
        self.last_connection += 1
        person.connection = self.last_connection
        self.person_by_connection[self.last_connection] = person
        self.received[self.last_connection], self.bytes[self.last_connection] = [], []
        self.lobby.front.connect(self.last_connection, Visitor(person.name, person.token, person.resume, "192.0.2.7"))
        self.say(self.last_connection, Hello(PROTOCOL, "test"))
        self.say(self.last_connection, Enter(person.name))

    def restart(self) -> None:
        """Restart the host in the middle of a match; everybody returns to it."""
        saved_tables = [(table.snapshot(self.time), list(self.lines)) for table in self.lobby.tables.values()]
        self.lobby = Lobby(
            self.lobby.accounts, clock=lambda: self.time, new_secret=self._secret, software="test", codes=self._code
        )
        for snapshot, lines in saved_tables:
            self.lobby.resume(snapshot, lines)
        for person in self.people:
            person.connection = NOBODY
            self.enter(person)

    def deliver(self, effects) -> None:
        for change in effects.changes:
            if change.lines:
                self.lines = list(change.lines) if change.begins else [*self.lines, *change.lines]
        self.actions_taken_back += sum(
            line.startswith('{"type":"back"') for change in effects.changes for line in change.lines
        )
        super().deliver(effects)

    # One match

    def play_match(self) -> None:
        """Fill a table, play to the end with every kind of disturbance, and sometimes begin again."""
        rng = self.rng
        person_count = rng.randint(1, self.players)
        names = ["ada", "bela", "cleo", "dora", "emil", "fritz", "gabor", "hedy"]
        players = [self.person(names[n]) for n in range(person_count)]
        self.onlookers = [self.person(name) for name in ("xaver", "yvonne", "zoe")]
        maker = players[0]
        request = MakeTable(
            self.game,
            self.players,
            self.rules,
            private=rng.random() < 0.3,
            levels=tuple(rng.choice(TABLE_LEVELS) for _ in range(self.players - person_count)),
            turn_time=rng.choice((0, 0, 10**4)),
            take_back=rng.random() < 0.8,
            pledge=maker.pledge if rng.random() < 0.5 else "",
        )
        answer = self.say(maker.connection, request)
        assert not any(isinstance(message, Bye) for message in answer)
        (self.number,) = self.lobby.tables
        if person_count > 1:
            self._replace_early_guest(maker)
        for player in players[1:]:
            self._seat(player)
        for onlooker in self.onlookers[:2]:
            self.say(onlooker.connection, Watch(self.number, self.table_now.terms.code))
        turns = 0
        while not self.over:
            turns += 1
            if turns > MAX_TURNS:
                return
            self._advance()
        self._check_final_record()
        if rng.random() < 0.3:
            self._begin_another()

    def _begin_another(self) -> None:
        """Begin another match at the same table; facts that were open are hidden again."""
        for person in self.people:
            person.share, person.has_revealed = self.rng.randbytes(32), False
            self.say(person.connection, Ready(person.pledge))
        for _ in range(30):
            self._advance()
            if self.table_now.recorded.in_progress:
                self._request_record(self.rng.choice(self.people))

    @property
    def over(self) -> bool:
        return self.table_now.match is not None and self.table_now.match.over

    @property
    def table_now(self):
        return self.lobby.tables[self.number]

    def _replace_early_guest(self, maker: Person) -> None:
        """Let a guest take a seat, the table's owner remove them, and a spectator take the seat."""
        if self.rng.random() < 0.5:
            return
        code = self.table_now.terms.code
        early_guest = self.person("otto")
        self.say(early_guest.connection, Sit(self.number, code))
        self.say(self.onlookers[2].connection, Watch(self.number, code))
        if self.table_now.match is None:
            self.say(maker.connection, Remove("otto"))
            self.say(early_guest.connection, Sit(self.number, code))  # refused: otto was removed
            self.say(self.onlookers[2].connection, Sit(self.number, code))

    def _seat(self, person: Person) -> None:
        pledge = person.pledge if self.rng.random() < 0.5 else ""
        self.say(person.connection, Sit(self.number, "wrong"))
        self.say(person.connection, Sit(self.number, self.table_now.terms.code, pledge))

    def _advance(self) -> None:
        """Let a due event happen, or let a person act."""
        table, rng = self.table_now, self.rng
        if rng.random() < self.disturbance_rate:
            self._disturb()
            table = self.table_now
        if table.deserted:
            self._bring_back()
            return
        if table.recorded.is_awaiting_reveals:
            self._reveal()
            return
        if table.paused:
            self._say_as_somebody(Pause(False))
            return
        turn = table.match.turn if table.match else NOBODY
        guests_by_seat = {seat: chair.guest for seat, chair in enumerate(table.seats.chairs) if chair.guest != NOBODY}
        if table.match is None:
            for person in self.people:
                if self.table_now.seats.free():
                    self._seat(person)
        elif turn == NOBODY:
            for guest in guests_by_seat.values():
                self.say(guest, Ready())
            if not guests_by_seat and self.lobby.delay(self.number) is None:
                self._bring_back()
            self._fill_seats()
            self._step()
        elif turn in guests_by_seat:
            self._act(guests_by_seat[turn])
        else:
            self._step()

    def _fill_seats(self) -> None:
        """Give the seats that are free after a match to other players or to bots."""
        for person in self.people:
            if self.over and self.table_now.seats.free(over=True) and person.connection not in self.table_now.guests:
                self._seat(person)
        if self.over and self.table_now.seats.free(over=True) and self.rng.random() < 0.3:
            self._say_as_somebody(FillWithBots())

    def _step(self) -> None:
        if self.lobby.delay(self.number) is not None:
            self.time += 1
            self.deliver(self.lobby.step(self.number))

    def _act(self, connection: int) -> None:
        update = self.update(connection)
        legal = random_choices(update.match.play.legal)
        draws = [action for action in legal if isinstance(action, Draw)]
        self.say(connection, Act(update.number, draws[0] if draws else self.rng.choice(legal)))
        if self.rng.random() < self.disturbance_rate:
            self._take_back(next(person for person in self.people if person.connection == connection))

    def _reveal(self) -> None:
        for person in self.people:
            if self.rng.random() < 0.8 and person.connection in self.table_now.guests:
                person.has_revealed = True
                self.say(person.connection, Reveal(person.share.hex()))
        if self.table_now.recorded.is_awaiting_reveals:
            self.time += 10
            self._step()

    def _bring_back(self) -> None:
        for person in self.people[: self.players]:
            self.say(person.connection, Sit(self.number, self.table_now.terms.code))
        if self.table_now.deserted:
            self.say(self.people[-1].connection, Watch(self.number, self.table_now.terms.code))

    def _say_as_somebody(self, message) -> None:
        seated_guests = [chair.guest for chair in self.table_now.seats.chairs if chair.guest != NOBODY]
        if seated_guests:
            self.say(self.rng.choice(seated_guests), message)
        else:
            self._bring_back()

    # Other actions of people

    def _disturb(self) -> None:
        person = self.rng.choice(self.people)
        sit, watch = Sit(self.number, self.table_now.terms.code), Watch(self.number, self.table_now.terms.code)
        match self.rng.choice(("back", "away", "say", "record", "hand", "remove", "restart")):
            case "back":
                self.enter(person)
                self.say(person.connection, sit)
            case "away":
                self.enter(person)  # back on the host, but not in their seat: a bot plays
                self.say(person.connection, watch)
            case "say":
                messages = (Leave(), sit, watch, Say("is anybody there?"), Pause(True), SetPace("slow"), Skip())
                self.say(person.connection, self.rng.choice(messages))
            case "record":
                self._request_record(person)
            case "hand":
                self._try_other_tiles(person)
            case "remove" if self.rng.random() < 0.2:
                self.say(self.people[0].connection, Remove(person.name))
            case "restart" if self.rng.random() < 0.3:
                self.restart()

    def _take_back(self, person: Person) -> None:
        """Take back the last choice; mostly all others agree, and some spectators try to."""
        seat = self.table_now.seats.at(person.connection)
        self.say(person.connection, TakeBack(seat))
        self.say(self.rng.choice(self.people).connection, TakeBack(self.rng.randrange(-1, self.players)))
        if self.table_now.proposal and self.rng.random() < 0.8:
            for voter in self.people:
                self.say(voter.connection, TakeBack(seat))

    def _request_record(self, person: Person) -> None:
        if self.over:
            return
        answer = self.say(person.connection, Recall())
        assert not any(isinstance(message, Record) for message in answer), "the record of a running match"

    def _try_other_tiles(self, person: Person) -> None:
        """Try to play another player's tile, and a tile that is in no hand: the answers must be the same."""
        table = self.table_now
        if table.match is None or table.match.state is None or table.match.state.result:
            return
        seat = table.seats.at(person.connection)
        tiles = hidden_from(table, seat)
        tried_tiles = (*tiles[:1], *tiles[-1:])
        answers = []
        for tile in tried_tiles:
            for action in (Play(tile, -1, 0, tile.high), Play(tile, 300, 0, 0), Lay(tile)):
                answer = self.say(person.connection, Act(table.number, action))
                answers.append([message for message in answer if isinstance(message, Refused)])
        assert all(answer == answers[0] for answer in answers), answers

    def _check_final_record(self) -> None:
        """Check that everybody present gets the valid record once the match is over."""
        for person in self.people:
            answer = self.say(person.connection, Recall())
            lines = [line for part in answer if isinstance(part, Record) for line in part.lines]
            if person.connection in self.table_now.guests:
                assert lines == self.lines
        if self.rng.random() < 0.25:
            assert list(referee(self.lines))[-1].match.over
