"""The front half of a lobby by itself: it keeps to who is here, and leaves tables to others."""

import pytest

from core.actions import Draw
from net.host.front import Front
from net.host.login import Login
from net.host.lost_tables import LostTables
from net.host.open_tables import OpenTables
from net.host.presence import Visitor
from net.players.accounts import Accounts
from net.players.codes import new_code
from net.table.recorded_match import Dealer
from net.table.table import AT_ONCE
from net.wire.messages import PROTOCOL, Act, Bye, Enter, Entered, Hello, Leave, Left, MakeTable, Say, Sit, Watch


@pytest.fixture
def front():
    tables = OpenTables(Dealer(lambda: b"a seed for tests", "test"), AT_ONCE, {}, new_code, 0)
    return Front(Login(Accounts(), new_code, "test", {}), tables, LostTables(), lambda: 0.0)


def come(front, number, name):
    front.connect(number, Visitor(name, f"key {name}", address="192.0.2.1"))
    presence = front.present[number]
    front.receive(number, presence, Hello(PROTOCOL, "test"))
    front.receive(number, presence, Enter(name))
    return presence


def test_who_has_a_name_is_shown_the_tables(front):
    presence = come(front, 1, "ada")

    assert presence.guest.name == "ada"
    assert [number for number, _ in front.news()] == [1]


@pytest.mark.parametrize("message", [MakeTable("draw", 2), Sit(1), Watch(1), Say("x"), Act(1, Draw())])
def test_what_is_about_tables_is_left_to_them(front, message):
    presence = come(front, 1, "ada")

    assert front.receive(1, presence, message) is None


def test_who_is_at_a_table_hears_no_news_and_leaves_through_it(front):
    presence = come(front, 1, "ada")
    assert front.receive(1, presence, Leave()) == [(1, Left())]

    presence.table = 7

    assert front.receive(1, presence, Leave()) is None
    assert front.news() == []


def test_who_does_not_greet_is_sent_away(front):
    front.connect(1, Visitor(address="192.0.2.1"))

    ((_, bye),) = front.receive(1, front.present[1], Sit(1))

    assert isinstance(bye, Bye)


def test_who_is_sent_back_sees_the_tables_first_and_others_see_nothing(front):
    come(front, 1, "ada")
    entered = Entered("x")

    (shown, left, other) = front.with_lists([(1, Left()), (2, entered)])

    assert (left, other) == ((1, Left()), (2, entered))
    assert (shown[0], shown[1].tables) == (1, ())
