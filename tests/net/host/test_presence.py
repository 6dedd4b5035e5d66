"""The chat limits of one connection, and the count of those present."""

from net.host.presence import Roster
from net.limits import (
    CHAT_AT_ONCE,
    MESSAGES_AT_ONCE,
    MESSAGES_IGNORED,
    PEOPLE_NAMED,
)
from net.wire.messages import (
    Bye,
    Refused,
    Say,
    Watch,
)


def test_a_flood_of_messages_is_refused_once_and_then_cut_off(party):
    party.come(1, "ada")
    party.come(2, "bela")
    party.time = 1000
    flood = []
    for _ in range(MESSAGES_AT_ONCE + MESSAGES_IGNORED + 1):
        flood += party.lobby.receive(1, Watch(7)).messages

    refused = [str(message.reason) for _, message in flood if isinstance(message, Refused)]
    assert len(refused) == MESSAGES_AT_ONCE + 1
    assert "too much at once" in refused[-1]
    assert [message for _, message in flood if isinstance(message, Bye)] == [flood[-1][1]]
    assert party.make_table(2, players=2), "others notice nothing"


def test_a_guest_who_sent_too_much_is_served_again_after_a_pause(party):
    party.come(1, "ada")
    for _ in range(MESSAGES_AT_ONCE + 10):
        party.lobby.receive(1, Watch(7))

    party.time += 10
    assert party.make_table(1, players=2)


def test_chat_that_is_too_fast_is_refused_and_not_sent(party):
    party.come(1, "ada")
    party.come(2, "bela")
    party.make_table(1, 2)
    count_before = len(party.received[2])
    answers = [party.lobby.receive(1, Say("spam")) for _ in range(CHAT_AT_ONCE + 1)]
    for effects in answers:
        party.deliver(effects)

    assert "too fast" in str(answers[-1].messages[-1][1].reason)
    assert len(party.received[2]) - count_before == CHAT_AT_ONCE


def test_a_guest_with_two_connections_or_places_is_counted_once():
    roster, other_roster = Roster.from_names(["ada", "bela", "ada"]), Roster.from_names(["bela", "cid"])

    assert roster == Roster(("ada", "bela"), 2)
    assert roster + other_roster == Roster(("ada", "bela", "cid"), 3)
    assert roster + Roster() == roster


def test_a_large_roster_names_some_guests_and_counts_all():
    roster, other_roster = (
        Roster.from_names(f"{place} {number}" for number in range(40)) for place in ("here", "there")
    )

    assert (roster + other_roster).count == 80
    assert (roster + other_roster).names == roster.names
    assert len(roster.names) == PEOPLE_NAMED
