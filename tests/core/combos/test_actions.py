"""Tiles laid face down together: only the player who hid them sees which they are."""

from core.actions import Hid, Hide, Lead, TakenBack, cut, public_action
from core.tiles import hand


def test_only_the_player_who_hid_tiles_learns_which():
    hid, back = Hid(1, 2, hand("6|1 5|1")), TakenBack(1, Hide(hand("6|1 5|1")))

    for seat in (0, -1):
        assert cut(hid, seat) == Hid(1, 2)
        assert cut(back, seat) == TakenBack(1, Hide(()))
    assert (cut(hid, 1), cut(back, 1)) == (hid, back)
    assert public_action(Lead(hand("6|1"))) == Lead(hand("6|1"))
