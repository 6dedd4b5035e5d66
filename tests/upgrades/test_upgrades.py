"""Data of older revisions is resumed completely, played on, and verifies; `make.py` made it with their code."""

import json
import tarfile
from pathlib import Path

import pytest

from core.records import referee
from net.client.verify_match import ObservedMatch
from net.host.presence import Visitor
from net.storage.solo_matches import resumable_matches
from net.wire.messages import PROTOCOL, Enter, Hello, Ready, Refused, Sit, Update
from tests.net.solo import solo_player
from tests.net.stored_party import StoredParty
from tui.text.at_table import changed_rules
from tui.version import SOFTWARE

HERE = Path(__file__).parent
REVISIONS = ("7b9f087", "4da12b51")
TABLES = 12


@pytest.fixture(params=REVISIONS)
def stored(request, tmp_path):
    """Return the data directory of an old revision."""
    with tarfile.open(HERE / f"{request.param}.tar.xz") as archive:
        archive.extractall(tmp_path, filter="data")
    return tmp_path


class Upgraded(StoredParty):
    """A host of today on an old directory, and the guests who return to it under their old identities."""

    def __init__(self, stored, **options):
        super().__init__(stored / "data", **options)
        self.guests = dict(enumerate(json.loads((stored / "guests.json").read_text()), 1))

    def return_guest(self, number):
        """Let a guest enter under their name and sit down; return the refusals."""
        guest = self.guests[number]
        self.received[number], self.bytes[number] = [], []
        visitor = Visitor(guest["name"], guest["key"], resume=guest["code"], address=f"192.0.2.{number}")
        self.lobby.front.connect(number, visitor)
        messages = (Hello(PROTOCOL, "test"), Enter(guest["name"]), Sit(guest["table"]))
        answers = [answer for message in messages for answer in self.say(number, message)]
        return [str(answer.reason) for answer in answers if isinstance(answer, Refused)]

    def at_table(self, table):
        return [number for number, guest in self.guests.items() if guest["table"] == table]

    def seen_by(self, number):
        """Return a match as observed by the client of a guest."""
        seen = ObservedMatch()
        for message in self.received[number]:
            if isinstance(message, Update):
                seen.handle(message)
        return seen

    def play_until(self, table, until):
        """Let everybody at a table take the first legal action, until a condition holds for the match."""
        guests = self.at_table(table)
        while not until(self.update(guests[0]).match):
            self.run(self.get_table(table))
            turn = self.on_turn(*guests)
            if turn > 0:
                self.play(turn)
            elif not until(self.update(guests[0]).match):
                for guest in guests:
                    self.say(guest, Ready())


def test_every_table_comes_up_and_every_guest_sits_on_their_own_seat_again(stored):
    host = Upgraded(stored)
    assert len(host.lobby.tables) == TABLES
    assert {number: refused for number in host.guests if (refused := host.return_guest(number))} == {}
    for number, guest in host.guests.items():
        update = host.update(number)
        assert update.table.seats[update.seat].name == guest["name"]
        assert update.match.round >= 2


def test_every_match_is_played_to_its_end_and_its_record_verifies(stored):
    host = Upgraded(stored)
    for number in host.guests:
        host.return_guest(number)
    before = {path.name for path in (stored / "data" / "records").iterdir()}
    for table in list(host.lobby.tables):
        host.play_until(table, lambda match: match.over)
    records = [path for path in (stored / "data" / "records").iterdir() if path.name not in before]
    assert len(records) == TABLES
    for path in records:
        steps = list(referee(path.read_text().splitlines()))
        assert steps[-1].match.over
        table = int(path.stem.rpartition("-")[2])
        assert host.seen_by(host.at_table(table)[0]).problem(steps) == ""  # a joined player's program accuses nobody


def test_another_match_at_an_old_table_uses_todays_rules_if_they_allow_its_options(stored):
    host = Upgraded(stored)
    for number in host.guests:
        host.return_guest(number)
    for table in (6, 7):  # rules that have changed
        host.play_until(table, lambda match: match.over)
        host.play_until(table, lambda match: not match.over)
        six_at_double_nine = len(host.get_table(table).seats.chairs) == 6
        update = host.update(host.at_table(table)[0])
        assert ("rules" in update.match.options) == six_at_double_nine
        assert ("version of the rules: 1" in changed_rules(update.table)) == six_at_double_nine
    for path in (stored / "data" / "records").glob("*-[67].jsonl"):
        assert list(referee(path.read_text().splitlines()))[-1].match.over


def test_every_finished_record_verifies(stored):
    records = [*(stored / "records").iterdir(), *(stored / "data" / "records").iterdir()]
    games = set()
    for path in records:
        steps = list(referee(path.read_text().splitlines()))
        assert steps[-1].match.over, path
        games.add(steps[0].match.variant.id)
    assert len(games) >= 13


async def test_every_match_left_alone_goes_on_to_its_end(stored):
    home = stored / "home"
    if not home.exists():
        pytest.skip("7b9f087 kept no matches alone")
    kept = resumable_matches(home)
    assert [(match.problem, match.round) for match in kept] == [("", 2)] * 3
    for match in kept:
        async with solo_player(home, path=match.path) as player:
            await player.play_until(lambda match: match.over)
    records = list((home / "records").iterdir())
    assert len(records) == len(kept)
    for path in records:
        assert list(referee(path.read_text().splitlines()))[-1].match.over


def test_the_version_in_records_differs_from_that_of_an_earlier_revision(stored):
    first = json.loads((stored / "records" / "draw-0.jsonl").read_text().splitlines()[0])
    assert first["software"] != SOFTWARE
