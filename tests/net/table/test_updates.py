"""Guests who repeatedly join and leave, are ready, or pause the table do not flood its players."""

from random import Random

import pytest

from core.games import GAMES
from core.match import append_history
from net.limits import (
    COALESCED_AT_ONCE,
    COALESCED_PER_SECOND,
    JOINS_AT_ONCE,
    JOINS_PER_SECOND,
    TALK_AT_ONCE,
)
from net.wire.messages import Leave, Left, Pause, Ready, Refused, Said, Say, Sit, Update, Watch
from tests.net.party import Party

SECONDS = 10
ACTIONS_PER_SECOND = 20
"""More than a host accepts from any guest."""


@pytest.fixture
def party():
    return Party()


def updates(party, guest):
    return [message for message in party.received[guest] if isinstance(message, Update)]


def pass_time(party, table, seconds, *requests):
    """Advance the time while guests repeat `requests`, (guest, messages), and the table does its scheduled work."""
    steps = seconds * ACTIONS_PER_SECOND
    for _ in range(steps):
        party.time += seconds / steps
        for guest, messages in requests:
            for message in messages:
                party.deliver(party.lobby.receive(guest, message))
        if table.delay == 0:
            party.deliver(party.lobby.step(table.id))


def seat_two_guests(party, *, bots=0):
    for guest in (1, 2):
        party.come(guest)
    party.make_table(1, 2, game="block", bots=bots)
    return party.get_table()


def max_updates(seconds):
    return COALESCED_AT_ONCE + seconds * COALESCED_PER_SECOND + 1


def test_players_get_updates_about_spectators_at_most_twice_a_second(party):
    table = seat_two_guests(party)
    strangers = range(10, 30)
    for stranger in strangers:
        party.come(stranger)
    count_before = len(updates(party, 1))
    pass_time(party, table, SECONDS, *[(stranger, (Watch(table.id), Leave())) for stranger in strangers])
    assert 2 < len(updates(party, 1)) - count_before <= max_updates(SECONDS)


def test_a_delayed_update_is_complete_and_the_newest_wins(party):
    table = seat_two_guests(party)
    party.come(3)
    numbers = [update.number for update in updates(party, 1)]
    pass_time(party, table, SECONDS, (2, (Pause(True), Pause(False), Pause(True))))
    pass_time(party, table, 1)
    assert party.update(1).table.phase == "paused"
    numbers = [update.number for update in updates(party, 1)]
    assert numbers == list(range(numbers[0], numbers[0] + len(numbers))), "no number is left out"


@pytest.mark.parametrize("messages", [(Pause(True), Pause(False)), (Leave(), Sit(1))])
def test_updates_caused_by_players_are_limited_too(party, messages):
    table = seat_two_guests(party)
    count_before = len(updates(party, 1))
    pass_time(party, table, SECONDS, (2, messages))
    assert 2 < len(updates(party, 1)) - count_before <= max_updates(SECONDS)


def test_repeated_ready_messages_cause_no_more_updates(party):
    table = seat_two_guests(party)
    while party.update(1).match.play.legal or party.update(2).match.play.legal:
        party.play(party.on_turn(1, 2))
    count_before = len(updates(party, 1))
    pass_time(party, table, SECONDS, (2, (Ready(),)))
    assert len(updates(party, 1)) - count_before <= max_updates(SECONDS)


def test_a_newcomer_sees_the_table_at_once_though_others_get_the_update_later(party):
    table = seat_two_guests(party)
    newcomers = [party.come(number) for number in range(10, 11 + COALESCED_AT_ONCE)]
    for guest in newcomers:
        party.time -= 1
        messages = party.say(guest, Watch(table.id))
        (update,) = [message for message in messages if isinstance(message, Update)]
        assert update.watching[-1] == f"guest {guest}"
        assert update.fair
    assert f"guest {guest}" not in party.update(1).watching
    party.time += 1
    party.run()
    assert f"guest {guest}" in party.update(1).watching
    assert party.update(guest).number == party.update(1).number


def test_a_move_is_sent_at_once_together_with_arrivals(party):
    table = seat_two_guests(party)
    newcomers = [party.come(number) for number in range(10, 11 + COALESCED_AT_ONCE)]
    for guest in newcomers:
        party.time -= 1
        party.say(guest, Watch(table.id))
    number = party.update(1).number
    mover = party.on_turn(1, 2)
    party.time -= 1
    party.play(mover)
    for player in (1, 2):
        assert party.update(player).events
        assert party.update(player).number == number + 1
        assert f"guest {guest}" in party.update(player).watching
    assert table.delay is None, "and not once more"


def test_a_player_who_pauses_the_table_sees_it_paused_at_once(party):
    seat_two_guests(party)
    for is_paused in (True, False) * COALESCED_AT_ONCE:
        party.time -= 1
        (update,) = [message for message in party.say(2, Pause(is_paused)) if isinstance(message, Update)]
        assert (update.table.phase == "paused") == is_paused


def test_a_guest_who_joins_too_often_is_refused_with_the_reason(party):
    table = seat_two_guests(party)
    party.come(3)
    answers = []
    for _ in range(JOINS_AT_ONCE + 1):
        answers += party.lobby.receive(3, Watch(table.id)).messages + party.lobby.receive(3, Leave()).messages
    refusals = [str(message.reason) for _, message in answers if isinstance(message, Refused)]
    assert refusals[0] == "You are changing tables too fast; wait a moment."
    party.time += 1 / JOINS_PER_SECOND
    assert any(isinstance(message, Update) for message in party.say(3, Watch(table.id)))


def test_a_guest_who_joins_endlessly_is_rarely_answered_and_can_watch_later(party):
    table = seat_two_guests(party)
    party.come(3)
    answers = 0
    for _ in range(600):  # a minute
        party.time += 0.1
        answers += len(party.lobby.receive(3, Watch(table.id)).messages)
        answers += len(party.lobby.receive(3, Leave()).messages)
    assert answers < 300
    party.time += 2
    assert any(isinstance(message, Update) for message in party.say(3, Watch(table.id)))


def test_spectators_cannot_flood_a_table_with_chat(party):
    table = seat_two_guests(party)
    for stranger in range(10, 30):
        party.come(stranger)
        party.say(stranger, Watch(table.id))
    party.time += 60
    count_before = len(party.received[1])
    answers = [party.lobby.receive(stranger, Say("spam")) for stranger in range(10, 30)]
    for effects in answers:
        party.deliver(effects)
    said = [message for message in party.received[1][count_before:] if isinstance(message, Said)]
    assert len(said) == TALK_AT_ONCE
    assert "Spectators are writing" in str(answers[-1].messages[-1][1].reason)
    assert any(isinstance(message, Said) for message in party.say(2, Say("we play on")))


def test_a_ready_is_sent_at_once_while_arrivals_are_coalesced():
    party = Party()
    table = seat_two_guests(party)
    while party.update(1).match.play.legal or party.update(2).match.play.legal:
        party.play(party.on_turn(1, 2))
    newcomers = [party.come(number) for number in range(10, 12 + COALESCED_AT_ONCE)]
    for guest in newcomers:
        party.time -= 1
        party.say(guest, Watch(table.id))
    party.time -= 1
    party.say(2, Ready())
    assert party.update(1).ready == (1,)
    assert f"guest {newcomers[-1]}" in party.update(1).watching


def test_a_guest_who_leaves_the_lobby_repeatedly_gets_no_list_each_time():
    party = Party()
    seat_two_guests(party)
    party.come(3)
    assert party.say(3, Leave()) == [Left()]


@pytest.mark.parametrize("game", ["draw", "all-fives", "mexican-train", "forty-two"])
def test_the_messages_since_the_deal_have_all_facts_that_a_guest_may_know(game):
    party, rng = Party(), Random(game)
    party.come(1)
    number = party.make_table(1, game=game, bots=GAMES[game].seats[1] - 1)
    histories = {}  # number of messages handled and history, by guest
    for step in range(60):
        stranger = 10 + step // 20
        if step % 20 == 0:
            party.come(stranger)
        party.say(stranger, rng.choice((Watch(number), Leave())))
        party.run()
        if party.update(1).match.play.legal:
            party.play(1, rng.choice)
        else:
            party.say(1, Ready())
        for guest in party.get_table().guests:
            count, history = histories.get(guest, (0, ()))
            for message in party.received[guest][count:]:
                if isinstance(message, Update):
                    history = message.match.history or append_history(history, message.events)
            histories[guest] = len(party.received[guest]), history
            assert history == party.get_table().match.view(party.get_table().seats.at(guest)).history
    assert len(histories) == 4


def test_only_newcomers_get_the_history_since_the_deal(party):
    seat_two_guests(party)
    for _ in range(4):
        party.play(party.on_turn(1, 2))
    party.come(3)
    party.say(3, Watch(1))

    assert party.update(1).match.history == ()
    assert len(party.update(3).match.history) > 4
