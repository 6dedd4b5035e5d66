"""The lobby: the door, names, tables, and guests who do what they should not."""

import pytest

from net.host.lobby import Visitor
from net.limits import (
    CHAT_AT_ONCE,
    MAX_TABLES,
    MESSAGES_AT_ONCE,
    MESSAGES_IGNORED,
    TABLES_PER_ADDRESS,
    TABLES_PER_PLAYER,
    WRONG_CODES,
)
from net.wire.messages import (
    PROTOCOL,
    Bye,
    Enter,
    Entered,
    Fill,
    Goodbye,
    Hello,
    Leave,
    Left,
    MakeTable,
    Ready,
    Refused,
    Remove,
    Say,
    Sit,
    Tables,
    Watch,
)
from tests.net.party import Party


@pytest.fixture
def party():
    return Party()


def test_a_greeting_offers_the_name_of_the_user_and_entering_shows_the_tables(party):
    party.arrive(1, "ada")

    (greeting,) = party.say(1, Hello(PROTOCOL, "test"))
    entered, tables = party.say(1, Enter("Ada"))

    assert (greeting.name, greeting.known) == ("ada", False)
    assert entered == Entered("Ada")
    assert tables == Tables(())


def test_who_is_gone_is_told_nothing_more(party):
    party.come(1, "Ada")
    party.come(2, "Bela")
    party.table(1, 2)

    assert {guest for guest, _ in party.lobby.disconnect(1)} == {2}
    assert party.lobby.disconnect(1) == []


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
    assert "uses protocol 3" in str(bye.reason)


@pytest.mark.parametrize("message", [Enter("ada"), Sit(1), Say("x"), Leave()])
def test_who_does_not_greet_first_is_let_go(party, message):
    party.arrive(1)

    assert isinstance(party.say(1, message)[0], Bye)


@pytest.mark.parametrize("message", [Fill(), Ready(), Say("x")])
def test_what_needs_a_table_is_refused_without_one(party, message):
    party.come(1, "ada")

    assert "not at a table" in party.refusal(party.say(1, message))


@pytest.mark.parametrize("message", [Sit(7), Watch(7), Sit(-1)])
def test_a_table_that_is_not_there_is_refused(party, message):
    party.come(1, "ada")

    assert "no longer exists" in party.refusal(party.say(1, message))


@pytest.mark.parametrize(
    ("wish", "words"),
    [
        (MakeTable("blok", 2, {}), "Did you mean block"),
        (MakeTable("draw", 9, {}), "2 to 4 players"),
        (MakeTable("draw", 2, {"{x}": 1}), "no house rule “{x}”"),
        (MakeTable("draw", 2, {"target": 3}), "choose one of"),
        (MakeTable("draw", 2, {"partners": "yes"}), "needs four players"),
        (MakeTable("draw", 2, {}, bots=2), "0 to 1 bots"),
        (MakeTable("draw", 2, {}, bots=-1), "0 to 1 bots"),
        (MakeTable("draw", 2, {}, bots=1, level="divine"), "no bot “divine”"),
    ],
)
def test_an_impossible_table_is_refused_with_what_is_possible(party, wish, words):
    party.come(1, "ada")

    assert words in party.refusal(party.say(1, wish))
    assert party.lobby.tables == {}


def test_everybody_in_the_lobby_sees_a_new_table_and_who_sits_there(party):
    party.come(1, "ada")
    party.come(2, "bela")
    party.table(1, players=2)

    (table,) = party.heard[2][-1].tables
    assert table.name == "ada"
    assert [seat.name for seat in table.seats] == ["ada", ""]
    assert table.phase == "waiting"


def test_a_full_table_can_be_watched_but_not_joined(party):
    for number, name in enumerate(("ada", "bela", "chen"), 1):
        party.come(number, name)
    table = party.table(1, 2)

    assert "taken" in party.refusal(party.say(3, Sit(table)))
    assert party.say(3, Watch(table))[-1].seat == -1


def test_a_refused_seat_leaves_a_guest_where_they_were(party):
    for number, name in enumerate(("ada", "bela", "chen"), 1):
        party.come(number, name)
    full = party.table(1, 2)
    own = party.table(3, players=2)
    party.say(3, Sit(full))

    assert party.say(3, Say("still here"))
    assert party.update(3).table.id == own


def test_the_same_key_from_another_terminal_takes_the_seat_over(party):
    party.come(1, "ada", "key A")
    table = party.table(1, bots=1)
    party.come(2, "ada", "key A")
    party.say(2, Sit(table))

    assert party.update(2).seat == 0
    left = next(m for m in party.heard[1] if isinstance(m, Left))
    assert "another terminal" in str(left.reason)
    assert "not at a table" in party.refusal(party.say(1, Say("x")))


def keyless(party, number, name, resume=""):
    """A guest without a key enters; return the code that they are told."""
    party.heard[number], party.bytes[number] = [], []
    party.lobby.connect(number, Visitor("pi", resume=resume))
    party.say(number, Hello(PROTOCOL, "test"))
    return next(m for m in party.say(number, Enter(name)) if isinstance(m, Entered)).resume


def test_a_guest_without_a_key_returns_to_their_seat_by_the_code(party):
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
    party.lobby.connect(2, Visitor("pi"))
    party.say(2, Hello(PROTOCOL, "test", resume=code.upper()))

    assert party.say(2, Enter("ada"))[-1].yours == table


def test_without_the_code_nobody_gets_the_seat_of_a_guest_without_a_key(party):
    code = keyless(party, 1, "ada")
    table = party.table(1, bots=1)
    party.go(1)

    with pytest.raises(StopIteration):  # not even the name, as long as the seat is kept
        keyless(party, 2, "ada")
    assert keyless(party, 2, "bela") != code
    assert party.heard[2][-1].yours == -1
    assert "taken" in party.refusal(party.say(2, Sit(table)))


def test_the_name_of_a_guest_without_a_key_is_refused_with_the_way_back_but_not_the_code(party):
    code = keyless(party, 1, "ada")
    party.heard[2], party.bytes[2] = [], []
    party.lobby.connect(2, Visitor("pi"))
    party.say(2, Hello(PROTOCOL, "test"))
    refusal = party.refusal(party.say(2, Enter("ada")))

    assert refusal.startswith("The name ada is taken; choose another.")
    assert refusal.endswith("ssh -p PORT ada+CODE@HOST")
    assert code not in refusal


def test_leaving_a_table_leads_back_to_the_lobby_with_the_seat_kept(party):
    party.come(1, "ada")
    party.come(2, "bela")
    table = party.table(1, 2)

    tables, left = party.say(1, Leave())[:2]

    assert left == Left()
    assert tables.yours == table


def test_whoever_gives_way_to_their_other_terminal_hears_of_the_tables_before_they_are_in_the_lobby(party):
    party.come(1, "ada", "key")
    table = party.table(1, players=2)
    party.come(2, "ada", "key")

    party.say(2, Sit(table))

    at = next(at for at, message in enumerate(party.heard[1]) if isinstance(message, Left))
    assert str(party.heard[1][at].reason) == "You took your seat from another terminal."
    assert party.heard[1][at - 1].yours == table


def test_the_free_seats_are_filled_with_bots_on_request(party):
    party.come(1, "ada")
    party.table(1, players=4)
    party.say(1, Fill())

    assert party.update(1).match.round == 1


def test_a_spectator_cannot_fill_the_seats(party):
    party.come(1, "ada")
    party.come(2, "bela")
    table = party.table(1, players=4)
    party.say(2, Watch(table))

    assert "Only seated players" in party.refusal(party.say(2, Fill()))


def test_what_is_said_is_cleaned(party):
    party.come(1, "ada")
    party.table(1, players=2)

    (said,) = party.say(1, Say("\x1b]0;owned\x07 a\u202eb\n[@click=app.quit]c[/]" + "x" * 500))

    assert said.text.startswith("]0;owned ab [@click=app.quit]c[/]x")
    assert len(said.text) == 200
    assert party.say(1, Say("\x07 \u200b")) == []


def test_goodbye_is_answered_by_goodbye(party):
    party.come(1, "ada")

    assert isinstance(party.say(1, Goodbye())[0], Bye)


def test_the_number_of_tables_is_limited(party):
    for number in range(MAX_TABLES):
        party.come(number)
        party.say(number, MakeTable("draw", 2, {}))

    party.come(MAX_TABLES)
    assert "full" in party.refusal(party.say(MAX_TABLES, MakeTable("draw", 2, {})))


def test_the_tables_of_one_player_are_limited(party):
    party.come(1, "ada")
    party.come(2, "bela")
    for _ in range(TABLES_PER_PLAYER):
        party.say(1, MakeTable("draw", 2, {}))

    assert "tables open" in party.refusal(party.say(1, MakeTable("draw", 2, {})))
    assert party.table(2, players=2)


def test_the_tables_from_one_address_are_limited_whatever_the_names(party):
    for number in range(TABLES_PER_ADDRESS + 1):
        party.heard[number], party.bytes[number] = [], []
        party.lobby.connect(number, Visitor(f"guest {number}", address="192.0.2.7"))
        party.say(number, Hello(PROTOCOL, "test"))
        party.say(number, Enter(f"guest {number}"))
        answer = party.say(number, MakeTable("draw", 2, {}))

    assert "from your address" in party.refusal(answer)
    party.come(99, "ada")
    assert party.table(99, players=2)


def test_a_flood_of_messages_is_refused_once_and_then_cut_off(party):
    party.come(1, "ada")
    party.come(2, "bela")
    party.time = 1000
    flood = []
    for _ in range(MESSAGES_AT_ONCE + MESSAGES_IGNORED + 1):
        flood += party.lobby.receive(1, Watch(7))

    refused = [str(m.reason) for _, m in flood if isinstance(m, Refused)]
    assert len(refused) == MESSAGES_AT_ONCE + 1
    assert "too much at once" in refused[-1]
    assert [m for _, m in flood if isinstance(m, Bye)] == [flood[-1][1]]
    assert party.table(2, players=2), "others notice nothing"


def test_who_slows_down_is_heard_again(party):
    party.come(1, "ada")
    for _ in range(MESSAGES_AT_ONCE + 10):
        party.lobby.receive(1, Watch(7))

    party.time += 10
    assert party.table(1, players=2)


def test_talking_too_fast_is_refused_and_nobody_hears_it(party):
    party.come(1, "ada")
    party.come(2, "bela")
    party.table(1, 2)
    heard = len(party.heard[2])
    answers = [party.lobby.receive(1, Say("spam")) for _ in range(CHAT_AT_ONCE + 1)]
    for out in answers:
        party.deliver(out)

    assert "too fast" in str(answers[-1][-1][1].reason)
    assert len(party.heard[2]) - heard == CHAT_AT_ONCE


def private(party):
    """A private table, and its code."""
    party.come(1, "ada")
    party.come(2, "bela")
    party.say(1, MakeTable("draw", 2, {}, private=True))
    return party.update(1).table.id, party.update(1).code


def test_a_private_table_opens_to_who_knows_its_code(party):
    table, code = private(party)
    (listed,) = party.heard[2][-1].tables

    assert listed.private
    assert code
    assert "need its code" in party.refusal(party.say(2, Sit(table)))
    assert "the wrong code" in party.refusal(party.say(2, Watch(table, "nonsense")))
    party.say(2, Sit(table, f" {code.upper()[:3]}-{code[3:]}"))
    assert party.update(2).seat == 1


def test_nobody_learns_the_code_of_a_private_table_from_outside(party):
    _, code = private(party)

    assert not any(code.encode() in payload for payload in party.bytes[2])


def test_codes_cannot_be_guessed_on_and_on(party):
    table, code = private(party)
    for _ in range(WRONG_CODES):
        party.say(2, Sit(table, "guess"))

    assert "the wrong code" in party.refusal(party.say(2, Sit(table, code)))


def test_ones_own_seat_at_a_private_table_needs_no_code(party):
    party.come(3, "chen", "key C")
    party.say(3, MakeTable("draw", 2, {}, bots=1, private=True))
    table = party.update(3).table.id
    party.go(3)
    party.come(4, "chen", "key C")
    party.say(4, Sit(table))

    assert party.update(4).seat == 0


def test_who_opened_the_table_can_send_somebody_away_for_good(party):
    for number, name in enumerate(("ada", "bela", "chen"), 1):
        party.come(number, name)
    table = party.table(1, 2)
    party.say(3, Watch(table))

    assert "Only the player who opened" in party.refusal(party.say(2, Remove("ada")))
    assert "yourself" in party.refusal(party.say(1, Remove("ada")))
    assert "Nobody called" in party.refusal(party.say(1, Remove("zoe")))
    party.say(1, Remove("bela"))
    party.say(1, Remove("chen"))

    for number in (2, 3):
        assert "removed" in str(next(m for m in party.heard[number] if isinstance(m, Left)).reason)
        assert "removed" in party.refusal(party.say(number, Watch(table)))
        assert "removed" in party.refusal(party.say(number, Sit(table)))
    seat = party.update(1).table.seats[1]
    assert seat.bot, "a bot plays on"
    assert seat.name != "bela"


@pytest.mark.parametrize("limits", [{"turn_time": -1}, {"turn_time": 1}, {"match_time": 10**9}])
def test_an_impossible_time_limit_is_refused(party, limits):
    party.come(1, "ada")

    assert "time limit" in party.refusal(party.say(1, MakeTable("draw", 2, {}, **limits)))


def test_a_guest_who_is_gone_hears_nothing_more(party):
    party.come(1, "ada")
    party.come(2, "bela")
    party.go(2)
    quiet = len(party.heard[2])
    party.table(1, players=2)
    party.go(2)

    assert len(party.heard[2]) == quiet
    assert party.lobby.receive(2, Sit(1)) == []


def test_house_rules_hold_at_new_tables_unless_their_maker_chooses_otherwise():
    party = Party(house_rules={"draw": {"target": 200, "opener": "lot"}})
    party.come(1, "ada")
    assert party.greeting(1).house_rules == {"draw": {"target": 200, "opener": "lot"}}

    party.table(1, bots=1, target=50)
    options = party.update(1).table.options

    assert (options["target"], options["opener"]) == (50, "lot")


def test_a_seat_is_kept_for_a_key_and_for_a_code(party):
    party.come(1, token="SHA256:ada")
    party.lobby.connect(2, Visitor("bela", address="192.0.2.2"))
    party.heard[2], party.bytes[2] = [], []
    party.say(2, Hello(PROTOCOL, "test"))
    party.say(2, Enter("bela"))
    code = next(message.resume for message in party.heard[2] if isinstance(message, Entered))
    assert not party.lobby.expects(Visitor(key="SHA256:ada"))
    party.table(1, 2)
    party.go(1)
    party.go(2)
    assert party.lobby.expects(Visitor(key="SHA256:ada"))
    assert party.lobby.expects(Visitor(resume=code))
    assert not party.lobby.expects(Visitor("bela"))
    assert not party.lobby.expects(Visitor(resume="k7qx2m9fh3tw"))
