"""The front half of a lobby by itself: it handles the guests, and leaves tables to others."""

import pytest
from msgspec.structs import replace

from core.actions import Draw
from core.layout.state import NOBODY
from core.words import Illegal
from net.host.front import Front, Listing, QuarantinedTables
from net.host.presence import Greeter, Visitor
from net.limits import CHAT_AT_ONCE, CHAT_LENGTH, PEOPLE_NAMED, SEARCH_LENGTH, TALK_AT_ONCE
from net.players.accounts import Accounts
from net.players.text import new_code
from net.wire.messages import (
    PROTOCOL,
    Act,
    Browse,
    Bye,
    Enter,
    Entered,
    Hello,
    Leave,
    Left,
    MakeTable,
    Said,
    Say,
    SeatInfo,
    Sit,
    TableInfo,
    Watch,
)

TABLE = TableInfo(7, "ada", "draw", {}, (SeatInfo("ada"), SeatInfo()), 0, "waiting")


@pytest.fixture
def front():
    listing = Listing()
    front = Front(Greeter(Accounts(), new_code, "test", {}), lambda: listing, QuarantinedTables(), lambda: 0.0)
    front.tables = listing
    return front


def enter(front, number, name):
    front.connect(number, Visitor(name, f"key {name}", address="192.0.2.1"))
    presence = front.present[number]
    front.receive(number, presence, Hello(PROTOCOL, "test"))
    front.receive(number, presence, Enter(name))
    return presence


def page_updates(front):
    """Return the numbers of the tables on each page that an update of the lobby sends, by guest."""
    return {number: [info.id for info in page.tables] for pages in front.page_updates() for number, page in pages}


def test_a_guest_who_has_a_seat_is_sent_the_roster_once_when_another_comes(front):
    front.tables.put(TABLE, ("key ada", ""))
    presence = enter(front, 1, "ada")
    assert (presence.guest.name, presence.last_page.yours) == ("ada", 7)

    enter(front, 2, "bela")

    assert page_updates(front) == {1: [7]}, "ada is sent a page with bela's name"
    assert presence.last_page.names == ("ada", "bela")
    assert page_updates(front) == {}


def test_a_guest_gets_a_page_only_when_a_table_of_their_search_changes(front):
    front.tables.put(TABLE, ("", ""))
    enter(front, 1, "ada")
    enter(front, 2, "bela")
    page_updates(front)

    front.receive(2, front.present[2], Browse(words="mexican"))
    front.tables.put(replace(TABLE, id=8), ("", ""))
    assert page_updates(front) == {1: [7, 8]}
    front.tables.put(replace(TABLE, id=9, game="mexican-train"), ("", ""))
    assert page_updates(front) == {1: [7, 8, 9], 2: [9]}
    front.tables.drop(7)
    assert page_updates(front) == {1: [8, 9]}
    assert page_updates(front) == {}


def test_a_guest_alone_gets_no_roster(front):
    ada = enter(front, 1, "ada")

    assert (ada.last_page.names, ada.last_page.people) == ((), 0)


def test_a_large_roster_is_abridged_and_disappears_with_the_last_other_guest(front):
    ada = enter(front, 1, "ada")
    for number in range(2, PEOPLE_NAMED + 2):
        enter(front, number, f"guest {number}")
    assert set(page_updates(front)) == set(range(1, PEOPLE_NAMED)), "the last have seen all that are named"
    assert (ada.last_page.names[0], len(ada.last_page.names), ada.last_page.people) == (
        "ada",
        PEOPLE_NAMED,
        PEOPLE_NAMED + 1,
    )

    for number in range(2, PEOPLE_NAMED + 2):
        front.disconnect(number)
    assert 1 in page_updates(front)
    assert ada.last_page.names == ()


def test_chat_in_the_lobby_is_received_there_and_at_no_table(front):
    ada, _bela, cid = (enter(front, number, name) for number, name in enumerate(("ada", "bela", "cid"), 1))
    cid.table = 7

    message = Said("ada", NOBODY, "hello")
    assert front.receive(1, ada, Say(" hello\x07 ")) == [(1, message), (2, message)]
    assert front.receive(1, ada, Say("   ")) == []
    assert front.receive(3, cid, Say("hello")) is None


def test_lobby_chat_is_limited_per_guest_and_in_total(front):
    guests = [enter(front, number, f"guest {number}") for number in range(1, 5)]
    for _ in range(CHAT_AT_ONCE):
        front.receive(1, guests[0], Say("me"))
    with pytest.raises(Illegal, match="You are writing too fast"):
        front.receive(1, guests[0], Say("me"))
    for _ in range(TALK_AT_ONCE - CHAT_AT_ONCE):
        front.receive(2, guests[1], Say("me too"))
    with pytest.raises(Illegal, match="Too many are writing here"):
        front.receive(3, guests[2], Say("hello?"))


def test_chat_of_a_remote_lobby_is_cleaned_and_dropped_where_nothing_remains(front):
    enter(front, 1, "ada")
    assert front.clean_remote_chat(Said("be*la\x1b", 3, " hi\x07\n")) == Said("bela", NOBODY, "hi")
    assert front.to_lobby(Said("bela", NOBODY, "hi")) == [(1, Said("bela", NOBODY, "hi"))]
    assert front.clean_remote_chat(Said("\x1b", NOBODY, "hi")) is None
    assert front.clean_remote_chat(Said("bela", NOBODY, "\x07")) is None


def test_chat_of_a_remote_lobby_is_cut_and_counts_towards_the_local_limit(front):
    ada = enter(front, 1, "ada")
    messages = [
        front.clean_remote_chat(Said("bela", NOBODY, "x" * (CHAT_LENGTH + 1))) for _ in range(TALK_AT_ONCE + 1)
    ]
    assert [len(message.text) for message in messages[:-1]] == [CHAT_LENGTH] * TALK_AT_ONCE
    assert messages[-1] is None
    with pytest.raises(Illegal, match="Too many are writing here"):
        front.receive(1, ada, Say("hello?"))


def test_guests_of_gateways_are_present_but_get_no_lists(front):
    ada = enter(front, 1, "ada")
    front.attach(2, Visitor("bela"), "bela", "key bela")
    front.attach(3, Visitor("cid"), "", "")
    assert page_updates(front) == {1: []}
    assert (ada.last_page.names, ada.last_page.people) == (("ada", "bela"), 2)

    front.disconnect(2)
    assert page_updates(front) == {1: []}
    assert ada.last_page.names == ()


def test_a_search_for_tables_is_answered_with_them(front):
    front.tables.put(TABLE, ("key ada", ""))
    presence = enter(front, 2, "bela")

    ((_, page),) = front.receive(2, presence, Browse(words="  ADA\x07 "))
    ((_, nothing),) = front.receive(2, presence, Browse(words="nobody" * 20_000))

    assert ([info.id for info in page.tables], page.total, page.open) == ([7], 1, 1)
    assert (nothing.tables, nothing.total, nothing.open) == ((), 0, 1)
    assert len(presence.browsing.words) == SEARCH_LENGTH


def test_a_search_made_at_a_table_is_answered_after_the_return(front):
    front.tables.put(TABLE, ("key ada", ""))
    presence = enter(front, 2, "bela")
    presence.table = 7

    assert front.receive(2, presence, Browse(words="nobody")) == []
    presence.table = 0
    assert front.with_pages([(2, Left())])[0][1].tables == ()


def test_a_name_is_free_again_once_its_guest_without_an_account_is_gone(front):
    def enter_without_key(number, code):
        front.connect(number, Visitor("ada", resume=code, address="192.0.2.1"))
        front.receive(number, front.present[number], Hello(PROTOCOL, "test"))
        return front.receive(number, front.present[number], Enter("ada"))

    enter_without_key(1, "one")
    with pytest.raises(Illegal, match="is taken"):
        enter_without_key(2, "other")
    front.disconnect(1)
    assert front.disconnect(1) is None

    assert isinstance(enter_without_key(3, "other")[0][1], Entered)


@pytest.mark.parametrize("message", [MakeTable("draw", 2), Sit(1), Watch(1), Act(1, Draw())])
def test_requests_about_tables_are_left_to_the_table_host(front, message):
    presence = enter(front, 1, "ada")

    assert front.receive(1, presence, message) is None


def test_a_guest_at_a_table_gets_no_updates_and_leaves_through_it(front):
    presence = enter(front, 1, "ada")
    assert front.receive(1, presence, Leave()) == [(1, Left())]

    presence.table = 7

    assert front.receive(1, presence, Leave()) is None
    assert page_updates(front) == {}


def test_a_guest_who_does_not_greet_is_disconnected(front):
    front.connect(1, Visitor(address="192.0.2.1"))

    ((_, bye),) = front.receive(1, front.present[1], Sit(1))

    assert isinstance(bye, Bye)


def test_a_guest_who_is_sent_back_gets_the_tables_first_and_others_nothing(front):
    enter(front, 1, "ada")
    entered = Entered("x")

    (tables, left, other) = front.with_pages([(1, Left()), (2, entered)])

    assert (left, other) == ((1, Left()), (2, entered))
    assert (tables[0], tables[1].tables) == (1, ())


def test_a_guest_of_a_gateway_gets_a_name_later_and_reserves_its_lookalikes(front):
    front.attach(1, Visitor("ada", "key ada", address="192.0.2.1"), "", "")
    assert front.present[1].guest is None
    assert front.admit(1, "ada", "key ada") == []
    assert front.present[1].guest.name == "ada"
    front.attach(2, Visitor("eve", "key eve", address="192.0.2.2"), "", "")
    with pytest.raises(Illegal, match="belongs to somebody else"):
        front.admit(2, "Adа", "key eve")  # with a Cyrillic letter
    assert front.present[2].guest is None
    assert not any(pages for pages in front.page_updates())
