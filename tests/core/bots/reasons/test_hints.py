"""A hint: the chosen move and at most two reasons, from the facts that its seat knows."""

from itertools import cycle
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from core.bots.beliefs import LayoutBelief
from core.bots.levels import think
from core.bots.observations import rules_of
from core.bots.profiles import ActionValue, Effort, Thought
from core.bots.reasons.hints import hint, hint_question
from core.fair import deal_order
from core.games import GAMES
from core.match import new_match
from core.words import Words
from tests.core.bots.test_thinking import dealt
from tests.core.positions import position, rules
from tests.core.tricks.hands import ALL

LITTLE = Effort(3, 100)


def moments(name):
    """Yield all moments of a match of three players who always take the first legal action."""
    match = new_match(GAMES[name], 3, {})
    while not match.over:
        if match.is_deal_due:
            order, lot = deal_order(match.rules.tiles, match.rules.seats, b"deal", match.deals + 1)
            match, _ = match.deal(order, lot)
        else:
            yield match
            match, _ = match.apply(match.legal[0])


@pytest.mark.parametrize(("name", "most"), zip(GAMES, cycle((True, False))))
def test_in_every_game_a_hint_is_one_short_sentence_about_a_legal_move(name, most):
    match = dealt(name, GAMES[name].seats[most], **({"42.contracts": ALL} if name == "forty-two" else {}))
    rng = Random(4)
    while not match.state.result:
        view = match.view(match.turn)
        advice = hint(view, think(view, rng, LITTLE))
        assert advice.action in match.legal
        assert str(advice.why).endswith(".")
        assert len(str(advice.short)) <= 90
        match, _ = match.apply(advice.action)


@settings(max_examples=25)
@given(st.sampled_from(["draw", "block", "all-fives"]), st.integers(0, 400), st.integers(0, 1000))
def test_positions_that_look_the_same_have_the_same_hint(name, number, seed):
    choices = [match for match in moments(name) if len(match.legal) > 1 and not match.state.pending]
    match = choices[number % len(choices)]
    view = match.view(match.turn)
    state = next(LayoutBelief(rules_of(view), view, view.play).positions(Random(seed)))
    other = replace(match, state=replace(match.state, hands=state.hands, boneyard=state.boneyard))
    assert other.view(match.turn) == view

    first, second = (think(position.view(match.turn), Random(1), LITTLE) for position in (match, other))
    assert hint(view, first) == hint(other.view(match.turn), second)
    assert hint(view, None) == hint(other.view(match.turn), None)
    assert hint_question(view) == hint_question(other.view(match.turn))


def test_the_words_of_a_hint_name_no_tile_that_the_seat_does_not_see():
    for match in list(moments("draw"))[::5]:
        view = match.view(match.turn)
        seen = {str(tile) for tile in (*view.play.hand, *(placed.tile for placed in view.play.layout))}
        assert tiles_named(hint(view, think(view, Random(1), LITTLE)).why) <= seen


def tiles_named(words: Words) -> set[str]:
    tiles = set()
    for key, value in words.values.items():
        tiles |= tiles_named(value) if isinstance(value, Words) else {value} if key == "tile" else set()
    return tiles


def test_the_move_of_the_thought_comes_first_then_its_reasons():
    match = replace(
        dealt("draw", 2), state=position(rules("draw", 2), (3, 1), "5|3 5|2 5|4 1|0", "6|6 6|5", boneyard="4|4 2|2")
    )
    view = match.view(0)
    first, five = view.play.legal[0], view.play.legal[-1]
    assert (str(first.tile), str(five.tile)) == ("1|0", "5|3")
    judged = [ActionValue(five, 5.0, 4.0, 1.0, 120), ActionValue(first, 1.0, 0.0, 0.0, 120)]

    advice = hint(view, Thought(first, judged))
    assert advice.action == five
    assert str(advice.why).startswith("5|3 leaves you two fives to answer with, and ")
    assert len(str(advice.short)) < len(str(advice.why))


def test_if_nothing_is_hidden_the_hint_says_so_with_the_numbers():
    match = replace(dealt("draw", 2), state=position(rules("draw", 2), (3, 1), "5|3 1|0", "6|6", boneyard=""))
    view = match.view(0)
    first, second = view.play.legal[:2]

    advice = hint(
        view,
        Thought(first, [ActionValue(first, 12.0, 0.0, 0.0, 1), ActionValue(second, 4.0, -8.0, 0.0, 1)], exact=True),
    )
    assert "gains 12 points" in str(advice.why)
    assert "nothing is hidden now" in str(advice.why)


def test_a_move_without_a_choice_says_so():
    match = replace(dealt("draw", 2), state=position(rules("draw", 2), (3, 1), "6|3 5|5", "6|6", boneyard=""))

    assert str(hint(match.view(0), None).why) == "6|3 is all that you can do."
