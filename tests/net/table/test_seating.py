"""Joining a table and leaving it: a match begins when no seat is free, and a bot keeps a leaving player's seat."""

from net.wire.messages import Leave, Sit


def test_a_match_begins_when_the_last_seat_is_taken(party):
    party.come(1, "ada")
    party.come(2, "bela")
    number = party.make_table(1, players=2)
    assert party.update(1).match is None
    assert party.update(1).table.phase == "waiting"

    party.say(2, Sit(number))

    assert party.update(1).match.round == 1
    assert party.update(1).seat == 0
    assert party.update(2).seat == 1


def test_with_bots_on_the_other_seats_it_begins_at_once(party):
    party.come(1, "ada")
    party.make_table(1, bots=3)

    assert party.update(1).match.round == 1
    assert [bool(seat.bot) for seat in party.update(1).table.seats] == [False, True, True, True]


def test_a_bot_keeps_an_absent_seat_and_gives_it_back(pair):
    number = pair.update(1).table.id
    turn = pair.on_turn(1, 2)
    idle = 3 - turn
    pair.go(turn)
    assert any(seat.away for seat in pair.update(idle).table.seats)

    pair.run()
    assert pair.on_turn(idle) == idle or pair.update(idle).match.play.result

    seat = 1 - pair.update(idle).seat
    pair.come(9, "ada" if seat == 0 else "bela", f"token {turn}")
    assert pair.received[9][-1].yours == number
    pair.say(9, Sit(number))
    assert pair.update(9).seat == seat
    assert not any(s.away for s in pair.update(idle).table.seats)


def test_before_the_match_a_seat_that_is_left_is_free_again(party):
    party.come(1, "ada")
    party.come(2, "bela")
    number = party.make_table(1, 2, players=3)
    party.say(2, Leave())

    assert [seat.name for seat in party.update(1).table.seats] == ["ada", "", ""]
    party.come(3, "chen")
    party.say(3, Sit(number))
    assert party.update(3).seat == 1
