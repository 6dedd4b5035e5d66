"""Lines of tiles, and the view of a patience (`docs/rules` §C.8)."""

from tests.core.patience.tables import laid, rules


def test_a_spectator_sees_the_table_but_no_hand_and_the_boneyard_is_hidden_from_all():
    game = rules("draw-five")
    state = game.complete(laid("6|3", "6|6 3|1", "0|0 5|5"))
    own, other = game.view(state, 0), game.view(state, -1)

    assert (own.hand, other.hand) == (state.laid.hand, ())
    assert (own.legal, other.legal) == (state.legal, ())
    assert (own.piles, own.boneyard, own.counts) == (other.piles, 2, (4,))
