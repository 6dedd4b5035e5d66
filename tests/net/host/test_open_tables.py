"""The tables of a host: their maximum number, their permitted settings, and private ones."""

import pytest

from net.host import table_host
from net.host.presence import Visitor
from net.limits import (
    TABLES_PER_ADDRESS,
    TABLES_PER_PLAYER,
    WRONG_CODES,
)
from net.wire.messages import (
    PROTOCOL,
    Enter,
    Hello,
    MakeTable,
    Sit,
    Watch,
)
from tests.net.party import Party


@pytest.mark.parametrize(
    ("wish", "words"),
    [
        (MakeTable("blok", 2, {}), "Did you mean block"),
        (MakeTable("draw", 9, {}), "2 to 4 players"),
        (MakeTable("draw", 2, {"{x}": 1}), "no house rule “{x}”"),
        (MakeTable("draw", 2, {"target": 3}), "choose one of"),
        (MakeTable("mexican-train", 2, {"rules": 1}), "no house rule “rules”"),
        (MakeTable("draw", 2, {"partners": "yes"}), "needs four players"),
        (MakeTable("draw", 2, {}, bots=2), "0 to 1 bots"),
        (MakeTable("draw", 2, {}, bots=-1), "0 to 1 bots"),
        (MakeTable("draw", 2, {}, bots=1, level="divine"), "no bot “divine”"),
        (MakeTable("draw", 2, {}, bots=1, level="greedy-1"), "no bot “greedy-1”; choose one of: easy, normal, hard."),
    ],
)
def test_an_impossible_table_is_refused_with_the_possible_values(party, wish, words):
    party.come(1, "ada")

    assert words in party.refusal(party.say(1, wish))
    assert party.lobby.tables == {}


def test_the_number_of_tables_is_limited(party, monkeypatch):
    limit = 5
    monkeypatch.setattr(table_host, "MAX_TABLES", limit)
    for number in range(limit):
        party.come(number)
        party.say(number, MakeTable("draw", 2, {}))

    party.come(limit)
    assert "full" in party.refusal(party.say(limit, MakeTable("draw", 2, {})))
    assert len(party.lobby.tables) == limit


def test_the_tables_of_one_player_are_limited(party):
    party.come(1, "ada")
    party.come(2, "bela")
    for _ in range(TABLES_PER_PLAYER):
        party.say(1, MakeTable("draw", 2, {}))

    assert "tables open" in party.refusal(party.say(1, MakeTable("draw", 2, {})))
    assert party.make_table(2, players=2), "another player may still open one"


def test_the_tables_from_one_address_are_limited_for_all_its_names(party):
    for number in range(TABLES_PER_ADDRESS + 1):
        party.received[number], party.bytes[number] = [], []
        party.lobby.front.connect(number, Visitor(f"guest {number}", address="192.0.2.7"))
        party.say(number, Hello(PROTOCOL, "test"))
        party.say(number, Enter(f"guest {number}"))
        answer = party.say(number, MakeTable("draw", 2, {}))

    assert "from your address" in party.refusal(answer)
    party.come(99, "ada")
    assert party.make_table(99, players=2)


def open_private_table(party):
    """Open a private table; return it and its code."""
    party.come(1, "ada")
    party.come(2, "bela")
    party.say(1, MakeTable("draw", 2, {}, private=True))
    return party.update(1).table.id, party.update(1).code


def test_a_private_table_opens_with_its_code(party):
    table, code = open_private_table(party)
    (listed,) = party.received[2][-1].tables

    assert listed.private
    assert code
    assert "need its code" in party.refusal(party.say(2, Sit(table)))
    assert "the wrong code" in party.refusal(party.say(2, Watch(table, "nonsense")))
    party.say(2, Sit(table, f" {code.upper()[:3]}-{code[3:]}"))
    assert party.update(2).seat == 1


def test_the_code_of_a_private_table_is_not_sent_to_guests_outside_it(party):
    _, code = open_private_table(party)

    assert not any(code.encode() in payload for payload in party.bytes[2])


def test_after_too_many_wrong_codes_even_the_right_one_is_refused(party):
    table, code = open_private_table(party)
    for _ in range(WRONG_CODES):
        party.say(2, Sit(table, "guess"))

    assert "the wrong code" in party.refusal(party.say(2, Sit(table, code)))


def test_a_player_returns_to_their_seat_at_a_private_table_without_its_code(party):
    party.come(3, "chen", "key C")
    party.say(3, MakeTable("draw", 2, {}, bots=1, private=True))
    table = party.update(3).table.id
    party.go(3)
    party.come(4, "chen", "key C")
    party.say(4, Sit(table))

    assert party.update(4).seat == 0


@pytest.mark.parametrize("limits", [{"turn_time": -1}, {"turn_time": 1}, {"match_time": 10**6}])
def test_an_impossible_time_limit_is_refused(party, limits):
    party.come(1, "ada")

    assert "time limit" in party.refusal(party.say(1, MakeTable("draw", 2, {}, **limits)))


def test_house_rules_hold_at_new_tables_unless_their_maker_chooses_otherwise():
    party = Party(house_rules={"draw": {"target": 200, "opener": "lot"}})
    party.come(1, "ada")
    assert party.greeting(1).house_rules == {"draw": {"target": 200, "opener": "lot"}}

    party.make_table(1, bots=1, target=50)
    options = party.update(1).table.options

    assert (options["target"], options["opener"]) == (50, "lot")


def test_a_table_has_hints_if_its_maker_wants_them(party):
    party.come(1, "ada")
    party.come(2, "bela")
    party.say(1, MakeTable("draw", 2, {}, hints=True))
    party.say(2, MakeTable("draw", 2, {}))

    assert party.update(1).table.hints
    assert not party.update(2).table.hints
