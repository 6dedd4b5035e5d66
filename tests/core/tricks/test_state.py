"""The values of a hand of tricks: the worth of a bid, the winner of a trick, the points of a side (`docs/rules`
§2.6).
"""

from core.actions import Laid
from core.tiles import full_set, hand, tile
from core.tricks.state import unseen_in_tricks
from tests.core.tricks.hands import FOLLOW, LOWS, lay, playing


def trick(text):
    """Return tiles laid by seats 0, 1, 2 and so on."""
    return tuple(Laid(seat, tile(word)) for seat, word in enumerate(text.split()))


def test_a_seat_does_not_see_the_hands_of_the_others():
    table, state = playing(FOLLOW, *LOWS)
    state, _ = lay(table, state, "6|5 5|4 6|0 3|0 6|4")
    seen = {*hand(LOWS[1]), *hand("6|5 6|0 3|0 6|4")}

    assert unseen_in_tricks(table.view(state, 1), full_set(6)) == [tile for tile in full_set(6) if tile not in seen]
