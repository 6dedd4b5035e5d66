"""Prompts for a player of Tien Gow, and the reasons why a tile cannot be laid."""

from core.combos.state import ComboState, ComboTrick, LaidCombo
from core.games import GAMES
from core.layout.state import RoundContext
from core.prompts import ask, why_not
from core.tiles import hand, tile

RULES = GAMES["tien-gow"].rules(4, {})[1]


def view(*hands, turn=0, led="", won=()):
    trick = (LaidCombo((turn - 1) % 4, hand(led), True),) if led else ()
    tricks = tuple(ComboTrick((LaidCombo(seat, hand("5|1"), True),) * 4, seat) for seat in won)
    state = RULES.complete(ComboState(tuple(map(hand, hands)), 0, turn, RoundContext(0), 1, trick, tricks))
    return RULES.view(state, turn)


def test_a_player_is_asked_to_lead_to_beat_or_to_hide():
    assert str(ask(view("5|5 2|2", "6|6", "1|1", "4|4"))) == "You lead: one tile, or several laid together."
    assert str(ask(view("5|5 2|2", "6|6", "1|1", "4|4 6|1", led="3|3"))) == "Beat 3|3, or hide as many."
    cannot = view("5|5 2|2", "6|6", "1|1", "4|4 6|1", led="6|6")
    assert str(ask(cannot)) == "You cannot beat 6|6: hide 1 tile."


def test_tg_4_a_player_without_tricks_is_asked_to_hide_the_last_tile():
    bound = view("6|6", "5|5", "1|1", "", led="3|3", won=(3,))

    assert str(ask(bound)) == "You have taken nothing: lay your last tile face down."
    assert why_not(bound, tile("6|6")) is None


def test_a_waiting_player_sees_whose_turn_it_is():
    waiting = RULES.view(RULES.deal(RULES.tiles, RoundContext(lot=2)), 0)

    assert str(ask(waiting)) == "2 is to play."
    assert str(why_not(waiting, waiting.hand[0])) == str(ask(waiting))
