"""The state of a game of combinations: its tricks, and the view of a seat."""

from core.combos.state import ComboTrick, LaidCombo, cut_trick, face_down_tiles, size_of, unseen_in_combos
from core.games import GAMES
from core.layout.state import RoundContext
from core.tiles import CHINESE_SET, hand

TRICK = (
    LaidCombo(1, hand("5|1 5|1"), True),
    LaidCombo(2, hand("6|6 6|6"), True),
    LaidCombo(3, hand("2|1 3|2"), False),
)


def test_tiles_face_down_are_known_only_to_their_owner_until_the_round_is_over():
    assert cut_trick(TRICK, 3, is_over=False) == TRICK
    assert cut_trick(TRICK, 1, is_over=False)[2] == LaidCombo(3, (), False)
    assert cut_trick(TRICK, -1, is_over=True) == TRICK
    assert face_down_tiles((ComboTrick(TRICK, 2),), 4) == ((), (), (), hand("2|1 3|2"))


def test_a_seat_does_not_see_the_tiles_of_others():
    rules = GAMES["tien-gow"].rules(4, {})[1]
    view = rules.view(rules.deal(CHINESE_SET, RoundContext(lot=0)), 0)

    assert sorted((*unseen_in_combos(view, CHINESE_SET), *view.hand)) == list(CHINESE_SET)
    assert size_of(view) == 0
