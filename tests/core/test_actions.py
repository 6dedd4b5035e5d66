"""Events as a seat receives them, without secrets, and the payments of a round."""

from typing import get_args

import pytest

from core.actions import (
    Bade,
    Bid,
    Buried,
    Drew,
    Event,
    Hid,
    Led,
    Matched,
    Name,
    Named,
    Passed,
    Play,
    Played,
    PutDown,
    Removed,
    RoundOver,
    Scored,
    Shed,
    TakenBack,
    Term,
    Turned,
    cut,
    public_action,
)
from core.tiles import STAR, hand, tile

DREW = Drew(1, 2, hand("6|5 4|1"), forced=False)


def test_the_player_who_drew_sees_the_tiles():
    assert cut(DREW, 1) == DREW


@pytest.mark.parametrize("seat", [0, 2, -1])
def test_others_and_spectators_see_the_number_of_drawn_tiles_but_not_the_tiles(seat):
    assert cut(DREW, seat) == Drew(1, 2, (), forced=False)


@pytest.mark.parametrize("seat", [0, 2, -1])
def test_a_tile_face_down_is_known_only_to_its_owner_also_when_it_is_taken_back(seat):
    down, back = PutDown(1, tile("5|4")), TakenBack(1, Shed(tile("5|4")))

    assert (cut(down, 1), cut(down, seat)) == (down, PutDown(1))
    assert (cut(back, 1), cut(back, seat)) == (back, TakenBack(1, Shed(STAR)))
    assert public_action(Shed(tile("5|4"))) == Shed(STAR)


def test_every_other_action_is_public():
    play = Play(tile("5|4"), 0, 1, 4)

    assert cut(TakenBack(1, play), 0) == TakenBack(1, play)


@pytest.mark.parametrize(
    "event",
    [
        Led(0, tile("6|6"), "double"),
        Played(1, tile("6|5"), 6, 5),
        Passed(2, "empty"),
        Scored(0, 10, (5, 5)),
        Bade(3, Bid(30, 1)),
        Named(3, Name("number", 4)),
        RoundOver("blocked", 0, (hand("1|0"), hand("6|5")), ((), ())),
    ],
)
def test_events_of_open_tiles_are_the_same_for_every_seat(event):
    assert {cut(event, seat) for seat in (-1, 0, 1, 2, 3)} == {event}


def test_during_a_round_only_drawing_and_putting_away_hold_tiles_of_a_hand():
    hidden = {
        kind for kind in get_args(Event) if "hands" in kind.__struct_fields__ or "tiles" in kind.__struct_fields__
    }

    # these three are about tiles that lie open
    assert hidden - {Matched, Removed, Turned} == {Drew, Buried, Hid, RoundOver}


def test_a_pass_is_chosen_or_shows_the_missing_numbers():
    assert all(Passed(0, reason).chosen for reason in ("kept", "enough", "bidding"))
    assert not any(Passed(0, reason).chosen for reason in ("empty", "reserve", "limit", "no_drawing"))


def test_a_round_pays_each_side_the_sum_of_its_terms():
    over = RoundOver("out", 0, ((), hand("6|5"), hand("1|0")), ((Term("pips", 1, 11), Term("own", 0, -3)), (), ()))

    assert over.points == (8, 0, 0)


def test_a_side_whose_points_would_exceed_an_exact_target_scores_nothing():
    over = RoundOver("out", 0, ((), ()), ((Term("out", 0, 1),), (Term("out", 1, 2),)), void=(0,))

    assert over.points == (0, 2)
