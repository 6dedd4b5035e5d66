"""Reasons for tiles laid together: each is true of the hand for which it is given."""

from msgspec.structs import replace

from core.actions import Beat, Hide, Lead
from core.bots.reasons.hints import reasons_in_combos
from core.combos.state import ComboState, LaidCombo
from core.games import GAMES
from core.layout.state import RoundContext
from core.match import new_match
from core.tiles import hand


def reasons(action, own, led=""):
    match = new_match(GAMES["tien-gow"], 4, {})
    trick = (LaidCombo(3, hand(led), True),) if led else ()
    state = match.rules.complete(ComboState((hand(own), *(hand("5|1 6|1"),) * 3), 0, 0, RoundContext(0), 1, trick))
    view = replace(match, state=state, round=1).view(0)
    return [str(effect) for effect in reasons_in_combos(view, view.play, action).effects]


def test_an_unbeatable_lay_is_named_with_the_tricks_that_it_takes():
    assert reasons(Lead(hand("6|6 6|6")), "6|6 6|6 5|5") == ["cannot be beaten", "takes 2 tricks at once"]
    assert reasons(Lead(hand("5|5")), "6|6 5|5 5|1") == []


def test_the_least_useful_tiles_are_named_for_leads_and_for_hiding():
    assert reasons(Lead(hand("5|1")), "6|6 5|5 5|1") == ["risks only what serves you least"]
    assert reasons(Hide(hand("5|1")), "4|4 5|5 5|1", led="6|6") == ["gives away what serves you least"]
    assert reasons(Hide(hand("4|4")), "4|4 5|5 5|1", led="6|6") == []


def test_the_cheapest_way_to_beat_is_said():
    assert reasons(Beat(hand("5|5")), "4|4 5|5 5|1", led="3|3") == ["beats it as cheaply as you can"]
