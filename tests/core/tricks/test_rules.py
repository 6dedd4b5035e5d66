"""The engine of tricks: the end of a hand, its payments, and invariants of every hand (`docs/rules` §2.6)."""

import pytest
from msgspec.structs import replace

from core.actions import Bid, Laid, Lay
from core.games import GAMES
from core.match import new_match
from core.tiles import hand, tile
from core.words import Illegal
from tests.core.tricks.hands import after_tricks, dealt, game


def test_equal_points_at_the_end_go_to_the_bidders():
    match = new_match(GAMES["forty-two"], 4, {"42.score": "points"})
    state = after_tricks(Bid(30, 1), 11, 11, 6, 6, -6, -1, score="points")
    last = replace(
        state,
        hands=(hand("1|1"), (), (), ()),
        trick=(Laid(1, tile("0|0")), Laid(2, tile("1|0")), Laid(3, tile("2|0"))),
    )
    match = replace(match, state=match.rules.complete(replace(last, turn=0)), scores=(220, 246))
    match, _ = match.apply(Lay(tile("1|1")))

    assert match.scores in ((255, 253), (254, 254))
    assert match.winners == (0,)


def test_an_illegal_action_is_refused():
    table = game()
    with pytest.raises(Illegal):
        table.apply(dealt(), Lay(tile("6|6")))
