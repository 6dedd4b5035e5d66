"""The lobby: login, names, tables, and guests who do forbidden things."""

import pytest

from net.host.presence import Visitor
from net.players.text import token_of
from net.table.table import Pace
from net.wire.messages import (
    PROTOCOL,
    Bye,
    Enter,
    Entered,
    FillWithBots,
    Goodbye,
    Hello,
    Leave,
    Left,
    Pause,
    Ready,
    Remove,
    Say,
    Sit,
    Tables,
    Watch,
)
from tests.net.party import Party


def test_a_greeting_offers_the_name_of_the_user_and_entering_shows_the_tables(party):
    party.arrive(1, "ada")

    (greeting,) = party.say(1, Hello(PROTOCOL, "test"))
    entered, tables = party.say(1, Enter("Ada"))

    assert (greeting.name, greeting.known) == ("ada", False)
    assert entered == Entered("Ada")
    assert tables == Tables(())


def test_a_disconnected_guest_is_sent_no_change_of_their_table(party):
    party.come(1, "Ada")
    party.come(2, "Bela")
    party.make_table(1, 2)

    assert {guest for guest, _ in party.lobby.disconnect(1).messages} == {2}
    assert party.lobby.disconnect(1).messages == []


@pytest.mark.parametrize("message", [FillWithBots(), Ready(), Pause(on=True)])
def test_a_request_about_a_table_is_refused_without_one(party, message):
    party.come(1, "ada")

    assert "not at a table" in party.refusal(party.say(1, message))


@pytest.mark.parametrize("message", [Sit(7), Watch(7), Sit(-1)])
def test_a_table_that_is_not_there_is_refused(party, message):
    party.come(1, "ada")

    assert "no longer exists" in party.refusal(party.say(1, message))


def test_all_guests_in_the_lobby_see_a_new_table_and_its_players(party):
    party.come(1, "ada")
    party.come(2, "bela")
    party.make_table(1, players=2)

    (table,) = party.received[2][-1].tables
    assert table.name == "ada"
    assert [seat.name for seat in table.seats] == ["ada", ""]
    assert table.phase == "waiting"


def test_a_full_table_can_be_watched_but_not_joined(party):
    for number, name in enumerate(("ada", "bela", "chen"), 1):
        party.come(number, name)
    table = party.make_table(1, 2)

    assert "taken" in party.refusal(party.say(3, Sit(table)))
    assert party.say(3, Watch(table))[-1].seat == -1


def test_a_refused_seat_leaves_a_guest_where_they_were(party):
    for number, name in enumerate(("ada", "bela", "chen"), 1):
        party.come(number, name)
    full_table = party.make_table(1, 2)
    own_table = party.make_table(3, players=2)
    party.say(3, Sit(full_table))

    assert party.say(3, Say("still here"))
    assert party.update(3).table.id == own_table


def test_the_same_key_from_another_terminal_takes_the_seat_over(party):
    party.come(1, "ada", "key A")
    table = party.make_table(1, bots=1)
    party.come(2, "ada", "key A")
    party.say(2, Sit(table))

    assert party.update(2).seat == 0
    left = next(message for message in party.received[1] if isinstance(message, Left))
    assert "another terminal" in str(left.reason)
    assert "not at a table" in party.refusal(party.say(1, FillWithBots()))


def test_leaving_a_table_leads_back_to_the_lobby_with_the_seat_kept(party):
    party.come(1, "ada")
    party.come(2, "bela")
    table = party.make_table(1, 2)

    tables, left = party.say(1, Leave())[:2]

    assert left == Left()
    assert tables.yours == table


def test_a_guest_evicted_by_another_terminal_gets_the_tables_before_the_lobby(party):
    party.come(1, "ada", "key")
    table = party.make_table(1, players=2)
    party.come(2, "ada", "key")

    party.say(2, Sit(table))

    index = next(index for index, message in enumerate(party.received[1]) if isinstance(message, Left))
    assert str(party.received[1][index].reason) == "You took your seat from another terminal."
    assert party.received[1][index - 1].yours == table


def test_the_free_seats_are_filled_with_bots_on_request(party):
    party.come(1, "ada")
    party.make_table(1, players=4)
    party.say(1, FillWithBots())

    assert party.update(1).match.round == 1


def test_a_spectator_cannot_fill_the_seats(party):
    party.come(1, "ada")
    party.come(2, "bela")
    table = party.make_table(1, players=4)
    party.say(2, Watch(table))

    assert "Only seated players" in party.refusal(party.say(2, FillWithBots()))


def test_chat_is_cleaned(party):
    party.come(1, "ada")
    party.make_table(1, players=2)

    (said,) = party.say(1, Say("\x1b]0;owned\x07 a\u202eb\n[@click=app.quit]c[/]" + "x" * 500))

    assert said.text.startswith("]0;owned ab [@click=app.quit]c[/]x")
    assert len(said.text) == 200
    assert party.say(1, Say("\x07 \u200b")) == []


def test_goodbye_is_answered_by_goodbye(party):
    party.come(1, "ada")

    assert isinstance(party.say(1, Goodbye())[0], Bye)


def test_the_opener_of_a_table_can_remove_a_player_for_good(party):
    for number, name in enumerate(("ada", "bela", "chen"), 1):
        party.come(number, name)
    table = party.make_table(1, 2)
    party.say(3, Watch(table))

    assert "Only the player who opened" in party.refusal(party.say(2, Remove("ada")))
    assert "yourself" in party.refusal(party.say(1, Remove("ada")))
    assert "Nobody called" in party.refusal(party.say(1, Remove("zoe")))
    party.say(1, Remove("bela"))
    party.say(1, Remove("chen"))

    for number in (2, 3):
        assert "removed" in str(
            next(message for message in party.received[number] if isinstance(message, Left)).reason
        )
        assert "removed" in party.refusal(party.say(number, Watch(table)))
        assert "removed" in party.refusal(party.say(number, Sit(table)))
    seat = party.update(1).table.seats[1]
    assert seat.bot, "a bot plays on"
    assert seat.name != "bela"


def test_once_the_opener_has_left_the_first_player_can_remove_others(party):
    for number, name in enumerate(("ada", "bela", "chen", "dora"), 1):
        party.come(number, name)
    table = party.make_table(1, 2, 3)
    party.say(4, Watch(table))
    party.say(1, Leave())

    assert "Only the player who opened" in party.refusal(party.say(3, Remove("dora")))
    party.say(2, Remove("dora"))
    assert "removed" in str(next(message for message in party.received[4] if isinstance(message, Left)).reason)

    party.say(1, Sit(table))
    assert "Only the player who opened" in party.refusal(party.say(2, Remove("chen"))), "the opener is back"


def test_an_awaited_opener_remains_the_only_player_who_can_remove_others():
    party = Party(pace=Pace(grace=30))
    for number, name in enumerate(("ada", "bela"), 1):
        party.come(number, name)
    party.make_table(1, 2)
    party.go(1)
    assert "Only the player who opened" in party.refusal(party.say(2, Remove("ada")))


def test_a_disconnected_guest_is_sent_no_change_of_the_lobby(party):
    party.come(1, "ada")
    party.come(2, "bela")
    party.go(2)
    count_before = len(party.received[2])
    party.make_table(1, players=2)
    party.go(2)

    assert len(party.received[2]) == count_before
    assert party.lobby.receive(2, Sit(1)).messages == []


def test_a_seat_is_kept_for_a_key_and_for_a_code(party):
    party.come(1, token="SHA256:ada")
    party.lobby.front.connect(2, Visitor("bela", address="192.0.2.2"))
    party.received[2], party.bytes[2] = [], []
    party.say(2, Hello(PROTOCOL, "test"))
    party.say(2, Enter("bela"))
    code = next(message.resume for message in party.received[2] if isinstance(message, Entered))
    assert not party.lobby.front.has_reserved_seat("SHA256:ada")
    party.make_table(1, 2)
    party.go(1)
    party.go(2)
    assert party.lobby.front.has_reserved_seat("SHA256:ada")
    assert party.lobby.front.has_reserved_seat(token_of(code))
    assert not party.lobby.front.has_reserved_seat("")
    assert not party.lobby.front.has_reserved_seat(token_of("k7qx2m9fh3tw"))
