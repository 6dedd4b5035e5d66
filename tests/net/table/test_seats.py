"""Seats: each belongs to its player, present or absent, until it is given up."""

import pytest

from core.words import Illegal
from net.players.names_in_use import BOT_NAMES
from net.table.persistence import SeatSnapshot
from net.table.table import Guest, Seats

ADA, BELA, CHEN = (Guest(n, name, f"key {n}") for n, name in ((1, "ada"), (2, "bela"), (3, "chen")))


@pytest.fixture
def seats():
    return Seats.of(3)


def names(seats):
    return [chair.name for chair in seats.chairs]


def test_the_first_free_seat_is_given(seats):
    for seat, guest in enumerate((ADA, BELA, CHEN)):
        seats = seats.sit(guest)
        assert seats.at(guest.id) == seat
    assert not seats.free()


def test_a_player_gets_the_same_seat_again_over_another_connection(seats):
    seats = seats.sit(ADA)
    seats = seats.sit(BELA)
    seats = seats.stand_up(ADA.id, lost_at=5.0, keep_reserved=True)

    assert seats.at(ADA.id) == -1
    assert seats.of_token(ADA.token) == 0
    assert seats.sit(Guest(9, "ada", ADA.token)).at(9) == 0


def test_a_seat_that_is_not_kept_is_free_for_anybody(seats):
    seats = seats.sit(ADA)
    seats = seats.stand_up(ADA.id, lost_at=None, keep_reserved=False)

    assert seats.sit(BELA).at(BELA.id) == 0


def test_a_bot_gives_up_its_seat_only_where_no_other_is_free(seats):
    seats = seats.sit(ADA).put_bots(("easy",))
    seats = seats.sit(BELA)
    assert seats.at(BELA.id) == 1
    seats = seats.sit(CHEN)

    assert seats.at(CHEN.id) == 2
    assert not seats.chairs[2].bot


def test_a_table_full_of_players_has_no_free_seat(seats):
    for guest in (ADA, BELA, CHEN):
        seats = seats.sit(guest)
    seats = seats.stand_up(ADA.id, lost_at=0.0, keep_reserved=True)

    with pytest.raises(Illegal, match="Every seat at that table is taken"):
        seats.sit(Guest(4, "dina", "key 4"))


def test_a_spectator_who_sits_down_is_no_spectator_any_more(seats):
    seats = seats.watch(ADA)
    seats = seats.sit(ADA)

    assert seats.watchers == ()
    assert seats.guests == [ADA.id]


def test_an_absent_player_gives_up_no_seat(seats):
    seats = seats.sit(ADA)

    assert seats.stand_up(99, lost_at=0.0, keep_reserved=False) == seats
    assert names(seats) == ["ada", "", ""]


def test_bots_take_the_last_free_seats_each_under_a_name_of_its_own(seats):
    seats = seats.sit(ADA)
    seats = seats.put_bots(("greedy", "random"))

    assert names(seats) == ["ada", *BOT_NAMES[:2]]
    assert [chair.bot for chair in seats.chairs] == ["", "greedy", "random"]
    assert not any(chair.away for chair in seats.chairs)


def test_a_bot_leaves_the_first_free_seat_to_a_person(seats):
    seats = seats.put_bots(("greedy",))

    assert seats.sit(ADA).at(ADA.id) == 0
    assert seats.chairs[2].bot == "greedy"


def test_a_removed_guest_gets_no_seat_and_may_not_watch(seats):
    seats = seats.sit(ADA)
    seats = seats.watch(BELA)

    seats, *removed = seats.remove("ada")
    assert removed == [0, ADA.id]
    seats, *removed = seats.remove("bela")
    assert removed == [-1, BELA.id]
    assert seats.guests == []
    for guest in (ADA, BELA):
        with pytest.raises(Illegal, match="You were removed"):
            seats.admit(guest)
        with pytest.raises(Illegal, match="You were removed"):
            seats.sit(guest)


def test_only_present_players_can_be_removed(seats):
    seats = seats.put_bot(0, "greedy")
    for name in ("zoe", BOT_NAMES[0]):
        with pytest.raises(Illegal, match="Nobody called"):
            seats.remove(name)


def test_a_player_whose_connection_broke_is_awaited_and_one_who_left_is_not(seats):
    seats = seats.sit(ADA)
    seats = seats.sit(BELA)
    seats = seats.stand_up(ADA.id, lost_at=100.0, keep_reserved=True)
    seats = seats.stand_up(BELA.id, lost_at=None, keep_reserved=True)

    assert [(seat.away, seat.awaited) for seat in seats.info(lost_after=99.0)[:2]] == [(True, True), (True, False)]
    assert not seats.info(lost_after=100.0)[0].awaited


def test_waiting_times_stop_while_the_table_is_deserted(seats):
    seats = seats.sit(ADA)
    seats = seats.stand_up(ADA.id, lost_at=100.0, keep_reserved=True)
    seats = seats.restart_grace(500.0)

    assert seats.info(lost_after=499.0)[0].awaited


def test_resumed_seats_have_just_lost_their_connections(seats):
    seats = seats.sit(ADA)
    seats = seats.put_bot(1, "greedy")
    seats, _, _ = seats.remove("ada")
    seats = seats.sit(BELA)
    snapshot = seats.snapshot()
    assert snapshot == (
        SeatSnapshot("bela", BELA.token, ""),
        SeatSnapshot(BOT_NAMES[0], "", "greedy"),
        SeatSnapshot(),
    )

    resumed = Seats.resume(snapshot, tuple(seats.removed), now=10.0)
    assert resumed.of_token(BELA.token) == 0
    assert [(seat.away, seat.awaited) for seat in resumed.info(lost_after=9.0)] == [
        (True, True),
        (False, False),
        (False, False),
    ]
    with pytest.raises(Illegal):
        resumed.admit(ADA)
