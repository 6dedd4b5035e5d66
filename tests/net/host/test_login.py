"""Logging in: the greeting, the name, and how guests without a key come back."""

import pytest

from net.host.presence import Visitor
from net.players.accounts import Accounts, NameAssigned
from net.wire.messages import (
    PROTOCOL,
    Bye,
    Enter,
    Entered,
    Hello,
    Leave,
    Say,
    Sit,
)
from tests.net.party import Party


def test_a_name_is_remembered_for_its_key(party):
    party.come(1, "Ada", "key A")
    party.go(1)
    party.arrive(2, "root", "key A")
    party.say(2, Hello(PROTOCOL, "test"))

    assert (party.greeting(2).name, party.greeting(2).known) == ("Ada", True)


def test_a_name_that_belongs_to_another_key_is_refused(party):
    party.come(1, "Ada", "key A")
    party.go(1)
    party.arrive(2, "x", "key B")
    party.say(2, Hello(PROTOCOL, "test"))

    assert "belongs to somebody else" in party.refusal(party.say(2, Enter("ADA")))


def test_names_that_an_older_version_let_in_side_by_side_stay_their_owners():
    known = Accounts([NameAssigned("key A", "dean"), NameAssigned("key B", "clean")])
    party = Party(accounts=known)
    for number, name, key in ((1, "dean", "key A"), (2, "clean", "key B")):
        party.come(number, name, key)
        assert any(isinstance(message, Entered) for message in party.heard[number])

    party.arrive(3, "dean", "key C")
    party.say(3, Hello(PROTOCOL, "test"))
    assert "belongs to somebody else" in party.refusal(party.say(3, Enter("dean")))


def test_a_name_that_an_older_version_left_with_a_blank_at_its_end_is_known():
    party = Party(accounts=Accounts([NameAssigned("key A", "中中中中中中中 ")]))
    party.arrive(1, "root", "key A")
    party.say(1, Hello(PROTOCOL, "test"))

    assert (party.greeting(1).name, party.greeting(1).known) == ("中中中中中中中", True)
    assert isinstance(party.say(1, Enter("中中中中中中中"))[0], Entered)


@pytest.mark.parametrize("name", ["", "   ", "\u202e", "\x1b[[", "!!!", "\u200b\u200b", "\n\r\t"])
def test_a_name_of_nothing_is_refused(party, name):
    party.arrive(1)
    party.say(1, Hello(PROTOCOL, "test"))

    assert "at least one letter" in party.refusal(party.say(1, Enter(name)))


def test_a_name_loses_what_is_not_text(party):
    party.arrive(1)
    party.say(1, Hello(PROTOCOL, "test"))

    assert party.say(1, Enter("\x1b[2J a\u202eda\n"))[0] == Entered("[2J ada")


def test_another_protocol_is_told_which_one_is_needed(party):
    party.arrive(1)

    (bye,) = party.say(1, Hello(99, "test"))

    assert isinstance(bye, Bye)
    assert "uses protocol 5" in str(bye.reason)


@pytest.mark.parametrize("message", [Enter("ada"), Sit(1), Say("x"), Leave()])
def test_who_does_not_greet_first_is_let_go(party, message):
    party.arrive(1)

    assert isinstance(party.say(1, message)[0], Bye)


def keyless(party, number, name, resume=""):
    """A guest without a key comes in; return the code that they are told."""
    party.heard[number], party.bytes[number] = [], []
    party.lobby.front.connect(number, Visitor("pi", resume=resume))
    party.say(number, Hello(PROTOCOL, "test"))
    return next(m for m in party.say(number, Enter(name)) if isinstance(m, Entered)).resume


def test_a_guest_without_a_key_finds_their_seat_again_by_the_code(party):
    code = keyless(party, 1, "ada")
    table = party.table(1, bots=1)
    party.go(1)

    assert keyless(party, 2, "ada", code) == code
    assert party.heard[2][-1].yours == table
    party.say(2, Sit(table))
    assert party.update(2).seat == 0


def test_a_guest_without_a_key_may_also_give_the_code_in_the_greeting(party):
    code = keyless(party, 1, "ada")
    table = party.table(1, bots=1)
    party.go(1)
    party.heard[2], party.bytes[2] = [], []
    party.lobby.front.connect(2, Visitor("pi"))
    party.say(2, Hello(PROTOCOL, "test", resume=code.upper()))

    assert party.say(2, Enter("ada"))[-1].yours == table


def test_without_the_code_nobody_gets_the_seat_of_a_guest_without_a_key(party):
    code = keyless(party, 1, "ada")
    table = party.table(1, bots=1)
    party.go(1)

    with pytest.raises(StopIteration):  # not even their name, while their seat is kept
        keyless(party, 2, "ada")
    assert keyless(party, 2, "bela") != code
    assert party.heard[2][-1].yours == -1
    party.say(2, Sit(table))
    assert party.update(2).seat == 1, "the bot's, not theirs"


def test_the_name_of_a_guest_without_a_key_is_refused_with_the_way_back_but_not_the_code(party):
    code = keyless(party, 1, "ada")
    party.heard[2], party.bytes[2] = [], []
    party.lobby.front.connect(2, Visitor("pi"))
    party.say(2, Hello(PROTOCOL, "test"))
    refusal = party.refusal(party.say(2, Enter("ada")))

    assert refusal.startswith("The name ada is taken; choose another.")
    assert refusal.endswith("ssh -p PORT ada+CODE@HOST")
    assert code not in refusal

    party.heard[3], party.bytes[3] = [], []
    party.lobby.front.connect(3, Visitor("pi", port=2022))
    party.say(3, Hello(PROTOCOL, "test"))
    assert party.refusal(party.say(3, Enter("ada"))).endswith("your code: ssh -p 2022 ada+CODE@HOST")
