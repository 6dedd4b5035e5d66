"""The yardstick among the bots, at combinations."""

from core.bots.first.combos import first_in_combos
from core.combos.actions import Beat, Hide, Lead
from core.combos.state import ComboState, Put
from core.games import GAMES
from core.layout.state import Before
from core.tiles import hand

RULES = GAMES["tien-gow"].rules(4, {})[1]


def view(own, led=""):
    trick = (Put(3, hand(led), True),) if led else ()
    state = ComboState((hand(own), *(hand("5|1 6|1"),) * 3), 0, 0, Before(0), 1, trick)
    return RULES.view(RULES.settled(state), 0)


def test_it_leads_most_tiles_then_the_highest():
    assert first_in_combos(view("6|6 6|3 4|4 5|1")) == Lead(hand("6|6 6|3"))
    assert first_in_combos(view("6|6 4|4")) == Lead(hand("6|6"))


def test_it_beats_with_the_lowest_that_does_and_else_hides_the_lowest():
    assert first_in_combos(view("6|6 4|4 5|1", led="5|5")) == Beat(hand("4|4"))
    assert first_in_combos(view("3|3 4|4 5|1", led="6|6")) == Hide(hand("5|1"))
