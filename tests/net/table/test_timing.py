"""Time at the table: limits for turns and matches, the grace of a lost player, and the paused table."""

import pytest

from core.bots.profiles import pace_of
from core.layout.state import NOBODY
from net.table.table import Pace
from net.wire.messages import Act, Leave, MakeTable, Pause, SetPace, Sit, Skip, Watch
from tests.net.party import Party

PACE = Pace(think=1, draw=1, result=4, shuffle=5, grace=30)


def seat_two_players(turn_time=0, match_time=0):
    """Seat two players in a match whose clock the test controls."""
    party = Party(PACE)
    party.come(1, "ada")
    party.come(2, "bela")
    party.say(1, MakeTable("draw", 2, {}, turn_time=turn_time, match_time=match_time))
    party.say(2, Sit(party.update(1).table.id))
    return party, party.get_table(party.update(1).table.id)


def step(party, table):
    """Advance the time until something is due, and do it."""
    party.time += table.delay
    party.deliver(party.lobby.step(table.id))


def test_a_table_without_a_time_limit_waits_forever_for_its_player():
    _, table = seat_two_players()

    assert table.delay is None


def test_a_bot_plays_the_turn_of_a_player_out_of_time():
    party, table = seat_two_players(turn_time=20)
    late_seat = table.match.turn
    party.time += 5
    assert table.delay == pytest.approx(15)
    step(party, table)

    assert party.update(1).timed_out == late_seat
    while table.match.turn == late_seat:
        assert table.delay == 0, "the rest of the turn, too"
        step(party, table)
    assert table.delay == pytest.approx(20), "the next player has the whole time"


def test_the_time_of_a_turn_goes_on_when_a_spectator_arrives():
    party, table = seat_two_players(turn_time=20)
    party.come(3, "chen")
    seconds_left = table.delay
    party.time += 5
    party.say(3, Watch(table.id))

    assert table.delay == pytest.approx(seconds_left - 6), "a second went by for the message"


def test_the_time_for_a_match_is_used_up_turn_by_turn():
    party, table = seat_two_players(match_time=60)
    first_seat = table.match.turn
    party.time += 20
    party.play(first_seat + 1)
    while table.match.turn != first_seat:
        party.play(table.match.turn + 1)

    assert party.update(1).times.match[first_seat] < 40
    assert table.delay < 40


def test_an_update_has_the_times_of_the_clock():
    party, _ = seat_two_players(turn_time=20, match_time=60)

    times = party.update(2).times
    assert times.running
    assert (times.turn, times.match) == (20, (60, 60))


def test_without_limits_no_clock_is_sent():
    party, _ = seat_two_players()

    assert party.update(1).times is None


def test_a_paused_table_stops_its_clock_and_refuses_actions():
    party, table = seat_two_players(turn_time=20)
    party.say(1, Pause(True))
    times = party.update(1).times
    party.time += 1000

    assert table.delay is None
    assert not times.running
    turn = party.on_turn(1, 2)
    assert "paused" in party.refusal(
        party.say(turn, Act(party.update(turn).number, party.update(turn).match.play.legal[0]))
    )
    party.say(2, Pause(False))
    assert party.update(1).times.turn == times.turn
    assert party.update(1).table.phase == "playing"


def test_spectators_cannot_pause_the_table():
    party, table = seat_two_players()
    party.come(3, "chen")
    party.say(3, Watch(table.id))

    assert "Only seated players" in party.refusal(party.say(3, Pause(True)))


def test_a_deserted_table_stops_its_clock_until_a_player_returns():
    party, table = seat_two_players(turn_time=20)
    party.go(1)
    party.go(2)
    party.time += 1000

    assert table.delay is None
    party.come(3, "ada", "token 1")
    party.say(3, Sit(table.id))
    assert party.update(3).times.turn > 0


def test_an_update_has_the_seconds_until_a_bot_plays_for_an_awaited_player():
    party, _ = seat_two_players()
    party.come(3, "chen")
    assert party.update(1).grace == ()
    party.go(2)
    assert party.update(1).grace == (0, 30)
    party.time += 12
    assert party.say(1, SetPace("slow"))[-1].grace[1] < 18
    party.time += 18
    assert party.say(1, SetPace("normal"))[-1].grace == ()
    party.come(2, "bela")
    party.say(2, Sit(party.get_table().id))
    party.say(2, Leave())
    assert party.update(1).grace == (), "a bot plays at once for a player who leaves"


def test_a_seat_waits_for_a_player_whose_connection_broke():
    party, table = seat_two_players()
    turn = table.match.turn
    party.go(turn + 1)

    assert table.delay == pytest.approx(30)
    seat = party.update(2 - turn).table.seats[turn]
    assert (seat.away, seat.awaited) == (True, True)
    step(party, table)
    assert party.update(2 - turn).timed_out == NOBODY


def test_a_bot_plays_after_its_usual_second_for_a_player_who_left():
    party, table = seat_two_players()
    turn = table.match.turn
    party.say(turn + 1, Leave())

    assert table.delay == pytest.approx(1)


def test_the_wait_for_a_lost_player_is_no_longer_than_their_time():
    party, table = seat_two_players(turn_time=10)
    party.go(table.match.turn + 1)

    assert table.delay == pytest.approx(10)


def test_arrivals_and_departures_do_not_delay_the_bots():
    party = Party(PACE)
    party.come(1, "ada")
    party.come(2, "bela")
    table = party.get_table(party.make_table(1, bots=3))
    while table.match.turn == 0:
        party.play(1)
    party.time += 0.6
    party.lobby.receive(2, Watch(table.id))
    party.lobby.receive(2, Leave())

    assert table.delay == pytest.approx(0.4)


def test_the_grace_of_a_lost_player_stops_while_the_table_is_deserted():
    party, table = seat_two_players()
    turn = table.match.turn
    party.go(1)
    party.go(2)
    party.time += 1000
    back = 2 - turn
    party.come(9, "back", f"token {back}")
    party.say(9, Sit(table.id))

    assert table.delay == pytest.approx(30)


def test_the_delay_of_a_bot_is_scaled_by_its_own_pace():
    party = Party(Pace(think=1.5, draw=0.5, result=3))
    party.come(1, "ada")
    party.make_table(1, bots=1)
    table = party.get_table()
    while party.on_turn(1) == 1:
        party.play(1)

    pace = pace_of(table.seats.chairs[1].name)
    assert pace != 1
    assert table.delay in (1.5 * pace, 0.5 * pace, None)
    assert table.delay is not None or party.update(1).match.play.result


def seat_player_with_bots():
    """Seat a player against two bots, one of whom is on turn."""
    party = Party(PACE)
    party.come(1, "ada")
    party.say(1, MakeTable("block", 3, {}, bots=2, level="easy"))
    table = party.get_table(party.update(1).table.id)
    while table.match.turn == 0:
        party.play(1)
    return party, table


@pytest.mark.parametrize(("pace", "factor"), [("slow", 2.5), ("at once", 0)])
def test_a_player_can_slow_the_bots_down_and_speed_them_up(pace, factor):
    party, table = seat_player_with_bots()
    usual = pace_of(table.seats.chairs[table.match.turn].name) * PACE.think
    party.say(1, SetPace(pace))

    assert party.update(1).table.pace == pace
    assert table.delay == pytest.approx(max(0, usual * factor - (party.time - table.since)))


def test_a_pace_that_does_not_exist_is_refused():
    party, _ = seat_player_with_bots()

    assert "slow, normal, at once" in party.refusal(party.say(1, SetPace("lightning")))


@pytest.mark.parametrize("wish", [SetPace("slow"), Skip()])
def test_spectators_can_neither_set_the_pace_nor_skip(wish):
    party, table = seat_player_with_bots()
    party.come(2, "bela")
    party.say(2, Watch(table.id))

    assert "Only seated players" in party.refusal(party.say(2, wish))


def test_bots_play_at_once_until_it_is_the_turn_of_the_player_who_skips():
    party, table = seat_player_with_bots()
    party.say(1, Skip())
    while table.match.turn > 0:
        assert table.delay == 0
        step(party, table)
    assert table.match.turn == 0
    party.play(1)

    assert table.match.turn == NOBODY or table.delay > 0, "the next time they take their time again"


def test_a_player_lost_by_a_failure_of_the_host_loses_no_time_until_the_grace_ends():
    party, table = seat_two_players(turn_time=20, match_time=60)
    turn = table.match.turn
    times_before = party.update(1).times
    party.deliver(party.lobby.disconnect(turn + 1, excused=True))
    party.time += 29
    party.come(3, "chen")
    party.say(3, Watch(table.id))
    times = party.update(3).times
    assert not times.running
    assert times.turn >= times_before.turn - 3
    assert times.match[turn] >= times_before.match[turn] - 3
    assert table.delay <= 1
    step(party, table)
    assert table.match.turn != turn or len(table.recorded.lines) > 1


def test_a_player_who_returns_after_a_failure_of_the_host_has_the_remaining_time():
    party, table = seat_two_players(turn_time=20)
    turn = table.match.turn
    party.deliver(party.lobby.disconnect(turn + 1, excused=True))
    party.time += 25
    party.come(3, ("ada", "bela")[turn], f"token {turn + 1}")
    party.say(3, Sit(table.id))
    assert party.update(3).times.running
    assert party.update(3).times.turn > 15


def test_a_player_who_loses_the_connection_loses_time():
    party, table = seat_two_players(turn_time=20)
    turn = table.match.turn
    party.deliver(party.lobby.disconnect(turn + 1))
    party.time += 5
    assert table.delay <= 15
