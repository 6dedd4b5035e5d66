"""Lines of tiles, and what may be seen of a game for one (`docs/rules` §C.8)."""

import pytest

from core.patience.state import ends_of, facing
from core.tiles import in_order
from tests.core.patience.tables import laid, rules


@pytest.mark.parametrize(
    ("line", "shown"),
    [
        ("6|3", [(6, 3)]),
        ("6|3 6|6", [(3, 6), (6, 6)]),
        ("6|6 6|3 3|3 3|0", [(6, 6), (6, 3), (3, 3), (3, 0)]),
        ("5|4 5|2 2|1", [(4, 5), (5, 2), (2, 1)]),
    ],
)
def test_equal_numbers_meet_in_a_line(line, shown):
    assert facing(in_order(line)) == shown
    assert ends_of(in_order(line)) == (shown[0][0], shown[-1][1])


def test_a_spectator_sees_the_table_but_no_hand_and_nobody_sees_the_boneyard():
    game = rules("draw-five")
    state = game.settled(laid("6|3", "6|6 3|1", "0|0 5|5"))
    own, other = game.view(state, 0), game.view(state, -1)

    assert (own.hand, other.hand) == (state.laid.hand, ())
    assert (own.legal, other.legal) == (state.legal, ())
    assert (own.piles, own.boneyard, own.counts) == (other.piles, 2, (4,))
