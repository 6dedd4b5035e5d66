"""Tien Gow, rule by rule (`docs/rules` §C.6); combinations and payments are in `tests/core/combos`."""

import pytest

from core.actions import Beat, Hide, Lead, Matched, Scored
from core.bots.levels import play_match
from core.combos.rules import ComboRules
from core.combos.state import ComboState, ComboTrick, LaidCombo
from core.games import GAMES
from core.layout.state import NOBODY, RoundContext
from core.match import new_match
from core.tiles import hand
from core.words import BadOption, Illegal


def rules(**options) -> ComboRules:
    return GAMES["tien-gow"].rules(4, {key.replace("__", "."): value for key, value in options.items()})[1]


def moment(game, *hands, turn=0, banker=0, won=(), led=(), in_a_row=1):
    """Return a moment of a round: each seat in `won` took a single trick, and `led` was laid to the current one."""
    tricks = tuple(ComboTrick((LaidCombo(seat, hand("5|1"), True),) * 4, seat) for seat in won)
    trick = tuple(LaidCombo((turn - len(led) + n) % 4, hand(text), True) for n, text in enumerate(led))
    held = tuple(map(hand, hands))
    return game.complete(ComboState(held, banker, turn, RoundContext(0), in_a_row, trick, tricks))


def did(game, state, *actions):
    events = ()
    for action in actions:
        state, events = game.apply(state, action)
    return state, events


def test_tg_1_a_hand_may_lead_sixteen_ways():
    state = moment(rules(), "6|6 6|6 6|3 5|4 5|1 4|2 2|1 5|3", "5|5", "3|3", "2|2")

    assert len(state.legal) == 16
    assert all(isinstance(action, Lead) for action in state.legal)


def test_tg_4_a_player_without_tricks_must_hide_if_the_last_trick_is_a_single_tile():
    hands = ("", "6|6", "6|4", "4|1")
    bound, free = (
        moment(rules(tg__early_death=how), *hands, turn=1, won=(0, 2), led=("5|5",)) for how in ("yes", "no")
    )

    assert bound.legal == (Hide(hand("6|6")),)
    assert rules().view(bound, 1).bound
    assert set(free.legal) == {Beat(hand("6|6")), Hide(hand("6|6"))}
    assert set(moment(rules(), *hands, turn=1, won=(0, 1), led=("5|5",)).legal) == set(free.legal)


def test_only_the_last_trick_wins_and_tiles_face_down_are_revealed():
    game = rules()
    state = moment(game, "5|5", "6|4", "4|1", "3|2", won=(0, 0, 1))
    over, events = did(game, state, Lead(hand("5|5")), Hide(hand("6|4")), Hide(hand("4|1")), Hide(hand("3|2")))

    assert (over.result.how, over.result.winner, over.legal) == ("last_trick", 0, ())
    assert over.result.points == (26, -6, -10, -10)
    assert over.result.hands == ((), hand("6|4"), hand("4|1"), hand("3|2"))
    assert events[-1] == over.result


def test_with_bonuses_the_supreme_pair_is_paid_at_once():
    game = rules(tg__bonus="on")
    state = moment(game, "4|2 2|1 5|5", "6|4 6|1 1|1", "4|1 4|4 3|1", "3|2 6|5 6|6")
    _, events = did(game, state, Lead(hand("4|2 2|1")))

    assert events[0] == Matched(0, hand("4|2 2|1"))
    paid = {0: 12, 1: -4, 2: -4, 3: -4}
    assert events[1:] == tuple(Scored(seat, points, reason="supreme") for seat, points in paid.items())
    assert did(rules(), state, Lead(hand("4|2 2|1")))[1] == events[:1]


@pytest.mark.parametrize(("last", "points"), [("2|1", (60, -20, -20, -20)), ("4|1", (30, -10, -10, -10))])
def test_with_bonuses_an_unbeaten_last_low_tile_counts_twice(last, points):
    game = rules(tg__bonus="on")
    state = moment(game, last, "6|4", "4|4", "5|5", won=(0,))
    over, _ = did(game, state, Lead(hand(last)), Hide(hand("6|4")), Hide(hand("4|4")), Hide(hand("5|5")))

    assert over.result.points == points


def test_tiles_that_form_no_combination_are_illegal_together():
    game = rules()
    state = moment(game, "5|1 2|2", "6|1 3|3", "6|6 5|5", "4|1 3|2", turn=1, led=("5|1",))

    for action in (Lead(hand("6|1")), Hide(hand("6|1 3|3")), Beat(hand("6|6"))):
        with pytest.raises(Illegal):
            game.apply(state, action)


def test_others_see_the_number_of_tiles_face_down_but_not_the_tiles():
    game = rules()
    state, _ = did(game, moment(game, "5|1 2|2", "6|1 3|3", "6|6", "4|1"), Lead(hand("5|1")), Hide(hand("6|1")))

    assert game.view(state, 1).trick[1] == LaidCombo(1, hand("6|1"), False)
    for seat in (0, 2, 3, NOBODY):
        assert game.view(state, seat).trick[1] == LaidCombo(1, (), False)


def test_a_match_has_eight_zero_sum_rounds_and_four_players():
    *_, last = play_match(new_match(GAMES["tien-gow"], 4, {"tg.bonus": "on"}), ("greedy",) * 4, b"x", "test")

    assert (last.match.over, last.match.round, sum(last.match.scores)) == (True, 8, 0)
    with pytest.raises(BadOption):
        new_match(GAMES["tien-gow"], 3, {})
