"""The tables' half of a lobby by itself: it trusts the front that attaches guests to identify them."""

import pytest

from core.layout.state import NOBODY
from core.words import Illegal
from net.host.front import QuarantinedTables
from net.host.presence import Presence, Visitor
from net.host.table_host import OpenTables, TableCounter, TableHost
from net.players.text import new_code
from net.table.persistence import Dealer
from net.table.table import INSTANT, Guest
from net.wire.maintenance import Maintenance
from net.wire.messages import Bye, Enter, Goodbye, Leave, Left, MakeTable, Remove, Said, Say, Sit, Update


class Hall:
    """A `TableHost` without tables, and the guests connected to it."""

    def __init__(self):
        self.present: dict[int, Presence] = {}
        self.quarantined = QuarantinedTables()
        self.open = OpenTables(Dealer(lambda: b"a seed for tests", "test"), INSTANT, {}, new_code, TableCounter())
        self.host = TableHost(self.open, self.quarantined, self.present, lambda: 0.0, Maintenance(lambda: 0.0))

    def attach(self, number, name):
        visitor = Visitor(name, f"key {name}", address="192.0.2.1")
        self.present[number] = Presence(visitor, guest=Guest(number, name, f"key {name}"))

    def say(self, number, message):
        presence = self.present[number]
        return self.host.receive(presence, presence.guest, message)


@pytest.fixture
def hall():
    hall = Hall()
    hall.attach(1, "ada")
    hall.attach(2, "bela")
    hall.say(1, MakeTable("draw", 2))
    return hall


def test_an_attached_guest_sits_down_and_can_act(hall):
    messages = hall.say(2, Sit(1))

    assert {number for number, message in messages if isinstance(message, Update)} == {1, 2}
    assert hall.present[2].table == 1
    assert [number for number, _ in hall.say(2, Say("hello"))] == [1, 2]


def test_a_guest_who_leaves_gets_one_message_and_no_tables(hall):
    hall.say(2, Sit(1))

    messages = hall.say(2, Leave())

    assert [message for number, message in messages if number == 2] == [Left()]
    assert hall.present[2].table == 0


def test_a_guest_whose_seat_is_taken_over_is_sent_back_with_the_reason(hall):
    hall.say(2, Sit(1))
    hall.attach(3, "bela")
    (left,) = [message for number, message in hall.say(3, Sit(1)) if number == 2]
    assert "another terminal" in str(left.reason)
    assert hall.present[2].table == 0


def test_a_removed_guest_is_sent_back_with_the_reason(hall):
    hall.say(2, Sit(1))
    guest, left = hall.say(1, Remove("bela"))[-1]
    assert guest == 2
    assert "removed" in str(left.reason)
    assert hall.present[2].table == 0


def test_the_guests_of_a_closed_table_are_sent_back_with_the_reason(hall):
    ((guest, left),) = hall.host.close(1)
    assert guest == 1
    assert "closed" in str(left.reason)
    assert {presence.table for presence in hall.present.values()} == {0}


def test_an_attached_guest_is_logged_in_and_cannot_enter_again(hall):
    with pytest.raises(Illegal, match="already logged in"):
        hall.say(1, Enter("bela"))


def test_goodbye_is_answered_and_leaves_the_table(hall):
    assert hall.say(1, Goodbye()) == [(1, Bye())]
    assert hall.open.current[1].deserted


def test_a_quarantined_table_is_refused_with_the_reason(hall):
    hall.quarantined.add(9, ["key ada"])

    with pytest.raises(Illegal, match="could not be resumed"):
        hall.say(1, Sit(9))


def test_a_message_of_the_operator_reaches_tables_only(hall):
    assert [number for number, _ in hall.host.announce(Said("", NOBODY, "Closing soon."))] == [1]
