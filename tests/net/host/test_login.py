"""Login: the greeting, the name, and the return of guests without a key."""

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


def test_a_guest_who_confirmed_a_name_before_the_login_is_not_asked_for_it(party):
    party.arrive(1, "Ada", named=True)
    party.say(1, Hello(PROTOCOL, "test"))
    party.arrive(2, "Bela")
    party.say(2, Hello(PROTOCOL, "test"))

    assert (party.greeting(1).name, party.greeting(1).known) == ("Ada", True)
    assert (party.greeting(2).name, party.greeting(2).known) == ("Bela", False)


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
        assert any(isinstance(message, Entered) for message in party.received[number])

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
def test_an_empty_name_is_refused(party, name):
    party.arrive(1)
    party.say(1, Hello(PROTOCOL, "test"))

    assert "at least one letter" in party.refusal(party.say(1, Enter(name)))


def test_a_name_loses_characters_that_are_no_text(party):
    party.arrive(1)
    party.say(1, Hello(PROTOCOL, "test"))

    assert party.say(1, Enter("\x1b[2J a\u202eda\n"))[0] == Entered("[2J ada")


def test_a_client_of_another_protocol_is_told_the_required_one(party):
    party.arrive(1)

    (bye,) = party.say(1, Hello(99, "test"))

    assert isinstance(bye, Bye)
    assert "uses protocol 5" in str(bye.reason)


@pytest.mark.parametrize("message", [Enter("ada"), Sit(1), Say("x"), Leave()])
def test_a_guest_who_does_not_greet_first_is_disconnected(party, message):
    party.arrive(1)

    assert isinstance(party.say(1, message)[0], Bye)


def enter_without_key(party, number, name, resume=""):
    """Let a guest without a key enter; return the return code that they get."""
    party.received[number], party.bytes[number] = [], []
    party.lobby.front.connect(number, Visitor("pi", resume=resume))
    party.say(number, Hello(PROTOCOL, "test"))
    return next(message for message in party.say(number, Enter(name)) if isinstance(message, Entered)).resume


def test_a_guest_without_a_key_finds_their_seat_again_by_the_code(party):
    code = enter_without_key(party, 1, "ada")
    table = party.make_table(1, bots=1)
    party.go(1)

    assert enter_without_key(party, 2, "ada", code) == code
    assert party.received[2][-1].yours == table
    party.say(2, Sit(table))
    assert party.update(2).seat == 0


def test_a_guest_without_a_key_may_also_give_the_code_in_the_greeting(party):
    code = enter_without_key(party, 1, "ada")
    table = party.make_table(1, bots=1)
    party.go(1)
    party.received[2], party.bytes[2] = [], []
    party.lobby.front.connect(2, Visitor("pi"))
    party.say(2, Hello(PROTOCOL, "test", resume=code.upper()))

    assert party.say(2, Enter("ada"))[-1].yours == table


def test_the_seat_of_a_guest_without_a_key_needs_the_code(party):
    code = enter_without_key(party, 1, "ada")
    table = party.make_table(1, bots=1)
    party.go(1)

    with pytest.raises(StopIteration):  # not even their name, while their seat is reserved
        enter_without_key(party, 2, "ada")
    assert enter_without_key(party, 2, "bela") != code
    assert party.received[2][-1].yours == -1
    party.say(2, Sit(table))
    assert party.update(2).seat == 1, "the bot's, not theirs"


def test_a_keyless_name_is_refused_with_instructions_but_without_the_code(party):
    code = enter_without_key(party, 1, "ada")
    party.received[2], party.bytes[2] = [], []
    party.lobby.front.connect(2, Visitor("pi"))
    party.say(2, Hello(PROTOCOL, "test"))
    refusal = party.refusal(party.say(2, Enter("ada")))

    assert refusal == "The name ada is taken; choose another. If that name is yours, type your code here."
    assert code not in refusal


def connect_without_key(party, number, address="192.0.2.9"):
    """Connect a guest without a key, and greet: the host then waits for a name."""
    party.received[number], party.bytes[number] = [], []
    party.lobby.front.connect(number, Visitor("pi", address=address))
    party.say(number, Hello(PROTOCOL, "test"))


def test_the_code_typed_after_the_refusal_returns_the_name_and_the_seat(party):
    code = enter_without_key(party, 1, "ada")
    table = party.make_table(1, bots=1)
    party.go(1)
    for number in (2, 3):
        connect_without_key(party, number)
        party.say(number, Enter("ada"))

    wrong = party.say(2, Enter("ada", "k" * 12))
    assert party.refusal(wrong) == "That is not the code of ada; check it, or type another name."
    _entered, tables = party.say(3, Enter("ada", code))
    assert tables.yours == table


def test_a_wrong_code_does_not_become_the_return_code_of_a_guest(party):
    enter_without_key(party, 1, "ada")
    connect_without_key(party, 2)
    party.say(2, Enter("ada", "k" * 12))

    entered = party.say(2, Enter("bela"))[0]
    assert isinstance(entered, Entered)
    assert entered.resume != "k" * 12


# Returning from the same address


ADDRESS, OTHER_ADDRESS = "192.0.2.1", "192.0.2.2"
WAIT_SENTENCE = "Without your code, wait half a minute, then press Enter again."


@pytest.fixture
def lost_party():
    """Return a host that lets guests return by their address, where ada was at a table and her terminal has died."""
    party = Party(returning=True)
    connect_without_key(party, 1, ADDRESS)
    party.say(1, Enter("ada"))
    party.make_table(1, bots=1)
    party.go(1)
    return party


def ask_for_name(party, number, seconds=0.0, name="ada"):
    """Ask for a name after `seconds`; return the refusal, or "" if the seat is theirs again."""
    party.time += seconds
    answer = party.say(number, Enter(name))
    if any(isinstance(message, Entered) for message in answer):
        assert answer[-1].yours == party.get_table().id
        return ""
    return party.refusal(answer)


def test_from_the_same_address_a_guest_gets_the_seat_back_after_half_a_minute(lost_party):
    connect_without_key(lost_party, 2, ADDRESS)

    assert ask_for_name(lost_party, 2).endswith(WAIT_SENTENCE)
    assert ask_for_name(lost_party, 2, 20).endswith(WAIT_SENTENCE)
    assert ask_for_name(lost_party, 2, 10) == ""


def test_from_another_address_only_the_code_brings_the_seat_back(lost_party):
    connect_without_key(lost_party, 2, OTHER_ADDRESS)

    assert ask_for_name(lost_party, 2).endswith("type your code here.")
    assert ask_for_name(lost_party, 2, 60).endswith("type your code here.")


def test_two_guests_who_ask_for_one_name_are_both_refused(lost_party):
    connect_without_key(lost_party, 2, ADDRESS)
    connect_without_key(lost_party, 3, ADDRESS)
    ask_for_name(lost_party, 2)

    assert ask_for_name(lost_party, 3).endswith("type your code here.")
    assert ask_for_name(lost_party, 2, 60).endswith("type your code here.")
    assert ask_for_name(lost_party, 3, 60).endswith("type your code here.")


def test_a_guest_who_gives_up_waiting_blocks_no_other(lost_party):
    connect_without_key(lost_party, 2, ADDRESS)
    ask_for_name(lost_party, 2)
    lost_party.go(2)
    connect_without_key(lost_party, 3, ADDRESS)

    assert ask_for_name(lost_party, 3).endswith(WAIT_SENTENCE)
    assert ask_for_name(lost_party, 3, 30) == ""


def test_a_guest_whose_session_continues_keeps_the_name(lost_party):
    connect_without_key(lost_party, 2, ADDRESS)
    ask_for_name(lost_party, 2)
    ask_for_name(lost_party, 2, 30)
    connect_without_key(lost_party, 3, ADDRESS)

    assert ask_for_name(lost_party, 3).endswith("type your code here.")
    assert ask_for_name(lost_party, 3, 60).endswith("type your code here.")


def test_a_host_without_return_by_address_asks_for_the_code_alone(party):
    connect_without_key(party, 1, ADDRESS)
    party.say(1, Enter("ada"))
    party.make_table(1, bots=1)
    party.go(1)
    connect_without_key(party, 2, ADDRESS)

    assert ask_for_name(party, 2).endswith("type your code here.")
    assert ask_for_name(party, 2, 60).endswith("type your code here.")
